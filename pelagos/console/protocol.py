"""Messages between server and page: binary snapshots to the page, JSON messages both ways.

A snapshot is little-endian, 32 bytes of header and then float32 values in the order of `columns` of the hello:

    u16 magic "PE", u8 version, u8 kind, u32 seq, u32 ack, u32 count, f64 time_s, f64 echo_ms

ack is the number of the last input that was applied, and echo_ms the time stamp of its sender: now minus echo_ms on
the sender's clock is the latency from stick to picture.

`parse` validates a message of a page from outside to inside, before it builds anything: size, JSON, type, known keys,
finite numbers, ranges. Any mistake raises a MessageError.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from pelagos.checks import (
    LINK,
    Check,
    choice,
    choice_of,
    json_table,
    needed,
    number_in,
    table,
    table_of,
    text,
    whole_in,
)
from pelagos.errors import MessageError
from pelagos.session.orders.table import OF_PAGES, order_named
from pelagos.session.source import Input, StampedInput, StampedSnapshot, plain

VERSION = 1  # of the format; a page refuses another one
MAGIC = 0x4550  # "PE", little-endian
STATE = 1  # the only kind so far
HEADER = struct.Struct("<HBBIIIdd")
LARGEST_MESSAGE = 4096  # bytes
LONGEST_NAME = 32
_MOST_U32 = 2**32 - 1
_clock = number_in(-1e15, 1e15)  # ms on the clock of a page
_stick = number_in(-1.0, 1.0)
_STICKS: dict[str, Check] = {name: _stick for name in Input._fields[:6]}
_count = whole_in(0, _MOST_U32)


def pack_snapshot(snapshot: StampedSnapshot) -> bytes:
    """Pack a snapshot into bytes."""
    values = np.ascontiguousarray(snapshot.values, dtype="<f4")
    seq, ack = snapshot.seq & _MOST_U32, snapshot.ack & _MOST_U32
    head = HEADER.pack(MAGIC, VERSION, STATE, seq, ack, values.size, snapshot.time_s, snapshot.echo_ms)
    return head + values.tobytes()


def unpack_snapshot(data: bytes) -> StampedSnapshot:
    """Unpack a snapshot; raises MessageError."""
    if len(data) < HEADER.size:
        raise MessageError(key="size of the snapshot", value=len(data), expected=f"at least {HEADER.size} bytes")
    magic, version, kind, seq, ack, count, time_s, echo_ms = HEADER.unpack_from(data)
    if (magic, version, kind) != (MAGIC, VERSION, STATE):
        raise MessageError(
            key="magic, version and kind of the snapshot",
            value=(magic, version, kind),
            expected=f"{(MAGIC, VERSION, STATE)}",
        )
    if len(data) != HEADER.size + 4 * count:
        expected = f"{HEADER.size + 4 * count} bytes for {count} numbers"
        raise MessageError(key="size of the snapshot", value=len(data), expected=expected)
    return StampedSnapshot(seq, ack, time_s, echo_ms, np.frombuffer(data, dtype="<f4", offset=HEADER.size))


@dataclass(frozen=True)
class OrderMessage:
    """An order: an action that the flight executes once."""

    name: str
    values: dict[str, Any]


@dataclass(frozen=True)
class LeaseMessage:
    """A request, release, grant or refusal of a seat."""

    do: str
    role: str
    to: str | None = None


@dataclass(frozen=True)
class PingMessage:
    """A ping; the answer carries the same t."""

    t: float


@dataclass(frozen=True)
class NameMessage:
    """A new name of a client."""

    name: str


Message = StampedInput | OrderMessage | LeaseMessage | PingMessage | NameMessage


def parse(raw: str | bytes) -> Message:
    """Parse a message of a page; raises MessageError and nothing else, whatever the bytes."""
    message = json_table("the message", raw, LARGEST_MESSAGE)
    kind = choice("type of the message", message.pop("type", None), _READERS, context=LINK)
    return _READERS[kind](message)


def text_of(message: Mapping[str, Any]) -> str:
    """JSON of a message to a page: compact, with null for NaN, which JSON lacks."""
    try:
        return json.dumps(message, separators=(",", ":"), allow_nan=False)
    except (TypeError, ValueError):  # rare: NaN or arrays, which a slower copy converts
        return json.dumps(plain(message), separators=(",", ":"), allow_nan=False, default=str)


def display_name(name: str, default: str) -> str:
    """A name as other clients see it: printable, single blanks, limited length."""
    printable = "".join(c if c.isprintable() else " " for c in name)
    return " ".join(printable.split())[:LONGEST_NAME].strip() or default


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
    """Values are beside the name of the order, or in a table `values`, which can hold a key `name` too."""
    name = text("order name", message.pop("name", None), context=LINK)
    nested = message.get("values")
    values = nested if isinstance(nested, dict) and len(message) == 1 else message
    return OrderMessage(name, order_named(name, OF_PAGES, context=LINK).checked(name, values, context=LINK))


def _reader(
    subject: str, make: Callable[..., Message], fields: Mapping[str, Check], *required: str
) -> Callable[[dict[str, Any]], Message]:
    """Return a function that reads messages with these fields."""

    def read(message: dict[str, Any]) -> Message:
        values = table(subject, message, fields, context=LINK)
        needed(subject, values, *required, context=LINK)
        return make(**values)

    return read


_LEASE: dict[str, Check] = {
    "do": choice_of("request", "release", "grant", "refuse", "take"),
    "role": choice_of("pilot", "instructor"),
    "to": text,
}
_READERS: dict[str, Callable[[dict[str, Any]], Message]] = {
    "input": _input,
    "order": _order,
    "lease": _reader("lease", LeaseMessage, _LEASE, "do", "role"),
    "ping": _reader("ping", PingMessage, {"t": _clock}, "t"),
    "name": _reader("name", NameMessage, {"name": text}, "name"),
}
