"""Missions: what is asked is commanded, what is usual is left alone where it cannot be held."""

import pytest

from pelagos.analysis.mission import MISSIONS, Mission, prepare
from pelagos.control.autopilot import Autopilot
from pelagos.errors import CommandError, PelagosError


def setpoint(sim):
    assert isinstance(sim.controller, Autopilot)
    return sim.controller.setpoint


def test_the_first_dive_holds_what_it_says():
    sim, not_held = prepare(MISSIONS["first-dive"])
    assert not_held == []
    assert (setpoint(sim).depth_m, setpoint(sim).heading_deg) == (5.0, 90.0)
    assert sim.vehicle.key == "bluerov2_heavy"


def test_usual_values_are_taken_where_nothing_is_asked():
    sim, _ = prepare(Mission("lauv", heading_deg=10.0))
    assert (setpoint(sim).depth_m, setpoint(sim).heading_deg) == (5.0, 10.0)


def test_what_a_vehicle_cannot_hold_is_said_if_usual_and_refused_if_asked():
    _, not_held = prepare(Mission("slocum"))
    assert any(text.startswith("heading is not held") for text in not_held)
    with pytest.raises(CommandError):
        prepare(Mission("slocum", heading_deg=90.0))


@pytest.mark.parametrize("changes", [{"seconds": 0.0}, {"seconds": float("nan")}, {"depth_m": float("inf")}])
def test_a_mission_of_bad_numbers_is_refused(changes):
    with pytest.raises(PelagosError):
        Mission("lauv", **changes)
