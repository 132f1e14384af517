"""Simulation of one vehicle in a world under a controller.

`tick` runs one control interval: feedback to the controller, its commands to the actuators, the plant advanced, the
sensors sampled. Every run, flight and link is made of ticks.

One class and over 500 lines: it is the public interface to a vehicle, mostly short methods with their documentation.
The work is done by its parts: plant, controller, tether, sensing, faults, contacts.
"""

from __future__ import annotations

import copy
import math
import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Never

import numpy as np
from numpy.typing import NDArray

from pelagos import providers
from pelagos.checks import is_number
from pelagos.control.autopilot.autopilot import Autopilot
from pelagos.control.base import Controller
from pelagos.control.hold_monitor import HoldMonitor
from pelagos.control.pilot.numerical_hold import NumericalHold, hold_state
from pelagos.control.pilot.sticks import Pilot
from pelagos.errors import CommandError
from pelagos.estimation.base import Estimator
from pelagos.messages import Actuation, Event, Setpoint, VehicleState
from pelagos.sensors.base import Sensor
from pelagos.sim import inputs
from pelagos.sim import tether as towing
from pelagos.sim.columns import Sampler, columns_of, equipment_values
from pelagos.sim.commands import DirectControl, command_directly, place_plant, saturation_text, with_direct_commands
from pelagos.sim.contacts import Contacts
from pelagos.sim.faults.effects import Faults
from pelagos.sim.faults.kinds import Fault
from pelagos.sim.log.log import Log
from pelagos.sim.log.run_recorder import RunRecorder
from pelagos.sim.metadata import meta_of
from pelagos.sim.moving_obstacles import scene_at
from pelagos.sim.sensing import Sensing, resolve_sensors
from pelagos.sim.stepping import Stepping, diverged
from pelagos.sim.true_state import TrueState, true_state_of
from pelagos.tether.spec import Tether
from pelagos.vehicle.plant import TERMS
from pelagos.vehicle.spec import Vehicle
from pelagos.world.spec import World

# Attributes that `save` copies, besides what plant, tether and sensors save themselves.
CHANGING = (
    "controller", "_external", "_direct_commands", "_actuation", "_ticks", "rng", "events", "_saturated", "faults",
    "_monitor",
)  # fmt: skip
NO_SETPOINT = Setpoint()
SEA_MARGIN_S = 600.0  # random currents are drawn at least this far ahead, so that a long run draws them seldom


class Simulation:
    """One vehicle in a world, with its controller, sensors, tether and faults.

    Args:
        vehicle: a Vehicle, a library name or a file.
        world: a World, a library name or a file; the default is calm water without bottom.
        seed: seed of all random numbers; recorded in the log.
        integrator: a name from `engine.core.integrate.METHODS`; default: from the vehicle's file.
        step_s: longest step; each control interval is divided into equal steps. Default: from the vehicle's file.
        control_rate_hz: rate of the controller and of the samples in the log.
        kinematics: "quaternion" or "euler"; default: from the vehicle's file.
        user_force: FILE.py:FUNCTION, a compiled user force; see `pelagos.engine.core.extend`.
        tether: True for the cable of the vehicle's file, a mode ("dynamic", "static", "royer"), or a `Tether`.
        sensors: True for the sensors of the vehicle's file, or a list of sensors.
        navigator: an estimator; the controller then receives its estimate instead of the true state.
        hold: coordinates set to numbers after each interval, as in Royer's program; see
            `control.pilot.numerical_hold`.
        name: name of the vehicle in a fleet; default: its key.
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
        self.contacts = Contacts()  # a fleet shares one
        self.others: tuple[Simulation, ...] = ()  # the other simulations of the fleet
        self._sampler = Sampler(self.plant, self.world.surface)
        self._sea_until_s = -1.0  # no sea is packed yet
        self.user_force = user_force
        self._all_free = all(self.vehicle.free[:3])  # otherwise each tick checks for obstacles on a held axis
        self._ticks_per_second = max(1, round(self.control_rate_hz))
        self.reset()

    def __repr__(self) -> str:
        method = f"{self.integrator}, step {self.step_s:g} s"
        return f"Simulation of {self.vehicle.key} at {self.time_s:g} s: {method}, {type(self.controller).__name__}"

    @property
    def time_s(self) -> float:
        """Simulated time in s: the number of ticks over the control rate, free of accumulated rounding."""
        return self._ticks / self.control_rate_hz

    @property
    def water(self) -> inputs.WaterConstants:
        """Density and gravity at the surface."""
        return inputs.WaterConstants(float(self.plant.water["density"]), float(self.plant.water["gravity"]))

    @property
    def held(self) -> Setpoint:
        """Setpoint of the controller; an empty one if the controller has none."""
        held = getattr(self.controller, "setpoint", NO_SETPOINT)
        return held if isinstance(held, Setpoint) else NO_SETPOINT

    def reset(self) -> None:
        """Restore the initial state, direct control and the random numbers of the seed."""
        self.plant.packed = self.undamaged
        self.plant.reset()
        self.controller: Controller = DirectControl(self.vehicle)
        self._external: inputs.External = None
        # (group, index) -> value: single actuators commanded directly while the controller has the others.
        self._direct_commands: dict[tuple[str, int], float] = {}
        self._actuation = Actuation(np.zeros(len(self.vehicle.thrusters)), np.zeros(len(self.vehicle.surfaces)))
        self._ticks = 0
        # Checked at the first tick and not in `place`: several calls may place the vehicle.
        self._start_checked = False
        self._true_state: TrueState | None = None  # of the present instant, cached while a run goes on
        self._in_run = False
        self.events: list[Event] = []
        self._saturated: set[tuple[str, int]] = set()  # actuators whose first clipped command has an event
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
        self.plant.hold_in_water()  # after the current: held velocities are relative to the water

    @property
    def _steady(self) -> bool:
        """Whether the uniform current is constant."""
        return self.world.current is None and not (self.faults and self.faults.gusts)

    def make_ready(self, until_s: float) -> None:
        """Prepare a run up to a time: draw the currents, check the start, rig the tether.

        Raises:
            PelagosError: if the current does not cover that time or the vehicle starts inside something.
        """
        inputs.check_current_cover(self.world, until_s, self.plant)
        self._cover(until_s + self.interval_s)
        self._make_ready()

    def in_run(self, running: bool) -> None:
        """Mark the start (True) or the end of a run, during which `evaluate` caches the state of each instant."""
        self._in_run, self._true_state = running, None

    def invalidate_state(self) -> None:
        """Discard the cached true state; call this after moving the plant by other means than `tick`."""
        self._true_state = None

    def evaluate(self) -> TrueState:
        """Motion, forces and surrounding water at the present instant."""
        if self._true_state is None or not self._in_run:  # outside a run the caller may move the plant at any time
            self._true_state = true_state_of(self.plant, self.time_s)
        return self._true_state

    def state(self) -> VehicleState:
        """The true state at the present instant."""
        return self.evaluate().state()

    def feedback(self) -> VehicleState:
        """The state the controller receives, with the readings: the navigator's estimate, otherwise the true state."""
        if self.sensing is None or self.sensing.feedback is None:
            return self.state()
        return self.sensing.feedback

    def tick(self) -> None:
        """Run one control interval; DivergedError if the motion is no longer finite."""
        self._cover(self.time_s + self.interval_s)
        self._make_ready()
        if self.faults:
            self.faults.update(self)  # before the controller acts, so that a fault affects the tick at which it begins
        self._actuation = self._control(self.feedback())
        self._update_current()
        self._actuate(self._actuation)
        self._advance()
        self._update_current()  # again: the state and the readings after the interval see the current of that time
        self._sense()
        if self._ticks % self._ticks_per_second == 0:
            self._monitor_setpoints()

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
        """Run for some seconds and return the log: a sample at the start and one after each control interval.

        Args:
            seconds: simulated time, rounded to whole control intervals.
            path: CSV or Parquet file that receives each sample as it is made; readable even if the run is cut short.
            progress: called with the simulated time done, once per simulated second.
            log_rate_hz: samples per second, at most the control rate, which is the default.
            forces: record the wrench of every force term: True in memory and file, None in memory only, False never.
            until: called after each control interval; True ends the run.
            speed: largest real-time factor; None for as fast as possible.
        """
        recorder = RunRecorder(self, path=path, log_rate_hz=log_rate_hz, forces=forces)
        stop = until and (lambda: until(self))
        return providers.run([recorder], seconds, progress=progress, until=stop, speed=speed)[0]

    def command(self, **setpoints: float | None) -> None:
        """Give the autopilot setpoints.

        These are depth_m or altitude_m, heading_deg, speed_m_s, pitch_deg, roll_deg, north_m with east_m. Setpoints
        that are not named keep their value; None releases one.
        """
        depth = setpoints.get("depth_m")
        deepest = float(self.world.bottom_m(*self.plant.position_n[:2]))
        if depth is not None and is_number(depth) and depth > deepest:
            raise CommandError(f"the water is {deepest:g} m deep here", key="depth_m", value=depth)
        present = self.controller
        autopilot = present if isinstance(present, Autopilot) else Autopilot(self.vehicle, self.water, self.interval_s)
        autopilot.command(None, **setpoints)
        if autopilot is not present:
            autopilot.take_over(self._actuation, self.state())  # bumpless: it starts from the present actuation
            self.control(autopilot)

    def pilot(self, **sticks: float) -> None:
        """Set the sticks, -1 to 1: surge, sway, heave (down), roll, pitch, yaw. Others are centred."""
        present = self.controller
        pilot = present if isinstance(present, Pilot) else Pilot(self.vehicle, self.water)
        pilot.command(None, **sticks)
        if pilot is not present:
            self.control(pilot)

    def thrust(self, drives: Sequence[float] | None = None, **named: float | None) -> None:
        """Command thrusters: all in sequence (rad/s, V, N or throttle), or by name: port_screw_rpm=700.

        An active controller keeps the other actuators; None returns one to it.
        """
        self._direct("thrusters", drives, named)

    def deflect(self, angles: Sequence[float] | None = None, **named: float | None) -> None:
        """Command surfaces: all in sequence (rad), or by name: rudder_deg=5. A controller keeps the rest."""
        self._direct("surfaces", angles, named)

    def ballast(self, **named: float | None) -> None:
        """Command ballast by name: buoyancy_engine_cm3=200. A controller keeps the rest, see `thrust`."""
        self._direct("ballast", None, named)

    def control(self, controller: Controller) -> None:
        """Give all actuators to a controller: any object with reset() and update(state, dt)."""
        self.controller = inputs.check_controller(controller)
        self._direct_commands.clear()

    def external(self, wrench: inputs.External) -> None:
        """Apply a wrench, X Y Z (N) and K M N (N m) in body axes about O, or a function of the true state.

        A function is called once per control interval and its value held; for a force inside the kernel see
        `pelagos.engine.core.extend`.
        """
        self._external = inputs.check_external(wrench)

    def place(
        self,
        *,
        north_m: float | None = None,
        east_m: float | None = None,
        depth_m: float | None = None,
        roll_deg: float | None = None,
        pitch_deg: float | None = None,
        heading_deg: float | None = None,
        surge_m_s: float | None = None,
        sway_m_s: float | None = None,
        heave_m_s: float | None = None,
        roll_rate_deg_s: float | None = None,
        pitch_rate_deg_s: float | None = None,
        yaw_rate_deg_s: float | None = None,
        **unknown: Never,
    ) -> None:
        """Set position, attitude and velocity of the vehicle; values that are not given stay.

        Velocities are over ground in body axes, with the names and signs of the log's columns.
        """
        values: dict[str, object] = {
            "north_m": north_m, "east_m": east_m, "depth_m": depth_m,
            "roll_deg": roll_deg, "pitch_deg": pitch_deg, "heading_deg": heading_deg,
            "surge_m_s": surge_m_s, "sway_m_s": sway_m_s, "heave_m_s": heave_m_s,
            "roll_rate_deg_s": roll_rate_deg_s, "pitch_rate_deg_s": pitch_rate_deg_s,
            "yaw_rate_deg_s": yaw_rate_deg_s,
        }  # fmt: skip
        place_plant(self.plant, {**values, **unknown})
        self._start_checked = False

    def columns(self) -> tuple[str, ...]:
        """Names of the log's columns."""
        return columns_of(self)

    def sample_into(self, row: NDArray[np.float64]) -> None:
        """Write the present values of `columns` into a row."""
        first = self._sampler.width
        self._sampler.fill(row, self.evaluate(), self.held)
        for values in equipment_values(self):
            row[first : first + len(values)] = values
            first += len(values)

    def sample(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Present values of the columns, and the wrench of each force term."""
        row = np.empty(len(self.columns()))
        self.sample_into(row)
        return row, self.evaluate().forces

    def terms(self) -> tuple[str, ...]:
        """Names of the force terms."""
        return TERMS

    def meta(self) -> dict[str, Any]:
        """Settings of the run, defaults included."""
        return meta_of(self)

    def expect_faults(self) -> None:
        """Allow faults to be injected at run time: adds their columns to the log. A reset ends this."""
        if self._in_run:
            raise CommandError("a run has its columns; call expect_faults() before it")
        if self.faults is None:
            names = self.sensing.suite.names if self.sensing else ()
            self.faults = Faults((), self.vehicle, names, self.tether is not None)
        self.faults.open()

    def inject(self, fault: Fault) -> None:
        """Add a fault of `sim.faults.kinds`; it begins at its trigger, at the next tick if `at_s` is not ahead."""
        if self.faults is None:
            self.expect_faults()
        self.faults.inject(fault)  # pyright: ignore[reportOptionalMemberAccess]

    def clear_faults(self) -> None:
        """End the faults that can end, at the next tick; flood water and a cut tether remain."""
        if self.faults is not None:
            self.faults.clear(self.time_s)

    def move_ship(self, *, north_m: float, east_m: float, speed_m_s: float | None = None) -> None:
        """Send the ship of the tether straight to a place at a speed (see `Line.move_ship`)."""
        if self.tether is None:
            raise CommandError(f"{self.vehicle.key} has no tether, so there is no ship to move", expected="tether=True")
        self._make_ready()
        towing.send_ship(self.tether, self.world, north_m, east_m, speed_m_s)

    def save(self) -> dict[str, Any]:
        """Return an exact copy of everything that changes, for `restore`."""
        kept = {name: getattr(self, name) for name in CHANGING}
        saved: dict[str, Any] = {"plant": self.plant.save(), "rest": copy.deepcopy(kept), "made_by": self._made_by()}
        saved["contacts"] = self.contacts.save()
        if self.sensing:
            self._make_ready()  # the first readings draw random numbers, which belong to the saved state
            saved["sensing"] = self.sensing.save()
        return saved | {"tether": self.tether.save()} if self.tether else saved

    def restore(self, saved: Mapping[str, Any]) -> None:
        """Return to a saved instant; with the same world and seed the run continues bit for bit as after `save`."""
        saved = inputs.check_saved(saved, self._made_by())
        self.plant.restore(saved["plant"])
        self.invalidate_state()
        self.contacts.restore(saved.get("contacts", ()))
        if self.tether:
            self.tether.restore(saved["tether"])
            self._start_checked = True
        if self.sensing:
            self.sensing.restore(saved["sensing"])
            self._start_checked = True
        vars(self).update(copy.deepcopy(saved["rest"]))
        # The records of a damaged vehicle are not saved: the restored faults rebuild them.
        self.plant.packed = self.undamaged
        if self.faults:
            self.faults.damage(self)

    def _made_by(self) -> dict[str, object]:
        """Properties that two simulations must share for one to restore what the other saved."""
        return {
            "vehicle": self.vehicle.key,
            "kinematics": self.kinematics,
            "control_rate_hz": self.control_rate_hz,
            "tether": self.tether.tether.described() if self.tether else None,
            "sensors": tuple(sensor.name or sensor.kind for sensor in self._sensors),
        }

    def _direct(self, group: str, values: Sequence[float] | None, named: Mapping[str, float | None]) -> None:
        """Command a group of actuators; a controller other than `DirectControl` keeps those that are not named."""
        if isinstance(self.controller, DirectControl):
            self.controller.command(group, values, named)
        else:
            command_directly(self._direct_commands, self.vehicle, group, values, named)

    def _cover(self, until_s: float) -> None:
        """Pack the world for the kernel, with its random currents drawn at least up to `until_s`."""
        if until_s > self._sea_until_s:
            # Doubling keeps the number of repacks logarithmic in the length of a run; a run of known length packs once.
            self._sea_until_s = 2.0 * until_s + SEA_MARGIN_S if self._sea_until_s >= 0.0 else until_s
            self.plant.set_sea(self.world.packed(gravity_m_s2=self.water.gravity_m_s2, until_s=self._sea_until_s))
            if self.tether:
                self.tether.sea = self.plant.sea

    def _make_ready(self) -> None:
        """Check the start, rig the tether and take the first readings, once after each `place` or `reset`."""
        if not self._start_checked:
            inputs.check_start(self.plant, self.world, self.time_s)
            self._monitor.reset()
            if self.tether:
                towing.rig(self.tether, self.plant, self.world)
            self.invalidate_state()
            if self.sensing:
                scene = scene_at(self.world, self.contacts, self.others, self.time_s)
                self.sensing.begin(self.evaluate(), self._actuation, scene)
            self._start_checked = True

    def _control(self, state: VehicleState) -> Actuation:
        """Commands of the controller for the interval, with those that actuators get directly."""
        actuation = self.controller.update(state, self.interval_s)
        checked = inputs.check_actuation(actuation, self.controller, self.vehicle)
        return with_direct_commands(checked, self._direct_commands, self.plant)

    def _actuate(self, actuation: Actuation) -> None:
        """Set the commands, as far as faults let them pass, and the external wrench."""
        a = self.faults.applied(actuation) if self.faults else actuation
        if self.plant.set_actuators(thrusters=a.thrusters, surfaces=a.surfaces, ballast=a.ballast):
            self._report_saturation()
        if self._external is not None:
            self.plant.command["external"] = inputs.wrench_of(self._external, self.state())

    def _advance(self) -> None:
        """Advance plant and tether to the end of the interval."""
        done = self.stepping.advance(self.plant, self.tether, self.integrator, self._record_moment)
        self.invalidate_state()
        if done < self.n_steps:
            raise diverged(self, done)
        self._ticks += 1
        self.contacts.expire(self.time_s)
        if self.hold:
            hold_state(self.plant, self.hold)
        if not self._all_free:
            inputs.check_held_directions(self.plant, self.world)

    def _sense(self) -> None:
        """Measure at the end of the interval."""
        if self.sensing:
            self._true_state = true_state_of(self.plant, self.time_s)
            scene = scene_at(self.world, self.contacts, self.others, self.time_s)
            # The actuation before faults: an estimator must not learn of a fault from the commands it is given.
            self.sensing.measure(self._true_state, self._actuation, scene)

    def _monitor_setpoints(self) -> None:
        """Add one event for each setpoint that the vehicle fails to hold."""
        setpoint = self.held
        if not setpoint.quantities:
            self._monitor.reset()
            return
        state = self.state()
        held = np.array([[math.nan if value is None else value for value in vars(setpoint).values()]])
        motion = state.pos_n[None], np.array([state.yaw]), state.nu_r[:1], np.array([state.altitude_m])
        for failure in self._monitor.update(self.time_s, held, *motion):
            self.events.append(Event(self.time_s, "not_held", failure.text, self.name))

    def _record_moment(self, part: int) -> None:
        """Record the motion after a part of the interval, for sensors that are faster than the control rate."""
        if self.sensing:
            self.sensing.between(self.time_s + (part + 1) * self.interval_s / self.stepping.n_parts)

    def _report_saturation(self) -> None:
        """Add an event for each actuator whose command exceeds its limits for the first time."""
        for group, counts in self.plant.clipped.items():
            for i in np.flatnonzero(counts).tolist():
                if (group, i) not in self._saturated:
                    self._saturated.add((group, i))
                    text = saturation_text(self.plant, group, i)
                    self.events.append(Event(self.time_s, "saturated", text, self.name))

    def _update_current(self) -> None:
        """Set the current of the present time, unless it is constant."""
        if not self._steady:
            self._set_current()

    def _set_current(self) -> None:
        """Set the current and its rate of change; the kernel interpolates linearly between ticks."""
        now = self._current_n(self.time_s)
        self.plant.water["current"] = now
        if not self._steady:
            later = self._current_n((self._ticks + 1) / self.control_rate_hz)
            self.plant.water["current_dot"] = (later - now) / self.interval_s

    def _current_n(self, time_s: float) -> NDArray[np.float64]:
        gust = self.faults.gust_n(time_s) if self.faults else None
        return self.world.current_n(time_s) if gust is None else self.world.current_n(time_s) + gust
