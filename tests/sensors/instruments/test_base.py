"""Errors of a channel against their closed forms, counted random numbers, drop-outs, saved states, without the JIT."""

import math

import numpy as np
import pytest

from pelagos.sensors.base import VehicleContext
from pelagos.sensors.depth import Depth
from pelagos.sensors.instruments.base import BLOCK, Draw, Errors, rounded, walk_step
from pelagos.sensors.instruments.instant import Instant
from pelagos.sensors.random import Noise
from tests.jit_off import needs_jit, without_jit
from tests.sensors.still import NOTHING

MANY = 20000
EVERY = np.arange(MANY)
SPREAD = 4.0 / math.sqrt(2.0 * MANY)  # 4 standard deviations of a standard deviation over so many, relative
LEVEL = np.array([1.0, 0.0, 0.0, 0.0])


def readings(times, true=10.0, k=1, **figures):
    """Readings (times, MANY, k) of one true value by new errors of many vehicles."""
    draw = Draw(Noise(1, EVERY), "tested")
    errors = Errors(draw, 0, k, **figures)
    draw.begin(EVERY)
    errors.begin(EVERY)
    rows = []
    for t in times:
        draw.next(EVERY)
        now = Instant(np.full(MANY, t), np.zeros(3), LEVEL, np.zeros(6))
        rows.append(errors.at(now, EVERY, np.full((MANY, k), true)))
    return np.array(rows)


def test_noise_bias_and_scale_have_the_declared_deviations():
    first, second = readings((0.0, 1.0), bias=0.3, scale=0.02, noise=0.1)[:, :, 0]
    assert first.std() == pytest.approx(math.sqrt(0.3**2 + 0.2**2 + 0.1**2), rel=SPREAD)
    assert first.mean() == pytest.approx(10.0, abs=4.0 * 0.374 / math.sqrt(MANY))
    assert (first - second).std() == pytest.approx(0.1 * math.sqrt(2.0), rel=SPREAD)  # what is drawn once goes


def test_noise_grows_with_the_true_value():
    assert readings((0.0,), noise=0.1, growth=0.02)[0].std() == pytest.approx(0.1 + 0.02 * 10.0, rel=SPREAD)


def test_a_random_walk_grows_with_the_root_of_time_whatever_the_step():
    for steps, dt in ((16, 1.0), (4, 4.0)):
        values = readings([dt * i for i in range(steps + 1)], walk=0.1)
        assert values[0].std() < 1e-12  # it begins at nothing
        assert values[-1].std() == pytest.approx(0.1 * math.sqrt(16.0), rel=SPREAD)


def test_a_gauss_markov_process_stays_and_forgets():
    walk, memory = 0.2, 50.0
    values = readings([10.0 * i for i in range(6)], walk=walk, memory_s=memory)[:, :, 0]
    for row in values[[0, -1]]:
        assert row.std() == pytest.approx(walk * math.sqrt(0.5 * memory), rel=SPREAD)
    # after one memory the correlation is 1/e; that of n pairs is known to 1/sqrt(n)
    assert np.corrcoef(values[0], values[-1])[0, 1] == pytest.approx(math.exp(-1.0), abs=4.0 / math.sqrt(MANY))


def test_two_small_steps_of_a_walk_are_one_large_step():
    for memory in (math.inf, 30.0):
        keep, spread = walk_step(0.3, memory, 1.0)
        whole_keep, whole = walk_step(0.3, memory, 2.0)
        assert keep * keep == pytest.approx(whole_keep, rel=1e-14)
        assert math.hypot(keep * spread, spread) == pytest.approx(whole, rel=1e-14)


def test_resolution_limits_and_turn():
    values = readings((0.0,), true=3.0, noise=1.0, resolution=0.25, high=4.0, low=2.0)[0]
    assert np.array_equal(values, np.round(values * 4.0) / 4.0)
    assert values.min() == 2.0 and values.max() == 4.0 and len(np.unique(values)) == 9
    # the error of a rounding to steps of d is uniform: its deviation is d / sqrt(12), known to 0.45 / sqrt(n)
    rounding = readings((0.0,), noise=1.0, resolution=0.25)[0] - readings((0.0,), noise=1.0)[0]
    assert rounding.std() == pytest.approx(0.25 / math.sqrt(12.0), rel=4.0 * 0.45 / math.sqrt(MANY))
    angles = readings((0.0,), true=0.0, noise=1.0, turn=360.0)[0]
    assert angles.min() >= 0.0 and angles.max() < 360.0 and 0.45 < (angles > 180.0).mean() < 0.55
    assert rounded(1.26, 0.0) == 1.26 and rounded(1.26, 0.5) == 1.5


def test_each_channel_has_its_own_sizes_and_may_share_the_slope():
    values = readings((0.0,), k=2, noise=(0.1, 0.0), bias=np.array((0.0, 0.5)))[0]
    assert values.std(axis=0) == pytest.approx([0.1, 0.5], rel=SPREAD)
    shared = readings((0.0,), k=3, scale=0.1, common=True, gain=2.0)[0]
    assert (shared == shared[:, :1]).all()
    assert shared[:, 0].std() == pytest.approx(2.0 * 10.0 * 0.1, rel=SPREAD)


def test_a_walk_leaves_the_noise_as_it_was():
    plain, walking = readings((0.0,), noise=0.1), readings((0.0,), noise=0.1, walk=1.0)
    np.testing.assert_array_equal(plain, walking)


def test_instruments_of_other_names_draw_other_numbers():
    noise = Noise(1, EVERY)
    a, b = (Draw(noise, name).normal(0, 1)[:, 0] for name in ("depth", "spare"))
    assert abs(np.corrcoef(a, b)[0, 1]) < 4.0 / math.sqrt(MANY)


def test_numbers_drawn_ahead_are_those_drawn_one_by_one():
    single, among = Draw(Noise(3, [7]), "x"), Draw(Noise(3, [4, 7]), "x")
    single.begin(np.arange(1))
    among.begin(np.arange(2))
    for count in (1, 3, BLOCK - 2, 5, 1):  # several readings of one vehicle in a call, across the end of a block
        single.next(np.zeros(count, np.intp))
        mine = single.normal(0, 3), single.uniform(1, 2)
        for i in range(count):
            among.next(np.arange(2))
            np.testing.assert_array_equal(mine[0][i], among.normal(0, 3)[1])
            np.testing.assert_array_equal(mine[1][i], among.uniform(1, 2)[1])


def test_readings_are_lost_at_the_declared_share():
    gauge = Depth(dropout=0.3).make(VehicleContext(), Noise(1, EVERY))
    gauge.measure(Instant(np.zeros(MANY), np.zeros(3), LEVEL, np.zeros(6)), NOTHING)
    # binomial: four standard deviations of the share of independent draws
    assert gauge.lost().mean() == pytest.approx(0.3, abs=4.0 * math.sqrt(0.21 / MANY))
    assert Depth().make(VehicleContext(), Noise(1)).lost() is None


def test_a_saved_state_goes_on_bit_for_bit_and_is_small():
    def taken(first, last):
        return [gauge.measure_single(Instant(float(t), np.zeros(3), LEVEL, np.zeros(6)), NOTHING)[0]
                for t in range(first, last)]  # fmt: skip

    gauge = Depth(noise_m=0.1, walk_m_sqrt_h=1.0, bias_m=1.0).make(VehicleContext(), Noise(1))
    taken(0, 20)
    saved = gauge.save()
    ahead = taken(20, 300)
    for _ in range(2):  # what was saved can be used again
        gauge.restore(saved)
        assert taken(20, 300) == ahead
    assert sum(array.nbytes for array in saved) < 100  # counters and errors, no generator


@needs_jit
def test_without_the_jit_the_same_numbers_come_out():
    code = (
        "Depth(noise_m=0.1, walk_m_sqrt_h=9.0, bias_m=1.0, resolution_m=1e-9).make(VehicleContext(), Noise(4, [1, 5]))"
        ".measure(Instant(np.zeros(2), np.array([0.0, 0.0, 9.0]), np.array([1.0, 0.0, 0.0, 0.0]), np.zeros(6)), 0)[0]"
        ".tolist()"
    )
    expected = without_jit("tests.sensors.instruments.plain", code)
    gauge = Depth(noise_m=0.1, walk_m_sqrt_h=9.0, bias_m=1.0, resolution_m=1e-9).make(
        VehicleContext(), Noise(4, [1, 5])
    )
    now = Instant(np.zeros(2), np.array([0.0, 0.0, 9.0]), LEVEL, np.zeros(6))
    np.testing.assert_allclose(gauge.measure(now, NOTHING)[0], expected, rtol=1e-12)
