"""Faults of one simulation: they begin at their triggers, act on plant, sensors and tether, and end.

Each fault of a scenario has a column in the log. With injection at run time (`live`) the log has one column
`faults_acting` instead, the number of active faults, because the columns of a log cannot grow during a run.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

from pelagos.checks import SCENARIO
from pelagos.errors import CommandError, ScenarioError, one_of
from pelagos.messages import Actuation, Event
from pelagos.sim.faults.conditions import ObservedSimulation
from pelagos.sim.faults.kinds import (
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
)
from pelagos.sim.faults.triggers import TriggerWatch
from pelagos.vehicle.damage import damaged
from pelagos.vehicle.spec import Vehicle

if TYPE_CHECKING:
    from pelagos.sim.sensing import Sensing
    from pelagos.sim.simulation import Simulation
    from pelagos.tether.line import Line
    from pelagos.vehicle.pack.records import Packed
    from pelagos.vehicle.plant import Plant

REPACK_KG = 1e-3  # flood water between two updates of the vehicle's mass
SHORTEST_S = 1e-9  # duration of a fault that is cleared at the tick at which it begins
MOST = 64  # active and pending faults, with injection at run time
TARGET_KEYS = ("thruster", "surface", "sensor")  # keys of a fault that name its target
SENSOR_FAULTS = {SensorBias: "bias", SensorFreeze: "freeze", SensorLoss: "loss"}  # their names in a sensor suite


class FaultedVehicle(Protocol):
    """What faults read and change of a vehicle: a `Simulation`, or a run of a batch."""

    @property
    def name(self) -> str:
        """Name of the vehicle, for events."""
        ...

    @property
    def time_s(self) -> float:
        """Simulated time."""
        ...

    @property
    def plant(self) -> Plant:
        """State, commands and records; damage replaces the records."""
        ...

    @property
    def undamaged(self) -> Packed:
        """The records before any damage."""
        ...

    @property
    def sensing(self) -> Sensing | None:
        """The sensors, if there are any."""
        ...

    @property
    def tether(self) -> Line | None:
        """The tether, if there is one."""
        ...

    @property
    def events(self) -> list[Event]:
        """Events of the vehicle, for its log."""
        ...


@dataclass
class ActiveFault:
    """A fault of a running simulation with its present state: pending, active or over."""

    fault: Fault
    name: str
    index: int  # of its target: thruster, surface or sensor
    watch: TriggerWatch
    since_s: float | None = None  # time at which it began; None: pending
    over: bool = False
    held: float = 0.0  # command of a stuck actuator, SI
    inside_kg: float = 0.0  # water through the leak so far

    @property
    def acts(self) -> bool:
        """Whether the fault is active."""
        return self.since_s is not None and not self.over

    @property
    def can_end(self) -> bool:
        """Whether the fault can be cleared at run time."""
        return not isinstance(self.fault, TetherCut)

    def __str__(self) -> str:
        target = next((getattr(self.fault, key) for key in TARGET_KEYS if hasattr(self.fault, key)), "")
        words = self.fault.kind.replace("_", " ")
        return f"{words} ({target})" if target else words


class Faults:
    """All faults of one vehicle.

    Columns of the log: one for each fault, 1 while it is active (`live`: the number of active faults), and the mass of
    flood water.
    """

    def __init__(
        self,
        faults: Sequence[Fault],
        vehicle: Vehicle,
        sensors: Sequence[str] = (),
        tether: bool = False,
        live: bool = False,
    ) -> None:
        self.live = False  # whether faults can be injected at run time
        self._vehicle, self._sensors, self._tether = vehicle, tuple(sensors), tether
        self._cases: list[ActiveFault] = []
        self.gusts = False
        for fault in faults:
            self._add(fault)
        self.columns = (*(f"fault_{case.name}" for case in self._cases), "flooded_kg")
        if live:
            self.open()
        self._shares: dict[int, float] = {}
        self.flooded_kg, self._packed_kg = 0.0, 0.0
        self._moment = np.zeros(3)  # of the flood water, kg m

    @property
    def faults(self) -> tuple[Fault, ...]:
        """All faults, except those that were over when the last one was injected."""
        return tuple(case.fault for case in self._cases)

    def open(self) -> None:
        """Allow injection at run time; the log then has one column for all faults."""
        self.live, self.columns = True, ("faults_acting", "flooded_kg")

    def _add(self, fault: Fault) -> None:
        index = _target(fault, self._vehicle, self._sensors, self._tether)
        self._cases.append(
            ActiveFault(fault, _name(fault, [case.name for case in self._cases]), index, TriggerWatch(fault))
        )
        self.gusts = self.gusts or isinstance(fault, CurrentGust)

    def inject(self, fault: Fault) -> None:
        """Add a fault at run time; a trigger in the past means at the next tick. CommandError without a target."""
        if not isinstance(fault, Fault):
            raise CommandError(key="the fault", value=fault, expected="one of the kinds of pelagos.sim.faults.kinds")
        if not self.live:
            raise CommandError("the faults of this run are those of its scenario; call expect_faults() before it")
        if type(fault) in SENSOR_FAULTS and not self._sensors:
            raise CommandError(f"{fault.kind} needs instruments, and the vehicle has none", expected="sensors=True")
        # Faults that are over have no effect any more: flood water and the cut tether are stored elsewhere.
        self._cases = [case for case in self._cases if not case.over]
        if isinstance(fault, TetherCut) and any(isinstance(other, TetherCut) for other in self.faults):
            raise CommandError("the tether is cut already; a reset rigs a new one")
        if len(self._cases) >= MOST:
            expected = f"at most {MOST}; clear some first"
            raise CommandError("too many faults are active or waiting", expected=expected)
        try:
            self._add(fault)
        except ScenarioError as problem:
            raise problem.at(CommandError, file="") from None

    @property
    def acting(self) -> list[ActiveFault]:
        """The active faults."""
        return [case for case in self._cases if case.acts]

    def clear(self, time_s: float, name: str | None = None) -> None:
        """End the faults that can end, or only that of a name, at the next tick.

        A gust falls by its ramp, a leak stops; flood water and a cut tether remain.
        """
        for case in self._cases:
            if name is not None and case.name != name:
                continue
            if case.since_s is None:
                case.over = True
            elif not case.over and case.can_end:
                lasted = time_s - case.since_s
                if isinstance(case.fault, CurrentGust):  # it falls as long as it has risen
                    lasted = min(lasted + min(case.fault.rise_s, lasted), case.fault.seconds_s)
                case.fault = replace(case.fault, seconds_s=max(lasted, SHORTEST_S))

    def acts(self, i: int) -> bool:
        """Whether the i-th fault is active."""
        return self._cases[i].acts

    def update(self, sim: Simulation) -> None:
        """Begin and end faults that are due, and update leaks and the damaged vehicle; called at each tick."""
        observed = ObservedSimulation(sim)
        self.advance(sim, lambda case: case.watch.due(observed))

    def advance(self, vehicle: FaultedVehicle, due: Callable[[ActiveFault], bool]) -> None:
        """Do what `update` does, for any vehicle; `due` tells whether a pending fault must begin now."""
        before = self._shares
        for case in self._cases:
            if case.over:
                continue
            if case.since_s is None:
                if not due(case):
                    continue
                self._begin(case, vehicle)
            elif vehicle.time_s >= case.since_s + case.fault.seconds_s - 1e-9:
                self._end(case, vehicle)
            else:
                continue
            self._shares = self._thrust_shares()
        self._leak(vehicle)
        # Flood water changes the mass matrix, which must be inverted; not at every tick of a leak.
        if self._shares != before or abs(self.flooded_kg - self._packed_kg) >= REPACK_KG:
            self.damage(vehicle)

    def _thrust_shares(self) -> dict[int, float]:
        """Remaining share of thrust of each damaged thruster; several faults of one thruster multiply."""
        shares: dict[int, float] = {}
        for case in self._cases:
            if case.acts and isinstance(case.fault, ThrusterLost | ThrusterWeak):
                share = case.fault.share if isinstance(case.fault, ThrusterWeak) else 0.0
                shares[case.index] = shares.get(case.index, 1.0) * share
        return shares

    def damage(self, vehicle: FaultedVehicle) -> None:
        """Pack the vehicle anew with its remaining thrust and its flood water."""
        place = self._moment / self.flooded_kg if self.flooded_kg > 0.0 else np.zeros(3)
        vehicle.plant.packed = damaged(vehicle.plant, vehicle.undamaged, self._shares, self.flooded_kg, place.tolist())
        self._packed_kg = self.flooded_kg

    def _begin(self, case: ActiveFault, vehicle: FaultedVehicle) -> None:
        fault, case.since_s = case.fault, vehicle.time_s
        if isinstance(fault, ThrusterStuck):
            case.held = float(vehicle.plant.command["actuators"]["thruster"][case.index])
        elif isinstance(fault, FinJammed):
            here = float(vehicle.plant.state["actuators"]["surface"][case.index])
            case.held = here if fault.angle_deg is None else math.radians(fault.angle_deg)
        elif type(fault) in SENSOR_FAULTS and vehicle.sensing is not None:
            name, size = getattr(fault, "sensor", ""), getattr(fault, "bias", 0.0)
            vehicle.sensing.suite.inject_fault(name, SENSOR_FAULTS[type(fault)], size, key=case.name)
        elif isinstance(fault, TetherCut) and vehicle.tether is not None:
            vehicle.tether.cut()
            vehicle.plant.command["pull"]["force"], vehicle.plant.command["pull"]["stiffness"] = 0.0, 0.0
        _add_event(vehicle, "fault", f"{case} begins")

    def _end(self, case: ActiveFault, vehicle: FaultedVehicle) -> None:
        case.over = True
        if type(case.fault) in SENSOR_FAULTS and vehicle.sensing is not None:
            vehicle.sensing.suite.clear_fault(getattr(case.fault, "sensor", ""), key=case.name)
        _add_event(vehicle, "fault_over", f"{case} is over")

    def _leak(self, vehicle: FaultedVehicle) -> None:
        for case in self._cases:
            fault = case.fault
            if isinstance(fault, Leak) and case.since_s is not None:  # also one that ends now: its last water
                inside = min(fault.rate_kg_s * (min(vehicle.time_s - case.since_s, fault.seconds_s)), fault.room_kg)
                more, case.inside_kg = inside - case.inside_kg, inside
                self.flooded_kg += more
                self._moment += more * np.array(fault.position_m)
        if vehicle.sensing is not None:
            vehicle.sensing.flooded_kg = self.flooded_kg

    @property
    def pending(self) -> list[ActiveFault]:
        """The faults that have not begun."""
        return [case for case in self._cases if case.since_s is None and not case.over]

    @property
    def changing(self) -> bool:
        """Whether an active fault has another effect at each tick, or ends."""
        lasting = (Leak, CurrentGust)
        return any(c.acts and (isinstance(c.fault, lasting) or math.isfinite(c.fault.seconds_s)) for c in self._cases)

    @property
    def stuck(self) -> list[tuple[str, int, float]]:
        """Stuck actuators: the group, the index, and the command that they keep, SI."""
        return [
            ("thrusters" if isinstance(case.fault, ThrusterStuck) else "surfaces", case.index, case.held)
            for case in self._cases
            if case.acts and isinstance(case.fault, ThrusterStuck | FinJammed)
        ]

    def applied(self, actuation: Actuation) -> Actuation:
        """The commands that reach the actuators: stuck actuators keep theirs."""
        stuck = self.stuck
        if not stuck:
            return actuation
        commands = Actuation(actuation.thrusters.copy(), actuation.surfaces.copy(), actuation.ballast)
        for group, index, value in stuck:
            getattr(commands, group)[index] = value
        return commands

    def gust_n(self, time_s: float) -> NDArray[np.float64] | None:
        """Current of all gusts, NED, m/s, to be added to that of the world; None without gusts."""
        total = None
        for case in self._cases:
            if isinstance(case.fault, CurrentGust):
                total = np.zeros(3) if total is None else total
                if case.since_s is not None:
                    left_s = case.since_s + case.fault.seconds_s - time_s
                    total += case.fault.velocity_n(time_s - case.since_s, left_s)
        return total

    def values(self) -> list[float]:
        """Values of `columns` for the log."""
        acting = [float(case.acts) for case in self._cases]
        return [sum(acting), self.flooded_kg] if self.live else [*acting, self.flooded_kg]


def _add_event(vehicle: FaultedVehicle, kind: str, text: str) -> None:
    vehicle.events.append(Event(vehicle.time_s, kind, text, vehicle.name))


def _name(fault: Fault, taken: Sequence[str]) -> str:
    """A unique name: that of the fault or of its kind, with a number if it is taken."""
    name = fault.name or fault.kind
    if name not in taken:
        return name
    number = 1 + sum(1 for other in taken if other == name or other.startswith(f"{name}_"))
    while f"{name}_{number}" in taken:
        number += 1
    return f"{name}_{number}"


def _target(fault: Fault, vehicle: Vehicle, sensors: Sequence[str], tether: bool) -> int:
    """Index of the target of a fault, -1 if it needs none; ScenarioError if the vehicle has no such target."""
    targets = {
        "thruster": [t.name for t in vehicle.thrusters],
        "surface": [s.name for s in vehicle.surfaces],
        "sensor": list(sensors),
    }
    for key, names in targets.items():
        name = getattr(fault, key, None)
        if name is not None:
            if name not in names:
                expected = f"{one_of(names)} of {vehicle.key}" if names else f"a part that {vehicle.key} has"
                SCENARIO.fail(key, value=name, expected=expected, names=names)
            if isinstance(fault, FinJammed):
                _within_limit(fault, vehicle)
            return names.index(name)
    if isinstance(fault, TetherCut) and not tether:
        SCENARIO.fail("kind", value=fault.kind, expected="a tether to cut: there is no [tether]")
    return -1


def _within_limit(fault: FinJammed, vehicle: Vehicle) -> None:
    """Raise an error for an angle beyond the limit of the surface."""
    limit = math.degrees(next(s.limit_rad for s in vehicle.surfaces if s.name == fault.surface))
    if fault.angle_deg is not None and abs(fault.angle_deg) > limit + 1e-9:
        expected = f"an angle between {-limit:g} and {limit:g}: the limit of {fault.surface} of {vehicle.key}"
        SCENARIO.fail("angle_deg", value=fault.angle_deg, expected=expected)
