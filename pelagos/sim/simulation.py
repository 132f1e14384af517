"""One vehicle, one sea, one controller: the loop that everything else runs.

`tick` is the whole of it: look, control, advance, raise if failed, look again.
"""

from __future__ import annotations

import copy
import math
import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pelagos.control.base import Controller
from pelagos.control.hold_monitor import HoldMonitor
from pelagos.control.pilot.numerical_hold import NumericalHold, hold_state
from pelagos.errors import CommandError
from pelagos.estimation.base import Estimator
from pelagos.messages import Actuation, Event, Setpoint, VehicleState
from pelagos.sensors.base import Sensor
from pelagos.sim import inputs, loop
from pelagos.sim import tether as towing
from pelagos.sim.columns import Sampler
from pelagos.sim.commands import DirectControl, saturation
from pelagos.sim.contacts import Contacts
from pelagos.sim.faults.effects import Faults
from pelagos.sim.faults.kinds import Fault
from pelagos.sim.log.log import Log
from pelagos.sim.metadata import Logged
from pelagos.sim.moving_obstacles import surroundings
from pelagos.sim.sensing import Sensing, resolve_sensors
from pelagos.sim.stepping import Stepping, diverged
from pelagos.sim.true_state import TrueState, true_state_of
from pelagos.tether.spec import Tether
from pelagos.vehicle.spec import Vehicle
from pelagos.world.spec import World

# what changes beside the plant, tether and instruments
CHANGING = (
    "controller", "_external", "_orders", "_actuation", "_ticks", "rng", "events", "_saturated", "faults", "_monitor",
)  # fmt: skip


class Simulation(Logged):
    """A vehicle in the sea, told what to do.

    Args:
        vehicle: a Vehicle, a library name or a file.
        world: the sea, a World, a library name or a file; calm and endless if not given.
        seed: of every random draw; always in the log.
        integrator: a name from `engine.core.integrate.METHODS`; the vehicle file's if not given.
        step_s: longest step; each control interval is divided into equal ones. The vehicle file's if not given.
        control_rate_hz: how often the controller acts and a sample is kept.
        kinematics: "quaternion" or "euler"; the vehicle file's if not given.
        user_force: FILE.py:FUNCTION, a compiled force of your own; see `pelagos.engine.core.extend`.
        tether: True for the cable of the vehicle's file, a mode ("dynamic", "static", "royer"), or a `Tether`.
        sensors: True for the instruments of the vehicle's file, or a list of them.
        navigator: an estimator; the controller is then shown its estimate in place of the truth.
        hold: coordinates held by numbers in place of forces, as Royer's program did: see control.numerical_hold.
        name: of the vehicle among several; its key if not given.
    """

    def __init__(
        self,
        vehicle: Vehicle | str | os.PathLike[str],
        world: World | str | os.PathLike[str] | None = None,
        *,
        seed: int = 0,
        integrator: str | None = None,
        step_s: float | None = None,
        control_rate_hz: float = 10.0,
        kinematics: str | None = None,
        user_force: str | None = None,
        tether: Tether | str | bool | None = None,
        sensors: Sequence[Sensor] | bool | None = None,
        navigator: Estimator | None = None,
        hold: NumericalHold | None = None,
        name: str = "",
    ) -> None:
        self.vehicle = inputs.resolve_vehicle(vehicle)
        self.world = inputs.resolve_world(world)
        self.name = name or self.vehicle.key
        self.seed = inputs.check_seed(seed)
        self.integrator = inputs.resolve_integrator(self.vehicle, integrator)
        longest = inputs.positive("step_s", self.vehicle.step_s if step_s is None else step_s)
        self.control_rate_hz = inputs.positive("control_rate_hz", control_rate_hz)
        self.interval_s = 1.0 / self.control_rate_hz
        self.plant = inputs.make_plant(self.vehicle, self.world, kinematics, user_force)
        self.kinematics = "euler" if self.plant.euler_angles else "quaternion"
        rigged = towing.resolve_tether(tether)
        self.tether = towing.make_line(rigged, self.vehicle, self.plant) if rigged else None
        self.undamaged = self.plant.packed  # records before any damage
        self._sensors, self._navigator = resolve_sensors(sensors, self.vehicle), navigator
        if navigator is not None and not self._sensors:
            raise CommandError("a navigator needs instruments", expected="sensors=True or a list of them as well")
        fastest = max((sensor.rate_hz for sensor in self._sensors), default=0.0)
        self.stepping = Stepping(self.interval_s, longest, rigged.step_s if rigged else None, fastest)
        self.n_steps, self.step_s = self.stepping.n_steps, self.stepping.step_s
        self.hold = hold
        self.contacts = Contacts()  # what others move; one for a fleet
        self.others: tuple[Simulation, ...] = ()  # the rest of the fleet
        self._sampler = Sampler(self.plant, self.world.surface)
        self._sea_until_s = -1.0
        self.user_force = user_force
        self._all_free = all(self.vehicle.free[:3])
        self._second = max(1, round(self.control_rate_hz))  # ticks
        self.reset()

    def __repr__(self) -> str:
        method = f"{self.integrator}, step {self.step_s:g} s"
        return f"Simulation of {self.vehicle.key} at {self.time_s:g} s: {method}, {type(self.controller).__name__}"

    # ---- running -------------------------------------------------------------------------------------------------

    @property
    def time_s(self) -> float:
        """Simulated time: whole control intervals, so that no rounding gathers."""
        return self._ticks / self.control_rate_hz

    def reset(self) -> None:
        """As new: state, controller, random numbers."""
        self.plant.packed = self.undamaged
        self.plant.reset()
        self.controller: Controller = DirectControl(self.vehicle)
        self._external: inputs.External = None
        self._orders: dict[tuple[str, int], float] = {}
        self._actuation = Actuation(np.zeros(len(self.vehicle.thrusters)), np.zeros(len(self.vehicle.surfaces)))
        self._ticks = 0
        self._start_checked = False
        self._look: TrueState | None = None
        self._in_run = False
        self.events: list[Event] = []
        self._saturated: set[tuple[str, int]] = set()  # actuators whose first clipped command has been told
        self._monitor = HoldMonitor(self.vehicle)
        self.faults: Faults | None = None
        self.contacts.clear()
        self.rng = np.random.default_rng(self.seed)
        if self.tether:
            self.tether.reset()
        self.sensing = None
        if self._sensors:
            navigator = copy.deepcopy(self._navigator)
            self.sensing = Sensing(self._sensors, self.plant, self.world, self.seed, navigator, self.name)
        self._cover(0.0)
        self._set_current()
        self.plant.hold_in_water()

    @property
    def _steady(self) -> bool:
        """Whether the uniform current never changes."""
        return self.world.current is None and not (self.faults and self.faults.gusts)

    def make_ready(self, until_s: float) -> None:
        """See to it that a run up to a time can begin: the sea covers it, the vehicle stands in the open."""
        inputs.check_current_cover(self.world, until_s, self.plant)
        self._cover(until_s + self.interval_s)
        self._make_ready()

    def in_run(self, running: bool) -> None:
        """While a run goes on nobody moves the vehicle but the kernel, so that one look serves all."""
        self._in_run, self._look = running, None

    def moved(self) -> None:
        """The vehicle was moved by something else than the kernel."""
        self._look = None

    def evaluate(self) -> TrueState:
        """Motion, forces and surroundings now."""
        if self._look is None or not self._in_run:  # between runs anybody may have moved the vehicle
            self._look = true_state_of(self.plant, self.time_s)
        return self._look

    def state(self) -> VehicleState:
        """The exact motion now."""
        return self.evaluate().state()

    def feedback(self) -> VehicleState:
        """What the controller is shown: the estimate if there is a navigator, else the truth; with the readings."""
        if self.sensing is None or self.sensing.shown is None:
            return self.state()
        return self.sensing.shown

    def tick(self) -> None:
        """One control interval."""
        self._cover(self.time_s + self.interval_s)
        self._make_ready()
        if self.faults:
            self.faults.update(self)
        state = self.feedback()
        a = inputs.check_actuation(self.controller.update(state, self.interval_s), self.controller, self.vehicle)
        self._actuation = a = self._with_orders(a)
        if not self._steady:
            self._set_current()
        told = self.faults.told(a) if self.faults else a
        if self.plant.set_actuators(thrusters=told.thrusters, surfaces=told.surfaces, ballast=told.ballast):
            self._tell_saturated()
        if self._external is not None:
            self.plant.command["external"] = inputs.wrench_of(self._external, self.state())
        done = self.stepping.advance(self.plant, self.tether, self.integrator, self._between)
        if done < self.n_steps:
            self._look = None
            raise diverged(self, done)
        self._ticks += 1
        self.contacts.expire(self.time_s)
        if self.hold:
            hold_state(self.plant, self.hold)
        if not self._all_free:
            inputs.check_held_directions(self.plant, self.world)
        if not self._steady:
            self._set_current()
        self._look = None
        if self.sensing:
            self._look = true_state_of(self.plant, self.time_s)
            self.sensing.measure(self._look, a, surroundings(self.world, self.contacts, self.others, self.time_s))
        if self._ticks % self._second == 0:
            self._watch_holds()

    def run(
        self,
        seconds: float,
        *,
        path: str | os.PathLike[str] | None = None,
        progress: Callable[[float], None] | None = None,
        log_rate_hz: float | None = None,
        forces: bool | None = None,
        until: Callable[[Simulation], bool] | None = None,
        speed: float | None = None,
    ) -> Log:
        """Run on for some seconds; one sample at the start and one after each control interval.

        Args:
            seconds: simulated time, rounded to whole control intervals.
            path: CSV or Parquet file that receives each sample as it is made; readable even if the run is cut short.
            progress: told the simulated time done, once per simulated second.
            log_rate_hz: samples per second, at most the control rate, which it is if not given.
            forces: the wrench of every force term: True in the file as well, None in memory only, False not at all.
            until: asked after each control interval; True ends the run.
            speed: at most so many times faster than the clock on the wall; None as fast as it goes.
        """
        task = loop.RunRecorder(self, path=path, log_rate_hz=log_rate_hz, forces=forces)
        return loop.run_together(
            [task], seconds, progress=progress, until=until and (lambda: until(self)), speed=speed
        )[0]

    def expect_faults(self) -> None:
        """Be open to more faults under way: the log gets columns for that. A reset ends it."""
        if self._in_run:
            raise CommandError("a run has its columns; call expect_faults() before it")
        if self.faults is None:
            names = self.sensing.suite.names if self.sensing else ()
            self.faults = Faults((), self.vehicle, names, self.tether is not None)
        self.faults.open()

    def inject(self, fault: Fault) -> None:
        """Let a fault come in: at the next tick if its `at_s` is now. Its kinds are those of `sim.faults.kinds`."""
        if self.faults is None:
            self.expect_faults()
        self.faults.inject(fault)  # pyright: ignore[reportOptionalMemberAccess]

    def clear_faults(self) -> None:
        """End the faults that can end, at the next tick; water that has come in and a cut tether stay."""
        if self.faults is not None:
            self.faults.clear(self.time_s)

    def move_ship(self, *, north_m: float, east_m: float, speed_m_s: float | None = None) -> None:
        """Send the ship of the tether to a place in the open, straight, at a speed (see `Line.move_ship`)."""
        if self.tether is None:
            raise CommandError(f"{self.vehicle.key} is on no tether and has no ship", expected="tether=True")
        self._make_ready()
        towing.send_ship(self.tether, self.world, north_m, east_m, speed_m_s)

    def save(self) -> dict[str, Any]:
        """Everything that changes, exactly; give it to `restore`."""
        kept = {name: getattr(self, name) for name in CHANGING}
        saved: dict[str, Any] = {"plant": self.plant.save(), "rest": copy.deepcopy(kept), "made_by": self._kind()}
        saved["contacts"] = self.contacts.save()
        if self.sensing:
            self._make_ready()
            saved["sensing"] = self.sensing.save()
        return saved | {"tether": self.tether.save()} if self.tether else saved

    def restore(self, saved: Mapping[str, Any]) -> None:
        """Back to a saved instant: what follows is the same to the last bit, if world and seed are the same."""
        saved = inputs.check_saved(saved, self._kind())
        self.plant.restore(saved["plant"])
        self._look = None
        self.contacts.restore(saved.get("contacts", ()))
        if self.tether:
            self.tether.restore(saved["tether"])
            self._start_checked = True
        if self.sensing:
            self.sensing.restore(saved["sensing"])
            self._start_checked = True
        vars(self).update(copy.deepcopy(saved["rest"]))
        self.plant.packed = self.undamaged
        if self.faults:
            self.faults.damage(self)

    # ---- details -------------------------------------------------------------------------------------------------

    def _kind(self) -> dict[str, object]:
        """What two simulations must share for the state of one to mean the same in the other."""
        return {
            "vehicle": self.vehicle.key,
            "kinematics": self.kinematics,
            "control_rate_hz": self.control_rate_hz,
            "tether": self.tether.tether.described() if self.tether else None,
            "sensors": tuple(sensor.name or sensor.kind for sensor in self._sensors),
        }

    def _cover(self, until_s: float) -> None:
        """The world as the kernel reads it, with its random currents drawn at least up to `until_s`."""
        if until_s > self._sea_until_s:
            self._sea_until_s = 2.0 * until_s + 600.0 if self._sea_until_s >= 0.0 else until_s
            self.plant.set_sea(self.world.packed(gravity_m_s2=self.water.gravity_m_s2, until_s=self._sea_until_s))
            if self.tether:
                self.tether.sea = self.plant.sea

    def _make_ready(self) -> None:
        """Check where the vehicle stands, and hang its tether, once after it was put there."""
        if not self._start_checked:
            inputs.check_start(self.plant, self.world, self.time_s)
            self._monitor.reset()
            if self.tether:
                towing.rig(self.tether, self.plant, self.world)
            self._look = None
            if self.sensing:
                scene = surroundings(self.world, self.contacts, self.others, self.time_s)
                self.sensing.begin(self.evaluate(), self._actuation, scene)
            self._start_checked = True

    def _watch_holds(self) -> None:
        """Tell, once, of a setpoint that is not held."""
        wish = getattr(self.controller, "setpoint", None)
        if not isinstance(wish, Setpoint) or not wish.given:
            self._monitor.reset()
            return
        truth = self.state()
        held = np.array([[math.nan if value is None else value for value in vars(wish).values()]])
        motion = truth.pos_n[None], np.array([truth.yaw]), truth.nu_r[:1], np.array([truth.altitude_m])
        for found in self._monitor.update(self.time_s, held, *motion):
            self.events.append(Event(self.time_s, "not_held", found.text, self.name))

    def _between(self, part: int) -> None:
        """A look of the instruments that are faster than the control rate."""
        if self.sensing:
            self.sensing.between(self.time_s + (part + 1) * self.interval_s / self.stepping.n_looks)

    def _tell_saturated(self) -> None:
        """One event for each actuator that was commanded beyond its limits for the first time."""
        for group, counts in self.plant.clipped.items():
            for i in np.flatnonzero(counts).tolist():
                if (group, i) not in self._saturated:
                    self._saturated.add((group, i))
                    text = saturation(self.plant, group, i)
                    self.events.append(Event(self.time_s, "saturated", text, self.name))

    def _set_current(self) -> None:
        """Current now and its rate over the next interval (a straight line between ticks)."""
        now = self._current_n(self.time_s)
        self.plant.water["current"] = now
        if not self._steady:
            later = self._current_n((self._ticks + 1) / self.control_rate_hz)
            self.plant.water["current_dot"] = (later - now) / self.interval_s

    def _current_n(self, time_s: float) -> NDArray[np.float64]:
        gust = self.faults.gust_n(time_s) if self.faults else None
        return self.world.current_n(time_s) if gust is None else self.world.current_n(time_s) + gust
