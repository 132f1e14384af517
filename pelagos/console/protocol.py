"""What goes over the link: binary snapshots to the page, JSON messages both ways.

A snapshot is little-endian, 32 bytes of header and then float32 values in the order of `columns` of the hello:

    u16 magic "PE", u8 version, u8 kind, u32 seq, u32 ack, u32 count, f64 time_s, f64 echo_ms

ack is the number of the last input that was applied and echo_ms the time its sender wrote on it: now minus echo_ms on
the sender's clock is the whole way from stick to picture.

A message of a page is looked at from outside to inside, and nothing is built before all of it is known to be good:
size, JSON, type, known keys, finite numbers, ranges. Whatever is wrong ends in one MessageError.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NoReturn

import numpy as np

from pelagos.checks import LINK, Check, choice_of, needed, number_in, table, table_of, text, whole_in
from pelagos.errors import MessageError, shown
from pelagos.session.order_fields import checked_values
from pelagos.session.source import Input, StampedInput, StampedSnapshot, plain

VERSION = 1
MAGIC = 0x4550
STATE = 1
HEADER = struct.Struct("<HBBIIIdd")
LARGEST_MESSAGE = 4096  # bytes
LONGEST_NAME = 32
_MOST_U32 = 2**32 - 1
_clock = number_in(-1e15, 1e15)  # ms on the clock of a page
_stick = number_in(-1.0, 1.0)
_STICKS: dict[str, Check] = {name: _stick for name in Input._fields[:6]}
_count = whole_in(0, _MOST_U32)


def pack_snapshot(snapshot: StampedSnapshot) -> bytes:
    """The bytes of a snapshot."""
    values = np.ascontiguousarray(snapshot.values, dtype="<f4")
    seq, ack = snapshot.seq & _MOST_U32, snapshot.ack & _MOST_U32
    head = HEADER.pack(MAGIC, VERSION, STATE, seq, ack, values.size, snapshot.time_s, snapshot.echo_ms)
    return head + values.tobytes()


def unpack_snapshot(data: bytes) -> StampedSnapshot:
    """The snapshot in some bytes, or a MessageError."""
    if len(data) < HEADER.size:
        raise MessageError(f"a snapshot of {len(data)} bytes is too short")
    magic, version, kind, seq, ack, count, time_s, echo_ms = HEADER.unpack_from(data)
    if (magic, version, kind) != (MAGIC, VERSION, STATE):
        raise MessageError(f"magic {magic:#x}, version {version}, kind {kind} is no snapshot of version {VERSION}")
    if len(data) != HEADER.size + 4 * count:
        raise MessageError(f"a snapshot of {count} numbers has {len(data)} bytes")
    return StampedSnapshot(seq, ack, time_s, echo_ms, np.frombuffer(data, dtype="<f4", offset=HEADER.size))


@dataclass(frozen=True)
class OrderMessage:
    """Something to do once."""

    name: str
    values: dict[str, Any]


@dataclass(frozen=True)
class LeaseMessage:
    """A wish about who holds the controls."""

    do: str
    role: str
    to: str | None = None


@dataclass(frozen=True)
class PingMessage:
    """To be answered with the same t."""

    t: float


@dataclass(frozen=True)
class NameMessage:
    """What a client wants to be called."""

    name: str


Message = StampedInput | OrderMessage | LeaseMessage | PingMessage | NameMessage


def parse(raw: str | bytes) -> Message:
    """The message of a page, or a MessageError; no other exception, whatever came."""
    size = len(raw) if isinstance(raw, bytes) else _size(raw)
    if size > LARGEST_MESSAGE:
        raise MessageError(f"the message has {size} bytes", expected=f"at most {LARGEST_MESSAGE}")
    try:
        return _read(json.loads(raw, parse_constant=_no_number, object_pairs_hook=_once))
    except ValueError:  # a UnicodeDecodeError and a JSONDecodeError are ValueErrors
        raise MessageError("the message is not JSON") from None
    except RecursionError:
        raise MessageError("the message has too many levels") from None


def text_of(message: Mapping[str, Any]) -> str:
    """JSON of a message to a page: short, and without NaN, which is no JSON."""
    try:
        return json.dumps(message, separators=(",", ":"), allow_nan=False)
    except (TypeError, ValueError):
        return json.dumps(plain(message), separators=(",", ":"), allow_nan=False, default=str)


def display_name(wanted: str, otherwise: str) -> str:
    """A name fit to be shown to others: printable, without runs of blanks, not long."""
    kept = "".join(c if c.isprintable() else " " for c in wanted)
    return " ".join(kept.split())[:LONGEST_NAME].strip() or otherwise


def _read(message: Any) -> Message:
    if not isinstance(message, dict):
        raise MessageError(key="the message", value=message, expected="a table of names and values")
    kind = message.pop("type", None)
    if not isinstance(kind, str) or kind not in _READERS:
        raise MessageError(f"the message has the type {shown(kind)}", expected=f"one of {', '.join(_READERS)}")
    return _READERS[kind](message)


def _size(raw: str) -> int:
    """Bytes of a text; one that is too long in characters is so in bytes, and need not be encoded to know it."""
    return len(raw) if len(raw) > LARGEST_MESSAGE else len(raw.encode("utf-8", "surrogatepass"))


def _no_number(word: str) -> NoReturn:
    raise MessageError(f"the message has the number {word}", expected="finite numbers")


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    table = dict(pairs)
    if len(table) != len(pairs):
        raise MessageError("the message has a key twice")
    return table


def _input(message: dict[str, Any]) -> StampedInput:
    fields: dict[str, Check] = {
        "seq": _count,
        "t": _clock,
        "sticks": table_of(_STICKS),
    }
    values = table("input", message, fields | {name: _stick for name in ("pan", "tilt", "zoom")}, context=LINK)
    needed("input", values, "seq", "t", "sticks", context=LINK)
    rates = {name: values[name] for name in ("pan", "tilt", "zoom") if name in values}
    return StampedInput(Input(**values["sticks"], **rates), values["seq"], values["t"])


def _order(message: dict[str, Any]) -> OrderMessage:
    """Values stand beside the name of the order, or in a table `values`, where one of them may be a name itself."""
    name = message.pop("name", None)
    if not isinstance(name, str):
        raise MessageError(f"order has the name {shown(name)}", expected="a text")
    nested = message.get("values")
    values = nested if isinstance(nested, dict) and len(message) == 1 else message
    return OrderMessage(name, checked_values(text("order name", name, context=LINK), values))


def _lease(message: dict[str, Any]) -> LeaseMessage:
    fields: dict[str, Check] = {
        "do": choice_of("request", "release", "grant", "refuse", "take"),
        "role": choice_of("pilot", "instructor"),
        "to": text,
    }
    values = table("lease", message, fields, context=LINK)
    needed("lease", values, "do", "role", context=LINK)
    return LeaseMessage(**values)


def _ping(message: dict[str, Any]) -> PingMessage:
    values = table("ping", message, {"t": _clock}, context=LINK)
    needed("ping", values, "t", context=LINK)
    return PingMessage(**values)


def _name(message: dict[str, Any]) -> NameMessage:
    values = table("name", message, {"name": text}, context=LINK)
    needed("name", values, "name", context=LINK)
    return NameMessage(**values)


_READERS: dict[str, Callable[[dict[str, Any]], Message]] = {
    "input": _input,
    "order": _order,
    "lease": _lease,
    "ping": _ping,
    "name": _name,
}
