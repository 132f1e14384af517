"""The water about each vehicle of a batch: currents in time and place, the bottom, held velocities."""

from __future__ import annotations

import math

import numpy as np
import pytest

from pelagos.batch.batch import Batch
from pelagos.errors import CommandError
from pelagos.sim.simulation import Simulation
from pelagos.world.current import GaussMarkov
from pelagos.world.spec import World
from tests.batch.started import demands


def test_it_is_a_simulation_many_times():
    """In a current that changes with time and place, over a bottom: motion, flow and altitude of `Simulation`."""
    world = World(depth_m=60.0, current=lambda t: (0.2 * math.sin(t), 0.1, 0.0),
                  currents=(GaussMarkov(to_deg=0.0, sigma_m_s=0.1, time_constant_s=10.0),))  # fmt: skip
    headings = np.linspace(0.0, 300.0, 10)
    batch = Batch("lauv", 10, world)
    batch.place(depth_m=20.0, heading_deg=headings, surge_m_s=1.2)
    told = demands(batch.vehicle, 10)
    batch.set_actuators(**told)
    batch.advance(4.0)
    seen = batch.truth()
    for i in (0, 9):
        sim = Simulation("lauv", world)
        sim.place(depth_m=20.0, heading_deg=float(headings[i]), surge_m_s=1.2)
        sim.thrust(told["thrusters"][i].tolist())
        sim.deflect(told["surfaces"][i].tolist())
        sim.run(4.0)
        truth = sim.truth()
        for name in ("pos_n", "nu", "nu_r"):
            np.testing.assert_allclose(getattr(seen, name)[i], getattr(truth, name), atol=1e-12)
        angles = [seen.roll[i], seen.pitch[i], seen.yaw[i]]
        np.testing.assert_allclose(angles, [truth.roll, truth.pitch, truth.yaw], atol=1e-12)
        assert seen.altitude_m[i] == pytest.approx(truth.altitude_m, abs=1e-12)
        assert seen.time_s[i] == truth.time_s


def test_held_velocities_are_held_through_the_water():
    """dsrv keeps its surge by file: in a current along its nose it goes that much faster over ground."""
    batch = Batch("dsrv", 2)
    batch.set_current([[0.0, 0.0, 0.0], [0.5, 0.0, 0.0]])
    speed = batch.vehicle.held_speed_m_s
    np.testing.assert_allclose(batch.nu[:, 0], [speed, speed + 0.5], rtol=1e-12)
    batch.advance(1.0)
    np.testing.assert_allclose(batch.nu_r[:, 0], speed, rtol=1e-9)


def test_a_start_under_the_seabed_is_refused():
    batch = Batch("remus100", 2, World(depth_m=5.0))
    batch.place(depth_m=[3.0, 9.0])
    with pytest.raises(CommandError, match=r"vehicle 1 .* 4 m under the seabed"):
        batch.tick()
