"""Case 3 of the plotter: an animation of the vehicle over the bottom with its sonar beams.

Columns, by their titles without units, in upper or lower case: `depth` (or `z`, `z_pos`; m, down), `pitch` (`theta`;
degrees unless the title ends in _rad, nose up), `bottom` (depth of the bottom under x_pos, m) or `altitude`, and for
the sonar either beams, `beam_<angle>_deg_m` or `beam_1`, `beam_2` .. evenly over the spread, or `range` alone. Only
x_pos and depth are required.

A beam at angle a above the bow, of range R, from the nose at (x, z) of a vehicle pitched up by t ends at

    x + R cos(t + a),   z - R sin(t + a)

With `range` alone the beam that met an obstacle is unknown; every beam is then drawn to that range, and an arc joins
their ends: there is no obstacle inside.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from pelagos.analysis.animate import ffmpeg, frames, write_gif, write_mp4
from pelagos.analysis.page import COMMAND, INK, PALETTE, SAND, SAND_EDGE, UNWRITTEN, new_figure, save_or_show, styled
from pelagos.analysis.pages.lines import Array, thinned
from pelagos.analysis.plotter.plotter import SPREAD_DEG, PlotterData, X, bare_title, beam_angles
from pelagos.checks import number, whole
from pelagos.sim.log.log import LogError

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

DEPTH, PITCH = ("depth", "z", "z pos"), ("pitch", "theta")
RANGE = ("range", "sonar range", "sonar", "nav range", "nav sonar range", "navigation sonar range", "nav sonar")
BOTTOM, ALTITUDE = ("bottom", "bottom depth", "seabed", "sea bed"), ("altitude", "height")
FOUR = 4  # beams in the program of the notes
HULL_M = 2.0  # of a Gavia; drawn longer where it would be too small
LEAST_HULL = 0.02  # shortest hull drawn, share of the width of the picture
WATER = "#EAF4FA"
CLOSE_UP = 1.6  # a vertical exaggeration below this is changed to true scale


@dataclass(frozen=True, eq=False)
class PlottedMotion:
    """Data of case 3 at each sample: position, pitch, bottom, and angle and range of each beam."""

    x: Array
    depth: Array
    pitch_deg: Array
    bottom: Array  # depth, NaN where unknown
    angles_deg: Array  # (beams,) above the bow
    ranges: Array  # (samples, beams), NaN: no echo
    range_only: bool  # one range for all beams
    time_s: Array | None
    ahead: float  # +1: the bow points to growing x_pos
    reach_m: float = 0.0  # how far a beam without echo is drawn

    def ends(self, k: int) -> Array:
        """Return where the beams of sample k end, (beams, 2): x and depth."""
        at = (float(self.x[k]), float(self.depth[k]))
        return beam_ends(at, float(self.pitch_deg[k]), self.angles_deg, self.ranges[k], self.ahead)


def beam_ends(at: tuple[float, float], pitch_deg: float, angles_deg: Array, ranges: Array, ahead: float = 1.0) -> Array:
    """Return the ends (n, 2), x and depth, of beams from a nose at (x, depth); the module gives the equation."""
    up = np.radians(pitch_deg + np.asarray(angles_deg))
    return np.column_stack([at[0] + ahead * ranges * np.cos(up), at[1] - ranges * np.sin(up)])


def motion_of(data: PlotterData, spread_deg: float = SPREAD_DEG) -> PlottedMotion:
    """Extract the columns of case 3."""
    depth_title = _titled(data, DEPTH)
    if not depth_title:
        message = f"case 3 needs a column {DEPTH[0]}; the titles are {', '.join(data.titles[:12])}"
        raise LogError(message, file=data.path, names=data.titles, misspelt=DEPTH[0])
    depth = data[depth_title]
    if not np.isfinite(depth + data.x_pos).any():
        raise LogError("has nothing to draw", file=data.path, expected=f"a sample with both {X} and {depth_title}")
    pitch_title = _titled(data, PITCH)
    pitch = data[pitch_title] if pitch_title else np.zeros(len(data))
    pitch = np.degrees(pitch) if pitch_title.endswith("_rad") else pitch
    under, over = _titled(data, BOTTOM), _titled(data, ALTITUDE)
    bottom = data[under] if under else depth + data[over] if over else np.full(len(data), np.nan)
    angles, ranges, alone = _beams(data, spread_deg)
    clock = data.clock()
    placed = data.x_pos[np.isfinite(data.x_pos)]
    # the file has no heading: the direction of travel gives that of the bow
    back = float(placed[-1]) < float(placed[0])
    return PlottedMotion(data.x_pos, depth, np.nan_to_num(pitch), bottom, angles, ranges, alone,
                  data[clock] if clock else None, -1.0 if back else 1.0)  # fmt: skip


def _titled(data: PlotterData, known: tuple[str, ...]) -> str:
    return next((title for title in data.titles if bare_title(title).replace("_", " ") in known), "")


def _beams(data: PlotterData, spread_deg: float) -> tuple[Array, Array, bool]:
    """Return angles, ranges (samples, beams), and whether one range stands for all beams."""
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
    """Replace ranges at the maximum range of the sonar by NaN: they have no echo."""
    known = motion.ranges[np.isfinite(motion.ranges)]
    most = float(known.max()) if known.size else np.inf
    measured = motion.ranges[:, :1] if motion.range_only else motion.ranges  # a common range counts once
    # a largest range that repeats is the reach of the sonar, not an obstacle
    repeated = most if int((measured == most).sum()) > 1 else np.inf
    quiet = motion.ranges >= (repeated if max_range_m is None else max_range_m - 1e-9)
    reach = most if max_range_m is None else max_range_m
    return replace(motion, ranges=np.where(quiet, np.nan, motion.ranges), reach_m=reach if np.isfinite(reach) else 0.0)


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
    """Save STEM-01.png .., STEM.gif and, if ffmpeg is installed, STEM.mp4; return the files.

    Args:
        data: the table.
        stem: the common start of the file names.
        ending: format of the single frames: .png, .svg, .pdf.
        frames: number of single frames, evenly from the first to the last sample.
        movie_frames: number of frames of the animations; 0 writes none.
        rate_hz: frame rate of the animations.
        spread_deg: spread of beams whose titles have no angle.
        max_range_m: reach of the sonar; a beam of at least this range has no echo. Default: the largest range of the
            file, if it occurs more than once.
    """
    for option, count in (("frames", frames), ("movie_frames", movie_frames)):
        whole(option, count, 0)
    number("rate_hz", rate_hz, 0.1, 100.0)
    motion = silenced(motion_of(data, number("spread_deg", spread_deg, 0.0, 360.0)), max_range_m)
    files: list[str] = []
    with styled():
        for k, sample in enumerate(instants(len(data), frames), start=1):
            scene = MotionScene(motion, os.path.basename(data.path))
            scene.show(sample)
            files.append(f"{stem}-{k:02d}{ending}")
            save_or_show(scene.figure, files[-1], dpi=130, error=LogError)
        if movie_frames:
            files += _films(MotionScene(motion, os.path.basename(data.path)), stem, movie_frames, rate_hz)
    return files


def instants(samples: int, count: int) -> list[int]:
    """Return samples evenly spaced from the first to the last, without duplicates."""
    return sorted({round(k) for k in np.linspace(0, samples - 1, count)}) if count else []


def _films(scene: MotionScene, stem: str, count: int, rate_hz: float) -> list[str]:
    samples = instants(len(scene.motion.x), count)
    pictures = list(frames(scene.figure, scene.moving, scene.show, samples))
    write_gif(pictures, f"{stem}.gif", rate_hz)
    if not ffmpeg():
        return [f"{stem}.gif"]
    write_mp4(pictures, f"{stem}.mp4", rate_hz)
    return [f"{stem}.gif", f"{stem}.mp4"]


class MotionScene:
    """A figure with a static bottom and track; the vehicle, beams, path so far and caption move."""

    def __init__(self, motion: PlottedMotion, title: str) -> None:
        from matplotlib.collections import LineCollection

        self.motion = motion
        self.figure: Figure = new_figure(UNWRITTEN, (8.0, 4.2), title)
        self.ax: Axes = self.figure.subplots()
        ax: Any = self.ax
        self._draw_static()
        self.way: Any = ax.plot([], [], color=PALETTE[0], linewidth=1.6, zorder=5, label="way so far")[0]
        self.lost: Any = LineCollection([], colors=COMMAND, linewidths=0.7, linestyles=[(0, (1, 2))], zorder=4)
        self.beams: Any = LineCollection([], colors=PALETTE[5], linewidths=1.0, zorder=4)
        self.least: Any = LineCollection([], colors=PALETTE[1], linewidths=1.8, zorder=4.5)
        for item in (self.lost, self.beams, self.least):
            ax.add_collection(item, autolim=False)
        self.hits: Any = ax.plot([], [], "o", color=PALETTE[1], markersize=3.5, zorder=4.6)[0]
        self.hull: Any = ax.fill([], [], color=INK, zorder=6)[0]
        self.caption: Any = ax.text(
            1.0, 1.015, "", transform=ax.transAxes, ha="right", va="bottom", fontsize=8, color=INK
        )
        self.moving = [self.way, self.lost, self.beams, self.least, self.hits, self.hull, self.caption]

    def _draw_static(self) -> None:
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
        room = max(0.03 * width, 1.1 * HULL_M)  # the hull lies behind the first position of the nose
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
        self.hull_m = max(HULL_M, LEAST_HULL * width)

    def _without_echo(self) -> Array:
        """Return the x_pos that beams without echo reach, limited to keep the vehicle visible."""
        motion = self.motion
        quiet = [k for k in range(len(motion.x)) if np.isnan(motion.ranges[k]).any() and np.isfinite(motion.x[k])]
        way = max(float(np.nanmax(motion.x) - np.nanmin(motion.x)), HULL_M)
        return motion.x[quiet] + motion.ahead * min(motion.reach_m, way)

    def _scale(self) -> None:
        """Use true scale if that changes little; else show the vertical exaggeration."""
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
        """Move all artists to sample k."""
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
        self.caption.set_text(self._caption(k))

    def _outline(self, nose: Array, pitch: float) -> Array:
        """Return a hull behind the nose, turned by the pitch; its thickness does not depend on the exaggeration."""
        length, half = self.hull_m, 0.07 * self.hull_m
        along = np.array([0.0, -0.08, -0.2, -0.85, -1.0, -0.85, -0.2, -0.08]) * length
        aside = np.array([0.0, 0.6, 1.0, 1.0, 0.2, -1.0, -1.0, -0.6]) * half
        x = nose[0] + self.motion.ahead * (along * np.cos(pitch) - aside * np.sin(pitch) / self.stretch)
        return np.column_stack([x, nose[1] - along * np.sin(pitch) - aside * np.cos(pitch) / self.stretch])

    def _caption(self, k: int) -> str:
        parts = [] if self.motion.time_s is None else [f"{self.motion.time_s[k]:.1f} s"]
        parts += [f"{X} {self.motion.x[k]:.1f} m", f"depth {self.motion.depth[k]:.1f} m"]
        ranges = self.motion.ranges[k]
        if ranges.size:
            least = f"{np.nanmin(ranges):.1f} m" if np.isfinite(ranges).any() else "none"
            parts.append(f"range {least}")
        return "   ".join(parts)
