"""The present instant, asked of the kernel once: what the controller, the instruments and the log all look at."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pelagos.frames import euler_from_quaternion, wrap_angle
from pelagos.messages import VehicleState
from pelagos.sensors.base import Moment
from pelagos.vehicle.plant import LocalWater, Plant

Array = NDArray[np.float64]
UPRIGHT = 1.0 - 1e-12  # sine of a pitch at which roll and yaw are one


class TrueState(NamedTuple):
    """Motion, forces and surroundings at one instant; arrays are copies, nobody changes them."""

    time_s: float
    position_n: Array
    quaternion: Array
    euler: tuple[float, float, float]
    nu: Array
    nu_r: Array
    forces: Array  # (terms, 6)
    around: LocalWater
    altitude_m: float  # NaN without a bottom

    def state(self) -> VehicleState:
        """As a controller sees it. The kernel has checked that everything is finite."""
        return VehicleState.unchecked(
            self.time_s, self.position_n, *self.euler, self.nu, self.nu_r, altitude_m=self.altitude_m
        )  # fmt: skip


def true_state_of(plant: Plant, time_s: float) -> TrueState:
    """Ask the kernel."""
    forces, around = plant.evaluate()
    quaternion = plant.quaternion
    a, b, c, d = quaternion.tolist()
    nu = plant.nu.copy()
    nu_r = nu.copy()
    north, east, down = around.velocity_n.tolist()
    rotated = _rows(a, b, c, d)
    (xx, xy, xz), (yx, yy, yz), (zx, zy, zz) = rotated
    if north != 0.0 or east != 0.0 or down != 0.0:
        nu_r[0] -= xx * north + yx * east + zx * down
        nu_r[1] -= xy * north + yy * east + zy * down
        nu_r[2] -= xz * north + yz * east + zz * down
    if plant.euler_angles:
        euler = tuple(wrap_angle(plant.euler).tolist())
    elif abs(zx) < UPRIGHT:
        euler = (math.atan2(zy, zz), -math.asin(zx), math.atan2(yx, xx))
    else:
        euler = tuple(euler_from_quaternion(quaternion).tolist())
    position = plant.position_n.copy()
    altitude = around.bottom_m - float(position[2])
    known = altitude if math.isfinite(altitude) else math.nan
    return TrueState(time_s, position, quaternion, euler, nu, nu_r, forces, around, known)


def moment_of(look: TrueState, plant: Plant, surface: bool, power_w: float, flooded_kg: float) -> Moment:
    """The instant as instruments see it."""
    actuators, vehicle = plant.state["actuators"], plant.vehicle
    return Moment(
        look.time_s, look.position_n, look.quaternion, look.nu, look.around.velocity_n,
        look.around.below_m if surface else math.nan, look.altitude_m, look.around.wet_share,
        actuators["thruster"][: len(vehicle.thrusters)].copy(), actuators["surface"][: len(vehicle.surfaces)].copy(),
        power_w, flooded_kg,
    )  # fmt: skip


def moment_between(last: Moment, plant: Plant, time_s: float) -> Moment:
    """An instant between two control ticks: the motion is exact, water and actuators are those of the last tick."""
    row = plant.motion_row()
    sunk_m = float(row[2]) - float(last.position_n[2])
    return Moment(
        time_s, row[0:3], row[3:7], row[7:13], last.water_n, last.below_m + sunk_m, last.altitude_m - sunk_m,
        last.wet_share, last.thrusters, last.surfaces, last.power_w, last.flooded_kg,
    )  # fmt: skip


def _rows(w: float, x: float, y: float, z: float) -> tuple[tuple[float, ...], ...]:
    """Rotation from body to NED of a unit quaternion, in plain numbers: quicker than arrays for one."""
    return (
        (w * w + x * x - y * y - z * z, 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)),
        (2.0 * (x * y + w * z), w * w - x * x + y * y - z * z, 2.0 * (y * z - w * x)),
        (2.0 * (x * z - w * y), 2.0 * (y * z + w * x), w * w - x * x - y * y + z * z),
    )
