"""Estimates from geometry: closed forms they must meet, and how far they are from published and measured numbers."""

import math

import numpy as np
import pytest

from pelagos.errors import PelagosError
from pelagos.vehicle import derive
from pelagos.vehicle.hull import hull_form, lamb_factors, spheroid_stations
from tests.vehicle.test_hull import suboff_stations

RHO = 1025.0


def within(what, estimate, published, factor):
    """Print how far an estimate is off, and hold it to the stated factor either way."""
    ratio = estimate / published
    print(f"{what}: estimate {estimate:.4g}, published {published:.4g}, ratio {ratio:.2f} (allowed {factor:g})")
    assert 1.0 / factor <= ratio <= factor, what


# --- added mass -----------------------------------------------------------------------------------------------------


def test_generic_cylinder_of_document_002():
    matrix, how = derive.added_mass_from_hull("cylinder", length_m=2.0, diameter_m=0.2, density_kg_m3=RHO, mass_kg=64.4)
    # Document 002 by hand: R 0.1, L 2, rho 1025, m 64.4; three decimals.
    assert np.diag(matrix) == pytest.approx([6.44, 64.403, 64.403, 0.0, 21.468, 21.468], abs=5e-4)
    assert np.count_nonzero(matrix - np.diag(np.diag(matrix))) == 0
    assert "document 002" in how


def test_spheroid_by_imlay():
    matrix, how = derive.added_mass_from_hull(
        "spheroid", length_m=1.6, diameter_m=0.19, density_kg_m3=1026.0, mass_kg=0.0, inertia_xx=0.2, roll_factor=0.3
    )
    k1, k2, k_prime = lamb_factors(0.8, 0.095)
    m = 1026.0 * 4.0 / 3.0 * math.pi * 0.8 * 0.095**2
    turning = k_prime * m * (0.8**2 + 0.095**2) / 5.0
    assert np.diag(matrix) == pytest.approx([k1 * m, k2 * m, k2 * m, 0.06, turning, turning], rel=1e-12)
    assert "Lamb" in how and "A44 = 0.3 I_x" in how
    heavier, _ = derive.spheroid_added_mass(1.6, 0.19, 1026.0, 2.0 * m)
    np.testing.assert_allclose(heavier[:3, :3], 2.0 * matrix[:3, :3], rtol=1e-12)


def test_strips_of_a_cylinder_are_the_cylinder():
    strips, _ = derive.added_mass_from_hull("strips", length_m=2.0, diameter_m=0.2, density_kg_m3=RHO, mass_kg=0.0)
    cylinder, _ = derive.cylinder_added_mass(2.0, 0.2, RHO)
    assert np.diag(strips)[1:] == pytest.approx(np.diag(cylinder)[1:], rel=1e-13)  # Gauss points are exact here


def test_strips_of_a_slender_spheroid_tend_to_lamb():
    for aspect, allowed in ((5.0, 0.13), (10.0, 0.05), (20.0, 0.02)):  # 1 - k2 is about (2 ln(2 L/D) - 1) (D/L)^2
        strips, _ = derive.strip_added_mass(spheroid_stations(aspect, 1.0, 161), RHO)
        exact, _ = derive.spheroid_added_mass(aspect, 1.0, RHO)
        assert strips[1, 1] == pytest.approx(exact[1, 1], rel=allowed)
        assert strips[1, 1] > exact[1, 1]  # strips let no water round the ends
        assert strips[0, 0] == pytest.approx(exact[0, 0], rel=1e-3)  # 160 chords of the same spheroid


def test_strips_of_an_offset_hull_obey_the_shift_rule():
    stations = [(-0.8, 0.1, 0.3), (0.0, 0.2, 0.4), (0.9, 0.15, 0.1)]
    about_o, _ = derive.strip_added_mass(stations, RHO)
    moved, _ = derive.strip_added_mass([(x + 0.6, h, b) for x, h, b in stations], RHO)
    np.testing.assert_allclose(moved, derive.shift_added_mass(about_o, (0.6, 0.0, 0.0)), rtol=1e-12, atol=1e-10)
    assert about_o[1, 5] == about_o[5, 1] != 0.0
    assert about_o[3, 3] > 0.0  # a flat ellipse does turn water
    assert np.all(np.linalg.eigvalsh(about_o) > 0.0)


def test_shift_keeps_energy():
    """1/2 nu^T A nu is the same energy whichever point nu is taken at."""
    matrix, _ = derive.spheroid_added_mass(2.0, 0.3, RHO)
    r = np.array([0.4, -0.2, 0.1])
    nu = np.array([1.0, -0.3, 0.2, 0.5, 0.7, -0.4])
    at_point = np.concatenate([nu[:3] + np.cross(nu[3:], r), nu[3:]])
    shifted = derive.shift_added_mass(matrix, (0.4, -0.2, 0.1))
    assert nu @ shifted @ nu == pytest.approx(at_point @ matrix @ at_point, rel=1e-13)


def test_bad_kind_and_size_are_refused():
    with pytest.raises(PelagosError, match="did you mean 'spheroid'"):
        derive.added_mass_from_hull("sphroid", length_m=1.0, diameter_m=0.1, density_kg_m3=RHO)
    with pytest.raises(PelagosError, match="diameter_m = 0, expected"):
        derive.added_mass_from_hull("cylinder", length_m=1.0, diameter_m=0.0, density_kg_m3=RHO)


# --- drag -----------------------------------------------------------------------------------------------------------


def test_cylinder_drag_curve():
    assert derive.cylinder_cd(1e3) == derive.cylinder_cd(1e5) == 1.21
    assert derive.cylinder_cd(6.4e5) == pytest.approx(0.28)
    assert derive.cylinder_cd(1e8) == pytest.approx(0.68)
    assert derive.cylinder_cd(0.5 * (1.4e6 + 2.3e6)) == pytest.approx(0.5 * (0.47 + 0.58))
    assert (derive.end_factor(10.0, 1e5), derive.end_factor(10.0, 2e5)) == (0.68, 0.82)
    assert derive.end_factor(1e3, 1e6) == 1.0


def test_friction_line_of_the_towing_tanks():
    assert derive.friction_line(1e7) == pytest.approx(0.003, rel=1e-12)  # 0.075/5^2, the line's easy point
    assert derive.friction_line(1e9) == pytest.approx(0.075 / 49.0, rel=1e-12)
    with pytest.raises(PelagosError, match="Reynolds number 100"):
        derive.friction_line(100.0)


def test_constant_axial_drag_of_document_002():
    x_uu, how = derive.axial_drag(2.0, 0.2, RHO, 1.56e-6, 1.0, rule="constant", cd_frontal=0.2)
    assert x_uu == pytest.approx(-0.5 * RHO * 0.2 * math.pi * 0.01, rel=1e-14)
    assert "document 002" in how
    with pytest.raises(PelagosError, match="speed_m_s = 0"):
        derive.axial_drag(2.0, 0.2, RHO, 1.56e-6, 0.0)


@pytest.mark.parametrize(
    ("knots", "newtons"), [(5.93, 87.4), (10.0, 242.2), (11.85, 332.9), (13.92, 451.5), (16.0, 576.9), (17.79, 697.0)]
)
def test_suboff_bare_hull_resistance(knots, newtons):
    """Measured (Liu & Huang 1998): friction line and form factor, no roughness: 3 to 10 % short."""
    form = hull_form(suboff_stations())
    speed = knots * 0.514444
    x_uu, _ = derive.axial_drag(4.3561, 0.508, 998.2, 1.0e-6, speed, wetted_area_m2=form.wetted_area_m2)
    within("SUBOFF bare hull, N", -x_uu * speed**2, newtons, 1.12)


def test_crossflow_strips_carry_the_areas_and_the_jump():
    strips, how = derive.crossflow_from_hull(length_m=2.0, diameter_m=0.2, viscosity_m2_s=1e-6)
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
    fixed, how = derive.crossflow_from_hull(
        length_m=2.0, diameter_m=0.2, viscosity_m2_s=1e-6, cd=1.1, stations=suboff_stations(), n_stations=31
    )
    assert fixed.curve == () and set(fixed.cd_z) == {1.1} and "constant" in how
    assert np.dot(fixed.weight_m, fixed.breadth_m) == pytest.approx(hull_form(suboff_stations()).plan_area_m2)


# --- lift -----------------------------------------------------------------------------------------------------------


def test_fin_lift_slope_limits_and_published_value():
    assert derive.fin_lift_slope(2.21, rule="hoerner") == pytest.approx(3.12, abs=0.005)  # Prestero 2001, printed
    assert derive.fin_lift_slope(1e6) == pytest.approx(0.9 * 2 * math.pi, rel=1e-5)  # a section with 90 % of theory
    # Whicker and Fehlner tend to 0.9 2 pi a/3.8 = 1.49 a for tiny fins, near the slender wing's pi a/2.
    assert derive.fin_lift_slope(1e-6) / 1e-6 == pytest.approx(0.9 * 2 * math.pi / 3.8, rel=1e-5)
    assert derive.fin_lift_slope(2.0, sweep_rad=0.6) < derive.fin_lift_slope(2.0)
    with pytest.raises(PelagosError, match="lift rule 'lamb'"):
        derive.fin_lift_slope(1.0, rule="lamb")


def test_fin_signs_and_arms():
    rudder, how = derive.fin_coefficients("rudder", area_m2=0.02, lift_slope_1_rad=3.0, x_m=-0.8, density_kg_m3=1000.0)
    assert rudder == pytest.approx(
        {"Y_uudr": 30.0, "N_uudr": -24.0, "Y_uv": -30.0, "N_uv": 24.0, "Y_ur": 24.0, "N_ur": -19.2}
    )
    planes, _ = derive.fin_coefficients(
        "planes", area_m2=0.02, lift_slope_1_rad=3.0, x_m=-0.8, density_kg_m3=1000.0, arm_m=0.1, efficiency=0.5
    )
    assert planes == pytest.approx(
        {"Z_uuds": -15.0, "M_uuds": -12.0, "Z_uw": -15.0, "M_uw": -12.0, "Z_uq": -12.0, "M_uq": -9.6, "K_up": -0.15}
    )
    assert "x = -0.8 m" in how
    with pytest.raises(PelagosError, match="plane = 'elevator'"):
        derive.fin_coefficients("elevator", area_m2=1.0, lift_slope_1_rad=1.0, x_m=0.0, density_kg_m3=1.0)


def test_tail_fins_take_energy_out():
    """Y v + N r <= 0 for every v, r when undeflected: the force is -F (v + x r) at x."""
    found, _ = derive.fin_coefficients("rudder", area_m2=0.02, lift_slope_1_rad=3.0, x_m=-0.8, density_kg_m3=1000.0)
    power = np.array([[found["Y_uv"], found["Y_ur"]], [found["N_uv"], found["N_ur"]]])
    assert np.max(np.linalg.eigvalsh(0.5 * (power + power.T))) <= 1e-12


def test_body_lift_of_a_blunt_cylinder_leaves_at_the_base():
    found, _ = derive.body_lift(4.0, 0.4, 1000.0, stations=[(-2.0, 0.4, 0.4), (2.0, 0.4, 0.4)])
    k1, k2, _ = lamb_factors(2.0, 0.2)
    assert found["Y_uv"] == pytest.approx(-1000.0 * (k2 - k1) * math.pi * 0.04, rel=1e-9)
    assert found["N_uv"] == pytest.approx(-2.0 * found["Y_uv"], rel=1e-9)
    with pytest.raises(PelagosError, match="needs stations"):
        derive.body_lift(4.0, 0.4, 1000.0, rule="datcom")


def test_suboff_captive_model():
    """Measured derivatives (Roddy 1990, prime system, L = 4.26086 m) next to the estimates."""
    length = 4.2608602
    force, moment = 0.5 * length**2, 0.5 * length**3  # density 1
    hull = suboff_stations()
    added, _ = derive.strip_added_mass(hull, 1.0)
    within("SUBOFF Z_wdot'", -added[2, 2] / (0.5 * length**3), -0.014529, 1.3)  # strips carry all the displaced water
    within("SUBOFF M_qdot'", -added[4, 4] / (0.5 * length**5), -0.00086, 1.3)
    lift, _ = derive.body_lift(4.3561, 0.508, 1.0, stations=hull)
    within("SUBOFF bare hull Y_v'", lift["Y_uv"] / force, -0.005948, 2.7)
    part, how = derive.body_lift(4.3561, 0.508, 1.0, stations=hull, share=0.4)
    within("SUBOFF bare hull Y_v' at 0.4", part["Y_uv"] / force, -0.005948, 1.1)
    munk = -(added[1, 1] - added[0, 0])
    within("SUBOFF bare hull N_v' at 0.4", (part["N_uv"] + munk) / moment, -0.012795, 1.25)
    assert how.endswith("taken at 0.4")
    slope = derive.fin_lift_slope(2 * 0.1713**2 / 0.03295)
    arm = 2.013 - (4.0069874 - 0.75 * 0.1924)  # quarter chord behind the moment centre
    planes, _ = derive.fin_coefficients(
        "planes", area_m2=2 * 0.03295, lift_slope_1_rad=slope, x_m=arm, density_kg_m3=1.0
    )
    within("SUBOFF Z_ds'", planes["Z_uuds"] / force, -0.005603, 1.6)  # hull wake: 0.69 of the free-stream lift
    within("SUBOFF M_ds'", planes["M_uuds"] / moment, -0.002409, 1.6)


def test_remus_next_to_prestero():
    """REMUS 100 (Prestero 2001): 1.33 m, 0.191 m, 30.48 kg."""
    lamb, _ = derive.spheroid_added_mass(1.33, 0.191, 1030.0, 30.48)
    tube, _ = derive.cylinder_added_mass(1.33, 0.191, 1030.0, 30.48)
    within("REMUS X_udot, spheroid", lamb[0, 0], 0.93, 1.3)
    within("REMUS X_udot, 0.1 m", tube[0, 0], 0.93, 3.4)
    within("REMUS Y_vdot, spheroid", lamb[1, 1], 35.5, 1.3)
    within("REMUS Y_vdot, cylinder", tube[1, 1], 35.5, 1.15)
    within("REMUS N_rdot, spheroid", lamb[5, 5], 4.88, 2.3)  # fins far aft are in the published value
    within("REMUS N_rdot, cylinder", tube[5, 5], 4.88, 1.25)
    x_uu, _ = derive.axial_drag(1.33, 0.191, 1030.0, 1.19e-6, 1.54, wetted_area_m2=0.709)
    within("REMUS X_uu, ITTC", x_uu, -1.62, 1.1)
    flat, _ = derive.axial_drag(1.33, 0.191, 1030.0, 1.19e-6, 1.54, rule="constant")
    within("REMUS X_uu, Cd 0.2", flat, -2.94, 1.02)  # the DSTO set uses the same constant
    fins, _ = derive.fin_coefficients(
        "rudder", area_m2=2 * 0.00665, lift_slope_1_rad=3.12, x_m=-0.638, density_kg_m3=1030.0
    )
    within("REMUS Y_uudr", fins["Y_uudr"], 9.64, 2.3)  # 21.4 by theory; published is 45 % of its own formula
    strips, _ = derive.crossflow_from_hull(length_m=1.33, diameter_m=0.191, viscosity_m2_s=1.19e-6, cd=1.1)
    z_ww = 0.5 * 1030.0 * float(np.dot(strips.weight_m, np.multiply(strips.breadth_m, strips.cd_z)))
    within("REMUS Z_ww, cylinder of Cd 1.1", z_ww, 131.0, 1.15)


def test_lauv_next_to_da_silva():
    """LAUV (da Silva et al. 2007): 1.08 m, 0.15 m, 18 kg."""
    lamb, _ = derive.spheroid_added_mass(1.08, 0.15, RHO, 18.0)
    within("LAUV X_udot", lamb[0, 0], 1.0, 1.7)
    within("LAUV Y_vdot", lamb[1, 1], 16.0, 1.1)
    within("LAUV N_rdot", lamb[5, 5], 1.3, 1.6)
    lift, _ = derive.body_lift(1.08, 0.15, RHO)
    within("LAUV body part of Y_uv", lift["Y_uv"], -10.96, 1.35)  # theirs takes the same slope on pi R^2, not D^2
    x_uu, _ = derive.axial_drag(1.08, 0.15, RHO, 1.19e-6, 1.43)
    within("LAUV drag at 1.43 m/s, bare hull", -x_uu * 1.43**2, 8.33976, 4.0)  # fins, antennas, fittings are the rest
