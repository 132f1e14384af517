"""Descriptions made by keyword: a misspelt, missing or unnamed value gets a sentence instead of a TypeError."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import MISSING, fields
from typing import Any, TypeVar

from pelagos.errors import ScenarioError, nearest
from pelagos.messages import is_number, shown

T = TypeVar("T")


def by_name(section: str, example: str) -> Callable[[type[T]], type[T]]:
    """Wrap the constructor of a keyword-only dataclass; `section` is its table in a world file, "" for the file."""

    def wrap(cls: type[T]) -> type[T]:
        make = cls.__init__
        every = fields(cls)  # type: ignore[arg-type]
        known = [f.name for f in every]
        needed = [f.name for f in every if f.default is MISSING and f.default_factory is MISSING]

        @functools.wraps(make)
        def checked(self: T, *unnamed: Any, **given: Any) -> None:
            if unnamed:
                expected = f"{shown(unnamed[0])} has no name; write it as in {example}"
                raise ScenarioError("world", section, expected=expected)
            for key, value in given.items():
                if key not in known:
                    expected = f"no such key, expected one of {', '.join(known)}"
                    raise ScenarioError("world", _path(section, key), said(value), expected, nearest(key, known))
            for key in needed:
                if key not in given:
                    raise ScenarioError("world", _path(section, key), expected="is missing")
            make(self, **given)

        cls.__init__ = checked  # type: ignore[method-assign]
        return cls

    return wrap


def said(value: object) -> object:
    """The value for a sentence: None would be left out of it, an array would fill lines."""
    return value if is_number(value) or isinstance(value, str | bool) else shown(value)


def _path(section: str, key: str) -> str:
    return f"{section}.{key}" if section else key
