"""Counter-based random numbers: NumPy's Philox bit for bit, uniform and normal distributions, independent vehicles."""

import numpy as np
import pytest

from pelagos.errors import CommandError
from pelagos.sensors.random import Noise
from tests.jit_off import needs_jit, without_jit

VEHICLES = 20000


def numpys(noise, channel, step, index, k):
    """The same words of NumPy's generator, which adds 1 to its counter before it draws: so it begins one below."""
    first = (index << 192 | channel << 128 | step << 64) - 1
    philox = np.random.Philox(key=noise.keys[0], counter=first % (1 << 256))
    return philox.random_raw(k)


@pytest.mark.slow
@pytest.mark.parametrize("step", [0, 1, 7_000_000_000, (1 << 62) + 3])
def test_words_are_those_of_numpys_philox(step):
    noise = Noise(12345, [0, 1, 77, 2**40])
    words = noise.raw(9, step, 11)
    for row, index in zip(words, noise.indices.tolist(), strict=True):
        assert row.tolist() == numpys(noise, 9, step, index, 11).tolist()


def test_a_uniform_number_is_the_upper_53_bits_as_numpy_makes_them():
    noise = Noise(3, [5])
    first = (5 << 192 | 2 << 128) - 1
    generator = np.random.Generator(np.random.Philox(key=noise.keys[0], counter=first))
    assert noise.uniform(2, 0, 8)[0].tolist() == generator.random(8).tolist()


def test_normal_numbers_are_those_of_box_and_muller():
    noise = Noise(4, np.arange(500))
    words = noise.raw(1, 2, 6) >> np.uint64(11)
    u, v = words[:, 0::2] * 2.0**-53, words[:, 1::2] * 2.0**-53
    r = np.sqrt(-2.0 * np.log(u + 2.0**-53))
    expected = np.stack([r * np.cos(2.0 * np.pi * v), r * np.sin(2.0 * np.pi * v)], axis=-1).reshape(500, 6)
    # 2 pi v and the series are good to 4 roundings of numbers up to 8.6
    np.testing.assert_allclose(noise.normal(1, 2, 6), expected, rtol=0.0, atol=1e-14)


def test_normal_numbers_have_the_moments_and_the_shares_of_the_law():
    x = Noise(8, np.arange(VEHICLES)).normal(0, 0, 6).ravel()
    n = x.size
    # five standard deviations of each estimate, whose variances are 1/n, 2/n, E[x^6]/n = 15/n and 96/n
    assert abs(x.mean()) < 5.0 * np.sqrt(1.0 / n)
    assert abs(x.var() - 1.0) < 5.0 * np.sqrt(2.0 / n)
    assert abs((x**3).mean()) < 5.0 * np.sqrt(15.0 / n)
    assert abs((x**4).mean() - 3.0) < 5.0 * np.sqrt(96.0 / n)
    for bound, share in ((1.0, 0.682689492), (2.0, 0.954499736), (3.0, 0.997300204)):
        assert abs((np.abs(x) < bound).mean() - share) < 5.0 * np.sqrt(share * (1.0 - share) / n)


@pytest.mark.parametrize("across", ["place", "channel", "step", "vehicle", "seed"])
def test_neighbours_are_independent(across):
    noise = Noise(1, np.arange(VEHICLES))
    x = noise.normal(3, 10, 2)
    a, b = {
        "place": lambda: (x[:, 0], x[:, 1]),
        "channel": lambda: (x[:, 0], noise.normal(4, 10, 1)[:, 0]),
        "step": lambda: (x[:, 0], noise.normal(3, 11, 1)[:, 0]),
        "vehicle": lambda: (x[:-1, 0], x[1:, 0]),
        "seed": lambda: (x[:, 0], Noise(2, np.arange(VEHICLES)).normal(3, 10, 1)[:, 0]),
    }[across]()
    # the correlation of n independent pairs has a standard deviation of 1 / sqrt(n); squares show hidden ties of size
    for first, second in ((a, b), (a * a - 1.0, b * b - 1.0)):
        assert abs(np.corrcoef(first, second)[0, 1]) < 5.0 / np.sqrt(len(first))


def test_a_vehicle_draws_the_same_alone_in_any_order_and_among_any_number():
    many = Noise(6, np.arange(1001))
    steps = np.arange(1001) % 13
    all_of_them = many.normal(5, steps, 7)
    order = np.random.default_rng(0).permutation(1001)
    assert np.array_equal(Noise(6, order).normal(5, steps[order], 7), all_of_them[order])
    assert np.array_equal(Noise(6, [400]).normal(5, int(steps[400]), 7)[0], all_of_them[400])
    rows = np.array([3, 999, 4])
    assert np.array_equal(many.normal(5, steps[rows], 7, rows), all_of_them[rows])
    assert np.array_equal(many.normal(5, steps, 3), all_of_them[:, :3])  # fewer are the first of more


def test_vehicles_with_seeds_of_their_own_draw_what_each_draws_alone():
    seeds, indices = [3, 1, 2**70], [5, 5, 0]
    mixed, steps = Noise(seeds, indices), np.array([0, 7, 7])
    for draw in ("raw", "uniform", "normal"):
        rows = getattr(mixed, draw)(2, steps, 6)
        for i in range(3):
            alone = getattr(Noise(seeds[i], indices[i]), draw)(2, int(steps[i]), 6)
            assert np.array_equal(rows[i], alone[0])
        some = np.array([2, 0])
        assert np.array_equal(getattr(mixed, draw)(2, steps[some], 6, some), rows[some])
        assert getattr(mixed, draw)(2, steps[:0], 6, some[:0]).shape == (0, 6)


@pytest.mark.slow
@needs_jit
def test_plain_python_draws_the_same():
    expected = without_jit("pelagos.sensors.random", "Noise(6, [1, 9]).normal(2, 5, 3).tolist()")
    # the compiler contracts products and sums, Python does not: a few roundings of numbers below 8.6
    np.testing.assert_allclose(Noise(6, [1, 9]).normal(2, 5, 3), expected, rtol=0.0, atol=1e-14)


def test_wrong_counters_are_refused_with_a_sentence():
    noise = Noise(0, [0, 1])
    with pytest.raises(CommandError, match=r"^seed is -1; expected a whole number, 0 or above$"):
        Noise(-1, [0])
    with pytest.raises(CommandError, match="indices"):
        Noise(1, [0.5])
    with pytest.raises(CommandError, match=r"step is .*; expected whole numbers"):
        noise.normal(0, [-1, 0], 1)
    with pytest.raises(CommandError, match=r"shape of step is \(3,\); expected one number, or one for each of 2 ind"):
        noise.normal(0, [1, 2, 3], 1)
    with pytest.raises(CommandError, match="number of seeds is 2; expected one seed, or one for each of 3 indices"):
        Noise([1, 2], [0, 1, 2])
    with pytest.raises(CommandError, match="channel is -1"):
        noise.uniform(-1, 0, 1)
    with pytest.raises(CommandError, match=r"k is 1\.5"):
        noise.uniform(0, 0, 1.5)  # pyright: ignore[reportArgumentType]
