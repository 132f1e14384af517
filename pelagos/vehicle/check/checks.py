"""Validate a vehicle: mass and statics, then its motion, then its published figures. `pelagos check` prints the report.

A line of the report has one of four levels:

fail  the vehicle cannot be simulated, or misses a published figure
warn  suspicious; the sentence gives the reason
note  worth knowing
ok    checked and sound

`behaviour.py` checks the motion. The published figures are the [[check]] tables of the vehicle file; `procedures.py`
computes them with the engine. A figure is met if every number is within the tolerance, relative to the published number
(absolute where that is zero). A figure that is known not to be met keeps the tolerance of its source and gives the
reason; it is a warning, also once it is met and the mark is out of date. A check without a procedure is only listed.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import degrees, pi, prod

import numpy as np

from pelagos.errors import VehicleFileError
from pelagos.units import UNITS
from pelagos.vehicle.check import behaviour
from pelagos.vehicle.check.procedures import compute
from pelagos.vehicle.derive.hull import hull_form, spheroid_volume
from pelagos.vehicle.derive.inertia import about_cg, rigid_body_deficit
from pelagos.vehicle.library import buoyancy_at_start, mass_at_start
from pelagos.vehicle.load.coefficient_names import unsigned_squares
from pelagos.vehicle.pack.hull import main_dimensions
from pelagos.vehicle.pack.records import mass_matrix, pack
from pelagos.vehicle.spec import MOTIONS, VELOCITIES, Check, Shape, Vehicle
from pelagos.vehicle.trim import rest_attitude, righting_lever

FACTORS = {unit.text: unit.factor for unit in UNITS.values()} | {"": 1.0, "1": 1.0, "1/s": 1.0}
# Limits above which a figure is suspicious; they are judgement, not published.
TILT_DEG = 5.0  # at rest: more is a mistake in a centre, or a vehicle made to float upright
VOLUME_DIFFERENCE = 0.25  # between shape and displaced volume, relative: more than fins and flooding explain
NET_BUOYANCY = 0.02  # of the weight: more is unusual
LISTED_NAMES = 8  # in a line, before "and n more"
KIND_TEXT = {  # kinds of figure in words; any other kind is "published"
    "measured": "measured", "datasheet": "data sheet", "operator-calibration": "operator", "analytic": "closed form",
    "reference-run": "reference run",
}  # fmt: skip


@dataclass
class Report:
    """The result of `check` as lines (level, sentence), with the levels ok, note, warn and fail."""

    lines: list[tuple[str, str]] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        """Whether no line has the level fail."""
        return not any(level == "fail" for level, _ in self.lines)

    def add(self, level: str, text: str) -> None:
        """Add a line."""
        self.lines.append((level, text))

    def of(self, level: str) -> list[str]:
        """The sentences of one level."""
        return [text for line_level, text in self.lines if line_level == level]

    def __str__(self) -> str:
        return "\n".join(f"{level:<6}{text}" for level, text in self.lines)


@dataclass(frozen=True)
class CheckResult:
    """A published figure and the engine's; `ours` is empty for a check that is documented only."""

    check: Check
    ours: tuple[float, ...] = ()  # in the unit of the check
    errors: tuple[float, ...] = ()  # relative, or absolute where the published number is 0
    reason: str = ""  # why `ours` is empty

    @property
    def ran(self) -> bool:
        """Whether the check has a procedure."""
        return bool(self.ours)

    @property
    def worst(self) -> float:
        """The error of largest size, with its sign."""
        return max(self.errors, key=abs)

    @property
    def met(self) -> bool:
        """Whether every number of the engine is within the tolerance."""
        return self.ran and all(abs(error) <= self.check.tolerance for error in self.errors)

    def __str__(self) -> str:
        check = self.check
        figure = f"{KIND_TEXT.get(check.kind, 'published')} {_numbers(_several(check.value))}"
        unit = f" {check.unit}" if check.unit not in ("", "1") else ""
        if not self.ran:
            return f"{check.id}: {figure}{unit}: {self.reason}"
        zero = 0.0 in _several(check.value)
        error = f"{self.worst:+.2g}{unit}" if zero else f"{_percent(self.worst, signed=True)} %"
        allowed = f"{check.tolerance:g}{unit}" if zero else f"{_percent(check.tolerance)} %"
        worst = "worst " if len(self.errors) > 1 else ""
        verdict = "met" if self.met else f"NOT MET, known: {check.known}" if check.known else "NOT MET"
        return (
            f"{check.id}: {figure}, ours {_numbers(self.ours)}{unit}, {worst}{error} (tolerance {allowed}): {verdict}"
        )


def check(vehicle: Vehicle, *, published: bool = True) -> Report:
    """Check a vehicle; with `published` also against its published figures."""
    report = Report()
    try:
        pack(vehicle)
    except VehicleFileError as problem:  # such a vehicle has no motion to check
        report.add("fail", str(problem))
        return report
    _mass(vehicle, report)
    _statics(vehicle, report)
    _hull_volume(vehicle, report)
    _unsigned_squares(vehicle, report)
    report.lines += behaviour.check_behaviour(vehicle)
    _completeness(vehicle, report)
    if published:
        _published(vehicle, report)
    return report


def evaluate(vehicle: Vehicle, check: Check) -> CheckResult:
    """Compute one published figure with the engine and compare."""
    if not check.test:
        return CheckResult(check, reason="documented only")
    if check.unit not in FACTORS:
        file = vehicle.path or vehicle.key
        raise VehicleFileError("no such unit", file=file, key="check.unit", value=check.unit, names=FACTORS)
    published = _several(check.value)
    ours = tuple(value / FACTORS[check.unit] for value in compute(vehicle, check.test, check.setup))
    if len(ours) != len(published):
        raise VehicleFileError(
            file=vehicle.path or vehicle.key,
            key=f"check {check.id}.value",
            value=check.value,
            expected=f"as many numbers as the procedure {check.test} computes, {len(ours)}",
        )
    errors = (a - b if b == 0.0 else (a - b) / abs(b) for a, b in zip(ours, published, strict=True))
    return CheckResult(check, ours, tuple(errors))


def evidence(vehicle: Vehicle) -> list[CheckResult]:
    """The results of all checks of a vehicle, in the order of its file."""
    return [evaluate(vehicle, check) for check in vehicle.checks]


def shape_volume(vehicle: Vehicle) -> tuple[float, str] | None:
    """Volume of the hull, m3, and its origin: [[shape]], else the body of [added_mass] from_hull; None without both.

    Pieces that overlap count twice. Meshes are left out: with one, the displaced volume is the mesh's by default.
    """
    pieces = [_piece_volume(shape) for shape in vehicle.shapes if shape.kind != "mesh"]
    if pieces:
        return sum(pieces), "[[shape]]"
    estimate = next((fact.how for fact in vehicle.facts if fact.path == "added_mass.diagonal"), "")
    diameter = main_dimensions(vehicle).get("diameter")
    if diameter is None:
        return None
    radius, half = 0.5 * diameter, 0.5 * vehicle.length_m
    if estimate.startswith("spheroid"):
        return spheroid_volume(half, radius), "the spheroid of [added_mass]"
    if estimate.startswith("cylinder"):
        return 2.0 * pi * radius**2 * half, "the cylinder of [added_mass]"
    return None


def _mass(vehicle: Vehicle, report: Report) -> None:
    """Mass matrix and the triangle inequality of moments of inertia (errata B28, R22)."""
    values = np.linalg.eigvalsh(mass_matrix(vehicle))
    report.add("ok", f"mass matrix symmetric and positive definite, eigenvalues {values[0]:.4g} to {values[-1]:.4g}")
    body = vehicle.body
    inertia = about_cg(body.inertia_o, body.mass_kg, body.cg_b)
    deficit = rigid_body_deficit(inertia)  # a warning only: some published vehicles have such moments
    moments = ", ".join(f"{value:.4g}" for value in np.diag(inertia))
    if deficit > 1e-6:
        text = f"moments of inertia {moments} kg m2 about the centre of mass: no rigid body has them"
        report.add("warn", f"{text}, the largest exceeds the sum of the others by {100.0 * deficit:.2g} %")
    else:
        report.add("ok", f"moments of inertia {moments} kg m2 belong to a possible rigid body")


def _statics(vehicle: Vehicle, report: Report) -> None:
    """Net buoyancy, height of the centre of buoyancy above that of mass, attitude at rest."""
    weight = mass_at_start(vehicle) * vehicle.water.gravity_m_s2
    volume, _ = buoyancy_at_start(vehicle)
    net = volume * vehicle.water.density_kg_m3 * vehicle.water.gravity_m_s2 - weight
    share = abs(net) / weight
    direction = "it rises" if net > 0.0 else "it sinks"
    text = f"net buoyancy {net:+.4g} N, {100.0 * share:.2g} % of the weight"
    report.add("warn" if share > NET_BUOYANCY else "ok", f"{text}: {direction if share > 1e-6 else 'neutral'}")
    lever = righting_lever(vehicle)
    height = 100.0 * lever[2] / weight
    held = not (vehicle.free[3] or vehicle.free[4])
    if lever[2] > 0.0:
        report.add("ok", f"centre of mass {height:.3g} cm below the centre of buoyancy (GM): rights itself")
    elif any("theta" in term.factors or "phi" in term.factors for term in vehicle.coefficients):
        report.add("note", "the righting moment is in the coefficients of phi and theta, not in the centres")
    elif lever[2] == 0.0:
        text = "centre of mass at the height of the centre of buoyancy: nothing rights the vehicle"
        report.add("note" if held else "warn", text)
    else:
        text = f"centre of mass {-height:.3g} cm above the centre of buoyancy: it capsizes"
        report.add("note" if held else "warn", text)
    attitude = rest_attitude(vehicle)
    if attitude is None or held:
        return
    roll, pitch = (degrees(angle) for angle in attitude)
    tilted = max(abs(roll) * vehicle.free[3], abs(pitch) * vehicle.free[4]) > TILT_DEG
    level = "level" if max(abs(roll), abs(pitch)) < 0.01 else f"with roll {roll:.2f} deg and pitch {pitch:.2f} deg"
    report.add("warn" if tilted else "ok", f"at rest it lies {level}")


def _hull_volume(vehicle: Vehicle, report: Report) -> None:
    """The volume of the hull's shape against the displaced volume: a large difference is a mistake in one of them.

    ROVs are left out: their shape is an open frame that water passes through.
    """
    hull = shape_volume(vehicle)
    if hull is None or not re.search(r"auv|torpedo|glider|submarine", vehicle.vehicle_class, re.IGNORECASE):
        return
    enclosed, source = hull
    displaced, _ = buoyancy_at_start(vehicle)
    text = f"{source} encloses {enclosed:.4g} m3, the vehicle displaces {displaced:.4g} m3"
    if abs(enclosed / displaced - 1.0) > VOLUME_DIFFERENCE:
        more = "larger: is the rest flooded?" if enclosed > displaced else "smaller: is a size or the buoyancy wrong?"
        report.add("warn", f"{text}; the shape is {100.0 * abs(enclosed / displaced - 1.0):.0f} % {more}")
    else:
        report.add("ok", text)


def _piece_volume(shape: Shape) -> float:
    if shape.kind == "stations":
        return hull_form(shape.stations).volume_m3
    if shape.kind == "box":
        return prod(shape.size_m)
    if shape.kind == "ellipsoid":
        return 4.0 / 3.0 * pi * prod(shape.size_m)
    length, radius = shape.size_m
    ends = 2.0 / 3.0 * pi * radius**3 if shape.kind == "capsule" else 0.0  # two half spheres fill 2/3 of their tubes
    return pi * radius**2 * length - ends


def _unsigned_squares(vehicle: Vehicle, report: Report) -> None:
    """Damping terms whose square needs a sign and has none."""
    warning = unsigned_squares(vehicle)
    report.add("warn" if warning else "ok", warning or "no square without a sign among the damping terms")


def _completeness(vehicle: Vehicle, report: Report) -> None:
    """Held motions, missing data, weak numbers, missing sources."""
    held = [MOTIONS[letter] for letter, free in zip(VELOCITIES, vehicle.free, strict=True) if not free]
    if held:
        report.add("note", f"held, because there are no data: {', '.join(held)}")
    bare = [MOTIONS[VELOCITIES[i]] for i in range(6) if vehicle.free[i] and vehicle.added_mass[i, i] <= 0.0]
    if bare:
        report.add("note", f"no added mass in {', '.join(bare)}")
    products = vehicle.body.inertia_o - np.diag(np.diag(vehicle.body.inertia_o))
    if not products.any():
        report.add("note", "no products of inertia: taken as zero")
    for word, verb in (("guess", "guessed"), ("low", "of low confidence")):
        paths = [re.sub(r"\[\d+\]", "", fact.path) for fact in vehicle.facts if fact.confidence == word]
        names = [f"{path} ({n} times)" if n > 1 else path for path, n in Counter(paths).items()]
        if names:
            more = f" and {len(names) - LISTED_NAMES} more" if len(names) > LISTED_NAMES else ""
            report.add("note", f"{verb}: {', '.join(names[:LISTED_NAMES])}{more}")
    if not vehicle.sources:
        report.add("warn", "no sources: nobody can check its numbers")


def _published(vehicle: Vehicle, report: Report) -> None:
    """The published figures of the vehicle against the engine."""
    if not vehicle.checks:
        report.add("warn", "no published figure to compare with: add a [[check]]")
    try:
        for result in evidence(vehicle):
            known = bool(result.check.known)
            level = "note" if not result.ran else "warn" if known else "ok" if result.met else "fail"
            stale = " (marked as known not to be met: take the mark off)" if known and result.met else ""
            report.add(level, str(result) + stale)
    except VehicleFileError as problem:
        report.add("fail", str(problem))


def _several(value: float | Sequence[float]) -> tuple[float, ...]:
    return tuple(float(x) for x in np.atleast_1d(value))


def _numbers(values: Sequence[float]) -> str:
    """Numbers with five digits each."""
    return ", ".join(f"{value:.5g}" for value in values)


def _percent(share: float, *, signed: bool = False) -> str:
    """A share as percent with two digits: +3.2, 0.00012, 20; an error by rounding is 0."""
    value = 100.0 * share
    if signed and abs(value) < 1e-8:
        return "0"
    text = f"{value:.1f}" if 1.0 <= abs(value) else f"{value:.2g}"
    text = text.removesuffix(".0")
    return f"+{text}" if signed and value >= 0.0 else text
