"""Thruster commands, fins and thrusts of many vehicles, against the scalar code over the range of each."""

import numpy as np
import pytest

from pelagos.control.autopilot.autopilot import Autopilot
from pelagos.control.vectorised.layout import hull_of, lanes_for, stages_of
from pelagos.control.vectorised.share import push, turn
from pelagos.engine.forces.thrusters import drive_for
from tests.control.many_flights import vehicle


def plain(arrays, name):
    """For plain Python, which reads the fields of records as attributes only of a `recarray`."""
    return arrays._replace(**{name: getattr(arrays, name).view(np.recarray)})


@pytest.mark.parametrize("key", ["bluerov2_heavy", "remus100", "gavia", "phoenix", "lauv", "iver3"])
def test_every_thruster_is_driven_as_its_curve_says(key):
    pilot = Autopilot(vehicle(key))
    hull = plain(hull_of(pilot), "curve")
    for j, curve in enumerate(pilot.schedule.allocation.curves):
        for thrust in np.linspace(1.3 * curve.low, 1.3 * curve.high, 41).tolist():
            for inflow in (-1.5, 0.0, 2.0) if curve.feels_inflow else (0.0,):
                assert drive_for(hull.curve[j], thrust, inflow) == curve.drive(thrust, inflow)


@pytest.mark.parametrize("key", ["gavia", "remus100", "iver3"])
def test_fins_follow_the_scalar_mix_also_at_their_limits(key):
    pilot = Autopilot(vehicle(key))
    s = pilot.schedule
    stage = s.stage(s.cruise)
    stages, lanes = stages_of(pilot.schedule, [stage]), lanes_for(1, pilot)
    lanes.lane["stage"] = 0
    rng, angles = np.random.default_rng(2), np.zeros((1, len(pilot.vehicle.surfaces)))
    over = 0
    lane, table = plain(lanes, "lane"), plain(stages, "stage")
    for size in (0.3, 1.0, 4.0) * 5:
        moments = [size * rng.normal() * stage.mix.limit(axis) for axis in (3, 4, 5)]
        lanes.desired[0, 3:] = moments
        turn(0, lane, table, angles)
        used = [axis in stage.use_surfaces for axis in (3, 4, 5)]
        expected, moments_given = stage.mix.deflect(*(m if u else 0.0 for m, u in zip(moments, used, strict=True)))
        assert angles[0] == pytest.approx(expected, rel=1e-12, abs=1e-15)
        assert lanes.fin_wrench[0, 3:] == pytest.approx(
            [g if u else 0.0 for g, u in zip(moments_given, used, strict=True)], abs=1e-12
        )
        assert lanes.rest[0] == pytest.approx(lanes.desired[0] - lanes.fin_wrench[0])
        over += bool((np.abs(angles[0]) >= stage.mix.limits).any())
    assert 0 < over < 15


@pytest.mark.parametrize("key", ["bluerov2_heavy", "phoenix"])
def test_thrusts_are_those_of_the_scalar_allocation_inside_and_at_the_limits(key):
    pilot = Autopilot(vehicle(key))
    hull, lanes, a = hull_of(pilot), lanes_for(1, pilot), pilot.schedule.allocation
    rng = np.random.default_rng(4)
    bound = 0
    for size in (0.1, 0.5, 2.0) * 6:
        lanes.rest[0] = [size * rng.normal() * pilot.schedule.reach(axis) for axis in range(6)]
        assert push(0, lanes, hull)  # no supply is shared
        expected = a.thrusts(lanes.rest[0].copy())
        bound += bool(((expected <= a.low) | (expected >= a.high)).any())
        # at the limits the answer is the same machine code's; here plain Python, which may round the stiff part
        assert lanes.thrust[0] == pytest.approx(expected, rel=1e-6, abs=1e-6 * a.high.max())
    assert 0 < bound < 18


def test_a_shared_supply_is_left_to_the_scalar_allocation():
    pilot = Autopilot(vehicle("bluerov2_heavy"))
    hull, lanes = hull_of(pilot), lanes_for(1, pilot)
    fed = hull._replace(pumps=np.ones((1, 8)), room=np.array([20.0]))
    lanes.rest[0] = 0.0, 0.0, 10.0, 0.0, 0.0, 0.0
    assert push(0, lanes, fed)
    lanes.rest[0] *= 5.0
    assert not push(0, lanes, fed)
