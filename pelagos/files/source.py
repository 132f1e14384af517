"""Open and parse input files with limits on type, size and depth.

All TOML files pass through `read_toml`, all TOML text through `parse_toml`. Both limit size, depth and length of keys
before they cost time, and accept only the 64-bit integers of the TOML standard. Only regular files are opened: a read
of a pipe or a device may never end.
"""

from __future__ import annotations

import os
import re
import stat
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pelagos.errors import PelagosError, ScenarioError

LARGEST_TOML = 4_000_000  # characters: a few seconds of parsing
DEEPEST = 40  # tables and lists inside each other, and parts of a dotted key
_BARE_OR_QUOTED = r"(?:[\w-]++|\"[^\"\n]*+\"|'[^'\n]*+')"
# tomllib takes time that grows with the square of the number of parts of a dotted key
_LONG_KEY = re.compile(rf"(?<![\w-])(?:{_BARE_OR_QUOTED}[ \t]*+\.[ \t]*+){{{DEEPEST},}}")
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")  # all control characters but tab and line breaks
Refuse = Callable[..., PelagosError]  # an error class, called with the fields of the error


def why_not(path: str | os.PathLike[str], most: int | None = None) -> dict[str, str]:
    """Return why a file cannot be read, as fields of an error; none for a regular file of at most `most` bytes."""
    try:
        status = os.stat(path)
    except (FileNotFoundError, ValueError):  # a ValueError: a NUL in the name
        return {"message": "no such file"}
    except OSError as problem:
        return {"message": f"cannot be read ({problem.strerror})"}
    if stat.S_ISDIR(status.st_mode):
        return {"message": "is a folder", "expected": "a file"}
    if not stat.S_ISREG(status.st_mode):
        return {"message": "is a pipe, a socket or a device", "expected": "a file"}
    if most is not None and status.st_size > most:
        return {"message": f"has {status.st_size / 1e6:.4g} MB", "expected": f"at most {most / 1e6:.4g} MB"}
    return {}


def read_text(path: str | os.PathLike[str], refuse: Refuse = ScenarioError, most: int | None = None) -> str:
    """Return the text of a UTF-8 file; `refuse` makes the error."""
    why = why_not(path, most)
    if why:
        raise refuse(**why, file=path)
    try:
        return Path(path).read_text(encoding="utf-8-sig")  # editors on Windows write a byte order mark
    except UnicodeDecodeError:
        raise refuse("not a text file in UTF-8", file=Path(path).name) from None
    except OSError as problem:
        raise refuse(f"cannot be read ({problem.strerror})", file=os.fspath(path)) from None


def read_toml(path: str | os.PathLike[str], refuse: Refuse = ScenarioError) -> dict[str, Any]:
    """Return the raw tables of a TOML file; `refuse` makes the error."""
    return parse_toml(read_text(path, refuse, LARGEST_TOML), Path(path).name, refuse)


def parse_toml(text: str, name: str, refuse: Refuse = ScenarioError) -> dict[str, Any]:
    """Return the raw tables of TOML text; errors name it `name`."""
    if len(text) > LARGEST_TOML:
        raise refuse(f"has {len(text) / 1e6:.4g} MB", file=name, expected=f"at most {LARGEST_TOML / 1e6:.4g} MB")
    deep = f"has tables or lists in each other more than {DEEPEST} deep"
    long = _LONG_KEY.search(text)
    if long:
        line = text.count("\n", 0, long.start()) + 1
        raise refuse(f"line {line}: a key of more than {DEEPEST} parts", file=name, expected="fewer")
    try:
        tables = tomllib.loads(text)
    except tomllib.TOMLDecodeError as problem:
        raise refuse(f"not valid TOML: {problem}", file=name) from None
    except ValueError:  # Python converts at most 4300 digits
        raise refuse("has a whole number of thousands of digits", file=name, expected="one of 64 bits") from None
    except RecursionError:
        raise refuse(deep, file=name) from None
    _check(tables, name, refuse, deep)
    return tables


def _check(tables: dict[str, Any], name: str, refuse: Refuse, deep: str) -> None:
    """Refuse deep nesting, control characters and integers of more than 64 bits anywhere in the tables."""
    # a list of items to visit in place of recursion, which deep nesting could exhaust
    todo: list[tuple[str, Any, int]] = [("", tables, 0)]
    while todo:
        path, item, depth = todo.pop()
        if depth > DEEPEST:
            raise refuse(deep, file=name)
        if isinstance(item, dict):
            for key in item:
                if _CONTROL.search(key):
                    raise refuse("a key has a control character", file=name, value=key[:40])
            todo += [(f"{path}.{key}" if path else key, value, depth + 1) for key, value in item.items()]
        elif isinstance(item, list):
            todo += [(f"{path}[{n}]", value, depth + 1) for n, value in enumerate(item)]
        elif isinstance(item, int) and not -(2**63) <= item < 2**63:
            raise refuse(file=name, key=path, value=item, expected="a whole number of 64 bits")
        elif isinstance(item, str) and _CONTROL.search(item):
            raise refuse(file=name, key=path, value=item, expected="text without control characters")
