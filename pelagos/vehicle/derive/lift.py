"""Lift of fins and of the bare hull, as coefficients of the force polynomial.

SI, body axes, x of a fin from O (negative aft). Positive rudder pushes the tail to starboard (Y > 0, N < 0), positive
stern planes push it up (Z < 0, M < 0), as in SNAME 1950 and document 000, table 6.1.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from pelagos.checks import Context, choice, number
from pelagos.errors import PelagosError
from pelagos.vehicle.derive.drag import friction_line
from pelagos.vehicle.derive.hull import checked_stations, lamb_factors

FIN_RULES = ("whicker-fehlner", "hoerner")
BODY_RULES = ("datcom", "hoerner")
PLANES = ("rudder", "planes")
FIN = Context(PelagosError, "fin")


def fin_lift_slope(aspect_effective: float, *, sweep_rad: float = 0.0, rule: str = "whicker-fehlner") -> float:
    """Lift slope dC_L/d alpha per rad of a fin of low aspect ratio, on its planform area.

    aspect_effective = 2 span^2/area for a fin on a hull, which acts as a mirror (span: root to tip).
    "whicker-fehlner" (1958, DTMB 933): 0.9 (2 pi) a / (cos(s) sqrt(a^2/cos(s)^4 + 4) + 1.8), s the sweep of the
    quarter chord. "hoerner" (1975): 1/(1/(0.9 2 pi) + 1/(pi a)), used for REMUS by Prestero 2001.
    """
    number("effective aspect ratio", aspect_effective, 0.0, above=True, context=FIN)
    if choice("rule", rule, FIN_RULES, context=FIN) == "hoerner":
        return 1.0 / (1.0 / (0.9 * 2.0 * math.pi) + 1.0 / (math.pi * aspect_effective))
    c = math.cos(sweep_rad)
    root = math.sqrt(aspect_effective**2 / c**4 + 4.0)
    return 0.9 * 2.0 * math.pi * aspect_effective / (c * root + 1.8)


def fin_drag(
    aspect_effective: float, lift_slope: float, reynolds_chord: float, thickness: float = 0.12
) -> tuple[float, float, str]:
    """Drag coefficients drag_0 and drag_aa (per rad^2) of a fin on its planform area, and how.

    Profile drag is twice the ITTC friction (two sides) times 1 + 2 t/c + 60 (t/c)^4 (Hoerner 1965, 6-6); the
    induced part is C_L^2/(0.9 pi a).
    """
    shape = 1.0 + 2.0 * thickness + 60.0 * thickness**4
    drag_0 = 2.0 * friction_line(reynolds_chord) * shape
    drag_aa = lift_slope**2 / (0.9 * math.pi * aspect_effective)
    return (
        drag_0,
        drag_aa,
        f"two sides of ITTC friction times {shape:.3f}; induced C_L^2/(0.9 pi {aspect_effective:.3g})",
    )


def fin_coefficients(
    plane: str,
    *,
    area_m2: float,
    lift_slope_1_rad: float,
    x_m: float,
    density_kg_m3: float,
    arm_m: float = 0.0,
    efficiency: float = 1.0,
) -> tuple[dict[str, float], str]:
    """Force coefficients of one pair of tail fins, and how: plane "rudder" (dr) or "planes" (ds).

    area_m2 is that of both fins, F = efficiency rho/2 S dC_L/da. A pair of rudders in the side flow v + x r has
    Y = F (u|u| dr - |u| (v + x r)), N = x Y; planes have Z = -F (u|u| ds + |u| (w - x q)), M = -x Z.
    With arm_m, the distance of the fins' centre from the roll axis, K_up = -F arm^2 is added.
    """
    f = 0.5 * density_kg_m3 * area_m2 * lift_slope_1_rad * efficiency
    x = x_m
    if choice("plane", plane, PLANES, context=FIN) == "rudder":
        coefficients = {"Y_uudr": f, "N_uudr": f * x, "Y_uv": -f, "N_uv": -f * x, "Y_ur": -f * x, "N_ur": -f * x * x}
    else:
        coefficients = {"Z_uuds": -f, "M_uuds": f * x, "Z_uw": -f, "M_uw": f * x, "Z_uq": f * x, "M_uq": -f * x * x}
    if arm_m > 0.0:
        coefficients["K_up"] = -f * arm_m**2
    how = (
        f"rho/2 S dC_L/da = {f:.4g} N/(m/s)^2/rad at x = {x:g} m from {area_m2:.4g} m2 and a slope of "
        f"{lift_slope_1_rad:.3g} per rad" + (f", efficiency {efficiency:g}" if efficiency != 1.0 else "")
    )
    return coefficients, how


def body_lift(
    length_m: float,
    diameter_m: float,
    density_kg_m3: float,
    *,
    stations: Sequence[Sequence[float]] | None = None,
    center_x_m: float = 0.0,
    rule: str | None = None,
    share: float = 1.0,
) -> tuple[dict[str, float], str]:
    """Coefficients of the viscous lift of the bare hull, and how; the added-mass Coriolis terms add the Munk moment.

    rule "datcom" (with stations; Hopkins 1951, NACA TN 1619 / USAF DATCOM 4.2.1.1): behind x0 = 0.378 L + 0.527 x1
    from the nose, x1 where the section shrinks fastest, the potential cross force is lost. The loss is a lift
    rho (k2 - k1) S(x0) u v at the centroid of the lost part. rule "hoerner" (without stations): 0.003 per degree
    times L/D on D^2 at 0.65 L from the nose (Hoerner 1975; Prestero 2001). Both are high for a well-faired tail: the
    DARPA SUBOFF bare hull has 0.38 of the first; `share` scales the force.
    """
    rule = rule or ("hoerner" if stations is None else "datcom")
    context = Context(PelagosError, "body lift")
    if choice("rule", rule, BODY_RULES, context=context) == "hoerner":
        slope = 0.003 * 180.0 / math.pi * length_m / diameter_m
        force = 0.5 * density_kg_m3 * diameter_m**2 * slope
        x = center_x_m + length_m / 2.0 - 0.65 * length_m
        how = f"Hoerner body lift, {slope:.3g} per rad on D^2 at x = {x:.3g} m"
    else:
        if stations is None:
            context.fail("rule", "needs stations", value=rule, expected="a table (x, height, breadth)")
        area, x = _lost_section(stations)
        k1, k2, _ = lamb_factors(length_m / 2.0, diameter_m / 2.0)
        force = density_kg_m3 * (k2 - k1) * area
        how = f"lost potential cross force behind the section of {area:.4g} m2 (DATCOM), acting at x = {x:.3g} m"
    if share != 1.0:
        force *= share
        how += f", taken at {share:g}"
    lateral = {"Y_uv": -force, "N_uv": -force * x, "Y_ur": -force * x, "N_ur": -force * x * x}
    vertical = {"Z_uw": -force, "M_uw": force * x, "Z_uq": force * x, "M_uq": -force * x * x}
    return lateral | vertical, how


def _lost_section(stations: Sequence[Sequence[float]]) -> tuple[float, float]:
    """Section area at x0, and the x (body axes) of the centroid of the force lost behind it."""
    table = checked_stations(stations)
    nose, length = table[-1, 0], table[-1, 0] - table[0, 0]
    back = np.linspace(0.0, length, 2001)  # distance from the nose
    x = nose - back
    height = np.interp(x, table[:, 0], table[:, 1])
    breadth = np.interp(x, table[:, 0], table[:, 2])
    section = math.pi / 4.0 * height * breadth
    slope = np.gradient(section, back)
    aft = back >= 0.5 * length
    falling = float(np.min(slope[aft]))
    negligible = section.max() / length * 1e-6  # a cylinder has slopes from rounding
    x1 = float(back[aft][int(np.argmin(slope[aft]))]) if falling < -negligible else length
    x0 = 0.378 * length + 0.527 * x1
    area = float(np.interp(x0, back, section))
    behind = back >= x0
    shed = -np.diff(section[behind])
    place = 0.5 * (x[behind][1:] + x[behind][:-1])
    base = float(section[-1])  # a blunt tail sheds the rest at its end
    moment = float(shed @ place) + base * float(x[-1])
    total = float(np.sum(shed)) + base
    return area, moment / total
