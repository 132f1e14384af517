"""Scenarios from a few options: given setpoints are commanded, defaults only where the vehicle can hold them."""

import pytest

from pelagos.errors import CommandError, PelagosError
from pelagos.scenario import shortcuts
from pelagos.scenario.read import scenario_from
from pelagos.scenario.spec import Scenario
from tests.command import made_ready


def test_defaults_apply_without_options():
    sim, notes = made_ready("lauv", heading_deg=10.0)
    assert (sim.controller.setpoint.depth_m, sim.controller.setpoint.heading_deg) == (5.0, 10.0)
    assert notes == []


def test_an_impossible_default_is_noted_and_an_impossible_option_refused():
    _, notes = made_ready("slocum")
    assert any(text.startswith("heading is not held") for text in notes)
    with pytest.raises(PelagosError, match="heading"):
        made_ready("slocum", heading_deg=90.0)


@pytest.mark.parametrize("options", [{"seconds": 0.0}, {"seconds": float("nan")}, {"depth_m": float("inf")}])
def test_bad_numbers_are_refused(options):
    with pytest.raises(PelagosError):
        made_ready("lauv", **options)


def test_there_is_room_below_a_deep_order():
    assert shortcuts.vehicle_tables("lauv", {"depth_m": 80.0})["world"]["depth_m"] == 105.0
    assert shortcuts.vehicle_tables("lauv", {})["world"]["depth_m"] == 30.0


def test_a_current_flows_east_unless_said():
    assert shortcuts.vehicle_tables("lauv", {"current_m_s": 0.2})["world"]["current_to_deg"] == 90.0
    assert (
        "current_to_deg" not in shortcuts.vehicle_tables("lauv", {"current_m_s": 0.2, "current_to_deg": 0.0})["world"]
    )


def test_every_short_option_becomes_a_key_that_the_reader_knows():
    options = {
        "depth_m": 4.0, "heading_deg": 10.0, "speed_m_s": 0.5, "seconds": 3.0, "world": "test_tank",
        "current_m_s": 0.1, "current_to_deg": 5.0, "step_s": 0.01, "integrator": "heun", "seed": 4, "speed": 2.0,
    }  # fmt: skip
    options["depth_m"] = 1.0
    made = scenario_from(shortcuts.vehicle_tables("bluerov2_heavy", options), changes=shortcuts.changes(options))
    assert isinstance(made, Scenario)
    assert (made.duration_s, made.step_s, made.integrator, made.seed, made.speed) == (3.0, 0.01, "heun", 4, 2.0)
    control = made.vehicles[0].control
    assert (control.depth_m, control.heading_deg, control.speed_m_s) == (1.0, 10.0, 0.5)
    assert set(shortcuts.KEYS) >= set(options)


def test_contradicting_options_are_refused():
    with pytest.raises(CommandError, match="--duration and --seconds"):
        shortcuts.changes({"duration": 3.0, "seconds": 3.0})
    with pytest.raises(CommandError, match="expected one of them: a ratio changes the length"):
        shortcuts.changes({"tether_length_m": 30.0, "tether_ratio": 1.2})
    with pytest.raises(CommandError, match="remus100 has no tether in its file"):
        shortcuts.changes({"tether": "dynamic"}, "remus100")
    assert shortcuts.changes({"tether_ratio": 1.2})["tether.payout"] == "ratio"
