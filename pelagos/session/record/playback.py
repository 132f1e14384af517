"""Playback of a log on the console: snapshots interpolated between samples, from any start time.

Time starts at the first sample. Between two samples values are interpolated linearly, angles along the shorter arc,
quaternions on the unit sphere; counters and codes change in steps.

Columns of a snapshot that the log lacks are computed from others where possible (`replay_table`). Vehicle and world
come from the settings of a recorded flight, from the tables of a scenario, or by name; a default replaces what cannot
be restored, with a note for the pilot (`setup_of_log`).
"""

from __future__ import annotations

import math
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pelagos.checks import number
from pelagos.errors import CommandError, PelagosError
from pelagos.files.library import SCENARIOS, WORLDS
from pelagos.frames import quaternion_from_euler
from pelagos.scenario.read import scenario_from
from pelagos.scenario.spec import Scenario, ScenarioVehicle
from pelagos.scenario.waypoints import scenario_waypoints
from pelagos.sensors.battery import Battery
from pelagos.session import snapshot as snap
from pelagos.session.camera_mount import CameraMount, cameras_of
from pelagos.session.make import settings_from, surroundings
from pelagos.session.source import ViewOnlySource
from pelagos.sim.commands import LOG_UNIT
from pelagos.sim.log.load import load_log
from pelagos.sim.log.log import Log, LogError
from pelagos.sim.log.parquet import UNFINISHED
from pelagos.sim.tether import TETHER_COLUMNS
from pelagos.training.collisions import Touches, is_gentle
from pelagos.training.conditions import Conditions
from pelagos.training.task import TrainingTask
from pelagos.vehicle.load.vehicle import load_vehicle
from pelagos.vehicle.spec import Vehicle
from pelagos.world.load import load_world
from pelagos.world.spec import World

Array = NDArray[np.float64]
NEEDED = ("north_m", "east_m", "depth_m", "roll_deg", "pitch_deg", "heading_deg")
COMPASS = ("heading_deg", "course_deg", "hold_heading_deg")  # angles from 0 to 360 degrees
CIRCULAR = (*COMPASS, "roll_deg", "score_heading_error_deg")  # all that wrap; the last two from -180 to 180 degrees
QUATERNION = ("q0", "q1", "q2", "q3")
STEPS = (  # counters, codes and switches: not to be interpolated
    "contact_with", "hold_mission", "stick_frame", "camera_index", "faults_acting", "recording", "collisions",
    "armed", "by_link", "tether_status", "task_phase", "crash_north_m", "crash_east_m", "crash_depth_m", "lights",
    "score_collisions", "score_found", "score_sighted", "score_in_sight", "score_in_view",
)  # fmt: skip
RATE_HZ = 50.0
ROUNDING_S = 1e-9  # a tick this close to a sample is at its time
DEFAULT_VEHICLE = "bluerov2_heavy"  # drawn in place of an unknown vehicle
UNREADABLE = (PelagosError, KeyError, TypeError, ValueError, AttributeError, OSError)  # settings may hold anything


def replay_columns(log: Log, vehicle: Vehicle) -> tuple[str, ...]:
    """Names of the values of a playback's snapshots."""
    tether = (*TETHER_COLUMNS, *snap.SHIP) if "tether_length_m" in log.columns else ()
    return snap.snapshot_columns(vehicle, tether, (name for name in log.columns if name.startswith("score_")))


def replay_table(log: Log, vehicle: Vehicle, columns: tuple[str, ...], density_kg_m3: float | None = None) -> Array:
    """Snapshots for all samples, one row each, NaN where unknown; LogError if the log lacks position or attitude."""
    missing = next((name for name in NEEDED if name not in log.columns), None)
    if missing:
        raise LogError("this is not the log of a vehicle: it has no column", value=missing)
    table = {name: values for name, values in log.columns.items() if name in columns}
    actuators = partial(_actuators, density_kg_m3)
    # In this order: speeds need the quaternion, collisions the speed. Columns of the log take precedence.
    for derive in (_attitude, _speeds, _holds, _camera, actuators, _status, _tether, _crashes):
        for name, values in derive(log, vehicle, table).items():
            table.setdefault(name, values)
    unknown = np.full(len(log), np.nan)
    return np.column_stack([table.get(name, unknown) for name in columns])


def _attitude(log: Log, vehicle: Vehicle, table: dict[str, Array]) -> dict[str, Array]:
    """Quaternions from Euler angles."""
    del vehicle
    if all(name in table for name in QUATERNION):
        return {}
    angles = np.radians(np.column_stack([log["roll_deg"], log["pitch_deg"], log["heading_deg"]]))
    quaternions = np.array([quaternion_from_euler(*row) for row in angles.tolist()]).reshape(-1, 4)
    return dict(zip(QUATERNION, quaternions.T, strict=True))


def _speeds(log: Log, vehicle: Vehicle, table: dict[str, Array]) -> dict[str, Array]:
    """Speed, course and depth rate from body velocities, or from positions if the log lacks them."""
    del vehicle
    body = ("surge_m_s", "sway_m_s", "heave_m_s")
    if all(name in log.columns for name in body):
        u, v, w = (log[name] for name in body)
        q0, q1, q2, q3 = (table[name] for name in QUATERNION)
        north, east, down = snap.over_ground(q0, q1, q2, q3, u, v, w)
        speed = np.sqrt(u * u + v * v + w * w)
    else:
        rates = [_rate(log[name], log.time_s) for name in ("north_m", "east_m", "depth_m")]
        (north, east, down), speed = rates, np.sqrt(sum(rate * rate for rate in rates))
    course = np.array([snap.course_of(n, e) for n, e in zip(north.tolist(), east.tolist(), strict=True)])
    return {"speed_m_s": speed, "course_deg": course, "depth_rate_m_s": down}


def _rate(values: Array, time_s: Array) -> Array:
    steps = np.diff(time_s)
    # A log may repeat a time, for which no rate exists.
    if not len(steps) or not (steps > 0.0).all():
        return np.full(len(values), np.nan)
    return np.gradient(values, time_s)


def _holds(log: Log, vehicle: Vehicle, table: dict[str, Array]) -> dict[str, Array]:
    """Holds from the setpoints of the log."""
    del vehicle, table
    return {f"hold_{name}": log[f"cmd_{name}"] for name in snap.HOLD_NAMES if f"cmd_{name}" in log.columns}


def _camera(log: Log, vehicle: Vehicle, table: dict[str, Array]) -> dict[str, Array]:
    """The first camera as it is mounted, lights on, and no hold, recording or task."""
    del table
    mount, ones = CameraMount(cameras_of(vehicle)), np.ones(len(log))
    zeros = 0.0 * ones
    return {
        "stick_frame": zeros, "pan_deg": mount.pan_deg * ones, "tilt_deg": mount.tilt_deg * ones,
        "zoom": mount.zoom * ones, "lights": mount.lights * ones,
        "camera_index": zeros, "hold_mission": zeros, "recording": zeros,
        "task_phase": zeros,
    }  # fmt: skip


def _actuators(density_kg_m3: float | None, log: Log, vehicle: Vehicle, table: dict[str, Array]) -> dict[str, Array]:
    """Thrusters as fractions of their limits; control surfaces have the same columns in log and snapshot."""
    del table
    limits, shares = snap.Limits(vehicle, density_kg_m3), dict[str, Array]()
    for i, t in enumerate(vehicle.thrusters):
        unit, per = LOG_UNIT[t.drive]
        lagged, factor = ("N", 1.0) if t.lag_on == "thrust" else (unit, per)
        for name, source, scale, most in (
            (f"thruster_{t.name}", f"thruster_{t.name}_{lagged}", factor, limits.actual[i]),
            (f"cmd_thruster_{t.name}", f"cmd_thruster_{t.name}_{unit}", per, limits.commanded[i]),
        ):
            if source in log.columns:
                values = log[source] / scale
                side = np.where(values > 0.0, most[1], most[0])
                shares[name] = np.divide(values, side, out=np.zeros(len(values)), where=side > 0.0)
    return shares


def _status(log: Log, vehicle: Vehicle, table: dict[str, Array]) -> dict[str, Array]:
    """Battery from the readings of its sensor, number of faults from their columns."""
    del table
    status = dict[str, Array]()
    for battery in (sensor for sensor in vehicle.sensors if isinstance(sensor, Battery)):
        name = battery.name or battery.kind
        if f"{name}_voltage_V" not in log.columns:
            continue
        volts, left = _forward_filled(log[f"{name}_voltage_V"]), _forward_filled(log[f"{name}_left_Ah"])
        status["battery_V"], status["battery_percent"] = volts, 100.0 * left / battery.capacity_Ah
        status["power_W"] = volts * _forward_filled(log[f"{name}_current_A"])
    faults = [log[name] for name in log.columns if name.startswith("fault_")]
    status["faults_acting"] = np.sum(faults, axis=0) if faults else np.zeros(len(log))
    return status


def _forward_filled(values: Array) -> Array:
    """The values with the last finite one in place of NaN: sensors are slower than samples."""
    last = np.maximum.accumulate(np.where(np.isfinite(values), np.arange(len(values)), -1))
    return np.where(last >= 0, values[np.maximum(last, 0)], np.nan)


def _tether(log: Log, vehicle: Vehicle, table: dict[str, Array]) -> dict[str, Array]:
    """The position of the ship: the first node of the cable."""
    del vehicle, table
    axes = ("north", "east", "depth")
    if "tether_00_north_m" not in log.columns:
        return {}
    return {f"ship_{axis}_m": _forward_filled(log[f"tether_00_{axis}_m"]) for axis in axes}


def _crashes(log: Log, vehicle: Vehicle, table: dict[str, Array]) -> dict[str, Array]:
    """Collisions from the contacts of the log and the speed of the vehicle before each contact."""
    del vehicle
    names = ("crash_north_m", "crash_east_m", "crash_depth_m")
    place = np.full((len(log), 3), np.nan)
    age, count = np.full(len(log), np.nan), np.zeros(len(log))
    if "contact_with" not in log.columns:
        return {}
    # The same rules as in a live flight: `pelagos.training.collisions`.
    touches, number, crashed_s, here = Touches(), 0.0, math.nan, np.full(3, np.nan)
    rows = zip(log.time_s.tolist(), log["contact_with"].tolist(), table["speed_m_s"].tolist(), strict=True)
    before = 0.0  # speed in the sample before: the contact itself has already slowed the vehicle down
    for k, (now, body, speed) in enumerate(rows):
        if not math.isnan(body):
            gentle = is_gentle(int(body), before)
            if touches.begins(now, int(body), gentle) and not gentle:
                number, crashed_s = number + 1.0, now
                here = np.array([log["north_m"][k], log["east_m"][k], log["depth_m"][k]])
        count[k], age[k], place[k], before = number, now - crashed_s, here, speed
    return {"collisions": count, "crash_age_s": age, **dict(zip(names, place.T, strict=True))}


@dataclass
class LogSetup:
    """Vehicle, world, conditions, task and waypoints of a log, with notes on what could not be restored."""

    vehicle: Vehicle
    world: World
    conditions: Conditions = field(default_factory=Conditions)
    task: TrainingTask | None = None
    waypoints: list[tuple[float, float, float]] = field(default_factory=list[tuple[float, float, float]])
    notes: list[str] = field(default_factory=list[str])


def setup_of_log(log: Log, path: Path) -> LogSetup:
    """Vehicle and world of a log; files that its scenario names are searched for beside `path`, the file of the log."""
    notes: list[str] = []
    meta: Any = log.meta
    if isinstance(meta.get("flight"), dict):
        try:
            settings = settings_from(meta["flight"])
            world, conditions, task = surroundings(settings)
            points = scenario_waypoints(settings.scenario, 0) if settings.scenario else []
            return LogSetup(settings.vehicle, world, conditions, task, points, notes)
        except UNREADABLE as problem:
            notes.append(f"how the flight was made cannot be read ({problem})")
    scenario = _scenario(meta, path.parent, notes)
    if scenario is not None:
        vehicle = _logged_vehicle(scenario, meta, path, notes)
        points = scenario_waypoints(scenario, scenario.vehicles.index(vehicle))
        return LogSetup(vehicle.vehicle, scenario.world, waypoints=points, notes=notes)
    return LogSetup(_vehicle(meta, notes), _world(meta, log, notes), notes=notes)


def _scenario(meta: Any, folder: Path, notes: list[str]) -> Scenario | None:
    """The scenario of a run, from its tables; the files of a library scenario are beside that."""
    tables = meta.get("scenario_tables")
    if not isinstance(tables, dict):
        return None
    ready = SCENARIOS.find(str(meta.get("scenario", "")))
    problem: BaseException | None = None
    for place in (folder, *([ready.parent] if ready else [])):
        try:
            return scenario_from(tables, str(meta.get("scenario", "scenario")), place)
        except UNREADABLE as error:
            problem = error
    notes.append(f"the scenario cannot be made again ({problem})")
    return None


def _logged_vehicle(scenario: Scenario, meta: Any, path: Path, notes: list[str]) -> ScenarioVehicle:
    """The vehicle of a scenario that the log is of: by the name in the log, by the name of the file, by its type."""
    vehicles = scenario.vehicles
    if len(vehicles) == 1:
        return vehicles[0]
    same_type = [item for item in vehicles if item.vehicle.key == meta.get("vehicle")] or list(vehicles)
    match = next((item for item in vehicles if item.name == meta.get("name")), None)
    if match is None:
        # A run appends the vehicle's name to the stem; the longest match is right where one name ends with another.
        stem = "-" + Path(path.name.removesuffix(UNFINISHED)).stem
        matches = [item for item in same_type if stem.endswith(f"-{item.name}")]
        match = max(matches, key=lambda item: len(item.name)) if matches else None
    names = ", ".join(item.name for item in vehicles)
    if match is not None or len(same_type) == 1:
        match = match or same_type[0]
        notes.append(
            f"of the {len(vehicles)} vehicles of this run, {names}, the log is that of {match.name}: it is shown"
        )
        return match
    notes.append(f"the log does not say which of {', '.join(item.name for item in same_type)} it is of; "
                 f"the path of {same_type[0].name} is drawn")  # fmt: skip
    return same_type[0]


def _vehicle(meta: Any, notes: list[str]) -> Vehicle:
    key = meta.get("vehicle")
    try:
        return load_vehicle(str(key))
    except UNREADABLE:
        notes.append(f"the vehicle {key} is not known; {DEFAULT_VEHICLE} is drawn in its place")
        return load_vehicle(DEFAULT_VEHICLE)


def _world(meta: Any, log: Log, notes: list[str]) -> World:
    """The library world of the log's name; otherwise open water with the median of the logged bottom depths."""
    name = meta.get("world")
    for key in WORLDS.names():
        if name and name in (key, load_world(key).name):
            return load_world(key)
    bottom = log["depth_m"] + log["altitude_m"] if "altitude_m" in log else np.full(1, np.nan)
    bottom = bottom[np.isfinite(bottom)]
    surface = meta.get("surface") != "none"
    if name not in (None, "unnamed") or len(bottom):
        notes.append("the world of the log is not known; open water is drawn in its place")
    return World(depth_m=float(np.median(bottom)), surface=surface) if len(bottom) else World(surface=surface)


class Playback(ViewOnlySource):
    """A log as a source of snapshots for the runner; LogError if the file is not a log of a vehicle.

    It has no lock: like any `TickSource` it belongs to the runner's thread.

    Args:
        path: the log of a run or of a recorded flight: CSV, Parquet or .npz.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)
        self.log = log = load_log(path)
        times = log.time_s
        if not len(log):
            raise LogError("has no samples", file=path)
        if not (np.isfinite(times).all() and (np.diff(times) >= 0.0).all()):
            raise LogError("its times do not go forward", file=path)
        self.setup = setup = setup_of_log(log, self.path)
        self.columns = replay_columns(log, setup.vehicle)
        try:
            self._table = replay_table(log, setup.vehicle, self.columns, setup.world.surface_density_kg_m3)
        except LogError as problem:
            raise problem.at(file=path) from None
        self.start_s = float(times[0])
        self._times = times - self.start_s
        self.duration_s = float(self._times[-1])
        at = {name: k for k, name in enumerate(self.columns)}
        self._circular = np.array([at[name] for name in CIRCULAR if name in at])
        self._compass = np.array([at[name] for name in COMPASS])
        self._quaternion = np.array([at[name] for name in QUATERNION])
        steps = [k for name, k in at.items() if name in STEPS or (name.startswith("hold_") and name not in CIRCULAR)]
        self._steps, self._age = np.array(steps), at["crash_age_s"]
        events = [event for event in log.events if event.kind != "record"]  # the page would show a running recording
        self.timeline = sorted(
            ({"type": "event", "time_s": e.time_s - self.start_s, "kind": e.kind, "text": e.text} for e in events),
            key=lambda event: event["time_s"],
        )
        self._events = [self._warning(note) for note in setup.notes]
        if not log.complete:
            self._events.append(self._warning("the log was cut short: it plays as far as it goes"))
        self.rate_hz = RATE_HZ
        self.changed, self.begun = True, 0
        self._seek(0.0)

    @property
    def time_s(self) -> float:
        """Time since the first sample."""
        return min(self._from_s + self._ticks / RATE_HZ, self.duration_s)

    @property
    def done(self) -> bool:
        """Whether the end is reached."""
        return self.time_s >= self.duration_s

    def order(self, name: str, values: Mapping[str, Any]) -> None:
        """Go to a time (`seek` with `time_s`) or to the start (`reset`); CommandError for any other order."""
        if name == "seek":
            self._seek(number("seek time_s", values.get("time_s"), 0.0, max(self.duration_s, ROUNDING_S)))
        elif name == "reset":
            self._seek(0.0)
        else:
            raise CommandError("a replay has no order", value=name, names=("seek", "reset"), expected="seek or reset")

    def tick(self) -> None:
        """Advance by one interval, up to the end, and publish its events."""
        if self.done:
            return
        self._ticks += 1
        now = self.time_s
        while self._next < len(self.timeline) and self.timeline[self._next]["time_s"] <= now + ROUNDING_S:
            self._events.append(self.timeline[self._next])
            self._next += 1

    def snapshot_into(self, row: NDArray[np.float32]) -> None:
        """Write the present state into a row."""
        row[: len(self.columns)] = self.state()

    def state(self) -> NDArray[np.float64]:
        """Values of `columns` now: a sample, or interpolated between two."""
        now, times = self.time_s, self._times
        k = int(np.searchsorted(times, now + ROUNDING_S, side="right")) - 1
        here = self._table[k].copy()
        if k + 1 >= len(times) or now - times[k] <= ROUNDING_S:
            return here
        share = (now - times[k]) / (times[k + 1] - times[k])
        there = self._table[k + 1]
        with np.errstate(invalid="ignore"):  # the ratio of a tether is infinite where ship and vehicle meet
            gap = there - here
        turn = gap[self._circular]
        gap[self._circular] = (turn + 180.0) % 360.0 - 180.0
        q, p = here[self._quaternion], there[self._quaternion]
        gap[self._quaternion] = (p if q @ p >= 0.0 else -p) - q  # q and -q are one attitude
        gap[self._steps] = 0.0
        row = here + share * np.where(np.isfinite(gap), gap, 0.0)
        row[self._age] = here[self._age] + now - times[k]  # an age grows with time, and jumps to 0 at a collision
        row[self._quaternion] /= np.linalg.norm(row[self._quaternion])
        row[self._circular] = (row[self._circular] + 180.0) % 360.0 - 180.0
        row[self._compass] %= 360.0
        return row

    def _seek(self, time_s: float) -> None:
        """Go to a time without publishing the events on the way."""
        self._from_s, self._ticks = time_s, 0
        self.begun += 1
        self._next = sum(1 for event in self.timeline if event["time_s"] < time_s - ROUNDING_S)

    def _warning(self, text: str) -> dict[str, Any]:
        return {"type": "event", "time_s": 0.0, "kind": "warning", "text": text}
