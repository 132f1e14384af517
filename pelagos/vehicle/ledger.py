"""The record of where each number of a vehicle came from, filled while a file is turned into a vehicle."""

from __future__ import annotations

import re
from typing import Any

from pelagos.errors import VehicleFileError, nearest
from pelagos.units import split_key
from pelagos.vehicle.names import CoefficientNameError, parse_name, si_unit
from pelagos.vehicle.read import Table, Value
from pelagos.vehicle.spec import Fact

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
        symbols = tuple(str(row.get("symbol", "")) for row in root.lists.get("surfaces", []))
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
            close = nearest(value.source, sources)
            if close:
                path = f"{table.path}.{value.spelling}"
                raise VehicleFileError(
                    value.file, path, expected=f'source "{value.source}" is not in [sources]', suggestion=close
                )


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
