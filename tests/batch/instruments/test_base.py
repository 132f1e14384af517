"""Errors of many channels: walks and Gauss-Markov processes have the size of their closed forms; moments."""

import numpy as np
import pytest

from pelagos.batch.instruments.base import Draw, VectorErrors, stepped, walk_steps
from pelagos.batch.random import Noise
from pelagos.sensors.base import walk_step
from tests.batch.flown import N, many, one, track

MANY = 4000
ALL = slice(None)
SPREAD = 5.0 / np.sqrt(2.0 * MANY)  # 5 standard deviations of a standard deviation over so many, relative


def errors(**figures):
    draw = Draw(Noise(1, np.arange(MANY)), "tested")
    made = VectorErrors(draw, 0, MANY, **figures)
    draw.begin(ALL)
    made.begin(ALL)
    return made, draw


def readings(made, draw, times):
    found = []
    for t in times:
        draw.next(ALL)
        found.append(made.at(ALL, np.full((MANY, 1), 10.0), np.full(MANY, t))[:, 0])
    return np.array(found)


def test_constants_are_drawn_once_and_noise_each_time():
    made, draw = errors(bias=0.3, scale=0.02, noise=0.1)
    first, second = readings(made, draw, (0.0, 1.0))
    assert first.std() == pytest.approx(np.sqrt(0.3**2 + 0.2**2 + 0.1**2), rel=SPREAD)
    assert (first - second).std() == pytest.approx(0.1 * np.sqrt(2.0), rel=SPREAD)


def test_a_walk_grows_with_the_root_of_time_and_begins_at_nothing():
    made, draw = errors(walk=0.5)
    found = readings(made, draw, (2.0, 3.0, 6.0))
    assert found[0].std() == 0.0
    assert found[1].std() == pytest.approx(0.5, rel=SPREAD)
    assert found[2].std() == pytest.approx(0.5 * 2.0, rel=SPREAD)


def test_a_gauss_markov_process_stays_in_its_steady_state_and_forgets():
    made, draw = errors(walk=0.5, memory_s=8.0)
    first, later = readings(made, draw, (0.0, 4.0))
    for one_of_both in (first, later):
        assert one_of_both.std() == pytest.approx(0.5 * np.sqrt(0.5 * 8.0), rel=SPREAD)
    # the correlation of n pairs is known to (1 - r^2) / sqrt(n)
    r = np.exp(-4.0 / 8.0)
    assert np.corrcoef(first, later)[0, 1] == pytest.approx(r, abs=5.0 * (1.0 - r * r) / np.sqrt(MANY))


@pytest.mark.parametrize("memory_s", [np.inf, 7.0])
def test_walk_steps_are_those_of_one_vehicle(memory_s):
    dt = np.array([0.0, 0.1, 3.0])
    keep, spread = walk_steps(memory_s, dt)
    for i, t in enumerate(dt):
        assert (keep[i], 0.3 * spread[i]) == pytest.approx(walk_step(0.3, memory_s, t), rel=1e-14)


def test_one_speed_of_sound_for_all_channels():
    draw = Draw(Noise(1, np.arange(MANY)), "tested")
    made = VectorErrors(draw, 0, MANY, 3, scale=0.1, common=True)
    draw.begin(ALL)
    made.begin(ALL)
    draw.next(ALL)
    found = made.at(ALL, np.full((MANY, 3), 10.0), np.zeros(MANY))
    assert (found[:, 0] == found[:, 1]).all() and (found[:, 0] == found[:, 2]).all() and np.ptp(found[:, 0]) > 1.0


def test_instruments_of_other_names_draw_other_numbers():
    noise = Noise(1, np.arange(MANY))
    a, b = (Draw(noise, name).normal(0, 1)[:, 0] for name in ("depth", "spare"))
    assert abs(np.corrcoef(a, b)[0, 1]) < 5.0 / np.sqrt(MANY)


def test_steps_of_each_column():
    found = stepped(np.array([[1.26, 1.26]]), np.array([0.5, 0.0]))
    assert found.tolist() == [[1.5, 1.26]]


def test_moments_are_those_of_each_vehicle():
    row, point = track(N, 3)[2], (0.3, -0.2, 0.1)
    moments = many(row)
    part = moments.some(np.array([3, 1]))
    for i in range(N):
        single = one(row, i)
        # a rotation from angles and one from a quaternion differ by roundings of numbers up to 30
        np.testing.assert_allclose(moments.place_n(point)[i], single.place_n(point), rtol=1e-13, atol=1e-13)
        np.testing.assert_allclose(moments.velocity_b(point)[i], single.velocity_b(point), rtol=1e-13, atol=1e-13)
        assert moments.depth_of(point)[i] == pytest.approx(single.depth_of(point), abs=1e-13)
        assert moments.in_air(point)[i] == (single.wet_share < 1.0 and single.depth_of(point) < 0.0)
    np.testing.assert_array_equal(part.place_n(point), moments.place_n(point)[[3, 1]])
