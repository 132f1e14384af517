"""Groups of vehicles of one structure: results do not depend on threads, neighbours or order."""

from __future__ import annotations

import numpy as np
import pytest

from pelagos.batch.batch import Batch
from pelagos.sim.simulation import Simulation
from pelagos.world.spec import World
from pelagos.world.structure import Structure
from pelagos.world.waves import Waves
from tests.batch.started import moving, random_commands


def test_contact_equals_a_simulation_and_leaves_neighbours_unchanged():
    """Vehicles that run into a wall or lie on the bottom move as a Simulation does; distant ones are not affected."""
    wall = Structure(kind="box", name="wall", center_m=(2.0, 0.0, 10.0), size_m=(1.0, 20.0, 20.0))
    world = World(depth_m=20.0, surface=False, structures=(wall,))
    places = {"north_m": [0.0, -50.0, -60.0, 0.3], "east_m": [0.0, 0.0, 0.0, 8.0], "depth_m": [10.0, 5.0, 19.7, 12.0]}
    n = 4

    def run(order):
        batch = Batch("bluerov2_heavy", n, world)
        batch.place(**{key: np.array(value)[order] for key, value in places.items()})
        batch.set_external(np.array([[60.0, 0.0, 0.0, 0.0, 0.0, 0.0]] * n))
        batch.advance(3.0)
        return batch

    batch = run(np.arange(n))
    assert batch.touching[0] > 0 and batch.touching[1] == 0 and list(batch.touched[[0, 1]]) == [0, -2]
    for i in range(n):
        sim = Simulation("bluerov2_heavy", world)
        sim.place(**{key: value[i] for key, value in places.items()})
        sim.external([60.0, 0.0, 0.0, 0.0, 0.0, 0.0])
        sim.run(3.0)
        # rounding, times what a stiff contact makes of it; 1e-13 was seen
        np.testing.assert_allclose(batch.position_n[i], sim.state().pos_n, atol=1e-7)
        np.testing.assert_allclose(batch.nu[i], sim.state().nu, atol=1e-7)
    back = np.array([2, 0, 3, 1])
    np.testing.assert_array_equal(run(back).position_n, batch.position_n[back])


@pytest.mark.slow
@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_the_result_depends_on_no_number_of_threads_neighbours_or_order(dtype):
    """Bit for bit: 600 vehicles on one, two and three threads, some of them alone, and all in another order."""
    n = 600
    world = World(waves=Waves(height_m=0.5, period_s=5.0, components=8))

    def run(which, threads):
        batch = Batch("iver3", len(which), world, dtype=dtype, threads=threads)
        motion = moving(batch.vehicle, n)
        motion["position_n"][:, 2] = np.linspace(-0.1, 6.0, n)  # from the surface down
        batch.set_motion(**{key: value[which] for key, value in motion.items()})
        batch.set_actuators(**{key: value[which] for key, value in random_commands(batch.vehicle, n).items()})
        batch.advance(0.5)
        return np.hstack([batch.position_n, batch.quaternion, batch.nu, batch.nu_r])

    every = np.arange(n)
    result = run(every, 1)
    np.testing.assert_array_equal(run(every, 2), result)
    np.testing.assert_array_equal(run(every, 3), result)
    some = np.array([0, 5, 77, 300, 301, 599])
    np.testing.assert_array_equal(run(some, 1), result[some])
    mixed = np.random.default_rng(1).permutation(n)
    np.testing.assert_array_equal(run(mixed, 2), result[mixed])
