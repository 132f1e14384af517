"""Figures of the pilots: curves and paths like 7.3 to 7.14, and all attempts on one page."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from pelagos.analysis.page import COMMAND, INK, PALETTE, UNWRITTEN, new_figure, styled
from pelagos.training.figures import draw_path
from pelagos_evidence.document import Drawing, drawn
from pelagos_evidence.royer.pilots.experiments import BACK, CASES, OUT, PIPE_M, PilotCase, PilotFlight, pipe_task

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Flown = Mapping[str, Sequence[PilotFlight]]
LINE, OTHERS, TOUCH = PALETTE[0], PALETTE[4], PALETTE[1]
PIPE_HALF_M = 0.5  # the pipeline of the scene is 1 m square
TICKS_M = (0.1, 0.2, 0.3, 0.5, 1.0, 2.0)
LINES = 2  # attempts in a panel
DPI = 103  # of the figures with many curves


def hover_curves(flown: Flown) -> Drawing:
    """The distance of the triangles against time, a panel for each of 7.4.b to 7.12.b."""
    with styled():
        figure = new_figure(UNWRITTEN, (8.6, 5.9), "Hovering: distance between the triangles")
        panels: Any = figure.subplots(3, 3, sharex=True, sharey=True)
        for ax, case in zip(panels.flat, CASES, strict=True):
            for flight in flown[case.key][1:LINES]:
                ax.plot(*_recorded(flight, "distance_m"), color=OTHERS, linewidth=0.6)
            time, distance = _recorded(flown[case.key][0], "distance_m")
            ax.fill_between(time, distance, 0.0, where=list(distance < 0.0), color=TOUCH, alpha=0.5, linewidth=0.0)
            ax.plot(time, distance, color=LINE, linewidth=1.3)
            ax.axhline(0.0, color=COMMAND, linewidth=0.8)
            _titled(ax, case, flown[case.key])
        panels[0, 0].set_ylim(-1.2, 2.6)
        for ax in panels[:, 0]:
            ax.set_ylabel("distance [m]")
        for ax in panels[-1]:
            ax.set_xlabel("time [s]")
        return drawn(
            figure,
            "royer-pilot-hover",
            "Hovering as in figures 7.4.b to 7.12.b: the distance between the triangles, negative while the vehicle "
            "is in the cube. The dark line is the first attempt, the light one is another; rms: median of all.",
            DPI,
        )


def pipe_curves(flown: Flown) -> Drawing:
    """Distance from the pipe along its length, a panel for each of 7.4.a to 7.14."""
    cases = (*CASES, OUT, BACK)
    with styled():
        figure = new_figure(UNWRITTEN, (8.6, 6.2), "Following the pipe: way off its axis")
        panels: Any = figure.subplots(4, 3, sharex=True, sharey=True)
        panels[-1, -1].set_axis_off()
        for ax, case in zip(panels.flat, cases, strict=False):
            ax.axhspan(-PIPE_HALF_M, PIPE_HALF_M, color=PALETTE[8], alpha=0.25, linewidth=0.0)
            for k, flight in reversed(list(enumerate(flown[case.key][:LINES]))):
                kept = flight.curve["progress"] > 0.0
                along = flight.curve["progress"][kept] * PIPE_M
                style = (LINE, 1.3) if k == 0 else (OTHERS, 0.6)
                ax.plot(along, flight.curve["path_error_m"][kept], color=style[0], linewidth=style[1])
            _titled(ax, case, flown[case.key])
        panels[0, 0].set_ylim(1.4, -1.4)
        for ax in panels[:, 0]:
            ax.set_ylabel("to starboard [m]")
        for ax in (*panels[-1, :2], panels[-2, 2]):
            ax.set_xlabel("along the pipe [m]")
            ax.tick_params(labelbottom=True)
        return drawn(
            figure,
            "royer-pilot-pipe",
            "Following the pipe as in figures 7.4.a to 7.12.a, 7.13 and 7.14: the way off its axis, starboard "
            "downwards; the grey band is the pipe, 1 m wide. Figures 7.13 and 7.14 are the way out and back by a top "
            "view with north up.",
            DPI,
        )


def example(flown: Flown) -> Drawing:
    """Distance, altitude and heading of one attempt without depth control, by top view and by camera: figure 7.3."""
    rows = (
        ("distance_m", "distance [m]"),
        ("altitude_error_m", "altitude - 2.5 m [m]"),
        ("heading_error_deg", "heading - 180 [deg]"),
    )
    with styled():
        figure = new_figure(UNWRITTEN, (9.0, 5.4), "Hovering without depth control")
        panels: Any = figure.subplots(3, 2, sharex=True, sharey="row")
        for column, key in enumerate(("4", "5")):
            flight = flown[key][0]
            for ax, (name, label) in zip(panels[:, column], rows, strict=True):
                time, values = _recorded(flight, name)
                if name == "distance_m":
                    ax.fill_between(time, values, 0.0, where=list(values < 0.0), color=TOUCH, alpha=0.5, linewidth=0.0)
                ax.plot(time, values, color=LINE)
                ax.axhline(0.0, color=COMMAND, linewidth=0.8)
                if column == 0:
                    ax.set_ylabel(label)
            panels[0, column].set_title(f"{flight.case.figure}.b: {flight.case.sentence()}")
            panels[-1, column].set_xlabel("time [s]")
        return drawn(
            figure,
            "royer-pilot-example",
            "The three curves of an attempt at hovering, as in figure 7.3: by the top view (left) and by the camera "
            "(right), no current, depth kept by hand.",
        )


def out_and_back(flown: Flown) -> Drawing:
    """The paths of 7.13 and 7.14 from above."""
    with styled():
        figure = new_figure(UNWRITTEN, (9.6, 4.9), "Top view with north up: out to the north-east, and back")
        panels: Any = figure.subplots(1, 2)
        for ax, case in zip(panels, (OUT, BACK), strict=True):
            task = pipe_task(case.back)
            flight = flown[case.key][0]
            curve = {name: values.tolist() for name, values in flight.curve.items()}
            draw_path(ax, curve, None, task.vehicle(), task.marks(task.world_for(case.conditions())))
            ax.set_title(f"{case.figure}: rms {flight.size_m:.2f} m")
        return drawn(
            figure,
            "royer-pilot-out-and-back",
            "Path reconstitution as in figure 7.1, for figures 7.13 (out) and 7.14 (back, thrusters at 135 degrees "
            "from the joystick); first attempt of each.",
        )


def summary(hovering: Flown, following: Flown, extra: Sequence[PilotCase]) -> Drawing:
    """The rms error of every attempt, by case."""
    with styled():
        figure = new_figure(UNWRITTEN, (9.6, 5.6), "All attempts")
        panels: Any = figure.subplots(1, 2, sharey=True)
        cases = (*CASES, *extra)
        names = [f"{case.figure}  {case.sentence()}{', back' if case.back else ''}" for case in cases]
        for ax, flown, title in (
            (panels[0], hovering, "hovering: distance, rms [m]"),
            (panels[1], following, "pipe: way off its axis, rms [m]"),
        ):
            for k, case in enumerate(cases):
                sizes = [flight.size_m for flight in flown.get(case.key, ())]
                if not sizes:
                    continue
                colour = PALETTE[3] if case.operator.name != CASES[0].operator.name else LINE
                ax.plot(sizes, np.full(len(sizes), k), "o", color=colour, alpha=0.45, markersize=4.5)
                ax.plot([float(np.median(sizes))], [k], "|", color=INK, markersize=15, markeredgewidth=2.0)
            ax.set_xscale("log")
            ax.set_xlabel(title)
            ax.set_xticks(TICKS_M, [f"{tick:g}" for tick in TICKS_M])
            ax.set_xticks([], minor=True)
        panels[0].set_yticks(range(len(cases)), names)
        panels[0].invert_yaxis()
        return drawn(
            figure,
            "royer-pilot-summary",
            "The rms error of every attempt (dots) and the median (bar) by figure of the thesis; the novice in another "
            "colour. Attempts differ by the seed of the pilot's noise only.",
        )


def _recorded(flight: PilotFlight, name: str) -> tuple[np.ndarray, np.ndarray]:
    """Time since recording began, and a value, from there on."""
    begin = flight.measures["time_s"] - flight.measures["hovered_s"]
    kept = flight.curve["time_s"] >= begin - 1e-6
    return flight.curve["time_s"][kept] - begin, flight.curve[name][kept]


def _titled(ax: Axes, case: PilotCase, flights: Sequence[PilotFlight]) -> None:
    ax.set_title(textwrap.fill(f"{case.figure}: {case.sentence()}", 38), fontsize=7.5)
    median = float(np.median([flight.size_m for flight in flights]))
    ax.text(
        0.985, 0.03, f"rms {median:.2f} m", transform=ax.transAxes, ha="right", va="bottom", fontsize=7.5, color=INK
    )
