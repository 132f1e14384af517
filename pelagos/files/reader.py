"""Read TOML tables into frozen dataclasses by the names and annotations of their fields.

A field `height_m: float` has the key `height_m`, but also `height_ft` or `height_cm`: a key may carry any unit of the
field's dimension. Every table may contain `source`, `note` and `confidence`. The dataclass itself checks ranges in its
constructor; `in_file` adds to its error the file and the key as the file spells it.

The same dataclasses can be constructed in Python. `by_name` makes their constructors raise a sentence with the nearest
valid name for a misspelt, missing or positional argument, in place of a TypeError.
"""

from __future__ import annotations

import functools
import os
import types
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import MISSING, dataclass, field, fields
from functools import cache
from pathlib import Path
from typing import Any, Literal, NoReturn, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from pelagos.checks import DESCRIPTIONS, Context, annotated, tables
from pelagos.errors import MissingExtraError, PelagosError, ScenarioError, VehicleFileError, one_of, shown
from pelagos.files.named import named
from pelagos.units import Unit, split_key, units_of, wrong_unit

T = TypeVar("T")  # a dataclass: there is no type for that, hence the ignores at `fields`
PROVENANCE = ("source", "note", "confidence")
ONE_UNIT = ("_g_kg", "_n_m", "_n_s_m")  # g/kg, N/m and N s/m: the endings only look like kg, m and s/m
Kinds = Mapping[str, type]  # dataclass by the value of the key `kind`


@dataclass(frozen=True)
class Place:
    """Place of a table: its file and its path in it. `notes` are lines "path: text" of sources and notes."""

    file: str
    folder: Path
    path: str = ""
    notes: list[str] = field(default_factory=list)  # a single list, shared by all tables of a file; readers add to it
    error: type[ScenarioError | VehicleFileError] = ScenarioError

    def within(self, name: str) -> Place:
        """Return the place of a table inside this one."""
        return Place(self.file, self.folder, _join(self.path, name), self.notes, self.error)

    @property
    def context(self) -> Context:
        """Context of checks of this table; their keys start with its path."""
        return Context(self.error, self.file)

    def tables(self, table: Mapping[str, Any], name: str) -> list[dict[str, Any]]:
        """Return the tables `name` of this table; none if they are missing."""
        return tables(_join(self.path, name), table.get(name, []), name, context=self.context)

    def fail(self, key: str, message: str = "", **fields: Any) -> NoReturn:
        """Raise an error about a key of this table; `fields` as of `PelagosError`."""
        raise self.error(message, file=self.file, key=_join(self.path, key), **fields)


def read_kind(kinds: Kinds, raw: object, place: Place, default: str = "") -> Any:
    """Read a table whose key `kind` selects one of several dataclasses."""
    table = as_table(raw, place)
    kind = table.get("kind", default)
    if not kind:
        place.fail("kind", "is missing", expected=one_of(kinds))
    if not isinstance(kind, str) or kind not in kinds:
        place.fail("kind", value=kind, names=kinds)
    spec = kinds[kind]
    if "kind" in keys_of(spec):  # a field of the dataclass
        return read_spec(spec, {"kind": kind, **table}, place)
    return read_spec(spec, {key: value for key, value in table.items() if key != "kind"}, place)


def read_spec(spec: type[T], raw: object, place: Place) -> T:
    """Read a table into the dataclass `spec`."""
    values, spelt = read_values(spec, raw, place)
    for item in fields(spec):  # type: ignore[arg-type]
        needed = item.init and item.default is MISSING and item.default_factory is MISSING
        if needed and item.name not in values:
            place.fail(item.name, "is missing")
    return build(spec, values, place, spelt)


def read_values(
    spec: type, raw: object, place: Place, also: tuple[str, ...] = ()
) -> tuple[dict[str, Any], dict[str, tuple[str, Any]]]:
    """Return the values of a table by field name in the fields' units, and the key and value as the file spells each.

    `also` are further valid names to suggest for a misspelt key.
    """
    known = keys_of(spec)
    values: dict[str, Any] = {}
    spelt: dict[str, tuple[str, Any]] = {}
    for key, item in as_table(raw, place).items():
        if key in PROVENANCE and key not in known:
            _note(key, item, place)
            continue
        name, factor = _field_of(key, known, place, also)
        if name in spelt:
            place.fail(key, f'"{spelt[name][0]}" sets the same quantity', value=item, expected="one of the two")
        item = _unwrapped(key, item, place)
        value = annotated(_join(place.path, key), item, known[name], context=place.context)
        value = value if factor == 1.0 else _scaled(value, factor)
        is_file = isinstance(value, str) and (name == "file" or name.endswith("_file"))
        if is_file and "\0" in value:
            place.fail(key, value=item, expected="the name of a file")
        values[name] = str(named((place.folder / value).resolve())) if is_file else value
        spelt[name] = (key, item)
    return values, spelt


def build(spec: type[T], values: dict[str, Any], place: Place, spelt: dict[str, tuple[str, Any]] | None = None) -> T:
    """Construct the dataclass; its errors name the file and the key as the file spells it."""
    with in_file(place, values, spelt):
        return spec(**values)


@contextmanager
def in_file(
    place: Place,
    values: Mapping[str, Any] | None = None,
    spelt: Mapping[str, tuple[str, Any]] | None = None,
) -> Iterator[None]:
    """Turn an error of a dataclass into an error of the file: with its name, the path of the table and the key.

    `values` are those passed for the fields of the table, `spelt` is how the file spells each.
    """
    try:
        yield
    except MissingExtraError:
        raise
    except PelagosError as problem:
        if problem.file not in DESCRIPTIONS:
            # About another file, such as a picture: its sentence becomes the message of an error about this table.
            place.fail("", str(problem.at(file=_short(problem.file, place))))
        key, value = problem.key, problem.value
        if spelt and values and key in spelt:
            name = key
            key, written = spelt[name]
            # quote the file's number, which may be in another unit; a field computed by the dataclass stays
            value = written if key != name or value == values[name] else value
        raise problem.at(place.error, file=place.file, key=_join(place.path, key), value=value) from None


@cache
def keys_of(spec: type) -> dict[str, Any]:
    """Return the fields of a dataclass that a file can contain, with their annotations."""
    hints = get_type_hints(spec)
    return {item.name: hints[item.name] for item in fields(spec) if item.init and _readable(hints[item.name])}


@cache
def spellings(name: str) -> dict[str, float]:
    """Return the keys of a field, such as depth_m and depth_ft, with the factor from their unit to the field's."""
    quantity, unit = quantity_and_unit(name)
    if unit is None:
        return {name: 1.0}
    others = {f"{quantity}_{u.suffix}": u.factor / unit.factor for u in units_of(unit.dimension)}
    return {name: 1.0, **{key: factor for key, factor in others.items() if key != name}}


def quantity_and_unit(name: str) -> tuple[str, Unit | None]:
    """Split a field's name into quantity and unit; the unit is None if the key allows no other."""
    return (name, None) if name.endswith(ONE_UNIT) else split_key(name)


def as_table(raw: object, place: Place) -> dict[str, Any]:
    """Return the raw table; raise an error if it is not a table."""
    if not isinstance(raw, dict):
        place.fail("", value=raw, expected=f"a table, written [{place.path or 'name'}]")
    return cast("dict[str, Any]", raw)


def _readable(hint: Any) -> bool:
    """Whether a TOML value can be converted to this annotation."""
    if get_origin(hint) in (Union, types.UnionType):
        return all(_readable(part) for part in get_args(hint) if part is not type(None))
    if get_origin(hint) is tuple:
        return all(part is Ellipsis or _readable(part) for part in get_args(hint))
    return get_origin(hint) is Literal or hint in (float, int, bool, str)


def _field_of(key: str, known: dict[str, Any], place: Place, also: tuple[str, ...]) -> tuple[str, float]:
    """Return the field of a key and the factor to its unit; raise an error for an unknown key."""
    for name in known:
        if key in spellings(name):
            return name, spellings(name)[key]
    quantity, _ = split_key(key)
    for name in known:
        known_quantity, unit = quantity_and_unit(name)
        if unit is not None and known_quantity in (quantity, key):
            place.fail(key, **wrong_unit(key, (unit.dimension,)))
    place.fail(key, "unknown key", names=[*known, *also, *PROVENANCE], misspelt=key)


def _unwrapped(key: str, item: Any, place: Place) -> Any:
    """Return the number of { value = .., source = .. }; anything else unchanged."""
    if not isinstance(item, dict) or "value" not in item:
        return item
    inner = place.within(key)
    for part, text in item.items():
        if part in PROVENANCE:
            _note(part, text, inner)
        elif part != "value":
            valid = ("value", *PROVENANCE)
            inner.fail(part, "unknown key of a number", expected=one_of(valid), names=valid, misspelt=part)
    return item["value"]


def _note(key: str, item: Any, place: Place) -> None:
    if not isinstance(item, str):
        place.fail(key, value=item, expected="text in quotes")
    label = "" if key == "source" else f"{key}: "
    place.notes.append(f"{place.path}: {label}{item}" if place.path else f"{label}{item}")


def _scaled(value: Any, factor: float) -> Any:
    return tuple(_scaled(item, factor) for item in value) if isinstance(value, tuple) else value * factor


def _short(text: str, place: Place) -> str:
    """Remove the folder of this file from the paths in a text."""
    return text.replace(f"{place.folder.resolve()}{os.sep}", "")


def _join(path: str, name: str) -> str:
    return f"{path}.{name}" if path and name else path or name


def by_name(description: str, example: str) -> Callable[[type[T]], type[T]]:
    """Return a class decorator that checks the keyword arguments of a dataclass and explains wrong ones.

    `description` is the name that errors show, one of `DESCRIPTIONS`; a hint of theirs is `example`.
    """

    def wrap(cls: type[T]) -> type[T]:
        make = cls.__init__
        every = fields(cls)  # type: ignore[arg-type]
        known = [f.name for f in every]
        needed = [f.name for f in every if f.default is MISSING and f.default_factory is MISSING]

        @functools.wraps(make)
        def checked(self: T, *positional: Any, **named_values: Any) -> None:
            if positional:
                message = f"{shown(positional[0])} has no name; write it as in {example}"
                raise ScenarioError(message, file=description)
            for key, value in named_values.items():
                if key not in known:
                    where = {"file": description, "key": key, "value": value}
                    raise ScenarioError("no such key", **where, expected=one_of(known), names=known, misspelt=key)
            for key in needed:
                if key not in named_values:
                    raise ScenarioError("is missing", file=description, key=key)
            make(self, **named_values)

        # the original __init__ of the dataclass runs after the names are checked
        cls.__init__ = checked  # type: ignore[method-assign]
        return cls

    return wrap
