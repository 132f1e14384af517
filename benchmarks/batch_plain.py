"""The batch benchmark without the compiler: the engine as plain NumPy over vehicles, and a count of its operations.

    NUMBA_DISABLE_JIT=1 python -m benchmarks.batch_plain 16384 65536

The arguments are numbers of vehicles; the output is JSON. With the JIT off, the force terms are Python functions that
take NumPy arrays in place of lanes. One block as wide as the batch is then an ordinary program of arrays over vehicles,
with the same equations in the same order. `CountingArray` counts the operations: + - * / and a square root are one
each; comparisons, choices, signs and magnitudes are free.
"""

from __future__ import annotations

import json
import statistics
import sys
import time
from collections import Counter
from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from benchmarks.batch_case import COMMAND, CURRENT_N, DT, SPEED_M_S, case_vehicle
from pelagos.engine.core import layout as lay
from pelagos.engine.core.integrate import advance_blocks
from pelagos.engine.core.steppers import RK4
from pelagos.vehicle.plant import Plant

ROUNDS = 3  # for the median; one with 65536 vehicles takes a second
ONE_EACH = ("add", "subtract", "multiply", "divide", "sqrt")
FREE = ("negative", "positive", "absolute", "less", "less_equal", "greater", "greater_equal", "isfinite")


class CountingArray(np.ndarray):
    """An array that counts operations on it by name; an operation on a whole array counts once, as for one vehicle."""

    counts: ClassVar[Counter[str]] = Counter()

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, out: Any = None, **kwargs: Any) -> Any:
        plain = [np.asarray(x) if isinstance(x, CountingArray) else x for x in inputs]
        if out is not None:
            kwargs["out"] = tuple(np.asarray(x) if isinstance(x, CountingArray) else x for x in out)
        result = getattr(ufunc, method)(*plain, **kwargs)
        CountingArray.counts[ufunc.__name__] += 1
        return result.view(CountingArray) if isinstance(result, np.ndarray) else result

    def __array_function__(self, function: Any, kinds: Any, inputs: Any, kwargs: Any) -> Any:
        """Count no operation for a choice (np.where); its result counts on."""
        result = super().__array_function__(function, kinds, inputs, kwargs)
        return result.view(CountingArray) if isinstance(result, np.ndarray) else result


def blocks(width: int, kind: type[Any] = np.ndarray) -> tuple[list[Any], list[Any]]:
    """One block of `width` vehicles under way: arguments of `advance_blocks` up to the tally, and those after it."""
    plant = Plant(case_vehicle())
    plant.place(position_n=(0.0, 0.0, 20.0), nu=(SPEED_M_S, 0.02, 0.01, 0.001, 0.02, 0.03))
    plant.water["current"][:] = CURRENT_N
    plant.set_actuators(**COMMAND)
    state, model, structure, water, command, work, sea, hull = plant.rows

    def wide(row: Any) -> Any:
        return np.repeat(row[:, np.newaxis], width, axis=1)[np.newaxis].view(kind)

    tallies = np.zeros((1, lay.TALLY.size, width))
    tallies[:, lay.TALLY.offset("alive")[0]] = 1.0
    which, model_of = np.zeros(1, np.int64), np.zeros(1, np.int64)
    before = [which, wide(state), wide(model), model_of, structure, wide(water), wide(command), tallies.view(kind)]
    return before, [np.zeros((len(work), width)).view(kind), sea, hull]


def moved(steps: int) -> list[float]:
    """The state after some steps, for a comparison with the compiled kernel."""
    before, after = blocks(8)
    with np.errstate(all="ignore"):
        advance_blocks(*before, *after, DT, steps, RK4)
    return before[1][0, :, 0].tolist()


def seconds(width: int, steps: int) -> float:
    """Seconds that one call takes."""
    before, after = blocks(width)
    begin = time.perf_counter()
    advance_blocks(*before, *after, DT, steps, RK4)
    return time.perf_counter() - begin


def ns_per_vehicle_step(widths: Sequence[int]) -> dict[int, float]:
    """ns per vehicle-step by width; the difference of a long and a short call removes the fixed cost of a call."""
    times_ns: dict[int, float] = {}
    for width in widths:
        runs = [seconds(width, 3) - seconds(width, 1) for _ in range(ROUNDS)]
        times_ns[width] = statistics.median(runs) / (2 * width) * 1e9
    return times_ns


def operations() -> dict[str, int]:
    """Operations of one RK4 step of one vehicle, by name: two steps less one."""
    totals = []
    for steps in (1, 2):
        CountingArray.counts = Counter()
        before, after = blocks(8, CountingArray)
        advance_blocks(*before, *after, DT, steps, RK4)
        totals.append(CountingArray.counts)
    return {name: int(totals[1][name] - totals[0][name]) for name in sorted(totals[1])}


def main() -> None:
    """Measure, count and print."""
    with np.errstate(all="ignore"):  # np.where evaluates both branches, also the one that it drops
        count, times = operations(), ns_per_vehicle_step([int(width) for width in sys.argv[1:]])
    count = {name: number for name, number in count.items() if number}
    flops = sum(number for name, number in count.items() if name in ONE_EACH)
    others = {name: number for name, number in count.items() if name not in ONE_EACH + FREE}
    print(json.dumps({"flops_per_step": flops, "functions": others, "operations": count, "numpy_ns": times}))


if __name__ == "__main__":
    main()
