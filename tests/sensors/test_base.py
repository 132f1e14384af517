"""Common parts of instruments: instants, error terms and their statistics, refused keys."""

import math

import numpy as np
import pytest

from pelagos.errors import ScenarioError
from pelagos.sensors.base import Errors, Sensor, walk_step
from pelagos.sensors.depth import Depth
from tests.sensors.still import instant


def rng(seed=1):
    return np.random.default_rng(seed)


def test_a_point_of_a_turning_body():
    now = instant(position=(1.0, 2.0, 10.0), euler_deg=(0.0, 0.0, 90.0), nu=(1.0, 0.0, 0.0, 0.0, 0.0, 0.5))
    assert now.place_n((2.0, 0.0, 1.0)) == pytest.approx([1.0, 4.0, 11.0])
    # omega x r = (0, 0, 0.5) x (2, 0, 1) = (0, 1, 0)
    assert now.velocity_b((2.0, 0.0, 1.0)) == pytest.approx([1.0, 1.0, 0.0])


def test_depth_of_a_point_is_under_the_moving_surface_or_under_zero():
    bow = (1.0, 0.0, 0.0)
    pitched = {"euler_deg": (0.0, 30.0, 0.0), "position": (0.0, 0.0, 3.0)}
    assert instant(**pitched).depth_of(bow) == pytest.approx(2.5)  # bow up by sin 30 deg
    assert instant(**pitched, below_m=4.0).depth_of(bow) == pytest.approx(3.5)


@pytest.mark.slow
def test_noise_bias_and_scale_have_the_given_deviations():
    n = 20000
    errors = Errors(rng(), n, noise=0.3, bias=2.0, scale=0.05)
    # the deviation of n normal draws is known to 1/sqrt(2n) = 0.5 %: four of these
    zero = errors.apply(0.0, 1.0)
    assert errors.offset.std() == pytest.approx(2.0, rel=0.02)
    assert (zero - errors.offset).std() == pytest.approx(0.3, rel=0.02)
    assert (errors.slope - 1.0).std() == pytest.approx(0.05, rel=0.02)
    assert abs(errors.slope.mean() - 1.0) < 4.0 * 0.05 / math.sqrt(n)
    again = errors.apply(10.0, 1.0) - errors.apply(0.0, 1.0)  # the constant parts go, the slope and two noises stay
    assert again.mean() == pytest.approx(10.0, abs=4.0 * math.hypot(0.5, 0.42) / math.sqrt(n))


@pytest.mark.slow
def test_a_random_walk_grows_with_the_root_of_time_whatever_the_step():
    for steps, dt in ((16, 1.0), (4, 4.0)):
        errors = Errors(rng(), 20000, walk=0.1)
        for _ in range(steps):
            value = errors.apply(0.0, dt)
        assert value.std() == pytest.approx(0.1 * math.sqrt(16.0), rel=0.02)


def test_a_gauss_markov_process_stays_and_forgets():
    n, walk, memory = 20000, 0.2, 50.0
    errors = Errors(rng(), n, walk=walk, memory_s=memory)
    sigma = walk * math.sqrt(0.5 * memory)
    first = errors.apply(0.0, 0.0)
    assert first.std() == pytest.approx(sigma, rel=0.02)
    for _ in range(5):
        later = errors.apply(0.0, 10.0)
    assert later.std() == pytest.approx(sigma, rel=0.02)
    # after one memory the correlation is 1/e; that of n pairs is known to 1/sqrt(n)
    assert np.corrcoef(first, later)[0, 1] == pytest.approx(math.exp(-1.0), abs=4.0 / math.sqrt(n))


def test_two_small_steps_of_a_walk_are_one_large_step():
    for memory in (math.inf, 30.0):
        keep, spread = walk_step(0.3, memory, 1.0)
        whole_keep, whole = walk_step(0.3, memory, 2.0)
        assert keep * keep == pytest.approx(whole_keep, rel=1e-14)
        assert math.hypot(keep * spread, spread) == pytest.approx(whole, rel=1e-14)


def test_time_between_readings_is_taken_from_their_times():
    by_time, by_step = Errors(rng(), 3, walk=1.0, noise=0.1), Errors(rng(), 3, walk=1.0, noise=0.1)
    times = [5.0, 5.5, 7.0]
    steps = [0.0, 0.5, 1.5]
    for time, step in zip(times, steps, strict=True):
        assert np.array_equal(by_time.at(1.0, time), by_step.apply(1.0, step))


def test_resolution_makes_steps():
    value = Errors(rng(), 1000, noise=1.0, resolution=0.25).apply(3.0, 1.0)
    assert np.array_equal(value, np.round(value * 4.0) / 4.0)
    assert len(np.unique(value)) > 10


def test_axes_of_the_instrument():
    sensor = Sensor(orientation_deg=(0.0, 0.0, 90.0))
    assert sensor.R_bs @ [1.0, 0.0, 0.0] == pytest.approx([0.0, 1.0, 0.0])  # its x looks to starboard


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ({"rate_hz": 0.0}, "sensor: rate_hz = 0.0: expected a number from 1e-06 to 10000"),
        ({"dropout": 1.5}, "sensor: dropout = 1.5: expected a number from 0 to 1"),
        ({"latency_s": math.nan}, "sensor: latency_s = nan: expected a number from 0 to 3600"),
        ({"latency_s": "soon"}, 'sensor: latency_s = "soon": expected a number from 0 to 3600'),
        ({"position_m": (1.0, 2.0)}, "sensor: position_m = [1.0, 2.0]: expected three finite numbers"),
        ({"name": "my depth"}, 'sensor: name = "my depth": expected letters, digits and _, for the names of columns'),
        ({"noise_m": -1.0}, "sensor: noise_m = -1.0: expected a number from 0 to 10000"),
    ],
)
def test_what_no_instrument_has_is_refused_in_a_sentence(keys, message):
    with pytest.raises(ScenarioError) as caught:
        Depth(**keys)
    assert str(caught.value) == message
