"""The true state of a vehicle at one instant, from one evaluation of the kernel.

Controller, sensors and log all read this record, so that the kernel evaluates an instant only once.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pelagos.frames import euler_from_quaternion, wrap_angle
from pelagos.messages import VehicleState
from pelagos.sensors.instruments.instant import Instant
from pelagos.vehicle.plant import LocalWater, Plant

Array = NDArray[np.float64]
UPRIGHT = 1.0 - 1e-12  # sine of the pitch beyond which roll and yaw cannot be told apart (gimbal lock)


class TrueState(NamedTuple):
    """Motion, forces and surrounding water at one instant; arrays are copies and must not be changed."""

    time_s: float
    position_n: Array
    quaternion: Array
    euler: tuple[float, float, float]
    nu: Array
    nu_r: Array
    forces: Array  # (terms, 6)
    local_water: LocalWater
    altitude_m: float  # NaN without a bottom

    def state(self) -> VehicleState:
        """The state for a controller; unchecked, because the kernel has checked that it is finite."""
        return VehicleState.unchecked(
            self.time_s, self.position_n, *self.euler, self.nu, self.nu_r, altitude_m=self.altitude_m
        )  # fmt: skip


def true_state_of(plant: Plant, time_s: float) -> TrueState:
    """Evaluate the kernel at the present state of a plant."""
    forces, local_water = plant.evaluate()
    row = plant.motion_row()
    position, quaternion, nu = row[:3], row[3:7], row[7:13]
    _, _, depth, a, b, c, d, u, v, w, *_ = row.tolist()
    nu_r = nu.copy()
    north, east, down = local_water.velocity_n.tolist()
    (xx, xy, xz), (yx, yy, yz), (zx, zy, zz) = _rotation_rows(a, b, c, d)
    if north != 0.0 or east != 0.0 or down != 0.0:  # still water leaves the bits of nu as they are
        nu_r[0] = u - (xx * north + yx * east + zx * down)
        nu_r[1] = v - (xy * north + yy * east + zy * down)
        nu_r[2] = w - (xz * north + yz * east + zz * down)
    if plant.euler_angles:
        euler = tuple(wrap_angle(plant.euler).tolist())
    elif abs(zx) < UPRIGHT:
        euler = (math.atan2(zy, zz), -math.asin(zx), math.atan2(yx, xx))
    else:
        euler = tuple(euler_from_quaternion(quaternion).tolist())
    altitude = local_water.bottom_m - depth
    known = altitude if math.isfinite(altitude) else math.nan
    return TrueState(time_s, position, quaternion, euler, nu, nu_r, forces, local_water, known)


def instant_of(true_state: TrueState, plant: Plant, surface: bool, power_w: float, flooded_kg: float) -> Instant:
    """The instant as a record for sensors."""
    actuators, vehicle, water = plant.state["actuators"], plant.vehicle, true_state.local_water
    return Instant(
        true_state.time_s, true_state.position_n, true_state.quaternion, true_state.nu, water.velocity_n,
        water.below_m if surface else math.nan, water.wet_share,
        actuators["thruster"][: len(vehicle.thrusters)].copy(), actuators["surface"][: len(vehicle.surfaces)].copy(),
        power_w, flooded_kg,
    )  # fmt: skip


def _rotation_rows(w: float, x: float, y: float, z: float) -> tuple[tuple[float, ...], ...]:
    """Rows of the rotation matrix from body to NED; plain floats are faster than arrays for a single quaternion."""
    return (
        (w * w + x * x - y * y - z * z, 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)),
        (2.0 * (x * y + w * z), w * w - x * x + y * y - z * z, 2.0 * (y * z - w * x)),
        (2.0 * (x * z - w * y), 2.0 * (y * z + w * x), w * w - x * x - y * y + z * z),
    )
