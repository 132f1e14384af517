"""The sea as a description: where the current flows, what is refused."""

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


def test_a_current_that_changes_with_time_replaces_the_steady_one():
    world = World(current_m_s=5.0, current=lambda t: (0.1 * t, 0.2, 0.0))
    np.testing.assert_allclose(world.current_n(3.0), [0.3, 0.2, 0.0], rtol=1e-15)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("depth_m", 0.0),
        ("depth_m", nan),
        ("density_kg_m3", -1025.0),
        ("gravity_m_s2", 0.0),
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


@pytest.mark.parametrize("flow", [(1.0, 2.0), (1.0, nan, 0.0), 3.0])
def test_a_current_function_must_return_three_finite_numbers(flow):
    with pytest.raises(ScenarioError, match=r"current\(2\)"):
        World(current=lambda _: flow).current_n(2.0)


def test_the_description_does_not_change():
    with pytest.raises(AttributeError):
        World().depth_m = 3.0
