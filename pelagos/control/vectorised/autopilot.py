"""The default autopilot for many vehicles of one kind at once: the law of `Autopilot`, on arrays.

Gains, stages, allocation and curves are those of the scalar autopilot's `Schedule`, the loops are its very functions
(compiled_laws), so n vehicles get the numbers that n scalar autopilots would give them. Each vehicle has its own
setpoints, also other kinds of them, its own stage and its own switching.

    pilot = ManyAutopilot(vehicle, 1000)
    pilot.command(depth_m=5.0, heading_deg=headings, speed_m_s=1.5)
    actuations = pilot.update(states, 0.1)

What many vehicles are refused: altitudes (a bottom to follow), and a pilot's hand on top. A thruster of reduced health
is not known either; each vehicle is taken to be sound.

Which loops the setpoints of many vehicles need: `orders.plan`, asked once for each kind of setpoint.

A plan depends on which quantities are given and, of their values, on the speed alone; and on that only by a few
thresholds. Vehicles that agree in these share one plan.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pelagos.control.autopilot.autopilot import Autopilot
from pelagos.control.autopilot.setpoints import QUANTITIES, plan
from pelagos.control.base import ballast_at_start
from pelagos.control.tuning.gains import SAMPLING_S
from pelagos.control.tuning.schedule import Schedule, Stage, WaterState
from pelagos.control.vectorised.layout import (
    ALTITUDE,
    DEPTH,
    EAST,
    LEVELLED,
    LOOPS,
    NORTH,
    SPEED,
    Stages,
    hull_of,
    lanes_for,
    stages_of,
)
from pelagos.control.vectorised.share import finish, fly
from pelagos.control.vectorised.wrench import WrenchMotion
from pelagos.errors import CommandError
from pelagos.messages import SETPOINT_RANGE, Actuations, Setpoint, VehicleStates
from pelagos.vehicle.spec import Vehicle

Array = NDArray[np.float64]
Whole = NDArray[np.int64]
BITS = 2 ** np.arange(len(QUANTITIES))
KEPT = 10000  # drags that are remembered


class Plans:
    """Plans of one vehicle's setpoints, remembered by kind."""

    def __init__(self, schedule: Schedule) -> None:
        self.schedule = schedule
        self._known: dict[int, tuple[int, bool, float]] = {}  # loops, whether the speed is as asked for, else which
        self._drags: dict[float, float] = {}

    def kinds(self, held: Array) -> Whole:
        """A number for each row of setpoints; rows of one number have one plan."""
        s, speed = self.schedule, held[:, SPEED]
        size = np.abs(speed)
        above = [speed > 0.0, speed >= s.lowest, size >= s.planes_from, size > s.steady_speed]  # NaN is above nothing
        if s.needs_planes:
            above.append(np.isfinite(held[:, DEPTH]) & (speed >= s.planes_hold_from))
        kind = np.isfinite(held) @ BITS
        for threshold in above:
            kind = 2 * kind + threshold
        if s.interval_s > SAMPLING_S and s.step > 0.0:  # then the loops are judged at the very stage
            stage = np.rint(np.maximum(np.nan_to_num(speed), s.lowest) / s.step).astype(np.int64)
            kind = kind * 100000 + stage
        return kind

    def make(self, held: Array) -> tuple[Whole, Array, Array]:
        """Loops, speed to hold and its drag for each row of setpoints; CommandError if one cannot be held."""
        kinds = self.kinds(held)
        loops, speeds, drags = np.zeros(len(held), np.int64), np.zeros(len(held)), np.zeros(len(held))
        for kind in np.unique(kinds).tolist():
            rows = np.flatnonzero(kinds == kind)
            found = self._known.get(kind)
            if found is None:
                found = self._known[kind] = self._plan(held[rows[0]])
            loops[rows], as_asked, speed = found
            speeds[rows] = held[rows, SPEED] if as_asked else speed
        surging = np.flatnonzero(loops & 1 << LOOPS.index("surge"))
        drags[surging] = self._drag(speeds[surging])
        return loops, speeds, drags

    def _plan(self, row: Array) -> tuple[int, bool, float]:
        if np.isfinite(row[ALTITUDE]):
            raise CommandError("many vehicles hold a depth, not an altitude", expected="depth_m")
        wish = Setpoint(**{name: float(x) for name, x in zip(QUANTITIES, row, strict=True) if x == x})
        if not wish.given:
            return 0, False, 0.0
        found = plan(self.schedule, wish)
        loops = sum(1 << LOOPS.index(name) for name in found.loops) | LEVELLED
        as_asked = wish.speed_m_s is not None and not np.isfinite(row[NORTH])
        return loops, as_asked, found.speed or 0.0

    def _drag(self, speeds: Array) -> list[float]:
        """Drag of each speed, N; those asked for before are remembered."""
        if len(self._drags) > KEPT:
            self._drags.clear()
        known, response = self._drags, self.schedule.response
        values: list[float] = speeds.tolist()
        for speed in values:
            if speed not in known:
                known[speed] = response.drag(speed)
        return [known[speed] for speed in values]


# ---- many ------------------------------------------------------------------------------------------------------------


Where = ArrayLike | None


class VectorAutopilot:
    """Holds setpoints of n vehicles. `command` changes them, `update` flies.

    Args:
        vehicle: what all of them are.
        n: how many.
        water: density and gravity; the vehicle file's if not given.
        interval_s: the control interval that the gains are made for.

    schedule   gains and allocation, those of `pattern`
    pattern    a scalar autopilot of the same vehicle: what it refuses, each of the many is refused
    """

    def __init__(
        self, vehicle: Vehicle, n: int, water: WaterState | None = None, interval_s: float = SAMPLING_S
    ) -> None:
        if n < 1:
            raise CommandError(key="n", value=n, expected="at least one vehicle")
        self.vehicle, self.n = vehicle, n
        self.pattern = Autopilot(vehicle, water, interval_s)
        self.schedule = self.pattern.schedule
        self._plans = Plans(self.schedule)
        self._hull, self._lanes = hull_of(self.pattern), lanes_for(n, self.pattern)
        self._stages: list[Stage] = []
        self._rows = np.full(64, -1, np.int64)  # row of each stage by its key
        self._tables: Stages = stages_of(self.pattern, [])
        self._ballast = np.tile(ballast_at_start(vehicle), (n, 1))
        self._known, self._left = np.zeros((n, 3)), np.zeros(n, np.bool_)

    # What is held -------------------------------------------------------------------------------------------------

    @property
    def held(self) -> Array:
        """Setpoints, (n, 8) in the order of `Setpoint`, its units; NaN: not held. To read; `command` changes them."""
        return self._lanes.held

    def setpoint(self, i: int) -> Setpoint:
        """What vehicle i holds."""
        row: list[float] = self._lanes.held[i].tolist()
        return Setpoint(**{name: x for name, x in zip(QUANTITIES, row, strict=True) if x == x})

    def command(self, where: Where = None, **changes: ArrayLike | None) -> None:
        """Change setpoints of all vehicles, or of those `where` (a mask or indices): a number, or one for each.

        None lets a quantity go. What one of them cannot hold is refused for all, and nothing changes.
        """
        rows = chosen(where, self.n)
        new = self._lanes.held[rows]
        for name, value in changes.items():
            if name not in QUANTITIES:
                raise CommandError(
                    "there is no setpoint", value=name, expected=f"one of {', '.join(QUANTITIES)}", names=QUANTITIES
                )
            new[:, QUANTITIES.index(name)] = np.nan if value is None else _checked(name, value, len(rows))
        for name, other in (("north_m", EAST), ("east_m", NORTH)):
            if changes.get(name, 0.0) is None:
                new[:, other] = np.nan
        alone = np.flatnonzero(np.isnan(new[:, NORTH]) != np.isnan(new[:, EAST]))
        if alone.size:
            missing = "north_m" if np.isnan(new[alone[0], NORTH]) else "east_m"
            raise CommandError(f"setpoint {missing} is missing", expected="a place, north_m and east_m")
        self.hold(rows, new)

    def hold(self, rows: NDArray[np.int64], setpoints: Array) -> None:
        """Whole rows of setpoints, in range, in place of those held."""
        loops, speeds, drags = self._plans.make(setpoints)
        lane = self._lanes.lane
        self._lanes.held[rows] = setpoints
        lane["wanted"][rows], lane["speed"][rows], lane["drag"][rows] = loops, speeds, drags

    def reset(self, where: Where = None) -> None:
        """Forget integrals and what was last done of all vehicles, or of some; gains and setpoints stay."""
        rows, lanes = chosen(where, self.n), self._lanes
        for name in ("integral", "carry", "wanted", "_error", "_rate", "_missed"):
            lanes.pid[name][rows] = 0.0
        lanes.pid["_seen"][rows] = False
        for name in ("applied", "way_on", "fading", "lies", "active", "pitch_cmd"):
            lanes.lane[name][rows] = 0
        lanes.load[rows] = 0.0
        lanes.down[rows] = 0.0, 0.0, 1.0

    # Flying -------------------------------------------------------------------------------------------------------

    def update(self, states: VehicleStates, dt: float) -> Actuations:
        """Demands for the next dt seconds."""
        motion = self._motion(states)
        lanes, hull = self._lanes, self._hull
        rows = self._stage_rows(motion.nu_r[:, 0])
        self._beginnings(motion)
        drives, angles = np.empty((self.n, hull.keep.size)), np.empty((self.n, self._tables.fins.shape[1]))
        if fly(lanes, rows, motion, self._tables, hull, self._known, dt, drives, angles, self._left):
            some = np.flatnonzero(self._left)
            for i in some.tolist():
                lanes.thrust[i] = self.schedule.allocation.thrusts(lanes.rest[i])
            finish(some, lanes, motion, hull, self._tables, dt, drives)
        return Actuations(drives, angles, self._ballast.copy())

    def _motion(self, states: VehicleStates) -> WrenchMotion:
        made = WrenchMotion(*(np.ascontiguousarray(getattr(states, name), np.float64) for name in WrenchMotion._fields))
        if len(made.roll) != self.n:
            raise CommandError(f"the motion of {len(made.roll)} vehicles was given", expected=f"{self.n}")
        return made

    def _stage_rows(self, speeds: Array) -> NDArray[np.int64]:
        """The stage of each vehicle; one that is met for the first time is made."""
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
            self._tables = stages_of(self.pattern, self._stages)
            rows = self._rows[keys]
        return rows

    def _beginnings(self, motion: WrenchMotion) -> None:
        """What only the model can tell of loops that begin now, from a wrench that was there before."""
        lane = self._lanes.lane
        begun = np.flatnonzero((lane["wanted"] & ~lane["active"] != 0) & lane["applied"])
        response = self.schedule.response
        for i in begun.tolist():
            new = int(lane["wanted"][i] & ~lane["active"][i])
            if new & 1 << LOOPS.index("surge"):
                self._known[i, 0] = response.drag(float(motion.nu_r[i, 0]))
            if new & 1 << LOOPS.index("place"):
                self._known[i, 1:] = response.wrench(motion.nu[i])[:2]


def chosen(where: Where, n: int) -> NDArray[np.int64]:
    """Indices of the vehicles that are meant: all, those of a mask, or those given."""
    if where is None:
        return np.arange(n)
    some = np.asarray(where)
    if some.dtype == np.bool_:
        if some.shape != (n,):
            raise CommandError(f"where is a mask of shape {some.shape}", expected=f"one for each of {n} vehicles")
        return np.flatnonzero(some)
    some = np.atleast_1d(some)
    if some.size and (some.dtype.kind not in "iu" or some.min() < 0 or some.max() >= n):
        raise CommandError("where names vehicles that are not there", expected=f"indices from 0 to {n - 1}")
    return some.astype(np.int64)


def _checked(name: str, value: ArrayLike, count: int) -> Array:
    """Values of a setpoint, each in its range."""
    try:
        values = np.broadcast_to(np.asarray(value, np.float64), (count,))
    except (TypeError, ValueError):
        raise CommandError(f"setpoint {name} does not fit", expected=f"a number, or {count} of them") from None
    low, high = SETPOINT_RANGE[name]
    bad = np.flatnonzero(~((values >= low) & (values <= high)))
    if bad.size:
        at = f"setpoint {name}[{bad[0]}] is {values[bad[0]]:g}"
        raise CommandError(at, expected=f"a number from {low:g} to {high:g}")
    return values
