"""The layout of the thrusters in words: which axes are commanded, which are not and why."""

from __future__ import annotations

import numpy as np

from pelagos.control.allocation import Allocation, comparable
from pelagos.control.base import AXIS_NAMES

UNITS = ("N", "N", "N", "N m", "N m", "N m")


def report(allocation: Allocation) -> str:
    """Rank, reach of each commanded axis, reason for each other one, singular values, pumps and faults."""
    a = allocation
    if not a.n:
        return "no thrusters: no axis is commanded by thrust"
    working = a.b * (np.array(a.health) > 0.0)
    lines = [f"{a.n} thruster{'s' if a.n > 1 else ''}, rank {a.rank} of 6"]
    for i, name in enumerate(AXIS_NAMES):
        if i in a.axes:
            reach = f"from {-a.limit(i, -1.0):.4g} to {a.limit(i, 1.0):.4g} {UNITS[i]}"
            lines.append(f"  {name:6} commanded, priority {a.priority[i]:g}, {reach}")
        else:
            lines.append(f"  {name:6} not commanded: {_why_not(working, a.axes, i)}")
    sizes = np.linalg.svd(comparable(working), compute_uv=False)
    lines.append("  singular values, moments over the longest arm: " + ", ".join(f"{s:.3g}" for s in sizes))
    supplies = [s for g, s in enumerate(a.vehicle.supplies) if any(t.group == g for t in a.vehicle.thrusters)]
    for supply in supplies:
        members = [t.name for t in a.vehicle.thrusters if a.vehicle.supplies[t.group] is supply and t.group >= 0]
        lines.append(f"  {supply.name}: {', '.join(members)} share {supply.limit_n:g} N")
    for thruster, share in zip(a.vehicle.thrusters, a.health, strict=True):
        if share < 1.0:
            lines.append(f"  {thruster.name}: " + (f"{100 * share:.3g} % of its thrust" if share > 0.0 else "lost"))
    return "\n".join(lines)


def _why_not(b: np.ndarray, axes: tuple[int, ...], axis: int) -> str:
    """Nothing pushes there, or the push comes with axes that were claimed before."""
    row = b[axis]
    if float(np.abs(row).max()) <= 1e-9 * float(np.abs(b).max(initial=1e-300)):
        verb = "pushes that way" if axis < 3 else "turns it that way"
        return f"no thruster {verb}"
    mix, *_ = np.linalg.lstsq(b[list(axes)].T, row, rcond=None)
    coupled = [(AXIS_NAMES[i], c, UNITS[i]) for i, c in zip(axes, mix, strict=True) if abs(c) > 1e-6]
    if not coupled:
        return "its reach is too small beside that of the other axes"
    parts = ", ".join(f"{c:+.3g} {UNITS[axis]} per {unit} of {name}" for name, c, unit in coupled)
    return f"it comes with {parts}"
