"""The figure of chapter 5: areas around the cube with vehicles, a bar his steps would miss, and a flight at the "
"cube."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from pelagos.analysis.page import COMMAND, INK, PALETTE, UNWRITTEN, new_figure, styled
from pelagos.reproduce.document import Drawing, drawn
from pelagos.reproduce.royer.collision import approach
from pelagos.reproduce.royer.given import SIZE_M, Array
from pelagos.world.royer import royer_collides
from pelagos.world.structure import Structure

if TYPE_CHECKING:
    from matplotlib.axes import Axes

CUBE = Structure(kind="box", name="cube", center_m=(0.0, 0.0, 50.0), size_m=(5.0, 5.0, 5.0))
THIN = Structure(kind="box", name="bar", center_m=(1.15, 0.0, 50.0), size_m=(0.3, 18.0, 0.3))
FREE, HIT = PALETTE[2], PALETTE[1]


def outline(north: float, east: float, heading: float) -> Array:
    """Corners of the vehicle seen from above: rows of east, north."""
    c, s = math.cos(heading), math.sin(heading)
    x, y = np.array([(1.5, 0.8), (1.5, -0.8), (-1.5, -0.8), (-1.5, 0.8)]).T
    return np.column_stack([east + s * x + c * y, north + c * x - s * y])


def _areas(ax: Axes) -> None:
    from matplotlib.patches import FancyBboxPatch, Polygon, Rectangle

    near, far = 0.5 * SIZE_M[1], 0.5 * math.hypot(*SIZE_M[:2])
    for away, style, said in ((far, "--", "area 1 outside, 2 inside"), (near, ":", "area 3 inside")):
        ring = FancyBboxPatch((-2.5, -2.5), 5.0, 5.0, boxstyle=f"round,pad={away}", fc="none", ec=INK, ls=style, lw=1.0)
        ring.set_label(said)
        ax.add_patch(ring)
    ax.add_patch(Rectangle((-2.5, -2.5), 5.0, 5.0, fc=COMMAND, ec=INK, lw=0.8))
    ax.annotate("cube", (0.0, 0.0), ha="center", va="center")
    rng, drawn_ones = np.random.default_rng(9), []
    while len(drawn_ones) < 14:  # where they can be told apart
        north, east = rng.uniform(-6.0, 6.0, 2)
        heading = rng.uniform(-math.pi, math.pi)
        apart = all(math.hypot(north - a, east - b) > 2.4 for a, b in drawn_ones)
        if apart and max(abs(north), abs(east)) > 2.2:
            hit = royer_collides(CUBE, SIZE_M, (north, east, 50.0), heading)
            ax.add_patch(Polygon(outline(north, east, heading), fc="none", ec=HIT if hit else FREE, lw=1.4))
            ax.plot(east, north, ".", ms=4, color=HIT if hit else FREE)
            drawn_ones.append((north, east))
    ax.set(title="5.3  areas around the cube", xlim=(-8, 8), ylim=(-8, 9.6))
    ax.legend(loc="upper center", ncols=2)


def _bar(ax: Axes) -> None:
    from matplotlib.patches import Polygon, Rectangle

    assert royer_collides(THIN, SIZE_M, (0.0, 0.0, 50.0), 0.0)
    assert not royer_collides(THIN, SIZE_M, (0.0, 0.0, 50.0), 0.0, crossing=False)
    ax.add_patch(Rectangle((-9.0, 1.0), 18.0, 0.3, fc=COMMAND, ec=INK, lw=0.8))
    ax.add_patch(Polygon(outline(0.0, 0.0, 0.0), fc="none", ec=HIT, lw=1.4))
    ax.plot(0.0, 0.0, ".", color=HIT)
    ax.annotate('no corner of one is in the other:\nhis steps say "no collision"', (0.0, -2.4), ha="center")
    ax.annotate("bar, 0.3 m", (-2.3, 1.45), ha="center")
    ax.set(title="A thin bar under the bow", xlim=(-3.6, 3.6), ylim=(-3.4, 3.4))


def _flown(ax: Axes) -> None:
    for stopped, color, said in (
        (False, PALETTE[1], "as in the thesis: signalled only"),
        (True, PALETTE[0], "Pelagos: contact"),
    ):
        run = approach(stopped)
        ax.plot(run.time_s, run.gap_m, color=color, label=said)
        if not stopped:
            first = int(np.flatnonzero(run.signalled > 0.5)[0])
            ax.plot(run.time_s[first], run.gap_m[first], "o", ms=6, color=INK, label="his test signals")
    ax.axhline(0.0, color=INK, lw=0.7)
    ax.set(title="250 N straight at the cube", xlabel="time, s", ylabel="bow to face, m")
    ax.legend(loc="lower left")


def collision_figure() -> Drawing:
    """Three panels."""
    with styled():
        figure = new_figure(UNWRITTEN, (9.4, 3.6), None)
        areas, bar, flown = figure.subplots(1, 3, width_ratios=(1.15, 0.95, 1.0))
        _areas(areas)
        _bar(bar)
        _flown(flown)
        for ax in (areas, bar):
            ax.set_aspect("equal")
            ax.set(xlabel="east, m", ylabel="north, m")
        return drawn(
            figure,
            "royer-collision",
            "Chapter 5. Left: our reading of figure 5.3; vehicles of 3 x 1.6 m that his steps call free (green) and in "
            "collision (orange). Middle: why a bar thinner than his needs one test more. Right: a flight at the cube; "
            "in the thesis the vehicle goes on through it, in Pelagos contact stops it.",
        )
