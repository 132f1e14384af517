"""Orders to a simulation: setpoints, sticks, single actuators, a controller of one's own, a place to start from."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Never

from pelagos.control.autopilot import Autopilot
from pelagos.control.base import Controller
from pelagos.control.pilot import Pilot
from pelagos.errors import CommandError
from pelagos.messages import Actuation, Truth, is_number
from pelagos.sim import given
from pelagos.sim.orders import Direct
from pelagos.vehicle.plant import Plant
from pelagos.vehicle.spec import Vehicle
from pelagos.world.spec import World


class Ordered:
    """The part of a simulation that takes orders."""

    vehicle: Vehicle
    world: World
    plant: Plant
    controller: Controller
    interval_s: float
    _external: given.External
    _actuation: Actuation
    _start_checked: bool

    def truth(self) -> Truth:
        """The exact motion now."""
        raise NotImplementedError

    @property
    def water(self) -> given.Density:
        """Density and gravity in force."""
        return given.Density(float(self.plant.water["density"]), float(self.plant.water["gravity"]))

    def command(self, **setpoints: float | None) -> None:
        """Autopilot: depth_m or altitude_m, heading_deg, speed_m_s, pitch_deg, roll_deg, north_m with east_m.

        What is not named stays as it was; None lets go of a quantity.
        """
        depth = setpoints.get("depth_m")
        deepest = float(self.world.bottom_m(*self.plant.position_n[:2]))
        if depth is not None and is_number(depth) and depth > deepest:
            raise CommandError(f"setpoint depth_m is {depth:g}; the water is {deepest:g} m deep here")
        present = self.controller
        held = isinstance(present, Autopilot)
        autopilot = present if held else Autopilot(self.vehicle, self.water, self.interval_s)
        autopilot.command(None, **setpoints)
        if autopilot is not self.controller:
            self._hand_over(autopilot)
        self.controller = autopilot

    def _hand_over(self, autopilot: Autopilot) -> None:
        """Let an autopilot that comes in begin with what the actuators do now."""
        take_over = getattr(autopilot, "take_over", None)
        if take_over is not None:
            take_over(self._actuation, self.truth())

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
