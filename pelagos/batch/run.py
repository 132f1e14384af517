"""Runs of a batch: the loop of control, advance and log, and the columns of the log.

Columns have the names, units and values of the log of a `Simulation`.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, Protocol, cast

import numpy as np
from numpy.typing import NDArray

import pelagos
from pelagos.batch.record import BatchWriter
from pelagos.errors import CommandError
from pelagos.messages import Actuations, VehicleStates
from pelagos.sim import inputs
from pelagos.sim.columns import FORCE, MOTION, WHOLE, ColumnSource, actuator_columns, compass

if TYPE_CHECKING:
    from pelagos.batch.batch import Batch

Array = NDArray[Any]
DEFAULT_COLUMNS = (
    "north_m", "east_m", "depth_m", "roll_deg", "pitch_deg", "heading_deg", "surge_m_s", "sway_m_s", "heave_m_s",
    "roll_rate_deg_s", "pitch_rate_deg_s", "yaw_rate_deg_s",
)  # fmt: skip


def known_columns(batch: Batch) -> dict[str, ColumnSource]:
    """Return every column of a batch; those of actuators only if all vehicles are equal."""
    known = {name: source for name, source in MOTION.items() if name not in ("time_s", "contact_with")}
    return known | actuator_columns(batch.vehicles[0]) if len(batch.vehicles) == 1 else known


class Columns:
    """Selected columns of the log of a batch."""

    def __init__(self, batch: Batch, names: Sequence[str]) -> None:
        known = known_columns(batch)
        if isinstance(names, str) or not isinstance(names, Iterable):
            raise CommandError(key="columns", value=names, expected="a list of names")
        for name in names:
            if name == "time_s":
                raise CommandError("column 'time_s' is always present", expected="names of other columns")
            if name not in known:
                raise CommandError(
                    "a batch has no column", value=name, expected=f"some of {', '.join(known)}", names=known
                )
        self.names = tuple(names)
        repeated = [name for name in self.names if self.names.count(name) > 1]
        if repeated:
            raise CommandError("more than once: column", value=repeated[0], expected="each column once")
        self._view = batch.view
        self._sources = [known[name] for name in names]

    def fill(self, out: Array) -> Array:
        """Write the present values to `out`, (columns, n)."""
        read: dict[str, Array] = {}  # each quantity is collected from the lanes once
        for row, (quantity, i, factor) in zip(out, self._sources, strict=True):
            if quantity not in read:
                read[quantity] = getattr(self._view, quantity)
            values = read[quantity]
            if i == FORCE:
                np.sqrt((values[:, :3] ** 2).sum(axis=1), out=values[:, 0])
                i = 0
            np.multiply(values if i == WHOLE else values[:, i], factor, out=row, casting="same_kind")
        for row, name in zip(out, self.names, strict=True):
            if name == "heading_deg":  # yaw is within half a turn, a heading from 0 to 360
                row[:] = compass(row)
        return out


class VectorController(Protocol):
    """A controller of many vehicles, such as `control.vectorised.autopilot.VectorAutopilot`."""

    def update(self, states: VehicleStates, dt: float) -> Actuations:
        """Return the commands for the next dt seconds."""
        ...


Control = VectorController | Callable[[VehicleStates, float], Actuations]


def run_batch(
    batch: Batch,
    seconds: float,
    control: Control | None,
    path: str | os.PathLike[str] | None,
    columns: Sequence[str],
    log_rate_hz: float,
    progress: Callable[[float], None] | None,
) -> dict[str, NDArray[Any]]:
    """Run a batch; arguments and result are those of `Batch.run`."""
    rate = batch.control_rate_hz
    count = inputs.intervals_in(seconds, rate)
    every, per_second = inputs.ticks_per_sample(log_rate_hz, rate), max(1, round(rate))
    steer = None if control is None else _steering(control)
    batch.environment.check_cover(count / rate)
    chosen, start_s = Columns(batch, columns), float(batch.view.time_s.max())
    dtype = np.dtype(batch.dtype)
    samples: list[NDArray[Any]] = []
    times: list[float] = []
    writer = None
    if path is not None:
        writer = BatchWriter(path, chosen.names, batch.n, batch.dtype, _meta(batch, log_rate_hz))

    def log(time_s: float) -> None:
        table = chosen.fill(np.empty((len(chosen.names), batch.n), dtype))
        times.append(time_s)
        if writer is None:
            samples.append(table)
        else:
            writer.put(time_s, table)

    complete = False  # an error, or an interrupt from the keyboard, leaves a log that is marked as incomplete
    try:
        log(start_s)
        for n in range(1, count + 1):
            if steer is not None:
                batch.actuators.command(steer(batch.view.states(), batch.interval_s))
            batch.tick()
            if n % every == 0:
                log(start_s + n / rate)
            if progress is not None and n % per_second == 0:
                progress(n / rate)
        complete = True
    finally:
        if writer is not None:
            writer.close(complete=complete)
    logged: dict[str, NDArray[Any]] = {"time_s": np.array(times)}
    if samples:
        stacked = np.stack(samples)
        logged |= {name: stacked[:, i] for i, name in enumerate(chosen.names)}
    return logged


def _steering(control: Control) -> Callable[[VehicleStates, float], Actuations]:
    """The function that is called before each interval."""
    steer = getattr(control, "update", control)
    if isinstance(control, type) or not callable(steer):
        expected = "a function of VehicleStates, or an object with update()"
        raise CommandError(key="control", value=control, expected=expected)
    return cast("Callable[[VehicleStates, float], Actuations]", steer)


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
