"""Peak rate of one core: fused multiply-adds on independent lanes in registers.

Sixteen independent sums x = x m + c hide the latency of the instruction. A fused multiply-add counts as two operations
per lane. The loop touches no memory, so no program on this machine exceeds its rate.
"""

# ruff: noqa: ANN001, ANN202
# pyright: basic
from __future__ import annotations

import statistics
import time

import numpy as np

from pelagos.engine.compiled import entry
from pelagos.engine.core.lanes import aligned
from pelagos.engine.core.views import Layout, LayoutField, viewer

SUMS, TURNS, ROUNDS = 16, 200_000, 9  # independent sums; updates of each in a round; rounds for the median
PEAK = Layout("Peak", (LayoutField("x", "sums", count=SUMS), LayoutField("m", "factor"), LayoutField("c", "summand")))
as_peak = viewer(PEAK)
WIDTH = {"float64": 8, "float32": 16}  # lanes of a 512-bit vector
FACTOR, SUMMAND = PEAK.offset("m")[0], PEAK.offset("c")[0]


def measure_peak() -> dict[str, float]:
    """Measure Gflop/s of one core for float64 and float32."""
    rows = {name: aligned((PEAK.size, width), np.dtype(name)) for name, width in WIDTH.items()}
    times: dict[str, list[float]] = {name: [] for name in rows}
    for turn in range(ROUNDS + 1):
        for name, row in rows.items():
            row[FACTOR], row[SUMMAND] = 0.999, 1e-3  # x tends to 1: neither overflow nor slow subnormal numbers
            begin = time.perf_counter()
            _multiply_add(row, TURNS)
            if turn:
                times[name].append(time.perf_counter() - begin)
    return {name: 2.0 * SUMS * WIDTH[name] * TURNS / statistics.median(times[name]) * 1e-9 for name in rows}


@entry
def _multiply_add(row, turns):
    """Update every sum `turns` times. The sums are local names, so that the compiler keeps them in registers."""
    peak = as_peak(row)
    x, m, c = peak.x, peak.m, peak.c
    a0, a1, a2, a3, a4, a5, a6, a7 = x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7]
    b0, b1, b2, b3, b4, b5, b6, b7 = x[8], x[9], x[10], x[11], x[12], x[13], x[14], x[15]
    for _ in range(turns):
        a0, a1, a2, a3 = a0 * m + c, a1 * m + c, a2 * m + c, a3 * m + c
        a4, a5, a6, a7 = a4 * m + c, a5 * m + c, a6 * m + c, a7 * m + c
        b0, b1, b2, b3 = b0 * m + c, b1 * m + c, b2 * m + c, b3 * m + c
        b4, b5, b6, b7 = b4 * m + c, b5 * m + c, b6 * m + c, b7 * m + c
    x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7] = a0, a1, a2, a3, a4, a5, a6, a7
    x[8], x[9], x[10], x[11], x[12], x[13], x[14], x[15] = b0, b1, b2, b3, b4, b5, b6, b7
