"""The numbers of the fleet against the table they were written from, tests/data/published_numbers.csv.

The table was made by a script from a collection of facts read in the sources; the library files were written by hand
from the same collection. A slip of a digit or a sign on the way shows here; an error in the collection does not.
"""

from __future__ import annotations

import csv
from functools import cache
from pathlib import Path

import pytest

from pelagos.vehicle.load.vehicle import load_vehicle
from pelagos.vehicle.pack.records import mass_matrix

DATA = Path(__file__).parent / "data" / "published_numbers.csv"
ROWS = list(csv.DictReader(DATA.read_text(encoding="utf-8").splitlines()))


@cache
def numbers(key: str) -> dict[str, float]:
    """What the vehicle holds, under the names of the table."""
    vehicle = load_vehicle(key)
    total = mass_matrix(vehicle)
    values = {"mass kg": vehicle.body.mass_kg, "volume m3": vehicle.body.volume_m3}
    for i in range(6):
        for j in range(i, 6):
            values[f"added mass {i + 1}{j + 1}"] = vehicle.added_mass[i, j]
            values[f"total mass {i + 1}{j + 1}"] = total[i, j]
    for fact in vehicle.facts:  # as written in the file, before anything was taken out of them
        section, _, name = fact.path.rpartition(".")
        if section == "hydro.coefficients" and isinstance(fact.value, int | float):
            values[f"coefficient {name}"] = float(fact.value)
    return values


def agrees(row: dict[str, str], values: dict[str, float]) -> bool:
    quantity, value = row["quantity"], float(row["value"])
    if quantity not in values:
        return False
    return values[quantity] == pytest.approx(value, rel=1e-6, abs=1e-12)


@pytest.mark.parametrize("key", sorted({row["vehicle"] for row in ROWS}))
def test_numbers_agree_with_the_collected_facts(key: str) -> None:
    """To the digits printed (1e-6)."""
    values = numbers(key)
    wrong = [
        f"{row['quantity']} = {values.get(row['quantity'])}, the table has {row['value']} ({row['source']})"
        for row in ROWS
        if row["vehicle"] == key and not agrees(row, values)
    ]
    assert wrong == []


def test_the_table_is_large_enough_to_matter() -> None:
    assert len(ROWS) > 200
