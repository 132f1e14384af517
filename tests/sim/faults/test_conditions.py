"""Conditions: parsed once, evaluated often, restricted to arithmetic; one vehicle and arrays agree."""

import copy
import math
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pelagos.errors import ScenarioError
from pelagos.sim.faults.conditions import NAMES, Condition, ObservedSimulation
from pelagos.sim.simulation import Simulation
from pelagos.world.spec import World


@pytest.fixture(scope="module")
def sim():
    made = Simulation("bluerov2_heavy", World(depth_m=30.0))
    made.place(north_m=3.0, east_m=-4.0, depth_m=12.0, heading_deg=350.0, pitch_deg=5.0, surge_m_s=0.6, sway_m_s=0.8)
    return made


@pytest.mark.parametrize(
    ("text", "true"),
    [
        ("depth_m > 11.9", True),
        ("depth_m > 12.1", False),
        ("altitude_m == 18", True),
        ("depth_m > 20 or heading_deg > 340 and pitch_deg < 6", True),
        ("not (depth_m > 20)", True),
        ("abs(east_m) + north_m == 7", True),
        ("distance_m == 5", True),
        ("max(surge_m_s, sway_m_s) / 2 < 0.41", True),
        ("0.99 < speed_m_s < 1.01", True),
        ("tether_tension_N > 0", False),  # there is none: unknown, not zero
        ("tether_tension_N < 1e9", False),
        ("1 / (north_m - 3) > 0", False),  # no crash
        ("mission_done == 1", False),
    ],
)
def test_values_of_conditions(sim, text, true):
    assert Condition(text).holds(sim) is true


def test_every_name_can_be_used(sim):
    observed = ObservedSimulation(sim)
    for name in NAMES:
        assert math.isfinite(NAMES[name](observed)) or name.startswith(("tether", "leg", "contact_with"))


def test_a_name_has_the_value_of_its_column(sim):
    row, _ = sim.sample()
    line = dict(zip(sim.columns(), row.tolist(), strict=True))
    observed = ObservedSimulation(sim)
    for name in line.keys() & NAMES.keys():
        assert NAMES[name](observed) == pytest.approx(line[name], rel=0.0, abs=0.0, nan_ok=True), name


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("depth > 3", 'there is no quantity "depth"'),
        ("depth_m >", "expected a condition such as"),
        ("__import__('os').system('true')", "expected"),
        ("depth_m.__class__", "found Attribute"),
        ("open(1)", "expected one of abs, min, max"),
        ("'depth_m' > 3", "found Constant"),
        ("[depth_m]", "found List"),
        ("(lambda: 1)()", "found Lambda"),
    ],
)
def test_what_is_refused(text, sentence):
    with pytest.raises(ScenarioError) as caught:
        Condition(text)
    assert sentence in str(caught.value)


def test_the_nearest_name_is_offered():
    with pytest.raises(ScenarioError, match='did you mean "altitude_m"'):
        Condition("altitud_m < 3")


def test_a_copy_works(sim):
    assert copy.deepcopy(Condition("depth_m > 11")).holds(sim)


@pytest.mark.parametrize("text", ["abs(1, 2) > 1", "min()", "max(depth_m) > 1", "abs()"])
def test_functions_with_the_wrong_number_of_values_are_refused_when_read(text):
    with pytest.raises(ScenarioError, match=r"values in (abs|min|max)\(\)"):
        Condition(text)


NUMBERS = [math.nan, -2.0, -1.0, 0.0, 0.5, 1.0, 2.0, 3.0]
VARIABLES = ("depth_m", "altitude_m", "wet_share")  # on arrays an attribute each


def expressions(parts):
    two = st.tuples(parts, parts)
    return st.one_of(
        st.tuples(parts, st.sampled_from(["+", "-", "*", "/"]), parts).map(" ".join),
        st.tuples(parts, st.sampled_from(["<", "<=", "==", "!=", ">", ">="]), parts).map(" ".join),
        st.tuples(parts, parts, parts).map(lambda three: "{} < {} <= {}".format(*three)),
        st.tuples(parts, st.sampled_from(["and", "or"]), parts).map(" ".join),
        two.map(lambda pair: "min({}, {})".format(*pair)),
        two.map(lambda pair: "max({}, {})".format(*pair)),
        parts.map("abs({})".format), parts.map("-({})".format), parts.map("not ({})".format),
    ).map("({})".format)  # fmt: skip


TEXTS = st.recursive(st.sampled_from([*VARIABLES, "0", "1", "2.5", "True"]), expressions, max_leaves=9)


@settings(max_examples=300, deadline=None)
@given(TEXTS, st.lists(st.tuples(*[st.sampled_from(NUMBERS)] * 3), min_size=1, max_size=8))
def test_arrays_give_what_single_values_give(text, rows):
    """Also for NaN, divisions by zero, and what `and`, `or` and chains of comparisons leave out."""
    condition, columns = Condition(text), np.array(rows).T
    runs, *single = (
        SimpleNamespace(position_n=(0.0, 0.0, depth), altitude_m=altitude, wet_share=share)
        for depth, altitude, share in (columns, *rows)
    )
    assert condition.holds_each(runs, len(rows)).tolist() == [condition.true_for(run) for run in single]


@pytest.mark.parametrize(
    ("text", "true"),
    [
        ("2 > 3 > 1 / 0", False),
        ("not (2 > 3 > 1 / 0)", True),  # the chain ends before the division
        ("1 > 0 or 1 / 0 > 1", True),
        ("1 / 0 > 1 or 1 > 0", False),
        ("not 1 / 0", False),
        ("altitude_m", True),  # unknown, and not zero
        ("not altitude_m", False),
        ("altitude_m == altitude_m", False),
        ("max(altitude_m, 1) > 0", False),  # the first value stays: nothing is greater than NaN
        ("max(1, altitude_m) > 0", True),
        ("(depth_m > 0) + (depth_m > 1) == 2", True),
    ],
)
def test_rules_of_unknown_values_and_division(text, true):
    run = SimpleNamespace(position_n=(0.0, 0.0, 4.0), altitude_m=math.nan)
    runs = SimpleNamespace(position_n=np.full((3, 2), 4.0), altitude_m=np.full(2, math.nan))
    assert Condition(text).true_for(run) is true
    assert Condition(text).holds_each(runs, 2).tolist() == [true, true]


def test_numbers_beyond_floats_are_refused():
    with pytest.raises(ScenarioError, match=r"numbers up to 1\.8e308"):
        Condition(f"depth_m < {'9' * 400}")
