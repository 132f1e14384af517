"""Description of a vehicle as text: every number with its unit, source and confidence, grouped as in the file.

`print(vehicle)` and `pelagos describe` print `describe(vehicle)`. Derived numbers and defaults come with the way they
were derived. Held motions, flags and checks are listed too, because they limit what the numbers are valid for.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable

import numpy as np

from pelagos.sensors.base import Sensor
from pelagos.vehicle.library import actuators_text, buoyancy_at_start, evidence_text, mass_at_start
from pelagos.vehicle.spec import MOTIONS, VELOCITIES, Fact, ReferenceWater, TetherMount, Vehicle

WIDTH = 110  # of the whole text, characters
# characters of the columns of a fact
KEY_WIDTH = 34
VALUE_WIDTH = 26
UNIT_WIDTH = 13
SOURCE_WIDTH = 12

TITLES = {
    "water": "Water the numbers hold for",
    "body": "Body",
    "component": "Components",
    "geometry": "Geometry",
    "shape": "Hull shape",
    "free_surface": "Free surface",
    "added_mass": "Added mass",
    "hydro": "Force polynomial",
    "crossflow": "Cross-flow strips",
    "lift_drag": "Lift and drag of the hull",
    "control_surfaces": "Control surfaces",
    "fins": "Fins",
    "thrusters": "Thrusters",
    "supplies": "Shared supplies",
    "ballast": "Ballast",
    "tether": "Tether",
    "sensor": "Instruments",
    "camera": "Cameras",
    "lamp": "Lamps",
    "race": "Propeller race",
    "motion": "Motion",
    "control": "Autopilot",
    "legacy": "Traits copied from a published program",
}


def describe(vehicle: Vehicle) -> str:
    """The whole vehicle as plain text, about 110 columns wide."""
    lines = [f"{vehicle.name}  [{vehicle.key}]", vehicle.vehicle_class]
    if vehicle.summary:
        lines += textwrap.wrap(vehicle.summary, WIDTH)
    lines += ["", *_overview(vehicle)]
    lines += _heading("Every number", "as written; unit; source; confidence, or how it was found")
    for section, facts in _grouped(vehicle.facts).items():
        lines += ["", TITLES.get(section, section)]
        lines += _fact_lines(vehicle, section, facts)
    lines += _treatment(vehicle)
    lines += _checks(vehicle)
    lines += _wrapped("Flags", vehicle.flags)
    sources = [f"{s.key}: {s.cite}{f' [{s.licence}]' if s.licence else ''}" for s in vehicle.sources]
    lines += _wrapped("Sources", sources)
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _overview(vehicle: Vehicle) -> list[str]:
    """Make the summary of the main numbers in SI, computed from the others."""
    water = vehicle.water
    mass, (volume, righting) = mass_at_start(vehicle), buoyancy_at_start(vehicle)
    weight = mass * water.gravity_m_s2
    buoyancy = volume * water.density_kg_m3 * water.gravity_m_s2
    ballast = f", {mass - vehicle.body.mass_kg:.4g} kg of it ballast" if mass != vehicle.body.mass_kg else ""
    held = [MOTIONS[letter] for letter, free in zip(VELOCITIES, vehicle.free, strict=True) if not free]
    rows = [
        ("mass", f"{mass:.5g} kg{ballast}, weight {weight:.5g} N"),
        ("buoyancy", f"{buoyancy:.5g} N ({volume:.5g} m3), net {buoyancy - weight:+.4g} N"),
        ("length", f"{vehicle.length_m:.5g} m"),
        *([("rated for", f"{vehicle.depth_rating_m:g} m of depth")] if np.isfinite(vehicle.depth_rating_m) else []),
        (f"centre of mass {'below' if righting >= 0.0 else 'above'} buoyancy", f"{abs(righting):.4g} m"),
        ("actuators", actuators_text(vehicle)),
        *([("tether", _tether_text(vehicle.tether, water))] if vehicle.tether is not None else []),
        *([("instruments", _sensors_text(vehicle))] if vehicle.sensors else []),
        ("evidence", evidence_text(vehicle)),
        ("numbers by confidence", _confidence_text(vehicle.facts)),
    ]
    if held:
        speed = f", at {vehicle.held_speed_m_s:g} m/s" if not vehicle.free[0] else ""
        rows.append(("limits of validity", f"held: {', '.join(held)}{speed} (no data for these motions)"))
    else:
        rows.append(("limits of validity", "free in all six motions"))
    return [f"{name:<{KEY_WIDTH}}{text}" for name, text in rows]


def _tether_text(mount: TetherMount, water: ReferenceWater) -> str:
    cable = mount.cable
    weight = cable.weight_in(water.density_kg_m3, water.gravity_m_s2)
    sinks = "neutral" if cable.neutral else f"{weight:.3g} N/m in the water"
    return f"{cable.key or cable.name or 'cable'}, {mount.length_m:g} m, {sinks}; only in runs that ask for it"


def _sensors_text(vehicle: Vehicle) -> str:
    names = ", ".join(sensor.name or sensor.kind for sensor in vehicle.sensors)
    return f"{names}; only in runs that ask for them"


def sensor_text(sensor: Sensor) -> str:
    """Describe a sensor in one line: "gps: u-blox M8 receiver, 1 Hz"."""
    name, about = sensor.name or sensor.kind, sensor.summary or sensor.kind.replace("_", " ")
    late = f", {sensor.latency_s:g} s late" if sensor.latency_s else ""
    return f"{name}: {about}, {sensor.rate_hz:g} Hz{late}"


def _confidence_text(facts: tuple[Fact, ...]) -> str:
    counts: dict[str, int] = {}
    for fact in facts:
        word = "default" if fact.how == "default" else fact.confidence or "unrated"
        counts[word] = counts.get(word, 0) + 1
    order = ("high", "med", "low", "guess", "derived", "default", "unrated")
    return ", ".join(f"{counts[word]} {word}" for word in order if word in counts)


def _grouped(facts: Iterable[Fact]) -> dict[str, list[Fact]]:
    """Group facts by section, in the order of TITLES; derived numbers join the section of their path."""
    sections: dict[str, list[Fact]] = {name: [] for name in TITLES}
    for fact in facts:
        sections.setdefault(re.split(r"[.\[]", fact.path)[0], []).append(fact)
    for group in sections.values():
        group.sort(key=_entry_number)  # stable: the order of the file stays within an entry
    return {name: group for name, group in sections.items() if group}


def _entry_number(fact: Fact) -> int:
    match = re.match(r"\w+\[(\d+)\]", fact.path)
    return int(match[1]) if match else -1


def _fact_lines(vehicle: Vehicle, section: str, facts: list[Fact]) -> list[str]:
    """Make the rows of a section; in a list of entries, rows that repeat those of an earlier entry are left out."""
    lines: list[str] = []
    shown: dict[tuple[str, ...], int] = {}
    entries: dict[int, list[tuple[str, Fact]]] = {}
    for fact in facts:
        path = re.sub(r"^\w+(\[\d+\])?\.", "", fact.path).removeprefix("coefficients.")
        entries.setdefault(_entry_number(fact), []).append((path, fact))
    for number, rows in entries.items():
        same: list[int] = []
        new: list[str] = []
        for path, fact in rows:
            content = (path, str(fact.value), fact.source, fact.confidence, fact.note, fact.how)
            first = shown.setdefault(content, number)
            if first == number:
                new += _fact_row(path, fact)
            elif first not in same:
                same.append(first)
        if number >= 0:
            like = ", ".join(_entry_title(vehicle, section, first) for first in same)
            lines.append(f"  {_entry_title(vehicle, section, number)}{f'  (rest as {like})' if same else ''}")
        lines += new
    return lines


def _fact_row(name: str, fact: Fact) -> list[str]:
    """Make the row of a number in aligned columns; long lists, notes and derivations continue below, indented."""
    source = fact.source if len(fact.source) < SOURCE_WIDTH else ""  # a longer one joins the remarks
    remarks = [fact.note, f"source: {fact.source}" if fact.source and not source else ""]
    if fact.how and fact.how != "default":
        remarks.append(fact.how)
    after = "; ".join(part for part in remarks if part)
    text = _value(fact.value)
    confidence = "default" if fact.how == "default" else fact.confidence
    head = f"    {name:<{KEY_WIDTH - 4}}"
    tail = f" {fact.unit:<{UNIT_WIDTH}}{source:<{SOURCE_WIDTH}}{confidence:<8}"
    lines: list[str] = []
    if len(text) > VALUE_WIDTH - 1:
        lines += textwrap.wrap(text, WIDTH, initial_indent=head, subsequent_indent=" " * KEY_WIDTH)
        lines.append(" " * (KEY_WIDTH + VALUE_WIDTH) + tail)
    else:
        lines.append(f"{head}{text:<{VALUE_WIDTH}}{tail}")
    if after and len(lines[-1]) + len(after) <= WIDTH:
        lines[-1] += after
    elif after:
        indent = " " * (KEY_WIDTH + 4)
        lines += textwrap.wrap(after, WIDTH, initial_indent=indent, subsequent_indent=indent)
    return lines


def _entry_title(vehicle: Vehicle, section: str, number: int) -> str:
    rows = {"thrusters": vehicle.thrusters, "control_surfaces": vehicle.surfaces, "fins": vehicle.fins,
            "supplies": vehicle.supplies, "ballast": vehicle.ballast, "camera": vehicle.cameras,
            "lamp": vehicle.lamps}.get(section, ())  # fmt: skip
    if section == "sensor":
        return sensor_text(vehicle.sensors[number])
    if number < len(rows):
        item = rows[number]
        symbol = getattr(item, "symbol", "")
        return f"{item.name} ({symbol})" if symbol else item.name
    return f"{section} {number + 1}"


def _value(value: object) -> str:
    """Format a number with at most six digits, lists in brackets."""
    if isinstance(value, list | tuple | np.ndarray):
        return "[" + ", ".join(_value(item) for item in value) + "]"
    if isinstance(value, float):
        return f"{value:.6g}"
    return str(value)


def _treatment(vehicle: Vehicle) -> list[str]:
    """List the settings of the model that are not numbers."""
    words = [
        "added-mass Coriolis: " + ("as the added mass gives it" if vehicle.coriolis == "full" else "left out"),
        f"integrator {vehicle.integrator}, step {vehicle.step_s:g} s, {vehicle.kinematics} kinematics",
    ]
    # The |u| rule of the loader: a term published for ahead speed only gets the sign that holds astern as well.
    changed = [
        f"{term.name} as {' '.join(term.factors)}"
        for term in vehicle.coefficients
        if "|u|" in term.factors and "|u|" not in term.name
    ]
    if changed:
        words.append("sign of u mended for going astern: " + ", ".join(changed))
    if vehicle.crossflow is not None:
        strips = vehicle.crossflow
        words.append(f"cross-flow: {len(strips.x_m)} stations, {strips.flow} planes")
    words.append(_surface_text(vehicle))
    slips = _published_slips(vehicle)
    if slips:
        words.append("published slips, kept for comparison: " + ", ".join(slips))
    return _wrapped("Treatment", words)


def _surface_text(vehicle: Vehicle) -> str:
    """Describe the method for the wet part of the hull at the free surface."""
    model = vehicle.free_surface
    if model.method == "submerged" or not vehicle.shapes:
        reason = "as the file asks" if vehicle.shapes else "for the file has no [[shape]]"
        return f"free surface: always fully wet, {reason}"
    kind = {"quadrature": "sections of the hull's shape", "monte_carlo": f"random points, seed {model.seed}"}
    return f"free surface: {model.points} {kind[model.method]}"


def _published_slips(vehicle: Vehicle) -> list[str]:
    """List the errors of published programs that the file reproduces for comparison."""
    slips: list[str] = []
    if vehicle.fade is not None and vehicle.fade.published_slip:
        slips.append("fade takes U = sqrt(u + v^2), ahead only")
    if vehicle.crossflow is not None and vehicle.crossflow.guard_m_s > 0.0:
        slips.append(f"cross-flow speed raised by {vehicle.crossflow.guard_m_s:g} m/s")
    if not vehicle.legacy.rigid_body_coriolis:
        slips.append("no rigid-body Coriolis")
    return slips


def _checks(vehicle: Vehicle) -> list[str]:
    if not vehicle.checks:
        return []
    lines = _heading("Checks", "figures the vehicle must meet")
    for check in vehicle.checks:
        value = " ".join(part for part in (_value(check.value), check.unit) if part)
        within = f"within {100.0 * check.tolerance:g} %" if check.tolerance else ""
        parts = (check.kind, value, within, check.source, f"test {check.test}" if check.test else "documented only")
        lines.append(f"  {check.id}")
        body = f"{check.quantity}: {', '.join(part for part in parts if part)}"
        for text in (body, check.note):
            lines += textwrap.wrap(text, WIDTH, initial_indent="      ", subsequent_indent="      ") if text else []
    return lines


def _wrapped(title: str, items: Iterable[str]) -> list[str]:
    paragraphs = [textwrap.wrap(item, WIDTH, initial_indent="  - ", subsequent_indent="    ") for item in items]
    return [*_heading(title), *(line for lines in paragraphs for line in lines)] if paragraphs else []


def _heading(title: str, about: str = "") -> list[str]:
    text = f"{title} ({about})" if about else title
    return ["", text, "-" * len(text)]
