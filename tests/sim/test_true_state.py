"""The true state from one evaluation of the kernel: frames, surrounding water, agreement with the plant."""

import math

import numpy as np
import pytest

from pelagos.frames import euler_from_quaternion, quaternion_from_euler, rotation_from_quaternion
from pelagos.sensors.instruments.instant import BELOW, FLOODED, POSITION, POWER, WATER
from pelagos.sim.simulation import Simulation
from pelagos.sim.true_state import instant_of, true_state_of
from pelagos.vehicle.load.vehicle import load_vehicle
from pelagos.vehicle.plant import Plant
from pelagos.world.spec import World


def plant_at(euler, nu=(0.0,) * 6, key="remus100"):
    plant = Plant(load_vehicle(key), euler_angles=False)
    plant.place(position_n=[1.0, 2.0, 8.0], euler=euler, nu=np.asarray(nu, float))
    return plant


@pytest.mark.parametrize("seed", range(5))
def test_angles_and_relative_velocity_agree_with_matrices(seed):
    rng = np.random.default_rng(seed)
    euler = rng.uniform([-3.0, -1.5, -3.0], [3.0, 1.5, 3.0])
    plant = plant_at(euler, rng.normal(size=6))
    plant.water["current"] = current = rng.normal(size=3)
    true_state = true_state_of(plant, 0.0)
    # two orders of the same products: rounding only
    assert true_state.euler == pytest.approx(euler.tolist(), abs=1e-12)
    R = rotation_from_quaternion(quaternion_from_euler(*euler))
    assert true_state.nu_r[:3] == pytest.approx(plant.nu[:3] - R.T @ current, abs=1e-12)
    assert true_state.nu_r[3:].tolist() == plant.nu[3:].tolist()


def test_nose_straight_up_is_a_number():
    plant = plant_at((0.3, math.pi / 2.0, 0.1))
    assert true_state_of(plant, 0.0).euler == tuple(euler_from_quaternion(plant.quaternion).tolist())


def test_altitude_is_over_the_bottom_and_unknown_without_one():
    sim = Simulation("remus100", World(depth_m=30.0))
    sim.place(depth_m=12.0)
    assert sim.state().altitude_m == pytest.approx(18.0, abs=1e-12)
    assert math.isnan(Simulation("remus100").state().altitude_m)


def test_without_a_surface_depth_below_it_is_not_known():
    plant = plant_at((0.0, 0.0, 0.0))
    for surface in (False, True):
        now = instant_of(true_state_of(plant, 0.0), plant, surface, 0.0, 0.0)
        assert math.isnan(now.motion[0, BELOW]) != surface


def test_the_instant_has_the_motion_of_the_plant():
    plant = plant_at((0.1, 0.2, 0.3), np.arange(6.0))
    now = instant_of(true_state_of(plant, 4.0), plant, True, 12.0, 0.5)
    assert (now.time_s, *now.motion[0, [0, POWER, FLOODED]]) == (4.0, 4.0, 12.0, 0.5)
    np.testing.assert_array_equal(now.motion[0, POSITION:WATER], plant.motion_row())
    assert now.later(4.02, plant.motion_row()).time_s == 4.02


def test_yaw_is_wrapped_whatever_the_kinematics():
    """More than a turn: both ways of keeping the attitude give one heading, from -pi to pi."""
    values = {}
    for kinematics in ("quaternion", "euler"):
        sim = Simulation("bluerov2_heavy", kinematics=kinematics)
        sim.place(depth_m=5.0, heading_deg=170.0)
        sim.pilot(yaw=1.0)
        yaws = []
        for _ in range(200):
            sim.tick()
            yaws.append(sim.state().yaw)
        values[kinematics] = np.array(yaws)
        assert math.sin(sim.plant.euler[2] - yaws[-1]) == pytest.approx(0.0, abs=1e-12)
    assert np.unwrap(values["quaternion"])[-1] > 3.0 * math.pi  # it has turned
    assert (np.abs(values["euler"]) <= math.pi).all()
    assert np.abs(np.sin(0.5 * (values["euler"] - values["quaternion"]))).max() < 1e-3
