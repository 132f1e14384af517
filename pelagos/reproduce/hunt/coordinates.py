"""The figure that both dives of section IV are shown with: six coordinates over time, and differences below them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pelagos.analysis.page import COMMAND, FAINT, PALETTE, UNWRITTEN, new_figure, styled
from pelagos.reproduce.document import Drawing, drawn

Array = NDArray[np.float64]

NAMES = ("x (north), m", "y (east), m", "z (depth), m", "roll, deg", "pitch, deg", "heading, deg")
DELTAS = ("Δx, m", "Δy, m", "Δz, m", "Δφ, deg", "Δθ, deg", "Δψ, deg")
EVERY = 2  # sample of 2 Hz is drawn: enough for the eye, and a smaller picture
ORDER = (0, 3, 1, 4, 2, 5)  # positions on the left, angles on the right, as in the document


def dive_drawing(
    name: str,
    caption: str,
    minutes: Array,
    flights: Mapping[str, Array],
    *,
    turns: list[tuple[float, float]],
    differences: Mapping[str, Array] | None = None,
) -> Drawing:
    """Coordinates of each flight, (6, n), over minutes; the turns shaded; differences in panels of their own."""
    kept = slice(None, None, EVERY)
    minutes = minutes[kept]
    with styled():
        rows = 6 if differences else 3
        heights = [1.0, 0.6] * 3 if differences else [1.0] * 3
        figure = new_figure(UNWRITTEN, (9.5, 8.8 if differences else 6.2), None)
        panels = figure.subplots(rows, 2, sharex=True, gridspec_kw={"height_ratios": heights})
        for k, which in enumerate(ORDER):
            axes = panels[(2 if differences else 1) * (k // 2), k % 2]
            for i, (label, flight) in enumerate(flights.items()):
                style: Any = "-" if i == 0 else "--"
                wide = 1.6 if i == 0 else 1.2
                # roll swings fast: thin lines stay apart
                lw = 0.6 if which == 3 else wide
                axes.plot(minutes, flight[which, kept], style, color=PALETTE[i], lw=lw, label=label)
            axes.set_ylabel(NAMES[which])
            if which == 2:
                axes.invert_yaxis()
            _shade(axes, turns)
            if differences:
                below = panels[2 * (k // 2) + 1, k % 2]
                for i, (label, off) in enumerate(differences.items()):
                    below.plot(minutes, off[which, kept], color=PALETTE[2 + i], lw=0.8, label=label)
                below.set_ylabel(DELTAS[which])
                below.ticklabel_format(axis="y", style="sci", scilimits=(0, 0))
                _shade(below, turns)
        for axes in panels[-1]:
            axes.set_xlabel("minutes since the start")
        handles, labels = panels[0, 0].get_legend_handles_labels()
        if differences:
            more = panels[1, 0].get_legend_handles_labels()
            handles, labels = handles + more[0], labels + more[1]
        figure.legend(handles, labels, loc="outside upper center", ncols=4)
    return drawn(figure, name, caption, dpi=80 if differences else 100)


def _shade(axes: Any, turns: list[tuple[float, float]]) -> None:
    for begin, end in turns:
        axes.axvspan(begin, end, color=FAINT, alpha=0.5, lw=0)
    if axes.get_ylim()[0] > 0.0 > axes.get_ylim()[1] and axes.yaxis_inverted():
        axes.axhline(0.0, color=COMMAND, lw=0.8)
