"""Read TOML tables by their declarations: checked values in one unit, each with its file and provenance.

`read_table` turns a raw table into a `Table` of `Value`s. `merge` lays one table over another (a file over the file it
`extends`, an entry over its part); every value keeps its file, so that an error names the right one. `require` then
checks that nothing is missing, and `build` constructs the dataclass of a table. `read_spec` does all of it at once.

Every table may contain `source`, `note` and `confidence`, and every number may be { value = .., source = .. }. The
dataclass itself checks ranges in its constructor; `in_file` adds to its error the file and the key as the file spells
it. The same dataclasses can be constructed in Python: `by_name` makes their constructors raise a sentence with the
nearest valid name for a misspelt, missing or positional argument, in place of a TypeError.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import MISSING, dataclass, field, fields, replace
from pathlib import Path
from typing import Any, NamedTuple, NoReturn, TypeVar, cast

from pelagos.checks import DESCRIPTIONS, Context, tables
from pelagos.errors import MissingExtraError, PelagosError, ScenarioError, one_of, shown
from pelagos.files.named import named
from pelagos.files.schema import REMOVE, VALUE, Key, Section, section_of
from pelagos.units import split_key, wrong_unit

T = TypeVar("T")  # a dataclass: there is no type for that, hence the ignores at `fields`


class Note(NamedTuple):
    """A source, a confidence or a note of a table or of one of its numbers."""

    path: str
    kind: str  # a key of provenance
    text: str


@dataclass(frozen=True)
class Place:
    """Place of a table: its file and its path in it."""

    file: str
    folder: Path
    path: str = ""
    notes: list[Note] = field(default_factory=list)  # a single list, shared by all tables of a file; readers add to it
    error: type[PelagosError] = ScenarioError

    def within(self, name: str) -> Place:
        """Return the place of a table inside this one."""
        return Place(self.file, self.folder, _join(self.path, name), self.notes, self.error)

    @functools.cached_property
    def context(self) -> Context:
        """Context of checks of this table; their keys start with its path."""
        return Context(self.error, self.file)

    @property
    def sources(self) -> tuple[str, ...]:
        """The sources and notes as lines "path: text"."""
        words = [(note.path, "" if note.kind == "source" else note.kind, note.text) for note in self.notes]
        return tuple(": ".join(filter(None, parts)) for parts in words)

    def tables(self, table: Mapping[str, Any], name: str) -> list[dict[str, Any]]:
        """Return the tables `name` of this table; none if they are missing."""
        return tables(_join(self.path, name), table.get(name, []), name, context=self.context)

    def fail(self, key: str, message: str = "", **fields: Any) -> NoReturn:
        """Raise an error about a key of this table; `fields` as of `PelagosError`."""
        raise self.error(message, file=self.file, key=_join(self.path, key), **fields)


class Value(NamedTuple):
    """One entry of a file: as written, in the unit of its key, and its provenance. A removed one has no number."""

    key: Key
    spelling: str  # the key with its unit suffix
    raw: Any
    value: Any
    file: str
    source: str = ""
    confidence: str = ""
    note: str = ""


@dataclass
class Table:
    """One table of a file, or of several merged files. The names of `values` are those of the declared keys."""

    section: Section
    place: Place
    values: dict[str, Value] = field(default_factory=dict)
    tables: dict[str, Table] = field(default_factory=dict)
    lists: dict[str, list[Table]] = field(default_factory=dict)
    later: dict[str, tuple[Place, Any]] = field(default_factory=dict)  # place and raw tables: see `Section.later`

    def __contains__(self, name: str) -> bool:
        return name in self.values

    @property
    def file(self) -> str:
        """The file of the table; the values of merged tables have their own."""
        return self.place.file

    @property
    def path(self) -> str:
        """The path of the table: "thrusters[2]", empty for the whole file."""
        return self.place.path

    def get(self, name: str, default: Any = None) -> Any:
        """The value of a quantity, or the default."""
        value = self.values.get(name)
        return default if value is None else value.value

    def table(self, name: str) -> Table:
        """A table inside this one; an empty one if the file has none."""
        if name not in self.tables:
            return Table(self.section.tables[name], self.place.within(name))
        return self.tables[name]

    def key(self, name: str) -> str:
        """The full path of a quantity as the file spells it, for error sentences."""
        value = self.values.get(name)
        return _join(self.path, value.spelling if value else name)

    def fail(self, name: str, message: str = "", **fields: Any) -> NoReturn:
        """Raise an error about a quantity, with its value if the file has one; `fields` as of `PelagosError`."""
        value = self.values.get(name)
        if value is None:
            self.place.fail(name, message, **fields)
        raise self.place.error(message, file=value.file, key=self.key(name), value=value.raw, **fields)

    def fail_because(self, name: str, problem: PelagosError) -> NoReturn:
        """Raise a caught error again as one about a quantity; its message, expectation and suggestion stay.

        An error that names another setting keeps it: "rov.toml: added_mass.from_hull: diameter_m = 0: expected ...".
        """
        value, key = self.values.get(name), self.key(name)
        changes: dict[str, Any] = {"file": value.file if value else self.file, "key": key}
        if problem.key not in ("", name, key, value.spelling if value else name):
            changes["key"] = f"{key}: {problem.key}"
        elif value is not None:
            changes["value"] = value.raw
        raise problem.at(self.place.error, **changes) from problem


def read_kind(kinds: Mapping[str, type], raw: object, place: Place) -> Any:
    """Read a table whose key `kind` selects one of several dataclasses."""
    table = as_table(raw, place)
    section = section_of(kinds[kind_of(kinds, table, place)])
    if section.spelling("kind") is None:  # not a field of the dataclass
        table = {key: item for key, item in table.items() if key != "kind"}
    return read_spec(section, table, place)


def read_spec(spec: type[T] | Section, raw: object, place: Place) -> T:
    """Read a table into its dataclass, with the tables inside it."""
    table = read_table(raw, spec if isinstance(spec, Section) else section_of(spec), place)
    require(table)
    return build(table)


def read_table(raw: object, section: Section, place: Place, outer: Mapping[str, str] | None = None) -> Table:
    """Check one raw table and convert its numbers; `outer` is the provenance that an enclosing table sets."""
    rows = as_table(raw, place)
    kind = ""
    if section.kinds:
        kind = kind_of(section.kinds, rows, place)
        section = section.kinds[kind]
    table = Table(section, place)
    origin = dict(outer or {})
    for name, key in section.provenance.items():  # source, confidence and note of a table hold for its numbers
        if name in rows:
            origin[name] = key.check(_join(place.path, name), rows[name], place.context)
    for name, item in rows.items():
        entry = section.entry(name)
        if entry is not None:
            _add(table, *entry, name, item, origin)
        elif name in section.tables:
            continue  # read below, in the order of their declaration
        elif name in section.provenance:
            place.notes.append(Note(place.path, name, item))
        elif isinstance(section.each, Section):
            table.tables[name] = read_table(item, section.each, place.within(name), origin)
        elif section.each is not None:
            _add(table, section.each, 1.0, name, item, origin)
        elif not (name == "kind" and kind):
            _unknown(table, name)
    for name, inner in section.tables.items():
        if name in rows:
            _read_inner(table, inner, name, rows[name], origin)
    return table


def merge(base: Table, over: Table) -> Table:
    """Lay one table over another: tables merge, lists of tables are replaced.

    A quantity of a group replaces the others of its group: a file that sets weight drops the inherited mass.
    """
    result = Table(
        over.section, over.place, dict(base.values), dict(base.tables), base.lists | over.lists, base.later | over.later
    )
    for name, value in over.values.items():
        group = value.key.group
        rivals = [other for other, old in result.values.items() if group and old.key.group == group]
        for rival in rivals:
            del result.values[rival]
        result.values[name] = value
    for name, inner in over.tables.items():
        result.tables[name] = merge(base.tables[name], inner) if name in base.tables else inner
    return result


def moved(table: Table, path: str) -> Table:
    """A copy of a table under another path: a part becomes thrusters[2], its propeller thrusters[2].propeller."""
    inner = {name: moved(item, _join(path, name)) for name, item in table.tables.items()}
    return replace(table, place=replace(table.place, path=path), tables=inner)


def require(table: Table) -> None:
    """Raise an error if a required key of a table, or of a table inside it, is missing."""
    for key in table.section.required_keys:
        if key.name not in table.values:
            table.place.fail(next(iter(key.spellings)), "is missing")
    for name, section in table.section.tables.items():
        if section.needed and name not in (*table.tables, *table.lists, *table.later, *table.values):
            table.place.fail(name, "is missing", expected=section.help)
    for inner in table.tables.values():
        require(inner)
    for rows in table.lists.values():
        for row in rows:
            require(row)


def build(table: Table, **more: Any) -> Any:
    """Construct the dataclass of a table; its errors name the file and the key as the file spells it.

    `more` are further fields, or others than those of the file. A table without a dataclass becomes a dict.
    """
    values = {name: value.value for name, value in table.values.items()}
    for name, inner in table.tables.items():
        field_name = table.section.tables[name].attribute or name
        if field_name not in more:
            values[field_name] = build(inner)
    for name in table.lists:
        field_name = table.section.tables[name].attribute or name
        if field_name not in more:
            values[field_name] = build_rows(table, name)
    values |= more
    spec = table.section.spec
    if spec is None:
        return values
    with in_file(table.place, table, values):
        return spec(**values)


def build_rows(table: Table, name: str) -> tuple[Any, ...]:
    """Construct the dataclasses of a list of tables; none if the list is missing."""
    return tuple(build(row) for row in table.lists.get(name, []))


@contextmanager
def in_file(place: Place, table: Table | None = None, values: Mapping[str, Any] | None = None) -> Iterator[None]:
    """Turn an error of a dataclass into an error of the file: with its name, the path of the table and the key.

    `values` are those passed for the fields of the dataclass, `table` holds how the file spells each.
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
        written = table.values.get(key) if table else None
        if written is not None:
            # quote the file's number, which may be in another unit; a field computed by the dataclass stays
            if written.spelling != key or values is None or value == values.get(key):
                value = written.raw
            key = written.spelling
        raise problem.at(place.error, file=place.file, key=_join(place.path, key), value=value) from None


def as_table(raw: object, place: Place) -> dict[str, Any]:
    """Return the raw table; raise an error if it is not a table."""
    if not isinstance(raw, dict):
        place.fail("", value=raw, expected=f"a table, written [{place.path or 'name'}]")
    return cast("dict[str, Any]", raw)


def kind_of(kinds: Mapping[str, Any], table: Mapping[str, Any], place: Place) -> str:
    """Return the key `kind` of a raw table; raise an error if it is missing or not one of `kinds`."""
    kind = table.get("kind")
    if kind is None:
        place.fail("kind", "is missing", expected=one_of(kinds))
    if not isinstance(kind, str) or kind not in kinds:
        place.fail("kind", value=kind, names=kinds)
    return kind


def _read_inner(table: Table, section: Section, name: str, item: Any, origin: Mapping[str, str]) -> None:
    place = table.place.within(name)
    if section.short is not None and not isinstance(item, dict | list):
        key = Key(name, hint=section.short)
        table.values[name] = Value(key, name, item, key.check(place.path, item, place.context), place.file)
    elif section.later:
        table.later[name] = (table.place, item)
    elif section.many:
        rows = table.place.tables({name: item}, name)
        table.lists[name] = [
            read_table(row, section, table.place.within(f"{name}[{index}]"), origin) for index, row in enumerate(rows)
        ]
    else:
        table.tables[name] = read_table(item, section, place, origin)


def _add(table: Table, key: Key, factor: float, name: str, item: Any, origin: Mapping[str, str]) -> None:
    """Check one entry, convert its number and put it into the table."""
    place, quantity = table.place, name if key.name == "*" else key.name
    if key.removable and item == REMOVE:
        table.values[quantity] = Value(key, name, item, None, place.file)
        return
    if key.numeric and isinstance(item, dict):
        origin = {**origin, **_provenance(place.within(name), item)}
        item = item["value"]
    value = key.check(_join(place.path, name), item, place.context)
    if factor != 1.0:
        value = _scaled(value, factor)
    elif key.is_file and isinstance(value, str):
        if "\0" in value:
            place.fail(name, value=item, expected="the name of a file")
        value = str(named((place.folder / value).resolve()))
    rival = table.values.get(quantity)  # a second spelling (mass_kg, mass_g), or one of its group (mass, weight)
    if rival is None and key.group:
        rival = next((other for other in table.values.values() if other.key.group == key.group), None)
    if rival is not None:
        place.fail(name, f'"{rival.spelling}" sets the same quantity; keep one', value=item)
    if key.numeric:
        known = [origin.get(part, "") for part in ("source", "confidence", "note")]
        table.values[quantity] = Value(key, name, item, value, place.file, *known)
    else:
        table.values[quantity] = Value(key, name, item, value, place.file)


def _provenance(place: Place, item: dict[str, Any]) -> dict[str, str]:
    """The source, confidence and note of a number written as { value = .., source = .. }."""
    if "value" not in item:
        place.fail("", value=item, expected='a number or a table with "value"')
    known: dict[str, str] = {}
    for part, text in item.items():
        key = VALUE.spelling(part)
        if key is None:
            valid = [key.name for key in VALUE.keys]
            place.fail(part, "unknown key", expected=one_of(valid), names=valid, misspelt=part)
        if part != "value":
            known[part] = key.check(_join(place.path, part), text, place.context)
            place.notes.append(Note(place.path, part, text))
    return known


def _scaled(value: Any, factor: float) -> Any:
    return tuple(_scaled(item, factor) for item in value) if isinstance(value, tuple) else value * factor


def _unknown(table: Table, name: str) -> NoReturn:
    """Raise the error for an unknown key: a wrong unit, a missing unit or a misspelt name."""
    section, place = table.section, table.place
    quantity, _ = split_key(name)
    for key in section.keys:
        if key.numeric and key.quantity in (quantity, name):
            place.fail(name, **wrong_unit(name, key.dimensions))
    for pattern, message in section.misplaced.items():
        if name.startswith(pattern):
            place.fail(name, message)
    place.fail(name, "unknown key", names=section.all_spellings(), misspelt=name)


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
