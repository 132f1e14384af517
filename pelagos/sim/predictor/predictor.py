"""Predictor of a vehicle's motion for its own software: from a state and commands to the states over a horizon.

Brutzman (1994), chapter 6 J: "it may be computationally feasible to embed them in the robot execution logic as an
onboard hydrodynamics response predictor for improved physical control".

The motion is that of `Simulation`: the same records, the same compiled kernel, the same steps. There is no server, no
clock and no log. Assumptions about what a robot does not measure:

- Actuators whose position is not given start at their first command. An actuator with a lag T in fact still has to get
  there, so that the prediction is early by about T seconds: give the positions if they are known. Ballast is slow and
  starts at the initial value of the vehicle's file.
- The world is what the robot knows of the water: calm and without bottom, or the world given. `current_n` replaces its
  uniform current for one prediction, for a robot that has measured the current.
- Damage, tethers, other vehicles and external wrenches are neglected.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Mapping
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pelagos import frames
from pelagos.checks import numbers
from pelagos.engine.core import layout as lay
from pelagos.engine.core.integrate import ADAPTIVE, METHODS
from pelagos.errors import CommandError, DivergedError
from pelagos.messages import VehicleState
from pelagos.sim import inputs
from pelagos.sim.predictor.command_times import CommandTimes, command_times
from pelagos.sim.predictor.prediction import ActuatorCommands, PredictedState, Prediction
from pelagos.sim.predictor.state_input import Positions, StartState, start_state
from pelagos.sim.stepping import ALMOST, largest_force
from pelagos.vehicle.spec import Vehicle
from pelagos.world.spec import World

MOST_STEPS = 10_000_000  # in one call of compiled code, which Ctrl-C cannot interrupt
MOST_STATES = 1_000_000  # more exceed the memory, or result from wrong units
STRAIGHT_S = 0.1  # interval of linear interpolation of a current that depends on time, as between control ticks
SEA_MARGIN_S = 600.0  # random currents are drawn at least this far ahead, so that repeated predictions draw them seldom
TIME = lay.STATE.offset("time")[0]
PLACE = slice(lay.STATE.offset("position")[0], lay.STATE.offset("position")[0] + 3)
Array = NDArray[np.float64]
State = Mapping[str, Any] | VehicleState | PredictedState


class Predictor:
    """Predicts the motion of a vehicle from a state and commands.

    Args:
        vehicle: a Vehicle, a library name or a file.
        world: the world as the robot knows it, a World, a library name or a file; the default is calm water without
            bottom.
        step_s: longest step of the integrator; default: from the vehicle's file. Longer is faster and less exact.
        integrator: a name from `engine.core.integrate.METHODS`; default: from the vehicle's file.
        kinematics: "quaternion" or "euler"; default: from the vehicle's file.
        user_force: FILE.py:FUNCTION, a compiled user force; see `pelagos.engine.core.extend`.

    A prediction changes neither its arguments nor later predictions. Use one predictor per thread.
    """

    def __init__(
        self,
        vehicle: Vehicle | str | os.PathLike[str],
        world: World | str | os.PathLike[str] | None = None,
        *,
        step_s: float | None = None,
        integrator: str | None = None,
        kinematics: str | None = None,
        user_force: str | None = None,
    ) -> None:
        self.vehicle = inputs.resolve_vehicle(vehicle)
        self.world = inputs.resolve_world(world)
        self.step_s = inputs.positive("step_s", self.vehicle.step_s if step_s is None else step_s)
        self.integrator = inputs.resolve_integrator(self.vehicle, integrator)
        self._plant = inputs.make_plant(self.vehicle, self.world, kinematics, user_force)
        self.kinematics = "euler" if self._plant.euler_angles else "quaternion"
        self._sea_until_s = -1.0
        self._fresh = self._plant.save()  # restored before each prediction, so that none affects the next

    def __repr__(self) -> str:
        return f"Predictor of {self.vehicle.key}: {self.integrator}, step {self.step_s:g} s"

    def predict(
        self,
        state: State,
        commands: CommandTimes = None,
        horizon_s: float = 10.0,
        *,
        every_s: float = 0.1,
        actuators: Positions | None = None,
        current_n: ArrayLike | None = None,
    ) -> Prediction:
        """Predict the motion over a horizon.

        Args:
            state: values by column name of the log (`depth_m`, `heading_deg`, `surge_m_s`, `surface_rudder_deg`, ...;
                also a whole row of a log), a `VehicleState` or an `Estimate`, the result of `Simulation.save()`, or a
                `PredictedState` of another prediction.
            commands: constant commands by name with a unit as for `Simulation.thrust` ({"rudder_deg": 5}), or an
                `Actuation`; or a list of (seconds from the start, commands). Actuators that are not named keep their
                last command; if that is unknown it is zero, for ballast its present value.
            horizon_s: length of the prediction, s.
            every_s: interval between predicted states; the first is the start, the last the end of the horizon. If it
                equals the control interval of a simulation, the prediction equals the simulation bit for bit.
            actuators: positions of actuators that the state lacks, by column name of the log or by group
                ({"surfaces": {"rudder_deg": 5}}), as in messages of the robot link.
            current_n: uniform current north, east, down, m/s, instead of that of the world: see `current_of`.

        Raises:
            CommandError: if an argument is invalid.
            DivergedError: if the motion is no longer finite.
        """
        return self.predict_many(
            state, [commands], horizon_s, every_s=every_s, actuators=actuators, current_n=current_n
        )[0]  # fmt: skip

    def predict_many(
        self,
        state: State,
        candidates: Iterable[CommandTimes],
        horizon_s: float = 10.0,
        *,
        every_s: float = 0.1,
        actuators: Positions | None = None,
        current_n: ArrayLike | None = None,
    ) -> list[Prediction]:
        """Predict the motion from one state for each of several candidate commands; arguments as for `predict`."""
        horizon, every = inputs.positive("horizon_s", horizon_s), inputs.positive("every_s", every_s)
        if horizon / every > MOST_STATES:
            key = f"number of states, one every {every:g} s for {horizon:g} s"
            raise CommandError(key=key, value=float(f"{horizon / every:.0f}"), expected=f"at most {MOST_STATES}")
        current = None if current_n is None else numbers("current_n", current_n, 3)
        start = start_state(state, self._plant, self.world.surface, actuators)
        self._check_start(start)
        begin_s = float(start.row[TIME])
        self._cover(begin_s, horizon, start)
        return [self._predict_from(start, commands, Times(begin_s, horizon, every), current) for commands in candidates]

    @staticmethod
    def current_of(state: VehicleState) -> NDArray[np.float64]:
        """Current, NED, m/s, from the velocities of a state: over ground minus through the water."""
        R_nb = frames.rotation_from_euler(state.roll, state.pitch, state.yaw)
        return R_nb @ (state.nu[:3] - state.nu_r[:3])

    def _check_start(self, start: StartState) -> None:
        """Raise an error for a start below the bottom, from which no contact force would lift the vehicle."""
        north, east, depth = start.row[PLACE].tolist()
        bottom = float(self.world.bottom_m(north, east))
        if depth > bottom:
            raise CommandError(f"the water is {bottom:g} m deep at that place", key="state depth_m", value=depth)

    def _predict_from(
        self, start: StartState, commands: CommandTimes, times: Times, current_n: Array | None
    ) -> Prediction:
        """Predict the motion for one candidate, with one call of the kernel for each piece of time."""
        plant, kept = self._plant, times.kept
        steps = command_times(commands, self.vehicle, start.commands)
        steady = current_n is not None or self.world.current is None
        plant.restore({**self._fresh, "state": start.row, "next_step": start.next_step})
        self._set_current(current_n, times.at(0.0), None)
        self._command(steps[0][1])
        if not start.exact:
            self._assume(start)
        rows, next_steps = np.empty((len(kept), start.row.size)), [0.0] * len(kept)
        kept_commands = [steps[0][1]] * len(kept)
        rows[0], next_steps[0] = plant.rows.state, start.next_step
        due, adaptive = 1, METHODS[self.integrator] == ADAPTIVE
        for k in range(1, len(kept)):
            for begin_s, end_s, seconds in times.pieces(k, [at_s for at_s, _ in steps], steady):
                while due < len(steps) and steps[due][0] <= begin_s + ALMOST:
                    self._command(steps[due][1])
                    due += 1
                if not steady:
                    self._set_current(current_n, times.at(begin_s), (times.at(end_s), seconds))
                n_steps = self._n_steps(seconds)
                done = plant.advance(seconds / n_steps, n_steps, self.integrator)
                if done < n_steps:
                    time_s = times.at(begin_s) + done * seconds / n_steps
                    raise DivergedError(time_s, largest_force(plant, seconds / n_steps), {})
            rows[k], kept_commands[k] = plant.rows.state, steps[due - 1][1]
            # Only the adaptive method changes its next step, and `save` copies the whole plant.
            next_steps[k] = plant.save()["next_step"] if adaptive else start.next_step
        absolute = np.array([times.at(t) for t in kept])
        return Prediction(self.vehicle, self.world, self.kinematics, absolute, rows, next_steps, kept_commands)

    def _n_steps(self, seconds: float) -> int:
        count = max(1, math.ceil(seconds / self.step_s - ALMOST))
        if count > MOST_STEPS:
            key = f"number of steps for {seconds:g} s"
            raise CommandError(key=key, value=count, expected=f"at most {MOST_STEPS}")
        return count

    def _command(self, commands: ActuatorCommands) -> None:
        self._plant.set_actuators(
            thrusters=commands.thrusters, surfaces=commands.surfaces, ballast=commands.ballast
        )  # fmt: skip

    def _assume(self, start: StartState) -> None:
        """Put actuators of unknown position to their commands; set held velocities relative to the water."""
        plant = self._plant
        thrusters, surfaces = (list(which) for which in start.assumed)
        if thrusters or surfaces:
            here = plant.state["actuators"].copy()
            plant.settle_actuators()
            reached = plant.state["actuators"]
            here["thruster"][thrusters] = reached["thruster"][thrusters]
            here["surface"][surfaces] = reached["surface"][surfaces]
            plant.state["actuators"] = here
        plant.hold_in_water()

    def _set_current(self, current_n: Array | None, begin_s: float, until: tuple[float, float] | None) -> None:
        """Set the uniform current at a time, and its rate of change up to (another time, after so many seconds)."""
        water = self._plant.water
        water["current"] = self.world.current_n(begin_s) if current_n is None else current_n
        if until is not None:
            end_s, seconds = until
            water["current_dot"] = (self.world.current_n(end_s) - water["current"]) / seconds

    def _cover(self, begin_s: float, horizon_s: float, start: StartState) -> None:
        """Pack the world for the kernel, with its random currents drawn at least to the end of the horizon."""
        until_s = begin_s + horizon_s
        if self.world.currents:  # the check needs the position of the start
            self._plant.restore({**self._fresh, "state": start.row})
            inputs.check_current_cover(self.world, until_s, self._plant)
        if until_s > self._sea_until_s:
            self._sea_until_s = 2.0 * until_s + SEA_MARGIN_S
            gravity = float(self._plant.water["gravity"])
            self._plant.set_sea(self.world.packed(gravity_m_s2=gravity, until_s=self._sea_until_s))


class Times:
    """Times of the states of a prediction and the pieces between them, in seconds since its start."""

    def __init__(self, begin_s: float, horizon_s: float, every_s: float) -> None:
        self.begin_s, self.horizon_s, self.every_s = begin_s, horizon_s, every_s
        # Times are counted in whole intervals, as a simulation counts its ticks, so that both round alike.
        self._rate_hz = 1.0 / every_s
        ticks = begin_s * self._rate_hz
        self._first = round(ticks) if abs(ticks - round(ticks)) < 1e-6 else None
        n = max(1, math.ceil(horizon_s / every_s - ALMOST))
        self.kept = [*(k / self._rate_hz for k in range(n)), horizon_s]

    def at(self, since_s: float) -> float:
        """Absolute time."""
        tick = round(since_s * self._rate_hz)
        if self._first is not None and abs(since_s * self._rate_hz - tick) < ALMOST:
            return (self._first + tick) / self._rate_hz
        return self.begin_s + since_s

    def pieces(self, k: int, changes: list[float], steady: bool) -> list[tuple[float, float, float]]:
        """(begin, end, length) of the pieces of the k-th interval, divided where commands change."""
        begin, end = self.kept[k - 1], self.kept[k]
        near = ALMOST * self.every_s
        # A full interval has exactly the length of a control interval; end - begin would differ in the last bits.
        whole = abs(end - begin - self.every_s) < 1e3 * near
        cuts = [at_s for at_s in changes if begin + near < at_s < end - near]
        if not steady and not cuts and end - begin > STRAIGHT_S * (1.0 + ALMOST):
            parts = math.ceil((end - begin) / STRAIGHT_S - ALMOST)
            cuts = [begin + (end - begin) * i / parts for i in range(1, parts)]
        if not cuts:
            return [(begin, end, self.every_s if whole else end - begin)]
        return [(a, b, b - a) for a, b in pairwise([begin, *cuts, end])]
