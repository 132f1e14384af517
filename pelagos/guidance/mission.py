"""Mission: a controller that flies legs in sequence through an autopilot."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NoReturn, Protocol

from pelagos.errors import CommandError, shown
from pelagos.guidance.base import GUIDE_COLUMNS, Guide, Leg
from pelagos.messages import Actuation, Event, Setpoint, VehicleState, release_vertical

GUIDE_KEYS = frozenset(GUIDE_COLUMNS[1:])  # keys that Guide.values may return


class SetpointController(Protocol):
    """Controller that a mission sends setpoints to: the autopilot, the sliding-mode controller or a user's."""

    setpoint: Setpoint

    def command(self, setpoint: Setpoint | None = None, **changes: float | None) -> Any:
        """Set the setpoint to hold from now on."""
        ...

    def reset(self) -> None:
        """Reset integrators and filters."""
        ...

    def update(self, state: VehicleState, dt: float) -> Actuation:
        """Return the actuator commands for the next dt seconds."""
        ...


class Mission:
    """Mission of legs in sequence; after the last leg the controller keeps its setpoint, and `done` is true.

    A value that a leg does not set stays as the leg before left it, except pitch and roll, which apply to one leg.
    `events` lists "leg", "timeout", "mission_done" and the reports of guides, such as "waypoint".

    Args:
        controller: controller that holds setpoints.
        legs: legs in order.
    """

    columns = GUIDE_COLUMNS

    def __init__(self, controller: SetpointController, legs: Sequence[Leg]) -> None:
        self.controller = controller
        self.legs = tuple(legs)
        self.reset()

    def reset(self) -> None:
        """Return to the start of the first leg."""
        self.controller.reset()
        self.index = 0
        self.done = not self.legs
        self.events: list[Event] = []
        self._guide: Guide | None = None
        self._news: list[tuple[str, str]] | None = None
        self._fresh = True
        self._since_s = 0.0

    @property
    def setpoint(self) -> Setpoint:
        """Setpoint that the controller holds."""
        return self.controller.setpoint

    @property
    def leg(self) -> Leg | None:
        """The active leg; None before the first and after the last."""
        return None if self.done or self._guide is None else self.legs[self.index]

    def update(self, state: VehicleState, dt: float) -> Actuation:
        """Update the setpoint from the active leg and return the actuator commands of the controller."""
        setpoint = None
        while not self.done and setpoint is None:  # a leg can be over at once
            setpoint = self._leg_setpoint(state, dt)
        if setpoint is not None and setpoint != self.controller.setpoint:
            self.controller.command(setpoint)
        return self.controller.update(state, dt)

    def _leg_setpoint(self, state: VehicleState, dt: float) -> Setpoint | None:
        """Setpoint of the active leg; None after switching to the next leg."""
        leg = self.legs[self.index]
        if self._guide is None:
            self._guide, self._since_s = leg.make(state), state.time_s
            self._news = getattr(self._guide, "news", None)
            self._fresh = True
            self._record(state, "leg", f"leg {self.index}, {leg.name or leg.kind}, begins")
        over = state.time_s - self._since_s >= leg.timeout_s
        change = None if over else self._guide.update(state, dt)
        if self._news:
            for kind, text in self._news:
                self._record(state, kind, f"leg {self.index}, {leg.name or leg.kind}: {text}")
            self._news.clear()
        if change is not None:
            setpoint = _merged(self.controller.setpoint, change, self._fresh)
            self._fresh = False
            return setpoint
        if over:
            self._record(state, "timeout", f"leg {self.index}, {leg.name or leg.kind}, ran out of time")
        self._next(state)
        return None

    def _next(self, state: VehicleState) -> None:
        """Switch to the next leg, or end the mission."""
        self._guide, self.index = None, self.index + 1
        if self.index == len(self.legs):
            self.index, self.done = self.index - 1, True
            self._record(state, "mission_done", "the last leg is over")

    def skip(self, state: VehicleState) -> None:
        """Switch to the next leg immediately."""
        if not self.done:
            self._next(state)

    def _record(self, state: VehicleState, kind: str, text: str) -> None:
        self.events.append(Event(state.time_s, kind, text))

    def values(self) -> list[float]:
        """Return values for the log in the order of `columns`; NaN for values that the guide does not return."""
        values = {} if self._guide is None else self._guide.values()
        if not values.keys() <= GUIDE_KEYS:
            self._refuse(next(key for key in values if key not in GUIDE_KEYS))
        leg = float(len(self.legs) if self.done else self.index)
        return [leg, *(values.get(name, math.nan) for name in GUIDE_COLUMNS[1:])]

    def _refuse(self, key: object) -> NoReturn:
        leg, known = self.legs[self.index], GUIDE_COLUMNS[1:]
        message = f"leg {self.index}, {leg.name or leg.kind}: values() has {shown(key)}"
        raise CommandError(message, expected=f"any of {', '.join(known)}", names=known, misspelt=key)


def _merged(held: Setpoint, change: Setpoint, fresh: bool) -> Setpoint:
    """The held setpoint with the values of the guide: a depth overrides an altitude, and vice versa.

    `fresh`: a new leg begins, and pitch and roll of the last are dropped. Both setpoints are valid, so the result is.
    """
    values = held.__dict__.copy()
    if fresh:
        values["pitch_deg"] = values["roll_deg"] = None
    new = {name: value for name, value in change.__dict__.items() if value is not None}
    release_vertical(values, new)
    if "north_m" not in new and ("heading_deg" in new or "speed_m_s" in new):  # a course overrides a position
        values["north_m"] = values["east_m"] = None
    values.update(new)
    return Setpoint.unchecked(**values)
