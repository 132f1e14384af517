"""Tethers of a batch equal those of simulations; each settles again where its vehicle is placed."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest

from pelagos.batch.batch import Batch
from pelagos.batch.clock import BatchClock
from pelagos.batch.environment import BatchEnvironment
from pelagos.batch.group import Groups
from pelagos.batch.tethers import BatchTethers
from pelagos.batch.workers import Workers
from pelagos.errors import CommandError, ScenarioError
from pelagos.sim.simulation import Simulation
from pelagos.sim.stepping import Stepping
from pelagos.sim.tether import make_line
from pelagos.tether.spec import Cable, Status, Tether
from pelagos.vehicle.load.vehicle import load_vehicle
from pelagos.vehicle.plant import Plant
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
LENGTHS[2] = PLACES["depth_m"][2] + 0.05  # almost taut, and pushed down
SHIP_EAST = np.append(np.full(3, 0.0), RNG.uniform(-6.0, 6.0, N - 3))
THRUST = RNG.uniform(-0.4, 0.4, (N, 8))
PUSH = np.zeros((N, 6))
PUSH[2, 2] = 400.0
CABLE = Cable(diameter_m=0.0076, mass_kg_m=0.05, stiffness_N=1e6, damping_Ns=100.0)  # taut, it asks for short steps
TETHER = Tether(cable=CABLE, elements=8, length_m=25.0)
SEA = World(depth_m=20.0, current=lambda t: (0.1 + 0.2 * np.sin(t), 0.1, 0.0))
MOTION, CABLES = ("position_n", "quaternion", "nu"), ("tension_n", "status", "ship_tension_n", "force_n")


def flown(which, seconds=2.0, *, tether=TETHER, world=SEA, **options):
    """A batch of some of the nine, after some seconds."""
    batch = started(which, tether=tether, world=world, **options)
    batch.advance(seconds)
    return batch


def started(which, *, tether=TETHER, world=SEA, **options):
    batch = Batch(KEY, len(which), world, tether=tether, **options)
    batch.place(**{key: value[which] for key, value in PLACES.items()})
    batch.tethers.set(length_m=LENGTHS[which], ship_east_m=SHIP_EAST[which])
    batch.actuators.set(thrusters=THRUST[which])
    batch.set_external(PUSH[which])
    return batch


def values_of(batch):
    """Motion and tethers of all vehicles."""
    motion = {name: getattr(batch.view, name) for name in MOTION}
    return motion | {name: getattr(batch.tethers, name) for name in CABLES}


def alike(first, second, rows: Any = slice(None), others: Any = slice(None)):
    """Bit for bit."""
    expected = values_of(second)
    for name, values in values_of(first).items():
        np.testing.assert_array_equal(values[rows], expected[name][others], err_msg=name)


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["dynamic", "static"])
def test_each_vehicle_moves_as_in_a_simulation_with_a_tether(mode):
    """Slack, with a vehicle on the bottom, taut and turned over: motion and tension of `Simulation` after 2 s.

    Both do the same sums; only the fairlead is found by another order of the same products. That is 1e-15 m, 1e-10 N of
    a cable of 1e5 N/m, and what it does to the motion is damped; 1e-9 leaves room for other compilers.
    """
    tether = dataclasses.replace(TETHER, mode=mode)
    batch = flown(np.arange(N), tether=tether)
    for i in (0, 2, 4, 8):
        single = dataclasses.replace(tether, length_m=float(LENGTHS[i]), ship_east_m=float(SHIP_EAST[i]))
        sim = Simulation(KEY, SEA, tether=single)
        sim.place(**{key: float(value[i]) for key, value in PLACES.items()})
        sim.thrust(THRUST[i].tolist())
        sim.external(PUSH[i])
        sim.run(2.0)
        np.testing.assert_allclose(batch.view.position_n[i], sim.plant.position_n, rtol=1e-9, atol=1e-9)
        np.testing.assert_allclose(batch.view.quaternion[i], sim.plant.quaternion, rtol=1e-9, atol=1e-9)
        np.testing.assert_allclose(batch.view.nu[i], sim.plant.nu, rtol=1e-9, atol=1e-9)
        np.testing.assert_allclose(batch.tethers.tension_n[i], sim.tether.head["tension_b"], rtol=1e-9, atol=1e-9)
        np.testing.assert_allclose(batch.tethers.force_n[i], sim.tether.force_on_vehicle_n, rtol=1e-9, atol=1e-8)
        np.testing.assert_allclose(batch.view.contact_n[i], sim.plant.state["touch"]["wrench"], rtol=1e-6, atol=1e-6)
        felt = batch.groups.plant_of(i).forces()["tether"]  # as the forces of a plant show it
        np.testing.assert_allclose(felt, sim.plant.forces()["tether"], rtol=1e-9, atol=1e-8)
        assert batch.view.touched[i] == sim.plant.state["touch"]["obstacle"]
        assert batch.tethers.status[i] == sim.tether.status
        assert batch.tethers.length_m[i] == sim.tether.length_m
    assert batch.view.touched[4] == -1
    assert (
        flown([2], 0.3, tether=tether).tethers.tension_n[0] > 200.0
    )  # it was taut: the end stiffness required short steps


def test_results_depend_neither_on_n_nor_on_order_neighbours_or_threads():
    """Bit for bit: nine with two threads, backwards with one, and four of them alone."""
    every = np.arange(N)
    batch = flown(every, threads=2)
    alike(batch, flown(every[::-1], threads=1), others=slice(None, None, -1))
    few = [1, 2, 4, 7]
    alike(batch, flown(few, threads=1), few)
    assert len(set(batch.tethers.tension_n.tolist())) == N


def test_divergence_and_a_parted_tether_do_not_affect_other_vehicles():
    batch, whole = started(np.arange(N), threads=1), flown(np.arange(N), threads=1)
    batch.set_external([0.0, 0.0, 0.0, 1e7, 0.0, 0.0], where=[3])
    batch.advance(0.5)
    batch.tethers.line(5).cut()
    batch.advance(1.5)
    kept = [0, 1, 2, 4, 6, 7, 8]
    alike(batch, whole, kept, kept)
    assert batch.view.alive.tolist() == [i != 3 for i in range(N)]
    assert batch.failures[0].index == 3 and batch.view.time_s[3] < 0.5 and np.isfinite(batch.view.position_n).all()
    assert batch.tethers.status[5] == Status.PARTED and batch.tethers.tension_n[5] == 0.0
    assert not np.array_equal(batch.view.position_n[5], whole.view.position_n[5])
    batch.reset([3, 5])  # both whole again
    assert batch.view.alive.all() and not batch.tethers.status[5] & Status.PARTED


def test_a_divergence_is_at_the_same_step_as_in_a_simulation():
    push = np.array([0.0, 0.0, 0.0, 3e4, 0.0, 0.0])
    batch = Batch(KEY, 2, tether=TETHER)
    batch.place(depth_m=10.0)
    batch.set_external(push, where=[1])
    sim = Simulation(KEY, tether=TETHER)
    sim.place(depth_m=10.0)
    sim.external(push)
    batch.advance(1.0)
    with pytest.raises(Exception, match="diverged") as caught:
        sim.run(1.0)
    assert f"{batch.view.time_s[1]:.3f} s" in str(caught.value)


def test_reset_and_place_settle_only_the_tethers_they_move():
    batch = flown([0, 1, 6], 1.0)
    fresh = Batch(KEY, 1, SEA, tether=TETHER)
    fresh.tethers.set(length_m=LENGTHS[1], ship_east_m=SHIP_EAST[1])
    before = values_of(batch)
    batch.reset([1])
    batch.place([1], depth_m=5.0, north_m=2.0)
    fresh.place(depth_m=5.0, north_m=2.0)
    for name, values in values_of(batch).items():
        np.testing.assert_array_equal(values[[0, 2]], before[name][[0, 2]])
    alike(batch, fresh, [1])
    batch.advance(1.0)
    fresh.advance(1.0)
    alike(batch, fresh, [1])  # the current of its own time 0
    alike(batch, flown([0, 1, 6], 2.0), [0, 2], [0, 2])
    assert batch.tethers.ship_n[1, 0] == pytest.approx(2.0 - 0.23)  # above the fairlead at the stern
    assert not np.array_equal(batch.tethers.ship_n[1], batch.tethers.ship_n[0])


def test_each_vehicle_has_its_own_length_and_ship():
    batch = Batch(KEY, 3, tether=Tether(cable=CABLE, elements=8, length_m=15.0))
    batch.place(depth_m=10.0)
    assert batch.tethers.length_m.tolist() == [15.0] * 3
    batch.tethers.set([0, 2], length_m=[20.0, 30.0], ship_north_m=4.0)
    assert batch.tethers.length_m.tolist() == [20.0, 15.0, 30.0]
    np.testing.assert_allclose(batch.tethers.ship_n[[0, 2], 0], 4.0)
    ends = [line.shape_n[[0, -1]] for line in map(batch.tethers.line, range(3))]
    np.testing.assert_allclose([end[0] for end in ends], batch.tethers.ship_n, atol=1e-9)
    batch.tethers.line(1).haul(rate_m_s=0.5)
    batch.advance(2.0)
    np.testing.assert_allclose(batch.tethers.length_m, [20.0, 16.0, 30.0])
    batch.reset([1])  # the drum as well
    batch.advance(1.0)
    assert batch.tethers.length_m[1] == 15.0


def test_a_saved_state_is_restored_bit_for_bit():
    batch = flown([0, 2, 4], 1.0)
    saved = batch.save()
    batch.advance(1.0)
    then = values_of(batch)
    batch.restore(saved)
    batch.advance(1.0)
    for name, values in values_of(batch).items():
        np.testing.assert_array_equal(values, then[name])


def test_different_vehicles_have_their_own_cables_and_fairleads():
    """Two kinds of different structure, one after the other: each is what it is alone."""
    keys = [KEY, "rexrov", KEY]
    mixed = Batch(keys, tether=Tether(elements=6, length_m=20.0))
    mixed.place(depth_m=8.0, surge_m_s=0.5)
    mixed.advance(1.0)
    for i in (0, 1):
        alone = Batch(keys[i], 1, tether=Tether(elements=6, length_m=20.0))
        alone.place(depth_m=8.0, surge_m_s=0.5)
        alone.advance(1.0)
        alike(mixed, alone, [i])


def test_factors_on_the_mass_count_at_the_fairlead():
    """All masses doubled, the fairlead has twice as much to move, and the motion is that of such a vehicle."""
    batch = Batch(KEY, 2, tether=TETHER)
    for name in ("mass", "added_mass"):
        batch.scale(name, 2.0, where=[1])
    batch.place(depth_m=10.0, surge_m_s=1.0)
    batch.advance()
    (rows,) = batch.tethers._rows
    assert rows._lightest_kg[0] == rows.group.plants[0].lightest_at_fairlead
    assert rows._lightest_kg[1] == pytest.approx(2.0 * rows._lightest_kg[0], rel=1e-9)
    assert batch.view.nu[1, 0] > batch.view.nu[0, 0]


def test_without_a_batch_the_cables_hang_and_follow():
    """Its parts made one by one give the bits of a batch."""
    plants = [Plant(load_vehicle(KEY))]
    lines = [make_line(TETHER, plants[0].vehicle, plants[0])]
    groups, clock = Groups(plants, np.zeros(2, np.int64), "float64"), BatchClock(2, 10.0)
    water, stepping = (
        BatchEnvironment(groups, clock, World()),
        Stepping(0.1, plants[0].vehicle.step_s, TETHER.step_s, 0.0),
    )
    tethers = BatchTethers(TETHER, lines, groups, water, stepping, plants[0].vehicle.integrator, Workers(1))
    groups[0].put_motion(np.arange(2), position_n=np.array([[0.0, 0.0, 10.0], [3.0, 0.0, 12.0]]))
    batch = Batch(KEY, 2, tether=TETHER)
    batch.place(depth_m=[10.0, 12.0], north_m=[0.0, 3.0])
    np.testing.assert_array_equal(tethers.tension_n, batch.tethers.tension_n)
    water.prepare()
    assert tethers.advance()
    batch.tick()
    np.testing.assert_array_equal(tethers.force_n, batch.tethers.force_n)
    np.testing.assert_array_equal(groups.collect("state", "nu"), batch.view.nu)


@pytest.mark.parametrize(
    ("made", "message"),
    [
        (lambda: Batch(KEY, 2, tether="royer"), "tether mode is .royer.; expected .* is for a single vehicle"),
        (lambda: Batch(KEY, 2, tether="dynamical"), 'did you mean "dynamic"'),
        (lambda: Batch(KEY, 2, tether=True, dtype="float32"), "seven digits are too few"),
        (lambda: Batch("remus100", 2, tether=True), "no \\[tether\\] in its file"),
        (lambda: Batch(KEY, 2).tethers.tension_n, "have no tethers"),
        (lambda: Batch(KEY, 2, tether=TETHER).tethers.line([0, 1]), "index is .*; expected the number of one vehicle"),
        (lambda: Batch(KEY, 2, tether=TETHER).tethers.set(length_m=[1.0, 2.0, 3.0]), "expected one number or 2"),
        (lambda: Batch(KEY, 2, tether=TETHER).tethers.set(length_m=[5.0, -1.0]), "expected a number from 0.001"),
        (
            lambda: Batch(KEY, 2, tether=Tether(payout="ratio")).tethers.set(length_m=5.0),
            "the ratio determines the length",
        ),
    ],
)
def test_a_wrong_tether_gets_one_sentence(made, message):
    with pytest.raises((CommandError, ScenarioError), match=message):
        made()


def test_a_tether_that_does_not_reach_names_its_vehicle():
    batch = Batch(KEY, 3, tether=TETHER)
    batch.place(depth_m=[10.0, 40.0, 10.0])
    with pytest.raises(CommandError, match=r"^vehicle 1: length of the tether of bluerov2_heavy \(m\) = 25\.0: "):
        batch.advance()
