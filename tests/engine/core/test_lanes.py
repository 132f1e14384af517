"""The kernel on eight or sixteen lanes equals the scalar kernel."""

from __future__ import annotations

import numpy as np
import pytest

from pelagos.engine.core import layout as lay
from pelagos.engine.core.integrate import RK4, advance, advance_blocks, advance_rows, evaluate, sample_surroundings
from pelagos.engine.core.lanes import aligned, from_lanes, to_lanes
from pelagos.engine.core.motion import Forces
from pelagos.engine.water.sea import HULL
from pelagos.frames import rotation_from_quaternion
from pelagos.vehicle.load.vehicle import load_vehicle
from pelagos.vehicle.pack.hull import hull_table
from pelagos.vehicle.pack.records import pack
from pelagos.vehicle.plant import EMPTY_SEA
from pelagos.world.current.kinds import GaussMarkov, Profile, Series, Tidal
from pelagos.world.spec import World
from pelagos.world.water import Water
from pelagos.world.waves import Waves

N_STEPS = 200
NO_HULL = np.zeros(HULL.size)  # always fully wet, nothing to touch
WORLD = (EMPTY_SEA, NO_HULL)
DT = 0.02


def fleet_of(name: str, count: int) -> tuple[np.ndarray, ...]:
    """Rows of states, models, waters, commands of one vehicle, each with its own numbers."""
    vehicle = load_vehicle(name)
    packed = pack(vehicle)
    rng = np.random.default_rng(7)
    states, waters, commands = (np.zeros((count, kind.size)) for kind in (lay.STATE, lay.WATER, lay.COMMAND))
    for i in range(count):
        state, water = states[i].view(lay.STATE.dtype)[0], waters[i].view(lay.WATER.dtype)[0]
        command = commands[i].view(lay.COMMAND.dtype)[0]
        quaternion = np.array([1.0, 0.0, 0.0, 0.0]) + 0.2 * rng.standard_normal(4)
        state["attitude"] = quaternion / np.linalg.norm(quaternion)
        state["nu"] = 0.2 * rng.standard_normal(6)
        if vehicle.lift_drag:  # ahead: the angle of attack jumps from 180 to -180 deg, and rounding decides which
            state["nu"][0] = 1.0 + abs(state["nu"][0])
        state["position"] = [0.0, 0.0, 10.0]
        water["density"], water["gravity"] = vehicle.water.density_kg_m3, vehicle.water.gravity_m_s2
        water["current"], water["current_dot"] = 0.1 * rng.standard_normal(3), 0.001 * rng.standard_normal(3)
        for k, thruster in enumerate(vehicle.thrusters):
            command["actuators"]["thruster"][k] = thruster.maximum * rng.uniform(-0.5, 0.5)
        for k, surface in enumerate(vehicle.surfaces):
            command["actuators"]["surface"][k] = surface.limit_rad * rng.uniform(-0.5, 0.5)
        for k, item in enumerate(vehicle.ballast):
            state["actuators"]["ballast"][k] = item.initial
            command["actuators"]["ballast"][k] = rng.uniform(item.minimum, item.maximum)
    models = np.repeat(packed.model[np.newaxis], count, axis=0)
    coefficients = lay.MODEL.offset("coefficients")[0]
    models[:, coefficients : coefficients + 8] *= rng.uniform(0.9, 1.1, (count, 8))  # no two vehicles alike
    return states, models, packed.structure, waters, commands


def run_lanes(parts: tuple[np.ndarray, ...], dtype: type, world: tuple[np.ndarray, ...] = WORLD) -> np.ndarray:
    """The states after N_STEPS, advanced in blocks."""
    states, models, structure, waters, commands = parts
    lanes = [to_lanes(rows, dtype) for rows in (states, models, waters, commands)]
    blocks, _, width = lanes[0].shape
    work, tallies = aligned((lay.WORK.size, width), dtype), all_alive(blocks, width, dtype)
    every = np.arange(blocks)
    rest = (tallies, work, *world, DT, N_STEPS, RK4)
    advance_blocks(every, lanes[0], lanes[1], every, structure, *lanes[2:], *rest)
    return from_lanes(lanes[0], len(states))


def all_alive(blocks: int, width: int, dtype: type = np.float64) -> np.ndarray:
    """Tallies of vehicles none of which has diverged."""
    tallies = aligned((blocks, lay.TALLY.size, width), dtype)
    tallies[:, lay.TALLY.offset("alive")[0]] = 1.0
    return tallies


def run_scalar(parts: tuple[np.ndarray, ...], world: tuple[np.ndarray, ...] = WORLD) -> np.ndarray:
    """The states after N_STEPS, one vehicle after another."""
    states, models, structure, waters, commands = parts
    after, work = states.copy(), aligned((lay.WORK.size,))
    for i in range(len(states)):
        row = aligned((lay.STATE.size,))
        row[:] = after[i]
        assert (
            advance(row, models[i], structure, waters[i], commands[i], work, *world, DT, N_STEPS, RK4, None) == N_STEPS
        )
        after[i] = row
    return after


PLAIN = ["remus100", "bluerov2_heavy", "phoenix", "npsauv"]
ODD = ["remus100_mss", "gavia", "seagrant1_pump", "lrauv_tethys", "slocum"]  # curve, wash, supply, ballast, lift


@pytest.mark.parametrize("name", PLAIN + ODD)
def test_lanes_equal_the_scalar_kernel(name: str) -> None:
    """1e-12 relative to the size of each state, after 200 steps; 11 vehicles: one full block and one padded."""
    parts = fleet_of(name, 11)
    scalar, lanes = run_scalar(parts), run_lanes(parts, np.float64)
    scale = 1.0 + np.abs(scalar).max(axis=0)
    assert (np.abs(lanes - scalar) / scale).max() < 1e-12
    assert np.abs(scalar - parts[0]).max() > 0.1  # something happened


@pytest.mark.slow
@pytest.mark.parametrize("name", ["iver3", "bluerov2_heavy", "phoenix"])
@pytest.mark.parametrize(("dtype", "tolerance"), [(np.float64, 1e-11), (np.float32, 2e-3)])
def test_lanes_equal_the_scalar_kernel_at_the_surface(name: str, dtype: type, tolerance: float) -> None:
    """Afloat in irregular waves, a sheared, tidal, gusty and gridded current, stratified water: all per vehicle.

    The wet part of a hull multiplies rounding by rho g A/(m w^2), some tens; float32 keeps 1e-7 of 30 m, 4 s long.
    """
    world = World(
        waves=Waves(height_m=1.0, period_s=6.0, spreading=4.0, components=16),
        currents=(
            Profile(rows=((0.0, 0.6, 40.0), (5.0, 0.2, 90.0))),
            Tidal(speed_m_s=0.3, to_deg=10.0),
            GaussMarkov(to_deg=0.0, sigma_m_s=0.1, time_constant_s=10.0),
            Series(rows=((0.0, 0.1, 0.0), (3.0, 0.3, 0.1), (60.0, 0.0, 0.2))),
        ),
        water=Water(profile=((0.0, 18.0, 35.0), (10.0, 8.0, 35.3))),
    )
    parts = fleet_of(name, 11 if dtype is np.float64 else 17)
    depth = lay.STATE.offset("position")[0] + 2
    parts[0][:, depth] = np.linspace(-0.2, 1.0, len(parts[0]))
    parts[3][:, lay.WATER.offset("time")[0]] = np.linspace(0.0, 5.0, len(parts[0]))
    scene = (world.packed(until_s=20.0), hull_table(load_vehicle(name)))
    scalar, lanes = run_scalar(parts, scene), run_lanes(parts, dtype, scene)
    motion = slice(0, lay.STATE.offset("nu")[0] + 6)
    scale = 1.0 + np.abs(scalar[:, motion]).max(axis=0)
    assert (np.abs(lanes - scalar)[:, motion] / scale).max() < tolerance
    without = run_scalar(parts)
    assert np.abs(scalar - without)[:, motion].max() > 0.05  # the world did something


def test_single_precision_lanes() -> None:
    """float32 keeps about seven digits: 4 s of motion within 1e-4."""
    parts = fleet_of("remus100", 5)
    scalar, lanes = run_scalar(parts), run_lanes(parts, np.float32)
    nu = lay.STATE.offset("nu")[0]
    assert np.abs(lanes[:, : nu + 6] - scalar[:, : nu + 6]).max() < 1e-4


def test_a_lane_that_diverges_stays_at_its_last_sound_step_and_leaves_its_neighbours_alone() -> None:
    """As the scalar kernel ends: the same number of sound steps, the same state, the same place in time."""
    parts = fleet_of("bluerov2_heavy", 8)
    sound = run_lanes(parts, np.float64)
    parts[4][3, lay.COMMAND.offset("external")[0]] = 3e4  # N on 13.5 kg: too fast for the step after some of them
    states, models, structure, waters, commands = parts
    lanes = [to_lanes(rows) for rows in (states, models, waters, commands)]
    tallies, work = all_alive(1, 8), aligned((lay.WORK.size, 8))
    arguments = (np.zeros(1, np.int64), structure, *lanes[2:], tallies, work, *WORLD, DT, N_STEPS, RK4)
    advance_blocks(np.zeros(1, np.int64), lanes[0], lanes[1], *arguments)
    after = from_lanes(lanes[0], 8)
    row, others = states[3].copy(), [0, 1, 2, 4, 5, 6, 7]
    rows = (row, models[3], structure, waters[3], commands[3], aligned((lay.WORK.size,)))
    done = advance(*rows, *WORLD, DT, N_STEPS, RK4, None)
    assert 0 < done < N_STEPS
    np.testing.assert_array_equal(tallies[0, 0], [1, 1, 1, 0, 1, 1, 1, 1])
    assert tallies[0, 1, 3] == done and (tallies[0, 1, others] == N_STEPS).all()
    np.testing.assert_allclose(after[3], row, rtol=1e-9, atol=1e-9)  # rounding grows on the way to 300 m/s
    np.testing.assert_array_equal(after[others], sound[others])
    lanes[3][:] = to_lanes(fleet_of("bluerov2_heavy", 8)[4])  # let go of it: what has diverged stays where it is
    advance_blocks(np.zeros(1, np.int64), lanes[0], lanes[1], *arguments)
    np.testing.assert_array_equal(from_lanes(lanes[0], 8)[3, :13], after[3, :13])


def test_a_lane_of_no_numbers_does_not_touch_its_neighbours() -> None:
    parts = fleet_of("bluerov2_heavy", 8)
    sound = run_lanes(parts, np.float64)
    parts[0][3, lay.STATE.offset("nu")[0]] = np.nan
    broken = run_lanes(parts, np.float64)
    others = [0, 1, 2, 4, 5, 6, 7]
    assert np.isnan(broken[3]).any()
    np.testing.assert_array_equal(broken[others], sound[others])


def test_a_lane_does_not_depend_on_its_place() -> None:
    """The same vehicle in another lane and another block: the same bits."""
    states, models, structure, waters, commands = fleet_of("remus100", 16)
    order = np.random.default_rng(1).permutation(16)
    single = run_lanes((states, models, structure, waters, commands), np.float64)
    other = run_lanes((states[order], models[order], structure, waters[order], commands[order]), np.float64)
    np.testing.assert_array_equal(other, single[order])


@pytest.mark.parametrize("name", ["iver3", "phoenix"])
def test_a_deep_lane_does_not_feel_its_neighbours_at_the_surface(name: str) -> None:
    """A block is at the surface if one of its vehicles is: the others keep their bits all the same."""
    scene = (World(waves=Waves(height_m=0.5, period_s=5.0)).packed(), hull_table(load_vehicle(name)))
    parts = fleet_of(name, 8)
    depth = lay.STATE.offset("position")[0] + 2
    parts[0][:, depth] = 30.0
    alone = run_lanes(parts, np.float64, scene)
    parts[0][4:, depth] = np.linspace(-0.3, 0.3, 4)  # some of them partly wet
    beside = run_lanes(parts, np.float64, scene)
    np.testing.assert_array_equal(beside[:4], alone[:4])
    assert (np.abs(beside[4:] - alone[4:])[:, depth] > 1.0).all()
    order = np.array([4, 0, 1, 2, 3, 7, 6, 5])  # and those at the surface beside others
    one_deep = tuple(rows[order[:2].repeat(4)] if i != 2 else rows for i, rows in enumerate(parts))
    np.testing.assert_array_equal(run_lanes(one_deep, np.float64, scene)[0], beside[4])


def test_alike_vehicles_share_a_record() -> None:
    """model_of: three blocks of the same parameters from one, to the last bit."""
    states, models, structure, waters, commands = fleet_of("remus100", 24)
    models[:] = models[0]
    apart = run_lanes((states, models, structure, waters, commands), np.float64)
    lanes = [to_lanes(rows) for rows in (states, models[:8], waters, commands)]
    tallies, work, of = all_alive(3, 8), aligned((lay.WORK.size, 8)), np.zeros(3, np.int64)
    advance_blocks(np.arange(3), lanes[0], lanes[1], of, structure, *lanes[2:], tallies, work, *WORLD, DT, N_STEPS, RK4)
    np.testing.assert_array_equal(from_lanes(lanes[0], 24), apart)


def test_rows_are_the_scalar_kernel() -> None:
    states, models, structure, waters, commands = parts = fleet_of("lauv", 3)
    rows, done = states.copy(), np.zeros(3, np.int64)
    work = aligned((lay.WORK.size,))
    advance_rows(rows, models, np.arange(3), structure, waters, commands, work, *WORLD, DT, N_STEPS, RK4, None, done)
    # the compiler may lay out the same steps otherwise where it makes them part of a loop over vehicles
    np.testing.assert_allclose(rows, run_scalar(parts), rtol=1e-11, atol=1e-12)
    np.testing.assert_array_equal(done, N_STEPS)


@pytest.mark.parametrize("name", ["remus100", "iver3"])
def test_an_evaluation_of_blocks_is_that_of_the_scalar_kernel(name: str) -> None:
    """Velocity through the water, water velocity, depth below the moving surface, bottom: 1e-12 of their size."""
    world = World(
        depth_m=40.0,
        waves=Waves(height_m=1.0, period_s=6.0),
        currents=(Profile(rows=((0.0, 0.6, 40.0), (9.0, 0.2, 90.0))),),
    )
    states, models, structure, waters, commands = fleet_of(name, 5)
    states[3:, lay.STATE.offset("position")[0] + 2] = 0.05  # partly wet
    sea, hull = world.packed(), hull_table(load_vehicle(name))
    lanes = [to_lanes(rows) for rows in (states, models, waters, commands)]
    sights, work = aligned((1, lay.SURROUNDINGS.size, 8)), aligned((lay.WORK.size, 8))
    sample_surroundings(lanes[0], lanes[1], np.zeros(1, np.int64), structure, *lanes[2:], work, sea, hull, sights)
    for i, sight in enumerate(from_lanes(sights, 5)):
        out = np.zeros((len(Forces._fields) + 3, 6))
        evaluate(states[i], models[i], structure, waters[i], commands[i], aligned((lay.WORK.size,)), sea, hull, out)
        record, around = sight.view(lay.SURROUNDINGS.dtype)[0], out[-1]
        np.testing.assert_allclose(record["current"], around[:3], atol=1e-12)
        seen = [record["below"], record["wet_share"], record["bottom"]]
        np.testing.assert_allclose(seen, around[3:6], rtol=1e-12)
        state = states[i].view(lay.STATE.dtype)[0]
        R = rotation_from_quaternion(state["attitude"])
        np.testing.assert_allclose(record["through_water"], state["nu"][:3] - R.T @ around[:3], atol=1e-12)


def test_to_lanes_and_back() -> None:
    rows = np.arange(33.0).reshape(11, 3)
    lanes = to_lanes(rows)
    assert lanes.shape == (2, 3, 8) and lanes.ctypes.data % 64 == 0
    np.testing.assert_array_equal(from_lanes(lanes, 11), rows)
    np.testing.assert_array_equal(lanes[1, :, 3], rows[-1])  # padded with the last vehicle
