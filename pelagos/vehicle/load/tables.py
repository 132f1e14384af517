"""From TOML to checked tables: types, units, ranges and provenance by the key tables of `keys.py`.

`read_table` turns one raw TOML table into a `Table` of `Value`s in SI, each knowing its file and provenance, so that
every complaint names the right file even when several are merged. `merge` lays one table over another (extends,
parts). `require` then checks that nothing needed is missing. What the numbers mean is not known here.

The record of where each number of a vehicle came from, filled while a file is turned into a vehicle.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import Any, NoReturn

from pelagos.checks import Context, choice, flag, number, shaped, whole
from pelagos.errors import VehicleFileError
from pelagos.units import split_key, wrong_unit
from pelagos.vehicle.load.coefficient_names import CoefficientNameError, parse_name, si_unit
from pelagos.vehicle.load.keys import PROVENANCE, VALUE, Key, Section
from pelagos.vehicle.spec import Fact

REMOVE = "remove"  # a coefficient set to this is deleted from what the file extends


@dataclass(frozen=True)
class Value:
    """One entry of a file: as written, in SI, and where it came from. `si` is None for a removed coefficient."""

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
    """One table of a file, or of several merged ones. `values` is by quantity (no unit suffix)."""

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


def read_table(
    raw: dict[str, Any], section: Section, file: str, path: str = "", outer: dict[str, str] | None = None
) -> Table:
    """Read one raw table; `outer` is the provenance that an enclosing table gives to its entries."""
    table = Table(section, file, path)
    origin = dict(outer or {})
    if section.sourced:
        own = {key.name: raw[key.name] for key in PROVENANCE if key.name in raw}
        for key in PROVENANCE:
            if key.name in own:
                _typed(own[key.name], key, table, key.name)
        origin |= own
        raw = {name: item for name, item in raw.items() if name not in own}
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
    """Lay one table over another: tables merge, lists of tables are replaced, one of a group replaces the others."""
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
    """The same table under another path: a part becomes thrusters[2], its propeller thrusters[2].propeller."""
    inner = {name: place(item, _join(path, name)) for name, item in table.tables.items()}
    return replace(table, path=path, tables=inner)


def require(table: Table) -> None:
    """Check that every required key of a table and of the tables inside it is there."""
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
    if not isinstance(item, list) or not all(isinstance(row, dict) for row in item):
        raise VehicleFileError(file=table.file, key=path, value=item, expected=f"a list of tables, written [[{name}]]")
    return [read_table(row, section, table.file, f"{path}[{index}]", origin) for index, row in enumerate(item)]


def _add(table: Table, key: Key, name: str, item: Any, origin: dict[str, str]) -> None:
    """Check one entry, convert it to SI and put it into the table."""
    quantity = name if key.name == "*" else key.name
    numeric = key.kind in ("number", "integer")
    if numeric and isinstance(item, dict):
        origin = origin | _provenance(table, name, item)
        item = item["value"]
    if table.section.each is key and item == REMOVE:
        table.values[quantity] = Value(key, name, item, None, table.file)
        return
    si = _typed(item, key, table, name)
    if numeric:
        si = si if key.kind == "integer" else _scaled(si, key.spellings().get(name, 1.0))
    for other in table.values.values():
        if other.key.name == key.name != "*" or (key.group and other.key.group == key.group):
            raise VehicleFileError(
                f'"{other.spelling}" stands beside it and says the same; keep one',
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
            where = {"file": table.file, "key": f"{path}.{part}"}
            raise VehicleFileError(f"unknown; a number has {', '.join(valid)}", **where, names=valid, misspelt=part)
    if "value" not in item:
        raise VehicleFileError(file=table.file, key=path, value=item, expected='a number or a table with "value"')
    for key in PROVENANCE:
        if key.name in item:
            _typed(item[key.name], key, table, f"{name}.{key.name}")
    return {part: text for part, text in item.items() if part != "value"}


def _typed(item: Any, key: Key, table: Table, name: str) -> Any:
    """Check kind, choices, shape and sign; numbers come back as float or nested tuples of float."""
    context, path = Context(VehicleFileError, table.file), _join(table.path, name)
    if key.kind == "flag":
        return flag(path, item, context=context)
    if key.kind == "text" and not (isinstance(item, str) and item.strip()):
        context.fail(path, value=item, expected="text in quotes")
    if key.kind == "choice":
        return choice(path, item, key.choices, context=context)
    if key.kind == "texts" and (not isinstance(item, list) or any(word not in key.choices for word in item)):
        context.fail(path, value=item, expected=f"a list out of {', '.join(key.choices)}")
    if key.kind == "integer":
        shaped(path, whole(path, item, context=context), key.shapes, key.sign, context=context)
        number(path, item, high=key.most, context=context)
        return item
    return shaped(path, item, key.shapes, key.sign, context=context) if key.kind == "number" else item


def _scaled(item: Any, factor: float) -> Any:
    if isinstance(item, list):
        return tuple(_scaled(one, factor) for one in item)
    return float(item) * factor


def _unknown(table: Table, name: str) -> NoReturn:
    """Say why a key is not known: a wrong unit, a missing unit or a misspelt name."""
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


# ---- ledger ----------------------------------------------------------------------------------------------------------


DEFAULT = "default"


class Ledger:
    """Facts in the order of the file; derived numbers and defaults are added as the loader works them out."""

    def __init__(self) -> None:
        self.facts: list[Fact] = []

    def derived(self, path: str, value: object, unit: str, how: str) -> None:
        """Note a number that the file does not hold, and how it was found."""
        self.facts.append(Fact(path, value, unit, confidence="derived", how=how))

    def default(self, table: Table, name: str, value: Any, unit: str = "") -> Any:
        """The number of a quantity; when the file has none, the default, noted as such."""
        if name in table:
            return table.get(name)
        suffix = "".join(f"_{part}" for part in re.split(r"[ /]", unit) if part)
        path = f"{table.path}.{name}{suffix}" if table.path else f"{name}{suffix}"
        self.facts.append(Fact(path, value, unit, how=DEFAULT))
        return value

    def read(self, root: Table) -> None:
        """Take up every number of a merged file."""
        sources = list(root.table("sources").tables)
        prime = root.table("hydro").get("nondimensional", "none") == "prime"
        symbols = tuple(str(row.get("symbol", "")) for row in root.lists.get("control_surfaces", []))
        for table in _walk(root):
            for name, value in table.values.items():
                if value.key.kind in ("number", "integer") and value.si is not None and table.section.sourced:
                    self._check_source(value, table, sources)
                    path = f"{table.path}.{value.spelling}" if table.path else value.spelling
                    unit = _coefficient_unit(name, prime, symbols) if value.key.name == "*" else _unit_text(value)
                    self.facts.append(
                        Fact(path, value.raw, unit, value.source, value.confidence, value.note)
                    )  # fmt: skip

    @staticmethod
    def _check_source(value: Value, table: Table, sources: list[str]) -> None:
        """A source that is neither a key of [sources] nor plain words, but looks like one of the keys, is a slip."""
        if value.source and value.source not in sources and re.fullmatch(r"\w+", value.source):
            message = f'source "{value.source}" is not in [sources]'
            where = {"file": value.file, "key": f"{table.path}.{value.spelling}"}
            error = VehicleFileError(message, **where, names=sources, misspelt=value.source)
            if error.suggestion:
                raise error


def _walk(table: Table) -> list[Table]:
    found = [table]
    for name in table.section.tables:
        if name in table.tables:
            found += _walk(table.tables[name])
        for row in table.lists.get(name, []):
            found += _walk(row)
    return found


def _unit_text(value: Value) -> str:
    unit = split_key(value.spelling)[1]
    return unit.text if unit and value.spelling != value.key.name else ""


def _coefficient_unit(name: str, prime: bool, symbols: tuple[str, ...]) -> str:
    if prime:
        return "prime"
    try:
        return si_unit(parse_name(name, symbols))
    except CoefficientNameError:  # the loader complains about the name itself, with the file
        return ""
