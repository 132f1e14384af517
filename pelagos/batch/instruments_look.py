"""The present of many vehicles as their instruments see it: from a batch, which knows all of it, or from a truth."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from pelagos.batch.asked import an_array
from pelagos.batch.instruments_base import Array, Moments
from pelagos.batch.reading import Reading
from pelagos.engine.waves import sample_waves
from pelagos.errors import CommandError
from pelagos.frames import rotation_from_euler, rotation_from_quaternion
from pelagos.messages import Truths, shown
from pelagos.world.spec import World


def moments_of(
    now: Reading | Truths | Moments,
    world: World,
    gravity_m_s2: float,
    thrusters: ArrayLike | None = None,
    surfaces: ArrayLike | None = None,
) -> Moments:
    """`now` as `Moments`; `thrusters` and `surfaces` go with a truth, which does not have them.

    `gravity_m_s2` is the vehicle's, by which the waves run where the world has none of its own.
    """
    if isinstance(now, Moments):
        return now
    if isinstance(now, Reading):
        below = now.below_m if world.surface else np.full(now.n, math.nan)
        return Moments(
            now.time_s, now.position_n, rotation_from_quaternion(now.quaternion), now.nu, now.current_n, below,
            now.wet_share, now.thrusters, now.surfaces,
        )  # fmt: skip
    if not isinstance(now, Truths):
        raise CommandError(f"what shall be sampled is {shown(now)}; expected a batch, its truth, or Moments.")
    return _of_truths(now, world, gravity_m_s2, thrusters, surfaces)


def _of_truths(
    now: Truths, world: World, gravity_m_s2: float, thrusters: ArrayLike | None, surfaces: ArrayLike | None
) -> Moments:
    """A truth does not say how much of the hull is wet: an instrument above the surface counts as in the air."""
    time_s, position, nu = (np.asarray(part, float) for part in (now.time_s, now.pos_n, now.nu))
    n, R_nb = len(time_s), rotation_from_euler(now.roll, now.pitch, now.yaw)
    water_n = np.einsum("nij,nj->ni", R_nb, nu[:, :3] - np.asarray(now.nu_r)[:, :3])
    below, wet = np.full(n, math.nan), np.ones(n)
    if world.surface:
        below, wet = position[:, 2] - _surface_m(world, gravity_m_s2, position, time_s), np.zeros(n)
    return Moments(
        time_s, position, R_nb, nu, water_n, below, wet, _drives("thrusters", thrusters, n),
        _drives("surfaces", surfaces, n),
    )  # fmt: skip


def _drives(name: str, given: ArrayLike | None, n: int) -> Array:
    """Where actuators are, (n, k); none if it is not told."""
    if given is None:
        return np.empty((n, 0))
    rows = an_array(name, given, f"numbers, a row for each of {n} vehicles")
    if rows.ndim != 2 or len(rows) != n:
        raise CommandError(f"{name} have shape {rows.shape}; expected a row for each of {n} vehicles.")
    return rows


def _surface_m(world: World, gravity_m_s2: float, position: Array, time_s: Array) -> Array:
    """z of the moving surface above each vehicle, each at its own time."""
    if world.waves is None:
        return np.zeros(len(time_s))
    out, above = np.zeros((len(time_s), 9)), np.column_stack([position[:, :2], np.zeros(len(time_s))])
    sample_waves(world.packed(gravity_m_s2=world.gravity_m_s2 or gravity_m_s2), above, time_s, out)
    return out[:, 0]
