"""What a vehicle's published figures are worth: each check with a procedure is run and compared.

A figure is met when every number is within the check's tolerance, relative to the published number (absolute where
that is zero). A figure known not to be met keeps the tolerance of its source and says why; it is reported as not met,
and as stale once it is. A check without a procedure is evidence on paper only, and is listed as such.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pelagos.errors import VehicleFileError, nearest
from pelagos.units import UNITS
from pelagos.vehicle.flight import DATA
from pelagos.vehicle.procedures import compute
from pelagos.vehicle.spec import Check, Vehicle

FACTORS = {unit.text: unit.factor for unit in UNITS.values()} | {"": 1.0, "1": 1.0, "1/s": 1.0}
WORD = {
    "measured": "measured", "datasheet": "data sheet", "operator-calibration": "operator", "analytic": "closed form",
    "reference-run": "reference run",
}  # fmt: skip


@dataclass(frozen=True)
class Result:
    """One check and what our engine says; `ours` is empty for a check that is documented only."""

    check: Check
    ours: tuple[float, ...] = ()  # in the unit of the check
    errors: tuple[float, ...] = ()  # relative, or absolute where the published number is 0
    reason: str = ""  # why there is nothing of ours

    @property
    def ran(self) -> bool:
        """Whether there is a procedure and its data."""
        return bool(self.ours)

    @property
    def worst(self) -> float:
        """The error of largest size, with its sign."""
        return max(self.errors, key=abs)

    @property
    def met(self) -> bool:
        """Whether every number is within the tolerance."""
        return self.ran and all(abs(error) <= self.check.tolerance for error in self.errors)

    def __str__(self) -> str:
        check = self.check
        said = f"{WORD.get(check.kind, 'published')} {_numbers(_several(check.value))}"
        unit = f" {check.unit}" if check.unit not in ("", "1") else ""
        if not self.ran:
            return f"{check.id}: {said}{unit}: {self.reason}"
        zero = 0.0 in _several(check.value)
        error = f"{self.worst:+.2g}{unit}" if zero else f"{_percent(self.worst, signed=True)} %"
        allowed = f"{check.tolerance:g}{unit}" if zero else f"{_percent(check.tolerance)} %"
        worst = "worst " if len(self.errors) > 1 else ""
        verdict = "met" if self.met else f"NOT MET, known: {check.known}" if check.known else "NOT MET"
        return f"{check.id}: {said}, ours {_numbers(self.ours)}{unit}, {worst}{error} (tolerance {allowed}): {verdict}"


def evaluate(vehicle: Vehicle, check: Check) -> Result:
    """Run one check."""
    if not check.test:
        return Result(check, reason="documented only")
    data = check.setup.get("data")
    if isinstance(data, str) and not (DATA / data).exists():
        return Result(check, reason=f"documented only here, the data file {data} comes with the source tree")
    if check.unit not in FACTORS:
        file = vehicle.path or vehicle.key
        raise VehicleFileError(file, "check.unit", check.unit, "no such unit", nearest(check.unit, list(FACTORS)))
    published = _several(check.value)
    ours = tuple(value / FACTORS[check.unit] for value in compute(vehicle, check.test, check.setup))
    if len(ours) != len(published):
        what = f"{len(published)} numbers, but the procedure {check.test} gives {len(ours)}"
        raise VehicleFileError(vehicle.path or vehicle.key, f"check {check.id}", None, what)
    errors = (a - b if b == 0.0 else (a - b) / abs(b) for a, b in zip(ours, published, strict=True))
    return Result(check, ours, tuple(errors))


def evidence(vehicle: Vehicle) -> list[Result]:
    """Every check of a vehicle, in the order of its file."""
    return [evaluate(vehicle, check) for check in vehicle.checks]


def _several(value: float | Sequence[float]) -> tuple[float, ...]:
    return tuple(float(x) for x in np.atleast_1d(value))


def _numbers(values: Sequence[float]) -> str:
    """At least four digits each, as many as tell them from each other."""
    return ", ".join(f"{value:.5g}" for value in values)


def _percent(share: float, *, signed: bool = False) -> str:
    """Percent with two digits: +3.2, 0.00012, 20; an error that rounding explains is 0."""
    value = 100.0 * share
    if signed and abs(value) < 1e-8:
        return "0"
    text = f"{value:.1f}" if 1.0 <= abs(value) else f"{value:.2g}"
    text = text.removesuffix(".0")
    return f"+{text}" if signed and value >= 0.0 else text
