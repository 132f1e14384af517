"""Result of a predictor: states over a horizon as columns of the log; each can start another prediction."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pelagos import frames
from pelagos.engine.core import layout as lay
from pelagos.errors import CommandError, one_of
from pelagos.sim.columns import DEGREES, MOTION, actuator_columns, compass
from pelagos.vehicle.spec import Vehicle
from pelagos.world.spec import World

Array = NDArray[np.float64]
# The motion columns but those of the water, which a prediction does not keep.
PREDICTED = tuple(name for name in MOTION if not name.startswith(("current_", "below_", "wet_")))


@dataclass(frozen=True, eq=False)
class ActuatorCommands:
    """Commands of all actuators in the sequence of the vehicle's file, SI."""

    thrusters: Array
    surfaces: Array
    ballast: Array


@dataclass(frozen=True, eq=False)
class PredictedState:
    """The complete state of a prediction at one instant; a predictor continues from it bit for bit."""

    vehicle: str
    kinematics: str
    row: Array  # the state record of the engine
    next_step: float  # s, of the adaptive integrator
    commands: ActuatorCommands


class Prediction:
    """Predicted states: `prediction["heading_deg"]` is an array over `prediction.time_s`, from the start on.

    Columns have the names, units and signs of the log. Each is computed at its first use, because most callers need
    one or two.
    """

    def __init__(
        self,
        vehicle: Vehicle,
        world: World,
        kinematics: str,
        times: Array,
        rows: Array,
        next_steps: list[float],
        commands: list[ActuatorCommands],
    ) -> None:
        self.vehicle, self.kinematics = vehicle, kinematics
        self.time_s = times
        self._world, self._rows, self._next_steps, self._commands = world, rows, next_steps, commands
        self._states = rows.view(lay.STATE.dtype)[:, 0]
        self._actuators = actuator_columns(vehicle)
        self.columns = (*PREDICTED, *self._actuators)
        self._made: dict[str, Array] = {"time_s": times}  # columns computed so far

    def __len__(self) -> int:
        return len(self.time_s)

    def __repr__(self) -> str:
        span = f"{self.time_s[0]:g} to {self.time_s[-1]:g} s"
        return f"Prediction of {self.vehicle.key}: {len(self)} states from {span}, {len(self.columns)} columns"

    def __getitem__(self, name: str) -> Array:
        """A column over the horizon."""
        if name not in self._made:
            if name not in self.columns:
                names = self.columns
                raise CommandError("a prediction has no column", value=name, expected=one_of(names), names=names)
            self._make(name)
        return self._made[name]

    def at(self, index: int = -1) -> dict[str, float]:
        """One state by column name, by default the last; `Predictor.predict` accepts it."""
        return {name: float(self[name][index]) for name in self.columns}

    def instant(self, index: int = -1) -> PredictedState:
        """One complete state, by default the last; a prediction from it continues bit for bit."""
        kept = range(len(self))[index]
        return PredictedState(
            self.vehicle.key, self.kinematics, self._rows[kept].copy(), self._next_steps[kept], self._commands[kept]
        )

    def _make(self, name: str) -> None:
        """Compute a column, and those that share its computation."""
        made, states = self._made, self._states
        if name in self._actuators:
            group, number, per = self._actuators[name]
            made[name] = states["actuators"][group.removesuffix("s")][:, number] * per
        elif MOTION[name].quantity in ("position_n", "nu"):
            quantity, number, per = MOTION[name]
            made[name] = states[quantity.removesuffix("_n")][:, number] * per
        elif name.startswith("contact"):
            touch = states["touch"]
            made["contact_N"] = np.linalg.norm(touch["wrench"][:, :3], axis=1)
            made["contact_with"] = np.where(touch["count"] > 0, touch["obstacle"], math.nan)
        elif name == "altitude_m":
            bottom = self._world.bottom_m(self["north_m"], self["east_m"])
            made[name] = np.where(np.isfinite(bottom), bottom - self["depth_m"], math.nan)
        else:
            self._make_attitude()

    def _make_attitude(self) -> None:
        attitude = self._states["attitude"]
        if self.kinematics == "euler":
            euler, quaternions = attitude[:, :3], frames.quaternion_from_euler(*attitude[:, :3].T)
        else:
            euler, quaternions = frames.euler_from_quaternion(attitude), attitude
        roll, pitch, yaw = DEGREES * euler.T
        self._made.update(roll_deg=roll, pitch_deg=pitch, heading_deg=compass(yaw))
        self._made.update(zip(("q0", "q1", "q2", "q3"), quaternions.T, strict=True))
