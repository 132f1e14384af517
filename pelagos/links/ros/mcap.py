"""MCAP files with ROS 2 messages, for Foxglove, `ros2 bag` and other readers of bags: recording and conversion of logs.

Chunks are compressed (zstd) and end after 0.5 s of wall time or 512 kB, whichever comes first: if the program is
killed, everything up to then can be read, and `pelagos convert BROKEN.mcap WHOLE.mcap` makes a complete file of it. A
closed file has an index and a summary. Times are simulated times, from 0.

A converted log has the motion, frames, actuators, sensors and events that the log contains. A log has one row for each
sample and no times of measurement: readings are stamped with the time of their row. Of a sensor that is faster than the
log, each row has only the latest reading, and logs have no images of imaging sonars. A recording made during the run
(`McapRecorder`) has all of these.
"""

from __future__ import annotations

import contextlib
import math
import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, Any

import numpy as np

import pelagos
from pelagos.errors import CommandError, MissingExtraError, foreign_text
from pelagos.files.source import why_not
from pelagos.frames import quaternion_from_euler
from pelagos.links.ros.messages import definition, encoder, full_name
from pelagos.links.ros.relay import Relay, RunStart, Tick, tick_messages
from pelagos.links.ros.topics import Message, VehicleTick, static_message
from pelagos.links.ros.vehicle import RosVehicle, ros_vehicle_of_log
from pelagos.messages import Estimate, Reading
from pelagos.sensors.base import Array
from pelagos.session.record.recording import free_path
from pelagos.sim.log.load import load_log
from pelagos.sim.log.log import Log, LogError

CHUNK_BYTES = 512 * 1024
CHUNK_S = 0.5  # a killed program loses at most this wall time
# ros2 bag and rosbags read the quality of service: reliable, and transient local for static frames.
_EVER = "  {}:\n    sec: 9223372036\n    nsec: 854775807\n"
QOS = (
    "- history: 3\n  depth: 0\n  reliability: 1\n  durability: {}\n"
    + _EVER.format("deadline") + _EVER.format("lifespan") + "  liveliness: 1\n"
    + _EVER.format("liveliness_lease_duration") + "  avoid_ros_namespace_conventions: false\n"
)  # fmt: skip
LATCHED = ("/tf_static",)
ATTITUDE = ("q0", "q1", "q2", "q3")
ANGLES = ("roll_deg", "pitch_deg", "heading_deg")
POSITION = ("north_m", "east_m", "depth_m")
SPEEDS = ("surge_m_s", "sway_m_s", "heave_m_s")
RATES = ("roll_rate_deg_s", "pitch_rate_deg_s", "yaw_rate_deg_s")
ESTIMATED = tuple(tuple(f"est_{name}" for name in names) for names in (POSITION, ANGLES, SPEEDS))
SIGMAS = ("est_north_sigma_m", "est_east_sigma_m", "est_depth_sigma_m")


class McapFile:
    """MCAP file under construction; channels and message definitions are added as needed."""

    def __init__(self, path: str | os.PathLike[str], chunk_bytes: int = CHUNK_BYTES) -> None:
        writer = mcap_writer()
        self.path = Path(path)
        with write_errors(self.path):
            self._stream: IO[bytes] = open(self.path, "xb")
        self._writer: Any = writer(self._stream, chunk_size=chunk_bytes)
        self._writer.start(profile="ros2", library=f"pelagos {pelagos.__version__}")
        self._channels: dict[str, tuple[int, Callable[[Mapping[str, Any]], bytes]]] = {}
        self._schemas: dict[str, int] = {}
        self._sequence: dict[str, int] = {}
        self.messages = 0

    def write(self, message: Message) -> None:
        """Append a message."""
        known = self._channels.get(message.topic)
        if known is None:
            known = self._channels[message.topic] = (self._channel(message.topic, message.type), encoder(message.type))
        channel, encode = known
        sequence = self._sequence[message.topic] = self._sequence.get(message.topic, 0) + 1
        with write_errors(self.path):
            self._writer.add_message(
                channel_id=channel, log_time=message.time_ns, publish_time=message.time_ns, sequence=sequence,
                data=encode(message.values),
            )  # fmt: skip
        self.messages += 1

    def add_metadata(self, name: str, values: Mapping[str, str]) -> None:
        """Add a metadata record about the whole file."""
        with write_errors(self.path):
            self._writer.add_metadata(name, dict(values))

    def flush(self) -> None:
        """End the chunk, so that everything written so far survives a crash."""
        with write_errors(self.path):
            self._writer.flush()

    def close(self) -> None:
        """Write index and summary and close the file."""
        if not self._stream.closed:
            with write_errors(self.path):
                try:
                    self._writer.finish()
                finally:
                    self._stream.close()

    def __enter__(self) -> McapFile:
        return self

    def __exit__(self, *problem: object) -> None:
        self.close()

    def _channel(self, topic: str, kind: str) -> int:
        schema = self._schemas.get(kind)
        if schema is None:
            text = definition(kind).encode()
            schema = self._schemas[kind] = self._writer.register_schema(full_name(kind), "ros2msg", text)
        qos = QOS.format(1 if topic in LATCHED else 2)
        return self._writer.register_channel(topic, "cdr", schema, {"offered_qos_profiles": qos})


class McapRecorder(Relay):
    """Session link that records a run to an MCAP file; each reset begins another file, NAME-2.mcap, ...

    Args:
        path: name of a new file, ending in .mcap.
        report: callback for messages about dropped data.
        flush_s: longest wall time between two flushes to the disk.
        most: ticks that may wait for the disk; more are dropped and counted.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        report: Callable[[str], None] | None = None,
        *,
        flush_s: float = CHUNK_S,
        most: int = 2000,
    ) -> None:
        mcap_writer()
        self._path = checked_path(path)
        self.paths: list[Path] = []  # files written so far
        self._file: McapFile | None = None
        self._flush_s, self._flushed_s = flush_s, time.monotonic()
        super().__init__("mcap", report, most)

    def start(self, begun: RunStart) -> None:
        """Begin a new file."""
        self.finish()
        path = free_path(self._path) if self.paths else self._path
        self._file = McapFile(path)
        self.paths.append(path)
        note_vehicles(self._file, begun.vehicles)
        self._file.write(static_message(begun.vehicles, begun.time_s))

    def write(self, messages: Sequence[Message]) -> None:
        """Append messages to the file."""
        if self._file is not None:
            for message in messages:
                self._file.write(message)
            self._counts.add("sent", len(messages))
            if time.monotonic() - self._flushed_s >= self._flush_s:
                self.rest()

    def rest(self) -> None:
        """Flush the file while no ticks come."""
        if self._file is not None:
            self._file.flush()
            self._flushed_s = time.monotonic()

    def finish(self) -> None:
        """Close the file."""
        if self._file is not None:
            file, self._file = self._file, None
            file.close()


def note_vehicles(file: McapFile, vehicles: Sequence[RosVehicle]) -> None:
    """Add the Pelagos version, frames and vehicles to the metadata of a file."""
    about = {
        "version": pelagos.__version__,
        "frames": "map ENU, base_link FLU; see REP 103 and 105",
        "time": "simulated",
    }
    file.add_metadata("pelagos", about | {f"vehicle_{k}": vehicle.name for k, vehicle in enumerate(vehicles, start=1)})


def checked_path(path: str | os.PathLike[str]) -> Path:
    """Return the path of a new file; CommandError if it cannot be created."""
    here = Path(path)
    if here.suffix.lower() != ".mcap":
        raise CommandError(file=here, expected="a name that ends in .mcap")
    try:
        here.parent.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise CommandError(f"the folder cannot be made ({foreign_text(problem)})", file=here.parent) from None
    with write_errors(here):
        with open(here, "xb"):  # fails before the run that could then not be recorded
            pass
        here.unlink()
    return here


@contextlib.contextmanager
def write_errors(path: Path) -> Iterator[None]:
    """Convert errors of writing a file to CommandError with its name."""
    try:
        yield
    except FileExistsError:
        raise CommandError("exists already", file=path, expected="a new name") from None
    except OSError as problem:
        raise CommandError(f"cannot be written ({foreign_text(problem)})", file=path) from None


def mcap_writer() -> Any:
    """Import and return the writer class of the package mcap."""
    try:
        from mcap.writer import Writer
    except ImportError:
        raise MissingExtraError("mcap", "an MCAP file", "mcap") from None
    return Writer


def convert(source: str | os.PathLike[str], path: str | os.PathLike[str]) -> int:
    """Convert a log, or a truncated MCAP file, to a complete MCAP file; returns the number of messages.

    Args:
        source: log of a run (.csv, .parquet or .npz), or an .mcap file without its end.
        path: name of a new file, ending in .mcap.
    """
    here = checked_path(path)
    if Path(source).suffix.lower() == ".mcap":
        return recover(source, here)
    log = load_log(source)
    vehicle = ros_vehicle_of_log(log.names, log.meta)
    table = LogTable(log, vehicle)
    begun = RunStart((vehicle,), float(log.time_s[0]) if len(log) else 0.0)
    file = McapFile(here)
    try:
        with file:
            note_vehicles(file, [vehicle])
            about = {"source": Path(source).name, "complete": str(log.complete).lower(), **_settings(log.meta)}
            file.add_metadata("log", about)
            file.write(static_message([vehicle], begun.time_s))
            for tick in table.ticks(begun):
                for message in tick_messages(tick):
                    file.write(message)
    except BaseException:
        here.unlink(missing_ok=True)  # a partial file could be taken for the whole run
        raise
    return file.messages


class LogTable:
    """Rows of a log as vehicle ticks."""

    def __init__(self, log: Log, vehicle: RosVehicle) -> None:
        self._log, self._vehicle = log, vehicle
        missing = [name for name in (*POSITION, *SPEEDS, *RATES) if name not in log.columns]
        if missing:
            raise LogError("the log has no column", value=missing[0], expected="the motion of a vehicle")
        self._position, self._speeds, self._rates = (self._block(names) for names in (POSITION, SPEEDS, RATES))
        if all(name in log.columns for name in ATTITUDE):
            self._attitude = self._block(ATTITUDE)
        else:
            self._attitude = quaternion_from_euler(*np.radians(self._block(ANGLES)).T)
        self._thrusters = self._block([f"thruster_{name}_{unit}" for name, unit in vehicle.thrusters])
        self._surfaces = self._block([f"surface_{name}_deg" for name in vehicle.surfaces])
        self._readings: dict[str, Array] = {}
        for name, at in vehicle.instruments.items():
            columns = [f"{name}_{column}" for column in at.columns]
            if columns and all(column in log.columns for column in columns):
                self._readings[name] = self._block(columns)
        estimated = all(name in log.columns for names in ESTIMATED for name in names)
        self._estimates = tuple(self._block(names) for names in ESTIMATED) if estimated else None
        known = all(name in log.columns for name in SIGMAS)
        self._sigmas = self._block(SIGMAS) if known else np.full((len(log), 3), math.nan)

    def ticks(self, begun: RunStart) -> Iterator[Tick]:
        """Yield a tick for each row, with the events up to its time."""
        events, first = sorted(self._log.events, key=lambda event: event.time_s), 0
        for k, time_s in enumerate(self._log.time_s.tolist()):
            # The last row also gets the events after it, so that none is lost.
            due = first
            while due < len(events) and (events[due].time_s <= time_s or k == len(self._log) - 1):
                due += 1
            new = tuple({"time_s": e.time_s, "kind": e.kind, "text": e.text} for e in events[first:due])
            first = due
            yield Tick(begun, time_s, (self.instant(k),), new)

    def instant(self, k: int) -> VehicleTick:
        """Return the vehicle tick of row k."""
        time_s = float(self._log.time_s[k])
        nu = np.concatenate([self._speeds[k], np.radians(self._rates[k])])
        readings = tuple(
            Reading(name, time_s, time_s, values[k])
            for name, values in self._readings.items()
            if not np.isnan(values[k]).all()  # a row without a reading of this sensor
        )
        return VehicleTick(
            time_s, self._position[k], self._attitude[k], nu, tuple(self._thrusters[k].tolist()),
            tuple(self._surfaces[k].tolist()), readings, {}, self._estimate(k, time_s, nu),
        )  # fmt: skip

    def _estimate(self, k: int, time_s: float, nu: Array) -> Estimate | None:
        if self._estimates is None:
            return None
        position, angles, surge_sway_heave = (block[k] for block in self._estimates)
        roll, pitch, yaw = np.radians(angles).tolist()
        speeds = np.concatenate([surge_sway_heave, nu[3:]])
        return Estimate.unchecked(
            time_s, position, roll, pitch, yaw, speeds, speeds, pos_sigma_m=self._sigmas[k],
            velocity_sigma_m_s=np.full(3, math.nan), attitude_sigma_rad=np.full(3, math.nan),
        )  # fmt: skip

    def _block(self, names: Any) -> Array:
        columns = [self._log[name] for name in names]
        return np.column_stack(columns) if columns else np.empty((len(self._log), 0))


def recover(source: str | os.PathLike[str], path: Path) -> int:
    """Copy all complete messages and metadata of an MCAP file to a new one; returns the number of messages."""
    why = why_not(source)
    if why:
        raise CommandError(**why, file=os.fspath(source))
    try:
        broken = open(source, "rb")
    except OSError as problem:
        raise CommandError(f"cannot be read ({foreign_text(problem)})", file=source) from None
    n = 0
    with broken, write_errors(path):
        stream = open(path, "xb")
        try:
            with stream:
                n = _copy(broken, stream)
        except BaseException:
            path.unlink(missing_ok=True)
            raise
    if not n:
        path.unlink()
        raise CommandError("no message can be read from it", file=os.fspath(source), expected="an MCAP file")
    return n


def _copy(broken: IO[bytes], stream: IO[bytes]) -> int:
    writer, n = mcap_writer()(stream), 0
    from mcap.records import Channel, Header, Message, Metadata, Schema

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
    """Yield the records up to the end of the file or the first that cannot be read."""
    from mcap.stream_reader import StreamReader

    records = iter(StreamReader(broken).records)
    while True:
        try:
            yield next(records)
        except Exception:  # of what kind depends on where in a record or chunk the file ends
            return


def _settings(meta: Mapping[str, Any]) -> dict[str, str]:
    """Return the scalar settings of a run as text."""
    return {name: str(value) for name, value in meta.items() if isinstance(value, str | int | float | bool)}
