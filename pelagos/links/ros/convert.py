"""Logs of runs as MCAP files: the motion, frames, actuators, instruments and events, as far as the log has them.

A log has one line a sample and no times of measuring: stamps of readings are those of the line they stand in. Of an
instrument that is faster than the log only the latest reading of each line is there, and the pictures of imaging
sonars are not in logs at all. A recording made while it flies (`McapRecorder`) has all of this.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import IO, Any

import numpy as np

from pelagos.errors import CommandError, MissingExtraError
from pelagos.frames import quaternion_from_euler
from pelagos.links.ros.craft import Craft, craft_of_log
from pelagos.links.ros.mcap import McapFile, checked_path, note_crafts, told
from pelagos.links.ros.relay import Begun, Tick, tick_messages
from pelagos.links.ros.topics import Instant, static_message
from pelagos.messages import Estimate, Reading
from pelagos.sensors.base import Array
from pelagos.sim.load_log import load_log
from pelagos.sim.log import Log, LogError

ATTITUDE = ("q0", "q1", "q2", "q3")
ANGLES = ("roll_deg", "pitch_deg", "heading_deg")
PLACE = ("north_m", "east_m", "depth_m")
SPEEDS = ("surge_m_s", "sway_m_s", "heave_m_s")
RATES = ("roll_rate_deg_s", "pitch_rate_deg_s", "yaw_rate_deg_s")
ESTIMATES = tuple(f"est_{name}" for name in (*PLACE, *ANGLES, *SPEEDS))
SIGMAS = ("est_north_sigma_m", "est_east_sigma_m", "est_depth_sigma_m")


def convert(source: str | os.PathLike[str], path: str | os.PathLike[str]) -> int:
    """Write a log, or what is left of an MCAP file that was cut short, as a whole MCAP file; how many messages.

    Args:
        source: .csv, .parquet or .npz of a run, or an .mcap without its end.
        path: a new file that ends in .mcap.
    """
    here = checked_path(path)
    if Path(source).suffix.lower() == ".mcap":
        return recover(source, here)
    log = load_log(source)
    craft = craft_of_log(log.names, log.meta)
    table = Table(log, craft)
    begun = Begun((craft,), float(log.time_s[0]) if len(log) else 0.0)
    file = McapFile(here)
    try:
        with file:
            note_crafts(file, [craft])
            about = {"source": Path(source).name, "complete": str(log.complete).lower(), **_settings(log.meta)}
            file.note("log", about)
            file.write(static_message([craft], begun.time_s))
            for tick in table.ticks(begun):
                for message in tick_messages(tick):
                    file.write(message)
    except BaseException:
        here.unlink(missing_ok=True)  # half a file would pass for the whole run
        raise
    return file.messages


class Table:
    """Lines of a log as instants."""

    def __init__(self, log: Log, craft: Craft) -> None:
        self._log, self._craft = log, craft
        missing = [name for name in (*PLACE, *SPEEDS, *RATES) if name not in log.columns]
        if missing:
            raise LogError(f"the log has no column {missing[0]}; expected the motion of a vehicle")
        self._place, self._speeds, self._rates = (self._block(names) for names in (PLACE, SPEEDS, RATES))
        if all(name in log.columns for name in ATTITUDE):
            self._attitude = self._block(ATTITUDE)
        else:
            self._attitude = quaternion_from_euler(*np.radians(self._block(ANGLES)).T)
        self._thrusters = self._block([f"thruster_{name}_{unit}" for name, unit in craft.thrusters])
        self._surfaces = self._block([f"surface_{name}_deg" for name in craft.surfaces])
        self._readings: dict[str, Array] = {}
        for name, at in craft.instruments.items():
            columns = [f"{name}_{column}" for column in at.columns]
            if columns and all(column in log.columns for column in columns):
                self._readings[name] = self._block(columns)
        estimated = all(name in log.columns for name in ESTIMATES)
        self._estimates = self._block(ESTIMATES) if estimated else None
        known = all(name in log.columns for name in SIGMAS)
        self._sigmas = self._block(SIGMAS) if known else np.full((len(log), 3), math.nan)

    def ticks(self, begun: Begun) -> Iterator[Tick]:
        """One for each line, each with the events up to it."""
        events, told = sorted(self._log.events, key=lambda event: event.time_s), 0
        for k, time_s in enumerate(self._log.time_s.tolist()):
            due = told
            while due < len(events) and (events[due].time_s <= time_s or k == len(self._log) - 1):
                due += 1
            news = tuple({"time_s": e.time_s, "kind": e.kind, "text": e.text} for e in events[told:due])
            told = due
            yield Tick(begun, time_s, (self.instant(k),), news)

    def instant(self, k: int) -> Instant:
        """Line k."""
        time_s = float(self._log.time_s[k])
        nu = np.concatenate([self._speeds[k], np.radians(self._rates[k])])
        readings = tuple(
            Reading(name, time_s, time_s, values[k])
            for name, values in self._readings.items()
            if not np.isnan(values[k]).all()  # a line without a reading of it
        )
        return Instant(
            time_s, self._place[k], self._attitude[k], nu, tuple(self._thrusters[k].tolist()),
            tuple(self._surfaces[k].tolist()), readings, {}, self._estimate(k, time_s, nu),
        )  # fmt: skip

    def _estimate(self, k: int, time_s: float, nu: Array) -> Estimate | None:
        if self._estimates is None:
            return None
        row = self._estimates[k]
        roll, pitch, yaw = np.radians(row[3:6]).tolist()
        speeds = np.concatenate([row[6:9], nu[3:]])
        return Estimate.sound(
            time_s, row[0:3], roll, pitch, yaw, speeds, speeds, pos_sigma_m=self._sigmas[k],
            velocity_sigma_m_s=np.full(3, math.nan), attitude_sigma_rad=np.full(3, math.nan),
        )  # fmt: skip

    def _block(self, names: Any) -> Array:
        columns = [self._log[name] for name in names]
        return np.column_stack(columns) if columns else np.empty((len(self._log), 0))


def recover(source: str | os.PathLike[str], path: Path) -> int:
    """All whole messages of an MCAP file and its notes, in a new one with index and summary; how many there were."""
    try:
        broken = open(source, "rb")
    except OSError as problem:
        raise CommandError(f"{os.fspath(source)} cannot be read ({problem.strerror})") from None
    n = 0
    with broken, told(path):
        stream = open(path, "xb")
        try:
            with stream:
                n = _copy(broken, stream)
        except BaseException:
            path.unlink(missing_ok=True)
            raise
    if not n:
        path.unlink()
        raise CommandError(f"{os.fspath(source)}: no message can be read from it; expected an MCAP file")
    return n


def _copy(broken: IO[bytes], stream: IO[bytes]) -> int:
    try:
        from mcap.records import Channel, Header, Message, Metadata, Schema
        from mcap.writer import Writer
    except ImportError:
        raise MissingExtraError("mcap", "an MCAP file", "mcap") from None
    writer, n = Writer(stream), 0
    schemas: dict[int, int] = {0: 0}
    channels: dict[int, int] = {}
    for record in _whole(broken):
        if isinstance(record, Header):
            writer.start(record.profile, record.library)
        elif isinstance(record, Metadata):
            writer.add_metadata(record.name, record.metadata)
        elif isinstance(record, Schema) and record.id not in schemas:
            schemas[record.id] = writer.register_schema(record.name, record.encoding, record.data)
        elif isinstance(record, Channel) and record.id not in channels and record.schema_id in schemas:
            channels[record.id] = writer.register_channel(
                record.topic, record.message_encoding, schemas[record.schema_id], record.metadata
            )
        elif isinstance(record, Message) and record.channel_id in channels:
            channel = channels[record.channel_id]
            writer.add_message(channel, record.log_time, record.data, record.publish_time, record.sequence)
            n += 1
    writer.finish()
    return n


def _whole(broken: IO[bytes]) -> Iterator[Any]:
    """Records up to where the file ends or makes no sense any more."""
    from mcap.stream_reader import StreamReader

    records = iter(StreamReader(broken).records)
    while True:
        try:
            yield next(records)
        except Exception:  # of what kind depends on where in a record or chunk the file ends
            return


def _settings(meta: Mapping[str, Any]) -> dict[str, str]:
    """How the run was made, as words."""
    return {name: str(value) for name, value in meta.items() if isinstance(value, str | int | float | bool)}
