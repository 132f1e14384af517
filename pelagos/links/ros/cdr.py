"""How ROS 2 puts a message into bytes: CDR, little end first (OMG DDS-XTypes 1.3, 7.4.3, plain CDR version 1).

Four bytes say so (00 01 00 00). Behind them each number stands at a multiple of its size, counted from there; a text
is its length with the closing zero (uint32), its bytes and that zero; a list of any length has its length in front.

`encoder(name)` makes a function from the values of a message, as nested dictionaries, to bytes. Numbers of one size
that follow each other are packed in one go, which is what makes it quick.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Callable, Mapping
from functools import cache
from operator import itemgetter
from typing import Any

from pelagos.links.ros.schemas import fields

HEAD = b"\x00\x01\x00\x00"
LETTERS = {
    "bool": "?", "uint8": "B", "int8": "b", "uint16": "H", "int16": "h", "uint32": "I", "int32": "i",
    "uint64": "Q", "int64": "q", "float32": "f", "float64": "d",
}  # fmt: skip
ARRAY = re.compile(r"^([^\[]+)(?:\[(\d*)\])?$")
Values = Mapping[str, Any]
Write = Callable[[bytearray, Values], None]
Encoder = Callable[[Values], bytes]


@cache
def encoder(name: str) -> Encoder:
    """What turns the values of a message into bytes."""
    write = _message(name)

    def encode(values: Values) -> bytes:
        out = bytearray(HEAD)
        write(out, values)
        return bytes(out)

    return encode


def align(out: bytearray, size: int) -> None:
    """Zeros up to the next multiple of a size, not counting the first four bytes."""
    out.extend(bytes(-(len(out) - 4) % size))


@cache
def _message(name: str) -> Write:
    """Writes one message: its parts in order, like neighbours together."""
    parts: list[Write] = []
    run: list[tuple[str, str]] = []  # letter and field of numbers that can be packed together

    def close() -> None:
        if run:
            parts.append(_numbers("".join(letter for letter, _ in run), [field for _, field in run]))
            run.clear()

    for kind, field in fields(name):
        base, size = _parsed(kind)
        if size is None and base in LETTERS:
            if run and struct.calcsize(run[0][0]) != struct.calcsize(LETTERS[base]):
                close()
            run.append((LETTERS[base], field))
            continue
        close()
        parts.append(_one(base, size, field))
    close()

    def write(out: bytearray, values: Values) -> None:
        for part in parts:
            part(out, values)

    return write


def _parsed(kind: str) -> tuple[str, int | None]:
    """Base type and length: None for one, 0 for a list of any length."""
    found = ARRAY.match(kind)
    assert found is not None
    base, size = found.groups()
    return base, None if size is None else int(size or 0)


def _one(base: str, size: int | None, field: str) -> Write:
    if base in LETTERS:
        return _sequence(base, field) if size == 0 else _fixed(base, size or 0, field)
    item = _text if base == "string" else _message(base)
    if size is None:
        return lambda out, values: item(out, values[field])

    def write(out: bytearray, values: Values) -> None:
        many = values[field]
        _length(out, len(many))
        for one in many:
            item(out, one)

    return write


def _numbers(letters: str, names: list[str]) -> Write:
    packed = struct.Struct(f"<{letters}")
    size = struct.calcsize(letters[0])
    if len(names) == 1:
        (name,) = names

        def write_one(out: bytearray, values: Values) -> None:
            align(out, size)
            out.extend(packed.pack(values[name]))

        return write_one
    take = itemgetter(*names)

    def write(out: bytearray, values: Values) -> None:
        align(out, size)
        out.extend(packed.pack(*take(values)))

    return write


def _fixed(base: str, n: int, field: str) -> Write:
    packed = struct.Struct(f"<{n}{LETTERS[base]}")
    size = struct.calcsize(LETTERS[base])

    def write(out: bytearray, values: Values) -> None:
        align(out, size)
        out.extend(packed.pack(*values[field]))

    return write


def _sequence(base: str, field: str) -> Write:
    letter, size = LETTERS[base], struct.calcsize(LETTERS[base])

    def write(out: bytearray, values: Values) -> None:
        many = values[field]
        _length(out, len(many))
        if isinstance(many, bytes):
            out.extend(many)
        elif len(many):  # nothing is aligned for an empty list
            align(out, size)
            out.extend(struct.pack(f"<{len(many)}{letter}", *many))

    return write


def _length(out: bytearray, n: int) -> None:
    align(out, 4)
    out.extend(n.to_bytes(4, "little"))


def _text(out: bytearray, text: Any) -> None:
    data = text.encode("utf-8")
    _length(out, len(data) + 1)
    out.extend(data)
    out.append(0)
