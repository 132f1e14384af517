"""One vehicle, one sea, one controller: the loop that everything else runs.

`tick` is the whole of it: current, control, advance, raise if failed, record.
"""

from __future__ import annotations

import copy
import math
import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, Never

import numpy as np
from numpy.typing import NDArray

from pelagos.control.autopilot import Autopilot
from pelagos.control.base import Controller
from pelagos.control.pilot import Pilot
from pelagos.engine.integrate import METHODS
from pelagos.errors import CommandError, DivergedError
from pelagos.frames import rotation_from_quaternion
from pelagos.messages import Actuation, Setpoint, Truth, is_number, shown
from pelagos.sim import given, towing
from pelagos.sim.diverged import diverged
from pelagos.sim.log import Log
from pelagos.sim.meta import meta_of
from pelagos.sim.orders import Direct
from pelagos.sim.recorder import Recorder
from pelagos.sim.sample import columns, sample
from pelagos.tether.spec import Tether
from pelagos.vehicle.plant import TERMS, Plant
from pelagos.vehicle.spec import Vehicle
from pelagos.vehicle.towed import advance_towed
from pelagos.world.spec import World


class Simulation:
    """A vehicle in the sea, told what to do.

    Args:
        vehicle: a Vehicle, a library name or a file.
        world: the sea, a World, a library name or a file; calm and endless if not given.
        seed: of every random draw; always in the log.
        integrator: a name from `engine.integrate.METHODS`; the vehicle file's if not given.
        step_s: longest step; each control interval is divided into equal ones. The vehicle file's if not given.
        control_rate_hz: how often the controller acts and a sample is kept.
        kinematics: "quaternion" or "euler"; the vehicle file's if not given.
        user_force: FILE.py:FUNCTION, a compiled force of your own; see `pelagos.engine.extend`.
        tether: True for the cable of the vehicle's file, a mode ("dynamic", "static", "royer"), or a `Tether`.
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
    ) -> None:
        self.vehicle = given.a_vehicle(vehicle)
        self.world = given.a_world(world)
        self.seed = given.a_seed(seed)
        method = self.vehicle.integrator if integrator is None else integrator
        self.integrator = given.a_choice("integrator", method, list(METHODS))
        attitude = self.vehicle.kinematics if kinematics is None else kinematics
        self.kinematics = given.a_choice("kinematics", attitude, ["quaternion", "euler"])
        longest = given.positive("step_s", self.vehicle.step_s if step_s is None else step_s)
        self.control_rate_hz = given.positive("control_rate_hz", control_rate_hz)
        self.interval_s = 1.0 / self.control_rate_hz
        if not isinstance(user_force, str | None):
            raise CommandError(f"user_force is {shown(user_force)}; expected text of the form FILE.py:FUNCTION")
        self.plant = Plant(
            self.vehicle,
            density_kg_m3=self.world.surface_density_kg_m3,
            gravity_m_s2=self.world.gravity_m_s2,
            density_gradient_kg_m4=self.world.density_gradient_kg_m4,
            euler_angles=self.kinematics == "euler",
            user_force=user_force,
        )
        rigged = towing.a_tether(tether)
        self.tether = towing.a_line(rigged, self.vehicle, self.plant) if rigged else None
        self._n_cable = max(1, math.ceil(self.interval_s / rigged.step_s - 1e-9)) if rigged else 1
        self.n_steps = self._n_cable * max(1, math.ceil(self.interval_s / self._n_cable / longest - 1e-9))
        self.step_s = self.interval_s / self.n_steps
        self._sea_until_s = -1.0
        self.user_force = user_force
        self.reset()

    def __repr__(self) -> str:
        method = f"{self.integrator}, step {self.step_s:g} s"
        return f"Simulation of {self.vehicle.key} at {self.time_s:g} s: {method}, {type(self.controller).__name__}"

    # ---- orders --------------------------------------------------------------------------------------------------

    def command(self, **setpoints: float | None) -> None:
        """Autopilot: depth_m, heading_deg, speed_m_s, pitch_deg, roll_deg. What is not named stays as it was."""
        depth = setpoints.get("depth_m")
        deepest = float(self.world.bottom_m(*self.plant.position_n[:2]))
        if depth is not None and is_number(depth) and depth > deepest:
            raise CommandError(f"setpoint depth_m is {depth:g}; the water is {deepest:g} m deep here")
        autopilot = self.controller if isinstance(self.controller, Autopilot) else Autopilot(self.vehicle, self.water)
        autopilot.command(None, **setpoints)
        self.controller = autopilot

    def pilot(self, **sticks: float) -> None:
        """Sticks, -1..1: surge, sway, heave (down), roll, pitch, yaw. What is not named is centred."""
        pilot = self.controller if isinstance(self.controller, Pilot) else Pilot(self.vehicle, self.water)
        pilot.command(None, **sticks)
        self.controller = pilot

    def thrust(self, drives: Sequence[float] | None = None, **named: float) -> None:
        """Thrusters directly: all in order (rad/s, V, N or throttle), or by name: port_screw_rpm=700."""
        self._direct(lambda direct: direct.thrust(drives, named))

    def deflect(self, angles: Sequence[float] | None = None, **named: float) -> None:
        """Surfaces directly: all in order (rad), or by name: rudder_deg=5."""
        self._direct(lambda direct: direct.deflect(angles, named))

    def trim(self, **named: float) -> None:
        """Ballast directly, by name: buoyancy_engine_cm3=200."""
        self._direct(lambda direct: direct.trim(named))

    def control(self, controller: Controller) -> None:
        """Hand over to any object with reset() and update(truth, dt)."""
        self.controller = given.a_controller(controller)

    def external(self, wrench: given.External) -> None:
        """A force of your own: X Y Z (N) and K M N (N m) in body axes about O, or a function of the truth.

        A function is called once per control interval and its value held; for a force inside the kernel see
        `pelagos.engine.extend`.
        """
        self._external = given.an_external(wrench)

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
        """Put the vehicle somewhere, moving as told; what is not given stays.

        Velocities are over ground in body axes, with the names and signs of the log's columns.
        """
        position = {"north_m": north_m, "east_m": east_m, "depth_m": depth_m}
        angles = {"roll_deg": roll_deg, "pitch_deg": pitch_deg, "heading_deg": heading_deg}
        speeds = {"surge_m_s": surge_m_s, "sway_m_s": sway_m_s, "heave_m_s": heave_m_s}
        rates = {
            "roll_rate_deg_s": roll_rate_deg_s, "pitch_rate_deg_s": pitch_rate_deg_s, "yaw_rate_deg_s": yaw_rate_deg_s,
        }  # fmt: skip
        told = given.a_place({**position, **angles, **speeds, **rates, **unknown})
        plant = self.plant
        euler, position_n, nu = plant.euler, plant.position_n.copy(), plant.nu.copy()
        for values, first, names, per in (
            (position_n, 0, position, 1.0),
            (euler, 0, angles, math.radians(1.0)),
            (nu, 0, speeds, 1.0),
            (nu, 3, rates, math.radians(1.0)),
        ):
            for i, name in enumerate(names, start=first):
                if name in told:
                    values[i] = told[name] * per
        # an attitude that was not given keeps every bit: a quaternion does not survive the way through angles
        plant.place(position_n=position_n, euler=euler.tolist() if told.keys() & angles.keys() else None, nu=nu)
        plant.hold_in_water()
        self._start_checked = False

    def _direct(self, order: Callable[[Direct], None]) -> None:
        direct = self.controller if isinstance(self.controller, Direct) else Direct(self.vehicle)
        order(direct)
        self.controller = direct

    # ---- running -------------------------------------------------------------------------------------------------

    @property
    def water(self) -> _Water:
        """Density and gravity in force."""
        return _Water(float(self.plant.water["density"]), float(self.plant.water["gravity"]))

    @property
    def time_s(self) -> float:
        """Simulated time: whole control intervals, so that no rounding gathers."""
        return self._ticks / self.control_rate_hz

    def reset(self) -> None:
        """As new: state, controller, random numbers."""
        self.plant.reset()
        self.controller: Controller = Direct(self.vehicle)
        self._external: given.External = None
        self._actuation = Actuation(np.zeros(len(self.vehicle.thrusters)), np.zeros(len(self.vehicle.surfaces)))
        self._ticks = 0
        self._start_checked = False
        self.rng = np.random.default_rng(self.seed)
        self._cover(0.0)
        self._set_current()
        self.plant.hold_in_water()

    def truth(self) -> Truth:
        """The exact motion now."""
        roll, pitch, yaw = self.plant.euler.tolist()
        nu = self.plant.nu.copy()
        nu_r = nu.copy()
        nu_r[:3] -= rotation_from_quaternion(self.plant.quaternion).T @ self.plant.around().velocity_n
        return Truth(self.time_s, self.plant.position_n.copy(), roll, pitch, yaw, nu, nu_r)

    def tick(self) -> None:
        """One control interval."""
        self._cover(self.time_s + self.interval_s)
        self._make_ready()
        truth = self.truth()
        a = given.an_actuation(self.controller.update(truth, self.interval_s), self.controller, self.vehicle)
        self._actuation = a
        self.plant.set_actuators(thrusters=a.thrusters, surfaces=a.surfaces, ballast=a.ballast)
        self.plant.command["external"] = given.the_wrench(self._external, truth)
        self._set_current()
        if self.tether is None:
            done = self.plant.advance(self.step_s, self.n_steps, self.integrator)
        else:
            per_cable = self.n_steps // self._n_cable
            done = advance_towed(self.plant, self.tether, self.interval_s, self._n_cable, per_cable, self.integrator)
        if done < self.n_steps:
            raise diverged(self, done)
        self._ticks += 1
        given.a_held_vehicle_free(self.plant, self.world)
        self._set_current()

    def run(
        self,
        seconds: float,
        *,
        path: str | os.PathLike[str] | None = None,
        progress: Callable[[float], None] | None = None,
    ) -> Log:
        """Run on for some seconds; one sample at the start and one after each control interval.

        Args:
            seconds: simulated time, rounded to whole control intervals.
            path: CSV file that receives each sample as it is made; readable even if the run is cut short.
            progress: told the simulated time done, once per simulated second.
        """
        n_ticks = round(given.positive("seconds", seconds) * self.control_rate_hz)
        if n_ticks == 0:
            raise CommandError(f"seconds is {seconds:g}; expected at least one control interval, {self.interval_s:g} s")
        given.a_cover(self.world, self.time_s + n_ticks / self.control_rate_hz, self.plant)
        self._cover(self.time_s + seconds + self.interval_s)
        self._make_ready()
        recorder = Recorder(self.columns(), TERMS, self.meta(), path)
        per_second = max(1, round(1.0 / self.interval_s))
        with recorder:
            recorder.append(*self.sample())
            for n in range(n_ticks):
                try:
                    self.tick()
                except DivergedError as error:
                    error.log = recorder.log(complete=False)
                    raise
                recorder.append(*self.sample())
                if progress is not None and (n + 1) % per_second == 0:
                    progress((n + 1) / self.control_rate_hz)
        return recorder.log()

    def save(self) -> dict[str, Any]:
        """Everything that changes, exactly; give it to `restore`."""
        kept = (self.controller, self._external, self._actuation, self._ticks, self.rng)
        saved = {"plant": self.plant.save(), "rest": copy.deepcopy(kept), "made_by": self._kind()}
        return saved | {"tether": self.tether.save()} if self.tether else saved

    def restore(self, saved: Mapping[str, Any]) -> None:
        """Back to a saved instant: what follows is the same to the last bit, if world and seed are the same."""
        saved = given.a_save(saved, self._kind())
        self.plant.restore(saved["plant"])
        if self.tether:
            self.tether.restore(saved["tether"])
            self._start_checked = True
        rest = copy.deepcopy(saved["rest"])
        self.controller, self._external, self._actuation, self._ticks, self.rng = rest

    # ---- details -------------------------------------------------------------------------------------------------

    def _kind(self) -> dict[str, object]:
        """What two simulations must share for the state of one to mean the same in the other."""
        return {
            "vehicle": self.vehicle.key,
            "kinematics": self.kinematics,
            "control_rate_hz": self.control_rate_hz,
            "tether": self.tether.tether.described() if self.tether else None,
        }

    def _cover(self, until_s: float) -> None:
        """The world as the kernel reads it, with its random currents drawn at least up to `until_s`."""
        if until_s > self._sea_until_s:
            self._sea_until_s = 2.0 * until_s + 600.0 if self._sea_until_s >= 0.0 else until_s
            self.plant.swim_in(self.world.packed(gravity_m_s2=self.water.gravity_m_s2, until_s=self._sea_until_s))
            if self.tether:
                self.tether.sea = self.plant.sea

    def _make_ready(self) -> None:
        """Check where the vehicle stands, and hang its tether, once after it was put there."""
        if not self._start_checked:
            given.a_start(self.plant, self.world, self.time_s)
            if self.tether:
                towing.rig(self.tether, self.plant, self.world)
            self._start_checked = True

    def _set_current(self) -> None:
        """Current now and its rate over the next interval (a straight line between ticks)."""
        now = self.world.current_n(self.time_s)
        self.plant.water["current"] = now
        if self.world.current is not None:
            later = self.world.current_n((self._ticks + 1) / self.control_rate_hz)
            self.plant.water["current_dot"] = (later - now) / self.interval_s

    def sample(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Values of the columns now, and the wrench of each force term."""
        held = self.controller.setpoint if isinstance(self.controller, Autopilot) else Setpoint()
        values, forces = sample(self.plant, self.world, self.time_s, held)
        return (np.concatenate([values, towing.tether_values(self.tether)]) if self.tether else values), forces

    def columns(self) -> tuple[str, ...]:
        """Names of the log's columns."""
        return columns(self.vehicle) + (towing.TETHER_COLUMNS if self.tether else ())

    def meta(self) -> dict[str, Any]:
        """How the run was made, every default spelled out."""
        return meta_of(self)


class _Water(NamedTuple):
    """Density and gravity, as the autopilot asks for them."""

    density_kg_m3: float
    gravity_m_s2: float
