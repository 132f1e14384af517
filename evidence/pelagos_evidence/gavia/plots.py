"""The plotter of the Gavia notes: its file format, its three cases and figures 7 to 17, from a run over the bottom."""

from __future__ import annotations

import io
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from pelagos.analysis.page import METADATA, UNWRITTEN, settle, styled
from pelagos.analysis.plotter.motion import MotionScene, PlottedMotion, instants, motion_of, silenced
from pelagos.analysis.plotter.plotter import (
    PlotterData,
    X,
    draw_against_x,
    draw_all,
    plot_case,
    read_plotter,
    write_plotter,
)
from pelagos.errors import CommandError
from pelagos.scenario.read import load_scenario
from pelagos.sim.log.log import Log, LogError
from pelagos.world.spec import World
from pelagos_evidence.document import Drawing, Findings, Progress, drawn
from pelagos_evidence.gavia.printed import NOSE_M
from pelagos_evidence.rows import Rows, Values

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SCENARIO = "gavia-terrain"
SHOWN = ("pitch_deg", "depth_m", "sonar_range_m", "pitch_rate_deg_s")  # figures 8 to 11
FRAMES = 6  # figures 12 to 17
DPI = 110


ROWS = Rows(__file__, FRAMES=FRAMES)


@dataclass(frozen=True, eq=False)
class Plotted:
    """A run in the notes' format, the output of the three cases, and the message about a file without x_pos."""

    data: PlotterData
    head: str
    few: PlotterData  # a file with the columns of the notes' figures
    endings: tuple[str, ...]  # of the files of case 3
    against_x: tuple[str, ...]  # files of case 2, of `few`
    refused: str
    fourth: str  # the message about a case 4
    panels: int  # of case 1, of `few`
    world: World
    log: Log


def run(progress: Progress) -> Findings:
    """Fly, write, draw."""
    scenario = load_scenario(SCENARIO)
    log = scenario.run()
    assert isinstance(log, Log)
    progress(0.5)
    with tempfile.TemporaryDirectory() as folder:
        plotted, first = plot(log, scenario.world, Path(folder))
    progress(0.8)
    motion = silenced(motion_of(plotted.data))
    return Findings(ROWS.claims(values(plotted, motion)), (first, against_x(plotted.few), frames(motion)))


def plot(log: Log, world: World, folder: Path) -> tuple[Plotted, Drawing]:
    """Write the file and the output of case 3, read the message without x_pos, draw the page of case 1."""
    path = folder / "data.txt"
    write_plotter(log, path)
    head = path.read_text(encoding="utf-8").splitlines()[0]
    data = read_plotter(path)
    files = plot_case(path, 3, frames=1, movie_frames=2)
    refused = ""
    try:
        read_plotter(table(folder / "other.txt", {"distance": data.x_pos, "depth": data["depth_m"]}))
    except LogError as problem:
        refused = str(problem.at(file=""))
    fourth = ""
    try:
        plot_case(path, 4)
    except CommandError as problem:
        fourth = str(problem)
    # a file with the columns of the notes' figures alone: every beam of ours would make a page of twenty panels
    short = table(folder / "few" / "data.txt", {title: data[title] for title in ("time_s", X, *SHOWN)})
    few = read_plotter(short)
    singles = tuple(Path(file).stem for file in plot_case(short, 2) if Path(file).stat().st_size > 0)
    page = draw_all(PlotterData("data.txt", few.columns), UNWRITTEN)
    panels = sum(ax.has_data() for ax in page.axes)
    caption = (
        "Case 1, after figure 7: the data on one page, each column in a panel, over time. Gavia over the drawn bottom, "
        "scenario gavia-terrain."
    )
    endings = tuple(Path(file).suffix for file in files)
    plotted = Plotted(data, head, few, endings, singles, refused, fourth, panels, world, log)
    return plotted, drawn(page, "gavia-case-1", caption)


def table(path: Path, columns: dict[str, Any]) -> Path:
    """A data file of the notes' format from columns."""
    rows = np.column_stack(list(columns.values())).tolist()
    lines = [", ".join(columns) + ",", *(", ".join(map(repr, row)) + "," for row in rows)]
    path.parent.mkdir(exist_ok=True)
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def values(plotted: Plotted, motion: PlottedMotion) -> Values:
    """The statements about format and cases."""
    data = plotted.data
    few = plotted.few.titles
    names = {f"data-2-{title}" for title in few if title != X}
    count, off = beams_on_bottom(motion, plotted.world, plotted.log)
    return {
        "plotter-format": {
            "holds": plotted.head.endswith(",") and X in data.titles and len(data) > 100,
            "head": plotted.head[:48],
            "columns": len(data.titles),
            "lines": len(data),
        },
        "plotter-x-pos": {"holds": X in plotted.refused, "plotted": plotted},
        "plotter-number": {"holds": "expected 1, 2 or 3" in plotted.fourth, "plotted": plotted},
        "plotter-case-1": {"holds": plotted.panels == len(few) - 1, "plotted": plotted, "columns": len(few)},
        "plotter-case-2": {
            "holds": set(plotted.against_x) == names,
            "files": len(plotted.against_x),
            "columns": len(few),
        },
        "plotter-case-3": {"holds": {".png", ".gif"} <= set(plotted.endings), "endings": ", ".join(plotted.endings)},
        "plotter-beams": {"difference": off, "count": count},
        "plotter-follow": {"value": plotted.log["altitude_m"].min(), "highest": plotted.log["altitude_m"].max()},
    }


def beams_on_bottom(motion: PlottedMotion, world: World, log: Log) -> tuple[int, float]:
    """Number of drawn beams that end in an echo, and the largest height of their ends above the seabed."""
    north, east = log["north_m"], log["east_m"]
    track = np.array([north[-1] - north[0], east[-1] - east[0]])
    track /= np.linalg.norm(track)
    off, count = 0.0, 0
    fresh = np.flatnonzero(np.isfinite(log["sonar_range_m"]))  # instants of a reading, not held ones
    for k in fresh[::10]:
        if not np.isfinite(motion.ranges[k]).any():
            continue
        pitch = np.radians(motion.pitch_deg[k])
        ends = motion.ends(int(k)) + np.array([NOSE_M * np.cos(pitch), -NOSE_M * np.sin(pitch)])
        ends = ends[np.isfinite(ends).all(axis=1)]
        at = np.array([north[0], east[0]]) + ends[:, :1] * track
        off = max(off, float(np.abs(world.bottom_m(at[:, 0], at[:, 1]) - ends[:, 1]).max()))
        count += len(ends)
    return count, off


def against_x(data: PlotterData) -> Drawing:
    """Case 2: four figures on one sheet."""
    pictures: list[Figure] = []
    for title in SHOWN:
        figure = draw_against_x(data, title, UNWRITTEN)
        figure.set_size_inches(4.6, 2.3)
        pictures.append(figure)
    return sheet(pictures, 2, "gavia-case-2",
                 "Case 2, after figures 8 to 11: pitch, depth, range of the navigation sonar and pitch rate against "
                 "x_pos, a figure each, put on one sheet here.")  # fmt: skip


def frames(motion: PlottedMotion) -> Drawing:
    """Case 3: six instants on one sheet."""
    pictures: list[Figure] = []
    with styled():
        for sample in instants(len(motion.x), FRAMES + 2)[1:-1]:
            scene = MotionScene(motion, "")
            scene.show(sample)
            scene.ax.set_title("")  # the line of numbers needs the room
            scene.figure.set_size_inches(4.6, 2.6)
            pictures.append(scene.figure)
        return sheet(pictures, 2, "gavia-case-3",
                     "Case 3, after figures 12 to 17: the vehicle over the bottom with the beams of its sonar, at six "
                     "instants. Orange: beams that meet the bottom, the nearest strongly; dotted: no echo within 100 "
                     "m. Heights are stretched.")  # fmt: skip


def sheet(figures: list[Figure], across: int, name: str, caption: str) -> Drawing:
    """Figures of the plotter side by side in one picture."""
    from PIL import Image

    tiles: list[Any] = []
    with styled():
        for figure in figures:
            settle(figure)
            store = io.BytesIO()
            figure.savefig(store, format="png", dpi=DPI, metadata=METADATA[".png"])
            tiles.append(Image.open(store).convert("RGB"))
    width, height = tiles[0].size
    rows = -(-len(tiles) // across)
    page = Image.new("RGB", (across * width, rows * height), "white")
    for k, tile in enumerate(tiles):
        page.paste(tile, ((k % across) * width, (k // across) * height))
    store = io.BytesIO()
    page.quantize(128).save(store, format="png", optimize=True)
    return Drawing(name, caption, store.getvalue(), page.width, page.height)
