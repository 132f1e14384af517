"""Complete vehicle description of a torpedo-shaped AUV from its length, radius and mass.

The formulas are those of the hand-written NAV notes ("document 002"; evidence/docs/errata.md).
The result is a nested dict in the vehicle file format, as `tomllib` returns it. The note of every number states its
origin: a formula ("derived"), another vehicle or a series ("low"), or a choice ("guess"). Replace the numbers by
measured ones as they become available.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from pelagos.checks import Context, number
from pelagos.errors import PelagosError
from pelagos.vehicle.derive.added_mass import added_mass_from_hull
from pelagos.vehicle.derive.drag import axial_drag, crossflow_from_hull
from pelagos.vehicle.derive.hull import Station, hull_form, torpedo_stations
from pelagos.vehicle.derive.inertia import inertia_of_cylinder
from pelagos.vehicle.derive.lift import body_lift, fin_coefficients, fin_drag, fin_lift_slope
from pelagos.vehicle.spec import Matrix

# Choices without a formula; each appears in the note of the numbers that depend on it.
CG_BELOW_CB = 0.2  # of the radius; REMUS 100 has 0.0196 m of 0.0955 m
FIN_TIPS = (1.4, 3.0)  # tip circle over hull radius, least and most; REMUS 100 has 1.37
FIN_FLOW = 0.83  # speed at the tail fins over ship speed: squared, 0.69, the DARPA SUBOFF ratio of Z_ds to lift theory
BODY_LIFT = 0.4  # of the DATCOM body lift with a faired tail; the DARPA SUBOFF bare hull has 0.38
FIN_LIMIT_DEG = 20.0  # a common stop
FIN_STALL_DEG = 25.0  # fins of low aspect ratio stall late
STABILITY = 0.2  # required straight-line stability index G = 1 - N_v Y_r/(Y_v N_r), 0 at the limit
FIN_PLACE = 0.4  # of the tail's length from its end: where the fins are
FIN_SIZES = 81  # tried between least and most: tips 0.02 of the hull radius apart
PLATE_CD = 1.2  # of a fin across the flow, in roll at rest
PROPELLER_DIAMETER = 0.7  # of the hull's
WAKE, THRUST_DEDUCTION = 0.25, 0.12  # behind a body of revolution
KT0, KT1, KQ0, KQ1 = 0.44, -0.41, 0.066, -0.052  # straight lines near a four-bladed series propeller, pitch = diameter
RANGES = {  # from the smallest model to the largest ship, in any liquid and on any planet
    "length_m": (0.01, 1000.0),
    "radius_m": (1e-3, 100.0),
    "mass_kg": (1e-4, 1e9),
    "speed_m_s": (1e-3, 100.0),
    "density_kg_m3": (1.0, 1e5),
    "gravity_m_s2": (0.01, 1000.0),
    "viscosity_m2_s": (1e-9, 1.0),
}
BLUNT_CD = 0.3  # document 002's upper value, for a hull without tail
TORPEDO = Context(PelagosError, "torpedo")


@dataclass(frozen=True)
class FinSet:
    """Four equal tail fins in a cross."""

    area_m2: float  # one fin
    span_m: float
    chord_m: float
    x_m: float
    arm_m: float  # centre of the fin from the axis
    slope_1_rad: float
    aspect: float
    index: float  # the stability index reached


def torpedo(
    length_m: float,
    radius_m: float,
    mass_kg: float,
    *,
    speed_m_s: float = 1.5,
    name: str = "Derived torpedo",
    density_kg_m3: float = 1025.0,
    gravity_m_s2: float = 9.81,
    viscosity_m2_s: float = 1.19e-6,
    added_mass: str = "strips",
) -> dict[str, Any]:
    """Describe a neutrally buoyant torpedo AUV that cruises at speed_m_s; the result is ready for the loader.

    The hull is an elliptic nose, a cylinder and a parabolic tail (1 : 2), long enough that the hull displaces mass_kg;
    a full cylinder of mass pi rho R^2 L stays blunt. Fins are as large as straight-line stability requires, and the
    propeller turns at two thirds of its limit at speed_m_s. added_mass is cylinder, spheroid or strips.
    """
    sizes = {
        "length_m": length_m, "radius_m": radius_m, "mass_kg": mass_kg, "speed_m_s": speed_m_s,
        "density_kg_m3": density_kg_m3, "gravity_m_s2": gravity_m_s2, "viscosity_m2_s": viscosity_m2_s,
    }  # fmt: skip
    for key, (low, high) in RANGES.items():
        number(key, sizes[key], low, high, context=TORPEDO)
    if length_m < 4.0 * radius_m:
        TORPEDO.fail("length_m", value=length_m, expected=f"at least two diameters, {4.0 * radius_m:g} m")
    diameter = 2.0 * radius_m
    stations, shape_how, tail_m = _hull(length_m, radius_m, mass_kg, density_kg_m3)
    blunt = tail_m == 0.0
    form = hull_form(stations)
    inertia = inertia_of_cylinder(mass_kg, radius_m, length_m)
    added, added_how = added_mass_from_hull(
        added_mass, length_m=length_m, diameter_m=diameter, density_kg_m3=density_kg_m3, mass_kg=mass_kg,
        stations=stations if added_mass == "strips" else None,
    )  # fmt: skip
    lift, lift_how = body_lift(length_m, diameter, density_kg_m3, stations=stations, share=1.0 if blunt else BODY_LIFT)
    drag, drag_how = axial_drag(
        length_m, diameter, density_kg_m3, viscosity_m2_s, speed_m_s, wetted_area_m2=form.wetted_area_m2,
        rule="constant" if blunt else "ittc", cd_frontal=BLUNT_CD,
    )  # fmt: skip
    fins = _size_fins(length_m, radius_m, tail_m, mass_kg, form.centroid_x_m, added, lift, density_kg_m3)
    profile, induced, fin_drag_how = fin_drag(fins.aspect, fins.slope_1_rad, speed_m_s * fins.chord_m / viscosity_m2_s)
    resistance = (-drag + 4 * 0.5 * density_kg_m3 * fins.area_m2 * profile * FIN_FLOW**2) * speed_m_s**2
    strips, strips_how = crossflow_from_hull(
        length_m=length_m, diameter_m=diameter, viscosity_m2_s=viscosity_m2_s, stations=stations
    )
    coefficients = {"X_u|u|": _derived(drag, drag_how)}
    coefficients |= {key: _derived(value, lift_how) for key, value in lift.items()}
    coefficients["K_p|p|"] = _derived(
        -0.5 * density_kg_m3 * PLATE_CD * 4 * fins.area_m2 * fins.arm_m**3,
        f"four fins as plates of Cd {PLATE_CD:g} at their arm, at rest",
    )
    cb = (round(form.centroid_x_m, 6), 0.0, 0.0)
    description = {
        "name": name,
        "class": "torpedo AUV",
        "summary": f"{length_m:g} m by {diameter:g} m, {mass_kg:g} kg, derived for {speed_m_s:g} m/s",
        "sources": {"DERIVED": {"cite": "Worked out from length, radius and mass; formulas in the notes"}},
        "water": {
            "density_kg_m3": density_kg_m3,
            "gravity_m_s2": gravity_m_s2,
            "viscosity_m2_s": viscosity_m2_s,
        },
        "body": {
            "mass_kg": float(mass_kg),
            "neutral": True,
            "cg_m": _guess([cb[0], 0.0, CG_BELOW_CB * radius_m], f"under the centre of buoyancy by {CG_BELOW_CB:g} R"),
            "cb_m": _derived(list(cb), "centroid of the hull's stations"),
            "inertia_kg_m2": _derived(
                [float(v) for v in np.diag(inertia)], "solid cylinder: m r^2/2, m (3 r^2 + l^2)/12 (document 002)"
            ),
            "inertia_about": "cg",
        },
        "geometry": {"length_m": float(length_m), "diameter_m": diameter},
        "shape": [{"kind": "stations", "stations_m": _derived([list(s) for s in stations], shape_how)}],
        "added_mass": {"matrix": _derived([[float(v) for v in row] for row in added], added_how)},
        "hydro": {"nondimensional": "none", "coriolis": "full", "coefficients": coefficients},
        "crossflow": {
            "cd_curve": _derived([list(point) for point in strips.curve], strips_how),
            "x_m": _derived(list(strips.x_m), "evenly spaced over the hull"),
            "height_m": _derived(list(strips.height_m), "of the hull's stations, the side area kept"),
            "breadth_m": _derived(list(strips.breadth_m), "of the hull's stations, the plan area kept"),
            "rule": "trapezoid",
            "flow": "coupled",
        },
        "control_surfaces": [_surface("rudder", "dr"), _surface("stern planes", "ds")],
        "fins": _fin_tables(fins, profile, induced, fin_drag_how),
        "thrusters": [_propeller(resistance, speed_m_s, length_m, diameter, density_kg_m3)],
        "check": [
            {
                "id": "design_speed",
                "kind": "analytic",
                "quantity": "steady speed at two thirds of the largest shaft rate",
                "value": float(speed_m_s),
                "unit": "m/s",
                "tolerance": 0.02,
                "source": "DERIVED",
            }
        ],
        "flag": [{"text": "Derived from length, radius and mass alone: expect errors of tens of per cent."}],
    }
    return _tidy(description)


def _hull(length_m: float, radius_m: float, mass_kg: float, density: float) -> tuple[list[Station], str, float]:
    """Stations, how, and the tail's length: nose D s, tail 2 D s with s such that the hull displaces the mass."""
    diameter = 2.0 * radius_m
    full = density * math.pi * radius_m**2 * length_m
    if mass_kg > 1.001 * full:  # a file that rounds the mass of a full cylinder is not refused
        displaced = f"at most {full:.4g} kg, the displacement of a cylinder of {length_m:g} m by {diameter:g} m"
        TORPEDO.fail("mass_kg", value=mass_kg, expected=displaced)
    # Volume over pi R^2: L - s D (1/3 + 2 * 7/15), from the 2/3 of the nose and the 8/15 of the tail.
    scale = length_m * (1.0 - mass_kg / full) / (diameter * (1.0 / 3.0 + 14.0 / 15.0))
    largest = 0.9 * length_m / (3.0 * diameter)
    if scale < 0.02:
        return torpedo_stations(length_m, diameter, 0.0, 0.0), "a full cylinder: the mass leaves no room for ends", 0.0
    how = f"elliptic nose {diameter * min(scale, largest):.3g} m, parabolic tail twice as long, displacing the mass"
    if scale > largest:
        how += ", ends at their longest: the hull is larger than the mass, the rest counts as flooded"
        scale = largest
    tail_m = 2.0 * diameter * scale
    return torpedo_stations(length_m, diameter, diameter * scale, tail_m, n=13), how, tail_m


def _size_fins(
    length_m: float,
    radius_m: float,
    tail_m: float,
    mass_kg: float,
    cg_x: float,
    added: Matrix,
    lift: dict[str, float],
    density: float,
) -> FinSet:
    """Find the smallest square fins that reach the stability index; the largest if none does."""
    best: FinSet | None = None
    root = radius_m * (1.0 - 0.6**2) if tail_m > 0.0 else radius_m  # hull radius at FIN_PLACE of the parabolic tail
    for tip in np.linspace(*FIN_TIPS, FIN_SIZES):
        span = chord = float(tip) * radius_m - root
        x = max(-length_m / 2.0 + FIN_PLACE * tail_m, -length_m / 2.0 + chord / 2.0)
        area, aspect = span * chord, 2.0 * span / chord
        slope = fin_lift_slope(aspect)
        pair, _ = fin_coefficients(
            "rudder", area_m2=2.0 * area, lift_slope_1_rad=slope, x_m=x, density_kg_m3=density, efficiency=FIN_FLOW**2
        )
        index = stability_index(mass_kg, cg_x, added, {k: lift[k] + pair[k] for k in ("Y_uv", "N_uv", "Y_ur", "N_ur")})
        best = FinSet(area, span, chord, x, root + span / 2.0, slope, aspect, index)
        if index >= STABILITY:
            break
    assert best is not None
    return best


def stability_index(mass_kg: float, cg_x_m: float, added: Matrix, lift: dict[str, float]) -> float:
    """Index of straight-line stability in the horizontal plane: G = 1 - N_v Y_r/(Y_v N_r), stable above 0.

    Per unit of u, with the Coriolis parts of mass and added mass: Y_v = Y_uv, Y_r = Y_ur - m - A11,
    N_v = N_uv - (A22 - A11), N_r = N_ur - m x_G - A26.
    """
    y_v = lift["Y_uv"]
    y_r = lift["Y_ur"] - mass_kg - float(added[0, 0])
    n_v = lift["N_uv"] - float(added[1, 1] - added[0, 0])
    n_r = lift["N_ur"] - mass_kg * cg_x_m - float(added[1, 5])
    return 1.0 - n_v * y_r / (y_v * n_r)


def _tidy(value: Any) -> Any:
    """Round to six digits: more would suggest accuracy, and people edit the file."""
    if isinstance(value, dict):
        return {key: _tidy(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_tidy(item) for item in value]
    return float(f"{value:.6g}") + 0.0 if isinstance(value, float) else value


def _noted(confidence: str, value: float | Sequence[object], how: str) -> dict[str, Any]:
    """Value with its note, as a table of the file."""
    return {"value": value, "source": "DERIVED", "confidence": confidence, "note": how}


_derived, _borrowed, _guess = (partial(_noted, confidence) for confidence in ("derived", "low", "guess"))


def _surface(name: str, symbol: str) -> dict[str, Any]:
    return {
        "name": name, "symbol": symbol, "limit_deg": _guess(FIN_LIMIT_DEG, "a common stop"),
        "time_constant_s": _guess(0.1, "a common servo"), "rate_deg_s": _guess(60.0, "a common servo"),
    }  # fmt: skip


def _fin_tables(fins: FinSet, profile: float, induced: float, drag_how: str) -> list[dict[str, Any]]:
    """Make the tables of four fins: positive angles push two rudders to starboard and two planes up."""
    stall = math.radians(FIN_STALL_DEG)
    flow = f"{FIN_FLOW:g}^2 = {FIN_FLOW**2:.2f} is the ratio of measured plane lift to theory on DARPA SUBOFF"
    placed = (
        ("upper rudder", "rudder", (0.0, -fins.arm_m), (0.0, 1.0, 0.0)),
        ("lower rudder", "rudder", (0.0, fins.arm_m), (0.0, 1.0, 0.0)),
        ("port plane", "stern planes", (-fins.arm_m, 0.0), (0.0, 0.0, -1.0)),
        ("starboard plane", "stern planes", (fins.arm_m, 0.0), (0.0, 0.0, -1.0)),
    )
    return [
        {
            "name": name,
            "surface": surface,
            "position_m": _derived([fins.x_m, *place], "on the tail, at half span"),
            "normal": _derived(list(normal), "a positive angle pushes this way"),
            "area_m2": _derived(
                fins.area_m2, f"{fins.span_m:.3g} m span and chord, straight-line stability index {fins.index:.2f}"
            ),
            "lift_slope_1_rad": _derived(
                fins.slope_1_rad, f"Whicker and Fehlner at aspect ratio {fins.aspect:.3g}, the hull as a mirror"
            ),
            "stall_deg": _guess(FIN_STALL_DEG, "low aspect ratios stall late"),
            "slope_after_stall_1_rad": _derived(
                -fins.slope_1_rad * stall / (math.pi / 2.0 - stall), "lift fades from the stall to 0 at 90 deg"
            ),
            "drag_0": _derived(profile, drag_how),
            "drag_aa": _derived(induced, drag_how),
            "hull_flow": _borrowed(FIN_FLOW, flow),
        }
        for name, surface, place, normal in placed
    ]


def _propeller(
    resistance: float, speed: float, length_m: float, hull_diameter: float, density: float
) -> dict[str, Any]:
    """Make the table of a propeller that balances the resistance at `speed` at two thirds of its largest rate.

    (1 - t) rho D^4 n^2 (KT0 + KT1 J) = R with J = (1 - w) U/(n D) is a quadratic in n.
    """
    diameter = PROPELLER_DIAMETER * hull_diameter
    a = density * diameter**4 * KT0
    b = density * diameter**3 * KT1 * (1.0 - WAKE) * speed
    c = -resistance / (1.0 - THRUST_DEDUCTION)
    rate = (-b + math.sqrt(b * b - 4.0 * a * c)) / (2.0 * a)
    advance = (1.0 - WAKE) * speed / (rate * diameter)
    balance = f"balances {resistance:.4g} N at {speed:g} m/s with {60.0 * rate:.4g} rpm, J = {advance:.3f}"
    line = "straight line near the curve of a four-bladed series propeller, pitch = diameter"
    typical = "typical behind a body of revolution"
    return {
        "name": "propeller",
        "position_m": _derived([-length_m / 2.0, 0.0, 0.0], "at the end of the hull"),
        "direction": _derived([1.0, 0.0, 0.0], "ahead"),
        "drive": "rate",
        "maximum_rpm": _derived(1.5 * 60.0 * rate, f"half as fast again as what {balance}"),
        "time_constant_s": _guess(0.2, "a small motor"),
        "propeller": {
            "diameter_m": _guess(diameter, f"{PROPELLER_DIAMETER:g} of the hull's"),
            "kt0": _borrowed(KT0, line), "kt1": _borrowed(KT1, line),
            "kq0": _borrowed(KQ0, line), "kq1": _borrowed(KQ1, line),
            "thrust_deduction": _guess(THRUST_DEDUCTION, typical), "wake": _guess(WAKE, typical),
            "hand": _guess(1, "right-handed"),
        },
    }  # fmt: skip
