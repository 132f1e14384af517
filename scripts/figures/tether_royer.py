"""Draw docs/images/tether_royer.png: figures 3.5, 3.6, 3.10 and 3.11 of Royer (1985), computed."""

from __future__ import annotations

import math
from pathlib import Path

import matplotlib as mpl

mpl.use("Agg")
import numpy as np
from matplotlib import pyplot as plt
from matplotlib.axes import Axes

from pelagos.engine.cable.royer import BEST, COLUMNS, NO_SEARCH, RoyerLine, integrate, search, solve
from pelagos.tether.royer import royer_walk
from pelagos.tether.spec import Cable

OUT = Path(__file__).parents[2] / "docs" / "images" / "tether_royer.png"
BLUE, ORANGE, GREEN, GREY = "#1f5f99", "#d9772b", "#3a8a4d", "0.45"
CABLE = Cable(diameter_m=0.035, neutral=True)
LENGTH, SPEED, MOST = 150.0, 0.75, 10_000.0  # m, m/s, N
LOAD = 0.5 * 1025.0 * CABLE.diameter_m * SPEED**2  # N/m, rho/2 D V^2
LINE = RoyerLine(LENGTH, LOAD * CABLE.normal_drag, LOAD * math.pi * CABLE.tangential_drag, 0.0, 50)
TARGET, BEFORE = (-35.0, -90.0), (-38.0, -87.0)  # of B, from A; where it was a moment ago


def weights(ax: Axes) -> None:
    """Figure 3.5: three weights from one tension and angle."""
    for weight, color in ((-0.5, ORANGE), (0.0, BLUE), (0.5, GREEN)):
        walk = royer_walk(CABLE, LENGTH, 200.0, -20.0, SPEED, weight_N_m=weight)
        label = (
            f"w = {weight:+.1f} N/m: {walk.tension_N:.0f} N at B" if weight else f"w = 0: {walk.tension_N:.0f} N at B"
        )
        ax.plot(*walk.shape_m.T, color=color, label=label)
        ax.plot(*walk.shape_m[-1], "o", ms=4, color=color)
    ax.set(xlim=(-75.0, 45.0), ylim=(-76.0, 5.0))
    ax.set_title("3.5  Weight: 200 N and -20° at A")
    ax.legend(loc="upper left")


def steps(ax: Axes) -> None:
    """Figure 3.6: three counts of steps from the same start, and a magnified end."""
    detail = ax.inset_axes((0.05, 0.5, 0.42, 0.4))
    for n, color in ((50, ORANGE), (100, GREEN), (1000, BLUE)):
        walk = royer_walk(CABLE, LENGTH, 200.0, -20.0, SPEED, steps=n)
        ax.plot(*walk.shape_m.T, color=color, label=f"{n} steps: {walk.tension_N:.1f} N at B")
        for panel in (ax, detail):
            panel.plot(*walk.shape_m[-1], "o", ms=4, color=color)
        detail.plot(*walk.shape_m.T, color=color)
    detail.set(xlim=(-71.0, -57.0), ylim=(-67.5, -61.5), xticks=(), yticks=())
    detail.annotate("6.5 m", (-64.5, -62.9), ha="center", fontsize=7)
    detail.annotate("", (-67.9, -63.3), (-61.5, -63.3), arrowprops={"arrowstyle": "<->", "lw": 0.7})
    ax.indicate_inset_zoom(detail, edgecolor=GREY)
    ax.set(xlim=(-75.0, 45.0), ylim=(-76.0, 5.0))
    ax.set_title("3.6  Steps: the same start, w = 0")
    ax.legend(loc="lower right")


def convergence(ax: Axes, title: str, tension: float, angle: float, warm: bool) -> None:
    """Figures 3.10 and 3.11: of each tension tried by his search, the cable with the best angle."""
    history = np.zeros((500, COLUMNS))
    *_, count = search(LINE, *TARGET, MOST, tension, angle, warm, history, 0)
    tried = history[:count]
    best = tried[tried[:, 5] == BEST]
    colors = mpl.colormaps["viridis_r"](np.linspace(0.15, 1.0, len(best)))
    shape = np.empty((LINE.steps + 1, 2))
    ax.plot(tried[:, 2], tried[:, 3], ".", ms=3, color=GREY, label=f"ends of all {count} cables tried")
    for i, (row, color) in enumerate(zip(best, colors, strict=True)):
        integrate(LINE, row[0], row[1], shape)
        caption = f"{i + 1}: {row[0]:.0f} N, {math.degrees(row[1]):.1f}°, miss {row[4]:.1f} m"
        ax.plot(*shape.T, color=color, lw=2.2 if row[4] == best[:, 4].min() else 0.9, label=caption)
    ax.plot(*TARGET, "o", ms=11, mfc="none", mec="tab:red", mew=1.4, label="B to be reached")
    ax.set(xlim=(-72.0, 162.0), ylim=(-126.0, 12.0))
    ax.set_title(title)
    ax.legend(loc="upper right", fontsize=6.5)


def main() -> None:
    """Draw and save."""
    plt.rcParams.update({"font.size": 8, "legend.fontsize": 7, "legend.frameon": False, "axes.titlesize": 9})
    figure, axes = plt.subplots(2, 2, figsize=(9.2, 6.4), layout="constrained")
    weights(axes[0, 0])
    steps(axes[0, 1])
    tension, angle, _, _ = solve(LINE, *BEFORE, MOST, np.zeros(3), NO_SEARCH)
    convergence(axes[1, 0], "3.10  His search from a far start", 40.0, 0.0, False)
    convergence(axes[1, 1], "3.11  The same end, from the cable of a moment ago", tension, angle, True)
    for ax in axes.flat:
        ax.plot(0.0, 0.0, "s", ms=5, color="black")
        ax.annotate("A", (0.0, 0.0), (4, 4), textcoords="offset points")
        ax.set_aspect("equal")
        ax.grid(True, lw=0.3)
        ax.set(xlabel="x along the current, m", ylabel="y up, m")
    figure.savefig(OUT, dpi=95)


if __name__ == "__main__":
    main()
