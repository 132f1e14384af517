"""Columns of the log: names with units, the sampler of those that every vehicle has, and those of its equipment."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from pelagos.messages import Setpoint
from pelagos.sim import inputs
from pelagos.sim import tether as towing
from pelagos.sim.commands import LOG_UNIT
from pelagos.sim.true_state import TrueState
from pelagos.vehicle.plant import Plant
from pelagos.vehicle.spec import Vehicle

if TYPE_CHECKING:
    from pelagos.sim.simulation import Simulation

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
SETPOINT_NAMES = tuple(name.removeprefix("cmd_") for name in SETPOINT_COLUMNS)
SPEED = len(MOTION_COLUMNS) + SETPOINT_COLUMNS.index("cmd_speed_m_s")
DEGREES = 180.0 / math.pi


def _columns_between(first: str, last: str) -> slice:
    """The slice of a row from one motion column to another, both included."""
    return slice(MOTION_COLUMNS.index(first), MOTION_COLUMNS.index(last) + 1)


TIME = MOTION_COLUMNS.index("time_s")
POSITION = _columns_between("north_m", "depth_m")
EULER = _columns_between("roll_deg", "heading_deg")
QUATERNION = _columns_between("q0", "q3")
VELOCITY = _columns_between("surge_m_s", "yaw_rate_deg_s")
RATES = _columns_between("roll_rate_deg_s", "yaw_rate_deg_s")
CURRENT = _columns_between("current_north_m_s", "current_down_m_s")
SURROUNDINGS = _columns_between("below_surface_m", "contact_with")
SETPOINTS = slice(len(MOTION_COLUMNS), len(MOTION_COLUMNS) + len(SETPOINT_COLUMNS))


def columns(vehicle: Vehicle) -> tuple[str, ...]:
    """Names of the log's columns: motion, setpoints, position of each actuator, command of each actuator."""
    positions = [
        *(f"thruster_{t.name}_{'N' if t.lag_on == 'thrust' else LOG_UNIT[t.drive][0]}" for t in vehicle.thrusters),
        *(f"surface_{s.name}_deg" for s in vehicle.surfaces),
        *(f"ballast_{b.name}_{b.unit}" for b in vehicle.ballast),
    ]
    commands = [
        *(f"cmd_thruster_{t.name}_{LOG_UNIT[t.drive][0]}" for t in vehicle.thrusters),
        *(f"cmd_surface_{s.name}_deg" for s in vehicle.surfaces),
        *(f"cmd_ballast_{b.name}_{b.unit}" for b in vehicle.ballast),
    ]
    return (*MOTION_COLUMNS, *SETPOINT_COLUMNS, *positions, *commands)


def compass(yaw_deg: float) -> float:
    """Heading in [0, 360) deg."""
    heading = yaw_deg % 360.0
    # A yaw of -1e-15 would give 360 - 1e-15, and rounding would flip the column between 0 and 360.
    return 0.0 if heading > 360.0 - 1e-9 else heading


class Sampler:
    """Fills rows of the log for one vehicle.

    `current` is the velocity of the water at the vehicle, waves included; `contact_with` is the number of the structure
    touched during the last interval, -1 for the seabed, -3 for another vehicle, NaN for no contact; `altitude_m` is NaN
    without a bottom, `below_surface_m` without a surface, a setpoint where none is held.

    `parts` are the slices of actuator positions, then commands, each of thrusters, surfaces and ballast; `scales` are
    the factors from SI to the units of these columns.
    """

    def __init__(self, plant: Plant, surface: bool) -> None:
        vehicle = plant.vehicle
        self._plant, self._surface = plant, surface
        self.width = len(columns(vehicle))
        self._counts = counts = (len(vehicle.thrusters), len(vehicle.surfaces), len(vehicle.ballast))
        position_scales = [1.0 if t.lag_on == "thrust" else LOG_UNIT[t.drive][1] for t in vehicle.thrusters]
        command_scales = [LOG_UNIT[t.drive][1] for t in vehicle.thrusters]
        rest_scales = [DEGREES] * counts[1] + [1.0] * counts[2]
        self.scales = np.array(position_scales + rest_scales + command_scales + rest_scales)
        first, ends = SETPOINTS.stop, [0]
        for n in counts + counts:
            ends.append(ends[-1] + n)
        self.parts = [slice(first + a, first + b) for a, b in pairwise(ends)]

    def fill(self, row: NDArray[np.float64], true_state: TrueState, setpoint: Setpoint) -> None:
        """Write the values of `columns` to the beginning of a row."""
        roll, pitch, yaw = true_state.euler
        local_water, touch = true_state.local_water, self._plant.state["touch"]
        row[TIME] = true_state.time_s
        row[POSITION] = true_state.position_n
        row[EULER] = roll * DEGREES, pitch * DEGREES, compass(yaw * DEGREES)
        row[QUATERNION] = true_state.quaternion
        row[VELOCITY] = true_state.nu
        row[RATES] *= DEGREES
        row[CURRENT] = local_water.velocity_n
        x, y, z = touch["wrench"][:3].tolist()
        row[SURROUNDINGS] = (
            local_water.below_m if self._surface else math.nan,
            true_state.altitude_m,
            local_water.wet_share,
            math.sqrt(x * x + y * y + z * z),
            float(touch["obstacle"]) if touch["count"] > 0 else math.nan,
        )
        row[SETPOINTS] = [math.nan if (v := getattr(setpoint, name)) is None else v for name in SETPOINT_NAMES]
        if setpoint.north_m is not None:
            row[SPEED] = math.nan  # with a place it limits the speed of approach and is not held
        positions, commands = self._plant.state["actuators"], self._plant.command["actuators"]
        nt, ns, nb = self._counts
        a, b, c, d, e, f = self.parts
        if nt:
            row[a], row[d] = positions["thruster"][:nt], commands["thruster"][:nt]
        if ns:
            row[b], row[e] = positions["surface"][:ns], commands["surface"][:ns]
        if nb:
            row[c], row[f] = positions["ballast"][:nb], commands["ballast"][:nb]
        row[SETPOINTS.stop : self.width] *= self.scales


def columns_of(sim: Simulation) -> tuple[str, ...]:
    """Names of the columns of a simulation: those of the vehicle, its tether, sensors, faults and controller."""
    more: list[str] = []
    if sim.tether:
        more += towing.TETHER_COLUMNS
    if sim.sensing:
        more += sim.sensing.columns
    if sim.faults:
        more += sim.faults.columns
    return (*columns(sim.vehicle), *more, *getattr(sim.controller, "columns", ()))


def equipment_values(sim: Simulation) -> Iterator[Sequence[float] | NDArray[np.float64]]:
    """The values after those of the vehicle, in the sequence of `columns_of`."""
    if sim.tether:
        yield towing.tether_values(sim.tether)
    if sim.sensing:
        yield sim.sensing.values()
    if sim.faults:
        yield sim.faults.values()
    if getattr(sim.controller, "columns", ()):
        yield inputs.logged_values(sim.controller)
