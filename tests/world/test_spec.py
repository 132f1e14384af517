"""The description of a world: direction of the current, refused keys."""

from copy import deepcopy
from dataclasses import fields, replace
from inspect import signature
from math import inf, nan

import numpy as np
import pytest

from pelagos.errors import ScenarioError
from pelagos.world.spec import World


def test_still_deep_water_by_default():
    world = World()
    assert world.depth_m == inf
    assert world.density_kg_m3 is None
    assert world.gravity_m_s2 is None
    np.testing.assert_array_equal(world.current_n(0.0), 0.0)


@pytest.mark.parametrize(
    ("to_deg", "expected"), [(0.0, [1, 0, 0]), (90.0, [0, 1, 0]), (180.0, [-1, 0, 0]), (225.0, [-(0.5**0.5)] * 2 + [0])]
)
def test_current_flows_towards_its_direction(to_deg, expected):
    """Clockwise from north, towards, not from."""
    np.testing.assert_allclose(World(current_m_s=1.0, current_to_deg=to_deg).current_n(7.0), expected, atol=1e-15)


def test_a_vertical_part():
    np.testing.assert_array_equal(World(current_down_m_s=-0.2).current_n(0.0), [0, 0, -0.2])


def test_a_current_that_changes_with_time():
    world = World(current=lambda t: (0.1 * t, 0.2, 0.0))
    np.testing.assert_allclose(world.current_n(3.0), [0.3, 0.2, 0.0], rtol=1e-15)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("depth_m", 0.0),
        ("depth_m", nan),
        ("density_kg_m3", -1025.0),
        ("density_kg_m3", inf),
        ("density_kg_m3", True),
        ("depth_m", "3"),
        ("depth_m", None),
        ("depth_m", np.ones(100)),
        ("gravity_m_s2", 0.0),
        ("gravity_m_s2", inf),
        ("current_m_s", "fast"),
        ("current_m_s", inf),
        ("current_to_deg", nan),
        ("density_gradient_kg_m4", inf),
    ],
)
def test_what_no_sea_has_is_refused_in_one_sentence(key, value):
    with pytest.raises(ScenarioError) as error:
        World(**{key: value})
    sentence = str(error.value)
    assert key in sentence
    assert "expected" in sentence or "a number above 0" in sentence or "a finite number" in sentence
    assert "\n" not in sentence


@pytest.mark.parametrize("flow", [(1.0, 2.0), (1.0, nan, 0.0), 3.0, None, "abc", ["1", "2", "3"]])
def test_a_current_function_must_return_three_finite_numbers(flow):
    with pytest.raises(ScenarioError, match=r"current\(2\)"):
        World(current=lambda _: flow).current_n(2.0)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"dept_m": 3}, 'dept_m = 3: no such key; .* did you mean "depth_m"'),
        ({"current": 3}, "current = .*a function of time"),
        ({"current": lambda t: (0, 0, 0), "current_m_s": 0.1}, "current_m_s = 0.1: not together with the function"),
        ({"current": lambda t: (0, 0, 0), "current_to_deg": 90}, "current_to_deg = 90: not together"),
    ],
)
def test_what_cannot_be_meant_is_refused(given, message):
    with pytest.raises(ScenarioError, match=message):
        World(**given)


def test_values_are_given_by_name():
    with pytest.raises(ScenarioError, match="30 has no name"):
        World(30)


def test_it_is_still_a_dataclass_with_a_signature():
    deeper = replace(World(depth_m=30, current_m_s=0.2), depth_m=40)
    assert (deeper.depth_m, deeper.current_m_s) == (40, 0.2)
    assert deepcopy(deeper) == deeper
    assert list(signature(World).parameters) == [f.name for f in fields(World)]


def test_the_description_does_not_change():
    with pytest.raises(AttributeError):
        World().depth_m = 3.0
