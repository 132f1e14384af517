"""Directions and rates that controllers share, by hand."""

import math

import pytest

from pelagos.control.base import depth_rate, down_in_body, level_velocity, turned


def test_turned_by_the_heading_is_north_and_east():
    assert turned(1.0, 0.0, math.radians(30.0)) == pytest.approx((math.cos(math.pi / 6), 0.5))
    assert turned(0.0, 1.0, math.radians(90.0)) == pytest.approx((-1.0, 0.0), abs=1e-12)


def test_the_rate_of_depth_is_the_velocity_along_the_vertical():
    pitch = 0.3  # by hand, without roll: w cos(theta) - u sin(theta)
    rate = depth_rate(down_in_body(0.0, pitch), (1.5, 0.1, 0.2))
    assert rate == pytest.approx(0.2 * math.cos(pitch) - 1.5 * math.sin(pitch), rel=1e-14)


def test_a_rolled_and_pitched_hull_that_only_sinks_does_not_move_level():
    roll, pitch = 0.4, -0.3
    u, v, w = down_in_body(roll, pitch)
    level = level_velocity(u, v, w, math.sin(roll), math.cos(roll), math.sin(pitch), math.cos(pitch))
    assert level == pytest.approx((0.0, 0.0), abs=1e-15)
