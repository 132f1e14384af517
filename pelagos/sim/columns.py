"""Columns of the log: names with units, the sampler of those that every vehicle has, and those of its equipment.

The columns and their values are the same for one vehicle and for n: a `LoggedMotion` has numbers or arrays of n.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

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

DEGREES = 180.0 / math.pi
WHOLE, FORCE = -1, -2  # in place of a component: the quantity is one number; the magnitude of its first three


class ColumnSource(NamedTuple):
    """Where the value of a column comes from: a quantity in SI, its component, and the factor to the column's unit."""

    quantity: str  # of `LoggedMotion` and `Batch`
    component: int
    factor: float = 1.0


# The motion columns in their order.
MOTION: dict[str, ColumnSource] = {
    "time_s": ColumnSource("time_s", WHOLE),
    **{name: ColumnSource("position_n", i) for i, name in enumerate(("north_m", "east_m", "depth_m"))},
    **{name: ColumnSource("euler", i, DEGREES) for i, name in enumerate(("roll_deg", "pitch_deg", "heading_deg"))},
    **{f"q{i}": ColumnSource("quaternion", i) for i in range(4)},
    **{name: ColumnSource("nu", i) for i, name in enumerate(("surge_m_s", "sway_m_s", "heave_m_s"))},
    **{f"{name}_rate_deg_s": ColumnSource("nu", 3 + i, DEGREES) for i, name in enumerate(("roll", "pitch", "yaw"))},
    **{f"current_{name}_m_s": ColumnSource("current_n", i) for i, name in enumerate(("north", "east", "down"))},
    "below_surface_m": ColumnSource("below_m", WHOLE),
    "altitude_m": ColumnSource("altitude_m", WHOLE),
    "wet_share": ColumnSource("wet_share", WHOLE),
    "contact_N": ColumnSource("contact_n", FORCE),
    "contact_with": ColumnSource("contact_with", WHOLE),
}
MOTION_COLUMNS = tuple(MOTION)
SETPOINT_COLUMNS = (
    "cmd_depth_m", "cmd_heading_deg", "cmd_speed_m_s", "cmd_pitch_deg", "cmd_roll_deg",
    "cmd_altitude_m", "cmd_north_m", "cmd_east_m",
)  # fmt: skip
SETPOINT_NAMES = tuple(name.removeprefix("cmd_") for name in SETPOINT_COLUMNS)
SPEED = len(MOTION_COLUMNS) + SETPOINT_COLUMNS.index("cmd_speed_m_s")
NORTH = len(MOTION_COLUMNS) + SETPOINT_COLUMNS.index("cmd_north_m")


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


@dataclass(slots=True)
class LoggedMotion:
    """Motion and surroundings at one instant, for the motion columns; NaN for what is unknown or absent.

    Vectors are component first: a component is a number, or an array of n.
    """

    time_s: float
    position_n: Any
    euler: Any
    quaternion: Any
    nu: Any
    current_n: Any  # of the water at the vehicle, waves included
    below_m: Any  # NaN without a surface
    altitude_m: Any  # NaN without a bottom
    wet_share: Any
    contact_n: Any  # mean wrench over the last interval
    contact_with: Any  # number of the structure touched, -1 for the seabed, -3 for another vehicle, NaN for no contact


def actuator_columns(vehicle: Vehicle) -> dict[str, ColumnSource]:
    """Columns of the positions of the actuators; the quantities are groups of actuators."""
    units = [("N", 1.0) if t.lag_on == "thrust" else LOG_UNIT[t.drive] for t in vehicle.thrusters]
    return _columns_of(vehicle, "", units)


def command_columns(vehicle: Vehicle) -> dict[str, ColumnSource]:
    """Columns of the commands to the actuators; the quantities are groups of actuators."""
    return _columns_of(vehicle, "cmd_", [LOG_UNIT[t.drive] for t in vehicle.thrusters])


def _columns_of(vehicle: Vehicle, prefix: str, units: Sequence[tuple[str, float]]) -> dict[str, ColumnSource]:
    """Columns of all actuators, with the units and factors of the thrusters."""
    thrusters = {
        f"{prefix}thruster_{t.name}_{unit}": ColumnSource("thrusters", i, per)
        for i, (t, (unit, per)) in enumerate(zip(vehicle.thrusters, units, strict=True))
    }
    surfaces = {
        f"{prefix}surface_{s.name}_deg": ColumnSource("surfaces", i, DEGREES) for i, s in enumerate(vehicle.surfaces)
    }
    ballast = {f"{prefix}ballast_{b.name}_{b.unit}": ColumnSource("ballast", i) for i, b in enumerate(vehicle.ballast)}
    return thrusters | surfaces | ballast


def columns(vehicle: Vehicle) -> tuple[str, ...]:
    """Names of the log's columns: motion, setpoints, position of each actuator, command of each actuator."""
    return (*MOTION_COLUMNS, *SETPOINT_COLUMNS, *actuator_columns(vehicle), *command_columns(vehicle))


def held_values(setpoint: Setpoint) -> list[float]:
    """The values of SETPOINT_NAMES, NaN for those that are not held."""
    return [math.nan if (value := getattr(setpoint, name)) is None else value for name in SETPOINT_NAMES]


def compass(yaw_deg: Any) -> Any:
    """Heading in [0, 360) deg, of one vehicle or of n."""
    heading = yaw_deg % 360.0
    # A yaw of -1e-15 would give 360 - 1e-15, and rounding would flip the column between 0 and 360.
    return heading * (heading <= 360.0 - 1e-9)


def magnitude(x: Any, y: Any, z: Any) -> Any:
    """Length of a vector, of one vehicle or of n."""
    square = x * x + y * y + z * z
    return math.sqrt(square) if isinstance(square, float) else np.sqrt(square)


class Sampler:
    """Fills the columns of the log for one vehicle, or for n of one kind at once.

    A setpoint is NaN where none is held. `parts` are the slices of actuator positions, then commands, each of
    thrusters, surfaces and ballast; `scales` are the factors from SI to the units of these columns.
    """

    def __init__(self, plant: Plant, surface: bool) -> None:
        vehicle = plant.vehicle
        self._plant, self._surface = plant, surface
        self.width = len(columns(vehicle))
        self._counts = counts = (len(vehicle.thrusters), len(vehicle.surfaces), len(vehicle.ballast))
        sources = (*actuator_columns(vehicle).values(), *command_columns(vehicle).values())
        self.scales = np.array([source.factor for source in sources])
        first, ends = SETPOINTS.stop, [0]
        for n in counts + counts:
            ends.append(ends[-1] + n)
        self.parts = [slice(first + a, first + b) for a, b in pairwise(ends)]
        # those that the vehicle has, with the field of the plant's records and their number
        groups = [*zip(self.parts, ("thruster", "surface", "ballast") * 2, counts + counts, strict=True)]
        self._positions = [group for group in groups[:3] if group[2]]
        self._commands = [group for group in groups[3:] if group[2]]

    def fill(self, row: NDArray[np.float64], true_state: TrueState, setpoint: Setpoint) -> None:
        """Write the values of `columns` for the vehicle of the plant to the beginning of a row."""
        local_water, touch = true_state.local_water, self._plant.state["touch"]
        motion = LoggedMotion(
            true_state.time_s, true_state.position_n, true_state.euler, true_state.quaternion, true_state.nu,
            local_water.velocity_n, local_water.below_m if self._surface else math.nan, true_state.altitude_m,
            local_water.wet_share, touch["wrench"].tolist(),
            float(touch["obstacle"]) if touch["count"] > 0 else math.nan,
        )  # fmt: skip
        write_motion(row, motion, held_values(setpoint))
        if setpoint.north_m is not None:
            row[SPEED] = math.nan  # with a place it limits the speed of approach and is not held
        positions, commands = self._plant.state["actuators"], self._plant.command["actuators"]
        for part, name, n in self._positions:
            row[part] = positions[name][:n]
        for part, name, n in self._commands:
            row[part] = commands[name][:n]
        row[SETPOINTS.stop : self.width] *= self.scales

    def fill_rows(
        self, rows: NDArray[np.float64], motion: LoggedMotion, held: NDArray[np.float64], actuators: Sequence[Any]
    ) -> None:
        """Write the values of `columns` for n vehicles to the beginning of n rows.

        Args:
            rows: (n, width or more).
            motion: of the vehicles.
            held: their setpoints in the order of `SETPOINT_NAMES`, (n, 8).
            actuators: the values of `parts`, (n, k) each, SI.
        """
        write_motion(rows.T, motion, held.T)
        rows[np.isfinite(rows[:, NORTH]), SPEED] = math.nan
        for part, values in zip(self.parts, actuators, strict=True):
            rows[:, part] = values
        rows[:, SETPOINTS.stop : self.width] *= self.scales


def write_motion(by_column: NDArray[np.float64], motion: LoggedMotion, held: Any) -> None:
    """Write motion columns and setpoints, of one vehicle to (columns,) or of n to (columns, n)."""
    roll, pitch, yaw = motion.euler
    by_column[TIME] = motion.time_s
    by_column[POSITION] = motion.position_n
    by_column[EULER] = roll * DEGREES, pitch * DEGREES, compass(yaw * DEGREES)
    by_column[QUATERNION] = motion.quaternion
    by_column[VELOCITY] = motion.nu
    by_column[RATES] *= DEGREES
    by_column[CURRENT] = motion.current_n
    x, y, z = motion.contact_n[:3]
    by_column[SURROUNDINGS] = (
        motion.below_m, motion.altitude_m, motion.wet_share, magnitude(x, y, z), motion.contact_with
    )  # fmt: skip
    by_column[SETPOINTS] = held


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
