"""Sticks to actuators: the vehicle flown by hand, without feedback. What a stick asks for: sticks."""

from __future__ import annotations

import numpy as np

from pelagos.control.base import AXIS_NAMES, ballast_at_start
from pelagos.control.schedule import Schedule, Water
from pelagos.control.sticks import Sticks
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
        self._sticks = Sticks(schedule, share)
        self.axes = self._sticks.axes
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
        drives = self._allocation.solve(self._sticks.wrench(stick)).drives
        self._actuation = Actuation(drives, self._sticks.angles(stick), self._ballast)
        return self._actuation

    def update(self, truth: Truth, dt: float) -> Actuation:
        """The demands of the last command."""
        return self._actuation
