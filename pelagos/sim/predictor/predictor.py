"""The model inside the robot: a state and orders in, predicted states over a horizon out. No server, no clock, no log.

Brutzman (1994), chapter 6 J: "it may be computationally feasible to embed them in the robot execution logic as an
onboard hydrodynamics response predictor for improved physical control".

The motion is that of `Simulation`: the same records, the same compiled kernel, the same steps; nothing is modelled
twice. What a robot does not know is assumed, and said here:

- Actuators. A `VehicleState` or numbers by name say nothing of propellers and rudders unless they are given: those are
then
  taken to be where the first orders want them. An actuator with lag T has in truth still to get there, which costs
  about T seconds of its effect: give the positions if you know them. Ballast is slow and is taken to be where the
  vehicle's file starts it.
- The sea. The world of the predictor is what the robot believes: calm and endless, or the one given. `current_n`
  replaces its uniform current for one prediction, for a robot that has measured the water.
- Damage, tethers, other vehicles and a user's own wrench are not known to it.
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
from pelagos.sim.predictor.order_times import OrderTimes, order_times
from pelagos.sim.predictor.prediction import Demands, PredictedState, Prediction
from pelagos.sim.predictor.state_input import KnownState, Positions, known_state
from pelagos.sim.stepping import ALMOST, largest_force
from pelagos.vehicle.spec import Vehicle
from pelagos.world.spec import World

MOST_STEPS = 10_000_000  # in one call of compiled code, which does not hear Ctrl-C
MOST_STATES = 1_000_000  # more is a slip of units, or memory
STRAIGHT_S = 0.1  # a current that is a function of time is a straight line for so long, as between control ticks
TIME = lay.STATE.offset("time")[0]
PLACE = slice(lay.STATE.offset("position")[0], lay.STATE.offset("position")[0] + 3)
Array = NDArray[np.float64]
State = Mapping[str, Any] | VehicleState | PredictedState


class Predictor:
    """A vehicle in the sea as its own robot imagines it.

    Args:
        vehicle: a Vehicle, a library name or a file.
        world: what the robot believes of the sea: a World, a library name or a file; calm and endless if not given.
        step_s: longest step of the integrator; the vehicle file's if not given. Longer is cheaper, and less exact.
        integrator: a name from `engine.core.integrate.METHODS`; the vehicle file's if not given.
        kinematics: "quaternion" or "euler"; the vehicle file's if not given.
        user_force: FILE.py:FUNCTION, a compiled force of your own; see `pelagos.engine.core.extend`.

    A prediction never changes what it was given, and leaves nothing behind in the predictor. One object serves one
    thread: make one for each.
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
        self._fresh = self._plant.save()

    def __repr__(self) -> str:
        return f"Predictor of {self.vehicle.key}: {self.integrator}, step {self.step_s:g} s"

    def predict(
        self,
        state: State,
        orders: OrderTimes = None,
        horizon_s: float = 10.0,
        *,
        every_s: float = 0.1,
        actuators: Positions | None = None,
        current_n: ArrayLike | None = None,
    ) -> Prediction:
        """Where the vehicle will be.

        Args:
            state: by the names of the log (`depth_m`, `heading_deg`, `surge_m_s`, `surface_rudder_deg`, ...; a whole
                line of a log will do), a `VehicleState` or an `Estimate`, what `Simulation.save()` returned, or a
                `PredictedState` of another prediction.
            orders: held over the horizon, by name with a unit as `Simulation.thrust` takes them ({"rudder_deg": 5}),
                or an `Actuation`; or a list of (seconds from the start, orders). What is not named stays as it was
                told last; where nobody knows that, it is at zero, ballast where it is.
            horizon_s: how far to look ahead, s.
            every_s: how often a state is kept; the first is the start, the last the horizon. With the control
                interval of a simulation the steps are the same, and so is every bit.
            actuators: where actuators are, by the names of the log, for a state that does not say it; or by group
                ({"surfaces": {"rudder_deg": 5}}), as the robot link tells them.
            current_n: uniform current north, east, down, m/s, in place of the world's: see `current_of`.

        Raises:
            CommandError: for what cannot be understood, in one sentence.
            DivergedError: if the motion leaves the range of finite numbers.
        """
        return self.predict_many(
            state, [orders], horizon_s, every_s=every_s, actuators=actuators, current_n=current_n
        )[0]  # fmt: skip

    def predict_many(
        self,
        state: State,
        candidates: Iterable[OrderTimes],
        horizon_s: float = 10.0,
        *,
        every_s: float = 0.1,
        actuators: Positions | None = None,
        current_n: ArrayLike | None = None,
    ) -> list[Prediction]:
        """The same start with each of several orders: what to choose from. Arguments as of `predict`."""
        horizon, every = inputs.positive("horizon_s", horizon_s), inputs.positive("every_s", every_s)
        if horizon / every > MOST_STATES:
            raise CommandError(
                f"{horizon:g} s every {every:g} s are {horizon / every:.0f} states", expected=f"at most {MOST_STATES}"
            )
        flow = None if current_n is None else numbers("current_n", current_n, 3)
        known = known_state(state, self._plant, self.world.surface, actuators)
        self._check_start(known)
        begin_s = float(known.row[TIME])
        self._cover(begin_s, horizon, known)
        return [self._one(known, orders, Times(begin_s, horizon, every), flow) for orders in candidates]

    @staticmethod
    def current_of(state: VehicleState) -> NDArray[np.float64]:
        """The water's velocity, NED, m/s, that a motion tells: over ground less through the water."""
        turn = frames.rotation_from_euler(state.roll, state.pitch, state.yaw)
        return turn @ (state.nu[:3] - state.nu_r[:3])

    # ---- details -------------------------------------------------------------------------------------------------

    def _check_start(self, known: KnownState) -> None:
        """Refuse a start under the bottom: nothing would bring the vehicle up through it."""
        north, east, depth = known.row[PLACE].tolist()
        bottom = float(self.world.bottom_m(north, east))
        if depth > bottom:
            raise CommandError(f"the water is {bottom:g} m deep at that place", key="state depth_m", value=depth)

    def _one(self, known: KnownState, orders: OrderTimes, times: Times, flow: Array | None) -> Prediction:
        """One prediction: pieces of time, one call of the kernel each."""
        plant, kept = self._plant, times.kept
        steps = order_times(orders, self.vehicle, known.demands)
        steady = flow is not None or self.world.current is None
        plant.restore({**self._fresh, "state": known.row, "next_step": known.next_step})
        self._flow(flow, times.at(0.0), None)
        self._order(steps[0][1])
        if not known.whole:
            self._assume(known)
        rows, next_steps, told = np.empty((len(kept), known.row.size)), [0.0] * len(kept), [steps[0][1]] * len(kept)
        rows[0], next_steps[0] = plant.rows.state, known.next_step
        due, adaptive = 1, METHODS[self.integrator] == ADAPTIVE
        for k in range(1, len(kept)):
            for begin_s, end_s, seconds in times.pieces(k, [at_s for at_s, _ in steps], steady):
                while due < len(steps) and steps[due][0] <= begin_s + ALMOST:
                    self._order(steps[due][1])
                    due += 1
                if not steady:
                    self._flow(flow, times.at(begin_s), (times.at(end_s), seconds))
                n_steps = self._n_steps(seconds)
                done = plant.advance(seconds / n_steps, n_steps, self.integrator)
                if done < n_steps:
                    time_s = times.at(begin_s) + done * seconds / n_steps
                    raise DivergedError(time_s, largest_force(plant, seconds / n_steps), {})
            rows[k], told[k] = plant.rows.state, steps[due - 1][1]
            next_steps[k] = plant.save()["next_step"] if adaptive else known.next_step
        absolute = np.array([times.at(t) for t in kept])
        return Prediction(self.vehicle, self.world, self.kinematics, absolute, rows, next_steps, told)

    def _n_steps(self, seconds: float) -> int:
        count = max(1, math.ceil(seconds / self.step_s - ALMOST))
        if count > MOST_STEPS:
            raise CommandError(f"{seconds:g} s would take {count:.3g} steps", expected=f"at most {MOST_STEPS}")
        return count

    def _order(self, demands: Demands) -> None:
        self._plant.set_actuators(
            thrusters=demands.thrusters, surfaces=demands.surfaces, ballast=demands.ballast
        )  # fmt: skip

    def _assume(self, known: KnownState) -> None:
        """Actuators that nobody knows of stand where they are told to; held velocities are held through the water."""
        plant = self._plant
        thrusters, surfaces = (list(which) for which in known.assumed)
        if thrusters or surfaces:
            here = plant.state["actuators"].copy()
            plant.settle_actuators()
            reached = plant.state["actuators"]
            here["thruster"][thrusters] = reached["thruster"][thrusters]
            here["surface"][surfaces] = reached["surface"][surfaces]
            plant.state["actuators"] = here
        plant.hold_in_water()

    def _flow(self, flow: Array | None, begin_s: float, until: tuple[float, float] | None) -> None:
        """Uniform current now, and its rate up to another time."""
        water = self._plant.water
        water["current"] = self.world.current_n(begin_s) if flow is None else flow
        if until is not None:
            end_s, seconds = until
            water["current_dot"] = (self.world.current_n(end_s) - water["current"]) / seconds

    def _cover(self, begin_s: float, horizon_s: float, known: KnownState) -> None:
        """The sea as the kernel reads it, with its random currents drawn to the end of the horizon."""
        until_s = begin_s + horizon_s
        if self.world.currents:
            self._plant.restore({**self._fresh, "state": known.row})
            inputs.check_current_cover(self.world, until_s, self._plant)
        if until_s > self._sea_until_s:
            self._sea_until_s = 2.0 * until_s + 600.0
            gravity = float(self._plant.water["gravity"])
            self._plant.set_sea(self.world.packed(gravity_m_s2=gravity, until_s=self._sea_until_s))


class Times:
    """When a prediction keeps a state, and where it has to stop in between; seconds since its start."""

    def __init__(self, begin_s: float, horizon_s: float, every_s: float) -> None:
        self.begin_s, self.horizon_s, self.every_s = begin_s, horizon_s, every_s
        # whole intervals are counted, as a simulation counts its ticks, so that both read the same clock
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
        """(begin, end, length) of the parts of the k-th interval, divided where orders change."""
        begin, end = self.kept[k - 1], self.kept[k]
        near = ALMOST * self.every_s
        whole = abs(end - begin - self.every_s) < 1e3 * near
        cuts = [at_s for at_s in changes if begin + near < at_s < end - near]
        if not steady and not cuts and end - begin > STRAIGHT_S * (1.0 + ALMOST):
            parts = math.ceil((end - begin) / STRAIGHT_S - ALMOST)
            cuts = [begin + (end - begin) * i / parts for i in range(1, parts)]
        if not cuts:
            return [(begin, end, self.every_s if whole else end - begin)]
        return [(a, b, b - a) for a, b in pairwise([begin, *cuts, end])]
