"""Section 3.5: the search for the tension at the ship, and figures 3.5 to 3.11 drawn anew."""

from __future__ import annotations

import math
import time
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from pelagos.analysis.page import COMMAND, INK, PALETTE, UNWRITTEN, new_figure, styled
from pelagos.engine.cable.royer import ANGLES, BEST, COLUMNS, NO_SEARCH, integrate, search, solve
from pelagos.tether.royer import royer_cable, royer_walk
from pelagos_evidence.document import Drawing, drawn
from pelagos_evidence.rows import Array, Rows, Values
from pelagos_evidence.royer.tether import LENGTH_M, SPEED_M_S, START_DEG, START_N, plane_line, umbilical

if TYPE_CHECKING:
    from matplotlib.axes import Axes


TRIED_N = (25.0, 50.0, 100.0, 200.0, 400.0, 800.0)
TRIED_DEG = (-5.0, -10.0, -20.0, -40.0, -60.0, -90.0)
TARGET_M, BEFORE_M = (-35.0, -90.0), (-38.0, -87.0)  # of B, from A, y up; where it was a moment ago
MOST_N = 10_000.0  # bound of the search, far above any tension of these cables
TARGET_STYLE = {"marker": "o", "ms": 10, "mfc": "none", "mec": PALETTE[9], "mew": 1.5, "ls": ""}


ROWS = Rows(__file__)


def ends(tension: float, angles: Array, steps: int = 50, length_m: float = LENGTH_M) -> Array:
    """Ends of the cables that leave A with this tension and these angles: rows of x, y."""
    line, shape = plane_line(length_m, steps=steps), np.empty((steps + 1, 2))
    solutions = [integrate(line, tension, float(angle), shape) for angle in angles]
    return np.array([(end.x, end.y) for end in solutions])


@cache
def far_and_close() -> tuple[Array, Array]:
    """Every integration of his search: from a far start, and from the cable of a moment ago."""
    line = plane_line()
    tension, angle, _, _ = solve(line, *BEFORE_M, MOST_N, np.zeros(3), NO_SEARCH)
    histories = []
    for start_T, start_a, warm in ((40.0, 0.0, False), (tension, angle, True)):
        history = np.zeros((500, COLUMNS))
        *_, count = search(line, *TARGET_M, MOST_N, start_T, start_a, warm, history, 0)
        histories.append(history[:count])
    return histories[0], histories[1]


def k_test(points: Array, target: Array) -> float:
    """K of the thesis from the two nearest computed ends, ordered with x increasing, and the desired one."""
    away = np.hypot(*(points - target).T)
    best = int(away.argmin())
    beside = [i for i in (best - 1, best + 1) if 0 <= i < len(points)]
    other = min(beside, key=lambda i: away[i])
    left, right = sorted((best, other), key=lambda i: points[i, 0])
    (x1, y1), (x2, y2), (X, Y) = points[left], points[right], target
    return float((y2 - y1) * X - (x2 - x1) * Y + (x2 * y1 - x1 * y2))


def _k_values() -> Values:
    """Ends whose tension is known by construction, tried with other tensions."""
    rng = np.random.default_rng(31)
    tables = {tension: ends(tension, ANGLES) for tension in TRIED_N}
    right = total = 0
    for _ in range(150):
        tension = math.exp(rng.uniform(math.log(25.0), math.log(800.0)))
        angle = rng.uniform(math.radians(-120.0), math.radians(-5.0))
        (target,) = ends(tension, np.array([angle]))
        for tried, points in tables.items():
            if abs(math.log(tension / tried)) > 0.1:
                total += 1
                right += (k_test(points, target) > 0.0) == (tension > tried)
    return {"search-k": {"holds": right == total, "right": right, "total": total, "right_total": right / total}}


def search_values() -> Values:
    """Rows of section 3.5."""
    grid = np.radians(-np.linspace(0.5, 178.0, 150))
    falls = [bool((np.diff(ends(tension, grid)[:, 0]) < 0.0).all()) for tension in TRIED_N]
    by_tension = np.array([ends(tension, np.radians(TRIED_DEG)) for tension in TRIED_N])
    rises = bool((np.diff(by_tension[:, :, 0], axis=0) > 0.0).all())
    far, close = far_and_close()
    trials = [int((history[:, 5] == BEST).sum()) for history in (far, close)]
    misses = [float(history[:, 4].min()) for history in (far, close)]
    steps = np.degrees(-np.diff(ANGLES))
    gaps = [float(steps[np.abs(np.degrees(ANGLES[:-1]) - angle).argmin()]) for angle in (-5.0, -30.0)]
    moves = [
        float(np.hypot(*np.diff(ends(START_N, np.radians([angle - 0.5, angle + 0.5]), 1000), axis=0)[0]))
        for angle in (-5.0, -30.0)
    ]
    twice = [ends(2.0 * tension, np.radians(TRIED_DEG), length_m=2.0 * LENGTH_M) for tension in TRIED_N[2:]]
    alike = (
        max(float(np.abs(double - 2.0 * single).max()) for double, single in zip(twice, by_tension[2:], strict=True))
        / LENGTH_M
    )
    return {
        "figure-3-7": {"holds": all(falls), "falling": sum(falls), "tensions": len(falls)},
        "figure-3-8": {
            "holds": rises and alike < 1e-9,
            "ours": (
                "the end moves downstream with every doubling of the tension, for all angles from -5° to -90°"
                if rises
                else "the end does not always move downstream"
            )
            + "; twice the tension on twice the cable: twice the shape, "
            + (f"to {alike:.0e} of the length" if alike else "exactly"),
        },
        **_k_values(),
        "search-steps": {"holds": moves[0] > 2.0 * moves[1] and gaps[0] < gaps[1], "moves": moves, "gaps": gaps},
        "figures-3-10-3-11": {
            "value": len(close) / len(far),
            "far": len(far),
            "trials": trials,
            "misses": misses,
            "close": len(close),
        },
        **_real_time(),
    }


def _real_time() -> Values:
    """Median time of a cold solution; shown only as below a tenth of the limit, because machines differ."""
    taken = []
    for k in range(20):
        end = (-70.0 + k, 10.0, 70.0)
        begun = time.perf_counter()
        royer_cable(umbilical(), LENGTH_M, (0, 0, 0), end, (SPEED_M_S, 0, 0))
        taken.append(time.perf_counter() - begun)
    seconds, limit = float(np.median(taken)), 1.0 / 3.0
    return {
        "search-real-time": {
            "holds": seconds < limit,
            "ours": "less than a tenth of that" if seconds < 0.1 * limit else f"{seconds:.2f} s",
        }
    }


def shape(tension: float, angle: float) -> Array:
    """Stations of his fifty steps from A."""
    line = plane_line()
    stations = np.empty((51, 2))
    integrate(line, tension, angle, stations)
    return stations


def _cable(ax: Axes, stations: Array, color: str, label: str, **style: Any) -> None:
    ax.plot(*stations.T, color=color, label=label, **style)
    ax.plot(*stations[-1], "o", ms=4, color=color)


def figure_3_5(ax: Axes) -> None:
    """Three weights from one tension and angle."""
    for weight, color in ((-0.5, PALETTE[1]), (0.0, PALETTE[0]), (0.5, PALETTE[2])):
        walk = royer_walk(umbilical(), LENGTH_M, START_N, START_DEG, SPEED_M_S, weight_N_m=weight)
        _cable(ax, walk.shape_m, color, f"w = {weight:g} N/m: {walk.tension_N:.0f} N at B")
    ax.set(title="3.5  weight, from 200 N and -20°", xlim=(-100, 60), ylim=(-85, 12))
    ax.legend(loc="lower right")


def figure_3_6(ax: Axes) -> None:
    """Three counts of steps from the same start."""
    for n, color in ((50, PALETTE[1]), (100, PALETTE[2]), (1000, PALETTE[0])):
        walk = royer_walk(umbilical(), LENGTH_M, START_N, START_DEG, SPEED_M_S, steps=n)
        _cable(ax, walk.shape_m, color, f"1/{n}: {walk.tension_N:.1f} N at B")
    ax.set(title="3.6  step, the same start, w = 0", xlim=(-100, 60), ylim=(-85, 12))
    ax.legend(loc="lower right")


def figure_3_7(ax: Axes) -> None:
    """Ends and shapes of one tension for several angles."""
    ax.plot(*ends(START_N, ANGLES).T, color=COMMAND, lw=1.0, ls="--", label="ends, all angles")
    for color, degrees in zip(PALETTE, TRIED_DEG, strict=False):
        _cable(ax, shape(START_N, math.radians(degrees)), color, f"{degrees:.0f}°", lw=1.0)
    ax.set(title="3.7  angle at A, 200 N", xlim=(-160, 165), ylim=(-110, 75))
    ax.legend(loc="upper center", ncols=4, columnspacing=1.0)


def figure_3_8(ax: Axes) -> None:
    """Ends and shapes of one angle for several tensions."""
    every = np.geomspace(20.0, 1000.0, 60)
    line = np.array([shape(float(tension), math.radians(START_DEG))[-1] for tension in every])
    ax.plot(*line.T, color=COMMAND, lw=1.0, ls="--", label="ends, all tensions")
    for color, tension in zip(PALETTE, TRIED_N, strict=False):
        _cable(ax, shape(tension, math.radians(START_DEG)), color, f"{tension:.0f} N", lw=1.0)
    ax.set(title="3.8  tension at A, -20°", xlim=(-160, 165), ylim=(-110, 75))
    ax.legend(loc="upper center", ncols=4, columnspacing=1.0)


def figure_3_9(ax: Axes) -> None:
    """Lines of ends of some tensions around the desired end; the line above it decides where the search goes."""
    for i, tension in enumerate((100.0, 200.0, 400.0)):
        points = ends(tension, ANGLES)
        away = np.hypot(*(points - np.array(TARGET_M)).T)
        best = int(away.argmin())
        near = points[max(best - 2, 0) : best + 3]
        ax.plot(*points.T, color=PALETTE[i], lw=1.0, label=f"{tension:.0f} N")
        ax.plot(*near.T, ".", ms=7, color=PALETTE[i])
    ax.plot(*TARGET_M, **TARGET_STYLE)
    caption = "desired end: K > 0 for 100 and 200 N\n(increase), K < 0 for 400 N (decrease)"
    line = {"arrowstyle": "-", "lw": 0.6, "color": INK}
    ax.annotate(caption, TARGET_M, (-150, -128), fontsize=7.5, arrowprops=line)
    ax.set(title="3.9  lines of ends; dots: angles near the best", xlim=(-160, 165), ylim=(-138, 12))
    ax.legend(loc="lower right")


def convergence(ax: Axes, history: Array, title: str) -> None:
    """For each tension the cable with the best angle, and the ends of all trials."""
    best = history[history[:, 5] == BEST]
    ax.plot(history[:, 2], history[:, 3], ".", ms=3, color=COMMAND, label=f"ends of all {len(history)} trials")
    shades = np.linspace(0.25, 1.0, len(best))
    for i, (row, shade) in enumerate(zip(best, shades, strict=True)):
        caption = f"{i + 1}: {row[0]:.0f} N, {math.degrees(row[1]):.1f}°, miss {row[4]:.1f} m"
        is_best = row[4] == best[:, 4].min()
        ax.plot(
            *shape(row[0], row[1]).T, color=PALETTE[0], alpha=float(shade), lw=2.0 if is_best else 0.9, label=caption
        )
    ax.plot(*TARGET_M, **TARGET_STYLE)
    ax.set(title=title, xlim=(-75, 165), ylim=(-128, 12))
    ax.legend(loc="lower right", fontsize=6.8)


def _finished(axes: list[Axes]) -> None:
    for ax in axes:
        ax.plot(0.0, 0.0, "s", ms=5, color=INK)
        ax.annotate("A", (0.0, 0.0), (4, 4), textcoords="offset points")
        ax.set_aspect("equal")
        ax.set(xlabel="x along the current, m", ylabel="y up, m")


def shapes_figure() -> Drawing:
    """Figures 3.5 to 3.8."""
    with styled():
        figure = new_figure(UNWRITTEN, (9.4, 6.2), None)
        axes = list(figure.subplots(2, 2).flat)
        for draw, ax in zip((figure_3_5, figure_3_6, figure_3_7, figure_3_8), axes, strict=True):
            draw(ax)
        _finished(axes)
        return drawn(
            figure,
            "royer-cable-shapes",
            "Figures 3.5 to 3.8 of the thesis, computed: a cable of 35 mm and 150 m in 0.75 m/s from the ship A. 3.5: "
            "three weights in water. 3.6: steps of 1/50, 1/100 and 1/1000 of the length. 3.7 and 3.8: how the end "
            "moves with the angle and with the tension at A.",
        )


def search_figure() -> Drawing:
    """Figures 3.9 to 3.11."""
    far, close = far_and_close()
    with styled():
        figure = new_figure(UNWRITTEN, (9.4, 6.4), None)
        grid = figure.add_gridspec(2, 2)
        axes = [figure.add_subplot(grid[0, :]), figure.add_subplot(grid[1, 0]), figure.add_subplot(grid[1, 1])]
        figure_3_9(axes[0])
        convergence(axes[1], far, "3.10  from a far set of initial conditions")
        convergence(axes[2], close, "3.11  from a close one")
        _finished(axes)
        return drawn(
            figure,
            "royer-cable-search",
            "Figures 3.9 to 3.11, computed. 3.9: for each trial tension the ends of all angles form a line; on which "
            "side of it the desired end (red) lies decides whether the tension must grow. 3.10 and 3.11: his search "
            "from a far start and from the cable of a moment ago.",
        )
