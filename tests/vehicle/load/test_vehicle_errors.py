"""Error messages of bad vehicle files; with test_vehicle.py, which reads good ones, too long for one file."""

import tomllib
from math import inf, nan
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pelagos.errors import PelagosError, VehicleFileError
from pelagos.vehicle.load import vehicle as load
from pelagos.vehicle.load.vehicle import load_vehicle, loads
from tests.vehicle.plain import PLAIN as GOOD

SURFACE = '[[control_surfaces]]\nname = "rudder"\nsymbol = "dr"\nlimit_deg = 20\n'
SCREW = '[[thrusters]]\nname = "screw"\nposition_m = [0, 0, 0]\ndirection = [1, 0, 0]\n'

RICH = """
maximum_rpm = 900
time_constant_s = 0.1
propeller = { diameter_m = 0.14, kt0 = 0.4, kt1 = -0.3, kq0 = 0.05, hand = 1 }
[[fins]]
name = "upper"
surface = "rudder"
position_m = [-0.9, 0, -0.1]
normal = [0, 1, 0]
area_m2 = 0.01
aspect_ratio = 2.0
wash_from = "screw"
[[ballast]]
name = "tank"
kind = "tank"
maximum_kg = 2
[crossflow]
cd_y = 0.5
x_m = [-1, 0, 1]
height_m = [0.1, 0.2, 0.1]
[hydro]
nondimensional = "prime"
coriolis = "in_coefficients"
[hydro.coefficients]
X_udot = -1e-3
Y_vdot = -3e-2
N_uv = -1e-3
Y_uudr = { value = 1e-2, confidence = "low" }
[[shape]]
kind = "stations"
stations_m = [[-1, 0, 0], [0, 0.2, 0.2], [1, 0, 0]]
[[check]]
id = "a"
kind = "measured"
quantity = "x"
value = 1
[tether]
part = "work_umbilical"
fairlead_m = [0, 0, -0.4]
length_m = 80
mass_per_length_kg_m = 1.8
neutral = false
[sources.A]
cite = "book"
"""

# what is put in place of what, and the sentence
REPLACED = [
    ("mass_kg = 100.0", "mass_kg = -1.0", "bad.toml: body.mass_kg = -1.0: expected a number above 0"),
    ("mass_kg = 100.0", "mass_kg = nan", "bad.toml: body.mass_kg = nan: expected a finite number"),
    ("mass_kg = 100.0", "mass_kg = 1e300", "body.mass_kg = 1e+300: expected a number of at most 1e+20"),
    ("mass_kg = 100.0", "mass_kg = 1e-300", "body.mass_kg = 1e-300: expected a number of at least 1e-20"),
    ("mass_kg = 100.0", 'mass_kg = "1"', 'bad.toml: body.mass_kg = "1": expected a number'),
    ("mass_kg = 100.0", "mass_kg = true", "bad.toml: body.mass_kg = true: expected a number"),
    ("mass_kg = 100.0", "mas_kg = 100", 'bad.toml: body.mas_kg: unknown key; did you mean "mass_kg"?'),
    (
        "mass_kg = 100.0",
        "mass_m = 100",
        'bad.toml: body.mass_m: "m" is a unit of length; expected a mass: mass_kg, mass_g, mass_slug or mass_lb',
    ),
    ("mass_kg = 100.0", "mass = 100", "bad.toml: body.mass: the unit is missing; expected a mass: mass_kg"),
    ("mass_kg = 100.0", "", "bad.toml: body.mass_kg: is missing; give mass_kg, weight_N or [[component]]"),
    ("mass_kg = 100.0", "mass_kg = 100\nweight_N = 981", 'body.weight_N = 981: "mass_kg" sets the same'),
    ("mass_kg = 100.0", "mass_kg = 100\nmass_g = 1e5", 'body.mass_g = 100000.0: "mass_kg" sets the same'),
    (
        "mass_kg = 100.0",
        "mass_kg = {value = 1, sorce = 'x'}",
        "body.mass_kg.sorce: unknown key; expected one of value, source",
    ),
    ("mass_kg = 100.0", "mass_kg = {source = 'x'}", 'expected a number or a table with "value"'),
    ("mass_kg = 100.0", "mass_kg = {value = 1, confidence = 'hi'}", 'body.mass_kg.confidence = "hi": expected one of'),
    ("[2.0, 30.0, 31.0]", "[2.0, 30.0]", "inertia_kg_m2 = [2.0, 30.0]: expected a list of 3 numbers or 3 rows of 3"),
    ("[2.0, 30.0, 31.0]", "[2.0, -30.0, 31.0]", "expected positive definite"),
    ("neutral = true", "neutral = 1", "body.neutral = 1: expected true or false"),
    ("neutral = true", "", "body.buoyancy_N: is missing; give buoyancy_N, volume_m3, net_buoyancy_N or neutral"),
    ("neutral = true", "net_buoyancy_N = -2000", "leaves no volume; the vehicle weighs 980"),
    ('name = "Test body"', "", "bad.toml: name: is missing"),
    ('name = "Test body"', 'name = ""', "expected text in quotes"),
    ("length_m = 2.0", "", "bad.toml: geometry.length_m: is missing"),
    ("[geometry]", "[geometri]", 'bad.toml: geometri: unknown key; did you mean "geometry"?'),
    ("[body]", "[body", "bad.toml: not valid TOML:"),
]

# what is added at the end, and the sentence
ADDED = [
    ("[hydro.coefficients]\nY_ux = 1", 'hydro.coefficients.Y_ux = 1: cannot read "x"; factors are u, v'),
    ("[hydro.coefficients]\nYuv = 1", 'did you mean "Y_uv"?'),
    ("[hydro.coefficients]\nY_uv = 1\nY_vu = 1", 'hydro.coefficients.Y_vu = 1: is the same term as "Y_uv"; keep one'),
    ("[hydro.coefficients]\nY_uudr = 1", 'cannot read "dr"'),
    ("[hydro.coefficients]\nX_ufade = 1", "[hydro.fade] with rate_s_m is missing"),
    ("[hydro.coefficients]\nZ_uqn = 1", "the table [race] is missing"),
    ("[hydro.coefficients]\nY_uv = [1, 2]", "Y_uv = [1, 2]: expected a number"),
    ('[hydro]\ncoriolis = "ful"', 'expected one of full, none, in_coefficients, mss_remus100; did you mean "full"?'),
    ("[added_mass]\ndiagonal = [1, 2, 3]", "added_mass.diagonal = [1, 2, 3]: expected a list of 6 numbers"),
    ("[added_mass]\ndiagonal = [1,1,1,1,1,1]\n[hydro.coefficients]\nX_udot = -1", "[added_mass] gives the added mass"),
    ("[added_mass]\ntotal_diagonal = [90,200,200,9,99,99]", "is less than the body alone"),
    ('[added_mass]\nfrom_hull = "spheroid"', "needs length_m and diameter_m in [geometry]"),
    (SURFACE.replace("20", "0"), "control_surfaces[0].limit_deg = 0: expected a number above 0"),
    (SURFACE.replace('symbol = "dr"\n', ""), "control_surfaces[0].symbol: is missing"),
    (SURFACE + SURFACE, 'control_surfaces[1].name = "rudder": another entry has this name'),
    (SURFACE.replace('"dr"', '"r"'), 'control_surfaces[0].symbol = "r": expected letters that are no velocity'),
    (
        SCREW.replace("[1, 0, 0]", "[0, 0, 0]"),
        "thrusters[0].direction = [0, 0, 0]: expected numbers that are not all 0",
    ),
    (SCREW, "thrusters[0].drive: is missing; expected one of rate, voltage, force, throttle"),
    (SCREW + "maximum_rpm = 100", "thrusters[0].thrust_at_maximum: is missing"),
    (SCREW + "maximum_rpm = -100\nk_N_s2 = 1", "thrusters[0].maximum_rpm = -100: expected a number above 0"),
    (SCREW + "maximum_rpm = 100\nk_N_V2 = 1", 'thrusters[0].k_N_V2 = 1: does not fit the drive "rate"'),
    (SCREW + "maximum_rpm = 100\nk_N_s2 = 1\ndead_band_V = 1", 'the drive is "rate"; expected the unit rpm'),
    (SCREW + 'drive = "throttle"\ntable = [[0, 0], [1, 5], [1, 6]]', "expected two rows or more that ascend"),
    (SCREW + 'drive = "throttle"\ntable = [[0, 0], [1, 5, 6]]', "table = [[0, 0], [1, 5, 6]]: expected rows"),
    (SCREW + 'drive = "throttle"\ntable = [[0, 0], [1, 5]]\nlag_on = "drive"', 'expected "thrust" with a table'),
    (
        SCREW + 'drive = "throttle"\ntable = [[0, 0], [1, 5]]\ninflow_square = -1',
        "inflow_square = -1: needs a shaft speed",
    ),
    (SCREW + 'maximum_N = 9\nsupply = "pum"\n[[supplies]]\nname = "pump"\nlimit_N = 1', 'did you mean "pump"?'),
    (SCREW + 'part = "t2000"', 'thrusters[0].part = "t2000": no such part; expected one of'),
    (SCREW + "maximum_rpm = 9\npropeller = {diameter_m = 0.1}", "thrusters[0].propeller.kt0: is missing"),
    ('[thrusters]\nname = "screw"', "expected a list of tables, written [[thrusters]]"),
    (
        "[crossflow]\ncd_y = 1\nx_m = [0, 2, 1]\nheight_m = 1",
        "crossflow.x_m = [0, 2, 1]: expected two stations or more that ascend",
    ),
    ("[crossflow]\ncd_y = 1\nx_m = [0, 1, 2]\nheight_m = [1, 1]", "has 2 entries; expected one for each of the 3"),
    ("[crossflow]\nx_m = [0, 1, 2]\nheight_m = 1", "crossflow.cd_y: is missing"),
    ('[crossflow]\ncd_y = 1\nx_m = [0, 1, 3]\nheight_m = 1\nrule = "full_ends"', "needs evenly spaced stations"),
    (
        "[crossflow]\nx_m = [0, 1]\nheight_m = 1\ncd_curve = [[1, 1], [0, 1]]",
        "expected rows that ascend in the first column",
    ),
    ('[motion]\nfree = ["u", "x"]', 'motion.free = ["u", "x"]: expected a list out of u, v, w, p, q, r'),
    ('[race]\nthruster = "screw"\nadvance_m = 1\nct = 1', "no thruster has this name; expected none"),
    ('[[shape]]\nkind = "box"\nradius_m = 1', "shape[0].size: is missing; a box needs size"),
    ('[[shape]]\nkind = "mesh"\nfile = "a.stl"\nradius_m = 1', "does not belong to a mesh, which has file"),
    ('[[ballast]]\nname = "b"\nkind = "tank"\nmaximum_m = 1', 'a ballast of kind "tank" is set in kg'),
    ('[[ballast]]\nname = "b"\nkind = "tank"\nmaximum_kg = 1\ninitial_kg = 2', "expected a number from 0 to 1 kg"),
    ('[[check]]\nid = "a"\nkind = "guessed"\nquantity = "x"\nvalue = 1', "check[0].kind"),
    (
        '[[check]]\nid = "a"\nkind = "measured"\nwhat = "x"\nvalue = 1',
        'check[0].what: unknown key; did you mean "quantity"?',
    ),
    ('[sources.AUTHOR]\ncite = "x"\n[water]\ndensity_kg_m3 = {value = 1000, source = "AUTHR"}', "not in [sources]"),
    ("[lift_drag]\ncl_a = 7", "needs area_m2 beside it"),
    ("[lift_drag]\ncl_a = 7\nlift_a = 7\narea_m2 = 1", '"cl_a" sets the same quantity'),
    ("[body.cg]\nx = 1", "bad.toml:"),
    ('[motion]\nintegrator = "rk5"', 'motion.integrator = "rk5": expected one of euler, heun, rk4, adaptive'),
    ('[motion]\nkinematics = "euleer"', 'did you mean "euler"?'),
    ("[hydro]\nY_uv = -1.0", "hydro.Y_uv: unknown key; coefficients go under [hydro.coefficients]"),
    ("[added_mass]\nY_rdot = -1.0", "added_mass.Y_rdot: unknown key; coefficients go under [hydro.coefficients]"),
]


@pytest.mark.parametrize(("old", "new", "sentence"), REPLACED)
def test_replaced(old, new, sentence):
    check(GOOD.replace(old, new), sentence)


@pytest.mark.parametrize(("text", "sentence"), ADDED)
def test_added(text, sentence):
    check(GOOD + text, sentence)


def check(text, sentence):
    with pytest.raises(VehicleFileError) as caught:
        loads(text, "bad.toml")
    message = str(caught.value)
    assert sentence in message
    assert message.startswith("bad.toml: ")
    assert "\n" not in message


LEAVES = st.sampled_from([-1, 0, 1, 5.0, inf, nan, "x", "", "rate", True, [], [1], [1, 2, 3], [[1, 2], [3]], {},
                          {"value": 1}, {"value": "x"}, [{}], [{"name": "a"}], [[]]])  # fmt: skip


@pytest.mark.slow
@settings(max_examples=300)  # a load takes about a millisecond
@given(st.data())
def test_no_entry_of_a_file_can_cause_a_traceback(data):
    """One entry of a rich file is replaced by something else: it loads or is refused in one sentence."""
    raw = tomllib.loads(GOOD + SURFACE + SCREW + RICH)
    table: Any = raw
    while True:
        key = data.draw(st.sampled_from(sorted(table) if isinstance(table, dict) else range(len(table))))
        inner = table[key]
        if not isinstance(inner, dict | list) or not inner or data.draw(st.booleans()):
            break
        table = inner
    table[key] = data.draw(LEAVES)
    try:
        vehicle = load._assemble(load._read(raw, "bad.toml", Path(), ()), "bad", "")
    except PelagosError as error:
        assert str(error).startswith("bad.toml: ")
        assert "\n" not in str(error)
    else:
        assert vehicle.body.mass_kg > 0.0


def test_missing_file(tmp_path):
    with pytest.raises(VehicleFileError, match="no such file"):
        load_vehicle(tmp_path / "none.toml")


def test_circle_of_extends(tmp_path):
    (tmp_path / "a.toml").write_text('extends = "b.toml"\n')
    (tmp_path / "b.toml").write_text('extends = "a.toml"\n')
    with pytest.raises(VehicleFileError, match="extend each other in a circle"):
        load_vehicle(tmp_path / "a.toml")


def test_fault_in_the_base_names_the_base(tmp_path):
    (tmp_path / "base.toml").write_text(GOOD.replace("mass_kg", "mas_kg"))
    (tmp_path / "child.toml").write_text('extends = "base.toml"\nname = "child"\n')
    with pytest.raises(VehicleFileError) as caught:
        load_vehicle(tmp_path / "child.toml")
    assert caught.value.file == "base.toml"


def test_products_too_large_blame_the_file_that_gives_them(tmp_path):
    (tmp_path / "base.toml").write_text(GOOD)
    child = tmp_path / "child.toml"
    child.write_text('extends = "base.toml"\n[body]\ninertia_products_kg_m2 = [20.0, 0.0, 0.0]\n')
    with pytest.raises(VehicleFileError) as error:
        load_vehicle(child)
    sentence = "child.toml: body.inertia_products_kg_m2 = [20.0, 0.0, 0.0]: too large for the moments 2, 30, 31 kg m2"
    assert str(error.value).startswith(sentence)


def test_a_folder_is_called_one(tmp_path, monkeypatch):
    (tmp_path / "rov").mkdir()
    with pytest.raises(VehicleFileError, match=r"is a folder; expected a library vehicle or a \.toml file"):
        load_vehicle(tmp_path / "rov")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(VehicleFileError, match="rov: is a folder"):
        load_vehicle("rov")
    (tmp_path / "lauv").mkdir()
    assert load_vehicle("lauv").key == "lauv"  # a folder of that name does not hide the library


def test_binary_file(tmp_path):
    (tmp_path / "a.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(VehicleFileError, match="not a text file in UTF-8"):
        load_vehicle(tmp_path / "a.toml")
