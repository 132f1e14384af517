"""Write the fleet's table of docs/accuracy.md: every check of every vehicle, computed against published value.

python scripts/accuracy_table.py            prints the table
python scripts/accuracy_table.py --write    puts it into docs/accuracy.md between its two marks
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from pelagos.files.library import VEHICLES
from pelagos.vehicle.check.checks import CheckResult, evidence
from pelagos.vehicle.load.vehicle import load_vehicle

PAGE = Path(__file__).parents[1] / "docs" / "accuracy.md"
BEGIN, END = "<!-- fleet table: scripts/accuracy_table.py --write -->", "<!-- end of the fleet table -->"
HEAD = "| vehicle | check | what | evidence | published | ours | error | allowed |\n|---|---|---|---|---|---|---|---|\n"


def table() -> str:
    """The table as Markdown."""
    return (
        HEAD + "\n".join(row(key, result) for key in VEHICLES.names() for result in evidence(load_vehicle(key))) + "\n"
    )


def row(key: str, result: CheckResult) -> str:
    """One check: the error is the largest of its numbers; absolute, with its unit, where the published number is 0."""
    check = result.check
    unit = "" if check.unit in ("", "1") else f" {check.unit}"
    published = numbers(np.atleast_1d(check.value).tolist()) + unit
    quantity = check.quantity.replace("|", "\\|")
    start = f"| `{key}` | {check.id} | {quantity} | {check.kind} | {published} |"
    if not result.ran:
        return f"{start} - | documented only | - |"
    absolute = 0.0 in np.atleast_1d(check.value)
    error = f"{result.worst:+.1e}{unit}" if absolute else percent(result.worst)
    allowed = f"{check.tolerance:g}{unit}" if absolute else f"{100 * check.tolerance:.3g} %"
    reason = check.known.replace("|", "\\|")
    verdict = "" if result.met else " **not met**" + (f": {reason}" if reason else "")
    return f"{start} {numbers(list(result.ours))}{unit} | {error}{verdict} | {allowed} |"


def numbers(values: list[float]) -> str:
    """Four digits each; of a long list the first and the last."""
    texts = [f"{value:.4g}" for value in values]
    return ", ".join(texts if len(texts) <= 4 else [*texts[:2], "...", texts[-1]])


def percent(error: float) -> str:
    """Relative error; below a millionth of a percent it is rounding."""
    return "0" if abs(error) < 1e-8 else f"{100 * error:+.2g} %"


def write() -> None:
    """Replace the part of the page between the marks."""
    text = PAGE.read_text(encoding="utf-8")
    before, rest = text.split(BEGIN)
    after = rest.split(END)[1]
    PAGE.write_text(f"{before}{BEGIN}\n{table()}{END}{after}", encoding="utf-8")


if __name__ == "__main__":
    if "--write" in sys.argv[1:]:
        write()
    else:
        print(table())
