"""Numbers a vehicle file leaves out, worked out from geometry (document 002, errata N1-N18).

This is the one place to import from. Every function that estimates returns its value and `how`, one sentence
with the formula and its source, which goes into the `Fact` of the number. Estimates are marked "derived":
they are starting points good to tens of per cent, and `tests/vehicle/test_derive.py` says how far off they
are for vehicles whose measured numbers are known.
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
