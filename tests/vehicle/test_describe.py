"""The text of a vehicle: every number with unit, source and confidence; limits and traps."""

import pytest

from pelagos.vehicle.describe import WIDTH, describe
from pelagos.vehicle.load.vehicle import load_vehicle, loads

TEXT = """
name = "Test body"
class = "test"
summary = "one line"
[sources.BOOK]
cite = "A. Author, A Book, 1999"
licence = "free"
[body]
source = "BOOK"
confidence = "high"
weight_lbf = 435
neutral = true
cg_in = { value = [0.125, 0, 1.07], confidence = "low", note = "rounded in print" }
inertia_kg_m2 = { value = [2.0, 30.0, 31.0], source = "weighed and swung in the yard" }
[geometry]
length_m = 2.0
[hydro.coefficients]
Y_uv = -28.6
[[thrusters]]
name = "port"
position_m = [0, -1, 0]
direction = [1, 0, 0]
maximum_rpm = 700
thrust_at_maximum_N = 500
[[thrusters]]
name = "starboard"
position_m = [0, 1, 0]
direction = [1, 0, 0]
maximum_rpm = 700
thrust_at_maximum_N = 500
[motion]
free = ["v", "r"]
held_speed_m_s = 4.11
[[check]]
id = "speed"
kind = "measured"
quantity = "steady speed at 700 rpm"
value = 2.0
unit = "m/s"
tolerance = 0.02
source = "BOOK"
[[flag]]
text = "the book has a misprint"
"""


@pytest.fixture(scope="module")
def lines():
    return describe(loads(TEXT, "test_body")).splitlines()


def line(lines, start):
    match = [item for item in lines if item.strip().startswith(start)]
    assert match, start
    return " ".join(match[0].split())


def test_numbers_with_unit_source_and_confidence(lines):
    assert line(lines, "weight_lbf") == "weight_lbf 435 lbf BOOK high"
    assert line(lines, "cg_in").startswith("cg_in [0.125, 0, 1.07] in BOOK low")
    assert "rounded in print" in "\n".join(lines)
    assert "source: weighed and swung in the yard" in "\n".join(lines)
    assert line(lines, "Y_uv") == "Y_uv -28.6 kg/m"


def test_derived_and_default_numbers_say_so(lines):
    assert line(lines, "volume_m3") == "volume_m3 0.1925 m3 derived"
    assert "mass / density, neutral" in "\n".join(lines)
    assert line(lines, "density_kg_m3") == "density_kg_m3 1025 kg/m3 default"


def test_limits_checks_flags_sources(lines):
    text = "\n".join(lines)
    assert "held: surge, heave, roll, pitch, at 4.11 m/s" in text
    assert "steady speed at 700 rpm: measured, 2 m/s, within 2 %, BOOK, documented only" in text
    assert "- the book has a misprint" in text
    assert "- BOOK: A. Author, A Book, 1999 [free]" in text
    assert "Y_uv as |u| v" in text


def test_like_thrusters_are_not_repeated(lines):
    assert "  starboard  (rest as port)" in lines
    assert sum("thrust_at_maximum_N" in item for item in lines) == 1
    thrusters = lines[lines.index("Thrusters") : lines.index("Cameras")]
    assert sum("position_m" in item for item in thrusters) == 2


def test_every_fact_of_the_file_appears():
    vehicle = loads(TEXT, "test_body")
    text = describe(vehicle)
    missing = [fact.path for fact in vehicle.facts if fact.path.rpartition(".")[2] not in text]
    assert missing == []
    assert str(vehicle) == text


def test_width(lines):
    assert max(len(item) for item in lines) <= WIDTH


def test_mass_and_buoyancy_hold_the_ballast():
    lines = describe(load_vehicle("slocum")).splitlines()
    assert line(lines, "mass ").startswith("mass 70.1 kg, 9 kg of it ballast, weight 687")  # as `pelagos list` says
    assert "net -0.981 N" in line(lines, "buoyancy ")  # 0.1 kg heavy, not 87 N light


def test_a_vehicle_that_capsizes_has_its_centre_of_mass_above():
    lines = describe(loads(TEXT.replace("1.07]", "-1.07]"), "test_body")).splitlines()
    assert line(lines, "centre of mass") == "centre of mass above buoyancy 0.02718 m"  # 1.07 in


def test_published_slips_are_named():
    text = describe(load_vehicle("remus100_mss"))
    assert "published slips, kept for comparison: fade takes U = sqrt(u + v^2), ahead only" in text
    assert "published slips" not in describe(load_vehicle("remus100"))
