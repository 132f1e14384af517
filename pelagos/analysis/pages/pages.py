"""List the pages that a log has the columns for, and draw one of them or all.

A page is there if the log has the columns it needs. Every page takes the log as it is; nothing is made up.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from pelagos.analysis.page import save_or_show, styled
from pelagos.analysis.pages.actuators import actuators, draw_actuators
from pelagos.analysis.pages.forces import draw_forces
from pelagos.analysis.pages.lines import has
from pelagos.analysis.pages.motion import draw_attitude, draw_depth, draw_guidance, draw_speed
from pelagos.analysis.pages.plan import draw_plan
from pelagos.analysis.pages.sensors import draw_estimate, draw_sensors, residuals
from pelagos.analysis.pages.tether import has_tether, plot_tether
from pelagos.analysis.plots import plot_mission
from pelagos.checks import choice
from pelagos.errors import CommandError, one_of
from pelagos.sim.log.log import Log, LogError
from pelagos.world.spec import World

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FORMATS = ("png", "svg", "pdf")
PLACE, ATTITUDE = ("north_m", "east_m"), ("roll_deg", "pitch_deg", "heading_deg")
MOTION = (*PLACE, "depth_m", *ATTITUDE, "surge_m_s", "sway_m_s", "heave_m_s")

# page -> whether a log has the columns for it
REQUIREMENTS: dict[str, Callable[[Log], bool]] = {
    "mission": lambda log: has(log, *MOTION),
    "plan": lambda log: has(log, *PLACE, "heading_deg"),
    "depth": lambda log: has(log, *PLACE, "depth_m"),
    "attitude": lambda log: has(log, *ATTITUDE),
    "speed": lambda log: has(log, "surge_m_s", "sway_m_s", "heave_m_s", *ATTITUDE),
    "guidance": lambda log: has(log, "cross_track_m") or has(log, *PLACE, "goal_north_m", "goal_east_m"),
    "actuators": lambda log: bool(actuators(log)),
    "sensors": lambda log: bool(residuals(log)),
    "estimate": lambda log: has(log, *PLACE, "est_north_m", "est_east_m"),
    "tether": has_tether,
    "forces": lambda log: any(bool(wrench.any()) for wrench in log.forces.values()),
}
PAGES = tuple(REQUIREMENTS)
SUMMARY = {
    "mission": "the run on one page",
    "plan": "the track from above, with heading ticks",
    "depth": "depth and altitude over the bottom",
    "attitude": "roll, pitch, heading and the rates",
    "speed": "speed over ground and through the water",
    "guidance": "how well the track was kept",
    "actuators": "command, actual value and effort of each actuator",
    "sensors": "each instrument against the truth it measures",
    "estimate": "the estimate against the truth, with its own standard deviation",
    "tether": "shape, tension and status of the tether",
    "forces": "which force did what",
}


def pages(log: Log) -> list[str]:
    """Return the names of the pages this log has the columns for."""
    return [name for name, there in REQUIREMENTS.items() if there(log)] if len(log) else []


def draw_page(log: Log, name: str, path: str | os.PathLike[str] | None = None, *, world: World | None = None) -> Figure:
    """Draw one page.

    Args:
        log: the run.
        name: one of `pages(log)`.
        path: where to write the figure (the ending chooses the format), or None to show it.
        world: where it was run; its bottom and structures are drawn on the plan and about the tether.
    """
    if name not in REQUIREMENTS:
        raise CommandError("there is no page", value=name, expected=one_of(PAGES), names=PAGES)
    if not len(log):
        raise LogError("the log is empty, there is nothing to draw")
    if not REQUIREMENTS[name](log):
        raise LogError("the log has no columns for the page", value=name, expected=one_of(pages(log)))
    if name == "mission":
        return plot_mission(log, path)
    if name == "tether":
        return plot_tether(log, path, world=world)
    with styled():
        return save_or_show(_drawn(log, name, path, world), path, dpi=150, error=LogError)


def _drawn(log: Log, name: str, path: object, world: World | None) -> Figure:
    if name == "plan":
        return draw_plan(log, path, world)
    draw = {
        "depth": draw_depth,
        "attitude": draw_attitude,
        "speed": draw_speed,
        "guidance": draw_guidance,
        "actuators": draw_actuators,
        "sensors": draw_sensors,
        "estimate": draw_estimate,
        "forces": draw_forces,
    }[name]
    return draw(log, path)


def draw_set(
    log: Log,
    stem: str | os.PathLike[str],
    formats: Sequence[str] = ("png",),
    *,
    names: Sequence[str] = (),
    world: World | None = None,
) -> list[str]:
    """Save the named pages, or all that the log has, as STEM-NAME.FORMAT; return the files."""
    for ending in formats:
        choice("format", ending, FORMATS)
    files: list[str] = []
    for name in names or pages(log):
        for ending in formats:
            files.append(f"{os.fspath(stem)}-{name}.{ending}")
            draw_page(log, name, files[-1], world=world)
    if not files:
        raise LogError("the log is empty, there is nothing to draw")
    return files
