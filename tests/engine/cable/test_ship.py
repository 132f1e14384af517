"""Position of the ship's end of a cable: on a path, following the vehicle, in waves."""

import math

import numpy as np
import pytest

from pelagos.tether.line import Line
from pelagos.tether.spec import Tether
from pelagos.world.spec import World
from pelagos.world.waves import Waves
from tests.tether.flown import DT, HEAVY, endless, fly, stay


def rig(end_n, sea=None, **how):
    line = Line(HEAVY, Tether(length_m=30.0, elements=10, **how), sea=endless() if sea is None else sea)
    assert line.settle(end_n)
    return line


def places(line, seconds):
    """Place and velocity of the ship after each step while the vehicle stays."""
    seen = []
    stay(line, seconds, each=lambda q: seen.append((*q.head["ship"], *q.head["ship_velocity"])))
    return np.array(seen)


def test_a_moored_ship_stays():
    seen = places(rig((3.0, 4.0, 20.0), ship_north_m=1.0, ship_east_m=2.0, ship_depth_m=0.5), 1.0)
    np.testing.assert_array_equal(seen, np.tile([1.0, 2.0, 0.5, 0.0, 0.0, 0.0], (len(seen), 1)))


def test_a_path_is_sailed_at_its_speed_round_its_corners_to_its_end():
    path = ((0.0, 0.0), (4.0, 0.0), (4.0, 0.0), (4.0, 3.0))  # a point given twice is no obstacle
    line = rig((2.0, 1.0, 20.0), ship="path", ship_path_m=path, ship_speed_m_s=0.5)
    seen = places(line, 20.0)
    t = DT * np.arange(1, len(seen) + 1)
    s = np.minimum(0.5 * t, 7.0)
    np.testing.assert_allclose(seen[:, 0], np.minimum(s, 4.0), atol=1e-9)
    np.testing.assert_allclose(seen[:, 1], np.clip(s - 4.0, 0.0, 3.0), atol=1e-9)
    speed = np.hypot(seen[:, 3], seen[:, 4])
    np.testing.assert_allclose(speed[(t < 7.9) | ((t > 8.1) & (t < 13.9))], 0.5, rtol=1e-9)
    assert np.all(speed[t > 14.1] == 0.0)


def test_a_ship_that_follows_has_its_time_constant():
    line = rig((0.0, 0.0, 20.0), ship="follow", ship_lag_s=5.0, ship_speed_m_s=10.0, ship_north_m=-2.0, ship_east_m=0.0)
    seen = places(line, 15.0)
    t = DT * np.arange(1, len(seen) + 1)
    # implicit Euler: (1 + dt/lag)^-n; it differs from the exponential by t dt / 2 lag^2, under 0.3 % of the start
    np.testing.assert_allclose(seen[:, 0], -2.0 * np.exp(-t / 5.0), atol=0.006)


def test_a_ship_that_follows_has_a_greatest_speed_and_a_steady_lag():
    line = rig((0.0, 0.0, 20.0), ship="follow", ship_lag_s=5.0, ship_speed_m_s=0.5, ship_north_m=-10.0, ship_east_m=0.0)
    seen = places(line, 10.0)
    np.testing.assert_allclose(np.hypot(seen[:, 3], seen[:, 4]), 0.5, rtol=1e-9)
    line = rig((0.0, 0.0, 20.0), ship="follow", ship_lag_s=5.0, ship_speed_m_s=2.0)
    fly(line, (0.0, 12.0, 20.0), speed_m_s=0.3)
    # behind a vehicle at speed v by v lag, less what is left of the start, exp(-8); one step of the vehicle besides
    assert 12.0 - float(line.head["ship"][1]) == pytest.approx(0.3 * 5.0, abs=0.3 * DT + 0.002)


def test_it_heaves_with_the_wave_where_it_is():
    """A regular wave a cos(k x - omega t) in deep water; the surface is at z = -elevation."""
    height, period = 1.0, 6.0
    sea = World(waves=Waves(kind="regular", height_m=height, period_s=period)).packed()
    north = 3.0
    line = rig((north, 0.0, 20.0), sea=sea, ship="moored", ship_north_m=north, ship_east_m=0.0, ship_depth_m=-0.5)
    omega = 2.0 * math.pi / period
    k = omega**2 / 9.80665
    start = -0.5 - 0.5 * height * math.cos(k * north)
    assert float(line.head["ship"][2]) == pytest.approx(start, abs=0.002)  # at rest on the wave as it is at the start
    seen = places(line, 12.0)
    t = DT * np.arange(1, len(seen) + 1)
    up = 0.5 * height * np.cos(k * north - omega * t)
    # 2 mm: the gravity the world takes, and linear waves
    np.testing.assert_allclose(seen[:, 2], -0.5 - up, atol=0.002)
    np.testing.assert_allclose(
        np.cumsum(seen[:, 5]) * DT + start, seen[:, 2], atol=0.002
    )  # velocity is that of the place
    assert np.abs(seen[:, 5]).max() < 1.01 * 0.5 * height * omega


def test_a_ship_that_does_not_heave_is_still():
    sea = World(waves=Waves(kind="regular", height_m=1.0, period_s=6.0)).packed()
    seen = places(rig((3.0, 0.0, 20.0), sea=sea, heaves=False), 3.0)
    assert np.all(seen[:, 2] == 0.0)
