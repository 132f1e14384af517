"""Tethers of a batch are those of a simulation, many times: each its own, hung anew where its vehicle is put."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from pelagos.batch.batch import Batch
from pelagos.errors import CommandError, ScenarioError
from pelagos.sim.simulation import Simulation
from pelagos.tether.cable import Cable
from pelagos.tether.spec import Status, Tether
from pelagos.vehicle.load import load_vehicle
from pelagos.world.spec import World

KEY = "bluerov2_heavy"
N = 9
RNG = np.random.default_rng(4)
PLACES = {
    "north_m": RNG.uniform(-3.0, 3.0, N),
    "depth_m": RNG.uniform(8.0, 14.0, N),
    "heading_deg": RNG.uniform(0.0, 360.0, N),
    "surge_m_s": RNG.uniform(0.0, 1.0, N),
}
PLACES["depth_m"][4] = 19.75  # lies on the bottom
LENGTHS = np.linspace(20.0, 30.0, N)
LENGTHS[2] = PLACES["depth_m"][2] + 0.3  # almost taut, and pushed down
SHIP_EAST = np.append(np.full(3, 0.0), RNG.uniform(-6.0, 6.0, N - 3))
THRUST = RNG.uniform(-0.4, 0.4, (N, 8))
PUSH = np.zeros((N, 6))
PUSH[2, 2] = 400.0
CABLE = Cable(diameter_m=0.0076, mass_kg_m=0.05, stiffness_N=1e6, damping_Ns=100.0)  # taut, it asks for short steps
TETHER = Tether(cable=CABLE, elements=8, length_m=25.0)
SEA = World(depth_m=20.0, current=lambda t: (0.1 + 0.2 * np.sin(t), 0.1, 0.0))
STATE = ("position_n", "quaternion", "nu", "tension_n", "tether_status", "ship_tension_n", "tether_force_n")


def flown(which, seconds=2.0, *, tether=TETHER, world=SEA, **options):
    """A batch of some of the nine, after some seconds."""
    batch = started(which, tether=tether, world=world, **options)
    batch.advance(seconds)
    return batch


def started(which, *, tether=TETHER, world=SEA, **options):
    batch = Batch(KEY, len(which), world, tether=tether, **options)
    batch.place(**{key: value[which] for key, value in PLACES.items()})
    batch.set_tether(length_m=LENGTHS[which], ship_east_m=SHIP_EAST[which])
    batch.set_actuators(thrusters=THRUST[which])
    batch.set_external(PUSH[which])
    return batch


def alike(one, other, rows=slice(None), others=slice(None)):
    """Bit for bit."""
    for name in STATE:
        np.testing.assert_array_equal(getattr(one, name)[rows], getattr(other, name)[others], err_msg=name)


@pytest.mark.parametrize("mode", ["dynamic", "static"])
def test_each_is_a_simulation_with_a_tether(mode):
    """Slack, lying on the bottom with its vehicle, taut: motion and tension of `Simulation` after 2 s.

    Both do the same sums; the fairleads are turned into NED by other orders of the same products, 1e-16 each, which the
    stiffest cable (1e4 N/m on 10 kg, for 100 steps) multiplies by some thousands: 1e-9 of each number is far above.
    """
    tether = dataclasses.replace(TETHER, mode=mode)
    batch = flown(np.arange(N), tether=tether)
    stretched = 0
    for i in (0, 2, 4, 8):
        own = dataclasses.replace(tether, length_m=float(LENGTHS[i]), ship_east_m=float(SHIP_EAST[i]))
        sim = Simulation(KEY, SEA, tether=own)
        sim.place(**{key: float(value[i]) for key, value in PLACES.items()})
        sim.thrust(THRUST[i].tolist())
        sim.external(PUSH[i])
        sim.run(2.0)
        np.testing.assert_allclose(batch.position_n[i], sim.plant.position_n, rtol=1e-9, atol=1e-9)
        np.testing.assert_allclose(batch.quaternion[i], sim.plant.quaternion, rtol=1e-9, atol=1e-9)
        np.testing.assert_allclose(batch.nu[i], sim.plant.nu, rtol=1e-9, atol=1e-9)
        np.testing.assert_allclose(batch.tension_n[i], sim.tether.head["tension_b"], rtol=1e-9, atol=1e-9)
        np.testing.assert_allclose(batch.tether_force_n[i], sim.tether.force_on_vehicle_n, rtol=1e-9, atol=1e-8)
        np.testing.assert_allclose(batch.contact_n[i], sim.plant.state["touch"]["wrench"], rtol=1e-6, atol=1e-6)
        assert batch.touched[i] == sim.plant.state["touch"]["what"]
        assert batch.tether_status[i] == sim.tether.status
        assert batch.tether_length_m[i] == sim.tether.length_m
        stretched += bool(sim.tether.status & Status.TAUT)
        print(mode, i, np.abs(batch.position_n[i]-sim.plant.position_n).max(), np.abs(batch.nu[i]-sim.plant.nu).max(), batch.tension_n[i], batch.tension_n[i]-sim.tether.head["tension_b"], sim.tether.status, batch.contact_n[i][:3])
    assert batch.touched[4] == -1 and stretched
