"""A log played like a flight: every sample at its time, what lies between them interpolated, forward or from anywhere.

Time begins with the first sample of the log. At the time of a sample the row is that sample; between two it goes in a
straight line, angles the short way round, quaternions on the unit sphere, and what counts or names goes in steps.

The samples of a log as rows of a snapshot: taken as they are where the log has them, worked out where it can be.

The vehicle and the world of a log, as far as what is written in it allows to have them again.

A recording of a flight says how it was made; the log of a scenario has its tables; others name vehicle and world. What
cannot be had is replaced by something plain, and `notes` says so.
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
from pelagos.frames import quaternion_from_euler
from pelagos.scenario.read import find_scenario, scenario_from
from pelagos.scenario.spec import Scenario, ScenarioVehicle
from pelagos.scenario.waypoints import scenario_waypoints
from pelagos.sensors.battery import Battery
from pelagos.session import snapshot as snap
from pelagos.session.camera_mount import CameraMount, eyes_of
from pelagos.session.make import settings_from, surroundings
from pelagos.session.source import Input
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
from pelagos.world.library import list_worlds
from pelagos.world.load import load_world
from pelagos.world.spec import World

Array = NDArray[np.float64]
NEEDED = ("north_m", "east_m", "depth_m", "roll_deg", "pitch_deg", "heading_deg")
COMPASS = ("heading_deg", "course_deg", "hold_heading_deg")  # go the short way round, 0 to 360 degrees
CIRCULAR = (*COMPASS, "roll_deg", "score_heading_error_deg")  # these too, the last ones from -180 to 180
QUATERNION = ("q0", "q1", "q2", "q3")
STEPS = (
    "contact_with", "hold_mission", "stick_frame", "camera_index", "faults_acting", "recording", "collisions",
    "armed", "by_link", "tether_status", "task_phase", "crash_north_m", "crash_east_m", "crash_depth_m", "lights",
    "score_collisions", "score_found", "score_sighted", "score_in_sight", "score_in_view",
)  # fmt: skip


def replay_columns(log: Log, vehicle: Vehicle) -> tuple[str, ...]:
    """Of the snapshots of a replay."""
    tether = (*TETHER_COLUMNS, *snap.SHIP) if "tether_length_m" in log.columns else ()
    scores = (name for name in log.columns if name.startswith("score_"))
    return (
        *snap.MOTION, *snap.STICKS, *snap.HOLDS, *snap.CAMERA, *snap.STATUS, *snap.CRASH,
        *snap.actuator_columns(vehicle), *tether, *snap.TASK, *scores,
    )  # fmt: skip


def replay_table(log: Log, vehicle: Vehicle, columns: tuple[str, ...], density_kg_m3: float | None = None) -> Array:
    """One row a sample, NaN where nothing is known; LogError if the log does not say where the vehicle was."""
    missing = next((name for name in NEEDED if name not in log.columns), None)
    if missing:
        raise LogError(f"this is no log of a vehicle: it has no column {missing}")
    found = {name: values for name, values in log.columns.items() if name in columns}
    actuators = partial(_actuators, density_kg_m3)
    for derived in (_attitude, _speeds, _holds, _camera, actuators, _status, _tether, _crashes):
        for name, values in derived(log, vehicle, found).items():
            found.setdefault(name, values)
    nothing = np.full(len(log), np.nan)
    return np.column_stack([found.get(name, nothing) for name in columns])


def _attitude(log: Log, vehicle: Vehicle, found: dict[str, Array]) -> dict[str, Array]:
    del vehicle
    if all(name in found for name in QUATERNION):
        return {}
    angles = np.radians(np.column_stack([log["roll_deg"], log["pitch_deg"], log["heading_deg"]]))
    made = np.array([quaternion_from_euler(*row) for row in angles.tolist()]).reshape(-1, 4)
    return dict(zip(QUATERNION, made.T, strict=True))


def _speeds(log: Log, vehicle: Vehicle, found: dict[str, Array]) -> dict[str, Array]:
    """Speed, course and rate of depth from the velocities of the body; from the places where there are none."""
    del vehicle
    body = ("surge_m_s", "sway_m_s", "heave_m_s")
    if all(name in log.columns for name in body):
        u, v, w = (log[name] for name in body)
        q0, q1, q2, q3 = (found[name] for name in QUATERNION)
        north, east, down = snap.over_ground(q0, q1, q2, q3, u, v, w)
        speed = np.sqrt(u * u + v * v + w * w)
    else:
        rates = [_rate(log[name], log.time_s) for name in ("north_m", "east_m", "depth_m")]
        (north, east, down), speed = rates, np.sqrt(sum(rate * rate for rate in rates))
    course = np.array([snap.course_of(n, e) for n, e in zip(north.tolist(), east.tolist(), strict=True)])
    return {"speed_m_s": speed, "course_deg": course, "depth_rate_m_s": down}


def _rate(values: Array, time_s: Array) -> Array:
    steps = np.diff(time_s)
    if not len(steps) or not (steps > 0.0).all():
        return np.full(len(values), np.nan)
    return np.gradient(values, time_s)


def _holds(log: Log, vehicle: Vehicle, found: dict[str, Array]) -> dict[str, Array]:
    del vehicle, found
    return {f"hold_{name}": log[f"cmd_{name}"] for name in snap.HELD if f"cmd_{name}" in log.columns}


def _camera(log: Log, vehicle: Vehicle, found: dict[str, Array]) -> dict[str, Array]:
    """As the camera is mounted, lamps on."""
    del found
    aim, one = CameraMount(eyes_of(vehicle)), np.ones(len(log))
    return {
        "stick_frame": 0.0 * one, "pan_deg": aim.pan_deg * one, "tilt_deg": aim.tilt_deg * one, "zoom": aim.zoom * one,
        "lights": aim.lights * one, "camera_index": 0.0 * one, "hold_mission": 0.0 * one, "recording": 0.0 * one,
        "task_phase": 0.0 * one,
    }  # fmt: skip


def _actuators(density_kg_m3: float | None, log: Log, vehicle: Vehicle, found: dict[str, Array]) -> dict[str, Array]:
    """Thrusters as shares of their limits; surfaces are in the log as they are."""
    del found
    limits, made = snap.Limits(vehicle, density_kg_m3), dict[str, Array]()
    for i, t in enumerate(vehicle.thrusters):
        unit, per = LOG_UNIT[t.drive]
        lagged, factor = ("N", 1.0) if t.lag_on == "thrust" else (unit, per)
        for name, source, scale, most in (
            (f"thruster_{t.name}", f"thruster_{t.name}_{lagged}", factor, limits.actual[i]),
            (f"cmd_thruster_{t.name}", f"cmd_thruster_{t.name}_{unit}", per, limits.told[i]),
        ):
            if source in log.columns:
                values = log[source] / scale
                side = np.where(values > 0.0, most[1], most[0])
                made[name] = np.divide(values, side, out=np.zeros(len(values)), where=side > 0.0)
    return made


def _status(log: Log, vehicle: Vehicle, found: dict[str, Array]) -> dict[str, Array]:
    """Battery from the readings of its gauge, faults from their columns."""
    del found
    made = dict[str, Array]()
    for battery in (sensor for sensor in vehicle.sensors if isinstance(sensor, Battery)):
        name = battery.name or battery.kind
        if f"{name}_voltage_V" not in log.columns:
            continue
        volts, left = _kept(log[f"{name}_voltage_V"]), _kept(log[f"{name}_left_Ah"])
        made["battery_V"], made["battery_percent"] = volts, 100.0 * left / battery.capacity_Ah
        made["power_W"] = volts * _kept(log[f"{name}_current_A"])
    faults = [log[one] for one in log.columns if one.startswith("fault_")]
    made["faults_acting"] = np.sum(faults, axis=0) if faults else np.zeros(len(log))
    return made


def _kept(values: Array) -> Array:
    """Each value until the next one is known."""
    last = np.maximum.accumulate(np.where(np.isfinite(values), np.arange(len(values)), -1))
    return np.where(last >= 0, values[np.maximum(last, 0)], np.nan)


def _tether(log: Log, vehicle: Vehicle, found: dict[str, Array]) -> dict[str, Array]:
    """The ship is where the cable begins."""
    del vehicle, found
    axes = ("north", "east", "depth")
    if "tether_00_north_m" not in log.columns:
        return {}
    return {f"ship_{axis}_m": _kept(log[f"tether_00_{axis}_m"]) for axis in axes}


def _crashes(log: Log, vehicle: Vehicle, found: dict[str, Array]) -> dict[str, Array]:
    """Collisions from the contacts of the log; where it does not say at what speed, from that of the vehicle before."""
    del vehicle
    names = ("crash_north_m", "crash_east_m", "crash_depth_m")
    place = np.full((len(log), 3), np.nan)
    age, count = np.full(len(log), np.nan), np.zeros(len(log))
    if "contact_with" not in log.columns:
        return {}
    touches, number, crashed_s, here = Touches(), 0.0, math.nan, np.full(3, np.nan)
    rows = zip(log.time_s.tolist(), log["contact_with"].tolist(), found["speed_m_s"].tolist(), strict=True)
    before = 0.0
    for k, (now, what, speed) in enumerate(rows):
        if what == what:
            gentle = is_gentle(int(what), before)
            if touches.begins(now, int(what), gentle) and not gentle:
                number, crashed_s = number + 1.0, now
                here = np.array([log["north_m"][k], log["east_m"][k], log["depth_m"][k]])
        count[k], age[k], place[k], before = number, now - crashed_s, here, speed
    return {"collisions": count, "crash_age_s": age, **dict(zip(names, place.T, strict=True))}


# ---- playback scene --------------------------------------------------------------------------------------------------


PLAIN = "bluerov2_heavy"  # drawn in place of a vehicle that is not known
BROKEN = (PelagosError, KeyError, TypeError, ValueError, AttributeError, OSError)  # of what any file may hold


@dataclass
class KnownFromLog:
    """What was found out."""

    vehicle: Vehicle
    world: World
    conditions: Conditions = field(default_factory=Conditions)
    task: TrainingTask | None = None
    waypoints: list[tuple[float, float, float]] = field(default_factory=list[tuple[float, float, float]])
    notes: list[str] = field(default_factory=list[str])


def known_of(log: Log, path: Path) -> KnownFromLog:
    """Vehicle and world of a log; relative files of a scenario are looked for beside `path`, the file of the log."""
    notes: list[str] = []
    said: Any = log.meta
    if isinstance(said.get("flight"), dict):
        try:
            settings = settings_from(said["flight"])
            world, conditions, task = surroundings(settings)
            points = scenario_waypoints(settings.scenario, 0) if settings.scenario else []
            return KnownFromLog(settings.vehicle, world, conditions, task, points, notes)
        except BROKEN as problem:
            notes.append(f"how the flight was made cannot be read ({problem})")
    scenario = _scenario(said, path.parent, notes)
    if scenario is not None:
        craft = _craft(scenario, said, path, notes)
        points = scenario_waypoints(scenario, scenario.vehicles.index(craft))
        return KnownFromLog(craft.vehicle, scenario.world, waypoints=points, notes=notes)
    return KnownFromLog(_vehicle(said, notes), _world(said, log, notes), notes=notes)


def _scenario(said: Any, folder: Path, notes: list[str]) -> Scenario | None:
    """The scenario of a run, from its tables; a ready one's own files are beside it."""
    tables = said.get("scenario_tables")
    if not isinstance(tables, dict):
        return None
    ready = find_scenario(str(said.get("scenario", "")))
    problem: BaseException | None = None
    for place in (folder, *([ready.parent] if ready else [])):
        try:
            return scenario_from(tables, str(said.get("scenario", "scenario")), place)
        except BROKEN as error:
            problem = error
    notes.append(f"the scenario cannot be made again ({problem})")
    return None


def _craft(scenario: Scenario, said: Any, path: Path, notes: list[str]) -> ScenarioVehicle:
    """The one of several vehicles that the log is of: by the name in it, by that of its file, by its kind."""
    vehicles = scenario.vehicles
    if len(vehicles) == 1:
        return vehicles[0]
    alike = [craft for craft in vehicles if craft.vehicle.key == said.get("vehicle")] or list(vehicles)
    found = next((craft for craft in vehicles if craft.name == said.get("name")), None)
    if found is None:
        stem = "-" + Path(path.name.removesuffix(UNFINISHED)).stem
        ends = [craft for craft in alike if stem.endswith(f"-{craft.name}")]
        found = max(ends, key=lambda craft: len(craft.name)) if ends else None
    names = ", ".join(craft.name for craft in vehicles)
    if found is not None or len(alike) == 1:
        found = found or alike[0]
        notes.append(
            f"of the {len(vehicles)} vehicles of this run, {names}, the log is that of {found.name}: it is shown"
        )
        return found
    notes.append(f"the log does not say which of {', '.join(craft.name for craft in alike)} it is of; "
                 f"the path of {alike[0].name} is drawn")  # fmt: skip
    return alike[0]


def _vehicle(said: Any, notes: list[str]) -> Vehicle:
    key = said.get("vehicle")
    try:
        return load_vehicle(str(key))
    except BROKEN:
        notes.append(f"the vehicle {key} is not known; {PLAIN} is drawn in its place")
        return load_vehicle(PLAIN)


def _world(said: Any, log: Log, notes: list[str]) -> World:
    """A world of the library by its name; else open water, with the bottom where the log's altitudes have it."""
    name = said.get("world")
    for entry in list_worlds():
        if name and name in (entry.key, load_world(entry.key).name):
            return load_world(entry.key)
    bottom = log["depth_m"] + log["altitude_m"] if "altitude_m" in log else np.full(1, np.nan)
    seen = bottom[np.isfinite(bottom)]
    surface = said.get("surface") != "none"
    if name not in (None, "unnamed") or len(seen):
        notes.append("the world of the log is not known; open water is drawn in its place")
    return World(depth_m=float(np.median(seen)), surface=surface) if len(seen) else World(surface=surface)


# ---- playback --------------------------------------------------------------------------------------------------------


RATE_HZ = 50.0
HAIR_S = 1e-9  # a tick that close to a sample is at its time


class Playback:
    """A log as a source. LogError with a sentence if the file is none.

    Args:
        path: the log: CSV, Parquet, .npz, of a run or of a recorded flight.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)
        self.log = log = load_log(path)
        times = log.time_s
        if not len(log):
            raise LogError("has no samples", file=path)
        if not (np.isfinite(times).all() and (np.diff(times) >= 0.0).all()):
            raise LogError("its times do not go forward", file=path)
        self.known = known = known_of(log, self.path)
        self.columns = replay_columns(log, known.vehicle)
        try:
            self._table = replay_table(log, known.vehicle, self.columns, known.world.surface_density_kg_m3)
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
        happened = [event for event in log.events if event.kind != "record"]  # nothing is being recorded now
        self.timeline = sorted(
            ({"type": "event", "time_s": e.time_s - self.start_s, "kind": e.kind, "text": e.text} for e in happened),
            key=lambda event: event["time_s"],
        )
        self._events = [self._warning(note) for note in known.notes]
        if not log.complete:
            self._events.append(self._warning("the log was cut short: it plays as far as it goes"))
        self.rate_hz = RATE_HZ
        self.changed, self.waits, self.begun = True, False, 0
        self._seek(0.0)

    # ---- the source ----------------------------------------------------------------------------------------------

    @property
    def time_s(self) -> float:
        """Since the first sample."""
        return min(self._from_s + self._ticks / RATE_HZ, self.duration_s)

    @property
    def done(self) -> bool:
        """Whether the end is reached."""
        return self.time_s >= self.duration_s

    def input(self, sticks: Input) -> None:
        """Sticks move nothing here."""

    def order(self, name: str, values: Mapping[str, Any]) -> None:
        """seek {time_s}; reset goes back to the beginning. Nothing else can be told a log."""
        if name == "seek":
            self._seek(number("seek time_s", values.get("time_s"), 0.0, max(self.duration_s, HAIR_S)))
        elif name == "reset":
            self._seek(0.0)
        else:
            raise CommandError(f"this is a replay: the order {name} is for a flight")

    def tick(self) -> None:
        """One interval on, up to the end; what happened in it is told."""
        if self.done:
            return
        self._ticks += 1
        now = self.time_s
        while self._next < len(self.timeline) and self.timeline[self._next]["time_s"] <= now + HAIR_S:
            self._events.append(self.timeline[self._next])
            self._next += 1

    def snapshot_into(self, row: NDArray[np.float32]) -> None:
        """The state at the time of the log."""
        row[: len(self.columns)] = self.state()

    def state(self) -> NDArray[np.float64]:
        """Values of `columns` now."""
        now, times = self.time_s, self._times
        k = int(np.searchsorted(times, now + HAIR_S, side="right")) - 1
        here = self._table[k].copy()
        if k + 1 >= len(times) or now - times[k] <= HAIR_S:
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
        made = here + share * np.where(np.isfinite(gap), gap, 0.0)
        made[self._age] = here[self._age] + now - times[k]
        made[self._quaternion] /= np.linalg.norm(made[self._quaternion])
        made[self._circular] = (made[self._circular] + 180.0) % 360.0 - 180.0
        made[self._compass] %= 360.0
        return made

    def take_events(self) -> list[dict[str, Any]]:
        """What happened since the last call."""
        events, self._events = self._events, []
        return events

    def close(self) -> None:
        """Nothing is open."""

    # ---- details -------------------------------------------------------------------------------------------------

    def _seek(self, time_s: float) -> None:
        """Go to a time; what happened on the way is not told."""
        self._from_s, self._ticks = time_s, 0
        self.begun += 1
        self._next = sum(1 for event in self.timeline if event["time_s"] < time_s - HAIR_S)

    def _warning(self, text: str) -> dict[str, Any]:
        return {"type": "event", "time_s": 0.0, "kind": "warning", "text": text}
