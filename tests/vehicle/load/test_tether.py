"""Cables and the [tether] table: parts, overrides, `extends`, provenance, and one sentence for each mistake."""

import math
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from pelagos.errors import VehicleFileError
from pelagos.tether.spec import Cable
from pelagos.vehicle.describe import WIDTH, describe
from pelagos.vehicle.load.parts import part_names
from pelagos.vehicle.load.tether import load_cable
from pelagos.vehicle.load.vehicle import load_vehicle, loads
from pelagos.vehicle.pack.records import pack
from tests.vehicle.plain import PLAIN

WRITTEN_OUT = """
[tether]
name = "towing rope"
fairlead_ft = [1.0, 0.0, -2.0]
length_ft = 100
diameter_in = 0.5
mass_per_length_lb_ft = 0.1
stiffness_kN = 30
damping_kNs = 0.2
normal_drag = 1.1
tangential_drag = 0.02
added_mass = 0.9
breaking_load_lbf = 2000
"""
FATHOM = '[tether]\npart = "fathom_7_6mm"\nfairlead_m = [-0.2, 0, 0]\n'


def fact(vehicle, path):
    (fact,) = [item for item in vehicle.facts if item.path == path]
    return fact


def test_a_cable_written_out_in_other_units():
    mount = loads(PLAIN + WRITTEN_OUT, "body.toml").tether
    assert mount is not None
    assert mount.fairlead_b == pytest.approx((0.3048, 0.0, -0.6096), rel=1e-15)  # one product each
    assert mount.length_m == pytest.approx(30.48, rel=1e-15)
    expected = Cable(
        diameter_m=0.0127, mass_kg_m=0.14881639435695537, stiffness_N=3e4, damping_Ns=200.0, normal_drag=1.1,
        tangential_drag=0.02, added_mass=0.9, breaking_load_N=8896.443230521, name="towing rope",
    )  # fmt: skip
    for name, value in vars(expected).items():
        ours = getattr(mount.cable, name)
        assert ours == (pytest.approx(value, rel=1e-14) if isinstance(value, float) else value), name  # few roundings


def test_what_a_file_leaves_out_is_a_default_and_says_so():
    vehicle = loads(PLAIN + "[tether]\nfairlead_m = [0, 0, 0]\ndiameter_mm = 10\nneutral = true\n", "body.toml")
    assert vehicle.tether is not None
    assert vehicle.tether.cable == Cable(diameter_m=0.01, neutral=True)
    assert vehicle.tether.length_m == 100.0
    noted = {item.path for item in vehicle.facts if item.how == "default" and item.path.startswith("tether.")}
    assert noted == {
        f"tether.{key}"
        for key in ("length_m", "stiffness_N", "damping_Ns", "normal_drag", "tangential_drag", "added_mass")
    }


def test_a_part_and_what_stands_beside_it():
    vehicle = loads(PLAIN + FATHOM + "length_m = 50\nstiffness_N = { value = 2e5, source = 'pulled' }\n", "body.toml")
    assert vehicle.tether is not None
    assert vehicle.tether.cable == replace(load_cable("fathom_7_6mm"), stiffness_N=2e5)
    assert vehicle.tether.cable.key == "fathom_7_6mm"
    assert fact(vehicle, "tether.stiffness_N").source == "pulled"
    assert fact(vehicle, "tether.diameter_mm").source == "FATHOM"
    assert {"FATHOM", "BENZON"} <= {source.key for source in vehicle.sources}


def test_a_number_in_another_unit_replaces_that_of_the_part():
    vehicle = loads(PLAIN + FATHOM + "diameter_m = 0.008\n", "body.toml")
    assert vehicle.tether is not None and vehicle.tether.cable.diameter_m == 0.008
    assert not [item for item in vehicle.facts if item.path == "tether.diameter_mm"]


def test_neutral_can_be_taken_back():
    """The maker's mass then acts: lighter than the water of a 7.6 mm circle, so the tether floats."""
    cable = loads(PLAIN + FATHOM + "neutral = false\n", "body.toml").tether.cable
    displaced = 1000.0 * math.pi / 4.0 * 0.0076**2
    assert cable.weight_in(1000.0, 9.81) == pytest.approx((0.043 - displaced) * 9.81, rel=1e-12)  # few roundings
    assert cable.weight_in(1000.0, 9.81) < 0.0 == load_cable("fathom_7_6mm").weight_in(1000.0, 9.81)


def test_extends_merges_and_another_part_leaves_nothing_behind(tmp_path):
    (tmp_path / "base.toml").write_text(PLAIN + FATHOM + "length_m = 50\n")
    (tmp_path / "longer.toml").write_text('extends = "base.toml"\n[tether]\nlength_m = 80\n')
    (tmp_path / "royer.toml").write_text('extends = "base.toml"\n[tether]\npart = "neutral_35mm"\n')
    longer, royer = (load_vehicle(tmp_path / f"{name}.toml").tether for name in ("longer", "royer"))
    assert longer is not None and royer is not None
    assert (longer.cable, longer.length_m) == (load_cable("fathom_7_6mm"), 80.0)
    assert royer.cable == load_cable("neutral_35mm")
    assert royer.cable.breaking_load_N == math.inf  # not the 1.56 kN of the Fathom tether
    assert (royer.fairlead_b, royer.length_m) == ((-0.2, 0.0, 0.0), 50.0)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            FATHOM.replace("fathom_7_6mm", "fathom"),
            'tether.part = "fathom": no such part; expected one of fathom_7_6mm, neu',
        ),
        (FATHOM.replace("fathom_7_6mm", "fathom"), 'did you mean "fathom_7_6mm"?'),
        (
            FATHOM.replace("fathom_7_6mm", "t200"),
            'tether.part = "t200": no such part; expected one of fathom_7_6mm, neutral',
        ),
        (FATHOM.replace("fairlead_m", "fairled_m"), 'tether.fairled_m: unknown key; did you mean "fairlead_m"?'),
        (FATHOM.replace("[-0.2, 0, 0]", "[-0.2, 0]"), "tether.fairlead_m = [-0.2, 0]: expected a list of 3 numbers"),
        (FATHOM.replace("fairlead_m = [-0.2, 0, 0]", ""), "tether.fairlead_m: is missing; the point of the vehicle"),
        (FATHOM + "length_m = 0", "tether.length_m = 0: expected a number above 0"),
        (FATHOM + "stiffness_m = 1", '"m" is a unit of length; expected a force: stiffness_N'),
        (FATHOM + "damping_N_s = 1", "expected a damping: damping_Ns or damping_kNs"),
        (FATHOM + "mass_per_length_kg = 1", '"kg" is a unit of mass; expected a mass per length: mass_per_length_kg_m'),
        (FATHOM + "normal_drag = -1", "tether.normal_drag = -1: expected a number of at least 0"),
        ("[tether]\nfairlead_m = [0, 0, 0]", "tether.diameter_m: is missing; give part or diameter_m"),
        (
            "[tether]\nfairlead_m = [0, 0, 0]\ndiameter_mm = 8",
            "tether.mass_per_length_kg_m: is missing; give it or neutral = true",
        ),
        ("[[tether]]\ndiameter_m = 1", "tether = "),
    ],
)
def test_mistakes(text, sentence):
    with pytest.raises(VehicleFileError) as caught:
        loads(PLAIN + text, "bad.toml")
    assert str(caught.value).startswith("bad.toml: ")
    assert sentence in str(caught.value)


def test_load_cable_from_a_file(tmp_path):
    path = tmp_path / "rope.toml"
    path.write_text('kind = "cable"\nname = "rope"\ndiameter_mm = 8\nmass_per_length_g_m = 32\n')
    cable = load_cable(path)
    assert (cable.key, cable.name, cable.diameter_m, cable.mass_kg_m) == ("rope", "rope", 0.008, 0.032)
    assert load_cable(str(path)) == cable


def test_the_cable_of_the_page_loads(tmp_path):
    page = (Path(__file__).parents[3] / "docs" / "vehicle-files.md").read_text(encoding="utf-8")
    (block,) = re.findall(r'^```toml\n(kind = "cable".*?)^```', page, re.M | re.S)
    (tmp_path / "ski.toml").write_text(block)
    cable = load_cable(tmp_path / "ski.toml")
    assert (cable.diameter_m, cable.mass_kg_m, cable.stiffness_N) == (0.008, 0.032, 20e3)
    assert cable.breaking_load_N == pytest.approx(7845.32, rel=1e-14)  # 800 kgf


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("diameter_mm = 8", 'rope.toml: kind: expected "cable"'),
        ('kind = "rope"\ndiameter_mm = 8', 'rope.toml: kind = "rope": expected "cable"'),
        ('kind = "cable"\nneutral = true', "rope.toml: diameter_m: is missing; give diameter_m"),
        ('kind = "cable"\ndiamter_mm = 8', 'rope.toml: diamter_mm: unknown key; did you mean "diameter_mm"?'),
        ('kind = "cable"\nlength_m = 8', "rope.toml: length_m: unknown key"),
    ],
)
def test_mistakes_in_a_cable_file(tmp_path, text, sentence):
    (tmp_path / "rope.toml").write_text(text)
    with pytest.raises(VehicleFileError) as caught:
        load_cable(tmp_path / "rope.toml")
    assert str(caught.value).startswith(sentence)


def test_unknown_cables(tmp_path):
    with pytest.raises(VehicleFileError, match=r'"work_umbilcal": no cable of this name .* mean "work_umbilical"'):
        load_cable("work_umbilcal")
    with pytest.raises(VehicleFileError, match="no cable of this name in the library; expected one of fathom_7_6mm"):
        load_cable("t200")
    with pytest.raises(VehicleFileError, match="no such file"):
        load_cable(tmp_path / "none.toml")


@pytest.mark.parametrize("key", part_names("cable"))
def test_the_numbers_of_the_library_can_belong_to_a_cable(key):
    cable = load_cable(key)
    assert cable.key == key and cable.name and cable.summary
    assert cable.breaking_load_N / cable.stiffness_N > 0.005 or cable.breaking_load_N == math.inf  # strain at breaking
    density = cable.mass_in(1000.0) / cable.area_m2
    assert 700.0 < density < 7850.0  # between foam and solid steel
    stiffest = 210e9 * cable.area_m2  # a rod of steel
    assert 1e4 < cable.stiffness_N < 0.2 * stiffest


def test_published_figures_of_the_library_cables():
    royer, fathom, work = (load_cable(key) for key in ("neutral_35mm", "fathom_7_6mm", "work_umbilical"))
    # Royer 1985, chapter 3: D 0.035 m, C_n 1.2, C_f 0.05 pi on D, no weight
    assert (royer.diameter_m, royer.normal_drag, royer.tangential_drag) == (0.035, 1.2, 0.05)
    assert royer.weight_in(1025.0, 9.81) == 0.0
    # the maker's table: 7.6 mm, 0.043 kg/m, 155 kgf (rounded from 350 lbf)
    assert (fathom.diameter_m, fathom.mass_kg_m, fathom.neutral) == (0.0076, 0.043, True)
    assert fathom.breaking_load_N == pytest.approx(155 * 9.80665, rel=0.03)
    # heavy in sea water: 2 kg less the water of a 30 mm circle
    assert work.weight_in(1025.0, 9.81) == pytest.approx((2.0 - 1025.0 * math.pi * 0.015**2) * 9.81, rel=1e-12)


@pytest.mark.parametrize(
    ("key", "part", "fairlead", "length"),
    [
        ("seagrant1", "neutral_35mm", (-0.5, 0.0, -0.4), 150.0),
        ("seagrant1_pump", "neutral_35mm", (-0.5, 0.0, -0.4), 150.0),
        ("bluerov2_heavy", "fathom_7_6mm", (-0.23, 0.0, 0.0), 35.0),
        ("bluerov2", "fathom_7_6mm", (-0.228, 0.0, 0.0), 35.0),
        ("rexrov", "work_umbilical", (0.0, 0.0, -0.8), 200.0),
    ],
)
def test_the_fleet_is_fitted(key, part, fairlead, length):
    vehicle = load_vehicle(key)
    assert vehicle.tether is not None
    assert (vehicle.tether.cable, vehicle.tether.fairlead_b) == (load_cable(part), fairlead)
    assert vehicle.tether.length_m == length
    half = 0.5 * np.array(vehicle.shapes[0].size_m)
    assert np.all(np.abs(fairlead) <= half + 1e-9)  # on the frame, not beside it; the files round to 1 mm
    facts = [item for item in vehicle.facts if item.path.startswith("tether.") and item.how != "default"]
    assert all(item.source and item.confidence for item in facts)


def test_a_tether_changes_nothing_that_is_packed():
    vehicle = load_vehicle("bluerov2_heavy")
    bare = replace(vehicle, tether=None)
    assert pack(vehicle).model.tobytes() == pack(bare).model.tobytes()


def test_describe_names_the_tether():
    lines = describe(load_vehicle("rexrov")).splitlines()
    assert max(len(line) for line in lines) <= WIDTH
    (text,) = [line for line in lines if line.startswith("tether ")]
    weight = (2.0 - 1028.0 * math.pi * 0.015**2) * 9.81
    assert text.split(maxsplit=1)[1].startswith(f"work_umbilical, 200 m, {weight:.3g} N/m in the water")
    assert any(" ".join(line.split()) == "breaking_load_kN 120 kN ESTIMATED guess" for line in lines)
    assert "neutral; only in runs that ask for it" in describe(load_vehicle("seagrant1"))
    assert not [line for line in describe(load_vehicle("remus100")).splitlines() if line.startswith("tether ")]


def test_reading_a_cable_does_not_load_the_compiler():
    code = (
        "import sys; from pelagos.vehicle.load.tether import load_cable; load_cable('fathom_7_6mm'); "
        "sys.exit('numba' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
