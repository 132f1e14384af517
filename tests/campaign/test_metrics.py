"""Metrics computed from logs."""

import math

import numpy as np
import pytest

from pelagos.campaign.metrics import check_metrics, measure, reads_forces
from pelagos.campaign.spec import Metric
from pelagos.errors import ScenarioError
from pelagos.sim.log.log import Log

TIME = np.arange(0.0, 10.1, 0.5)
LOG = Log({"time_s": TIME, "depth_m": TIME**2}, forces={"thrusters": np.outer(TIME, np.arange(6.0))})


def metric(**given):
    return Metric(**{"name": "m", "column": "depth_m", "take": "final", **given})


def value(**given):
    return measure([metric(**given)], {"rov": LOG})["m"]


def test_a_column_an_expression_a_force():
    assert value() == 100.0
    assert value(column="abs(depth_m - 10)", take="max") == 90.0
    assert value(column="thrusters_Y_N") == 10.0


def test_a_span_of_time_includes_its_ends():
    assert value(from_s=2.0, to_s=4.0, take="mean") == pytest.approx(np.mean([4.0, 6.25, 9.0, 12.25, 16.0]))
    assert value(from_s=9.9) == 100.0
    assert math.isnan(value(from_s=50.0))


def test_one_of_several_vehicles():
    other = Log({"time_s": TIME, "depth_m": -TIME})
    logs = {"a": LOG, "b": other}
    assert measure([metric(vehicle="b"), metric(name="n", vehicle="a")], logs) == {"m": -10.0, "n": 100.0}
    with pytest.raises(ScenarioError, match=r"metric\[0\].vehicle: is missing; expected one of a, b"):
        check_metrics([metric()], logs, "c.toml")
    with pytest.raises(ScenarioError, match=r'vehicle = "c": expected one of a, b'):
        check_metrics([metric(vehicle="c")], logs, "c.toml")


def test_a_column_that_is_not_there_is_refused_with_the_nearest():
    with pytest.raises(ScenarioError) as refusal:
        check_metrics([metric(), metric(name="n", column="abs(dept_m)")], {"rov": LOG}, "c.toml")
    assert str(refusal.value) == (
        'c.toml: metric[1].column = "abs(dept_m)": the log has no column "dept_m"; did you mean "depth_m"?'
    )


def test_forces_are_known_by_their_names():
    assert reads_forces([metric(), metric(column="abs(thrusters_X_N)")]) == "thrusters_X_N"
    assert reads_forces([metric(column="contact_N")]) == ""
