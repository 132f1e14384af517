"""Estimates of vehicle parameters from the hull geometry, for numbers that a file leaves out.

Other packages import from here. Every estimate returns its value and `how`, one sentence with the formula and its
source, which goes into the `Fact` of the number. Some formulas are those of the hand-written NAV notes ("document 002";
N1-N18 in evidence/docs/errata.md). Estimates are marked "derived": they are good to tens of per cent.
`tests/vehicle/test_derive.py` compares them with vehicles whose measured numbers are known.
"""

from __future__ import annotations

from pelagos.vehicle.derive.added_mass import (
    added_mass_from_hull,
    cylinder_added_mass,
    shift_added_mass,
    spheroid_added_mass,
    strip_added_mass,
)
from pelagos.vehicle.derive.drag import (
    axial_drag,
    crossflow_from_hull,
    cylinder_cd,
    end_factor,
    form_factor,
    friction_line,
)
from pelagos.vehicle.derive.inertia import inertia_of_box, inertia_of_cylinder, inertia_of_spheroid
from pelagos.vehicle.derive.lift import body_lift, fin_coefficients, fin_drag, fin_lift_slope
from pelagos.vehicle.derive.torpedo import torpedo

__all__ = [
    "added_mass_from_hull",
    "axial_drag",
    "body_lift",
    "crossflow_from_hull",
    "cylinder_added_mass",
    "cylinder_cd",
    "end_factor",
    "fin_coefficients",
    "fin_drag",
    "fin_lift_slope",
    "form_factor",
    "friction_line",
    "inertia_of_box",
    "inertia_of_cylinder",
    "inertia_of_spheroid",
    "shift_added_mass",
    "spheroid_added_mass",
    "strip_added_mass",
    "torpedo",
]
