"""Groups of vehicles of one structure: results do not depend on threads, neighbours or order."""

from __future__ import annotations

import numpy as np
import pytest

from pelagos.batch.batch import Batch
from pelagos.batch.group import Groups
from pelagos.sim.simulation import Simulation
from pelagos.vehicle.load.vehicle import load_vehicle
from pelagos.vehicle.plant import Plant
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
    assert batch.view.touching[0] > 0 and batch.view.touching[1] == 0 and list(batch.view.touched[[0, 1]]) == [0, -2]
    for i in range(n):
        sim = Simulation("bluerov2_heavy", world)
        sim.place(**{key: value[i] for key, value in places.items()})
        sim.external([60.0, 0.0, 0.0, 0.0, 0.0, 0.0])
        sim.run(3.0)
        # rounding, times what a stiff contact makes of it; 1e-13 was seen
        np.testing.assert_allclose(batch.view.position_n[i], sim.state().pos_n, atol=1e-7)
        np.testing.assert_allclose(batch.view.nu[i], sim.state().nu, atol=1e-7)
    back = np.array([2, 0, 3, 1])
    np.testing.assert_array_equal(run(back).view.position_n, batch.view.position_n[back])


def test_rows_go_to_the_group_of_each_vehicle_and_come_back_in_order():
    kinds = [Plant(load_vehicle(key)) for key in ("remus100", "bluerov2_heavy")]
    groups = Groups(kinds, np.array([1, 0, 1, 1, 0]), "float64")
    assert [group.index.tolist() for group in groups] == [[1, 4], [0, 2, 3]]
    chosen = groups.select([4, 0, 2])
    split = [(group.vehicles[0].key, local.tolist(), mine.tolist()) for group, local, mine in groups.split(chosen)]
    assert split == [("remus100", [1], [0]), ("bluerov2_heavy", [0, 1], [1, 2])]
    places = np.arange(9.0).reshape(3, 3) + 1.0
    for group, local, mine in groups.split(chosen):
        group.put_motion(local, position_n=places[mine])
    expected = np.zeros((5, 3))
    expected[[4, 0, 2]] = places
    np.testing.assert_array_equal(groups.collect("state", "position"), expected)
    assert groups.plant_of(4).vehicle.key == "remus100" and groups.plant_of(4).position_n.tolist() == [1.0, 2.0, 3.0]


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
        batch.actuators.set(**{key: value[which] for key, value in random_commands(batch.vehicle, n).items()})
        batch.advance(0.5)
        return np.hstack([batch.view.position_n, batch.view.quaternion, batch.view.nu, batch.view.nu_r])

    every = np.arange(n)
    result = run(every, 1)
    np.testing.assert_array_equal(run(every, 2), result)
    np.testing.assert_array_equal(run(every, 3), result)
    some = np.array([0, 5, 77, 300, 301, 599])
    np.testing.assert_array_equal(run(some, 1), result[some])
    mixed = np.random.default_rng(1).permutation(n)
    np.testing.assert_array_equal(run(mixed, 2), result[mixed])
