"""Compare a printed equation with the engine at random states, in feet, pounds, seconds and radians.

Rates come from one explicit step, forces and accelerations from a state. All go through `Plant`, that is through the
compiled kernel that flies the vehicle.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import cache

import numpy as np
from numpy.typing import ArrayLike

from pelagos.units import FOOT, LBF, SLUG
from pelagos.vehicle.load.vehicle import load_vehicle
from pelagos.vehicle.plant import Plant
from pelagos.vehicle.spec import Vehicle
from pelagos_evidence.claim import Claim, Row, agreed
from pelagos_evidence.rows import Array

STATES = 200  # random states a printed equation is compared at
NU_FT = np.array([FOOT] * 3 + [1.0] * 3)  # ft/s and rad/s to SI
WRENCH_LB = np.array([LBF] * 3 + [LBF * FOOT] * 3)  # lb and ft lb to SI
MASS_SLUG = SLUG * np.outer([1.0] * 3 + [FOOT] * 3, [1.0] * 3 + [FOOT] * 3)  # slug, slug ft, slug ft2 to SI
ROUNDING = "two ways of doing the same arithmetic in double precision; nothing but rounding may differ"
STEP_S = 1.0  # of the step whose difference is a rate: from zero and with a step of one nothing is rounded away


def largest(ours: ArrayLike, printed: ArrayLike) -> float:
    """Largest difference, relative to the largest value where that is above one; infinite if anything is not finite."""
    a, b = np.asarray(ours, dtype=float), np.asarray(printed, dtype=float)
    if not (np.isfinite(a).all() and np.isfinite(b).all()):
        return math.inf
    return float(np.abs(a - b).max() / max(1.0, float(np.abs(b).max())))


def equation(
    row: Row,
    published: str,
    difference: float,
    *,
    ours: str = "the same",
    allowed: float = 1e-12,
    states: int | str = STATES,
    why: str = ROUNDING,
) -> Claim:
    """The printed equation (as corrected by the errata of its proof) and ours agree at so many random states."""
    where = f"over {states}" if isinstance(states, str) else f"at {states} random states"
    claim = agreed(row, published, difference, allowed, "", ours=ours, why=why)
    return replace(
        claim, ours=f"{claim.ours} {where}", tolerance=f"{claim.tolerance} of the largest value", unit="1"
    )  # fmt: skip


def angles(count: int, seed: int, steepest: float = 1.4) -> Array:
    """Random roll, pitch, yaw, rad: roll and yaw all round, pitch to +- `steepest`."""
    rng = np.random.default_rng(seed)
    return rng.uniform(-1.0, 1.0, (count, 3)) * [math.pi, steepest, math.pi]


def velocities(count: int, seed: int) -> Array:
    """Random u v w (ft/s) and p q r (rad/s) of a size the vehicle can have, both signs."""
    rng = np.random.default_rng(seed)
    return rng.uniform(-1.0, 1.0, (count, 6)) * [3.0, 1.5, 1.0, 0.5, 0.4, 0.4]


def listed(words: Sequence[str]) -> str:
    """Items as a phrase: "a, b and c"."""
    return words[0] if len(words) == 1 else ", ".join(words[:-1]) + " and " + words[-1] if words else "none"


@cache
def phoenix(key: str = "phoenix_published") -> Vehicle:
    """The vehicle of the chapter, from the library."""
    return load_vehicle(key)


def world_rates(
    plant: Plant, angles: Sequence[float] | Array, nu_ft: Array, current_ft: Sequence[float] = (0, 0, 0)
) -> Array:
    """Rates of x, y, z (ft/s) and of the attitude numbers in the kernel, from one explicit Euler step.

    A plant with Euler angles gives the rates of roll, pitch, yaw; one with a quaternion those of its four parameters.
    `current_ft` is the velocity of the water, NED; nu is over ground.
    """
    plant.reset()
    plant.water["current"] = np.array(current_ft, dtype=float) * FOOT
    plant.place(
        position_n=(0.0, 0.0, 0.0), euler=(float(angles[0]), float(angles[1]), float(angles[2])), nu=nu_ft * NU_FT
    )
    n = 3 if plant.euler_angles else 4
    before = np.array(plant.state["attitude"][:n])
    if plant.advance(STEP_S, 1, "euler") != 1:
        return np.full(3 + n, np.nan)
    after = np.array(plant.state["attitude"][:n])
    if n == 4:  # the kernel makes it a unit quaternion again; the rate is at right angles to Q, so its length is known
        after = after / float(after @ before)
    return np.concatenate([plant.position_n / (FOOT * STEP_S), (after - before) / STEP_S])


def put(
    plant: Plant, angles: Array, nu_ft: Array, fins: Sequence[float] | Array = (), drives: Sequence[float] | Array = ()
) -> Plant:
    """Place the plant at a state; sets those fins (rad) and drives (rad/s, V) that are passed."""
    plant.place(
        position_n=(0.0, 0.0, 30.0), euler=(float(angles[0]), float(angles[1]), float(angles[2])), nu=nu_ft * NU_FT
    )
    actuators = plant.state["actuators"]
    actuators["surface"][: len(fins)], actuators["thruster"][: len(drives)] = fins, drives
    return plant


def forces_lb(plant: Plant, names: Sequence[str] = ()) -> Array:
    """Sum of the named force terms (all of them without names) at the plant's state, lb and ft lb."""
    every = plant.forces()
    return sum((every[name] for name in names or every), np.zeros(6)) / WRENCH_LB


def acceleration_ft(plant: Plant) -> Array:
    """Rates of u v w p q r at the plant's state, ft/s2 and rad/s2."""
    return plant.acceleration() / NU_FT
