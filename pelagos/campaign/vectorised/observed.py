"""The state of all runs of a batch at one time: what controllers, conditions and logs read."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pelagos.batch.batch import Batch
from pelagos.engine.laws import law
from pelagos.frames import euler_from_quaternion
from pelagos.messages import VehicleStates
from pelagos.sim.columns import LoggedMotion
from pelagos.sim.faults.conditions import Condition
from pelagos.sim.true_state import UPRIGHT

Array = NDArray[np.float64]


@dataclass(slots=True, kw_only=True)
class ObservedRuns(LoggedMotion):
    """State and surroundings of n runs at one time, with the quantities that conditions read."""

    states: VehicleStates
    leg: Any = math.nan
    mission_done: Any = 0.0
    flooded_kg: Any = 0.0
    tether: tuple[float, float, float] = (math.nan, math.nan, math.nan)

    def holds(self, condition: Condition) -> NDArray[np.bool_]:
        """Return for which runs a condition is true now."""
        return condition.holds_each(self, len(self.altitude_m))


def observe(batch: Batch, time_s: float) -> ObservedRuns:
    """Return the present state of all runs, without what missions and faults add."""
    view = batch.view
    position_n, nu, altitude_m, quaternion = view.position_n, view.nu, view.altitude_m, view.quaternion
    by_euler = batch.vehicle.kinematics == "euler"
    roll, pitch, yaw = np.ascontiguousarray(view.euler.T) if by_euler else angles(quaternion)
    return ObservedRuns(
        time_s=time_s, position_n=position_n.T, euler=(roll, pitch, yaw), quaternion=quaternion.T, nu=nu.T,
        current_n=view.current_n.T, below_m=view.below_m if batch.world.surface else np.full(batch.n, math.nan),
        altitude_m=altitude_m, wet_share=view.wet_share, contact_n=view.contact_n.T,
        contact_with=np.where(view.touching > 0, view.touched, math.nan),
        states=VehicleStates(view.time_s, position_n, roll, pitch, yaw, nu, view.nu_r, altitude_m),
    )  # fmt: skip


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
