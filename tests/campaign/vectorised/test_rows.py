"""Rows of many logs: angles equal those of a single simulation, and every value of a condition exists."""

import math

import numpy as np
import pytest

from pelagos.batch.batch import Batch
from pelagos.campaign.vectorised.rows import angles, compass_deg, condition_values, contact_size, evaluate
from pelagos.frames import quaternion_from_euler
from pelagos.sim.columns import compass
from pelagos.sim.faults.conditions import NAMES
from pelagos.sim.simulation import Simulation
from tests.control.many_flights import vehicle


def test_angles_equal_the_scalar_true_state_bit_by_bit():
    rng = np.random.default_rng(2)
    euler = rng.uniform(-1.0, 1.0, (20, 3)) * [math.pi, 1.5, math.pi]
    quaternion = quaternion_from_euler(*euler.T)
    computed = angles(quaternion)
    sim = Simulation(vehicle("remus100"))
    for i in range(20):
        sim.plant.place(quaternion=quaternion[i])
        assert tuple(computed[:, i]) == sim.evaluate().euler
    assert computed.T == pytest.approx(euler, abs=1e-7)  # near the poles half the digits of the pitch are lost


def test_nose_up_roll_and_yaw_are_one():
    quaternion = quaternion_from_euler(np.array([0.0, 0.1]), np.array([math.pi / 2, 0.2]), np.array([0.7, 0.3]))
    computed = angles(quaternion)
    assert computed[:, 0] == pytest.approx([0.0, math.pi / 2, 0.7], abs=1e-7)
    assert computed[:, 1] == pytest.approx([0.1, 0.2, 0.3])


def test_headings_are_those_of_the_log():
    yaw = np.array([-1e-14, 0.0, -0.5, 3.2, 2.0 * math.pi])
    assert compass_deg(yaw).tolist() == pytest.approx([compass(math.degrees(x)) for x in yaw], rel=1e-15)


def test_every_name_of_a_condition_is_known_of_a_batch():
    batch = Batch(vehicle("remus100"), 2)
    batch.place(depth_m=[3.0, 4.0], heading_deg=[10.0, 350.0], surge_m_s=1.5, sway_m_s=0.2)
    sim = Simulation(vehicle("remus100"))
    sim.place(depth_m=4.0, heading_deg=350.0, surge_m_s=1.5, sway_m_s=0.2)
    computed = condition_values(tuple(NAMES), evaluate(batch), np.full(2, math.nan), np.zeros(2))
    for name, ask in NAMES.items():
        assert computed[name][1] == pytest.approx(ask(sim), abs=1e-12, nan_ok=True), name


def test_the_size_of_a_contact():
    assert contact_size(np.array([[3.0, 0.0, 4.0, 9.0, 9.0, 9.0]])).tolist() == [5.0]
