"""Random numbers for many vehicles, each computed from a counter and not from its predecessor.

A number depends on (seed, vehicle, channel, step, place in the row) only: vehicle 7 draws the same numbers alone, among
a million others, in another order and in another thread. There is no state, and numbers can be drawn in any order.

    key      two words made of the seed
    counter  (place // 4, step, channel, vehicle), 64 bits each, through the ten rounds of Philox4x64:
             (c0, c1, c2, c3) -> (high(M1 c2) ^ c1 ^ k0, low(M1 c2), high(M0 c0) ^ c3 ^ k1, low(M0 c0)),  k += (W0, W1)
    uniform  (x >> 11) 2^-53, in [0, 1)
    normal   Box-Muller: r = sqrt(-2 ln(1 - u)), (r cos 2 pi v, r sin 2 pi v); none beyond 8.6

Reference: Salmon, Moraes, Dror and Shaw (2011), Parallel random numbers: as easy as 1, 2, 3, SC11; the generator is
that of `numpy.random.Philox`. It is compiled: with NumPy arrays the 64-bit products alone cost 31 ns per number and a
normal number 44 ns; here 10 ns, or 34 ns if only one of the four numbers of a counter is used (4096 vehicles, one
core).
"""

# ruff: noqa: ANN001, ANN202
# pyright: basic
from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pelagos.checks import whole
from pelagos.engine.compiled import compiled, entry
from pelagos.errors import CommandError

Array = NDArray[np.float64]
Numbers = NDArray[np.uint64]

# multipliers and Weyl increments of Philox4x64 (Salmon et al., 2011)
MULTIPLY_0, MULTIPLY_1 = np.uint64(0xD2E7470EE14C6C93), np.uint64(0xCA5A826395121157)
WEYL_0, WEYL_1 = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBB67AE8584CAA73B)
LOW, HALF = np.uint64(0xFFFFFFFF), np.uint64(32)  # mask and width of half a word
SPARE = np.uint64(11)  # bits of a word beyond the 53 of a float's fraction
ROUNDS, WORDS = 10, 4  # of Philox4x64-10: rounds, and words of a counter
UNIT = 2.0**-53  # a float has 53 bits: every multiple below 1 is exact
TURN = 2.0 * math.pi
SINES = tuple((-1.0) ** i / math.factorial(2 * i + 1) for i in range(8, -1, -1))  # series of sin(x) / x in x^2
COSINES = tuple((-1.0) ** i / math.factorial(2 * i) for i in range(8, -1, -1))  # of cos(x) in x^2


class Noise:
    """Random numbers of some vehicles.

    Args:
        seed: a whole number of at least 0, of any size, or one for each vehicle.
        indices: number of each vehicle, which selects its random numbers; default: a single vehicle, number 0.

    A `channel` is for one purpose of one instrument; a `step` counts its readings, one number for all vehicles or one
    for each. The same channel and step give the same numbers again, uniform and normal ones from the same bits.
    """

    def __init__(self, seed: int | Sequence[int], indices: ArrayLike = 0) -> None:
        self.indices = counters("indices", indices, 1)
        seeds = seed if isinstance(seed, Sequence) else [seed]
        if len(seeds) not in (1, len(self.indices)):
            expected = f"one seed, or one for each of {len(self.indices)} indices"
            raise CommandError(key="number of seeds", value=len(seeds), expected=expected)
        sequences = [np.random.SeedSequence(whole("seed", item, 0)) for item in seeds]
        self.keys = np.array([sequence.generate_state(2, np.uint64) for sequence in sequences])  # one row: of all

    def __len__(self) -> int:
        """Return the number of vehicles."""
        return len(self.indices)

    def raw(self, channel: int, step: ArrayLike, k: int, rows: NDArray[np.integer] | None = None) -> Numbers:
        """Return (n, k) words of 64 random bits; with `rows`, of these vehicles only, and as many of `step`."""
        return self._filled(_fill_raw, np.uint64, channel, step, k, rows)

    def uniform(self, channel: int, step: ArrayLike, k: int, rows: NDArray[np.integer] | None = None) -> Array:
        """Return (n, k) numbers of the uniform distribution on [0, 1)."""
        return self._filled(_fill_uniform, np.float64, channel, step, k, rows)

    def normal(self, channel: int, step: ArrayLike, k: int, rows: NDArray[np.integer] | None = None) -> Array:
        """Return (n, k) numbers of the normal distribution of mean 0 and standard deviation 1."""
        return self._filled(_fill_normal, np.float64, channel, step, k, rows)

    def _filled(self, fill, dtype, channel, step, k, rows) -> Any:
        indices = self.indices if rows is None else self.indices[rows]
        whole("channel", channel, 0, (1 << 64) - 1)
        whole("k", k, 0)
        steps = counters("step", step)
        if steps.ndim and steps.shape != indices.shape:
            expected = f"one number, or one for each of {len(indices)} indices"
            raise CommandError(key="shape of step", value=steps.shape, expected=expected)
        out = np.empty((len(indices), int(k)), dtype)
        with np.errstate(over="ignore"):  # products wrap round on purpose; with the JIT off NumPy would warn
            steps = np.ascontiguousarray(np.broadcast_to(steps, indices.shape))
            keys = self.keys if rows is None or len(self.keys) == 1 else self.keys[rows]
            fill(keys, indices, steps, np.uint64(channel), out)
        return out


def first_number(vehicle: str) -> int:
    """The number that selects the random numbers of the first vehicle of a name; the next ones follow it.

    A hash of the name that, unlike hash(), is equal in every process; with 62 bits, names do not meet.
    """
    return int.from_bytes(hashlib.blake2b(vehicle.encode(), digest_size=8).digest(), "little") >> 2


def counters(name: str, value: ArrayLike, least_axes: int = 0) -> Numbers:
    """Return whole numbers of at least 0 as 64-bit counters."""
    try:
        numbers = np.array(value, ndmin=least_axes)
    except ValueError:  # rows of different lengths
        numbers = np.full(1, math.nan)
    kind = numbers.dtype.kind
    if kind not in "iu" or numbers.ndim > 1 or (kind == "i" and numbers.size and numbers.min() < 0):
        raise CommandError(key=name, value=value, expected="whole numbers of at least 0")
    return numbers.astype(np.uint64)


@compiled
def _high(a, b):
    """Upper half of the product of two 64-bit numbers, computed in halves of 32 bits."""
    a0, a1, b0, b1 = a & LOW, a >> HALF, b & LOW, b >> HALF
    middle = a1 * b0 + (a0 * b0 >> HALF)
    return a1 * b1 + (middle >> HALF) + ((a0 * b1 + (middle & LOW)) >> HALF)


@compiled
def _philox(c0, c1, c2, c3, k0, k1):
    """Four random words from one counter."""
    for _ in range(ROUNDS):
        high0, low0 = _high(MULTIPLY_0, c0), MULTIPLY_0 * c0
        high1, low1 = _high(MULTIPLY_1, c2), MULTIPLY_1 * c2
        c0, c1, c2, c3 = high1 ^ c1 ^ k0, low1, high0 ^ c3 ^ k1, low0
        k0, k1 = k0 + WEYL_0, k1 + WEYL_1
    return c0, c1, c2, c3


@compiled
def _radius(word):
    """Length of a pair of normal numbers. (x + 1) 2^-53 has the distribution of 1 - u and is never 0."""
    return math.sqrt(-2.0 * math.log((np.float64(word >> SPARE) + 1.0) * UNIT))


@compiled
def _around(word):
    """Cosine and sine of a random share of a turn: the nearest quarter turn, and two power series for the rest.

    Within an eighth of a turn the first omitted term, x^18 / 18!, is below 3e-18. The library's functions take 9 ns.
    """
    share = np.float64(word >> SPARE) * UNIT
    quarter = math.floor(4.0 * share + 0.5)
    x = TURN * (share - 0.25 * quarter)
    s, c = 0.0, 0.0
    for i in range(9):
        s, c = s * x * x + SINES[i], c * x * x + COSINES[i]
    s *= x
    odd, back = int(quarter) & 1, (int(quarter) + 1) & 2
    across, up = (s, c) if odd else (c, s)
    return -across if back else across, -up if int(quarter) & 2 else up


@entry
def _fill_raw(keys, indices, steps, channel, out):
    """Write random words to `out`; each key is that of as many rows: all, or one.

    A loop over keys around that over rows is 8 ns a number faster than to look up the key of each row.
    """
    k = out.shape[1]
    share = len(indices) // max(1, len(keys))
    for key in range(len(keys)):
        k0, k1 = keys[key, 0], keys[key, 1]
        for i in range(key * share, (key + 1) * share):
            for j in range(0, k, WORDS):
                words = _philox(np.uint64(j // WORDS), steps[i], channel, indices[i], k0, k1)
                for w in range(min(WORDS, k - j)):
                    out[i, j + w] = words[w]


@entry
def _fill_uniform(keys, indices, steps, channel, out):
    """Write uniform numbers to `out`."""
    k = out.shape[1]
    share = len(indices) // max(1, len(keys))
    for key in range(len(keys)):
        k0, k1 = keys[key, 0], keys[key, 1]
        for i in range(key * share, (key + 1) * share):
            for j in range(0, k, WORDS):
                words = _philox(np.uint64(j // WORDS), steps[i], channel, indices[i], k0, k1)
                for w in range(min(WORDS, k - j)):
                    out[i, j + w] = np.float64(words[w] >> SPARE) * UNIT


@entry
def _fill_normal(keys, indices, steps, channel, out):
    """Write normal numbers to `out`: Box-Muller makes two from each two words."""
    k = out.shape[1]
    share = len(indices) // max(1, len(keys))
    for key in range(len(keys)):
        k0, k1 = keys[key, 0], keys[key, 1]
        for i in range(key * share, (key + 1) * share):
            for j in range(0, k, WORDS):
                words = _philox(np.uint64(j // WORDS), steps[i], channel, indices[i], k0, k1)
                for w in range(0, min(WORDS, k - j), 2):
                    r, (across, up) = _radius(words[w]), _around(words[w + 1])
                    out[i, j + w] = r * across
                    if j + w + 1 < k:
                        out[i, j + w + 1] = r * up
