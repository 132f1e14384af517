"""A run of a batch: control, advance, keep."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Protocol, cast

import numpy as np
from numpy.typing import NDArray

import pelagos
from pelagos.batch.columns import Columns
from pelagos.batch.record import BatchWriter
from pelagos.errors import CommandError
from pelagos.messages import Actuations, Truths, shown
from pelagos.sim import given

if TYPE_CHECKING:
    from pelagos.batch.batch import Batch


class ManyController(Protocol):
    """Steers many: `control.many.ManyAutopilot`, or one of your own."""

    def update(self, truths: Truths, dt: float) -> Actuations:
        """Demands for the next dt seconds."""
        ...


Control = ManyController | Callable[[Truths, float], Actuations]


def run_batch(
    batch: Batch,
    seconds: float,
    control: Control | None,
    path: str | os.PathLike[str] | None,
    columns: Sequence[str],
    log_rate_hz: float,
    progress: Callable[[float], None] | None,
) -> dict[str, NDArray[Any]]:
    """See `Batch.run`."""
    rate = batch.control_rate_hz
    count = round(given.positive("seconds", seconds) * rate)
    wanted = given.positive("log_rate_hz", log_rate_hz)
    if count == 0 or wanted > rate * (1.0 + 1e-9):
        raise CommandError(
            f"seconds is {seconds:g} and log_rate_hz {wanted:g}; expected at least one control interval, "
            f"{1.0 / rate:g} s, and at most the control rate, {rate:g} Hz"
        )
    every, per_second = max(1, round(rate / wanted)), max(1, round(rate))
    steer = None if control is None else _steering(control)
    batch._check_cover(count / rate)
    chosen, start_s = Columns(batch, columns), float(batch.time_s.max())
    kind = np.dtype(batch.dtype)
    samples: list[NDArray[Any]] = []
    times: list[float] = []
    writer = None
    if path is not None:
        writer = BatchWriter(path, chosen.names, batch.n, batch.dtype, _meta(batch, log_rate_hz))

    def keep(time_s: float) -> None:
        table = chosen.fill(np.empty((len(chosen.names), batch.n), kind))
        times.append(time_s)
        if writer is None:
            samples.append(table)
        else:
            writer.put(time_s, table)

    complete = False
    try:
        keep(start_s)
        for n in range(1, count + 1):
            if steer is not None:
                batch.command(steer(batch.truth(), batch.interval_s))
            batch.tick()
            if n % every == 0:
                keep(start_s + n / rate)
            if progress is not None and n % per_second == 0:
                progress(n / rate)
        complete = True
    finally:
        if writer is not None:
            writer.close(complete=complete)
    found: dict[str, NDArray[Any]] = {"time_s": np.array(times)}
    if samples:
        together = np.stack(samples)
        found |= {name: together[:, i] for i, name in enumerate(chosen.names)}
    return found


def _steering(control: Control) -> Callable[[Truths, float], Actuations]:
    """What is called before each interval."""
    steer = getattr(control, "update", control)
    if isinstance(control, type) or not callable(steer):
        raise CommandError(f"control is {shown(control)}; expected a function of Truths, or an object with update()")
    return cast("Callable[[Truths, float], Actuations]", steer)


def _meta(batch: Batch, log_rate_hz: float) -> dict[str, Any]:
    return {
        "pelagos": pelagos.__version__,
        "vehicles": [vehicle.key for vehicle in batch.vehicles],
        "integrator": batch.integrator,
        "step_s": batch.step_s,
        "control_rate_hz": batch.control_rate_hz,
        "log_rate_hz": log_rate_hz,
        "dtype": batch.dtype,
    }
