"""A batch is the scalar kernel, many times: every vehicle of the library, mixed, in a world, diverging."""

from __future__ import annotations

import math

import numpy as np
import pytest

import pelagos
from pelagos.batch.batch import Batch
from pelagos.errors import CommandError
from pelagos.sim.simulation import Simulation
from pelagos.vehicle.library import list_vehicles
from pelagos.vehicle.load import load_vehicle
from pelagos.vehicle.plant import Plant
from pelagos.world.current import GaussMarkov
from pelagos.world.spec import World
from pelagos.world.structure import Structure
from pelagos.world.waves import Waves

KEYS = [entry.key for entry in list_vehicles()]
SECONDS = 2.0


def demands(vehicle, n, seed=3):
    """Different orders to each of n vehicles: up to half of what each actuator can."""
    rng = np.random.default_rng(seed)
    thrusters = np.array([t.maximum for t in vehicle.thrusters]) * rng.uniform(-0.5, 0.5, (n, len(vehicle.thrusters)))
    surfaces = np.array([s.limit_rad for s in vehicle.surfaces]) * rng.uniform(-0.5, 0.5, (n, len(vehicle.surfaces)))
    ballast = np.array([[rng.uniform(b.minimum, b.maximum) for b in vehicle.ballast] for _ in range(n)])
    return {"thrusters": thrusters, "surfaces": surfaces, "ballast": ballast.reshape(n, len(vehicle.ballast))}


def moving(vehicle, n, seed=5):
    """Different motions of n vehicles. Ahead: astern the angle of attack jumps at 180 deg, and rounding decides."""
    rng = np.random.default_rng(seed)
    nu = 0.2 * rng.standard_normal((n, 6))
    nu[:, 0] = 1.0 + np.abs(nu[:, 0])
    quaternion = np.array([1.0, 0.0, 0.0, 0.0]) + 0.2 * rng.standard_normal((n, 4))
    quaternion /= np.linalg.norm(quaternion, axis=1, keepdims=True)
    return {"position_n": rng.uniform(20.0, 30.0, (n, 3)), "quaternion": quaternion, "nu": nu}


def started(key, n, **options):
    """A batch under way, each vehicle its own way."""
    batch = Batch(key, n, integrator="rk4", step_s=0.02, **options)
    batch.set_motion(**moving(batch.vehicle, n))
    batch.set_current(np.random.default_rng(8).uniform(-0.2, 0.2, (n, 3)))
    batch.set_actuators(**demands(batch.vehicle, n))
    return batch


@pytest.mark.parametrize("key", KEYS)
def test_every_vehicle_of_the_library_is_moved_as_by_the_scalar_kernel(key):
    """1e-12 of the size of each number after 100 steps: what rounding leaves; 9 vehicles: a block and one more."""
    batch = started(key, 9)
    begun = batch.save()["lanes"][0][0].copy()
    batch.advance(SECONDS)
    assert batch.alive.all()
    group = batch._groups[0]
    after = group.state.rows()
    scale = 1.0 + np.abs(after).max(axis=0)
    for i in (0, 4, 8):
        plant = group.plant_of(np.array([i]))
        plant._state[:] = begun[i // 8, :, i % 8]
        for tick in range(round(SECONDS * 10.0)):
            plant.state["time"] = tick / 10.0
            assert plant.advance(batch.step_s, batch.n_steps) == batch.n_steps
        assert (np.abs(plant._state - after[i]) / scale)[:-10].max() < 1e-12  # the last ten are time and touch
    assert np.abs(after[:, :13] - begun.transpose(0, 2, 1).reshape(-1, begun.shape[1])[:9, :13]).max() > 0.1


@pytest.mark.parametrize("key", ["remus100", "bluerov2_heavy", "gavia", "lrauv_tethys"])
def test_single_precision_keeps_its_digits(key):
    """float32 has 6e-8 of 30 m; two seconds of motion multiply it by some hundreds at most."""
    exact, single = started(key, 17), started(key, 17, dtype="float32")
    for batch in (exact, single):
        batch.advance(SECONDS)
    np.testing.assert_allclose(single.position_n, exact.position_n, atol=1e-4)
    np.testing.assert_allclose(single.nu, exact.nu, atol=2e-4)
    assert single._groups[0].state.array.dtype == np.float32


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


def test_contact_is_that_of_a_simulation_and_no_business_of_the_neighbours():
    """Vehicles that run into a wall or lie on the bottom are bit for bit a Simulation; those afar do not notice."""
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
        if i in (0, 3):  # by the wall all the time: the same kernel, the same bits
            np.testing.assert_array_equal(batch.position_n[i], sim.truth().pos_n)
        np.testing.assert_allclose(batch.nu[i], sim.truth().nu, atol=1e-11)
    back = np.array([2, 0, 3, 1])
    np.testing.assert_array_equal(run(back).position_n, batch.position_n[back])


def test_mixed_vehicles_move_as_each_by_itself():
    kinds = ["remus100", "bluerov2_heavy", "remus100", "slocum", "bluerov2_heavy"]
    mixed = Batch(kinds)
    assert [mixed.vehicles[k].key for k in mixed.kind] == kinds
    mixed.place(depth_m=np.arange(10.0, 15.0), surge_m_s=0.5)
    mixed.advance(1.0)
    for key in set(kinds):
        mine = [i for i, other in enumerate(kinds) if other == key]
        alone = Batch(key, len(mine), step_s=mixed.step_s)
        alone.place(depth_m=np.arange(10.0, 15.0)[mine], surge_m_s=0.5)
        alone.advance(1.0)
        np.testing.assert_array_equal(mixed.position_n[mine], alone.position_n)
        np.testing.assert_array_equal(mixed.nu_r[mine], alone.nu_r)


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
        batch.set_actuators(**{key: value[which] for key, value in demands(batch.vehicle, n).items()})
        batch.advance(0.5)
        return np.hstack([batch.position_n, batch.quaternion, batch.nu, batch.nu_r])

    every = np.arange(n)
    one = run(every, 1)
    np.testing.assert_array_equal(run(every, 2), one)
    np.testing.assert_array_equal(run(every, 3), one)
    some = np.array([0, 5, 77, 300, 301, 599])
    np.testing.assert_array_equal(run(some, 1), one[some])
    mixed = np.random.default_rng(1).permutation(n)
    np.testing.assert_array_equal(run(mixed, 2), one[mixed])


def test_a_vehicle_that_diverges_is_told_by_number_and_stays():
    batch, other = started("bluerov2_heavy", 12), started("bluerov2_heavy", 12)
    batch.set_external([3e4, 0.0, 0.0, 0.0, 0.0, 0.0], where=[5])
    for one in (batch, other):
        one.advance(1.0)
    others = np.arange(12) != 5
    np.testing.assert_array_equal(batch.position_n[others], other.position_n[others])
    assert not batch.alive[5] and batch.alive[others].all()
    (failure,) = batch.failures
    assert failure.index == 5 and 0.0 <= failure.time_s < 1.0 and "largest force was coefficients, X" in failure.message
    assert batch.time_s[5] == failure.time_s and (batch.time_s[others] == 1.0).all()
    where = batch.position_n[5].copy()
    batch.set_external(np.zeros(6))
    batch.advance(0.5)
    np.testing.assert_array_equal(batch.position_n[5], where)
    assert len(batch.failures) == 1 and np.isfinite(batch.nu).all()
    batch.reset([5])
    assert batch.alive.all() and batch.time_s[5] == 0.0 and not batch.failures
    batch.advance(0.5)
    assert batch.time_s[5] == 0.5 and batch.time_s[0] == 2.0


def test_some_can_be_reset_and_all_restored():
    batch = started("remus100", 20)
    batch.advance(1.0)
    saved, place = batch.save(), batch.position_n
    batch.reset(np.arange(20) < 3)
    assert (batch.position_n[:3] == 0.0).all() and (batch.position_n[3:] == place[3:]).all()
    assert (batch.time_s == np.where(np.arange(20) < 3, 0.0, 1.0)).all()
    batch.restore(saved)
    batch.advance(1.0)
    once = batch.position_n
    batch.restore(saved)
    batch.advance(1.0)
    np.testing.assert_array_equal(batch.position_n, once)


def test_held_velocities_are_held_through_the_water():
    """dsrv keeps its surge by file: in a current along its nose it goes that much faster over ground."""
    batch = Batch("dsrv", 2)
    batch.set_current([[0.0, 0.0, 0.0], [0.5, 0.0, 0.0]])
    speed = batch.vehicle.held_speed_m_s
    np.testing.assert_allclose(batch.nu[:, 0], [speed, speed + 0.5], rtol=1e-12)
    batch.advance(1.0)
    np.testing.assert_allclose(batch.nu_r[:, 0], speed, rtol=1e-9)


def test_actuators_may_be_there_at_once():
    batch, plant = Batch("bluerov2_heavy", 3), Plant(load_vehicle("bluerov2_heavy"))
    orders = demands(batch.vehicle, 3)["thrusters"]
    batch.set_actuators(thrusters=orders, at_once=True)
    plant.set_actuators(thrusters=orders[1], at_once=True)
    np.testing.assert_allclose(batch.thrusters[1], plant.state["actuators"]["thruster"][:8], rtol=1e-12)
    assert (batch.nu == 0.0).all()


def test_reading_without_new_arrays():
    batch = started("remus100", 11)
    batch.advance(0.2)
    for name, shape in (
        ("position_n", (11, 3)),
        ("nu", (11, 6)),
        ("nu_r", (11, 6)),
        ("euler", (11, 3)),
        ("below_m", (11,)),
    ):
        out = np.full(shape, np.nan, np.float32)
        assert batch.read(name, out) is out
        np.testing.assert_allclose(out, getattr(batch, name), rtol=1e-6, atol=1e-7)


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        (lambda: Batch("remus100"), "n is None"),
        (lambda: Batch(["remus100"], 2), "1 vehicles and n is 2"),
        (lambda: Batch("remus100", 2, dtype="float16"), "dtype is 'float16'; expected one of float64, float32"),
        (lambda: Batch("remus100", 2, integrator="adaptive"), "expected one of euler, heun, rk4"),
        (lambda: Batch("remus100", 2, threads=0), "threads is 0"),
        (lambda: Batch("remus100", 2).place(dept_m=3.0), 'did you mean "depth_m"'),
        (lambda: Batch("remus100", 2).place(depth_m=[1.0, 2.0, 3.0]), "expected one number or 2"),
        (lambda: Batch("remus100", 2).place(depth_m=[1.0, math.nan]), "place depth_m of vehicle 1 is not finite"),
        (lambda: Batch("remus100", 2).set_actuators(thrusters=[1.0, 2.0]), "shape (2,); expected (1,) or (2, 1)"),
        (lambda: Batch("remus100", 2).set_actuators(thrusters=[[1.0], [math.inf]]), "of vehicle 1"),
        (lambda: Batch("remus100", 2).reset([2]), "0 to 1"),
        (lambda: Batch("remus100", 2).set_motion(quaternion=[2.0, 0.0, 0.0, 0.0]), "expected unit quaternions"),
        (lambda: Batch(["remus100", "lauv"]).vehicle, "2 kinds of vehicle"),
        (lambda: Batch("remus100", 2).read("nus", np.zeros((2, 6))), 'did you mean "nu"'),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_in_a_sentence(wrong, says):
    with pytest.raises(CommandError) as caught:
        wrong()
    assert says in str(caught.value) and "\n" not in str(caught.value)


def test_a_start_under_the_seabed_is_refused():
    batch = Batch("remus100", 2, World(depth_m=5.0))
    batch.place(depth_m=[3.0, 9.0])
    with pytest.raises(CommandError, match=r"vehicle 1 .* 4 m under the seabed"):
        batch.tick()


def test_it_is_part_of_the_package():
    assert pelagos.Batch is Batch and "Batch" in dir(pelagos)
