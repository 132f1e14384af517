"""Faults at work on one simulation: they begin when their trigger says so, act, pass, and are told to the log.

The faults of a scenario are known from the start and have a column each. Where they may come in under way (`live`), the
log has one column for all of them, faults_acting, how many act now.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from pelagos.errors import CommandError, ScenarioError, nearest
from pelagos.messages import Actuation, Event, shown
from pelagos.sim.conditions import Condition
from pelagos.sim.fault_kinds import (
    CurrentGust,
    Fault,
    FinJammed,
    Leak,
    SensorBias,
    SensorFreeze,
    SensorLoss,
    TetherCut,
    ThrusterLost,
    ThrusterStuck,
    ThrusterWeak,
    Trigger,
)
from pelagos.vehicle.damage import damaged
from pelagos.vehicle.spec import Vehicle

if TYPE_CHECKING:
    from pelagos.sim.simulation import Simulation

REPACK_KG = 1e-3  # of flood water: how often the mass of the vehicle is brought up to date
SHORTEST_S = 1e-9  # of a fault that is over as soon as it began
AILMENT = {SensorBias: "bias", SensorFreeze: "freeze", SensorLoss: "loss"}


class Watch:
    """A trigger being watched."""

    def __init__(self, trigger: Trigger) -> None:
        self._trigger = trigger
        self._condition = Condition(trigger.when) if trigger.when else None

    def due(self, sim: Simulation) -> bool:
        """Whether it is time."""
        t = self._trigger
        if t.at_s is not None:
            return sim.time_s >= t.at_s - 1e-9
        if t.place_m is not None:
            north, east = sim.plant.position_n[:2].tolist()
            return math.hypot(north - t.place_m[0], east - t.place_m[1]) <= t.radius_m
        return self._condition is not None and self._condition.holds(sim)


class Faults:
    """All faults of one vehicle. Columns: one a fault, 1 while it acts (live: how many act), and the flood water."""

    def __init__(
        self,
        faults: Sequence[Fault],
        vehicle: Vehicle,
        sensors: Sequence[str] = (),
        tether: bool = False,
        live: bool = False,
    ) -> None:
        self.live = False  # whether more of them may come
        self._vehicle, self._sensors, self._tether = vehicle, tuple(sensors), tether
        self.faults: tuple[Fault, ...] = ()
        self._names: tuple[str, ...] = ()
        self._index: list[int] = []
        self.gusts = False
        self._watches: list[Watch] = []
        self._since: list[float | None] = []  # when each began
        self._over: list[bool] = []
        for fault in faults:
            self._add(fault)
        self.columns = (*(f"fault_{name}" for name in self._names), "flooded_kg")
        if live:
            self.open()
        self._held: dict[int, float] = {}  # demand of what is stuck, SI
        self._inside: dict[int, float] = {}  # water through each leak so far, kg
        self._shares: dict[int, float] = {}
        self.flooded_kg, self._packed_kg = 0.0, 0.0
        self._moment = np.zeros(3)  # of the flood water, kg m

    def open(self) -> None:
        """Let more of them come from now on, with one column for all."""
        self.live, self.columns = True, ("faults_acting", "flooded_kg")

    def _add(self, fault: Fault) -> None:
        self._index.append(_target(fault, self._vehicle, self._sensors, self._tether))
        self.faults = (*self.faults, fault)
        self._names = _names(self.faults)
        self._watches.append(Watch(fault))
        self._since.append(None)
        self._over.append(False)
        self.gusts = self.gusts or isinstance(fault, CurrentGust)

    def inject(self, fault: Fault) -> None:
        """Let one more come; a trigger in the past means at once. CommandError if it has nothing to act on."""
        if not isinstance(fault, Fault):
            raise CommandError(f"the fault is {shown(fault)}; expected one of the kinds of pelagos.sim.fault_kinds")
        if not self.live:
            raise CommandError("the faults of this run are those of its scenario; call expect_faults() before it")
        if type(fault) in AILMENT and not self._sensors:
            raise CommandError(f"{fault.kind} needs instruments, and none are aboard; expected sensors=True")
        try:
            self._add(fault)
        except ScenarioError as problem:
            raise CommandError(str(problem).removeprefix("scenario: ")) from None

    def clear(self, time_s: float) -> None:
        """End what can end, at the next tick: a gust dies down, a leak stops; water inside and a cut tether stay."""
        for i, fault in enumerate(self.faults):
            since = self._since[i]
            if since is None:
                self._over[i] = True
            elif not self._over[i] and not isinstance(fault, TetherCut):
                lasted = time_s - since
                if isinstance(fault, CurrentGust):  # as long down as it was up
                    lasted = min(lasted + min(fault.rise_s, lasted), fault.seconds_s)
                self._last(i, max(lasted, SHORTEST_S))

    def _last(self, i: int, seconds_s: float) -> None:
        """Let a fault last so long, all in all."""
        self.faults = (*self.faults[:i], replace(self.faults[i], seconds_s=seconds_s), *self.faults[i + 1 :])

    def acts(self, i: int) -> bool:
        """Whether a fault acts now."""
        return self._since[i] is not None and not self._over[i]

    def update(self, sim: Simulation) -> None:
        """Begin and end what is due; let the water rise."""
        for i, fault in enumerate(self.faults):
            since = self._since[i]
            if self._over[i]:
                continue
            if since is None:
                if self._watches[i].due(sim):
                    self._begin(i, fault, sim)
            elif sim.time_s >= since + fault.seconds_s - 1e-9:
                self._end(i, fault, sim)
        self._leak(sim)
        before, self._shares = self._shares, self._left()
        if self._shares != before or abs(self.flooded_kg - self._packed_kg) >= REPACK_KG:
            self.damage(sim)

    def _left(self) -> dict[int, float]:
        """Share of its thrust that each damaged thruster has left; several faults of one multiply."""
        left: dict[int, float] = {}
        for i, fault in enumerate(self.faults):
            if self.acts(i) and isinstance(fault, ThrusterLost | ThrusterWeak):
                share = fault.share if isinstance(fault, ThrusterWeak) else 0.0
                left[self._index[i]] = left.get(self._index[i], 1.0) * share
        return left

    def damage(self, sim: Simulation) -> None:
        """Bring the records of the vehicle to what is left of it."""
        place = self._moment / self.flooded_kg if self.flooded_kg > 0.0 else np.zeros(3)
        sim.plant.packed = damaged(sim.plant, sim.whole, self._shares, self.flooded_kg, place.tolist())
        self._packed_kg = self.flooded_kg

    def _begin(self, i: int, fault: Fault, sim: Simulation) -> None:
        self._since[i] = sim.time_s
        at = self._index[i]
        if isinstance(fault, ThrusterStuck):
            self._held[i] = float(sim.plant.command["demand"]["thruster"][at])
        elif isinstance(fault, FinJammed):
            here = float(sim.plant.state["actuators"]["surface"][at])
            self._held[i] = here if fault.angle_deg is None else math.radians(fault.angle_deg)
        elif type(fault) in AILMENT and sim.sensing is not None:
            name, size = getattr(fault, "sensor", ""), getattr(fault, "bias", 0.0)
            sim.sensing.suite.fail(name, AILMENT[type(fault)], size, key=self._names[i])
        elif isinstance(fault, TetherCut) and sim.tether is not None:
            sim.tether.cut()
            sim.plant.command["pull"]["force"], sim.plant.command["pull"]["stiffness"] = 0.0, 0.0
        self._tell(sim, "fault", f"{self._said(i, fault)} begins")

    def _end(self, i: int, fault: Fault, sim: Simulation) -> None:
        self._over[i] = True
        self._held.pop(i, None)
        if type(fault) in AILMENT and sim.sensing is not None:
            sim.sensing.suite.heal(getattr(fault, "sensor", ""), key=self._names[i])
        self._tell(sim, "fault_over", f"{self._said(i, fault)} is over")

    def _leak(self, sim: Simulation) -> None:
        for i, fault in enumerate(self.faults):
            since = self._since[i]
            if isinstance(fault, Leak) and since is not None:
                inside = min(fault.rate_kg_s * (min(sim.time_s - since, fault.seconds_s)), fault.room_kg)
                more = inside - self._inside.get(i, 0.0)
                self._inside[i] = inside
                self.flooded_kg += more
                self._moment += more * np.array(fault.position_m)
        if sim.sensing is not None:
            sim.sensing.flooded_kg = self.flooded_kg

    def told(self, a: Actuation) -> Actuation:
        """The demands as they reach the actuators."""
        stuck = [(i, f) for i, f in enumerate(self.faults) if self.acts(i) and isinstance(f, ThrusterStuck | FinJammed)]
        if not stuck:
            return a
        thrusters, surfaces = a.thrusters.copy(), a.surfaces.copy()
        for i, fault in stuck:
            (thrusters if isinstance(fault, ThrusterStuck) else surfaces)[self._index[i]] = self._held[i]
        return Actuation(thrusters, surfaces, a.ballast)

    def gust_n(self, time_s: float) -> NDArray[np.float64] | None:
        """Current on top of the world's, NED, m/s; None if there never is one."""
        total = None
        for i, fault in enumerate(self.faults):
            since = self._since[i]
            if isinstance(fault, CurrentGust):
                total = np.zeros(3) if total is None else total
                if since is not None:
                    total += fault.velocity_n(time_s - since, since + fault.seconds_s - time_s)
        return total

    def values(self) -> list[float]:
        """For the log, in the order of `columns`."""
        acting = [float(self.acts(i)) for i in range(len(self.faults))]
        return [sum(acting), self.flooded_kg] if self.live else [*acting, self.flooded_kg]

    def _said(self, i: int, fault: Fault) -> str:
        target = next((getattr(fault, key) for key in ("thruster", "surface", "sensor") if hasattr(fault, key)), "")
        words = fault.kind.replace("_", " ")
        return f"{words} ({target})" if target else words

    def _tell(self, sim: Simulation, kind: str, text: str) -> None:
        sim.events.append(Event(sim.time_s, kind, text, sim.name))


def _names(faults: Sequence[Fault]) -> tuple[str, ...]:
    names: list[str] = []
    for fault in faults:
        name = fault.name or fault.kind
        n = sum(1 for other in names if other == name or other.startswith(f"{name}_"))
        names.append(f"{name}_{n + 1}" if name in names else name)
    return tuple(names)


def _target(fault: Fault, vehicle: Vehicle, sensors: Sequence[str], tether: bool) -> int:
    """Index of the thing a fault is about; a sentence if there is no such thing."""
    things = {
        "thruster": [t.name for t in vehicle.thrusters],
        "surface": [s.name for s in vehicle.surfaces],
        "sensor": list(sensors),
    }
    for key, names in things.items():
        wanted = getattr(fault, key, None)
        if wanted is not None:
            if wanted not in names:
                expected = f"expected one of {', '.join(names) or 'none: there is no such thing'} of {vehicle.key}"
                raise ScenarioError("scenario", key, wanted, expected, nearest(wanted, names))
            if isinstance(fault, FinJammed):
                _within_limit(fault, vehicle)
            return names.index(wanted)
    if isinstance(fault, TetherCut) and not tether:
        raise ScenarioError("scenario", "kind", fault.kind, "expected a tether to cut: there is no [tether]")
    return -1


def _within_limit(fault: FinJammed, vehicle: Vehicle) -> None:
    """Refuse an angle that the surface cannot reach."""
    limit = math.degrees(next(s.limit_rad for s in vehicle.surfaces if s.name == fault.surface))
    if fault.angle_deg is not None and abs(fault.angle_deg) > limit + 1e-9:
        expected = f"expected an angle between {-limit:g} and {limit:g}: the limit of {fault.surface} of {vehicle.key}"
        raise ScenarioError("scenario", "angle_deg", fault.angle_deg, expected)
