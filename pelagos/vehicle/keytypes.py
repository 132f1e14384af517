"""How the keys of a vehicle file are declared: one quantity (`Key`), one table (`Section`), and shorthands for both."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

from pelagos.units import units_of

ANY = -1  # any number of items in this direction of a list


@dataclass(frozen=True)
class Key:
    """One quantity. kind: number, integer, flag, text, choice, texts (list of text), free (anything)."""

    name: str
    help: str
    kind: str = "number"
    dimensions: tuple[str, ...] = ("",)  # "" is a plain number without suffix
    shapes: tuple[tuple[int, ...], ...] = ((),)  # () one number, (3,) a list of three, (ANY, 2) rows of two
    sign: str = ""  # "" any, "positive", "nonnegative", "nonzero" (lists: not all zero)
    choices: tuple[str, ...] = ()
    group: str = ""
    required: bool = False

    def spellings(self) -> dict[str, float]:
        """Every way to write the key and the factor that takes the number to SI."""
        found: dict[str, float] = {}
        for dimension in self.dimensions:
            if dimension:
                found |= {f"{self.name}_{unit.suffix}": unit.factor for unit in units_of(dimension)}
            else:
                found[self.name] = 1.0
        return found


@dataclass(frozen=True)
class Section:
    """One table of the file: its keys, the tables inside it, and whether it is a list of tables ([[...]])."""

    help: str
    keys: tuple[Key, ...] = ()
    tables: dict[str, Section] = field(default_factory=dict)
    many: bool = False
    each: Key | Section | None = None  # what an entry of any other name is: a coefficient, a source
    sourced: bool = True  # False: `source` and `note` are keys of its own, not provenance of the numbers

    @cached_property
    def _written(self) -> dict[str, Key]:
        return {spelling: item for item in self.keys for spelling in item.spellings()}

    def spelling(self, key: str) -> Key | None:
        """The quantity that a key of the file writes, or None."""
        return self._written.get(key)

    def all_spellings(self) -> list[str]:
        """Every valid key and table name, SI spelling first."""
        return [*self._written, *self.tables]


def text(name: str, help: str, *choices: str, required: bool = False) -> Key:
    """A key that holds a word or, without choices, any text."""
    return Key(name, help, "choice" if choices else "text", choices=choices, required=required)


def flag(name: str, help: str, group: str = "") -> Key:
    """A key that holds true or false."""
    return Key(name, help, "flag", group=group)


def number(name: str, help: str, *dimensions: str, sign: str = "", group: str = "", required: bool = False) -> Key:
    """A key that holds one number."""
    return Key(name, help, dimensions=dimensions or ("",), sign=sign, group=group, required=required)


def vector(name: str, help: str, *dimensions: str, sign: str = "", required: bool = False) -> Key:
    """A key that holds three numbers along x, y, z of the body."""
    return Key(name, help, dimensions=dimensions or ("",), shapes=((3,),), sign=sign, required=required)


def listing(name: str, help: str, *shapes: tuple[int, ...], unit: str = "", sign: str = "", group: str = "") -> Key:
    """A key that holds a list or rows of numbers."""
    return Key(name, help, dimensions=(unit,), shapes=shapes, sign=sign, group=group)
