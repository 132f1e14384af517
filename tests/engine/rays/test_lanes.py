"""Functions on eight numbers at a time give what NumPy gives, compiled and without the compiler."""

import numpy as np
import pytest

from pelagos.engine.compiled import entry
from pelagos.engine.core.views import as_numbers
from pelagos.engine.rays import lanes
from pelagos.engine.rays.lanes import first_bit, floor, gather, higher, how_many, less, load, lower, spread, store


@entry
def some_of_each(numbers, places, out):
    """Lowest, highest, floor, looked up and spread numbers; bits of a comparison."""
    numbers, places, out = as_numbers(numbers), as_numbers(places), as_numbers(out)
    x, y = load(numbers, 1), load(numbers, 9)
    store(out, 0, lower(x, y))
    store(out, 8, higher(x, y))
    store(out, 16, floor(x))
    store(out, 24, gather(numbers, load(places, 0)))
    store(out, 32, spread(2.5))
    return less(x, y)


@pytest.mark.slow
@pytest.mark.parametrize("kind", [np.float64, np.float32])
def test_lanes_agree_with_numpy(kind):
    rng = np.random.default_rng(1)
    numbers = rng.normal(scale=5.0, size=20).astype(kind)
    numbers[3] = numbers[11]  # equal is not less
    places = rng.permutation(20)[:8].astype(float)
    out = np.empty(40)
    bits = some_of_each(numbers, places, out)
    x, y = numbers[1:9].astype(float), numbers[9:17].astype(float)
    expected = [np.minimum(x, y), np.maximum(x, y), np.floor(x), numbers[places.astype(int)], np.full(8, 2.5)]
    np.testing.assert_array_equal(out.reshape(5, 8), expected)
    assert [bool(bits >> lane & 1) for lane in range(8)] == (x < y).tolist()
    assert bits == lanes.less(x, y)
    np.testing.assert_array_equal(lanes.gather(numbers, places), expected[3])


@entry
def counted(bits):
    """Lowest bit and number of bits."""
    return first_bit(bits), how_many(bits)


@pytest.mark.slow
def test_bits():
    for bits in (1, 2, 12, 128, 255, 0b10110000, 1 << 40):
        text = bin(bits)[2:]
        expected = (len(text) - text.rindex("1") - 1, text.count("1"))
        assert counted(bits) == expected
        assert (first_bit(bits), how_many(bits)) == expected
