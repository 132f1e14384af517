"""The default autopilot for n vehicles of one type, on arrays.

Gains, stages, allocation and thruster curves are those of the scalar autopilot's `Schedule`, and the loops are the same
functions, compiled (engine.laws), so n vehicles get the numbers of n scalar autopilots. Each vehicle has its setpoints,
also of different quantities, its stage and its switching.

    pilot = VectorAutopilot(vehicle, 1000)
    pilot.command(depth_m=5.0, heading_deg=headings, speed_m_s=1.5)
    actuations = pilot.update(states, 0.1)

Not available for many vehicles: altitude (a bottom to follow), a pilot's manual command, and thrusters of reduced
health.

The plan of a setpoint (`setpoints.plan`) depends on which quantities it has and, of their values, on the speed alone;
and on that only by a few thresholds. Vehicles that agree in these share one plan, computed once.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pelagos.checks import number, whole
from pelagos.control.autopilot.autopilot import Autopilot
from pelagos.control.autopilot.loops import (
    ALTITUDE,
    DEPTH,
    EAST,
    KNOWN_DRAG,
    KNOWN_SURGE,
    KNOWN_SWAY,
    NORTH,
    ON_PLACE,
    ON_SURGE,
    SPEED,
    loops_of,
)
from pelagos.control.autopilot.setpoints import plan
from pelagos.control.base import SURGE, SWAY
from pelagos.control.tuning.gains import SAMPLING_S
from pelagos.control.tuning.schedule import Schedule, Stage, WaterState
from pelagos.control.vectorised.layout import LEVELLED, Stages, hull_of, lanes_for, stages_of
from pelagos.control.vectorised.share import clear_rows, finish, fly
from pelagos.control.vectorised.wrench import WrenchMotion
from pelagos.errors import CommandError, one_of
from pelagos.messages import QUANTITIES, SETPOINT_RANGE, Actuations, Setpoint, VehicleStates
from pelagos.vehicle.spec import Vehicle

Array = NDArray[np.float64]
Whole = NDArray[np.int64]
BITS = 2 ** np.arange(len(QUANTITIES))
Where = ArrayLike | None
KEPT = 10000  # drags in the cache: bounds its memory when speeds change at every tick


class Plans:
    """Cache of the plans of setpoints, by kind of setpoint, for one type of vehicle."""

    def __init__(self, schedule: Schedule) -> None:
        self.schedule = schedule
        self._known: dict[int, tuple[int, bool, float]] = {}  # loops, whether the speed is the setpoint's, or which
        self._drags: dict[float, float] = {}

    def kinds(self, held: Array) -> Whole:
        """Compute the kind of each row of setpoints; rows of one kind have one plan."""
        s, speed = self.schedule, held[:, SPEED]
        size = np.abs(speed)
        above = [speed > 0.0, speed >= s.lowest, size >= s.planes_from, size > s.steady_speed]  # NaN is above nothing
        if s.needs_planes:
            above.append(np.isfinite(held[:, DEPTH]) & (speed >= s.planes_hold_from))
        kind = np.isfinite(held) @ BITS
        for threshold in above:
            kind = 2 * kind + threshold
        if s.interval_s > SAMPLING_S and s.step > 0.0:  # then the plan depends on the stage: its loops are checked
            stage = np.rint(np.maximum(np.nan_to_num(speed), s.lowest) / s.step).astype(np.int64)
            kind = kind * 100000 + stage  # more than there are stages
        return kind

    def make(self, held: Array) -> tuple[Whole, Array, Array]:
        """Find loops, speed to hold and its drag for each row of setpoints; CommandError if one cannot be held."""
        kinds = self.kinds(held)
        loops, speeds, drags = np.zeros(len(held), np.int64), np.zeros(len(held)), np.zeros(len(held))
        for kind in np.unique(kinds).tolist():
            rows = np.flatnonzero(kinds == kind)
            known = self._known.get(kind)
            if known is None:
                known = self._known[kind] = self._plan(held[rows[0]])
            loops[rows], from_setpoint, speed = known
            speeds[rows] = held[rows, SPEED] if from_setpoint else speed
        surging = np.flatnonzero(loops & ON_SURGE)
        drags[surging] = self._drag(speeds[surging])
        return loops, speeds, drags

    def _plan(self, row: Array) -> tuple[int, bool, float]:
        if np.isfinite(row[ALTITUDE]):
            raise CommandError("many vehicles hold a depth, not an altitude", expected="depth_m")
        setpoint = Setpoint(**{name: float(x) for name, x in zip(QUANTITIES, row, strict=True) if x == x})
        if not setpoint.quantities:
            return 0, False, 0.0
        hold_plan = plan(self.schedule, setpoint)
        loops = loops_of(hold_plan.loops) | LEVELLED
        from_setpoint = setpoint.speed_m_s is not None and not np.isfinite(row[NORTH])
        return loops, from_setpoint, hold_plan.speed or 0.0

    def _drag(self, speeds: Array) -> list[float]:
        """Drag of each speed, N, cached: the model computes it, which is slow."""
        if len(self._drags) > KEPT:
            self._drags.clear()
        known, response = self._drags, self.schedule.response
        values: list[float] = speeds.tolist()
        for speed in values:
            if speed not in known:
                known[speed] = response.drag(speed)
        return [known[speed] for speed in values]


class VectorAutopilot:
    """Controller that holds setpoints of n vehicles: `command` changes them, `update` computes the actuations.

    Args:
        vehicle: the type of all vehicles.
        n: number of vehicles.
        water: density and gravity; by default those of the vehicle file.
        interval_s: the control interval that the gains are tuned for.

    schedule   gains and allocation, those of `pattern`
    pattern    a scalar autopilot of the same vehicle: it decides which setpoints the vehicle can hold
    """

    def __init__(
        self, vehicle: Vehicle, n: int, water: WaterState | None = None, interval_s: float = SAMPLING_S
    ) -> None:
        self.vehicle, self.n = vehicle, whole("n", n, 1)
        self.pattern = Autopilot(vehicle, water, interval_s)
        self.schedule = self.pattern.schedule
        self._plans = Plans(self.schedule)
        self._hull, self._lanes = hull_of(self.pattern), lanes_for(n, self.pattern)
        self._stages: list[Stage] = []
        self._rows = np.full(64, -1, np.int64)  # row of each stage by its key; -1: not computed yet; grows when needed
        self._tables: Stages = stages_of(self.schedule, [])
        self._ballast = np.tile(vehicle.ballast_at_start, (n, 1))
        self._known, self._undecided = np.full((n, 5), np.nan), np.zeros(n, np.bool_)  # see loops and share

    @property
    def held(self) -> Array:
        """Setpoints, (n, 8) in the order and units of `Setpoint`; NaN: not held. Read-only; `command` changes them."""
        return self._lanes.held

    def setpoint(self, i: int) -> Setpoint:
        """The setpoint of vehicle i."""
        row: list[float] = self._lanes.held[i].tolist()
        return Setpoint(**{name: x for name, x in zip(QUANTITIES, row, strict=True) if x == x})

    def command(self, where: Where = None, **changes: ArrayLike | None) -> None:
        """Change setpoints of all vehicles, or of those `where` (a mask or indices): a number, or one for each.

        None releases a quantity. If one vehicle cannot hold its setpoint, CommandError, and no setpoint changes.
        """
        rows = chosen(where, self.n)
        new = self._lanes.held[rows]
        for name, value in changes.items():
            if name not in QUANTITIES:
                raise CommandError("there is no setpoint", value=name, expected=one_of(QUANTITIES), names=QUANTITIES)
            new[:, QUANTITIES.index(name)] = np.nan if value is None else _checked(name, value, len(rows))
        for name, other in (("north_m", EAST), ("east_m", NORTH)):  # a place is released whole
            if changes.get(name, 0.0) is None:
                new[:, other] = np.nan
        alone = np.flatnonzero(np.isnan(new[:, NORTH]) != np.isnan(new[:, EAST]))
        if alone.size:
            missing = "north_m" if np.isnan(new[alone[0], NORTH]) else "east_m"
            raise CommandError("is missing", key=missing, expected="a place, north_m and east_m")
        self.hold(rows, new)

    def hold(self, rows: NDArray[np.int64], setpoints: Array) -> None:
        """Replace rows of setpoints; the values must be in range."""
        loops, speeds, drags = self._plans.make(setpoints)
        lane = self._lanes.lane
        self._lanes.held[rows] = setpoints
        lane["required"][rows], lane["speed"][rows], lane["drag"][rows] = loops, speeds, drags

    def reset(self, where: Where = None) -> None:
        """Clear integrals and last wrenches of all vehicles, or of some; keep gains and setpoints."""
        clear_rows(chosen(where, self.n), self._lanes)

    def update(self, states: VehicleStates, dt: float) -> Actuations:
        """Compute the actuator commands of all vehicles for the next dt seconds."""
        motion = self._motion(states)
        lanes, hull = self._lanes, self._hull
        rows = self._stage_rows(motion.nu_r[:, 0])
        self._beginnings(motion)
        drives, angles = np.empty((self.n, hull.curve.size)), np.empty((self.n, self._tables.fins.shape[1]))
        if fly(lanes, rows, motion, self._tables, hull, self._known, dt, drives, angles, self._undecided):
            some = np.flatnonzero(self._undecided)
            for i in some.tolist():  # supplies that thrusters share: the scalar allocation solves these
                lanes.thrust[i] = self.schedule.allocation.thrusts(lanes.rest[i])
            finish(some, lanes, motion, hull, self._tables, dt, drives)
        return Actuations(drives, angles, self._ballast.copy())

    def _motion(self, states: VehicleStates) -> WrenchMotion:
        motion = WrenchMotion(*(np.ascontiguousarray(getattr(states, k), np.float64) for k in WrenchMotion._fields))
        if len(motion.roll) != self.n:
            raise CommandError(key="number of vehicles in the states", value=len(motion.roll), expected=f"{self.n}")
        return motion

    def _stage_rows(self, speeds: Array) -> NDArray[np.int64]:
        """Row of the stage of each vehicle; new stages are computed and added to the tables."""
        s = self.schedule
        keys = np.zeros(self.n, np.int64)
        if s.step > 0.0:
            keys = np.rint(np.maximum(speeds, s.lowest) / s.step).astype(np.int64)
        if keys.max() >= self._rows.size:
            self._rows = np.concatenate([self._rows, np.full(int(keys.max()) + 1 - self._rows.size, -1)])
        rows = self._rows[keys]
        if rows.min() < 0:
            for key in np.unique(keys[rows < 0]).tolist():
                self._rows[key] = len(self._stages)
                self._stages.append(s.stage(key * s.step))
            self._tables = stages_of(self.schedule, self._stages)
            rows = self._rows[keys]
        return rows

    def _beginnings(self, motion: WrenchMotion) -> None:
        """Evaluate the model, outside of compiled code, for loops that begin now from an applied wrench."""
        lane = self._lanes.lane
        begun = np.flatnonzero((lane["required"] & ~lane["active"] != 0) & lane["applied"])
        response = self.schedule.response
        for i in begun.tolist():
            new = int(lane["required"][i] & ~lane["active"][i])
            if new & ON_SURGE:
                self._known[i, KNOWN_DRAG] = response.drag(float(motion.nu_r[i, 0]))
            if new & ON_PLACE:
                self._known[i, [KNOWN_SURGE, KNOWN_SWAY]] = response.wrench(motion.nu[i])[[SURGE, SWAY]]


def chosen(where: Where, n: int) -> NDArray[np.int64]:
    """Indices of the selected vehicles: all for None, those of a mask, or the indices themselves."""
    if where is None:
        return np.arange(n)
    some = np.asarray(where)
    if some.dtype == np.bool_:
        if some.shape != (n,):
            raise CommandError(
                key="shape of the mask `where`", value=some.shape, expected=f"({n},), a flag for each vehicle"
            )
        return np.flatnonzero(some)
    some = np.atleast_1d(some)
    if some.size and (some.dtype.kind not in "iu" or some.min() < 0 or some.max() >= n):
        raise CommandError(key="where", value=where, expected=f"indices from 0 to {n - 1}")
    return some.astype(np.int64)


def _checked(name: str, value: ArrayLike, count: int) -> Array:
    """Check the values of a setpoint against its range; returns one for each vehicle."""
    try:
        values = np.broadcast_to(np.asarray(value, np.float64), (count,))
    except (TypeError, ValueError):
        raise CommandError(key=name, value=value, expected=f"a number, or {count} of them") from None
    low, high = SETPOINT_RANGE[name]
    bad = np.flatnonzero(~((values >= low) & (values <= high)))
    if bad.size:
        number(f"{name}[{bad[0]}]", float(values[bad[0]]), low, high)  # raises
    return values
