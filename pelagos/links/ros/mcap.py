"""A flight as an MCAP file with messages of ROS 2, for Foxglove, `ros2 bag` and everything that reads bags.

Chunks are compressed (zstd) and ended after half a second of the wall's time or 512 kB, whichever comes first: of a
program that is killed, everything up to then can be read (`pelagos convert BROKEN.mcap WHOLE.mcap` makes a whole file
of it). A file that was closed has an index and a summary. Times are those of the simulation, from 0.

Logs of runs as MCAP files: the motion, frames, actuators, instruments and events, as far as the log has them.

A log has one line a sample and no times of measuring: stamps of readings are those of the line they stand in. Of an
instrument that is faster than the log only the latest reading of each line is there, and the pictures of imaging
sonars are not in logs at all. A recording made while it flies (`McapRecorder`) has all of this.
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
from pelagos.errors import CommandError, MissingExtraError
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
CHUNK_S = 0.5
# what ros2 bag and rosbags want to know: delivered reliably; static frames are given to those who come late as well
_EVER = "  {}:\n    sec: 9223372036\n    nsec: 854775807\n"
QOS = (
    "- history: 3\n  depth: 0\n  reliability: 1\n  durability: {}\n"
    + _EVER.format("deadline") + _EVER.format("lifespan") + "  liveliness: 1\n"
    + _EVER.format("liveliness_lease_duration") + "  avoid_ros_namespace_conventions: false\n"
)  # fmt: skip
LATCHED = ("/tf_static",)


class McapFile:
    """Writes messages to a file; channels and definitions come by themselves."""

    def __init__(self, path: str | os.PathLike[str], chunk_bytes: int = CHUNK_BYTES) -> None:
        writer = mcap_writer()
        self.path = Path(path)
        with told(self.path):
            self._stream: IO[bytes] = open(self.path, "xb")
        self._writer: Any = writer(self._stream, chunk_size=chunk_bytes)
        self._writer.start(profile="ros2", library=f"pelagos {pelagos.__version__}")
        self._channels: dict[str, tuple[int, Callable[[Mapping[str, Any]], bytes]]] = {}
        self._schemas: dict[str, int] = {}
        self._sequence: dict[str, int] = {}
        self.messages = 0

    def write(self, message: Message) -> None:
        """Add a message."""
        known = self._channels.get(message.topic)
        if known is None:
            known = self._channels[message.topic] = (self._channel(message.topic, message.type), encoder(message.type))
        channel, encode = known
        sequence = self._sequence[message.topic] = self._sequence.get(message.topic, 0) + 1
        with told(self.path):
            self._writer.add_message(
                channel_id=channel, log_time=message.time_ns, publish_time=message.time_ns, sequence=sequence,
                data=encode(message.values),
            )  # fmt: skip
        self.messages += 1

    def note(self, name: str, values: Mapping[str, str]) -> None:
        """Something about the whole file, as words."""
        with told(self.path):
            self._writer.add_metadata(name, dict(values))

    def flush(self) -> None:
        """End the chunk: what was written so far can be read from now on, come what may."""
        with told(self.path):
            self._writer.flush()

    def close(self) -> None:
        """Index and summary."""
        if not self._stream.closed:
            with told(self.path):
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
    """Records what happens to a file; after a reset to the next one, NAME-2.mcap.

    Args:
        path: a new file that ends in .mcap.
        say: gets sentences about what was dropped.
        flush_s: at least so often what was recorded is safe on the disk.
        most: ticks that may wait for the disk; more are dropped and counted.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        say: Callable[[str], None] | None = None,
        *,
        flush_s: float = CHUNK_S,
        most: int = 2000,
    ) -> None:
        mcap_writer()
        self._path = checked_path(path)
        self.paths: list[Path] = []  # of all files so far
        self._file: McapFile | None = None
        self._flush_s, self._flushed_s = flush_s, time.monotonic()
        super().__init__("mcap", say, most)

    def start(self, begun: RunStart) -> None:
        """A new file."""
        self.finish()
        path = free_path(self._path) if self.paths else self._path
        self._file = McapFile(path)
        self.paths.append(path)
        note_vehicles(self._file, begun.vehicles)
        self._file.write(static_message(begun.vehicles, begun.time_s))

    def write(self, messages: Sequence[Message]) -> None:
        """To the file."""
        if self._file is not None:
            for message in messages:
                self._file.write(message)
            self._counts.add("sent", len(messages))
            if time.monotonic() - self._flushed_s >= self._flush_s:
                self.rest()

    def rest(self) -> None:
        """Nothing new for a while: let it be safe."""
        if self._file is not None:
            self._file.flush()
            self._flushed_s = time.monotonic()

    def finish(self) -> None:
        """Close the file."""
        if self._file is not None:
            file, self._file = self._file, None
            file.close()


def note_vehicles(file: McapFile, vehicles: Sequence[RosVehicle]) -> None:
    """Who made the file, and of what."""
    about = {
        "version": pelagos.__version__,
        "frames": "map ENU, base_link FLU; see REP 103 and 105",
        "time": "simulated",
    }
    file.note("pelagos", about | {f"vehicle_{k}": craft.name for k, craft in enumerate(vehicles, start=1)})


def checked_path(path: str | os.PathLike[str]) -> Path:
    """A path for a new file; CommandError if it is none."""
    here = Path(path)
    if here.suffix.lower() != ".mcap":
        raise CommandError(file=here, expected="a name that ends in .mcap")
    try:
        here.parent.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise CommandError(f"its folder cannot be made ({problem.strerror})", file=here) from None
    with told(here):
        with open(here, "xb"):  # now, before anything is flown that would then not be recorded
            pass
        here.unlink()
    return here


@contextlib.contextmanager
def told(path: Path) -> Iterator[None]:
    """What goes wrong with a file that is written becomes a sentence with its name."""
    try:
        yield
    except FileExistsError:
        raise CommandError(f"{path} exists", expected="a new name") from None
    except OSError as problem:
        raise CommandError(f"{path} cannot be written ({problem.strerror})") from None


def mcap_writer() -> Any:
    """The writer of the package mcap."""
    try:
        from mcap.writer import Writer
    except ImportError:
        raise MissingExtraError("mcap", "an MCAP file", "mcap") from None
    return Writer


# ---- convert ---------------------------------------------------------------------------------------------------------


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
    craft = ros_vehicle_of_log(log.names, log.meta)
    table = LogTable(log, craft)
    begun = RunStart((craft,), float(log.time_s[0]) if len(log) else 0.0)
    file = McapFile(here)
    try:
        with file:
            note_vehicles(file, [craft])
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


class LogTable:
    """Lines of a log as instants."""

    def __init__(self, log: Log, craft: RosVehicle) -> None:
        self._log, self._craft = log, craft
        missing = [name for name in (*PLACE, *SPEEDS, *RATES) if name not in log.columns]
        if missing:
            raise LogError(f"the log has no column {missing[0]}", expected="the motion of a vehicle")
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

    def ticks(self, begun: RunStart) -> Iterator[Tick]:
        """One for each line, each with the events up to it."""
        events, told = sorted(self._log.events, key=lambda event: event.time_s), 0
        for k, time_s in enumerate(self._log.time_s.tolist()):
            due = told
            while due < len(events) and (events[due].time_s <= time_s or k == len(self._log) - 1):
                due += 1
            news = tuple({"time_s": e.time_s, "kind": e.kind, "text": e.text} for e in events[told:due])
            told = due
            yield Tick(begun, time_s, (self.instant(k),), news)

    def instant(self, k: int) -> VehicleTick:
        """Line k."""
        time_s = float(self._log.time_s[k])
        nu = np.concatenate([self._speeds[k], np.radians(self._rates[k])])
        readings = tuple(
            Reading(name, time_s, time_s, values[k])
            for name, values in self._readings.items()
            if not np.isnan(values[k]).all()  # a line without a reading of it
        )
        return VehicleTick(
            time_s, self._place[k], self._attitude[k], nu, tuple(self._thrusters[k].tolist()),
            tuple(self._surfaces[k].tolist()), readings, {}, self._estimate(k, time_s, nu),
        )  # fmt: skip

    def _estimate(self, k: int, time_s: float, nu: Array) -> Estimate | None:
        if self._estimates is None:
            return None
        row = self._estimates[k]
        roll, pitch, yaw = np.radians(row[3:6]).tolist()
        speeds = np.concatenate([row[6:9], nu[3:]])
        return Estimate.unchecked(
            time_s, row[0:3], roll, pitch, yaw, speeds, speeds, pos_sigma_m=self._sigmas[k],
            velocity_sigma_m_s=np.full(3, math.nan), attitude_sigma_rad=np.full(3, math.nan),
        )  # fmt: skip

    def _block(self, names: Any) -> Array:
        columns = [self._log[name] for name in names]
        return np.column_stack(columns) if columns else np.empty((len(self._log), 0))


def recover(source: str | os.PathLike[str], path: Path) -> int:
    """All whole messages of an MCAP file and its notes, in a new one with index and summary; how many there were."""
    why = why_not(source)
    if why:
        raise CommandError(why, file=os.fspath(source))
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
        raise CommandError("no message can be read from it", file=os.fspath(source), expected="an MCAP file")
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
