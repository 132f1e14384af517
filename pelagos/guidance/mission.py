"""A mission: legs flown one after the other through any autopilot. It is a controller like every other."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NoReturn, Protocol

from pelagos.errors import CommandError, shown
from pelagos.guidance.base import GUIDE_COLUMNS, Guide, Leg, unchecked_setpoint
from pelagos.messages import Actuation, Event, Setpoint, VehicleState

SAID = frozenset(GUIDE_COLUMNS[1:])  # what a guide may say for the log


class SetpointController(Protocol):
    """What a mission steers through: the autopilot, the sliding-mode controller, or one of your own."""

    setpoint: Setpoint

    def command(self, setpoint: Setpoint | None = None, **changes: float | None) -> Any:
        """Hold this from now on."""
        ...

    def reset(self) -> None:
        """Forget the past."""
        ...

    def update(self, truth: VehicleState, dt: float) -> Actuation:
        """Demands for the next dt seconds."""
        ...


class Mission:
    """Legs in order. When the last is over the helm keeps what it held, and `done` is true.

    What a leg has no opinion on stays as the leg before left it, except pitch and roll: these hold for their leg.
    `events` tells what happened: "leg", "timeout", "mission_done", and what guides report, such as "waypoint".

    Args:
        helm: holds setpoints.
        legs: what to do, in order.
    """

    columns = GUIDE_COLUMNS

    def __init__(self, helm: SetpointController, legs: Sequence[Leg]) -> None:
        self.helm = helm
        self.legs = tuple(legs)
        self.reset()

    def reset(self) -> None:
        """Before the first leg."""
        self.helm.reset()
        self.index = 0
        self.done = not self.legs
        self.events: list[Event] = []
        self._guide: Guide | None = None
        self._news: list[tuple[str, str]] | None = None
        self._fresh = True
        self._since_s = 0.0

    @property
    def setpoint(self) -> Setpoint:
        """What is held now."""
        return self.helm.setpoint

    @property
    def leg(self) -> Leg | None:
        """The leg being flown; None before the first and after the last."""
        return None if self.done or self._guide is None else self.legs[self.index]

    def update(self, truth: VehicleState, dt: float) -> Actuation:
        """Ask the guide, tell the helm."""
        wish = None
        while not self.done and wish is None:
            wish = self._ask(truth, dt)
        if wish is not None and wish != self.helm.setpoint:
            self.helm.command(wish)
        return self.helm.update(truth, dt)

    def _ask(self, truth: VehicleState, dt: float) -> Setpoint | None:
        """What the present leg wants, or None and on to the next."""
        leg = self.legs[self.index]
        if self._guide is None:
            self._guide, self._since_s = leg.make(truth), truth.time_s
            self._news = getattr(self._guide, "news", None)
            self._fresh = True
            self._tell(truth, "leg", f"leg {self.index}, {leg.name or leg.kind}, begins")
        over = truth.time_s - self._since_s >= leg.timeout_s
        wish = None if over else self._guide.update(truth, dt)
        if self._news:
            for kind, text in self._news:
                self._tell(truth, kind, f"leg {self.index}, {leg.name or leg.kind}: {text}")
            self._news.clear()
        if wish is not None:
            held = _over(self.helm.setpoint, wish, self._fresh)
            self._fresh = False
            return held
        if over:
            self._tell(truth, "timeout", f"leg {self.index}, {leg.name or leg.kind}, ran out of time")
        self._next(truth)
        return None

    def _next(self, truth: VehicleState) -> None:
        """The next leg, or the end."""
        self._guide, self.index = None, self.index + 1
        if self.index == len(self.legs):
            self.index, self.done = self.index - 1, True
            self._tell(truth, "mission_done", "the last leg is over")

    def skip(self, truth: VehicleState) -> None:
        """On to the next leg, whatever the present one has reached."""
        if not self.done:
            self._next(truth)

    def _tell(self, truth: VehicleState, kind: str, text: str) -> None:
        self.events.append(Event(truth.time_s, kind, text))

    def values(self) -> list[float]:
        """For the log, in the order of `columns`; NaN where the guide does not say."""
        said = {} if self._guide is None else self._guide.values()
        if not said.keys() <= SAID:
            self._refuse(next(key for key in said if key not in SAID))
        leg = float(len(self.legs) if self.done else self.index)
        return [leg, *(said.get(name, math.nan) for name in GUIDE_COLUMNS[1:])]

    def _refuse(self, key: object) -> NoReturn:
        leg, known = self.legs[self.index], GUIDE_COLUMNS[1:]
        said = f"leg {self.index}, {leg.name or leg.kind}: values() has {shown(key)}"
        raise CommandError(said, expected=f"any of {', '.join(known)}", names=known, misspelt=key)


def _over(held: Setpoint, wish: Setpoint, fresh: bool) -> Setpoint:
    """What was held, with what the guide has an opinion on in its place: a depth puts out an altitude, and so on.

    `fresh`: a new leg begins, pitch and roll of the last are forgotten. Both setpoints are sound, and so is the sum.
    """
    values = held.__dict__.copy()
    if fresh:
        values["pitch_deg"] = values["roll_deg"] = None
    new = {name: value for name, value in wish.__dict__.items() if value is not None}
    if "altitude_m" in new:
        values["depth_m"] = None
    elif "depth_m" in new:
        values["altitude_m"] = None
    if "north_m" not in new and ("heading_deg" in new or "speed_m_s" in new):  # a course is no place
        values["north_m"] = values["east_m"] = None
    values.update(new)
    return unchecked_setpoint(**values)
