"""Write descriptions: a dataclass as the table that the reader turns into it again, and tables as TOML text.

`reader.read_spec(type(x), to_table(x), place) == x` for descriptions whose fields a file can hold, and
`tomllib.loads(to_toml(tables)) == tables`.
"""

from __future__ import annotations

import math
import re
from dataclasses import MISSING, fields, is_dataclass
from typing import Any, cast

import numpy as np

from pelagos.errors import CommandError

_BARE = re.compile(r"[A-Za-z0-9_-]+")
_WIDTH = 120
_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def to_table(description: Any, *, defaults: bool = False) -> dict[str, Any]:
    """Return a dataclass as the table of a file: its kind, and the fields that differ from their defaults.

    With `defaults` all fields that have a value.
    """
    table: dict[str, Any] = {}
    kind = getattr(type(description), "kind", None)
    if isinstance(kind, str) and kind:
        table["kind"] = kind
    for item in fields(description):
        value = getattr(description, item.name)
        # Fields without `init` are derived from the others.
        skip = value is None or value == () if defaults else item.default is not MISSING and _same(value, item.default)
        if item.init and not skip:
            table[item.name] = _plain(value)
    return table


def to_toml(description: dict[str, Any]) -> str:
    """Return TOML text: tables become sections, lists of tables [[sections]]; a table with a `value` stays inline.

    They consist of strings, numbers, booleans, lists and dicts.
    """
    lines: list[str] = []
    _section(description, "", lines)
    return "\n".join(lines).strip() + "\n"


def _plain(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, tuple | list):
        return [_plain(item) for item in cast("list[Any]", value)]
    if value is None or isinstance(value, str | bool | int | float):
        return value
    if is_dataclass(value):
        return to_table(value)
    raise CommandError("a file cannot hold", value=value, expected="plain values")


def _same(value: Any, default: Any) -> bool:
    """Whether a value is the default; NaN equals NaN here, and 1 does not equal True."""
    if isinstance(value, float) and isinstance(default, float) and math.isnan(value) and math.isnan(default):
        return True
    return type(value) is type(default) and not isinstance(value, np.ndarray) and value == default


def _section(table: dict[str, Any], path: str, lines: list[str]) -> None:
    nested = {key: value for key, value in table.items() if _is_section(value)}
    for key, value in table.items():
        if key not in nested:
            lines.append(_entry(_key(key), value))
    for key, value in nested.items():
        name = f"{path}.{_key(key)}" if path else _key(key)
        if isinstance(value, list):
            for row in value:
                lines += ["", f"[[{name}]]"]
                _section(row, name, lines)
        else:
            if not value or any(not _is_section(item) for item in value.values()):
                lines += ["", f"[{name}]"]
            _section(value, name, lines)


def _is_section(value: object) -> bool:
    """Whether a value becomes a section: a table other than { value = .., source = .. }, or a list of tables."""
    if isinstance(value, dict):
        return "value" not in value
    return isinstance(value, list) and bool(value) and all(isinstance(row, dict) for row in value)


def _entry(key: str, value: object) -> str:
    line = f"{key} = {_value(value)}"
    if len(line) <= _WIDTH or not isinstance(value, list):
        return line
    rows: list[str] = []
    for item in (_value(item) for item in value):  # a long list fills lines of at most _WIDTH; each row has its line
        if rows and len(rows[-1]) + len(item) + 2 <= _WIDTH - 4 and not item.startswith("["):
            rows[-1] += f", {item}"
        else:
            rows.append(item)
    return f"{key} = [\n" + ",\n".join(f"    {row}" for row in rows) + ",\n]"


def _value(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return '"' + "".join(_escape(letter) for letter in value) + '"'
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        if math.isnan(value):
            return "nan"
        return repr(float(value)) if math.isfinite(value) else ("inf" if value > 0.0 else "-inf")
    if isinstance(value, list | tuple):
        return "[" + ", ".join(_value(item) for item in value) + "]"
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{_key(key)} = {_value(item)}" for key, item in value.items()) + " }"
    raise TypeError(f"TOML cannot hold a value of type {type(value).__name__}")


def _escape(letter: str) -> str:
    if letter in _ESCAPES:
        return _ESCAPES[letter]
    return f"\\u{ord(letter):04x}" if ord(letter) < 32 or ord(letter) == 127 else letter


def _key(key: str) -> str:
    return key if _BARE.fullmatch(key) else _value(key)
