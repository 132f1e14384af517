"""The ledger of a vehicle: where each of its numbers comes from, a file, a derivation or a default."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from pelagos.errors import VehicleFileError
from pelagos.files.reader import Table, Value
from pelagos.units import unit_text
from pelagos.vehicle.load.coefficient_names import CoefficientNameError, parse_name, si_unit
from pelagos.vehicle.spec import Fact

DEFAULT = "default"  # how a number was found that no file holds


class Ledger:
    """The provenance of every number of a vehicle: those of the file in its order, then derived ones and defaults."""

    def __init__(self) -> None:
        self.facts: list[Fact] = []

    def derived(self, path: str, value: object, unit: str, how: str) -> None:
        """Record a number that the file does not hold, and how it was computed."""
        value = tuple(value.tolist()) if isinstance(value, np.ndarray) else value
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
        prime = root.table("hydro").get("nondimensional", "none") == "prime"
        symbols = tuple(str(row.get("symbol", "")) for row in root.lists.get("control_surfaces", []))
        sources = list(root.table("sources").tables)
        for table in _walk(root):
            for name, value in table.values.items():
                if value.key.numeric and value.value is not None and table.section.sourced:
                    self._check_source(value, table, sources)
                    unit = _coefficient_unit(name, prime, symbols) if value.key.name == "*" else _unit_text(value)
                    self._record(table, value, unit)

    def add(self, table: Table) -> None:
        """Record every number of an instrument."""
        for value in table.values.values():
            if value.key.numeric:
                self._record(table, value, unit_text(value.spelling))

    def _record(self, table: Table, value: Value, unit: str) -> None:
        path = f"{table.path}.{value.spelling}" if table.path else value.spelling
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
    return unit_text(value.spelling) if value.spelling != value.key.name else ""


def _coefficient_unit(name: str, prime: bool, symbols: tuple[str, ...]) -> str:
    if prime:
        return "prime"
    try:
        return si_unit(parse_name(name, symbols))
    except CoefficientNameError:  # `hydro.Polynomial` raises the error about the name, with file and key
        return ""
