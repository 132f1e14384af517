"""The list of the library vehicles, and what it says of each.

This module does not import the compiled engine, so that `pelagos list` answers at once.
"""

from __future__ import annotations

from dataclasses import dataclass

from pelagos.errors import PelagosError
from pelagos.files import library
from pelagos.vehicle.spec import Vehicle

# kinds of evidence, strongest first
EVIDENCE = (
    "measured", "datasheet", "operator-calibration", "reference-run", "published", "published-sim", "analytic",
)  # fmt: skip


@dataclass(frozen=True)
class VehicleEntry:
    """One line of the list of vehicles. If a file does not load, `evidence` holds its error."""

    key: str
    name: str
    vehicle_class: str
    mass_kg: float  # with its ballast
    length_m: float
    actuators: str  # such as "2 thrusters, 4 surfaces"
    evidence: str  # such as "3 checks, best: measured"


def list_vehicles() -> list[VehicleEntry]:
    """List all library vehicles in alphabetical order."""
    return [_entry(key) for key in library.VEHICLES.names()]


def _entry(key: str) -> VehicleEntry:
    from pelagos.vehicle.load.vehicle import load_vehicle

    try:
        vehicle = load_vehicle(key)
    except PelagosError as problem:
        return VehicleEntry(key, key, "", float("nan"), float("nan"), "", f"does not load: {problem}")
    return VehicleEntry(
        key, vehicle.name, vehicle.vehicle_class, mass_at_start(vehicle), vehicle.length_m, actuators_text(vehicle),
        evidence_text(vehicle),
    )  # fmt: skip


def mass_at_start(vehicle: Vehicle) -> float:
    """Mass of the body and its ballast at their initial values, kg."""
    return vehicle.body.mass_kg + sum(b.mass_kg + b.mass_per_unit * b.initial for b in vehicle.ballast)


def buoyancy_at_start(vehicle: Vehicle) -> tuple[float, float]:
    """Volume of the hull and its ballast at their initial values, m3, and the height of cb above cg, m."""
    body, items = vehicle.body, vehicle.ballast
    volume = body.volume_m3 + sum(b.volume_per_unit * b.initial for b in items)
    weights = [(body.mass_kg, body.cg_b[2])]
    weights += [(b.mass_kg + b.mass_per_unit * b.initial, b.position_b[2] + b.axis_b[2] * b.initial) for b in items]
    lifts = [(body.volume_m3, body.cb_b[2])]
    lifts += [(b.volume_per_unit * b.initial, b.position_b[2] + b.axis_b[2] * b.initial) for b in items]
    cg = sum(mass * z for mass, z in weights) / mass_at_start(vehicle)
    return volume, cg - sum(part * z for part, z in lifts) / volume


def actuators_text(vehicle: Vehicle) -> str:
    """Number of actuators of each kind in words: "2 thrusters, 4 surfaces, 1 tank"."""
    counts = [(len(vehicle.thrusters), "thruster"), (len(vehicle.surfaces), "surface")]
    for kind, word in (("tank", "tank"), ("engine", "buoyancy engine"), ("shifter", "mass shifter")):
        counts.append((sum(item.kind == kind for item in vehicle.ballast), word))
    words = [f"{count} {word}{'s' if count > 1 else ''}" for count, word in counts if count]
    return ", ".join(words) if words else "none"


def evidence_text(vehicle: Vehicle) -> str:
    """Number of checks of a vehicle and its best kind of evidence: "3 checks, best: measured"."""
    kinds = {check.kind for check in vehicle.checks}
    if not kinds:
        return "no checks"
    best = next((kind for kind in EVIDENCE if kind in kinds), min(kinds))
    return f"{len(vehicle.checks)} check{'s' if len(vehicle.checks) > 1 else ''}, best: {best}"
