"""The report of `pelagos check` on sound and unsound vehicles, and published figures compared with the engine."""

import re
import subprocess
import sys
from dataclasses import replace
from math import pi
from pathlib import Path

import pytest
from pytest import approx

from pelagos.errors import VehicleFileError
from pelagos.vehicle.check.checks import CheckResult, check, evaluate, evidence, shape_volume
from pelagos.vehicle.load.vehicle import load_vehicle, loads
from pelagos.vehicle.spec import Check, Shape

ROOT = Path(__file__).parents[3]


def variant(text: str, base: str = "lauv"):
    return check(loads(f'extends = "{base}"\nname = "Variant"\nclass = "test"\n{text}'), published=False)


def has(report, level: str, *words: str) -> bool:
    return any(all(word in text for word in words) for text in report.of(level))


def test_a_sound_vehicle_passes():
    report = variant("")
    assert report.ok
    assert report.of("warn") == []
    assert has(report, "ok", "positive definite", "0.03905", "34")  # eigenvalues of LAUV: least 0.039
    assert has(report, "ok", "1 cm below", "rights itself")
    assert has(report, "ok", "net buoyancy +1 N", "rises")
    assert has(report, "ok", "surfaces", "pitch, yaw")
    assert has(report, "note", "sway, heave, roll alone")
    assert str(report).startswith("ok    mass matrix")


def test_moments_no_body_can_have_warn_but_pass():
    report = check(load_vehicle("phoenix"), published=False)  # errata B28
    assert report.ok
    assert has(report, "warn", "no rigid body")
    report = check(load_vehicle("seagrant1"), published=False)  # errata R22: 14, 84, 100
    assert has(report, "warn", "14, 84, 100", "2 %")


def test_a_bad_mass_matrix_fails_and_ends_the_report():
    report = variant("[hydro.coefficients]\nY_rdot = -1.78e-1\n", "phoenix")
    assert not report.ok
    assert len(report.lines) == 1
    assert has(report, "fail", "Y_rdot", "N_vdot")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[body]\ncg_m = [0.0, 0.0, -0.01]\n", ("centre of mass 1 cm above", "capsizes")),
        ("[body]\ncg_m = [0.0, 0.0, 0.0]\n", ("nothing rights",)),
        ("[body]\ncg_m = [0.005, 0.0, 0.01]\n", ("pitch -26.57 deg",)),  # atan(5/10)
        ("[body]\nbuoyancy_N = 190.0\n", ("net buoyancy +13.42 N", "7.6 %")),
        ("[hydro.coefficients]\nY_vv = -80.0\n", ("Y_vv = -80", "Y_v|v|")),
        ("[hydro.coefficients]\nX_uu = -2.0\n", ("X_uu", "X_u|u|")),
        ("[motion]\nstep_s = 0.2\n", ("step 0.2 s", "may diverge")),
        ('[hydro.coefficients]\nK_p = "remove"\n"K_p|p|" = "remove"\n', ("no damping in roll",)),
    ],
)
def test_what_is_suspicious_is_said(text, words):
    report = variant(text)
    assert has(report, "warn", *words), str(report)


@pytest.mark.slow
def test_lift_with_a_signed_u_feeds_energy_in_astern():
    assert has(check(load_vehicle("phoenix"), published=False), "ok", "take energy out", "astern")
    report = variant("[hydro]\nu_rule = 'signed'\n", "phoenix")  # errata B58
    assert has(report, "ok", "take energy out", "ahead")
    assert has(report, "warn", "feed energy into", "astern")


def test_squares_that_symmetry_allows_are_left_alone():
    report = variant("[hydro.coefficients]\nX_vv = -3.0\nX_rr = 0.1\nM_vv = 0.2\n")
    assert has(report, "ok", "no square without a sign")


def test_a_held_motion_and_a_guess_are_noted():
    report = check(load_vehicle("delphin2"), published=False)
    assert has(report, "note", "held", "heave, roll, pitch")
    assert has(report, "note", "guessed", "body.cg_m")


def test_an_unstable_vehicle_is_named_with_its_doubling_time():
    report = check(load_vehicle("iver3"), published=False)
    assert report.ok
    assert has(report, "note", "sway-yaw: unstable, doubles in", "needs its autopilot")


@pytest.mark.slow
def test_helm_costs_speed():
    """By coefficients, and by four free fins without drag: lift is across the flow and does no work."""
    assert has(variant(""), "ok", "half helm", "costs speed")
    assert has(check(load_vehicle("eca_a9"), published=False), "ok", "half helm", "costs speed")


@pytest.mark.slow
@pytest.mark.parametrize(("base", "net_N"), [("lauv", -30.0), ("eca_a9", 34.0)])
def test_helm_is_judged_at_neutral_buoyancy(base, net_N):
    """One that its planes turn down sinks the faster for its weight; that is no fault of the planes."""
    assert has(variant(f"[body]\nnet_buoyancy_N = {net_N}\n", base), "ok", "half helm", "costs speed")


def test_a_rudder_that_pushes_ahead_is_named():
    pushed = variant("[body]\nnet_buoyancy_N = -30.0\n[hydro.coefficients]\nX_uudrdr = 40.0\n")
    assert has(pushed, "warn", "gains speed with half helm", "rudder")


def test_a_glider_is_looked_at_gliding():
    report = check(load_vehicle("slocum"), published=False)
    assert has(report, "ok", "steady glide")
    assert not has(report, "warn", "no damping")


def test_a_vehicle_without_sources_or_checks_is_told_so():
    text = """
name = "Bare"
class = "ROV"
[body]
mass_kg = 10.0
neutral = true
cg_m = [0.0, 0.0, 0.02]
inertia_kg_m2 = [1.0, 1.0, 1.0]
[geometry]
length_m = 1.0
"""
    report = check(loads(text))
    assert report.ok
    assert has(report, "warn", "no sources")
    assert has(report, "warn", "no published figure")
    assert has(report, "warn", "no damping in surge, sway, heave, roll, pitch, yaw")


@pytest.mark.slow
def test_a_hull_that_does_not_enclose_its_volume_is_noticed():
    auv = 'name = "V"\nclass = "torpedo AUV"\nextends = "lauv"\n'
    small = loads(auv + '[[shape]]\nkind = "cylinder"\nlength_m = 1.0\nradius_m = 0.05\n', "v.toml")
    assert has(check(small, published=False), "warn", "[[shape]] encloses 0.007854 m3", "0.01766 m3", "56 % smaller")
    assert has(check(load_vehicle("lauv"), published=False), "ok", "[[shape]] encloses")
    # the frame of an ROV is open: not asked
    assert not any("encloses" in text for _, text in check(load_vehicle("bluerov2_heavy"), published=False).lines)


def test_volumes_of_the_kinds_of_shape():
    shapes = {
        Shape("box", size_m=(2.0, 3.0, 4.0)): 24.0,
        Shape("ellipsoid", size_m=(1.0, 2.0, 3.0)): 8.0 * pi,
        Shape("cylinder", size_m=(2.0, 0.5)): 0.5 * pi,
        Shape("capsule", size_m=(1.0, 0.5)): pi / 6.0,  # a sphere: all ends, no tube
        Shape("stations", stations=((0.0, 1.0, 1.0), (2.0, 1.0, 1.0))): 0.5 * pi,
    }
    lauv = load_vehicle("lauv")
    for shape, volume in shapes.items():
        assert shape_volume(replace(lauv, shapes=(shape,))) == (approx(volume, rel=1e-12), "[[shape]]")
    text = (
        'name = "V"\nclass = "AUV"\n[body]\nmass_kg = 30.0\nneutral = true\ninertia_kg_m2 = [1, 5, 5]\n'
        '[geometry]\nlength_m = 2.0\ndiameter_cm = 20\n[added_mass]\nfrom_hull = "{}"\n'
    )
    assert shape_volume(loads(text.format("spheroid"))) == (approx(4.0 / 300.0 * pi), "the spheroid of [added_mass]")
    assert shape_volume(loads(text.format("cylinder"))) == (approx(0.02 * pi), "the cylinder of [added_mass]")


def test_the_users_vehicles_of_the_pages_pass(tmp_path):
    """A file that extends a library vehicle is not held to figures published for the other one."""
    text, *_ = re.findall(r"^```toml\n(.*?)^```", (ROOT / "README.md").read_text(), re.M | re.S)
    (tmp_path / "my_rov.toml").write_text(text)
    for path in (tmp_path / "my_rov.toml", ROOT / "examples" / "my_vehicle.toml"):
        report = check(load_vehicle(path))
        assert report.ok, str(report)
        assert has(report, "warn", "no published figure")


@pytest.mark.slow
@pytest.mark.parametrize("mass", ["1e-18", "1e-6", "1e6", "1e18"])
def test_absurd_numbers_are_looked_at_without_a_fuss(mass):
    """Warnings are errors here, so a RuntimeWarning would fail."""
    report = check(loads(f'extends = "bluerov2_heavy"\n[body]\nmass_kg = {mass}\n'), published=False)
    assert has(report, "warn", "net buoyancy") or has(report, "ok", "net buoyancy")


@pytest.mark.slow
def test_the_command_prints_levels_and_sets_the_exit_code(tmp_path):
    bad = tmp_path / "bad.toml"
    bad.write_text('extends = "lauv"\nname = "Bad"\nclass = "test"\n[[check]]\nid = "speed"\nkind = "measured"\n'
                   'quantity = "surge"\nvalue = 3.0\nunit = "m/s"\ntolerance = 0.01\ntest = "steady_speed"\n'
                   'setup = { external = { X_N = 10.0 }, free = ["u"], seconds = 60, axis = "u" }\n')  # fmt: skip
    done = [
        subprocess.run(
            [sys.executable, "-m", "pelagos", "check", name], check=False, cwd=ROOT, capture_output=True, text=True
        )
        for name in ("lauv", str(bad))
    ]
    assert done[0].returncode == 0, done[0].stderr
    assert "trim_maker" in done[0].stdout
    assert done[1].returncode == 1
    assert "NOT MET" in done[1].stdout


LAUV = load_vehicle("lauv")
PUSH = {"external": {"X_N": 10.0}, "free": ["u"], "seconds": 120, "axis": "u"}


def check_entry(**changes) -> Check:
    fields = dict(id="c", kind="measured", quantity="w", value=1.013, unit="m/s", tolerance=0.05, test="", setup={})
    return Check(**{**fields, **changes})


def test_the_sentence_of_a_figure():
    result = CheckResult(check_entry(), (1.045,), (0.0316,))
    assert str(result) == "c: measured 1.013, ours 1.045 m/s, +3.2 % (tolerance 5 %): met"
    result = CheckResult(check_entry(kind="published", value=(1.0, 2.0)), (1.1, 2.0), (0.1, 0.0))
    assert str(result) == "c: published 1, 2, ours 1.1, 2 m/s, worst +10 % (tolerance 5 %): NOT MET"
    result = CheckResult(check_entry(value=0.0, unit="N", tolerance=0.01), (0.002,), (0.002,))
    assert str(result) == "c: measured 0, ours 0.002 N, +0.002 N (tolerance 0.01 N): met"


def test_a_check_without_procedure_is_documented_only():
    result = evaluate(LAUV, check_entry())
    assert not result.ran
    assert not result.met
    assert str(result) == "c: measured 1.013 m/s: documented only"


def test_a_check_without_its_data_says_which_file_is_missing():
    with pytest.raises(
        VehicleFileError, match=r'check.setup.data = "nowhere.csv": no such file beside the vehicle file'
    ):
        evaluate(load_vehicle("slocum"), check_entry(test="glider_flight", setup={"data": "nowhere.csv"}))


def test_units_of_the_check_are_honoured():
    check = check_entry(value=1.60159 / 0.3048, unit="ft/s", tolerance=1e-5, test="steady_speed", setup=PUSH)
    result = evaluate(LAUV, check)
    assert result.met
    assert result.ours[0] == approx(1.60159 / 0.3048, rel=1e-5)  # digits of the closed form


def test_a_wrong_figure_is_not_met():
    check = check_entry(value=1.5, tolerance=0.01, test="steady_speed", setup=PUSH)
    result = evaluate(LAUV, check)
    assert not result.met
    assert result.worst == approx(1.60159 / 1.5 - 1.0, abs=1e-5)
    assert "NOT MET" in str(result)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"test": "steady_sped"}, 'did you mean "steady_speed"'),
        ({"test": "steady_speed", "unit": "furlong"}, "no such unit"),
        ({"test": "steady_speed", "setup": {"axis": "u"}}, "needs seconds"),
        ({"test": "steady_speed", "setup": {**PUSH, "axis": "x"}}, 'check.setup.axis = "x": expected one of u, v, w'),
        ({"test": "steady_speed", "setup": {**PUSH, "thrusters": {"propellor_rpm": 3}}}, 'did you mean "propeller"'),
        ({"test": "steady_speed", "setup": {**PUSH, "seconds": "long"}}, "does not fit the procedure steady_speed"),
        ({"test": "formula", "setup": {"name": "crossflow_side_area"}}, "needs a [crossflow] in the file"),
        ({"test": "formula", "setup": {"name": "crossflow_area"}}, 'did you mean "crossflow_side_area"?'),
        (
            {"test": "mass_matrix", "setup": {"entries": ["11", "22"]}},
            "check c.value = 1.013: expected as many",
        ),
    ],
)
def test_a_bad_check_is_one_sentence(changes, sentence):
    with pytest.raises(VehicleFileError) as caught:
        evaluate(LAUV, check_entry(**changes))
    assert sentence in str(caught.value)
    assert "\n" not in str(caught.value)


def test_evidence_keeps_the_order_of_the_file():
    assert [result.check.id for result in evidence(LAUV)] == [check.id for check in LAUV.checks]
