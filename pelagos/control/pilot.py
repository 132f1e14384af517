"""Sticks to actuators: the vehicle flown by hand, without feedback.

Full stick on an axis is `share` of what the thrusters can give on that axis alone, and full deflection of the surfaces
that serve it (in the sense they act going ahead). Several sticks at once share the actuators by least squares.
"""

from __future__ import annotations

import numpy as np

from pelagos.control.base import AXIS_NAMES, PITCH, ROLL, YAW, ballast_at_start
from pelagos.control.schedule import Schedule, Water
from pelagos.errors import CommandError
from pelagos.messages import Actuation, PilotCommand, Truth
from pelagos.vehicle.spec import Vehicle


class Pilot:
    """Turns a `PilotCommand` into an `Actuation`, the same one until the next command."""

    def __init__(self, vehicle: Vehicle, water: Water | None = None, share: float = 1.0) -> None:
        if not 0.0 < share <= 1.0:
            raise CommandError(f"pilot share is {share:g}; expected a number above 0 and up to 1.")
        self.vehicle = vehicle
        schedule = Schedule(vehicle, water)
        self._allocation = schedule.allocation
        # Row 0: stick pushed to negative, row 1: to positive.
        self._limits = share * np.array([[self._allocation.limit(i, s) for i in range(6)] for s in (-1.0, 1.0)])
        self._deflections = np.zeros((6, len(vehicle.surfaces)))
        if vehicle.surfaces:
            # Only proportions matter here, so any speed with way on will do for a vehicle without a screw.
            mix = schedule.stage(schedule.cruise).mix if schedule.top_speed > 0.0 else schedule.mix_at(1.0)
            for axis in (ROLL, PITCH, YAW):
                self._deflections[axis] = share * mix.along(axis)
        self._surface_limits = np.array([s.limit_rad for s in vehicle.surfaces], dtype=np.float64)
        self.axes = tuple(
            i for i in range(6) if i in self._allocation.axes or bool(np.any(self._deflections[i] != 0.0))
        )
        self._ballast = ballast_at_start(vehicle)
        self.reset()

    def reset(self) -> None:
        """Sticks to the middle."""
        self.command(PilotCommand())

    def command(self, sticks: PilotCommand | None = None, **axes: float) -> Actuation:
        """Take stick positions (all at once, or by name with the others in the middle); returns the demands."""
        if sticks is None:
            unknown = next((name for name in axes if name not in AXIS_NAMES), None)
            if unknown is not None:
                raise CommandError(f"there is no stick {unknown!r}; expected one of {', '.join(AXIS_NAMES)}.")
            sticks = PilotCommand(**axes)
        stick = np.array(sticks.axes)
        for i in np.flatnonzero(stick):
            if i not in self.axes:
                able = ", ".join(AXIS_NAMES[k] for k in self.axes) or "none"
                raise CommandError(
                    f"{self.vehicle.name} has nothing that acts in {AXIS_NAMES[i]}; it can be piloted in: {able}."
                )
        tau = stick * np.where(stick < 0.0, self._limits[0], self._limits[1])
        drives = self._allocation.solve(tau).drives
        surfaces = np.clip(stick @ self._deflections, -self._surface_limits, self._surface_limits)
        self._actuation = Actuation(drives, surfaces, self._ballast)
        return self._actuation

    def update(self, truth: Truth, dt: float) -> Actuation:
        """The demands of the last command."""
        return self._actuation
