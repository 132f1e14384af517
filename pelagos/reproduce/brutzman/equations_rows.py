"""How a row about an equation is made: print and engine at the same random states, and the largest difference."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pelagos.reproduce.claim import Claim, Proof, quantity
from pelagos.units import FOOT, LBF, SLUG

Array = NDArray[np.float64]

STATES = 200  # random states a printed equation is compared at
NU_FT = np.array([FOOT] * 3 + [1.0] * 3)  # ft/s and rad/s to SI
WRENCH_LB = np.array([LBF] * 3 + [LBF * FOOT] * 3)  # lb and ft lb to SI
MASS_SLUG = SLUG * np.outer([1.0] * 3 + [FOOT] * 3, [1.0] * 3 + [FOOT] * 3)  # slug, slug ft, slug ft2 to SI
ROUNDING = "two ways of doing the same arithmetic in double precision; nothing but rounding may differ"


def largest(ours: ArrayLike, printed: ArrayLike) -> float:
    """Largest difference, relative to the largest value where that is above one; infinite if anything is not finite."""
    a, b = np.asarray(ours, dtype=float), np.asarray(printed, dtype=float)
    if not (np.isfinite(a).all() and np.isfinite(b).all()):
        return math.inf
    return float(np.abs(a - b).max() / max(1.0, float(np.abs(b).max())))


def agreed(
    key: str,
    place: str,
    what: str,
    printed: str,
    difference: float,
    *,
    ours: str = "the same",
    allowed: float = 1e-12,
    states: int | str = STATES,
    why: str = ROUNDING,
    assumption: str = "",
    proof: Proof = Proof(),  # noqa: B008
) -> Claim:
    """The printed equation (as corrected by the errata of `proof`) and ours agree at so many random states."""
    where = f"over {states}" if isinstance(states, str) else f"at {states} random states"
    return Claim(
        key,
        place,
        what,
        printed,
        f"{ours}; largest difference {difference:.1e} {where}",
        f"{difference:.1e}",
        f"{quantity(allowed)} of the largest value",
        why,
        bool(math.isfinite(difference) and difference <= allowed),
        assumption,
        {"published": 0.0, "ours": difference, "error": difference, "tolerance": allowed},
        "1",
        proof,
    )


def angles(count: int, seed: int, steepest: float = 1.4) -> Array:
    """Random roll, pitch, yaw, rad: roll and yaw all round, pitch to +- `steepest`."""
    rng = np.random.default_rng(seed)
    return rng.uniform(-1.0, 1.0, (count, 3)) * [math.pi, steepest, math.pi]


def velocities(count: int, seed: int) -> Array:
    """Random u v w (ft/s) and p q r (rad/s) of a size the vehicle can have, both signs."""
    rng = np.random.default_rng(seed)
    return rng.uniform(-1.0, 1.0, (count, 6)) * [3.0, 1.5, 1.0, 0.5, 0.4, 0.4]


def listed(words: Sequence[str]) -> str:
    """The words of a list: "a, b and c"."""
    return words[0] if len(words) == 1 else ", ".join(words[:-1]) + " and " + words[-1] if words else "none"
