"""Drag of a hull from its dimensions: axial drag from a friction line, cross-flow drag from strips of a cylinder.

SI. Reynolds numbers use the length for axial flow and the diameter for cross flow (errata N12).
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from pelagos.checks import Context, choice, number, whole
from pelagos.errors import PelagosError
from pelagos.vehicle.derive.hull import checked_stations, cylinder_stations, hull_form
from pelagos.vehicle.spec import Crossflow

# Smooth circular cylinder, drag on diameter against Reynolds number: points of DNV-RP-C205 (errata N14).
CYLINDER_CD = (
    (1.0e4, 1.21), (1.0e5, 1.21), (2.15e5, 1.21), (2.7e5, 1.17), (3.25e5, 1.01), (4.1e5, 0.71), (4.75e5, 0.53),
    (5.25e5, 0.41), (6.4e5, 0.28), (8.5e5, 0.32), (1.4e6, 0.47), (2.3e6, 0.58), (4.9e6, 0.68),
)  # fmt: skip
# Loss at the free ends against length over diameter, below and above the critical Reynolds number (same source).
END_ASPECT = (2.0, 5.0, 10.0, 20.0, 40.0, 50.0, 100.0)
END_SUBCRITICAL = (0.58, 0.62, 0.68, 0.74, 0.82, 0.87, 0.98)
END_SUPERCRITICAL = (0.80, 0.80, 0.82, 0.90, 0.98, 0.99, 1.00)
CRITICAL_REYNOLDS = 2.0e5  # where the end factors change (same source); the cylinder's drag falls from 2.15e5 on
RULES = ("ittc", "constant")
WETTED_AREA = 0.86  # of a faired hull over pi D L; DARPA SUBOFF has 0.861


def cylinder_cd(reynolds: float) -> float:
    """Drag coefficient of a smooth infinite cylinder across the flow; linear between points, constant outside (N14)."""
    re, cd = zip(*CYLINDER_CD, strict=True)
    return float(np.interp(reynolds, re, cd))


def end_factor(aspect: float, reynolds: float) -> float:
    """Drag of a cylinder of length/diameter = aspect over that of an infinite one (N14: 0.68 and 0.82 at 10)."""
    column = END_SUBCRITICAL if reynolds < CRITICAL_REYNOLDS else END_SUPERCRITICAL
    return float(np.interp(aspect, END_ASPECT, column))


def friction_line(reynolds: float) -> float:
    """Skin friction coefficient on the wetted area, ITTC 1957: 0.075/(log10 Re - 2)^2."""
    number("Reynolds number", reynolds, 1.0e3, above=True, context=Context(PelagosError, "friction line"))
    return 0.075 / (math.log10(reynolds) - 2.0) ** 2


def form_factor(length_over_diameter: float) -> float:
    """Ratio of total to friction drag of a streamlined body, Hoerner 1965 (6-28): 1 + 1.5 (D/L)^1.5 + 7 (D/L)^3."""
    ratio = 1.0 / length_over_diameter
    return 1.0 + 1.5 * ratio**1.5 + 7.0 * ratio**3


def axial_drag(
    length_m: float,
    diameter_m: float,
    density_kg_m3: float,
    viscosity_m2_s: float,
    speed_m_s: float,
    *,
    wetted_area_m2: float | None = None,
    rule: str = "ittc",
    cd_frontal: float = 0.2,
) -> tuple[float, str]:
    """Axial drag coefficient X_u|u| of the bare hull in N/(m/s)^2 (negative), and how: X = X_u|u| u|u| (errata N11).

    rule "ittc": friction line at speed_m_s times the form factor, for a faired hull; the default wetted area is
    0.86 pi D L. rule "constant": cd_frontal on pi R^2 (document 002: 0.1-0.3).
    """
    context = Context(PelagosError, "axial drag")
    for name, value in (
        ("length_m", length_m), ("diameter_m", diameter_m), ("density_kg_m3", density_kg_m3),
        ("viscosity_m2_s", viscosity_m2_s), ("speed_m_s", speed_m_s),
    ):  # fmt: skip
        number(name, value, 0.0, above=True, context=context)
    if choice("rule", rule, RULES, context=context) == "constant":
        area = math.pi * diameter_m**2 / 4.0
        return -0.5 * density_kg_m3 * cd_frontal * area, (
            f"-rho/2 Cd A with Cd = {cd_frontal:g} on the frontal area {area:.4g} m2 (document 002)"
        )
    area = wetted_area_m2 if wetted_area_m2 is not None else WETTED_AREA * math.pi * diameter_m * length_m
    reynolds = speed_m_s * length_m / viscosity_m2_s
    friction, form = friction_line(reynolds), form_factor(length_m / diameter_m)
    return -0.5 * density_kg_m3 * area * friction * form, (
        f"ITTC 1957 friction {friction:.5f} at Re {reynolds:.3g} times Hoerner's form factor {form:.3f} "
        f"on {area:.4g} m2 wetted"
    )


def crossflow_from_hull(
    *,
    length_m: float,
    diameter_m: float,
    viscosity_m2_s: float,
    stations: Sequence[Sequence[float]] | None = None,
    center_x_m: float = 0.0,
    n_stations: int = 21,
    cd: float | None = None,
) -> tuple[Crossflow, str]:
    """Table of strips for the cross-flow drag, and how.

    The profile (stations, or a cylinder) is sampled at n_stations equal steps with trapezoid weights, scaled so that
    the side and plan areas are those of the profile. Without a constant cd the coefficient follows N14: smooth
    cylinder at Re = sqrt(v^2 + w^2) D/nu times the end factor of L/D, as a curve over the cross-flow speed.
    """
    whole("n_stations", n_stations, 3, context=Context(PelagosError, "crossflow"))
    profile = stations if stations is not None else cylinder_stations(length_m, diameter_m, center_x_m)
    table = checked_stations(profile)
    form = hull_form(profile)
    x = np.linspace(table[0, 0], table[-1, 0], n_stations)
    weight = np.full(n_stations, x[1] - x[0])
    weight[[0, -1]] *= 0.5  # trapezoid rule
    height = np.interp(x, table[:, 0], table[:, 1])
    breadth = np.interp(x, table[:, 0], table[:, 2])
    height *= form.side_area_m2 / float(weight @ height)
    breadth *= form.plan_area_m2 / float(weight @ breadth)
    aspect = length_m / diameter_m
    if cd is None:
        curve = _speed_curve(aspect, viscosity_m2_s / diameter_m)
        level = 1.0
        how = (
            f"smooth cylinder Cd(Re) of DNV-RP-C205 times its end factor for L/D {aspect:.3g} "
            f"({end_factor(aspect, 0.0):.2f} below Re 2e5, {end_factor(aspect, 1e6):.2f} above)"
        )
    else:
        curve, level = (), cd
        how = f"constant Cd = {cd:g}"
    how += f" on {n_stations} strips of the profile, side {form.side_area_m2:.4g} m2, plan {form.plan_area_m2:.4g} m2"
    levels = (level,) * n_stations
    strips = Crossflow(
        *(tuple(column.tolist()) for column in (x, height, breadth, weight)), cd_y=levels, cd_z=levels, curve=curve
    )
    return strips, how


def _speed_curve(aspect: float, speed_per_reynolds: float) -> tuple[tuple[float, float], ...]:
    """Make (speed m/s, Cd) points; the end factor jumps at the critical Reynolds number, so it has two points."""
    points: list[tuple[float, float]] = []
    jump = cylinder_cd(CRITICAL_REYNOLDS)
    for re, cd in CYLINDER_CD:
        if re > CRITICAL_REYNOLDS and points and points[-1][0] < CRITICAL_REYNOLDS * speed_per_reynolds:
            for side in (0.0, CRITICAL_REYNOLDS):  # Reynolds numbers below and above the jump
                points.append((CRITICAL_REYNOLDS * speed_per_reynolds, jump * end_factor(aspect, side)))
        points.append((re * speed_per_reynolds, cd * end_factor(aspect, re)))
    return tuple(points)
