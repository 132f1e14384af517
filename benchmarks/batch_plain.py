"""The case of `batch` without the compiler: the engine's own files as plain NumPy, and their operations counted.

    NUMBA_DISABLE_JIT=1 python -m benchmarks.batch_plain 16384 65536

With the JIT off the force terms are Python functions that take NumPy arrays as they take lanes, so that one block as
wide as the batch is the usual program of arrays over vehicles, with the same equations in the same order. For the count
the arrays note what is done with them: + - * / and a square root are one operation each; comparisons, choices, signs
and magnitudes are none. Prints JSON. The numbers after the command are widths.
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

ROUNDS = 3
ONE_EACH = ("add", "subtract", "multiply", "divide", "sqrt")
FREE = ("negative", "positive", "absolute", "less", "less_equal", "greater", "greater_equal", "isfinite")


class Counted(np.ndarray):
    """An array that counts what is done with it, by the name of the operation, for one vehicle."""

    counts: ClassVar[Counter[str]] = Counter()

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, out: Any = None, **kwargs: Any) -> Any:
        plain = [np.asarray(x) if isinstance(x, Counted) else x for x in inputs]
        if out is not None:
            kwargs["out"] = tuple(np.asarray(x) if isinstance(x, Counted) else x for x in out)
        result = getattr(ufunc, method)(*plain, **kwargs)
        Counted.counts[ufunc.__name__] += 1
        return result.view(Counted) if isinstance(result, np.ndarray) else result

    def __array_function__(self, function: Any, kinds: Any, inputs: Any, kwargs: Any) -> Any:
        """A choice (np.where) is no arithmetic, but what comes out of it goes on counting."""
        result = super().__array_function__(function, kinds, inputs, kwargs)
        return result.view(Counted) if isinstance(result, np.ndarray) else result


def blocks(width: int, kind: type[Any] = np.ndarray) -> tuple[list[Any], list[Any]]:
    """One block of `width` vehicles under way: what `advance_blocks` takes before and after the tally."""
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
    """The state of the case after some steps: for a comparison with the compiled kernel."""
    before, after = blocks(8)
    with np.errstate(all="ignore"):
        advance_blocks(*before, *after, DT, steps, RK4)
    return before[1][0, :, 0].tolist()


def seconds(width: int, steps: int) -> float:
    """Time of a call."""
    before, after = blocks(width)
    begin = time.perf_counter()
    advance_blocks(*before, *after, DT, steps, RK4)
    return time.perf_counter() - begin


def ns_per_vehicle_step(widths: Sequence[int]) -> dict[int, float]:
    """By width; what a call costs before and after its steps is taken off."""
    found = {}
    for width in widths:
        runs = [seconds(width, 3) - seconds(width, 1) for _ in range(ROUNDS)]
        found[width] = statistics.median(runs) / (2 * width) * 1e9
    return found


def operations() -> dict[str, int]:
    """Operations of one RK4 step of one vehicle, by name."""
    totals = []
    for steps in (1, 2):
        Counted.counts = Counter()
        before, after = blocks(8, Counted)
        advance_blocks(*before, *after, DT, steps, RK4)
        totals.append(Counted.counts)
    return {name: int(totals[1][name] - totals[0][name]) for name in sorted(totals[1])}


def main() -> None:
    """Measure, count and print."""
    with np.errstate(all="ignore"):  # both sides of every choice are worked out, also the one that is not taken
        count, times = operations(), ns_per_vehicle_step([int(width) for width in sys.argv[1:]])
    count = {name: number for name, number in count.items() if number}
    flops = sum(number for name, number in count.items() if name in ONE_EACH)
    others = {name: number for name, number in count.items() if name not in ONE_EACH + FREE}
    print(json.dumps({"flops_per_step": flops, "functions": others, "operations": count, "numpy_ns": times}))


if __name__ == "__main__":
    main()
