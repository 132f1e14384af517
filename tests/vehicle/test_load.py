"""Vehicle files: every form of every number against hand-worked values, merging, and provenance."""

import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from pelagos.errors import VehicleFileError
from pelagos.vehicle import library
from pelagos.vehicle.load import load_vehicle, loads
from pelagos.vehicle.load_hydro import coriolis_terms
from pelagos.vehicle.spec import VELOCITIES

HEAD = """
name = "Test body"
class = "test"
"""
BODY = """
[body]
mass_kg = 100.0
neutral = true
inertia_kg_m2 = [2.0, 30.0, 31.0]
"""
LENGTH = """
[geometry]
length_m = 2.0
"""
PLAIN = HEAD + BODY + LENGTH
ULP = 1e-14  # a handful of roundings of a double


def fact(vehicle, path):
    found = [item for item in vehicle.facts if item.path == path]
    assert len(found) == 1, path
    return found[0]


def terms(vehicle):
    return {term.name: term for term in vehicle.coefficients}


def test_smallest_file():
    vehicle = loads(PLAIN, "tiny.toml")
    assert (vehicle.key, vehicle.name, vehicle.vehicle_class) == ("tiny", "Test body", "test")
    assert vehicle.body.volume_m3 == pytest.approx(100.0 / 1025.0, rel=ULP)
    assert vehicle.water.gravity_m_s2 == 9.80665
    assert not vehicle.added_mass.any()
    assert vehicle.free == (True,) * 6
    assert fact(vehicle, "water.density_kg_m3").how == "default"


def test_imperial_units_and_weight():
    vehicle = loads(
        HEAD
        + LENGTH
        + """
        [water]
        density_slug_ft3 = 1.94
        gravity_ft_s2 = 32.174
        [body]
        weight_lbf = 435
        buoyancy_lbf = 435
        cg_in = [0.125, 0, 1.07]
        inertia_slug_ft2 = [2.7, 42, 45]
        inertia_about = "origin"
    """
    )
    assert vehicle.body.mass_kg == pytest.approx(435 / 32.174 * 14.593902937206364, rel=ULP)
    assert vehicle.body.volume_m3 == pytest.approx(435 / (1.94 * 32.174) * 0.3048**3, rel=ULP)
    assert vehicle.body.cg_b == pytest.approx((0.003175, 0.0, 0.027178), rel=ULP)
    assert np.diag(vehicle.body.inertia_o) == pytest.approx(np.array([2.7, 42, 45]) * 1.3558179483314004, rel=ULP)
    assert fact(vehicle, "body.weight_lbf").unit == "lbf"
    assert fact(vehicle, "body.mass_kg").how == "weight / gravity"


def test_net_buoyancy():
    vehicle = loads(PLAIN.replace("neutral = true", "net_buoyancy_N = 5.0"))
    water = vehicle.water
    lift = (vehicle.body.volume_m3 * water.density_kg_m3 - vehicle.body.mass_kg) * water.gravity_m_s2
    assert lift == pytest.approx(5.0, rel=1e-12)  # a difference of two numbers near 1000


def test_inertia_products_and_steiner():
    vehicle = loads(PLAIN + '[hydro]\nu_rule = "abs"', "a")
    moved = loads(PLAIN.replace("[2.0, 30.0, 31.0]", """[2.0, 30.0, 31.0]
        inertia_products_kg_m2 = [0.1, 0.2, 0.3]
        cg_m = [0.0, 0.0, 0.5]"""), "b")  # fmt: skip
    steiner = np.diag([25.0, 25.0, 0.0])
    products = np.array([[0, -0.1, -0.3], [-0.1, 0, -0.2], [-0.3, -0.2, 0]])
    assert moved.body.inertia_o == pytest.approx(vehicle.body.inertia_o + steiner + products, rel=ULP)
    tensor = loads(
        PLAIN.replace(
            "[2.0, 30.0, 31.0]",
            """[2.0, 30.0, 31.0]
        inertia_products_kg_m2 = [0.1, 0.2, 0.3]
        products_sign = "tensor" """,
        )
    )
    assert tensor.body.inertia_o == pytest.approx(vehicle.body.inertia_o - products, rel=ULP)


def test_components_make_mass_centre_and_inertia():
    vehicle = loads(
        HEAD
        + LENGTH
        + """
        [body]
        neutral = true
        [[component]]
        name = "fore"
        mass_kg = 10
        position_m = [1, 0, 0]
        [[component]]
        name = "aft"
        mass_kg = 30
        position_m = [-1, 0, 0.2]
        inertia_kg_m2 = [1, 2, 3]
    """
    )
    assert vehicle.body.mass_kg == 40.0
    assert vehicle.body.cg_b == pytest.approx((-0.5, 0.0, 0.15), rel=ULP)
    assert np.diag(vehicle.body.inertia_o) == pytest.approx([1 + 1.2, 10 + 30 * 1.04 + 2, 40 + 3], rel=ULP)
    assert vehicle.body.inertia_o[0, 2] == pytest.approx(6.0, rel=ULP)  # -int x z dm = -(30)(-1)(0.2)


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
    found = terms(vehicle)
    assert found["Y_uv"].value == pytest.approx(-0.1 * half * 4, rel=ULP)
    assert found["Y_uv"].factors == ("|u|", "v")
    assert found["Y_uv"].published == -0.1
    assert found["N_r|r|"].value == pytest.approx(-5e-3 * half * 32, rel=ULP)
    assert found["K_p"].value == pytest.approx(-3e-4 * half * 32, rel=ULP)
    assert "X_udot" not in found


def test_asymmetric_pair_stays_for_the_checks_to_refuse():
    text = PLAIN + "[hydro.coefficients]\nY_vdot = -50.0\nY_rdot = -1.78\nN_vdot = {}\n"
    printed = loads(text.format("-178.0")).added_mass
    assert (printed[1, 5], printed[5, 1]) == (1.78, 178.0)
    rounded = loads(text.format("-1.7800001")).added_mass
    assert rounded[1, 5] == rounded[5, 1]


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
    assert "X_wq" not in terms(mended)  # all of it is added mass
    # sums of twenty terms up to 7 N: rounding only
    assert force(mended, nu) == pytest.approx(force(published, nu), abs=1e-13)


def test_coriolis_terms_are_the_cross_products():
    rng = np.random.default_rng(3)
    root = rng.normal(size=(6, 6))
    mass = root @ root.T
    nu = rng.normal(size=6)
    found = coriolis_terms(mass)
    values = dict(zip(VELOCITIES, nu, strict=True))
    total = np.zeros(6)
    for (axis, (a, b)), value in found.items():
        total[axis] += value * values[a] * values[b]
    a = mass @ nu
    expected = np.concatenate([np.cross(a[:3], nu[3:]), np.cross(a[:3], nu[:3]) + np.cross(a[3:], nu[3:])])
    assert total == pytest.approx(expected, abs=1e-12)  # sums of numbers near 10
    assert total @ nu == pytest.approx(0.0, abs=1e-12)  # C is skew: no power


def test_mss_remus100_drops_the_munk_moment_only():
    vehicle = loads(PLAIN + '[hydro]\ncoriolis = "mss_remus100"\n[added_mass]\ndiagonal = [1, 30, 30, 0.1, 4, 4]\n')
    assert vehicle.coriolis == "none"
    found = {name: term.value for name, term in terms(vehicle).items()}
    assert "N_uv" not in found
    assert "M_uw" not in found
    # rows 1, 5, 6 lose their linear part and row 2, 3 the one with u; worked by hand from C_A
    assert found == pytest.approx({"Y_wp": 30.0, "Z_vp": -30.0, "M_pr": 3.9, "N_pq": -3.9}, rel=ULP)


def test_removed_and_replaced_coefficients(tmp_path):
    base = tmp_path / "base.toml"
    base.write_text(PLAIN + '[hydro.coefficients]\nY_uv = -1.0\nX_u = -2.0\nsource = "the base"\n')
    child = tmp_path / "child.toml"
    child.write_text(
        'extends = "base.toml"\n[body]\nweight_N = 500\nsource = "a scale"\n'
        '[hydro.coefficients]\nX_u = "remove"\nY_uv = -3.0\nZ_w = -4.0\n'
    )
    vehicle = load_vehicle(child)
    assert vehicle.key == "child"
    assert vehicle.name == "Test body"
    assert {name: term.value for name, term in terms(vehicle).items()} == {"Y_uv": -3.0, "Z_w": -4.0}
    assert vehicle.body.mass_kg == pytest.approx(500 / 9.80665, rel=ULP)  # weight replaces the mass of the base
    assert fact(vehicle, "body.weight_N").source == "a scale"
    assert fact(vehicle, "body.inertia_kg_m2").source == ""  # the child's source is not put on the base's numbers
    assert fact(vehicle, "hydro.coefficients.Y_uv").source == ""


def test_lists_of_tables_are_replaced_whole(tmp_path):
    fin = '[[surfaces]]\nname = "{0}"\nsymbol = "{1}"\nlimit_deg = 20\n'
    (tmp_path / "base.toml").write_text(PLAIN + fin.format("rudder", "dr") + fin.format("planes", "ds"))
    (tmp_path / "child.toml").write_text('extends = "base.toml"\n' + fin.format("tail", "dt"))
    assert [surface.name for surface in load_vehicle(tmp_path / "child.toml").surfaces] == ["tail"]


def test_provenance_of_entry_over_section():
    vehicle = loads(
        HEAD
        + LENGTH
        + """
        [sources.A]
        cite = "book"
        licence = "free"
        [body]
        source = "A"
        confidence = "high"
        mass_kg = 100
        neutral = true
        inertia_kg_m2 = { value = [1, 2, 3], confidence = "guess", note = "scaled" }
    """
    )
    assert fact(vehicle, "body.mass_kg").source == "A"
    inertia = fact(vehicle, "body.inertia_kg_m2")
    assert (inertia.source, inertia.confidence, inertia.note, inertia.unit) == ("A", "guess", "scaled", "kg m2")
    assert vehicle.sources[0].cite == "book"


STRIPS = PLAIN + """
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
    text = PLAIN + """
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


def test_lift_drag_in_both_forms():
    c_form = loads(PLAIN + "[lift_drag]\narea_m2 = 0.1\ncl_a = 7.5\ncd_0 = 0.15\ncpitch_a = -0.5\nside_b = 20.0\n")
    assert c_form.lift_drag.lift_a == pytest.approx(7.5 * 0.5 * 1025 * 0.1, rel=ULP)
    assert c_form.lift_drag.pitch_a == pytest.approx(-0.5 * 0.5 * 1025 * 0.1 * 2.0, rel=ULP)
    assert c_form.lift_drag.side_b == 20.0
    assert c_form.lift_drag.lift_0 == 0.0


def test_motion_legacy_fade_checks_flags():
    vehicle = loads(
        PLAIN
        + """
        [hydro.fade]
        rate_s_m = 3.0
        [hydro.coefficients]
        X_ufade = -1.5
        [motion]
        free = ["u", "w", "q"]
        integrator = "heun"
        step_s = 0.1
        [legacy]
        acceleration_limit_ft_s2 = 1.0
        rigid_body_coriolis = false
        [[check]]
        id = "speed"
        kind = "measured"
        what = "steady speed"
        value = [1.0, 2.0]
        unit = "m/s"
        tolerance = 0.05
        test = "steady_speed"
        setup = { rpm = 700, hold = ["w"] }
        [[flag]]
        text = "beware"
    """
    )
    assert vehicle.fade.rate_s_m == 3.0
    assert terms(vehicle)["X_ufade"].factors == ("u", "fade")
    assert vehicle.free == (True, False, True, False, True, False)
    assert (vehicle.integrator, vehicle.step_s) == ("heun", 0.1)
    assert vehicle.legacy.acceleration_limit == pytest.approx(0.3048, rel=ULP)
    assert not vehicle.legacy.rigid_body_coriolis
    assert vehicle.checks[0].value == (1.0, 2.0)
    assert vehicle.checks[0].setup == {"rpm": 700, "hold": ["w"]}
    assert vehicle.flags == ("beware",)


def test_shapes_and_length_from_them():
    vehicle = loads(
        HEAD
        + BODY
        + """
        [[shape]]
        kind = "cylinder"
        center_m = [0.5, 0, 0]
        length_m = 2.0
        radius_cm = 10
        [[shape]]
        kind = "ellipsoid"
        center_m = [-1.0, 0, 0]
        semi_axes_m = [0.5, 0.1, 0.1]
    """
    )
    assert vehicle.shapes[0].size_m == pytest.approx((2.0, 0.1), rel=ULP)
    assert vehicle.length_m == pytest.approx(3.0, rel=ULP)  # from -1.5 to 1.5
    assert fact(vehicle, "geometry.length_m").how == "from [[shape]]"


def test_library_list_is_complete():
    entries = library.list_vehicles()
    assert [entry.key for entry in entries] == library.keys()
    assert not [entry.evidence for entry in entries if entry.evidence.startswith("does not load")]
    assert all(entry.mass_kg > 0.0 and entry.length_m > 0.0 and entry.actuators for entry in entries)


def test_listing_does_not_wait_for_the_compiled_engine():
    code = "import sys; from pelagos.vehicle import library; library.list_vehicles(); print('numba' in sys.modules)"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=Path(__file__).parents[2])
    assert ran.stdout.strip() == "False", ran.stderr


def test_a_broken_file_is_listed_with_its_fault(tmp_path, monkeypatch):
    (tmp_path / "broken.toml").write_text(PLAIN.replace("mass_kg", "mas_kg"))
    monkeypatch.setattr(library, "LIBRARY", tmp_path)
    (entry,) = library.list_vehicles()
    assert entry.evidence.startswith("does not load: broken.toml: body.mas_kg: unknown key")


@pytest.mark.parametrize("key", library.keys())
def test_every_library_vehicle_loads(key):
    vehicle = load_vehicle(key)
    assert vehicle.body.mass_kg > 0.0
    assert (vehicle.added_mass == vehicle.added_mass.T).all()


PAGE = (Path(__file__).parents[2] / "docs" / "vehicle-files.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("block", re.findall(r"^```toml\n(.*?)^```", PAGE, re.M | re.S))
def test_examples_of_the_page_load(block):
    """Whole files as they stand, pieces of files after a plain body."""
    vehicle = loads(block if block.startswith("name") else PLAIN + block)
    assert vehicle.body.mass_kg == 100.0


def test_mistakes_of_the_page_are_the_real_sentences():
    cases = [(PLAIN.replace("mass_kg", "mass_m"), 0), (PLAIN + "[hydro.coefficients]\nYuv = -1.0", 2)]
    (said,) = re.findall(r"^```text\n(.*?)^```", PAGE, re.M | re.S)
    for text, index in cases:
        with pytest.raises(VehicleFileError) as caught:
            loads(text, "rov.toml")
        assert str(caught.value) == said.splitlines()[index]


def test_unknown_vehicle_gets_the_nearest_name(tmp_path, monkeypatch):
    (tmp_path / "bluerov2.toml").write_text(PLAIN)
    monkeypatch.setattr(library, "LIBRARY", tmp_path)
    with pytest.raises(VehicleFileError, match=r'"blurov2": no vehicle of this name.* did you mean "bluerov2"'):
        load_vehicle("blurov2")
    assert load_vehicle("bluerov2").key == "bluerov2"
