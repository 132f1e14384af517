"""The gain schedule: top speed, stages, stalled fins, the choice between surfaces and thrusters."""

import math
from dataclasses import replace

import numpy as np
import pytest

from pelagos.control.base import PITCH, SURGE, YAW
from pelagos.control.tuning.schedule import CRUISE_SHARE, Schedule, _unstalled
from pelagos.vehicle.load.vehicle import load_vehicle
from pelagos.vehicle.trim import top_speed

LAUV, ROV = load_vehicle("lauv"), load_vehicle("bluerov2_heavy")


@pytest.mark.parametrize("vehicle", [LAUV, ROV], ids=lambda vehicle: vehicle.key)
def test_the_top_speed_is_where_the_engine_settles(vehicle):
    schedule = Schedule(vehicle)
    # the engine's figure has every thruster at its end; the schedule keeps the other axes at rest, which costs the
    # eight thrusters of the ROV, weaker astern than ahead, 7 % of the speed
    assert 0.9 * top_speed(vehicle) < schedule.top_speed < 1.001 * top_speed(vehicle)
    assert schedule.cruise == pytest.approx(CRUISE_SHARE * schedule.top_speed)


def test_a_vehicle_with_held_surge_flies_at_its_speed():
    dsrv = load_vehicle("dsrv")
    assert not dsrv.free[SURGE]
    schedule = Schedule(dsrv)
    assert schedule.top_speed == schedule.cruise == dsrv.held_speed_m_s


def test_stages_are_made_once_per_step_and_not_below_the_lowest():
    schedule = Schedule(LAUV)
    stage = schedule.stage(1.0)
    assert schedule.stage(1.0 + 0.2 * schedule.step) is stage
    assert schedule.stage(1.0 + 2.0 * schedule.step) is not stage
    assert stage.speed == pytest.approx(1.0, abs=0.5 * schedule.step)
    assert schedule.stage(-3.0).speed == pytest.approx(schedule.lowest, abs=0.5 * schedule.step)


def test_a_torpedo_steers_by_surfaces_and_an_rov_by_thrusters():
    torpedo, rov = Schedule(LAUV).stage(1.0), Schedule(ROV).stage(0.5)
    assert torpedo.use_surfaces == (PITCH, YAW)
    assert rov.use_surfaces == ()
    assert torpedo.yaw.works and rov.yaw.works


def test_lift_grows_with_speed_squared():
    schedule = Schedule(LAUV)
    slow, fast = (schedule.mix_at(speed).limit(YAW) for speed in (0.7, 1.4))
    assert fast / slow == pytest.approx(4.0, rel=1e-6)  # u|u| dr, by the slope of the model


def test_a_surface_is_not_asked_beyond_the_stall_of_its_fins():
    vehicle = load_vehicle("eca_a9")
    fins = tuple(replace(fin, stall_rad=0.1, gain=2.0) for fin in vehicle.fins)
    assert _unstalled(replace(vehicle, fins=fins), 0).limit_rad == pytest.approx(0.05)  # twice the angle at the fin
    assert _unstalled(LAUV, 0).limit_rad == LAUV.surfaces[0].limit_rad  # no fins: no stall


def test_the_munk_moment_is_that_of_the_added_mass():
    schedule = Schedule(ROV)
    a = np.diag(ROV.added_mass) * schedule.response.mass_a[0, 0] / ROV.added_mass[0, 0]
    assert schedule.munk == pytest.approx((a[1] - a[2], a[2] - a[0], a[0] - a[1]))
    assert Schedule(replace(ROV, coriolis="none")).munk == (0.0, 0.0, 0.0)
    assert math.isfinite(schedule.stage(0.5).trim_moment)
