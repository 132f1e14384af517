"""A flight as an MCAP file with messages of ROS 2, for Foxglove, `ros2 bag` and everything that reads bags.

Chunks are compressed (zstd) and ended after half a second of the wall's time or 512 kB, whichever comes first: of a
program that is killed, everything up to then can be read (`pelagos convert BROKEN.mcap WHOLE.mcap` makes a whole file
of it). A file that was closed has an index and a summary. Times are those of the simulation, from 0.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, Any

import pelagos
from pelagos.console.recording import free_path
from pelagos.errors import CommandError, MissingExtraError
from pelagos.links.ros.cdr import encoder
from pelagos.links.ros.craft import Craft
from pelagos.links.ros.relay import Begun, Relay
from pelagos.links.ros.schemas import definition, full_name
from pelagos.links.ros.topics import Message, static_message

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

    def start(self, begun: Begun) -> None:
        """A new file."""
        self.finish()
        path = free_path(self._path) if self.paths else self._path
        self._file = McapFile(path)
        self.paths.append(path)
        note_crafts(self._file, begun.crafts)
        self._file.write(static_message(begun.crafts, begun.time_s))

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


def note_crafts(file: McapFile, crafts: Sequence[Craft]) -> None:
    """Who made the file, and of what."""
    about = {
        "version": pelagos.__version__,
        "frames": "map ENU, base_link FLU; see REP 103 and 105",
        "time": "simulated",
    }
    file.note("pelagos", about | {f"vehicle_{k}": craft.name for k, craft in enumerate(crafts, start=1)})


def checked_path(path: str | os.PathLike[str]) -> Path:
    """A path for a new file; CommandError if it is none."""
    here = Path(path)
    if here.suffix.lower() != ".mcap":
        raise CommandError(f"{here}: expected a name that ends in .mcap")
    try:
        here.parent.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise CommandError(f"{here}: its folder cannot be made ({problem.strerror})") from None
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
        raise CommandError(f"{path} exists; expected a new name") from None
    except OSError as problem:
        raise CommandError(f"{path} cannot be written ({problem.strerror})") from None


def mcap_writer() -> Any:
    """The writer of the package mcap."""
    try:
        from mcap.writer import Writer
    except ImportError:
        raise MissingExtraError("mcap", "an MCAP file", "mcap") from None
    return Writer
