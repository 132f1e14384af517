"""Random numbers for many vehicles, each found from a counter and not from the one before.

A number belongs to (seed, vehicle, channel, step, place in the row) and to nothing else: vehicle 7 gets the same ones
alone, among a million, in another order and in another thread. Nothing is stored and nothing has to be drawn in order.

    key      two words made of the seed
    counter  (place // 4, step, channel, vehicle), 64 bits each, through the ten rounds of Philox4x64:
             (c0, c1, c2, c3) -> (high(M1 c2) ^ c1 ^ k0, low(M1 c2), high(M0 c0) ^ c3 ^ k1, low(M0 c0)),  k += (W0, W1)
    uniform  (x >> 11) 2^-53, in [0, 1)
    normal   Box-Muller: r = sqrt(-2 ln(1 - u)), (r cos 2 pi v, r sin 2 pi v); none beyond 8.6

Reference: Salmon, Moraes, Dror and Shaw (2011), Parallel random numbers: as easy as 1, 2, 3, SC11; the generator is
that of `numpy.random.Philox`. It is compiled: in NumPy arrays the products of 64 bits alone cost 31 ns a number and a
normal one 44 ns; here 10 ns, or 34 ns where only one of the four of a counter is wanted (4096 vehicles, one core).
"""

# ruff: noqa: ANN001, ANN202
# pyright: basic
from __future__ import annotations

import math
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pelagos.engine.compiled import compiled, entry
from pelagos.errors import CommandError

Array = NDArray[np.float64]
Numbers = NDArray[np.uint64]

MULTIPLY_0, MULTIPLY_1 = np.uint64(0xD2E7470EE14C6C93), np.uint64(0xCA5A826395121157)
WEYL_0, WEYL_1 = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBB67AE8584CAA73B)
LOW, HALF, SPARE = np.uint64(0xFFFFFFFF), np.uint64(32), np.uint64(11)
ROUNDS, WORDS = 10, 4
UNIT = 2.0**-53
TURN = 2.0 * math.pi
SINES = tuple((-1.0) ** i / math.factorial(2 * i + 1) for i in range(8, -1, -1))  # series of sin(x) / x in x^2
COSINES = tuple((-1.0) ** i / math.factorial(2 * i) for i in range(8, -1, -1))


class Noise:
    """The random numbers of some vehicles.

    Args:
        seed: a whole number of at least 0, of any size.
        indices: number of each vehicle; it decides what the vehicle draws.

    A `channel` is for one purpose of one instrument; a `step` counts its readings, for all vehicles or one each. The
    same channel and step give the same numbers again, uniform and normal ones from the same bits.
    """

    def __init__(self, seed: int, indices: ArrayLike) -> None:
        if not (isinstance(seed, Integral) and not isinstance(seed, bool) and int(seed) >= 0):
            raise CommandError(key="seed", value=seed, expected="a whole number of at least 0")
        self.seed = int(seed)
        self.indices = counters("indices", indices, 1)
        self.key = np.random.SeedSequence(self.seed).generate_state(2, np.uint64)

    def __len__(self) -> int:
        """How many vehicles."""
        return len(self.indices)

    def raw(self, channel: int, step: ArrayLike, k: int, rows: NDArray[np.integer] | None = None) -> Numbers:
        """(n, k) whole numbers of 64 random bits; `rows` for some of the vehicles only, `step` then as many."""
        return self._filled(_fill_raw, np.uint64, channel, step, k, rows)

    def uniform(self, channel: int, step: ArrayLike, k: int, rows: NDArray[np.integer] | None = None) -> Array:
        """(n, k) numbers from 0 to below 1, all alike likely."""
        return self._filled(_fill_uniform, np.float64, channel, step, k, rows)

    def normal(self, channel: int, step: ArrayLike, k: int, rows: NDArray[np.integer] | None = None) -> Array:
        """(n, k) numbers of mean 0 and standard deviation 1."""
        return self._filled(_fill_normal, np.float64, channel, step, k, rows)

    def _filled(self, fill, dtype, channel, step, k, rows) -> Any:
        indices = self.indices if rows is None else self.indices[rows]
        if not (isinstance(channel, Integral) and 0 <= int(channel) < 1 << 64):
            raise CommandError(key="channel", value=channel, expected="a whole number from 0 to 2^64 - 1")
        if not (isinstance(k, Integral) and int(k) >= 0):
            raise CommandError(key="k", value=k, expected="how many numbers each vehicle draws")
        steps = counters("step", step)
        if steps.ndim and steps.shape != indices.shape:
            raise CommandError(
                f"step has shape {steps.shape}", expected=f"one number, or one for each of {len(indices)}"
            )
        out = np.empty((len(indices), int(k)), dtype)
        with np.errstate(over="ignore"):  # with the JIT off a product that wraps round would warn
            steps = np.ascontiguousarray(np.broadcast_to(steps, indices.shape))
            fill(self.key[0], self.key[1], indices, steps, np.uint64(channel), out)
        return out


def counters(name: str, value: ArrayLike, least_axes: int = 0) -> Numbers:
    """Whole numbers of at least 0 as counters of 64 bits."""
    try:
        given = np.array(value, ndmin=least_axes)
    except ValueError:  # rows of different lengths
        given = np.full(1, math.nan)
    if given.dtype.kind not in "iu" or given.ndim > 1 or (given.dtype.kind == "i" and given.size and given.min() < 0):
        raise CommandError(key=name, value=value, expected="whole numbers of at least 0")
    return given.astype(np.uint64)


@compiled
def _high(a, b):
    """Upper half of the product of two numbers of 64 bits, in halves of 32."""
    a0, a1, b0, b1 = a & LOW, a >> HALF, b & LOW, b >> HALF
    middle = a1 * b0 + (a0 * b0 >> HALF)
    return a1 * b1 + (middle >> HALF) + ((a0 * b1 + (middle & LOW)) >> HALF)


@compiled
def _philox(c0, c1, c2, c3, k0, k1):
    """Four random words of one counter."""
    for _ in range(ROUNDS):
        high0, low0 = _high(MULTIPLY_0, c0), MULTIPLY_0 * c0
        high1, low1 = _high(MULTIPLY_1, c2), MULTIPLY_1 * c2
        c0, c1, c2, c3 = high1 ^ c1 ^ k0, low1, high0 ^ c3 ^ k1, low0
        k0, k1 = k0 + WEYL_0, k1 + WEYL_1
    return c0, c1, c2, c3


@compiled
def _radius(word):
    """Length of a pair of normal numbers. (x + 1) 2^-53 is as likely as 1 - u, and never 0."""
    return math.sqrt(-2.0 * math.log((np.float64(word >> SPARE) + 1.0) * UNIT))


@compiled
def _around(word):
    """Cosine and sine of a random share of a turn: the quarter it is nearest to, and two series for the rest.

    Within an eighth of a turn the first term left out, x^18 / 18!, is below 3e-18. The library's functions take 9 ns.
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
def _fill_raw(k0, k1, indices, steps, channel, out):
    """Random words into `out`, row by row."""
    k = out.shape[1]
    for i in range(len(indices)):
        for j in range(0, k, WORDS):
            words = _philox(np.uint64(j // WORDS), steps[i], channel, indices[i], k0, k1)
            for w in range(min(WORDS, k - j)):
                out[i, j + w] = words[w]


@entry
def _fill_uniform(k0, k1, indices, steps, channel, out):
    """Uniform numbers into `out`."""
    k = out.shape[1]
    for i in range(len(indices)):
        for j in range(0, k, WORDS):
            words = _philox(np.uint64(j // WORDS), steps[i], channel, indices[i], k0, k1)
            for w in range(min(WORDS, k - j)):
                out[i, j + w] = np.float64(words[w] >> SPARE) * UNIT


@entry
def _fill_normal(k0, k1, indices, steps, channel, out):
    """Normal numbers into `out`: two of each two words."""
    k = out.shape[1]
    for i in range(len(indices)):
        for j in range(0, k, WORDS):
            words = _philox(np.uint64(j // WORDS), steps[i], channel, indices[i], k0, k1)
            for w in range(0, min(WORDS, k - j), 2):
                r, (across, up) = _radius(words[w]), _around(words[w + 1])
                out[i, j + w] = r * across
                if j + w + 1 < k:
                    out[i, j + w + 1] = r * up
