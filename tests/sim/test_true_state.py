"""The true state from one evaluation of the kernel: frames, surrounding water, agreement with the plant."""

import math

import numpy as np
import pytest

from pelagos.frames import euler_from_quaternion, quaternion_from_euler, rotation_from_quaternion
from pelagos.sim.simulation import Simulation
from pelagos.sim.true_state import instant_between, instant_of, true_state_of
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


def test_an_instant_between_two_ticks_keeps_surface_and_bottom_where_they_are():
    plant = plant_at((0.0, 0.0, 0.0))
    last = instant_of(true_state_of(plant, 0.0), plant, True, 0.0, 0.0)
    last.below_m, last.altitude_m = 8.0, 20.0
    plant.position_n[2] = 9.5
    now = instant_between(last, plant, 0.02)
    assert (now.below_m, now.altitude_m, now.time_s) == (9.5, 18.5, 0.02)
    assert last.position_n[2] == 8.0  # a copy


def test_without_a_surface_depth_below_it_is_not_known():
    plant = plant_at((0.0, 0.0, 0.0))
    assert math.isnan(instant_of(true_state_of(plant, 0.0), plant, False, 0.0, 0.0).below_m)


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
