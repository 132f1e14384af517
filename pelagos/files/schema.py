"""Declarations of the tables of files: the keys of each, with kind, unit, limits, meaning and default.

A `Key` declares one quantity, a `Section` one table. The reader, its errors, the provenance of numbers and the JSON
Schema follow from them. Sections are written out (`pelagos.vehicle.load.keys`), or `section_of` makes them from the
fields of a frozen dataclass: `height_m: float` has the key `height_m`, but also `height_ft` or `height_cm`, because a
key may carry any unit of its dimension. Ranges are then checked by the constructor of the dataclass.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import MISSING, dataclass, field, fields, replace
from functools import cache, cached_property
from typing import Any, Literal, Union, cast, get_args, get_origin, get_type_hints

from pelagos.checks import LARGEST_OF_FILE, SMALLEST_OF_FILE, Context, annotated, annotation_text, is_numeric, is_union
from pelagos.units import UNITS, split_key, units_of

CONFIDENCES = ("high", "med", "low", "guess", "derived")
ONE_UNIT = ("_g_kg", "_n_m", "_n_s_m")  # g/kg, N/m and N s/m: the endings only look like kg, m and s/m
REMOVE = "remove"
Sign = Literal["", "positive", "nonnegative", "nonzero"]  # nonzero: of a list, not all zero


@dataclass(frozen=True)
class Key:
    """One quantity of a table: its name without unit, the annotation of its value, and limits.

    If the name ends in `unit`, values are in that unit, as in fields of dataclasses; otherwise they are in SI.
    """

    name: str
    help: str = ""
    hint: Any = float
    dimensions: tuple[str, ...] = ("",)  # "" is a plain number without suffix
    unit: str = ""
    sign: Sign = ""
    group: str = ""  # quantities of one group exclude each other, and replace each other where tables are merged
    required: bool = False
    most: float = math.inf  # upper limit of an integer that sets how long a computation takes
    removable: bool = False  # the word "remove" in its place deletes an inherited one
    checked: bool = True  # False: the constructor of a dataclass refuses infinite numbers and empty texts where needed

    @cached_property
    def numeric(self) -> bool:
        """Whether the value is a number or consists of numbers."""
        return is_numeric(self.hint)

    @cached_property
    def quantity(self) -> str:
        """The name without the unit."""
        return self.name[: -len(self.unit) - 1] if self.unit else self.name

    @cached_property
    def is_file(self) -> bool:
        """Whether the value is the name of a file."""
        return self.name == "file" or self.name.endswith("_file")

    @cached_property
    def spellings(self) -> dict[str, float]:
        """All spellings of the quantity, that of the value's own unit first, each with its factor to that unit."""
        divisor = UNITS[self.unit].factor if self.unit else 1.0
        factors = {self.name: 1.0} if self.unit else {}
        for dimension in self.dimensions:
            if dimension:
                units = {f"{self.quantity}_{unit.suffix}": unit.factor / divisor for unit in units_of(dimension)}
                factors |= {spelling: factor for spelling, factor in units.items() if spelling not in factors}
            else:
                factors[self.name] = 1.0
        return factors

    def check(self, path: str, item: object, context: Context) -> Any:
        """Return the value as the annotation requires it; raise an error for one of another kind or beyond limits."""
        value = annotated(path, item, self.hint, context=context)
        if not self.checked:
            return value
        if isinstance(value, str):
            if not value.strip():
                context.fail(path, value=item, expected="text in quotes")
            return value
        if self.numeric:
            flat = list(_flat(value)) if isinstance(value, tuple) else [value]
            if not flat:
                context.fail(path, value=item, expected=annotation_text(self.hint))
            expected = _beyond(flat, self.sign, self.most)
            if expected:
                context.fail(path, value=item, expected=expected)
        return value


@dataclass(frozen=True)
class Section:
    """One table of a file, or a list of tables ([[...]]) if `many`: its keys and the tables inside it."""

    help: str = ""
    keys: tuple[Key, ...] = ()
    tables: Mapping[str, Section] = field(default_factory=dict[str, "Section"])
    many: bool = False
    each: Key | Section | None = None  # declares entries of any other name: coefficients, sources
    sourced: bool = True  # False: `source` and `note` are keys of this table, not provenance of its numbers
    spec: type | None = None  # the dataclass that the table becomes
    kinds: Mapping[str, Section] = field(default_factory=dict[str, "Section"])  # selected by the key `kind`
    attribute: str = ""  # of the outer dataclass, if its name differs from that of the table
    starts_from: str = ""  # key that names a file or part whose keys the table may leave out
    needed: bool = False  # whether the outer table must have it
    short: Any = None  # annotation of a value that may stand in place of the table
    later: bool = False  # the reader passes the table on as it is written: its caller reads it with this section
    misplaced: Mapping[str, str] = field(default_factory=dict[str, str])  # messages by the start of an unknown key

    @cached_property
    def _by_spelling(self) -> dict[str, tuple[Key, float]]:
        return {spelling: (key, factor) for key in self.keys for spelling, factor in key.spellings.items()}

    @cached_property
    def required_keys(self) -> tuple[Key, ...]:
        """The keys that a table must have."""
        return tuple(key for key in self.keys if key.required)

    def entry(self, spelling: str) -> tuple[Key, float] | None:
        """The quantity that a key of the file spells, and the factor to its unit; None for other keys."""
        return self._by_spelling.get(spelling)

    def spelling(self, spelling: str) -> Key | None:
        """The quantity that a key of the file spells, or None."""
        entry = self._by_spelling.get(spelling)
        return entry and entry[0]

    @cached_property
    def provenance(self) -> Mapping[str, Key]:
        """The keys of provenance that are not keys of the table itself."""
        return {key.name: key for key in PROVENANCE if key.name not in self._by_spelling} if self.sourced else {}

    def all_spellings(self) -> list[str]:
        """All valid keys and table names, those of the values' own units first."""
        return [*self._by_spelling, *self.tables, *self.provenance]


def text(name: str, help: str = "", *choices: str, required: bool = False) -> Key:
    """A key that holds a word or, without choices, any text."""
    return Key(name, help, literal(*choices) if choices else str, required=required)


def flag(name: str, help: str, group: str = "") -> Key:
    """A key that holds true or false."""
    return Key(name, help, bool, group=group)


def number(name: str, help: str, *dimensions: str, sign: Sign = "", group: str = "", required: bool = False) -> Key:
    """A key that holds one number."""
    return Key(name, help, dimensions=dimensions or ("",), sign=sign, group=group, required=required)


def integer(name: str, help: str, *, sign: Sign = "", group: str = "", most: float = math.inf) -> Key:
    """A key that holds a whole number."""
    return Key(name, help, int, sign=sign, group=group, most=most)


def vector(name: str, help: str, *dimensions: str, sign: Sign = "", required: bool = False) -> Key:
    """A key that holds three numbers along x, y, z of the body."""
    hint = tuple[float, float, float]
    return Key(name, help, hint, dimensions or ("",), sign=sign, required=required)


def listing(name: str, help: str, hint: Any, *, unit: str = "", sign: Sign = "", group: str = "") -> Key:
    """A key that holds a list or rows of numbers; `unit` is their dimension."""
    return Key(name, help, hint, dimensions=(unit,), sign=sign, group=group)


def literal(*choices: object) -> Any:
    """The annotation of a value that is one of several."""
    return cast("Any", Literal)[choices]


PROVENANCE = (
    text("source", "key of [sources] or plain words"),
    text("confidence", "how far to trust the numbers", *CONFIDENCES),
    text("note", "anything the reader should know"),
)
VALUE = Section("a number with its provenance", (Key("value", "the number", Any, required=True), *PROVENANCE))


@cache
def section_of(spec: type) -> Section:
    """The table of a dataclass: a key for each field that a file can contain; `tables` adds inner tables."""
    hints = get_type_hints(spec)
    keys = tuple(
        _key_of(item.name, hints[item.name], item.default is MISSING and item.default_factory is MISSING)
        for item in fields(spec)
        if item.init and _is_readable(hints[item.name])
    )
    return Section((spec.__doc__ or "").strip().split("\n")[0], keys, spec=spec)


def kinds_of(kinds: Mapping[str, type], help: str = "", **settings: Any) -> Section:
    """A table whose key `kind` selects one of several dataclasses."""
    return Section(help, kinds={kind: section_of(spec) for kind, spec in kinds.items()}, **settings)


def without(section: Section, *names: str) -> Section:
    """A section without some of its keys: fields of the dataclass that no file sets."""
    return replace(section, keys=tuple(key for key in section.keys if key.name not in names))


def _key_of(name: str, hint: Any, required: bool) -> Key:
    unit = None if name.endswith(ONE_UNIT) or not is_numeric(hint) else split_key(name)[1]
    hint = _without_none(hint)
    if unit is None:
        return Key(name, hint=hint, required=required, checked=False)
    return Key(name, "", hint, (unit.dimension,), unit.suffix, required=required, checked=False)


def _without_none(hint: Any) -> Any:
    if not is_union(hint):
        return hint
    return cast("Any", Union)[tuple(part for part in get_args(hint) if part is not type(None))]


def _is_readable(hint: Any) -> bool:
    """Whether a TOML value can be converted to this annotation."""
    if is_union(hint):
        return all(_is_readable(part) for part in get_args(hint) if part is not type(None))
    if get_origin(hint) is tuple:
        return all(part is Ellipsis or _is_readable(part) for part in get_args(hint))
    return get_origin(hint) is Literal or hint in (float, int, bool, str)


def _flat(value: Any) -> Any:
    if isinstance(value, tuple):
        for part in cast("tuple[Any, ...]", value):
            yield from _flat(part)
    elif not isinstance(value, str):
        yield value


def _beyond(flat: list[Any], sign: Sign, most: float) -> str:
    """What is expected in place of numbers outside the limits; "" if they are inside."""
    lowest, highest = min(flat), max(flat)
    kind = "numbers" if len(flat) > 1 else "a number"
    if not all(map(math.isfinite, flat)):
        return "finite numbers" if len(flat) > 1 else "a finite number"
    if max(highest, -lowest) > min(most, LARGEST_OF_FILE):
        return f"{kind} of at most {min(most, LARGEST_OF_FILE):g}"
    if sign == "positive" and lowest <= 0:
        return f"{kind} above 0"
    if sign == "positive" and lowest < SMALLEST_OF_FILE:
        return f"{kind} of at least {SMALLEST_OF_FILE:g}"
    if sign == "nonnegative" and lowest < 0:
        return f"{kind} of at least 0"
    if sign == "nonzero" and not any(flat):
        return "numbers that are not all 0" if len(flat) > 1 else "a number other than 0"
    return ""
