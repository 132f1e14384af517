"""A log as the host of the robot link: the same messages row by row, so that a robot's program can consume a log.

Commands are accepted and have no effect. Values that the log does not hold are null. Accelerations are the differences
of velocities over one row (null at the first), and a reading has the time of its row.
"""

from __future__ import annotations

import math
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from pelagos.frames import rotation_from_quaternion
from pelagos.links.robot.host import Host
from pelagos.links.robot.messages import VehicleCommand
from pelagos.links.robot.vehicle import GROUPS, MOTION, STATE, actuator_entry, finite_or_null
from pelagos.session.source import unknown
from pelagos.sim.columns import SETPOINT_NAMES
from pelagos.sim.log.file import plain_event
from pelagos.sim.log.load import load_log
from pelagos.sim.log.log import LogError
from pelagos.sim.tether import TETHER_COLUMNS
from pelagos.units import split_key

COLUMN = {"thrusters": "thruster_", "surfaces": "surface_", "ballast": "ballast_"}
NEEDED = ("north_m", "east_m", "depth_m", "q0", "q1", "q2", "q3", "surge_m_s", "sway_m_s", "heave_m_s")
EVEN = 1e-3  # of an interval: largest error of the time of a row that counts as evenly spaced
VELOCITIES = ("surge_m_s", "sway_m_s", "heave_m_s", "roll_rate_deg_s", "pitch_rate_deg_s", "yaw_rate_deg_s")
CURRENT = ("current_north_m_s", "current_east_m_s", "current_down_m_s")


class RecordedHost(Host):
    """A log as a host. LogError if the file is not a log, or its rows are not evenly spaced.

    Args:
        path: the log: CSV, Parquet or .npz of a run, or of a recorded flight.
    """

    kind = "log"

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.log = log = load_log(path)
        self.title = Path(path).name
        for name in NEEDED:
            if name not in log.columns:
                raise LogError("has no column", file=path, value=name, expected="the log of a run")
        times = log.time_s
        if len(times) < 2:
            raise LogError(file=path, key="number of samples", value=len(times), expected="at least 2")
        self._interval_s = float(times[-1] - times[0]) / (len(times) - 1)
        even = times[0] + self._interval_s * np.arange(len(times))
        if not (np.isfinite(times).all() and self._interval_s > 0.0):
            raise LogError("its times do not go forward", file=path)
        if np.abs(times - even).max() > EVEN * self._interval_s:
            raise LogError("its samples are not evenly spaced in time", file=path, expected="the log of one run")
        key = log.meta.get("vehicle")
        self._key = key if isinstance(key, str) else "unknown"
        name = log.meta.get("name")
        self.name = name if isinstance(name, str) and name else self._key
        self._actual = {group: _columns(log.columns, prefix) for group, prefix in COLUMN.items()}
        self._ordered = {group: _columns(log.columns, f"cmd_{prefix}") for group, prefix in COLUMN.items()}
        self._sensors = self._sensor_columns()
        self._log_events = sorted(log.events, key=lambda event: event.time_s)
        self.reset()

    @property
    def rate_hz(self) -> float:
        """Rows per second of the log."""
        rate = 1.0 / self._interval_s  # a whole number but for the rounding of times
        return float(round(rate)) if abs(rate - round(rate)) < 1e-6 * rate else rate

    @property
    def ticks(self) -> int:
        """Rows since the first."""
        return self._row

    @property
    def time_s(self) -> float:
        """Time of the log."""
        return float(self.log.time_s[self._row])

    @property
    def done(self) -> bool:
        """Whether this is the last row."""
        return self._row + 1 >= len(self.log)

    def descriptions(self) -> list[dict[str, Any]]:
        """The vehicle of the log as a hello describes it; limits that the log does not hold are null."""
        limits: Any = self.log.meta.get("actuator_limits")
        limits = limits if isinstance(limits, dict) else {}
        states = {group: list(keys.values()) for group, keys in self._actual.items()}
        actuators: dict[str, list[dict[str, Any]]] = {group: [] for group in GROUPS}
        for group in GROUPS:
            for k, (column, order) in enumerate(self._ordered[group].items()):
                low, high = limits.get(column, (None, None))
                state = states[group][k] if k < len(states[group]) else order
                unit = split_key(order)[1]
                actuators[group].append(actuator_entry(order, state, unit.text if unit else "throttle", low, high))
        sensors = {
            name: {**self._sensor_meta(name), "columns": [column.removeprefix(f"{name}_") for column in columns]}
            for name, columns in self._sensors.items()
        }
        title = str(self.log.meta.get("vehicle_name", self._key))
        return [
            {"name": self.name, "vehicle": self._key, "title": title, "actuators": actuators, "sensors": sensors}
        ]  # fmt: skip

    def apply(self, commands: Mapping[str, VehicleCommand]) -> None:
        """Check the names of the vehicles; commands have no effect on a log."""
        for name in commands:
            if name not in ("", self.name):
                raise unknown("there is no vehicle", name, (self.name,))

    def tick(self) -> None:
        """Advance to the next row, up to the last."""
        if self.done:
            return
        self._row += 1
        self._pending |= self._readings()
        now = self.time_s + 1e-9  # an event at the time of a row belongs to it in spite of rounding
        while self._next < len(self._log_events) and self._log_events[self._next].time_s <= now:
            self._events.append(plain_event(self._log_events[self._next]) | {"vehicle": self.name})
            self._next += 1

    def vehicles(self, forces: bool) -> dict[str, Any]:
        """The present row as the state of the vehicle."""
        message: dict[str, Any] = {
            "state": dict(zip(STATE, self._state(), strict=True)),
            "actuators": {group: self._values(keys) for group, keys in self._actual.items()},
            "ordered": {group: self._values(keys) for group, keys in self._ordered.items()},
            "setpoint": {name: value for name in SETPOINT_NAMES if (value := self._at(f"cmd_{name}")) is not None},
            "sensors": dict(self._pending),
        }
        if forces:
            rows = self.log.forces.items()
            message["forces"] = {term: finite_or_null(wrenches[self._row].tolist()) for term, wrenches in rows}
        return {self.name: message}

    def mark_published(self) -> None:
        """Discard readings and events: a message has carried them."""
        super().mark_published()
        self._pending.clear()

    def reset(self) -> None:
        """Return to the first row."""
        self._row = self._next = 0
        self._events = []
        self._pending = self._readings()  # the latest reading of each sensor since `mark_published`

    def _at(self, column: str) -> float | None:
        values = self.log.columns.get(column)
        if values is None or not math.isfinite(value := float(values[self._row])):
            return None
        return value

    def _values(self, keys: Mapping[str, str]) -> dict[str, float | None]:
        return {key: self._at(column) for column, key in keys.items()}

    def _state(self) -> list[float | None]:
        row, columns = self._row, self.log.columns
        R = rotation_from_quaternion(np.array([columns[f"q{k}"][row] for k in range(4)]))
        velocity = np.array([columns[name][row] for name in VELOCITIES[:3]])
        current = np.array([columns[name][row] if name in columns else math.nan for name in CURRENT])
        rates = [math.nan] * 6
        if row:
            for k, name in enumerate(VELOCITIES):
                if name in columns:
                    rates[k] = float(columns[name][row] - columns[name][row - 1]) / self._interval_s
        more = finite_or_null([*(R @ velocity).tolist(), *(velocity - R.T @ current).tolist(), *rates])
        return [*(self._at(name) for name in MOTION), *more]

    def _sensor_meta(self, name: str) -> dict[str, Any]:
        meta: Any = self.log.meta["sensors"][name]
        return {key: meta.get(key) for key in ("kind", "rate_hz", "latency_s")}

    def _sensor_columns(self) -> dict[str, list[str]]:
        """Columns of each sensor in the log's meta data; they follow those of the vehicle and its tether."""
        meta: Any = self.log.meta.get("sensors")
        sensors: dict[str, list[str]] = {name: [] for name in (meta if isinstance(meta, dict) else ())}
        longest_first = sorted(sensors, key=len, reverse=True)  # "imu_2" before "imu"
        every = list(self.log.columns)
        # Without commands in the log the columns of sensors cannot be distinguished.
        last = max((k for k, column in enumerate(every) if column.startswith("cmd_")), default=len(every))
        for column in every[last + 1 :]:
            name = next((name for name in longest_first if column.startswith(f"{name}_")), None)
            if name is not None and column not in TETHER_COLUMNS:
                sensors[name].append(column)
        return sensors

    def _readings(self) -> dict[str, Any]:
        """Readings of the sensors that have one in this row."""
        now = self.time_s
        readings: dict[str, Any] = {}
        for name, columns in self._sensors.items():
            values = [self._at(column) for column in columns]
            if any(value is not None for value in values):
                readings[name] = {"time_s": now, "arrived_s": now, "values": values}
        return readings


def _columns(columns: Mapping[str, Any], prefix: str) -> dict[str, str]:
    """Columns with a prefix, and the key of each in a message; a throttle has no unit."""
    names = [name for name in columns if name.startswith(prefix)]
    return {name: name.removeprefix(prefix).removesuffix("_throttle") for name in names}
