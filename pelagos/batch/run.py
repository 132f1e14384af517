"""Columns of a log for many vehicles: the names and units of `sim.columns`, one array each.

A run of a batch: control, advance, keep.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, Protocol, cast

import numpy as np
from numpy.typing import NDArray

import pelagos
from pelagos.batch.record import BatchWriter
from pelagos.batch.view import BatchView
from pelagos.errors import CommandError
from pelagos.messages import Actuations, VehicleStates
from pelagos.sim import inputs
from pelagos.sim.commands import LOG_UNIT

if TYPE_CHECKING:
    from pelagos.batch.batch import Batch


DEGREES = 180.0 / math.pi
Array = NDArray[Any]
# column: what is read of the batch, which number of it, factor
MOTION: dict[str, tuple[str, int, float]] = {
    "north_m": ("position_n", 0, 1.0), "east_m": ("position_n", 1, 1.0), "depth_m": ("position_n", 2, 1.0),
    "roll_deg": ("euler", 0, DEGREES), "pitch_deg": ("euler", 1, DEGREES), "heading_deg": ("euler", 2, DEGREES),
    "q0": ("quaternion", 0, 1.0), "q1": ("quaternion", 1, 1.0),
    "q2": ("quaternion", 2, 1.0), "q3": ("quaternion", 3, 1.0),
    "surge_m_s": ("nu", 0, 1.0), "sway_m_s": ("nu", 1, 1.0), "heave_m_s": ("nu", 2, 1.0),
    "roll_rate_deg_s": ("nu", 3, DEGREES), "pitch_rate_deg_s": ("nu", 4, DEGREES),
    "yaw_rate_deg_s": ("nu", 5, DEGREES),
    "current_north_m_s": ("current_n", 0, 1.0), "current_east_m_s": ("current_n", 1, 1.0),
    "current_down_m_s": ("current_n", 2, 1.0),
    "below_surface_m": ("below_m", -1, 1.0), "altitude_m": ("altitude_m", -1, 1.0), "wet_share": ("wet_share", -1, 1.0),
    "contact_N": ("contact_n", -2, 1.0),
}  # fmt: skip
USUAL = (
    "north_m", "east_m", "depth_m", "roll_deg", "pitch_deg", "heading_deg", "surge_m_s", "sway_m_s", "heave_m_s",
    "roll_rate_deg_s", "pitch_rate_deg_s", "yaw_rate_deg_s",
)  # fmt: skip


def known_columns(batch: BatchView) -> dict[str, tuple[str, int, float]]:
    """Every column a batch can give; those of actuators only if all vehicles are of one kind."""
    known = dict(MOTION)
    if len(batch.vehicles) == 1:
        vehicle = batch.vehicles[0]
        for i, t in enumerate(vehicle.thrusters):
            unit, per = ("N", 1.0) if t.lag_on == "thrust" else LOG_UNIT[t.drive]
            known[f"thruster_{t.name}_{unit}"] = ("thrusters", i, per)
        for i, s in enumerate(vehicle.surfaces):
            known[f"surface_{s.name}_deg"] = ("surfaces", i, DEGREES)
        for i, b in enumerate(vehicle.ballast):
            known[f"ballast_{b.name}_{b.unit}"] = ("ballast", i, 1.0)
    return known


class Columns:
    """Chosen columns of a batch; `fill` writes them as they are now."""

    def __init__(self, batch: BatchView, names: Sequence[str]) -> None:
        known = known_columns(batch)
        if isinstance(names, str) or not isinstance(names, Iterable):
            raise CommandError(key="columns", value=names, expected="a list of names")
        for name in names:
            if name == "time_s":
                raise CommandError("column 'time_s' is always there", expected="names of other columns")
            if name not in known:
                raise CommandError(
                    "a batch has no column", value=name, expected=f"some of {', '.join(known)}", names=known
                )
        self.names = tuple(names)
        twice = [name for name in self.names if self.names.count(name) > 1]
        if twice:
            raise CommandError(f"column {twice[0]!r} is asked for more than once", expected="each once")
        self._batch = batch
        self._of = [known[name] for name in names]

    def fill(self, out: Array) -> Array:
        """(columns, n), into `out`."""
        read: dict[str, Array] = {}
        for row, (what, i, factor) in zip(out, self._of, strict=True):
            if what not in read:
                read[what] = getattr(self._batch, what)
            values = read[what]
            if i == -2:  # the size of a force
                np.sqrt((values[:, :3] ** 2).sum(axis=1), out=values[:, 0])
                i = 0
            np.multiply(values if i < 0 else values[:, i], factor, out=row, casting="same_kind")
        for row, name in zip(out, self.names, strict=True):
            if name == "heading_deg":
                np.mod(row, 360.0, out=row)
        return out


# ---- running ---------------------------------------------------------------------------------------------------------


class VectorController(Protocol):
    """Steers many: `control.vectorised.autopilot.VectorAutopilot`, or one of your own."""

    def update(self, states: VehicleStates, dt: float) -> Actuations:
        """Demands for the next dt seconds."""
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
    """See `Batch.run`."""
    rate = batch.control_rate_hz
    count = round(inputs.positive("seconds", seconds) * rate)
    wanted = inputs.positive("log_rate_hz", log_rate_hz)
    if count == 0 or wanted > rate * (1.0 + 1e-9):
        raise CommandError(
            f"seconds is {seconds:g} and log_rate_hz {wanted:g}",
            expected=f"at least one control interval, {1.0 / rate:g} s, and at most the control rate, {rate:g} Hz",
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
                batch.command(steer(batch.state(), batch.interval_s))
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


def _steering(control: Control) -> Callable[[VehicleStates, float], Actuations]:
    """What is called before each interval."""
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
