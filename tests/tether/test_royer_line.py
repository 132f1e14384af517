"""Royer's cable in the records of a line: equal to his solution, with a status for each end."""

from __future__ import annotations

import numpy as np
import pytest

from pelagos.tether.line import Line
from pelagos.tether.royer import royer_cable
from pelagos.tether.spec import Cable, Status, Tether
from pelagos.world.current.kinds import Profile
from pelagos.world.spec import World

CABLE = Cable(diameter_m=0.035, neutral=True, breaking_load_N=20_000.0)
CURRENT = (0.6, 0.45, 0.0)
SHIP, VEHICLE = (0.0, 0.0, 0.0), (20.0, -10.0, 90.0)


def line(**rigged) -> Line:
    return Line(CABLE, Tether(**{"mode": "royer", "length_m": 150.0, **rigged}), current_n=CURRENT)


def test_equals_the_cable_alone():
    tether = line()
    assert tether.settle(VEHICLE, SHIP)
    alone = royer_cable(CABLE, 150.0, SHIP, VEHICLE, CURRENT)
    np.testing.assert_allclose(tether.force_on_vehicle_n, alone.force_vehicle_n, rtol=1e-12)
    np.testing.assert_allclose(tether.force_on_ship_n, alone.force_ship_n, rtol=1e-12)
    np.testing.assert_allclose(tether.shape_n, alone.shape_n, atol=1e-9)
    assert tether.head["tension_b"] == pytest.approx(alone.tension_vehicle_N)
    assert tether.status == Status.OK


def test_a_step_starts_from_the_last_solution_and_moves_drum_and_ship():
    tether = line(payout="ratio", ratio=1.5, ship="follow", ship_speed_m_s=1.0, ship_lag_s=5.0)
    tether.settle(VEHICLE, SHIP)
    cold = tether.head["used"]
    tether.step(0.02, np.array(VEHICLE), np.zeros(3))
    assert tether.head["used"] < 0.5 * cold
    assert tether.head["ship"][0] > 0.0  # under way to above the vehicle
    apart = np.linalg.norm(np.array(VEHICLE) - tether.head["ship"])
    assert tether.length_m == pytest.approx(1.5 * apart, rel=1e-3)


def test_takes_the_current_half_way_down():
    """A profile that falls from 1 to 0 m/s over 100 m is 0.5 m/s half-way."""
    world = World(currents=(Profile(rows=((0.0, 1.0, 0.0), (100.0, 0.0, 0.0))),))
    sheared = Line(CABLE, Tether(mode="royer", length_m=150.0), sea=world.packed())
    sheared.settle((0.0, 0.0, 100.0), SHIP)
    uniform = royer_cable(CABLE, 150.0, SHIP, (0.0, 0.0, 100.0), (0.5, 0.0, 0.0))
    assert sheared.head["tension_b"] == pytest.approx(uniform.tension_vehicle_N, rel=1e-9)


def test_too_far_is_reported_and_the_pull_is_the_breaking_load_along_the_chord():
    tether = line(length_m=80.0)
    tether.settle(VEHICLE, SHIP)
    assert tether.status == Status.UNREACHABLE
    chord = np.array(VEHICLE) / np.linalg.norm(VEHICLE)
    np.testing.assert_allclose(tether.force_on_vehicle_n, -20_000.0 * chord, rtol=1e-9)
    assert tether.head["miss"] == pytest.approx(np.linalg.norm(VEHICLE) - 80.0)


def test_no_current_is_reported():
    tether = Line(CABLE, Tether(mode="royer", length_m=150.0))
    tether.settle(VEHICLE, SHIP)
    assert tether.status == Status.UNLOADED and not tether.force_on_vehicle_n.any()
