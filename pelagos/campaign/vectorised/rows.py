"""Lines of the logs of many runs at once: the columns of `sim.columns`, read off a batch."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pelagos.batch.batch import Batch
from pelagos.engine.laws import law
from pelagos.frames import euler_from_quaternion
from pelagos.messages import VehicleStates
from pelagos.sim.columns import DEGREES, MOTION_COLUMNS, SETPOINT_COLUMNS, SPEED
from pelagos.sim.simulation import Simulation
from pelagos.sim.true_state import UPRIGHT

Array = NDArray[np.float64]
NORTH = SETPOINT_COLUMNS.index("cmd_north_m")


class BatchInstant(NamedTuple):
    """What is looked at after each control interval, (n, ...): controllers, conditions and logs share it."""

    states: VehicleStates
    quaternion: Array
    current_n: Array
    below_m: Array  # NaN without a surface
    wet_share: Array
    contact: Array  # (n, 6)
    touching: Array
    touched: NDArray[np.int64]


def evaluate(batch: Batch) -> BatchInstant:
    """The present instant of a batch."""
    surface = batch.below_m if batch.world.surface else np.full(batch.n, math.nan)
    quaternion = batch.quaternion
    roll, pitch, yaw = np.ascontiguousarray(batch.euler.T) if batch._groups[0].euler_angles else angles(quaternion)
    states = VehicleStates(batch.time_s, batch.position_n, roll, pitch, yaw, batch.nu, batch.nu_r, batch.altitude_m)
    return BatchInstant(
        states, quaternion, batch.current_n, surface, batch.wet_share, batch.contact_n, batch.touching, batch.touched
    )


def angles(quaternion: Array) -> Array:
    """Roll, pitch, yaw of unit quaternions, (3, n), as `sim.true_state` has those of one."""
    out = np.empty((3, len(quaternion)))
    if _angles(quaternion, out):
        for i in np.flatnonzero(np.isnan(out[0])).tolist():
            out[:, i] = euler_from_quaternion(quaternion[i])
    return out


@law
def _angles(quaternion: Array, out: Array) -> int:
    """NaN, and counted, where the nose is up or down and roll and yaw are one."""
    upright = 0
    for i in range(out.shape[1]):
        w, x, y, z = quaternion[i, 0], quaternion[i, 1], quaternion[i, 2], quaternion[i, 3]
        zx = 2.0 * (x * z - w * y)
        if abs(zx) < UPRIGHT:
            out[0, i] = math.atan2(2.0 * (y * z + w * x), w * w - x * x - y * y + z * z)
            out[1, i] = -math.asin(zx)
            out[2, i] = math.atan2(2.0 * (x * y + w * z), w * w + x * x - y * y - z * z)
        else:
            out[:, i] = math.nan
            upright += 1
    return upright


def compass_deg(yaw: Array) -> Array:
    """Headings as `sim.sample.compass` has one."""
    heading = (yaw * DEGREES) % 360.0
    return np.where(heading > 360.0 - 1e-9, 0.0, heading)


class LogRows:
    """Fills lines of the logs of n runs of one vehicle; `pattern` is a simulation of one of them."""

    def __init__(self, pattern: Simulation) -> None:
        self._sampler = pattern._sampler
        self.width = pattern._sampler.width

    def fill(self, rows: Array, now: BatchInstant, held: Array, batch: Batch) -> None:
        """Write a line of each run, (n, width at least), into its beginning."""
        t = now.states
        rows[:, 0] = t.time_s
        rows[:, 1:4] = t.pos_n
        rows[:, 4], rows[:, 5], rows[:, 6] = t.roll * DEGREES, t.pitch * DEGREES, compass_deg(t.yaw)
        rows[:, 7:11] = now.quaternion
        rows[:, 11:14], rows[:, 14:17] = t.nu[:, :3], t.nu[:, 3:] * DEGREES
        rows[:, 17:20] = now.current_n
        rows[:, 20], rows[:, 21], rows[:, 22] = now.below_m, t.altitude_m, now.wet_share
        rows[:, 23] = contact_size(now.contact)
        rows[:, 24] = np.where(now.touching > 0, now.touched, math.nan)
        first = len(MOTION_COLUMNS)
        rows[:, first : self._sampler._first] = held
        rows[np.isfinite(held[:, NORTH]), SPEED] = math.nan  # then the fastest way to the place, not a speed to hold
        a, b, c, d, e, f = self._sampler._parts
        rows[:, a], rows[:, b], rows[:, c] = batch.thrusters, batch.surfaces, batch.ballast
        rows[:, d], rows[:, e], rows[:, f] = (demanded(batch, name) for name in ("thruster", "surface", "ballast"))
        rows[:, self._sampler._first : self.width] *= self._sampler._per


def contact_size(wrench: Array) -> Array:
    """Length of the contact force, N."""
    x, y, z = wrench[:, 0], wrench[:, 1], wrench[:, 2]
    return np.sqrt(x * x + y * y + z * z)


def demanded(batch: Batch, name: str) -> Array:
    """What actuators were told, SI: (n, k)."""
    count = len(getattr(batch.vehicle, {"thruster": "thrusters", "surface": "surfaces", "ballast": "ballast"}[name]))
    group = batch._groups[0]
    return group.command.get(group.command.fields(f"demand.{name}", count))


def values_of(names: tuple[str, ...], now: BatchInstant, index: Array, done: Array) -> dict[str, Array]:
    """What conditions may name (`sim.conditions.NAMES`), of all runs."""
    t, n = now.states, len(now.touching)
    unknown = np.full(n, math.nan)
    found = {
        "time_s": t.time_s, "north_m": t.pos_n[:, 0], "east_m": t.pos_n[:, 1], "depth_m": t.pos_n[:, 2],
        "altitude_m": t.altitude_m, "below_surface_m": now.below_m, "wet_share": now.wet_share,
        "roll_deg": np.degrees(t.roll), "pitch_deg": np.degrees(t.pitch), "heading_deg": compass_deg(t.yaw),
        "surge_m_s": t.nu[:, 0], "sway_m_s": t.nu[:, 1], "heave_m_s": t.nu[:, 2],
        "speed_m_s": np.sqrt((t.nu[:, :3] ** 2).sum(axis=1)), "yaw_rate_deg_s": np.degrees(t.nu[:, 5]),
        "distance_m": np.hypot(t.pos_n[:, 0], t.pos_n[:, 1]), "contact_N": contact_size(now.contact),
        "touching": (now.touching > 0).astype(np.float64), "flooded_kg": np.zeros(n), "leg": index,
        "mission_done": done,
    }  # fmt: skip
    return {name: found.get(name, unknown) for name in names}
