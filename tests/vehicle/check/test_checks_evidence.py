"""Checks run and compared: the words of a result, its units, and refusals."""

import pytest
from pytest import approx

from pelagos.errors import VehicleFileError
from pelagos.vehicle.check.checks import CheckResult, evaluate, evidence
from pelagos.vehicle.load.vehicle import load_vehicle
from pelagos.vehicle.spec import Check

LAUV = load_vehicle("lauv")
PUSH = {"external": {"X_N": 10.0}, "free": ["u"], "seconds": 120, "axis": "u"}


def a_check(**changes) -> Check:
    given = dict(id="c", kind="measured", quantity="w", value=1.013, unit="m/s", tolerance=0.05, test="", setup={})
    return Check(**{**given, **changes})


def test_the_sentence_of_a_figure():
    result = CheckResult(a_check(), (1.045,), (0.0316,))
    assert str(result) == "c: measured 1.013, ours 1.045 m/s, +3.2 % (tolerance 5 %): met"
    result = CheckResult(a_check(kind="published", value=(1.0, 2.0)), (1.1, 2.0), (0.1, 0.0))
    assert str(result) == "c: published 1, 2, ours 1.1, 2 m/s, worst +10 % (tolerance 5 %): NOT MET"
    result = CheckResult(a_check(value=0.0, unit="N", tolerance=0.01), (0.002,), (0.002,))
    assert str(result) == "c: measured 0, ours 0.002 N, +0.002 N (tolerance 0.01 N): met"


def test_a_check_without_procedure_is_documented_only():
    result = evaluate(LAUV, a_check())
    assert not result.ran
    assert not result.met
    assert str(result) == "c: measured 1.013 m/s: documented only"


def test_a_check_without_its_data_says_which_file_is_missing():
    with pytest.raises(
        VehicleFileError, match=r'check.setup.data = "nowhere.csv": no such file beside the vehicle file'
    ):
        evaluate(load_vehicle("slocum"), a_check(test="glider_flight", setup={"data": "nowhere.csv"}))


def test_units_of_the_check_are_honoured():
    check = a_check(value=1.60159 / 0.3048, unit="ft/s", tolerance=1e-5, test="steady_speed", setup=PUSH)
    result = evaluate(LAUV, check)
    assert result.met
    assert result.ours[0] == approx(1.60159 / 0.3048, rel=1e-5)  # digits of the closed form


def test_a_wrong_figure_is_not_met():
    check = a_check(value=1.5, tolerance=0.01, test="steady_speed", setup=PUSH)
    result = evaluate(LAUV, check)
    assert not result.met
    assert result.worst == approx(1.60159 / 1.5 - 1.0, abs=1e-5)
    assert "NOT MET" in str(result)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"test": "steady_sped"}, 'did you mean "steady_speed"'),
        ({"test": "steady_speed", "unit": "furlong"}, "no such unit"),
        ({"test": "steady_speed", "setup": {"axis": "u"}}, "needs seconds"),
        ({"test": "steady_speed", "setup": {**PUSH, "axis": "x"}}, "does not fit"),
        ({"test": "steady_speed", "setup": {**PUSH, "thrusters": {"propellor_rpm": 3}}}, 'did you mean "propeller"'),
        ({"test": "formula", "setup": {"name": "crossflow_side_area"}}, "no formula"),
        ({"test": "mass_matrix", "setup": {"entries": ["11", "22"]}}, "1 numbers, but"),
    ],
)
def test_a_bad_check_is_one_sentence(changes, said):
    with pytest.raises(VehicleFileError) as caught:
        evaluate(LAUV, a_check(**changes))
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_evidence_keeps_the_order_of_the_file():
    assert [result.check.id for result in evidence(LAUV)] == [check.id for check in LAUV.checks]
