"""The navigation sonar of the Gavia notes: beams, ranges and the run over the bottom of figures 4 to 6."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from pelagos import frames
from pelagos.analysis.page import COMMAND, INK, PALETTE, UNWRITTEN, new_figure, styled
from pelagos.sensors.base import VehicleContext
from pelagos.sensors.instruments.instant import Instant
from pelagos.sensors.random import Noise
from pelagos.sensors.sound.navigation_sonar import NavigationSonar
from pelagos.world.seabed.seabed import Seabed
from pelagos.world.spec import World
from pelagos.world.structure import Structure
from pelagos_evidence.claim import quantity
from pelagos_evidence.document import Drawing, Findings, Progress, drawn
from pelagos_evidence.gavia.bottom import WIDTH, bottom_line
from pelagos_evidence.gavia.printed import NOSE_M
from pelagos_evidence.rows import Array, Rows, Values

BEAMS, REACH_M, STEP_M = 4, 50.0, 0.5  # of figure 6
LEVEL_M = 26.0  # depth of the run: over the mound, within reach of the beams
SEEN_FROM = 88.0  # a place on the track from which two beams meet the mound


ROWS = Rows(__file__, NOSE_M=NOSE_M, SEEN_FROM=SEEN_FROM, LEVEL_M=LEVEL_M)


@dataclass(frozen=True, eq=False)
class Run:
    """Figure 6: places along the track and the range at each, by the sensor and by plain geometry."""

    x: Array
    sensed: Array
    plain: Array
    slant: Array  # the sensor's usual reading, along the beam
    slant_plain: Array


def run(progress: Progress) -> Findings:
    """The closed forms, the run of figure 6 and a picture after figure 4."""
    world = drawn_world()
    flown = fly(world, progress)
    return Findings(ROWS.claims(values(flown)), (figure(flown, world),))


def drawn_world() -> World:
    """The drawn bottom, a point a metre, along north."""
    rows = tuple((float(x), float(z)) for x, z in enumerate(bottom_line()))
    return World(seabed=Seabed(kind="profile", rows_m=rows, along_deg=0.0))


def reading_at(
    sonar: NavigationSonar, world: World, x: float, depth: float, pitch_deg: float = 0.0
) -> dict[str, float]:
    """One reading of the sonar on a vehicle heading along the track."""
    instrument = sonar.make(VehicleContext(), Noise(1))
    now = Instant(
        time_s=0.0,
        position_n=np.array([x, 0.0, depth]),
        quaternion=frames.quaternion_from_euler(0.0, math.radians(pitch_deg), 0.0),
        nu=np.zeros(6),
    )
    values = instrument.measure_single(now, world)
    assert values is not None  # it speaks at every instant
    return dict(zip(sonar.columns, values.tolist(), strict=True))


def fly(world: World, progress: Progress) -> Run:
    """The loop of figure 6 at a constant depth, to the end of the drawn bottom."""
    bottom = bottom_line()
    sonar = NavigationSonar(n_beams=BEAMS, max_range_m=REACH_M, reading="horizontal")
    slanting = replace(sonar, reading="slant")
    places = np.arange(0.0, WIDTH - 1.0, STEP_M)
    rows = np.empty((len(places), 4))
    for k, x in enumerate(places):
        hits = [meets(bottom, float(x), LEVEL_M, angle, REACH_M) for angle in np.radians(sonar.elevations_deg)]
        level = min((hit[0] - x for hit in hits if hit), default=REACH_M)
        along = min((math.hypot(hit[0] - x, hit[1] - LEVEL_M) for hit in hits if hit), default=REACH_M)
        rows[k] = (reading_at(sonar, world, float(x), LEVEL_M)["range_m"], level,
                   reading_at(slanting, world, float(x), LEVEL_M)["range_m"], along)  # fmt: skip
        if k % 100 == 0:
            progress(0.9 * k / len(places))
    return Run(places, *rows.T)


def meets(bottom: Array, x: float, depth: float, down: float, reach: float) -> tuple[float, float] | None:
    """Nearest crossing of a beam with the bottom, piece by piece, as the notes describe it; None if there is none.

    Beyond its last point the bottom goes on level, as that of the world does.
    """
    pieces = np.arange(len(bottom) - 1, dtype=float)
    first, rise = bottom[:-1], np.diff(bottom)
    with np.errstate(divide="ignore", invalid="ignore"):  # a piece parallel to the beam
        slope = math.tan(down)
        cross = (first - depth - rise * pieces + slope * x) / (slope - rise)
    good = (cross >= pieces) & (cross <= pieces + 1.0) & (cross > x) & (cross - x <= reach * math.cos(down))
    if good.any():
        at = float(cross[good].min())
        return at, depth + slope * (at - x)
    last = x + (bottom[-1] - depth) / slope if slope > 0.0 else math.inf
    if last > len(bottom) - 1 and last - x <= reach * math.cos(down):
        return last, float(bottom[-1])
    return None


def values(flown: Run) -> Values:
    """Closed forms over a level bottom, the run, and the reading where there is no echo."""
    flat = World(depth_m=30.0)
    usual = NavigationSonar(position_m=(NOSE_M, 0.0, 0.0))
    over_flat = reading_at(usual, flat, 0.0, 28.0)
    level = reading_at(replace(usual, reading="horizontal"), flat, 0.0, 28.0)
    wall = Structure(kind="box", center_m=(32.0, 0.0, 10.0), size_m=(4.0, 80.0, 60.0))
    walled = World(structures=(wall,))
    nosed = reading_at(usual, walled, 0.0, 10.0)
    silent = reading_at(usual, World(depth_m=3000.0), 0.0, 10.0)
    several = reading_at(usual, drawn_world(), SEEN_FROM, LEVEL_M)
    beams = [several[f"beam_{k:02d}_m"] for k in range(BEAMS)]
    nose, line = SEEN_FROM + NOSE_M, bottom_line()
    met = [meets(line, nose, LEVEL_M, down, REACH_M) for down in np.radians(usual.elevations_deg)]
    nearest = min(math.hypot(hit[0] - nose, hit[1] - LEVEL_M) for hit in met if hit)
    echoes = flown.sensed < REACH_M
    return {
        "sonar-set-up": {"holds": usual.n_beams == BEAMS and usual.max_range_m == REACH_M, "usual": usual},
        "sonar-nose": {"value": abs(nosed["ahead_m"] - (30.0 - NOSE_M)), "nosed": nosed},
        "sonar-level-bottom": {"published": 2.0 / math.sin(math.radians(5.0)), "ours": over_flat["range_m"]},
        "sonar-horizontal": {"published": 2.0 / math.tan(math.radians(5.0)), "ours": level["range_m"]},
        "sonar-nearest": {
            "holds": several["range_m"] == min(beams)
            and sum(b < REACH_M for b in beams) > 1
            and abs(several["range_m"] - nearest) < 1e-9,
            "several": several,
            "ranges": ", ".join(quantity(b) for b in beams),
        },
        "sonar-silence": {"holds": silent["range_m"] == REACH_M, "silent": silent},
        "sonar-run": {
            "difference": float(np.abs(flown.sensed - flown.plain).max()),
            "places": len(flown.x),
            "echoes": int(echoes.sum()),
        },
        "sonar-run-slant": float(np.abs(flown.slant - flown.slant_plain).max()),
    }


def figure(flown: Run, world: World) -> Drawing:
    """The fan over the bottom after figure 4, and the range along the track."""
    bottom = bottom_line()
    sonar = NavigationSonar(n_beams=BEAMS, max_range_m=REACH_M, position_m=(NOSE_M, 0.0, 0.0))
    at = SEEN_FROM
    reading = reading_at(sonar, world, at, LEVEL_M)
    with styled():
        sheet = new_figure(UNWRITTEN, (9.0, 5.0), None)
        axes: Any = sheet.subplots(2, 1, sharex=True, height_ratios=(1.5, 1.0))
        axes[0].fill_between(np.arange(WIDTH), bottom, 100.0, color="#E4D3B0", linewidth=0)
        axes[0].plot(bottom, color="#8C6D31", linewidth=1.2)
        axes[0].plot([0.0, WIDTH], [LEVEL_M, LEVEL_M], color=COMMAND, linewidth=0.8, linestyle=(0, (4, 2)))
        for k, down in enumerate(np.radians(sonar.elevations_deg)):
            reach = reading[f"beam_{k:02d}_m"]
            met = reach < REACH_M
            nose = at + NOSE_M
            axes[0].plot([nose, nose + reach * math.cos(down)], [LEVEL_M, LEVEL_M + reach * math.sin(down)],
                         color=PALETTE[1] if met else PALETTE[8], linewidth=1.4 if met else 0.9,
                         linestyle="-" if met else ":")  # fmt: skip
        axes[0].plot([at - NOSE_M, at + NOSE_M], [LEVEL_M, LEVEL_M], color=INK, linewidth=4.0)
        axes[0].set(ylabel="depth [m]", ylim=(80.0, 10.0), title=f"four beams at x = {at:g} m, level at {LEVEL_M:g} m")
        axes[1].plot(flown.x, flown.slant, color=PALETTE[0], label="along the beam (default)")
        axes[1].plot(flown.x, flown.sensed, color=PALETTE[1], linestyle=(0, (4, 2)), label="horizontal (the program)")
        axes[1].set(xlabel="x [m]", ylabel="range [m]", xlim=(0.0, WIDTH - 1.0), ylim=(0.0, 62.0))
        axes[1].set_title("range reported every 0.5 m")
        axes[1].legend(loc="lower right", ncols=1)
    return drawn(
        sheet, "gavia-sonar",
        "After figures 4 and 6: beams from the nose to their nearest intersection with the bottom (dotted: none within "
        "50 m), and the smallest range along the whole track. The bottom and the depth of the track are ours.",
    )  # fmt: skip
