"""Hydrodynamics in vehicle files: prime scaling, added mass, Coriolis terms, lift, strips; all worked by hand."""

import numpy as np
import pytest

from pelagos.errors import VehicleFileError
from pelagos.vehicle.load.hydro import coriolis_terms
from pelagos.vehicle.load.vehicle import loads
from pelagos.vehicle.pack.records import pack
from pelagos.vehicle.spec import VELOCITIES
from tests.vehicle.plain import HEAD, LENGTH, PLAIN

ULP = 1e-14  # a handful of roundings of a double


def fact(vehicle, path):
    facts = [item for item in vehicle.facts if item.path == path]
    assert len(facts) == 1, path
    return facts[0]


def terms(vehicle):
    return {term.name: term for term in vehicle.coefficients}


def test_prime_coefficients_carry_rho_and_length():
    vehicle = loads(
        PLAIN
        + """
        [hydro]
        nondimensional = "prime"
        [hydro.coefficients]
        X_udot = -2e-3
        Y_rdot = 1e-3
        Y_uv = -0.1
        "N_r|r|" = -5e-3
        K_p = -3e-4
    """
    )
    half = 1025.0 / 2
    assert vehicle.added_mass[0, 0] == pytest.approx(2e-3 * half * 8, rel=ULP)
    assert vehicle.added_mass[1, 5] == vehicle.added_mass[5, 1] == pytest.approx(-1e-3 * half * 16, rel=ULP)
    coefficients = terms(vehicle)
    assert coefficients["Y_uv"].value == pytest.approx(-0.1 * half * 4, rel=ULP)
    assert coefficients["Y_uv"].factors == ("|u|", "v")
    assert coefficients["Y_uv"].published == -0.1
    assert coefficients["N_r|r|"].value == pytest.approx(-5e-3 * half * 32, rel=ULP)
    assert coefficients["K_p"].value == pytest.approx(-3e-4 * half * 32, rel=ULP)
    assert "X_udot" not in coefficients


def test_asymmetric_pair_stays_for_the_checks_to_refuse():
    text = PLAIN + "[hydro.coefficients]\nY_vdot = -50.0\nY_rdot = -1.78\nN_vdot = {}\n"
    printed = loads(text.format("-178.0")).added_mass
    assert (printed[1, 5], printed[5, 1]) == (1.78, 178.0)
    rounded = loads(text.format("-1.7800001")).added_mass
    assert rounded[1, 5] == rounded[5, 1]


def test_symmetrise_takes_the_mean_of_each_pair_and_says_so():
    text = PLAIN + "[added_mass]\nsymmetrise = {}\n[hydro.coefficients]\nY_vdot = -50.0\nN_rdot = -9.0\nM_qdot = -9.0\n"
    text += "Z_wdot = -50.0\nY_rdot = -2.0\nN_vdot = -3.0\nZ_qdot = 1.0\nM_wdot = 1.5\nX_qdot = 0.5\n"
    vehicle = loads(text.format("true"))
    a = vehicle.added_mass
    assert (a == a.T).all()
    assert (a[1, 5], a[2, 4], a[0, 4]) == (2.5, -1.25, -0.5)
    assert fact(vehicle, "added_mass.A26").value == 2.5 and "mean" in fact(vehicle, "added_mass.A26").how
    assert fact(vehicle, "added_mass.A35").unit == "kg m"
    assert not [f for f in vehicle.facts if f.path == "added_mass.A15"]  # one of the pair is given: nothing to average
    pack(vehicle)
    with pytest.raises(VehicleFileError) as caught:
        pack(loads(text.format("false")))
    sentence = str(caught.value)
    assert "hydro.coefficients" in sentence and "symmetrise = true" in sentence and "\n" not in sentence
    assert "Y_rdot and N_vdot must agree" in sentence and "Z_qdot and M_wdot must agree" in sentence


def test_total_diagonal_splits_into_body_and_water():
    text = HEAD + LENGTH + """
        [body]
        mass_kg = 40
        neutral = true
        {}
        [added_mass]
        total_diagonal = [50.5, 70.5, 69.5, 19.8, 109.2, 109.9]
    """  # fmt: skip
    vehicle = loads(text.format(""))
    assert np.diag(vehicle.added_mass) == pytest.approx([10.5, 30.5, 29.5, 0, 0, 0], rel=ULP)
    assert np.diag(vehicle.body.inertia_o) == pytest.approx([19.8, 109.2, 109.9], rel=ULP)
    split = loads(text.format("inertia_kg_m2 = [10, 100, 101]"))
    assert np.diag(split.added_mass)[3:] == pytest.approx([9.8, 9.2, 8.9], rel=1e-13)  # differences


def test_added_mass_from_hull_is_marked_as_derived():
    vehicle = loads(PLAIN + 'diameter_m = 0.4\n[added_mass]\nfrom_hull = "spheroid"\nroll_factor = 0.3\n')
    assert vehicle.added_mass[3, 3] == pytest.approx(0.6, rel=ULP)
    assert vehicle.added_mass[1, 1] > vehicle.added_mass[0, 0] > 0.0
    derived = fact(vehicle, "added_mass.diagonal")
    assert derived.confidence == "derived"
    assert derived.how


def force(vehicle, nu):
    """The polynomial plus, where the kernel is to add it, -C_A nu, from the textbook cross products."""
    values = dict(zip(VELOCITIES, nu, strict=True)) | {f"|{k}|": abs(x) for k, x in zip(VELOCITIES, nu, strict=True)}
    total = np.zeros(6)
    for term in vehicle.coefficients:
        total[term.axis] += term.value * np.prod([values[factor] for factor in term.factors])
    if vehicle.coriolis == "full":
        a = vehicle.added_mass @ nu
        total[:3] += np.cross(a[:3], nu[3:])
        total[3:] += np.cross(a[:3], nu[:3]) + np.cross(a[3:], nu[3:])
    return total


PRESTERO = PLAIN + """
    [hydro]
    coriolis = "{}"
    u_rule = "{}"
    [hydro.coefficients]
    X_udot = -0.93
    Y_vdot = -35.5
    Z_wdot = -35.5
    Y_rdot = 1.93
    Z_qdot = -1.93
    K_pdot = -0.0704
    M_qdot = -4.88
    N_rdot = -4.88
    X_wq = -35.5
    X_qq = -1.93
    Y_ur = 5.22
    M_uw = 24.0
    N_uv = -24.0
    M_rp = 4.86
    "Y_v|v|" = -131.0
"""  # fmt: skip


def test_coefficients_that_hold_the_coriolis_part_give_the_published_force_ahead():
    nu = np.array([1.5, 0.2, -0.1, 0.3, -0.2, 0.1])
    published = loads(PRESTERO.format("none", "signed"))
    mended = loads(PRESTERO.format("in_coefficients", "abs"))
    assert mended.coriolis == "full"
    assert terms(mended)["M_uw"].value == pytest.approx(24.0 - 34.57, rel=ULP)
    assert terms(mended)["M_uw"].factors == ("|u|", "w")
    assert terms(mended)["X_wq"].value == 0.0  # all of it is added mass
    listed = {(term.axis, tuple(sorted(term.factors))) for term in published.coefficients}
    values = dict(zip(VELOCITIES, nu, strict=True))
    expected = force(published, nu)
    for (axis, factors), value in coriolis_terms(published.added_mass).items():
        if (axis, tuple(sorted(factors))) not in listed:  # not measured: potential flow stands
            expected[axis] += value * np.prod([values[factor] for factor in factors])
    # sums of twenty terms up to 7 N: rounding only
    assert force(mended, nu) == pytest.approx(expected, abs=1e-13)


def test_coriolis_terms_are_the_cross_products():
    rng = np.random.default_rng(3)
    root = rng.normal(size=(6, 6))
    mass = root @ root.T
    nu = rng.normal(size=6)
    coefficients = coriolis_terms(mass)
    values = dict(zip(VELOCITIES, nu, strict=True))
    total = np.zeros(6)
    for (axis, (a, b)), value in coefficients.items():
        total[axis] += value * values[a] * values[b]
    a = mass @ nu
    expected = np.concatenate([np.cross(a[:3], nu[3:]), np.cross(a[:3], nu[:3]) + np.cross(a[3:], nu[3:])])
    assert total == pytest.approx(expected, abs=1e-12)  # sums of numbers near 10
    assert total @ nu == pytest.approx(0.0, abs=1e-12)  # C is skew: no power


def test_mss_remus100_drops_the_munk_moment_only():
    vehicle = loads(PLAIN + '[hydro]\ncoriolis = "mss_remus100"\n[added_mass]\ndiagonal = [1, 30, 30, 0.1, 4, 4]\n')
    assert vehicle.coriolis == "none"
    values = {name: term.value for name, term in terms(vehicle).items()}
    assert "N_uv" not in values
    assert "M_uw" not in values
    # rows 1, 5, 6 lose their linear part and row 2, 3 the one with u; worked by hand from C_A
    assert values == pytest.approx({"Y_wp": 30.0, "Z_vp": -30.0, "M_pr": 3.9, "N_pq": -3.9}, rel=ULP)


def test_lift_drag_in_both_forms():
    c_form = loads(PLAIN + "[lift_drag]\narea_m2 = 0.1\ncl_a = 7.5\ncd_0 = 0.15\ncpitch_a = -0.5\nside_b = 20.0\n")
    assert c_form.lift_drag.lift_a == pytest.approx(7.5 * 0.5 * 1025 * 0.1, rel=ULP)
    assert c_form.lift_drag.pitch_a == pytest.approx(-0.5 * 0.5 * 1025 * 0.1 * 2.0, rel=ULP)
    assert c_form.lift_drag.side_b == 20.0
    assert c_form.lift_drag.lift_0 == 0.0


ROUND = PLAIN + "diameter_m = 0.3\n"

STRIPS = ROUND + """
    [crossflow]
    cd_y = 0.5
    cd_z = 0.6
    height_m = 0.3
    breadth_m = 0.4
    n_stations = 5
    rule = "{}"
"""  # fmt: skip


@pytest.mark.parametrize(
    ("rule", "weights"),
    [("trapezoid", [0.25, 0.5, 0.5, 0.5, 0.25]), ("left", [0.5, 0.5, 0.5, 0.5, 0.0]), ("full_ends", [0.5] * 5),
     ("midpoint", [0.4] * 5)],
)  # fmt: skip
def test_crossflow_weights(rule, weights):
    strips = loads(STRIPS.format(rule)).crossflow
    assert strips.weight_m == pytest.approx(weights, rel=ULP)
    assert strips.x_m[0] == pytest.approx(-0.8 if rule == "midpoint" else -1.0, rel=ULP)
    assert strips.breadth_m == (0.4,) * 5
    assert strips.cd_z == (0.6,) * 5


def test_crossflow_own_density_is_folded_into_cd():
    strips = loads(STRIPS.format("left") + "density_kg_m3 = 1000.0\n").crossflow
    assert strips.cd_y[0] == pytest.approx(0.5 * 1000 / 1025, rel=ULP)


def test_crossflow_curve_of_reynolds_number():
    text = ROUND + """
        [water]
        viscosity_m2_s = 1e-6
        [crossflow]
        x_in = [-10, 0, 10]
        height_in = [1, 2, 1]
        cd_of_reynolds = [[1e5, 1.2], [4e5, 1.2], [4e5, 0.3]]
        reynolds_length_m = 0.2
    """  # fmt: skip
    strips = loads(text).crossflow
    assert np.array(strips.curve) == pytest.approx(np.array([(0.5, 1.2), (2.0, 1.2), (2.0, 0.3)]), rel=ULP)
    assert strips.height_m[1] == pytest.approx(0.0508, rel=ULP)
    assert strips.breadth_m == strips.height_m
    assert strips.cd_y == (1.0,) * 3


def test_an_empty_table_is_worked_out_from_the_geometry_and_says_so():
    vehicle = loads(ROUND + "[crossflow]\n")
    strips = vehicle.crossflow
    assert strips is not None and len(strips.x_m) == 21
    assert np.dot(strips.weight_m, strips.height_m) == pytest.approx(2.0 * 0.3, rel=ULP)  # a cylinder's side
    (fact,) = [fact for fact in vehicle.facts if fact.path == "crossflow.stations"]
    assert fact.confidence == "derived" and "DNV-RP-C205" in fact.how


def test_a_drag_coefficient_of_ones_own_replaces_the_estimate():
    strips = loads(ROUND + "[crossflow]\ncd_z = 1.5\nn_stations = 7\n").crossflow
    assert strips is not None
    assert strips.cd_y == strips.cd_z == (1.5,) * 7  # one given, the other follows
    assert strips.curve == ()


def test_without_the_table_there_are_no_strips():
    assert loads(ROUND).crossflow is None
