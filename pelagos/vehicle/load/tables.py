"""Checked tables of a vehicle file: types, units and ranges by the declarations of `keys.py`, and provenance.

`read_table` turns one raw TOML table into a `Table` of `Value`s in SI. Each value keeps its file and provenance, so
that an error names the right file even when several files are merged. `merge` lays one table over another (extends,
parts), and `require` then checks that nothing required is missing. The modules that call this one interpret the
numbers. They record in a `Ledger` where each number of the vehicle comes from: a file, a derivation or a default.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import Any, NoReturn

from pelagos.checks import Context, choice, flag, number, shaped, tables, whole
from pelagos.errors import PelagosError, VehicleFileError, one_of
from pelagos.units import split_key, wrong_unit
from pelagos.vehicle.load.coefficient_names import CoefficientNameError, parse_name, si_unit
from pelagos.vehicle.load.keys import PROVENANCE, VALUE, Key, Section
from pelagos.vehicle.spec import Fact

REMOVE = "remove"  # a coefficient set to this is deleted from the inherited ones
DEFAULT = "default"  # how a number was found that no file holds


@dataclass(frozen=True)
class Value:
    """One entry of a file: as written, in SI, and its provenance. `si` is None for a removed coefficient."""

    key: Key
    spelling: str  # the key with its unit suffix
    raw: Any
    si: Any
    file: str
    source: str = ""
    confidence: str = ""
    note: str = ""


@dataclass
class Table:
    """One table of a file, or of several merged files. The keys of `values` are quantities (no unit suffix)."""

    section: Section
    file: str
    path: str  # "thrusters[2]", empty for the whole file
    values: dict[str, Value] = field(default_factory=dict)
    tables: dict[str, Table] = field(default_factory=dict)
    lists: dict[str, list[Table]] = field(default_factory=dict)

    def __contains__(self, name: str) -> bool:
        return name in self.values

    def get(self, name: str, default: Any = None) -> Any:
        """The SI value of a quantity, or the default."""
        value = self.values.get(name)
        return default if value is None else value.si

    def table(self, name: str) -> Table:
        """A table inside this one; an empty one if the file has none."""
        if name not in self.tables:
            return Table(self.section.tables[name], self.file, _join(self.path, name))
        return self.tables[name]

    def key(self, name: str) -> str:
        """The full path of a quantity as the file spells it, for error sentences."""
        value = self.values.get(name)
        return _join(self.path, value.spelling if value else name)

    def fail(self, name: str, message: str = "", **fields: Any) -> NoReturn:
        """Raise an error about a quantity, with its value if the file has one; `fields` as of `PelagosError`."""
        value = self.values.get(name)
        if value is None:
            raise VehicleFileError(message, file=self.file, key=self.key(name), **fields)
        raise VehicleFileError(message, file=value.file, key=self.key(name), value=value.raw, **fields)

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
        raise problem.at(VehicleFileError, **changes) from problem


def read_table(
    raw: dict[str, Any], section: Section, file: str, path: str = "", outer: dict[str, str] | None = None
) -> Table:
    """Check one raw table and convert it to SI; `outer` is the provenance that an enclosing table sets."""
    table = Table(section, file, path)
    origin = dict(outer or {})
    if section.sourced:  # source, confidence and note of a table hold for its entries
        written = {key.name: raw[key.name] for key in PROVENANCE if key.name in raw}
        for key in PROVENANCE:
            if key.name in written:
                _typed(written[key.name], key, table, key.name)
        origin |= written
        raw = {name: item for name, item in raw.items() if name not in written}
    for name, item in raw.items():
        inner = section.tables.get(name)
        if inner is None and isinstance(section.each, Section):
            inner = section.each
        key = section.spelling(name) or (section.each if isinstance(section.each, Key) else None)
        if inner is not None and inner.many:
            table.lists[name] = _read_list(item, inner, table, name, origin)
        elif inner is not None:
            if not isinstance(item, dict):
                raise VehicleFileError(file=file, key=_join(path, name), value=item, expected="a table")
            table.tables[name] = read_table(item, inner, file, _join(path, name), origin)
        elif key is None:
            _unknown(table, name)
        else:
            _add(table, key, name, item, origin)
    return table


def merge(base: Table, over: Table) -> Table:
    """Lay one table over another: tables merge, lists of tables are replaced.

    A quantity of a group replaces the others of its group: a file that sets weight drops the inherited mass.
    """
    result = Table(over.section, over.file, over.path, dict(base.values), dict(base.tables), dict(base.lists))
    for name, value in over.values.items():
        group = value.key.group
        rivals = [other for other, old in result.values.items() if group and old.key.group == group]
        for rival in rivals:
            del result.values[rival]
        result.values[name] = value
    for name, inner in over.tables.items():
        result.tables[name] = merge(base.tables[name], inner) if name in base.tables else inner
    result.lists |= over.lists
    return result


def place(table: Table, path: str) -> Table:
    """A copy of a table under another path: a part becomes thrusters[2], its propeller thrusters[2].propeller."""
    inner = {name: place(item, _join(path, name)) for name, item in table.tables.items()}
    return replace(table, path=path, tables=inner)


def require(table: Table) -> None:
    """Raise an error if a required key of a table, or of a table inside it, is missing."""
    for key in table.section.keys:
        if key.required and key.name not in table.values:
            spelling = next(iter(key.spellings()))
            raise VehicleFileError("is missing", file=table.file, key=_join(table.path, spelling))
    for inner in table.tables.values():
        require(inner)
    for rows in table.lists.values():
        for row in rows:
            require(row)


def _read_list(item: Any, section: Section, table: Table, name: str, origin: dict[str, str]) -> list[Table]:
    path = _join(table.path, name)
    rows = tables(path, item, name, context=Context(VehicleFileError, table.file))
    return [read_table(row, section, table.file, f"{path}[{index}]", origin) for index, row in enumerate(rows)]


def _add(table: Table, key: Key, name: str, item: Any, origin: dict[str, str]) -> None:
    """Check one entry, convert it to SI and put it into the table."""
    quantity = name if key.name == "*" else key.name
    numeric = key.kind in ("number", "integer")
    if numeric and isinstance(item, dict):
        origin = origin | _provenance(table, name, item)
        item = item["value"]
    if table.section.each is key and item == REMOVE:  # only coefficients can be removed
        table.values[quantity] = Value(key, name, item, None, table.file)
        return
    si = _typed(item, key, table, name)
    if numeric:
        # an integer (a count, a seed) has no unit and stays one
        si = si if key.kind == "integer" else _scaled(si, key.spellings().get(name, 1.0))
    for other in table.values.values():  # a second spelling (mass_kg, mass_g) or a rival of its group (mass, weight)
        if other.key.name == key.name != "*" or (key.group and other.key.group == key.group):
            raise VehicleFileError(
                f'"{other.spelling}" sets the same quantity; keep one',
                file=table.file,
                key=_join(table.path, name),
                value=item,
            )
    known = {part: origin.get(part, "") for part in ("source", "confidence", "note")} if numeric else {}
    table.values[quantity] = Value(key, name, item, si, table.file, **known)


def _provenance(table: Table, name: str, item: dict[str, Any]) -> dict[str, str]:
    """The source, confidence and note of a number written as { value = .., source = .. }."""
    path = _join(table.path, name)
    for part in item:
        if VALUE.spelling(part) is None:
            valid = VALUE.all_spellings()
            raise VehicleFileError(
                "unknown key",
                file=table.file,
                key=f"{path}.{part}",
                expected=one_of(valid),
                names=valid,
                misspelt=part,
            )
    if "value" not in item:
        raise VehicleFileError(file=table.file, key=path, value=item, expected='a number or a table with "value"')
    for key in PROVENANCE:
        if key.name in item:
            _typed(item[key.name], key, table, f"{name}.{key.name}")
    return {part: text for part, text in item.items() if part != "value"}


def _typed(item: Any, key: Key, table: Table, name: str) -> Any:
    """Check kind, choices, shape and sign of an entry; returns it as written."""
    context, path = Context(VehicleFileError, table.file), _join(table.path, name)
    if key.kind == "flag":
        return flag(path, item, context=context)
    if key.kind == "text" and not (isinstance(item, str) and item.strip()):
        context.fail(path, value=item, expected="text in quotes")
    if key.kind == "choice":
        return choice(path, item, key.choices, context=context)
    if key.kind == "texts" and (not isinstance(item, list) or any(word not in key.choices for word in item)):
        context.fail(path, value=item, expected=f"a list out of {', '.join(key.choices)}")
    if key.kind == "integer":  # `shaped` checks the sign, `number` the upper limit
        shaped(path, whole(path, item, context=context), key.shapes, key.sign, context=context)
        number(path, item, high=key.most, context=context)
        return item
    return shaped(path, item, key.shapes, key.sign, context=context) if key.kind == "number" else item


def _scaled(item: Any, factor: float) -> Any:
    if isinstance(item, list):
        return tuple(_scaled(part, factor) for part in item)
    return float(item) * factor


def _unknown(table: Table, name: str) -> NoReturn:
    """Raise the error for an unknown key: a wrong unit, a missing unit or a misspelt name."""
    quantity, _ = split_key(name)
    path = _join(table.path, name)
    for key in table.section.keys:
        if key.kind == "number" and key.name in (quantity, name):
            raise VehicleFileError(file=table.file, key=path, **wrong_unit(name, key.dimensions))
    if re.match(r"[XYZKMN]_", name):
        raise VehicleFileError("unknown key; coefficients go under [hydro.coefficients]", file=table.file, key=path)
    valid = table.section.all_spellings() + ([key.name for key in PROVENANCE] if table.section.sourced else [])
    raise VehicleFileError("unknown key", file=table.file, key=path, names=valid, misspelt=name)


def _join(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name


class Ledger:
    """The provenance of every number of a vehicle: those of the file in its order, then derived ones and defaults."""

    def __init__(self) -> None:
        self.facts: list[Fact] = []

    def derived(self, path: str, value: object, unit: str, how: str) -> None:
        """Record a number that the file does not hold, and how it was computed."""
        self.facts.append(Fact(path, value, unit, confidence="derived", how=how))

    def default(self, table: Table, name: str, value: Any, unit: str = "") -> Any:
        """The number of a quantity; if the file has none, the default, recorded as such."""
        if name in table:
            return table.get(name)
        suffix = "".join(f"_{part}" for part in re.split(r"[ /]", unit) if part)
        path = f"{table.path}.{name}{suffix}" if table.path else f"{name}{suffix}"
        self.facts.append(Fact(path, value, unit, how=DEFAULT))
        return value

    def read(self, root: Table) -> None:
        """Record every number of a merged file."""
        sources = list(root.table("sources").tables)
        prime = root.table("hydro").get("nondimensional", "none") == "prime"
        symbols = tuple(str(row.get("symbol", "")) for row in root.lists.get("control_surfaces", []))
        for table in _walk(root):
            for name, value in table.values.items():
                if value.key.kind in ("number", "integer") and value.si is not None and table.section.sourced:
                    self._check_source(value, table, sources)
                    path = f"{table.path}.{value.spelling}" if table.path else value.spelling
                    unit = _coefficient_unit(name, prime, symbols) if value.key.name == "*" else _unit_text(value)
                    self.facts.append(Fact(path, value.raw, unit, value.source, value.confidence, value.note))

    @staticmethod
    def _check_source(value: Value, table: Table, sources: list[str]) -> None:
        """Refuse a source that is nearly a key of [sources]; other plain words are a source as they stand."""
        if value.source and value.source not in sources and re.fullmatch(r"\w+", value.source):
            message = f'source "{value.source}" is not in [sources]'
            where = {"file": value.file, "key": f"{table.path}.{value.spelling}"}
            error = VehicleFileError(message, **where, names=sources, misspelt=value.source)
            if error.suggestion:
                raise error


def _walk(table: Table) -> list[Table]:
    """The table and all tables inside it, in the order of the declarations."""
    tables = [table]
    for name in table.section.tables:
        if name in table.tables:
            tables += _walk(table.tables[name])
        for row in table.lists.get(name, []):
            tables += _walk(row)
    return tables


def _unit_text(value: Value) -> str:
    unit = split_key(value.spelling)[1]
    return unit.text if unit and value.spelling != value.key.name else ""


def _coefficient_unit(name: str, prime: bool, symbols: tuple[str, ...]) -> str:
    if prime:
        return "prime"
    try:
        return si_unit(parse_name(name, symbols))
    except CoefficientNameError:  # `hydro.Polynomial` raises the error about the name, with file and key
        return ""
