"""Conditions: parsed once, evaluated often, restricted to arithmetic."""

import copy
import math

import pytest

from pelagos.errors import ScenarioError
from pelagos.sim.faults.conditions import NAMES, Condition
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
    for name in NAMES:
        assert math.isfinite(NAMES[name](sim)) or name.startswith(("tether", "leg"))


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("depth > 3", 'there is no quantity "depth"'),
        ("depth_m >", "expected a condition such as"),
        ("__import__('os').system('true')", "expected"),
        ("depth_m.__class__", "found Attribute"),
        ("open('x')", "expected one of abs, min, max"),
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
    with pytest.raises(ScenarioError, match="cannot be evaluated"):
        Condition(text)
