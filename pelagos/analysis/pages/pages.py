"""List the pages that a log has the columns for, and draw one of them or all.

A page is there if the log has the columns it needs. Every page takes the log as it is; nothing is made up.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from pelagos.analysis.page import save_or_show, styled
from pelagos.analysis.pages.actuators import actuators, draw_actuators
from pelagos.analysis.pages.forces import draw_forces
from pelagos.analysis.pages.lines import has
from pelagos.analysis.pages.motion import SPEEDS, draw_attitude, draw_depth, draw_guidance, draw_speed
from pelagos.analysis.pages.plan import draw_plan
from pelagos.analysis.pages.sensors import draw_estimate, draw_sensors, residuals
from pelagos.analysis.pages.tether import has_tether, plot_tether
from pelagos.analysis.plots import plot_mission
from pelagos.checks import choice
from pelagos.errors import one_of
from pelagos.sim.log.log import Log, LogError
from pelagos.world.spec import World

if TYPE_CHECKING:
    from matplotlib.figure import Figure

OF_WORLD = ("plan", "tether")  # pages that show the world of the run
FORMATS = ("png", "svg", "pdf")
PLACE, ATTITUDE = ("north_m", "east_m"), ("roll_deg", "pitch_deg", "heading_deg")
MOTION = (*PLACE, "depth_m", *ATTITUDE, *SPEEDS)


class Page(NamedTuple):
    """A page: what it shows, whether a log has the columns for it, and the function that draws it."""

    summary: str
    fits: Callable[[Log], bool]
    draw: Callable[..., Figure]


PAGES = {
    "mission": Page("the run on one page", lambda log: has(log, *MOTION), plot_mission),
    "plan": Page("the track from above, with heading ticks", lambda log: has(log, *PLACE, "heading_deg"), draw_plan),
    "depth": Page("depth and altitude over the bottom", lambda log: has(log, *PLACE, "depth_m"), draw_depth),
    "attitude": Page("roll, pitch, heading and the rates", lambda log: has(log, *ATTITUDE), draw_attitude),
    "speed": Page("speed over ground and through the water", lambda log: has(log, *SPEEDS, *ATTITUDE), draw_speed),
    "guidance": Page(
        "how well the track was kept",
        lambda log: has(log, "cross_track_m") or has(log, *PLACE, "goal_north_m", "goal_east_m"),
        draw_guidance,
    ),
    "actuators": Page(
        "command, actual value and effort of each actuator", lambda log: bool(actuators(log)), draw_actuators
    ),
    "sensors": Page("each instrument against the truth it measures", lambda log: bool(residuals(log)), draw_sensors),
    "estimate": Page(
        "the estimate against the truth, with its own standard deviation",
        lambda log: has(log, *PLACE, "est_north_m", "est_east_m"),
        draw_estimate,
    ),
    "tether": Page("shape, tension and status of the tether", has_tether, plot_tether),
    "forces": Page(
        "which force did what", lambda log: any(bool(wrench.any()) for wrench in log.forces.values()), draw_forces
    ),
}


def pages(log: Log) -> list[str]:
    """Return the names of the pages this log has the columns for."""
    return [name for name, page in PAGES.items() if page.fits(log)] if len(log) else []


def draw_page(log: Log, name: str, path: str | os.PathLike[str] | None = None, *, world: World | None = None) -> Figure:
    """Draw one page.

    Args:
        log: the run.
        name: one of `pages(log)`.
        path: where to write the figure (the ending chooses the format), or None to show it.
        world: where it was run; its bottom and structures are drawn on the plan and about the tether.
    """
    choice("page", name, PAGES)
    if not len(log):
        raise LogError("the log is empty, there is nothing to draw")
    page = PAGES[name]
    if not page.fits(log):
        raise LogError("the log has no columns for the page", value=name, expected=one_of(pages(log)))
    options = {"world": world} if name in OF_WORLD else {}
    if page.draw in (plot_mission, plot_tether):  # these save or show the page themselves
        return page.draw(log, path, **options)
    with styled():
        return save_or_show(page.draw(log, path, **options), path, dpi=150, error=LogError)


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
