"""Fill the rows of the logs of many runs at once: the columns of `sim.columns`, from a batch."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pelagos.batch.batch import Batch
from pelagos.engine.laws import law
from pelagos.frames import euler_from_quaternion
from pelagos.messages import VehicleStates
from pelagos.sim.columns import (
    CURRENT,
    DEGREES,
    MOTION_COLUMNS,
    POSITION,
    QUATERNION,
    RATES,
    SETPOINT_COLUMNS,
    SETPOINTS,
    SPEED,
    VELOCITY,
    Sampler,
)
from pelagos.sim.simulation import Simulation
from pelagos.sim.true_state import UPRIGHT

Array = NDArray[np.float64]
NORTH = SETPOINT_COLUMNS.index("cmd_north_m")
AT = {name: k for k, name in enumerate(MOTION_COLUMNS)}  # the index of a column in a row


class BatchInstant(NamedTuple):
    """State and surroundings of all runs after a control interval, for controllers, conditions and logs, (n, ...)."""

    states: VehicleStates
    quaternion: Array
    current_n: Array
    below_m: Array  # NaN without a surface
    wet_share: Array
    contact: Array  # (n, 6)
    touching: Array
    touched: NDArray[np.int64]


def evaluate(batch: Batch) -> BatchInstant:
    """Return the present instant of a batch."""
    view = batch.view
    surface = view.below_m if batch.world.surface else np.full(batch.n, math.nan)
    quaternion = view.quaternion
    euler_angles = batch.vehicle.kinematics == "euler"
    roll, pitch, yaw = np.ascontiguousarray(view.euler.T) if euler_angles else angles(quaternion)
    states = VehicleStates(view.time_s, view.position_n, roll, pitch, yaw, view.nu, view.nu_r, view.altitude_m)
    return BatchInstant(
        states, quaternion, view.current_n, surface, view.wet_share, view.contact_n, view.touching, view.touched
    )


def angles(quaternion: Array) -> Array:
    """Return roll, pitch and yaw of unit quaternions, (3, n), as `sim.true_state` does for one."""
    out = np.empty((3, len(quaternion)))
    if _angles(quaternion, out):
        for i in np.flatnonzero(np.isnan(out[0])).tolist():
            out[:, i] = euler_from_quaternion(quaternion[i])
    return out


@law
def _angles(quaternion: Array, out: Array) -> int:
    """Compute the angles; return the number of runs with the nose straight up or down, whose angles are NaN."""
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
    """Return headings, deg, as `sim.columns.compass` does for one."""
    heading = (yaw * DEGREES) % 360.0
    return np.where(heading > 360.0 - 1e-9, 0.0, heading)


class LogRows:
    """Fills rows of the logs of n runs of one vehicle; `pattern` is a simulation of one of them."""

    def __init__(self, pattern: Simulation) -> None:
        self._sampler = Sampler(pattern.plant, pattern.world.surface)
        self.width = self._sampler.width

    def fill(self, rows: Array, now: BatchInstant, held: Array, batch: Batch) -> None:
        """Write the row of each run into the beginning of `rows`, (n, width or more)."""
        t = now.states
        rows[:, AT["time_s"]] = t.time_s
        rows[:, POSITION] = t.pos_n
        rows[:, AT["roll_deg"]] = t.roll * DEGREES
        rows[:, AT["pitch_deg"]] = t.pitch * DEGREES
        rows[:, AT["heading_deg"]] = compass_deg(t.yaw)
        rows[:, QUATERNION] = now.quaternion
        rows[:, VELOCITY] = t.nu
        rows[:, RATES] *= DEGREES
        rows[:, CURRENT] = now.current_n
        rows[:, AT["below_surface_m"]] = now.below_m
        rows[:, AT["altitude_m"]] = t.altitude_m
        rows[:, AT["wet_share"]] = now.wet_share
        rows[:, AT["contact_N"]] = contact_size(now.contact)
        rows[:, AT["contact_with"]] = np.where(now.touching > 0, now.touched, math.nan)
        rows[:, SETPOINTS] = held
        # a held position has no speed setpoint: its speed is a limit
        rows[np.isfinite(held[:, NORTH]), SPEED] = math.nan
        a, b, c, d, e, f = self._sampler.parts
        rows[:, a], rows[:, b], rows[:, c] = batch.view.thrusters, batch.view.surfaces, batch.view.ballast
        rows[:, d], rows[:, e], rows[:, f] = batch.actuators.commands
        rows[:, SETPOINTS.stop : self.width] *= self._sampler.scales


def contact_size(wrench: Array) -> Array:
    """Return the magnitude of the contact force, N."""
    x, y, z = wrench[:, 0], wrench[:, 1], wrench[:, 2]
    return np.sqrt(x * x + y * y + z * z)


def condition_values(names: tuple[str, ...], now: BatchInstant, index: Array, done: Array) -> dict[str, Array]:
    """Return the values that conditions may use (`sim.faults.conditions.NAMES`), for all runs."""
    t, n = now.states, len(now.touching)
    unknown = np.full(n, math.nan)
    values = {
        "time_s": t.time_s, "north_m": t.pos_n[:, 0], "east_m": t.pos_n[:, 1], "depth_m": t.pos_n[:, 2],
        "altitude_m": t.altitude_m, "below_surface_m": now.below_m, "wet_share": now.wet_share,
        "roll_deg": np.degrees(t.roll), "pitch_deg": np.degrees(t.pitch), "heading_deg": compass_deg(t.yaw),
        "surge_m_s": t.nu[:, 0], "sway_m_s": t.nu[:, 1], "heave_m_s": t.nu[:, 2],
        "speed_m_s": np.sqrt((t.nu[:, :3] ** 2).sum(axis=1)), "yaw_rate_deg_s": np.degrees(t.nu[:, 5]),
        "distance_m": np.hypot(t.pos_n[:, 0], t.pos_n[:, 1]), "contact_N": contact_size(now.contact),
        "touching": (now.touching > 0).astype(np.float64), "flooded_kg": np.zeros(n), "leg": index,
        "mission_done": done,
    }  # fmt: skip
    return {name: values.get(name, unknown) for name in names}
