"""Write nested dicts, as `tomllib` reads them, as TOML text that people can edit."""

from __future__ import annotations

import math
import re
from typing import Any

_BARE = re.compile(r"[A-Za-z0-9_-]+")
_WIDTH = 120
_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def to_toml(description: dict[str, Any]) -> str:
    """Return TOML text: tables become sections, lists of tables [[sections]]; a table with a `value` stays inline.

    `tomllib.loads(to_toml(d)) == d` for dicts of strings, numbers, booleans, lists and dicts.
    """
    lines: list[str] = []
    _section(description, "", lines)
    return "\n".join(lines).strip() + "\n"


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
    raise TypeError(f"a vehicle file cannot hold a value of type {type(value).__name__}")


def _escape(letter: str) -> str:
    if letter in _ESCAPES:
        return _ESCAPES[letter]
    return f"\\u{ord(letter):04x}" if ord(letter) < 32 or ord(letter) == 127 else letter


def _key(key: str) -> str:
    return key if _BARE.fullmatch(key) else _value(key)
