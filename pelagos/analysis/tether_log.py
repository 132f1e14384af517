"""What a log says of a tether: its shapes, and its status in words."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from pelagos.sim.log import Array, Log
from pelagos.tether.spec import WORDS

WIDTH = 96  # of a line of text
AXES = ("north", "east", "depth")


def has_tether(log: Log) -> bool:
    """Whether the run had a tether."""
    return "tether_status" in log and "tether_00_north_m" in log


def shapes(log: Log) -> Array:
    """Points of the cable from ship to vehicle, (samples, points, 3): north, east, depth in m."""
    count = sum(name.startswith("tether_") and name.endswith("_north_m") for name in log.columns)
    columns = [log[f"tether_{i:02d}_{axis}_m"] for i in range(count) for axis in AXES]
    return np.stack(columns, axis=-1).reshape(len(log), count, 3)


def when(log: Log) -> dict[str, NDArray[np.bool_]]:
    """Each status that occurred, in words, and the samples at which it held."""
    bits = log["tether_status"].astype(int)
    held = {word: (bits & int(flag)) != 0 for flag, word in WORDS.items()}
    return {word: there for word, there in held.items() if there.any()}


def spans(time_s: Array, there: NDArray[np.bool_]) -> Iterator[tuple[float, float]]:
    """Start and length, s, of each time during which a status held; a sample stands for the interval before it."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], there, [False]]).astype(int)))
    for first, after in edges.reshape(-1, 2):
        start = float(time_s[max(first - 1, 0)])
        yield start, float(time_s[after - 1]) - start


def told(log: Log) -> list[str]:
    """The tether of a run in a few lines: length, largest tension, status with its share of the time, wrap."""
    if not has_tether(log):
        return []
    at_vehicle, at_ship = log["tether_tension_N"], log["tether_ship_tension_N"]
    length = log["tether_length_m"]
    paid = f"{length[-1]:.4g} m" if np.ptp(length) < 1e-6 else f"{length.min():.4g} to {length.max():.4g} m"
    strongest = log.time_s[int(np.argmax(np.maximum(at_vehicle, at_ship)))]
    lines = [
        f"tether of {paid}: largest tension {at_vehicle.max():.3g} N at the vehicle, {at_ship.max():.3g} N at the "
        f"ship, t = {strongest:.1f} s"
    ]
    shares = [f"{word} {_percent(float(there.mean()))}" for word, there in when(log).items()]
    if shares:
        text = "of the time it was " + ", ".join(shares)
        lines += textwrap.wrap(text, WIDTH, initial_indent="  ", subsequent_indent="    ")
    wrap = log["tether_wrap_deg"]
    if wrap.max() >= 1.0:
        lines.append(f"  turned round a structure by up to {wrap.max():.0f} deg, {wrap[-1]:.0f} deg at the end")
    return lines


def _percent(share: float) -> str:
    """A share that a reader takes for never only if it is."""
    return f"{100.0 * share:.0f} %" if share >= 0.01 else "below 1 %"
