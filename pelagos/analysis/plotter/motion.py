"""Case 3 of the plotter: the vehicle moves over the bottom, its sonar beams ahead of it.

Columns that are read, by their titles without units, in any case: `depth` (or `z`, `z_pos`; m, down), `pitch`
(`theta`; degrees unless the title ends in _rad, nose up), `bottom` (depth of the bottom under x_pos, m) or `altitude`,
and of the sonar either beams, `beam_<angle>_deg_m` or `beam_1`, `beam_2` .. evenly over the spread, or `range` alone.
Only x_pos and depth are needed.

A beam at angle a above the bow, of range R, from the nose at (x, z) of a vehicle pitched up by t ends at

    x + R cos(t + a),   z - R sin(t + a)

With `range` alone nobody knows which beam met something; every beam is then drawn to that range, inside of which there
is nothing, and an arc joins their ends.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from pelagos.analysis.animate import ffmpeg, frames, write_gif, write_mp4
from pelagos.analysis.page import COMMAND, INK, PALETTE, UNWRITTEN, new_figure, styled, written
from pelagos.analysis.pages.lines import Array, thinned
from pelagos.analysis.plotter.plotter import SPREAD_DEG, PlotterData, X, beam_angles, words
from pelagos.checks import number
from pelagos.errors import CommandError
from pelagos.sim.log.log import LogError

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

DEPTH, PITCH = ("depth", "z", "z pos"), ("pitch", "theta")
RANGE = ("range", "sonar range", "sonar", "nav range", "nav sonar range", "navigation sonar range", "nav sonar")
BOTTOM, ALTITUDE = ("bottom", "bottom depth", "seabed", "sea bed"), ("altitude", "height")
FOUR = 4  # beams of the notes' program
HULL_M = 2.0  # a Gavia; drawn longer where it would not be seen
SEEN = 0.02  # of the width of the picture: the shortest hull drawn
WATER, SAND, SAND_EDGE = "#EAF4FA", "#E4D3B0", "#8C6D31"
CLOSE_UP = 1.6  # a stretch of heights below this is brought to 1


@dataclass(frozen=True, eq=False)
class PlottedMotion:
    """What case 3 shows at each sample: place, pitch, bottom, and angle and range of each beam."""

    x: Array
    depth: Array
    pitch_deg: Array
    bottom: Array  # depth, NaN where it is not known
    angles_deg: Array  # (beams,) above the bow
    ranges: Array  # (samples, beams), NaN: no answer
    range_only: bool  # one range for all beams
    time_s: Array | None
    ahead: float  # +1: the bow points to growing x_pos
    reach_m: float = 0.0  # how far a beam without echo is drawn

    def ends(self, k: int) -> Array:
        """Where the beams of sample k end, (beams, 2): x and depth."""
        at = (float(self.x[k]), float(self.depth[k]))
        return beam_ends(at, float(self.pitch_deg[k]), self.angles_deg, self.ranges[k], self.ahead)


def beam_ends(at: tuple[float, float], pitch_deg: float, angles_deg: Array, ranges: Array, ahead: float = 1.0) -> Array:
    """Ends (n, 2), x and depth, of beams from a nose at (x, depth); see the head of this module."""
    up = np.radians(pitch_deg + np.asarray(angles_deg))
    return np.column_stack([at[0] + ahead * ranges * np.cos(up), at[1] - ranges * np.sin(up)])


def motion_of(data: PlotterData, spread_deg: float = SPREAD_DEG) -> PlottedMotion:
    """Find the columns that case 3 reads."""
    depth_title = _titled(data, DEPTH)
    if not depth_title:
        raise LogError(f"case 3 needs a column depth; the titles are {', '.join(data.titles[:12])}", file=data.path)
    depth = data[depth_title]
    if not np.isfinite(depth + data.x_pos).any():
        raise LogError(f"no sample has both {X} and {depth_title}; there is nothing to draw", file=data.path)
    pitch_title = _titled(data, PITCH)
    pitch = data[pitch_title] if pitch_title else np.zeros(len(data))
    pitch = np.degrees(pitch) if pitch_title.endswith("_rad") else pitch
    under, over = _titled(data, BOTTOM), _titled(data, ALTITUDE)
    bottom = data[under] if under else depth + data[over] if over else np.full(len(data), np.nan)
    angles, ranges, alone = _beams(data, spread_deg)
    clock = data.clock()
    placed = data.x_pos[np.isfinite(data.x_pos)]
    back = float(placed[-1]) < float(placed[0])
    return PlottedMotion(data.x_pos, depth, np.nan_to_num(pitch), bottom, angles, ranges, alone,
                  data[clock] if clock else None, -1.0 if back else 1.0)  # fmt: skip


def _titled(data: PlotterData, known: tuple[str, ...]) -> str:
    return next((title for title in data.titles if words(title).replace("_", " ") in known), "")


def _beams(data: PlotterData, spread_deg: float) -> tuple[Array, Array, bool]:
    """Angles, ranges (samples, beams), and whether one range stands for all."""
    angled = [(float(m[1]), t) for t in data.titles if (m := re.fullmatch(r"beam_([+-]?[\d.]+)_deg(?:_m)?", t))]
    plain = [t for t in data.titles if re.fullmatch(r"(?i)(?:sonar_)?beam_?\d+(?:_m)?", t)]
    if angled:
        return np.array([a for a, _ in angled]), np.column_stack([data[t] for _, t in angled]), False
    if plain:
        return beam_angles(len(plain), spread_deg), np.column_stack([data[t] for t in plain]), False
    alone = _titled(data, RANGE)
    if alone:
        return beam_angles(FOUR, spread_deg), np.repeat(data[alone][:, None], FOUR, axis=1), True
    return np.zeros(0), np.zeros((len(data), 0)), False


def silenced(motion: PlottedMotion, max_range_m: float | None = None) -> PlottedMotion:
    """Ranges at the reach of the sonar made NaN: there was no echo."""
    known = motion.ranges[np.isfinite(motion.ranges)]
    most = float(known.max()) if known.size else np.inf
    said = motion.ranges[:, :1] if motion.range_only else motion.ranges  # one range for all beams is said once
    repeated = most if int((said == most).sum()) > 1 else np.inf
    quiet = motion.ranges >= (repeated if max_range_m is None else max_range_m - 1e-9)
    reach = most if max_range_m is None else max_range_m
    return replace(motion, ranges=np.where(quiet, np.nan, motion.ranges), reach_m=reach if np.isfinite(reach) else 0.0)


# ---- drawing ---------------------------------------------------------------------------------------------------------


def draw_motion(
    data: PlotterData,
    stem: str,
    ending: str = ".png",
    *,
    frames: int = 6,
    movie_frames: int = 90,
    rate_hz: float = 12.0,
    spread_deg: float = SPREAD_DEG,
    max_range_m: float | None = None,
) -> list[str]:
    """Write STEM-01.png .. and STEM.gif and, where there is an ffmpeg, STEM.mp4; returns the files.

    Args:
        data: the table.
        stem: how the files begin.
        ending: of the single frames: .png, .svg, .pdf.
        frames: how many single frames, evenly from the first to the last sample; 0 for none.
        movie_frames: how many frames the films have; 0 for no film.
        rate_hz: frames a second of the films.
        spread_deg: of beams whose titles do not tell their angles.
        max_range_m: how far the sonar reaches: a beam of that range or more met nothing. If it is not given, the
            largest range of the file, if that occurs more than once.
    """
    for what, count in (("frames", frames), ("movie_frames", movie_frames)):
        if not isinstance(count, int) or count < 0:
            raise CommandError(key=what, value=count, expected="a whole number of at least 0")
    number("rate_hz", rate_hz, 0.1, 100.0)
    motion = silenced(motion_of(data, number("spread_deg", spread_deg, 0.0, 360.0)), max_range_m)
    files: list[str] = []
    with styled():
        for k, sample in enumerate(instants(len(data), frames), start=1):
            scene = MotionScene(motion, os.path.basename(data.path))
            scene.show(sample)
            files.append(f"{stem}-{k:02d}{ending}")
            written(scene.figure, files[-1], dpi=130, error=LogError)
        if movie_frames:
            files += _films(MotionScene(motion, os.path.basename(data.path)), stem, movie_frames, rate_hz)
    return files


def instants(samples: int, count: int) -> list[int]:
    """Samples evenly from the first to the last, each once."""
    return sorted({round(k) for k in np.linspace(0, samples - 1, count)}) if count else []


def _films(scene: MotionScene, stem: str, count: int, rate_hz: float) -> list[str]:
    wanted = instants(len(scene.motion.x), count)
    pictures = list(frames(scene.figure, scene.moving, scene.show, wanted))
    write_gif(pictures, f"{stem}.gif", rate_hz)
    if not ffmpeg():
        return [f"{stem}.gif"]
    write_mp4(pictures, f"{stem}.mp4", rate_hz)
    return [f"{stem}.gif", f"{stem}.mp4"]


class MotionScene:
    """The picture: bottom and whole track are still; vehicle, beams, way so far and the line of numbers move."""

    def __init__(self, motion: PlottedMotion, title: str) -> None:
        from matplotlib.collections import LineCollection

        self.motion = motion
        self.figure: Figure = new_figure(UNWRITTEN, (8.0, 4.2), title)
        self.ax: Axes = self.figure.subplots()
        ax: Any = self.ax
        self._still()
        self.way: Any = ax.plot([], [], color=PALETTE[0], linewidth=1.6, zorder=5, label="way so far")[0]
        self.lost: Any = LineCollection([], colors=COMMAND, linewidths=0.7, linestyles=[(0, (1, 2))], zorder=4)
        self.beams: Any = LineCollection([], colors=PALETTE[5], linewidths=1.0, zorder=4)
        self.least: Any = LineCollection([], colors=PALETTE[1], linewidths=1.8, zorder=4.5)
        for item in (self.lost, self.beams, self.least):
            ax.add_collection(item, autolim=False)
        self.hits: Any = ax.plot([], [], "o", color=PALETTE[1], markersize=3.5, zorder=4.6)[0]
        self.hull: Any = ax.fill([], [], color=INK, zorder=6)[0]
        self.told: Any = ax.text(1.0, 1.015, "", transform=ax.transAxes, ha="right", va="bottom", fontsize=8, color=INK)
        self.moving = [self.way, self.lost, self.beams, self.least, self.hits, self.hull, self.told]

    def _still(self) -> None:
        motion, ax = self.motion, self.ax
        known = np.isfinite(motion.bottom + motion.x)
        order = np.argsort(motion.x[known], kind="stable")
        floor_x, floor = motion.x[known][order], motion.bottom[known][order]
        reach = [motion.ends(k) for k in instants(len(motion.x), 400)]
        tips = np.vstack(reach) if reach and motion.angles_deg.size else np.zeros((0, 2))
        tips = tips[np.isfinite(tips).all(axis=1)]
        left, right = (
            float(f(np.concatenate([motion.x, tips[:, 0], self._without_echo()]))) for f in (np.nanmin, np.nanmax)
        )
        deep = float(np.nanmax(np.concatenate([motion.depth, floor, tips[:, 1]])))
        high = min(0.0, float(np.nanmin(motion.depth)))
        width, height = max(right - left, 1.0), max(deep - high, 1.0)
        room = max(0.03 * width, 1.1 * HULL_M)  # the hull lies behind the first place
        ax.set_xlim(left - room, right + room)
        ax.set_ylim(deep + 0.08 * height, high - 0.06 * height)
        ax.set_facecolor(WATER)
        ax.grid(False)
        ax.axhline(0.0, color=PALETTE[4], linewidth=1.0, zorder=2)
        if floor_x.size:
            x, z = thinned(floor_x, floor)
            ax.fill_between(x, z, deep + height, color=SAND, linewidth=0, zorder=1)
            ax.plot(x, z, color=SAND_EDGE, linewidth=1.2, zorder=2)
        ax.plot(*thinned(motion.x, motion.depth), color=COMMAND, linewidth=0.8, linestyle=(0, (4, 2)), zorder=3)
        ax.set_xlabel(f"{X} [m]")
        ax.set_ylabel("depth [m]")
        self._scale()
        self.hull_m = max(HULL_M, SEEN * width)

    def _without_echo(self) -> Array:
        """How far along x_pos the beams reach that met nothing; at most the way beyond it, lest the vehicle is lost."""
        motion = self.motion
        quiet = [k for k in range(len(motion.x)) if np.isnan(motion.ranges[k]).any() and np.isfinite(motion.x[k])]
        way = max(float(np.nanmax(motion.x) - np.nanmin(motion.x)), HULL_M)
        return motion.x[quiet] + motion.ahead * min(motion.reach_m, way)

    def _scale(self) -> None:
        """True to scale if that is not far off; else say how much the heights are stretched."""
        self.figure.draw_without_rendering()
        box = self.ax.get_window_extent()
        (left, right), (low, high) = self.ax.get_xlim(), self.ax.get_ylim()
        self.stretch = float((right - left) / box.width / ((low - high) / box.height))
        if self.stretch < CLOSE_UP:  # heights are never squeezed
            if self.stretch < 1.0:  # show more to both sides
                extra = 0.5 * (right - left) * (1.0 / self.stretch - 1.0)
                self.ax.set_xlim(left - extra, right + extra)
            else:  # show more below
                self.ax.set_ylim(low + (low - high) * (self.stretch - 1.0), high)
            self.stretch = 1.0
        self.ax.set_title("true scale" if self.stretch == 1.0 else f"heights ×{self.stretch:.2g}")

    def show(self, k: int) -> None:
        """Put everything where it is at sample k."""
        motion = self.motion
        nose = np.array([motion.x[k], motion.depth[k]])
        self.way.set_data(*thinned(motion.x[: k + 1], motion.depth[: k + 1], most=1500))
        ranges = motion.ranges[k]
        answered = np.isfinite(ranges)
        ends = motion.ends(k)
        far = beam_ends((nose[0], nose[1]), float(motion.pitch_deg[k]), motion.angles_deg,
                        np.full(len(ranges), motion.reach_m), motion.ahead)  # fmt: skip
        self.lost.set_segments([np.array([nose, end]) for end in far[~answered]])
        self.beams.set_segments([np.array([nose, end]) for end in ends[answered]])
        if motion.range_only:
            self.least.set_segments([ends] if answered.any() else [])
            self.hits.set_data([], [])
        else:
            nearest = [int(np.nanargmin(ranges))] if answered.any() else []
            self.least.set_segments([np.array([nose, ends[i]]) for i in nearest])
            self.hits.set_data(ends[answered, 0], ends[answered, 1])
        self.hull.set_xy(self._outline(nose, float(np.radians(motion.pitch_deg[k]))))
        self.told.set_text(self._numbers(k))

    def _outline(self, nose: Array, pitch: float) -> Array:
        """A hull behind the nose, turned by the pitch; thick enough to be seen however the heights are stretched."""
        length, half = self.hull_m, 0.07 * self.hull_m
        along = np.array([0.0, -0.08, -0.2, -0.85, -1.0, -0.85, -0.2, -0.08]) * length
        aside = np.array([0.0, 0.6, 1.0, 1.0, 0.2, -1.0, -1.0, -0.6]) * half
        x = nose[0] + self.motion.ahead * (along * np.cos(pitch) - aside * np.sin(pitch) / self.stretch)
        return np.column_stack([x, nose[1] - along * np.sin(pitch) - aside * np.cos(pitch) / self.stretch])

    def _numbers(self, k: int) -> str:
        said = [] if self.motion.time_s is None else [f"{self.motion.time_s[k]:.1f} s"]
        said += [f"{X} {self.motion.x[k]:.1f} m", f"depth {self.motion.depth[k]:.1f} m"]
        ranges = self.motion.ranges[k]
        if ranges.size:
            least = f"{np.nanmin(ranges):.1f} m" if np.isfinite(ranges).any() else "none"
            said.append(f"range {least}")
        return "   ".join(said)
