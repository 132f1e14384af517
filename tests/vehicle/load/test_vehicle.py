"""Vehicle files: mass and buoyancy in every form against hand-worked values, merging, [control], the docs page."""

import math
import re
import tomllib
from pathlib import Path

import numpy as np
import pytest

from pelagos.control.tuning.schedule import Schedule
from pelagos.errors import VehicleFileError
from pelagos.files.library import VEHICLES
from pelagos.vehicle.load.vehicle import changed_vehicle, load_vehicle, loads
from pelagos.vehicle.spec import COMPUTED_CONTROL
from tests.vehicle.plain import BODY, HEAD, LENGTH, PLAIN

ULP = 1e-14  # a handful of roundings of a double


def fact(vehicle, path):
    facts = [item for item in vehicle.facts if item.path == path]
    assert len(facts) == 1, path
    return facts[0]


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
    fin = '[[control_surfaces]]\nname = "{0}"\nsymbol = "{1}"\nlimit_deg = 20\n'
    (tmp_path / "base.toml").write_text(PLAIN + fin.format("rudder", "dr") + fin.format("planes", "ds"))
    (tmp_path / "child.toml").write_text('extends = "base.toml"\n' + fin.format("tail", "dt"))
    assert [surface.name for surface in load_vehicle(tmp_path / "child.toml").surfaces] == ["tail"]


def test_checks_are_not_inherited_and_flags_are():
    base = load_vehicle("phoenix")
    child = loads('extends = "phoenix"\n[body]\nweight_lbf = 500\n', "child.toml")
    assert len(base.checks) > 1 and child.checks == ()  # they were published for the other vehicle
    assert child.flags == base.flags != ()
    check_table = '[[check]]\nid = "mine"\nkind = "measured"\nquantity = "x"\nvalue = 1.0\n'
    assert [check.id for check in loads('extends = "phoenix"\n' + check_table, "child.toml").checks] == ["mine"]


def test_every_library_vehicle_that_extends_has_an_automatic_check_of_its_own():
    files = [path for path in VEHICLES.folder.glob("*.toml") if "extends" in tomllib.loads(path.read_text())]
    assert len(files) == 5
    for path in files:
        assert any(check.test for check in load_vehicle(path).checks), path.stem


def test_entries_without_a_name_get_one():
    """The example of the format as it was first written down: a thruster by part, place and direction alone."""
    text = """
name = "My ROV"
extends = "bluerov2_heavy"
[body]
mass_kg = 13.5
cg_m = [0.0, 0.0, 0.02]
source = "weighed 2026-03-02"
[[thrusters]]
part = "t200"
position_m = [0.16, 0.11, 0.0]
direction = [0.71, -0.71, 0.0]
"""
    vehicle = loads(text, "my_rov.toml")
    assert [thruster.name for thruster in vehicle.thrusters] == ["t200_1"]
    assert vehicle.thrusters[0].table  # the part's law
    more = """
[[thrusters]]
name = "stern"
part = "t200"
position_m = [-0.16, 0.11, 0.0]
direction = [1, 0, 0]
[[thrusters]]
position_m = [0, 0, 0]
direction = [1, 0, 0]
maximum_N = 5
[[control_surfaces]]
symbol = "dr"
limit_deg = 20
[[fins]]
surface = "surface_1"
position_m = [-0.2, 0, 0]
normal = [0, 1, 0]
area_m2 = 0.01
aspect_ratio = 2.0
[[ballast]]
kind = "tank"
maximum_kg = 1
"""
    vehicle = loads(text + more, "my_rov.toml")
    assert [thruster.name for thruster in vehicle.thrusters] == ["t200_1", "stern", "thruster_3"]
    assert (vehicle.surfaces[0].name, vehicle.fins[0].name, vehicle.ballast[0].name) == ("surface_1", "fin_1", "tank_1")
    assert vehicle.fins[0].surface == 0


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
        quantity = "steady speed"
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


PAGE = (Path(__file__).parents[3] / "docs" / "vehicle-files.md").read_text(encoding="utf-8")


BLOCKS = re.findall(r"^```toml\n(.*?)^```", PAGE, re.M | re.S)


@pytest.mark.parametrize("block", [block for block in BLOCKS if not block.startswith("kind")])
def test_examples_of_the_page_load(block):
    """Whole files as they stand, pieces of files after a plain body."""
    vehicle = loads(block if block.startswith("name") else PLAIN + block)
    assert vehicle.body.mass_kg == 100.0


def test_mistakes_of_the_page_are_the_real_sentences():
    cases = [(PLAIN.replace("mass_kg", "mass_m"), 0), (PLAIN + "[hydro.coefficients]\nYuv = -1.0", 2)]
    (sentences,) = re.findall(r"^```text\n(.*?)^```", PAGE, re.M | re.S)
    for text, index in cases:
        with pytest.raises(VehicleFileError) as caught:
            loads(text, "rov.toml")
        assert str(caught.value) == sentences.splitlines()[index]


CHANGE = {"body": {"mass_kg": 14.0}, "depth_rating_m": 300.0}


def test_it_is_what_a_file_that_extends_it_would_be():
    made = changed_vehicle("bluerov2_heavy", CHANGE, "s.toml", Path())
    text = 'extends = "bluerov2_heavy"\ndepth_rating_m = 300.0\n[body]\nmass_kg = 14.0\n'
    filed = loads(text, "bluerov2_heavy")
    assert made.body.mass_kg == filed.body.mass_kg == 14.0
    assert made.depth_rating_m == filed.depth_rating_m == 300.0
    assert made.thrusters == filed.thrusters == load_vehicle("bluerov2_heavy").thrusters
    assert made.key == "bluerov2_heavy"


def test_nothing_changed_is_the_vehicle_itself():
    made, whole = changed_vehicle("lauv", {}, "s.toml", Path()), load_vehicle("lauv")
    assert (made.body.mass_kg, made.surfaces, made.name) == (whole.body.mass_kg, whole.surfaces, whole.name)


def test_a_file_beside_the_scenario_can_be_changed(tmp_path):
    (tmp_path / "mine.toml").write_text('name = "Mine"\nclass = "AUV"\nextends = "lauv"\n')
    made = changed_vehicle(tmp_path / "mine.toml", {"name": "Yours"}, "s.toml", tmp_path)
    assert (made.name, made.key) == ("Yours", "mine")


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"body": {"mas_kg": 3.0}}, "s.toml: body.mas_kg"),
        ({"body": 3}, "s.toml: body = 3"),
        ({"body": {"mass_kg": -1.0}}, "expected a number above 0"),
        ({"depth_rating_m": 0.0}, "expected a number above 0"),
    ],
)
def test_mistakes_name_the_scenario(changes, sentence):
    with pytest.raises(VehicleFileError) as caught:
        changed_vehicle("bluerov2_heavy", changes, "s.toml", Path())
    assert sentence in str(caught.value)


def with_control(text):
    return loads(f'extends = "lauv"\n[control]\n{text}', "mine.toml")


def test_a_silent_file_has_computed_gains():
    assert load_vehicle("lauv").control == COMPUTED_CONTROL


def test_numbers_come_in_si():
    control = with_control(
        "heading_frequency_deg_s = 57.29577951308232\npitch_kp = 25.0\npitch_limit_deg = 20\ncruise_speed_kn = 2\n"
        "altitude_filter_s = 3"
    ).control
    assert control.heading.frequency_rad_s == pytest.approx(1.0, rel=1e-12)
    assert control.pitch.kp == 25.0 and control.pitch.ki is None
    assert control.pitch_limit_rad == pytest.approx(math.radians(20.0), rel=1e-12)
    assert control.cruise_speed_m_s == pytest.approx(2 * 1852 / 3600, rel=1e-12)
    assert control.altitude_filter_s == 3.0


def test_double_definitions_are_refused():
    with pytest.raises(VehicleFileError, match=r"heading_kp.*sets the same quantity; keep one"):
        with_control("heading_frequency_rad_s = 1.0\nheading_kp = 3.0")
    with pytest.raises(VehicleFileError, match='did you mean "heading_kp"'):
        with_control("headin_kp = 3.0")
    with pytest.raises(VehicleFileError, match="expected a number above 0"):
        with_control("cruise_speed_m_s = 0")


def test_the_schedule_uses_given_gains():
    schedule = Schedule(
        with_control("heading_kp = 4.0\nheading_kd = 3.0\nyaw_rate_limit_deg_s = 5\npitch_limit_deg = 7\n"
                     "cruise_speed_m_s = 1.1\ndive_frequency_rad_s = 0.11\ndive_rate_s = 2\n"
                     "speed_frequency_rad_s = 0.5")
    )  # fmt: skip
    stage = schedule.stage(1.1)
    assert (stage.yaw.kp, stage.yaw.kd) == (4.0, 3.0)
    assert stage.yaw.error_limit / stage.yaw.approach_s == pytest.approx(math.radians(5.0), rel=1e-12)
    assert stage.pitch_limit == pytest.approx(math.radians(7.0), rel=1e-12)
    assert (stage.dive.frequency, stage.dive.rate_s) == (0.11, 2.0)
    assert schedule.cruise == 1.1 and schedule.surge.frequency == 0.5


def test_a_frequency_puts_the_poles_there():
    vehicle = loads(
        'extends = "bluerov2_heavy"\n[control]\ndepth_frequency_rad_s = 1.5\ndepth_damping = 0.8', "mine.toml"
    )
    schedule = Schedule(vehicle)
    mass = schedule.response.mass[2, 2]
    damping = -schedule.response.slope([0.0] * 6)[2, 2]
    # M s^2 + (D + kd) s + kp: w^2 = kp / M, 2 zeta w = (D + kd) / M
    assert schedule.heave.kp / mass == pytest.approx(1.5**2, rel=1e-9)
    assert (damping + schedule.heave.kd) / mass == pytest.approx(2 * 0.8 * 1.5, rel=1e-9)
