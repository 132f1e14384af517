"""The state of n runs equals that of single simulations, for logs and for every name of a condition."""

import math

import numpy as np
import pytest

from pelagos.batch.batch import Batch
from pelagos.campaign.vectorised.observed import angles, observe
from pelagos.frames import quaternion_from_euler
from pelagos.sim.faults.conditions import NAMES, ObservedSimulation
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


def test_every_name_of_a_condition_is_known_of_a_batch():
    batch = Batch(vehicle("remus100"), 2)
    batch.place(depth_m=[3.0, 4.0], heading_deg=[10.0, 350.0], surge_m_s=1.5, sway_m_s=0.2)
    sim = Simulation(vehicle("remus100"))
    sim.place(depth_m=4.0, heading_deg=350.0, surge_m_s=1.5, sway_m_s=0.2)
    runs, single = observe(batch, 0.0), ObservedSimulation(sim)
    for name, read in NAMES.items():
        assert np.broadcast_to(read(runs), 2)[1] == pytest.approx(read(single), abs=1e-12, nan_ok=True), name
