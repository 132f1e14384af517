"""Lanes are the scalar kernel, eight or sixteen vehicles at a time."""

from __future__ import annotations

import numpy as np
import pytest

from pelagos.engine import layout as lay
from pelagos.engine.integrate import RK4, advance, advance_blocks
from pelagos.engine.lanes import aligned, from_lanes, to_lanes
from pelagos.engine.sea import HULL
from pelagos.vehicle.hull_table import hull_table
from pelagos.vehicle.load import load_vehicle
from pelagos.vehicle.pack import pack
from pelagos.vehicle.plant import EMPTY_SEA
from pelagos.world.current import GaussMarkov, Profile, Series, Tidal
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
            command["demand"]["thruster"][k] = thruster.maximum * rng.uniform(-0.5, 0.5)
        for k, surface in enumerate(vehicle.surfaces):
            command["demand"]["surface"][k] = surface.limit_rad * rng.uniform(-0.5, 0.5)
        for k, item in enumerate(vehicle.ballast):
            state["actuators"]["ballast"][k] = item.initial
            command["demand"]["ballast"][k] = rng.uniform(item.minimum, item.maximum)
    models = np.repeat(packed.model[np.newaxis], count, axis=0)
    coefficients = lay.MODEL.offset("coefficients")[0]
    models[:, coefficients : coefficients + 8] *= rng.uniform(0.9, 1.1, (count, 8))  # no two vehicles alike
    return states, models, packed.structure, waters, commands


def run_lanes(parts: tuple[np.ndarray, ...], dtype: type, world: tuple[np.ndarray, ...] = WORLD) -> np.ndarray:
    """The states after N_STEPS, advanced in blocks."""
    states, models, structure, waters, commands = parts
    lanes = [to_lanes(rows, dtype) for rows in (states, models, waters, commands)]
    blocks, _, width = lanes[0].shape
    structures = np.repeat(structure[np.newaxis], blocks, axis=0)
    work = aligned((lay.WORK.size, width), dtype)
    advance_blocks(lanes[0], lanes[1], structures, lanes[2], lanes[3], work, *world, DT, N_STEPS, RK4, None)
    return from_lanes(lanes[0], len(states))


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


def test_a_broken_lane_does_not_touch_its_neighbours() -> None:
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
    one = run_lanes((states, models, structure, waters, commands), np.float64)
    other = run_lanes((states[order], models[order], structure, waters[order], commands[order]), np.float64)
    np.testing.assert_array_equal(other, one[order])


def test_to_lanes_and_back() -> None:
    rows = np.arange(33.0).reshape(11, 3)
    lanes = to_lanes(rows)
    assert lanes.shape == (2, 3, 8) and lanes.ctypes.data % 64 == 0
    np.testing.assert_array_equal(from_lanes(lanes, 11), rows)
    np.testing.assert_array_equal(lanes[1, :, 3], rows[-1])  # padded with the last vehicle
