"""Drag along and across a hull: published curves at known points, and a towed model."""

import math

import numpy as np
import pytest

from pelagos.errors import PelagosError
from pelagos.vehicle.derive import drag
from pelagos.vehicle.derive.hull import hull_form
from tests.vehicle.compare import within
from tests.vehicle.derive.test_hull import suboff_stations

RHO = 1025.0


def test_cylinder_drag_curve():
    assert drag.cylinder_cd(1e3) == drag.cylinder_cd(1e5) == 1.21
    assert drag.cylinder_cd(6.4e5) == pytest.approx(0.28)
    assert drag.cylinder_cd(1e8) == pytest.approx(0.68)
    assert drag.cylinder_cd(0.5 * (1.4e6 + 2.3e6)) == pytest.approx(0.5 * (0.47 + 0.58))
    assert (drag.end_factor(10.0, 1e5), drag.end_factor(10.0, 2e5)) == (0.68, 0.82)
    assert drag.end_factor(1e3, 1e6) == 1.0


def test_friction_line_of_the_towing_tanks():
    assert drag.friction_line(1e7) == pytest.approx(0.003, rel=1e-12)  # 0.075/5^2, the line's easy point
    assert drag.friction_line(1e9) == pytest.approx(0.075 / 49.0, rel=1e-12)
    with pytest.raises(PelagosError, match="Reynolds number = 100"):
        drag.friction_line(100.0)


def test_constant_axial_drag_of_document_002():
    x_uu, how = drag.axial_drag(2.0, 0.2, RHO, 1.56e-6, 1.0, rule="constant", cd_frontal=0.2)
    assert x_uu == pytest.approx(-0.5 * RHO * 0.2 * math.pi * 0.01, rel=1e-14)
    assert "document 002" in how
    with pytest.raises(PelagosError, match=r"speed_m_s = 0\.0: expected a number above 0"):
        drag.axial_drag(2.0, 0.2, RHO, 1.56e-6, 0.0)


@pytest.mark.parametrize(
    ("knots", "newtons"), [(5.93, 87.4), (10.0, 242.2), (11.85, 332.9), (13.92, 451.5), (16.0, 576.9), (17.79, 697.0)]
)
def test_suboff_bare_hull_resistance(knots, newtons):
    """Measured (Liu & Huang 1998): friction line and form factor, no roughness: 3 to 10 % short."""
    form = hull_form(suboff_stations())
    speed = knots * 0.514444
    x_uu, _ = drag.axial_drag(4.3561, 0.508, 998.2, 1.0e-6, speed, wetted_area_m2=form.wetted_area_m2)
    within("SUBOFF bare hull, N", -x_uu * speed**2, newtons, 1.12)


def test_crossflow_strips_carry_the_areas_and_the_jump():
    strips, how = drag.crossflow_from_hull(length_m=2.0, diameter_m=0.2, viscosity_m2_s=1e-6)
    area = float(np.dot(strips.weight_m, strips.height_m))
    assert area == pytest.approx(0.4, rel=1e-13)
    cubic = float(np.dot(strips.weight_m, np.abs(strips.x_m) ** 3 * np.asarray(strips.height_m)))
    # Trapezoid of |x|^3 with h = 0.1 m: 1/4 per half grows by h^2/12 f'(1) = 0.0025 (Euler-Maclaurin).
    assert cubic == pytest.approx(0.2 * 2.0 * (0.25 + 0.0025), rel=1e-12)
    assert set(strips.cd_y) == {1.0}
    at_jump = [cd for speed, cd in strips.curve if speed == pytest.approx(1.0)]  # Re 2e5 of 0.2 m in fresh water
    assert at_jump == pytest.approx([1.21 * 0.68, 1.21 * 0.82])
    assert [s for s, _ in strips.curve] == sorted(s for s, _ in strips.curve)
    assert "0.68 below" in how
    fixed, how = drag.crossflow_from_hull(
        length_m=2.0, diameter_m=0.2, viscosity_m2_s=1e-6, cd=1.1, stations=suboff_stations(), n_stations=31
    )
    assert fixed.curve == () and set(fixed.cd_z) == {1.1} and "constant" in how
    assert np.dot(fixed.weight_m, fixed.breadth_m) == pytest.approx(hull_form(suboff_stations()).plan_area_m2)
