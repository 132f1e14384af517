"""What one line of the log holds: names with units, and their values at an instant."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from pelagos.messages import Setpoint
from pelagos.sim.commands import LOG_UNIT
from pelagos.sim.true_state import TrueState
from pelagos.vehicle.plant import Plant
from pelagos.vehicle.spec import Vehicle

MOTION_COLUMNS = (
    "time_s", "north_m", "east_m", "depth_m", "roll_deg", "pitch_deg", "heading_deg", "q0", "q1", "q2", "q3",
    "surge_m_s", "sway_m_s", "heave_m_s", "roll_rate_deg_s", "pitch_rate_deg_s", "yaw_rate_deg_s",
    "current_north_m_s", "current_east_m_s", "current_down_m_s",
    "below_surface_m", "altitude_m", "wet_share", "contact_N", "contact_with",
)  # fmt: skip
SETPOINT_COLUMNS = (
    "cmd_depth_m", "cmd_heading_deg", "cmd_speed_m_s", "cmd_pitch_deg", "cmd_roll_deg",
    "cmd_altitude_m", "cmd_north_m", "cmd_east_m",
)  # fmt: skip
HELD = tuple(name.removeprefix("cmd_") for name in SETPOINT_COLUMNS)
SPEED = len(MOTION_COLUMNS) + SETPOINT_COLUMNS.index("cmd_speed_m_s")
DEGREES = 180.0 / math.pi


def columns(vehicle: Vehicle) -> tuple[str, ...]:
    """Names of the log's columns: motion, setpoints, where each actuator is, what it was told."""
    actual = [
        *(f"thruster_{t.name}_{'N' if t.lag_on == 'thrust' else LOG_UNIT[t.drive][0]}" for t in vehicle.thrusters),
        *(f"surface_{s.name}_deg" for s in vehicle.surfaces),
        *(f"ballast_{b.name}_{b.unit}" for b in vehicle.ballast),
    ]
    demand = [
        *(f"cmd_thruster_{t.name}_{LOG_UNIT[t.drive][0]}" for t in vehicle.thrusters),
        *(f"cmd_surface_{s.name}_deg" for s in vehicle.surfaces),
        *(f"cmd_ballast_{b.name}_{b.unit}" for b in vehicle.ballast),
    ]
    return (*MOTION_COLUMNS, *SETPOINT_COLUMNS, *actual, *demand)


def compass(yaw_deg: float) -> float:
    """Heading from 0 up to 360 deg; a hair below north is north, so that rounding does not make it flip."""
    heading = yaw_deg % 360.0
    return 0.0 if heading > 360.0 - 1e-9 else heading


class Sampler:
    """Fills lines of the log for one vehicle.

    `current` is all motion of the water at the vehicle, waves included; `contact_with` is the number of the structure
    touched during the last interval, -1 for the seabed, -3 for another vehicle, NaN for nothing; `altitude_m` is NaN
    without a bottom, `below_surface_m` without a surface, a setpoint where none is held.
    """

    def __init__(self, plant: Plant, surface: bool) -> None:
        vehicle = plant.vehicle
        self._plant, self._surface = plant, surface
        self.width = len(columns(vehicle))
        self._counts = counts = (len(vehicle.thrusters), len(vehicle.surfaces), len(vehicle.ballast))
        lagged = [1.0 if t.lag_on == "thrust" else LOG_UNIT[t.drive][1] for t in vehicle.thrusters]
        told = [LOG_UNIT[t.drive][1] for t in vehicle.thrusters]
        rest = [DEGREES] * counts[1] + [1.0] * counts[2]
        self._per = np.array(lagged + rest + told + rest)
        first, ends = len(MOTION_COLUMNS) + len(SETPOINT_COLUMNS), [0]
        for n in counts + counts:
            ends.append(ends[-1] + n)
        self._first = first
        self._parts = [slice(first + a, first + b) for a, b in pairwise(ends)]

    def fill(self, row: NDArray[np.float64], look: TrueState, held: Setpoint) -> None:
        """Write the values of `columns` into the beginning of a row."""
        roll, pitch, yaw = look.euler
        around, touch = look.around, self._plant.state["touch"]
        row[0] = look.time_s
        row[1:4] = look.position_n
        row[4:7] = roll * DEGREES, pitch * DEGREES, compass(yaw * DEGREES)
        row[7:11] = look.quaternion
        row[11:17] = look.nu
        row[14:17] *= DEGREES
        row[17:20] = around.velocity_n
        x, y, z = touch["wrench"][:3].tolist()
        row[20:25] = (
            around.below_m if self._surface else math.nan,
            look.altitude_m,
            around.wet_share,
            math.sqrt(x * x + y * y + z * z),
            float(touch["what"]) if touch["count"] > 0 else math.nan,
        )
        row[25 : self._first] = [math.nan if (v := getattr(held, name)) is None else v for name in HELD]
        if held.north_m is not None:
            row[SPEED] = math.nan  # it is then the fastest way to the place, not a speed to hold
        actual, told = self._plant.state["actuators"], self._plant.command["demand"]
        nt, ns, nb = self._counts
        a, b, c, d, e, f = self._parts
        if nt:
            row[a], row[d] = actual["thruster"][:nt], told["thruster"][:nt]
        if ns:
            row[b], row[e] = actual["surface"][:ns], told["surface"][:ns]
        if nb:
            row[c], row[f] = actual["ballast"][:nb], told["ballast"][:nb]
        row[self._first : self.width] *= self._per
