"""The table of docs/accuracy.md equals the results of the fleet's checks."""

import importlib.util
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


def script():
    spec = importlib.util.spec_from_file_location("accuracy_table", ROOT / "scripts" / "accuracy_table.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def cells(row):
    return [cell.strip() for cell in re.split(r"(?<!\\)\|", row)[1:-1]]


def error(text):
    """A relative error of the table in percent; None if the row has none."""
    match = re.fullmatch(r"([-+][\d.e+-]+) %", text)
    return float(match[1]) if match else 0.0 if text == "0" else None


@pytest.mark.slow
def test_the_table_of_the_fleet_is_up_to_date():
    made = script()
    page = made.PAGE.read_text().split(made.BEGIN)[1].split(made.END)[0]
    printed, computed = ([cells(row) for row in text.strip().splitlines()[2:]] for text in (page, made.table()))
    # what is compared with what, to the letter; run `python scripts/accuracy_table.py --write` if it fails
    assert [row[:5] for row in printed] == [row[:5] for row in computed]
    assert len(computed) > 100
    for old, new in zip(printed, computed, strict=True):
        before, after = error(old[6]), error(new[6])
        assert (before is None) == (after is None), old[:2]
        if before is not None and after is not None:
            # percent; the table prints two digits, and rounding of another machine may show below 1e-3 %
            assert abs(before - after) <= 0.06 * abs(before) + 1e-3, old[:2]


def test_no_row_of_the_table_is_beyond_its_tolerance_without_a_reason():
    rows = [line for line in script().PAGE.read_text().splitlines() if line.startswith("| ") and "**not met**" in line]
    assert all("**not met**: " in row for row in rows)


def test_the_table_shows_long_lists_by_their_ends():
    made = script()
    assert made.numbers([1.0, 2.0, 3.0, 4.0, 5.0]) == "1, 2, ..., 5"
    assert made.percent(-0.17) == "-17 %"
    assert made.percent(1e-12) == "0"
