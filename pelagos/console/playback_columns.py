"""The samples of a log as rows of a snapshot: taken as they are where the log has them, worked out where it can be."""

from __future__ import annotations

import math
from functools import partial

import numpy as np
from numpy.typing import NDArray

from pelagos.console import snapshot as snap
from pelagos.console.aim import Aim, eyes_of
from pelagos.frames import quaternion_from_euler
from pelagos.sensors.battery import Battery
from pelagos.sim.log import Log, LogError
from pelagos.sim.orders import LOG_UNIT
from pelagos.sim.towing import TETHER_COLUMNS
from pelagos.training.collisions import Touches, is_gentle
from pelagos.vehicle.spec import Vehicle

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
    aim, one = Aim(eyes_of(vehicle)), np.ones(len(log))
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
