"""Input files: what may be opened, how much of it is read, and one sentence for what may not.

Every TOML file goes through `read_toml`, every TOML text through `parse_toml`: size, depth and length of keys are
bounded before they cost time, and whole numbers are the 64-bit ones that TOML has. A pipe, a device or a folder is no
input: a read of it may never end.
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
_LONG_KEY = re.compile(rf"(?<![\w-])(?:{_BARE_OR_QUOTED}[ \t]*+\.[ \t]*+){{{DEEPEST},}}")  # costs tomllib n^2
_UNSEEN = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")  # control characters that no text needs
Refuse = Callable[..., PelagosError]  # an error class, called with the fields of the error


def why_not(path: str | os.PathLike[str], most: int | None = None) -> str:
    """Why a file cannot be read, "" if it can: it must be there, be a regular file and have at most `most` bytes."""
    try:
        found = os.stat(path)
    except FileNotFoundError:
        return "no such file"
    except OSError as problem:
        return f"cannot be read ({problem.strerror})"
    except ValueError:  # a NUL in the name
        return "no such file"
    if stat.S_ISDIR(found.st_mode):
        return "is a folder; expected a file"
    if not stat.S_ISREG(found.st_mode):
        return "is a pipe, a socket or a device; expected a file"
    if most is not None and found.st_size > most:
        return f"has {found.st_size / 1e6:.4g} MB; expected at most {most / 1e6:.4g} MB"
    return ""


def read_text(path: str | os.PathLike[str], refuse: Refuse = ScenarioError, most: int | None = None) -> str:
    """The text of a UTF-8 file."""
    why = why_not(path, most)
    if why:
        raise refuse(why, file=path)
    try:
        return Path(path).read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise refuse("not a text file in UTF-8", file=Path(path).name) from None
    except OSError as problem:
        raise refuse(f"cannot be read ({problem.strerror})", file=os.fspath(path)) from None


def read_toml(path: str | os.PathLike[str], refuse: Refuse = ScenarioError) -> dict[str, Any]:
    """The raw tables of a TOML file; `refuse` makes the error."""
    return parse_toml(read_text(path, refuse, LARGEST_TOML), Path(path).name, refuse)


def parse_toml(text: str, name: str, refuse: Refuse = ScenarioError) -> dict[str, Any]:
    """The raw tables of a TOML text; `name` stands for it in messages."""
    if len(text) > LARGEST_TOML:
        raise refuse(
            f"has {len(text) / 1000000.0:.4g} MB", file=name, expected=f"at most {LARGEST_TOML / 1000000.0:.4g} MB"
        )
    deep = f"has tables or lists in each other more than {DEEPEST} deep"
    long = _LONG_KEY.search(text)
    if long:
        line = text.count("\n", 0, long.start()) + 1
        raise refuse(f"line {line}: a key of more than {DEEPEST} parts", file=name, expected="fewer")
    try:
        tables = tomllib.loads(text)
    except tomllib.TOMLDecodeError as problem:
        raise refuse(f"not valid TOML: {problem}", file=name) from None
    except ValueError:  # Python reads no longer ones from text
        raise refuse("has a whole number of thousands of digits", file=name, expected="one of 64 bits") from None
    except RecursionError:
        raise refuse(deep, file=name) from None
    _check(tables, name, refuse, deep)
    return tables


def _check(tables: dict[str, Any], name: str, refuse: Refuse, deep: str) -> None:
    """Refuse what TOML or a terminal has no place for, wherever it stands."""
    todo: list[tuple[str, Any, int]] = [("", tables, 0)]
    while todo:
        path, item, depth = todo.pop()
        if depth > DEEPEST:
            raise refuse(deep, file=name)
        if isinstance(item, dict):
            for key in item:
                if _UNSEEN.search(key):
                    raise refuse(f"the key {key[:40]!r} has a control character", file=name)
            todo += [(f"{path}.{key}" if path else key, one, depth + 1) for key, one in item.items()]
        elif isinstance(item, list):
            todo += [(f"{path}[{n}]", one, depth + 1) for n, one in enumerate(item)]
        elif isinstance(item, int) and not -(2**63) <= item < 2**63:
            raise refuse(file=name, key=path, value=item, expected="a whole number of 64 bits")
        elif isinstance(item, str) and _UNSEEN.search(item):
            raise refuse(file=name, key=path, value=item, expected="text without control characters")
