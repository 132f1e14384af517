"""Chapter 5: his collision detector against the general contact of Pelagos, on random poses and flown into the cube."""

from __future__ import annotations

import math
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from pelagos.analysis.page import COMMAND, INK, PALETTE, UNWRITTEN, new_figure, styled
from pelagos.tether.line import Line
from pelagos.tether.spec import Status, Tether
from pelagos.vehicle.plant import Plant
from pelagos.world.load import load_world
from pelagos.world.royer import royer_collides
from pelagos.world.structure import Structure
from pelagos_evidence.claim import Claim
from pelagos_evidence.document import Drawing, drawn
from pelagos_evidence.rows import Array, Rows, Values
from pelagos_evidence.royer.given import SIZE_M, sea_grant
from pelagos_evidence.royer.tether import SPEED_M_S, umbilical

if TYPE_CHECKING:
    from matplotlib.axes import Axes


TIE_M = 1e-9  # closer to touching than this the two round differently
KINDS = ("wellhead", "column", "bar", "pipeline")
POSES = 400  # around each kind of element
CUBE = Structure(kind="box", name="cube", center_m=(0.0, 0.0, 50.0), size_m=(5.0, 5.0, 5.0))
THIN = Structure(kind="box", name="bar", center_m=(1.15, 0.0, 50.0), size_m=(0.3, 18.0, 0.3))
FREE, HIT = PALETTE[2], PALETTE[1]


ROWS = Rows(__file__)


class CollisionTrial(NamedTuple):
    """Poses around one kind of element: hits by the general detector, and answers of his steps that differ."""

    poses: int
    hits: int
    missed: int  # his steps say no where there is a collision
    false: int  # his steps say yes where there is none
    completed: int  # answers that differ with the test of crossing sides added


@cache
def field_plant() -> Plant:
    """Sea Grant 1 in his field."""
    return Plant(sea_grant(), sea=load_world("royer_field").packed())


def room(plant: Plant, number: int) -> float:
    """Distance between the hull and one structure, m; negative inside, 0.5 at most."""
    return min((float(hit["gap"]) for hit in plant.contacts(0.5) if int(hit["obstacle"]) == number), default=0.5)


@cache
def trial(kind: str, tilt_deg: float = 0.0) -> CollisionTrial:
    """Random poses around the elements of a kind; with a tilt, random pitch and roll up to it."""
    rng, plant = np.random.default_rng(52), field_plant()
    elements = [(i, s) for i, s in enumerate(load_world("royer_field").structures) if (s.name or "").startswith(kind)]
    counts = [0, 0, 0, 0, 0]
    while counts[0] < POSES:
        number, element = elements[counts[0] % len(elements)]
        half = np.array(element.half_m(), float)
        reach = np.minimum(half, 6.0) + np.array([1.8, 1.8, 0.6])
        middle = np.array(element.center_n(), float)
        middle += element.axes_n() @ (rng.uniform(-1.0, 1.0, 3) * np.maximum(half - 6.0, 0.0))
        at = middle + element.axes_n() @ (rng.uniform(-1.0, 1.0, 3) * reach)
        heading = rng.uniform(-math.pi, math.pi)
        roll, pitch = np.radians(tilt_deg) * rng.uniform(-1.0, 1.0, 2)
        plant.place(position_n=at, euler=(float(roll), float(pitch), heading))
        gap = room(plant, number)
        if abs(gap) < TIE_M:
            continue
        touches = gap < 0.0
        his = royer_collides(element, SIZE_M, at.tolist(), heading, crossing=False)
        whole = royer_collides(element, SIZE_M, at.tolist(), heading)
        for k, yes in enumerate((True, touches, touches and not his, his and not touches, whole != touches)):
            counts[k] += bool(yes)
    return CollisionTrial(*counts)


def thin_bars(width_m: float = 0.3) -> tuple[int, int]:
    """Collisions with a bar thinner than his that his steps alone miss, and all of them."""
    rng, missed, hits = np.random.default_rng(53), 0, 0
    bar = Structure(kind="box", name="bar", center_m=(0.0, 0.0, 50.0), size_m=(18.5, width_m, width_m))
    for _ in range(2 * POSES):
        at, heading = (*rng.uniform(-2.5, 2.5, 2), 50.0), float(rng.uniform(-math.pi, math.pi))
        if royer_collides(bar, SIZE_M, at, heading):
            hits += 1
            missed += not royer_collides(bar, SIZE_M, at, heading, crossing=False)
    return missed, hits


class Approach(NamedTuple):
    """A straight run at the cube: time, distance to it, and the answer of his test at each time."""

    time_s: Array
    gap_m: Array
    signalled: Array


@cache
def approach(stopped: bool) -> Approach:
    """250 N ahead from 4 m before the cube, in still water; `stopped`: whether the cube is solid."""
    world = load_world("royer_field")
    cube = next(s for s in world.structures if s.name == "wellhead")
    center, half = np.array(cube.center_n(), float), np.array(cube.half_m(), float)
    plant = Plant(sea_grant(), sea=world.packed() if stopped else None)
    plant.place(position_n=(center[0] - half[0] - 1.5 - 4.0, center[1], 97.0), euler=(0.0, 0.0, 0.0))
    plant.water["current"] = -plant.local_water().velocity_n  # still water in both: contact alone is compared
    plant.set_actuators(thrusters=[125.0, 125.0])
    rows = []
    for n in range(301):
        at = plant.position_n
        hit = royer_collides(cube, SIZE_M, at.tolist(), float(plant.euler[2]))
        gap = float(center[0] - half[0] - 1.5 - at[0])
        rows.append((0.04 * n, gap, float(hit)))
        plant.advance(0.02, 2)
    return Approach(*np.array(rows).T)


def _kind_values() -> Values:
    cube, columns, bars, pipe = (trial(kind) for kind in KINDS)
    rows = {
        "collision-cube": {"value": cube.missed + cube.false, "cube": cube},
        "collision-columns": {"value": columns.missed + columns.false, "columns": columns},
    }
    missed, hits = bars.missed + pipe.missed, bars.hits + pipe.hits
    thin_missed, thin_hits = thin_bars()
    differ = bars.completed + pipe.completed
    rows["collision-bars"] = {
        "value": missed + differ + bars.false + pipe.false,
        "missed": missed,
        "hits": hits,
        "false_bars": bars.false + pipe.false,
        "poses_bars": bars.poses + pipe.poses,
        "thin_missed": thin_missed,
        "thin_hits": thin_hits,
    }
    return rows


def _tilt_values() -> Values:
    tilted = [trial(kind, 15.0) for kind in KINDS]
    wrong = sum(case.completed for case in tilted)
    total, hits = sum(case.poses for case in tilted), sum(case.hits for case in tilted)
    return {
        "collision-level": {
            "holds": wrong > 0 and all(trial(kind).completed == 0 for kind in KINDS),
            "wrong": wrong,
            "total": total,
            "hits": hits,
            "wrong_total": wrong / total,
        }
    }


def _flown_values() -> Values:
    through, ours = approach(False), approach(True)
    first = float(through.time_s[np.flatnonzero(through.signalled > 0.5)[0]])
    touched = float(ours.time_s[np.flatnonzero(ours.gap_m < 1e-3)[0]])
    deepest, inside_m = float(-ours.gap_m.min()), float(-through.gap_m[-1])
    return {
        "collision-signal": {"value": abs(first - touched), "first": first, "touched": touched},
        "collision-through": {
            "holds": inside_m > 1.0 and deepest < 0.02,
            "inside_m": inside_m,
            "deepest_mm": 1000 * deepest,
            "deepest_m": deepest,
        },
    }


def swept(in_the_field: bool) -> tuple[float, float, Status]:
    """The cable after a flight under bar 1-2 and up again beyond it: wrap, deg, pull on the vehicle, N, status."""
    sea = load_world("royer_field").packed() if in_the_field else None
    current = (0.0, 0.0, 0.0) if in_the_field else (SPEED_M_S, 0.0, 0.0)  # the field has its own, the same
    line = Line(umbilical(), Tether(length_m=135.0, elements=60), sea=sea, current_n=current)
    at = np.array([0.0, 4.0, 94.0])
    line.settle(at, (0.0, 4.0, 0.0))
    for corner in ((0.0, 17.0, 94.0), (0.0, 17.0, 55.0), (0.0, 17.0, 55.0)):
        way = np.array(corner) - at
        steps = max(round(float(np.linalg.norm(way)) / 0.025), 100)
        for _ in range(steps):
            line.step(0.05, at, way / (0.05 * steps))
            at = at + way / steps
    return math.degrees(float(line.head["wrap"])), float(np.linalg.norm(line.force_on_vehicle_n)), line.status


def _wrap_values() -> Values:
    (wrap, pull, status), (_, free, _) = swept(True), swept(False)
    return {
        "cable-around-bar": {
            "holds": bool(wrap > 45.0 and pull > 1.2 * free and status & Status.SNAGGED),
            "wrap": wrap,
            "pull": pull,
            "free": free,
        }
    }


def environment_values() -> Values:
    """Abstract, chapter 1, 4.2.c, 7.1.a: the elements of the scene."""
    world = load_world("royer_field")
    names = [s.name or "" for s in world.structures]
    counts = {kind: sum(name.startswith(kind) for name in names) for kind in ("column", "bar", "wellhead", "pipeline")}
    boxes = {s.name or "": (np.array(s.center_n(), float), np.array(s.half_m(), float)) for s in world.structures}
    gaps = []
    for name, (center, half) in boxes.items():
        if name.startswith("bar"):
            for number in name.removeprefix("bar ").split("-"):
                at, size = boxes[f"column {number}"]
                gaps.append(float(np.max(np.abs(center - at) - half - size)))
    cube = boxes["wellhead"]
    return {
        "scene": {
            "holds": counts == {"column": 4, "bar": 4, "wellhead": 1, "pipeline": 1}
            and max(map(abs, gaps)) < 1e-6
            and bool(np.ptp(cube[1]) == 0.0),
            "counts": counts,
            "largest_gap_mm": 1000 * max(map(abs, gaps)),
        },
        "scene-depth": float(world.bottom_m(0.0, 0.0)),
    }


def collision_claims() -> tuple[Claim, ...]:
    """All rows of chapter 5 and of the scene."""
    return ROWS.claims(
        {**_kind_values(), **_tilt_values(), **_flown_values(), **_wrap_values(), **environment_values()}
    )


def outline(north: float, east: float, heading: float) -> Array:
    """Corners of the vehicle seen from above: rows of east, north."""
    c, s = math.cos(heading), math.sin(heading)
    x, y = np.array([(1.5, 0.8), (1.5, -0.8), (-1.5, -0.8), (-1.5, 0.8)]).T
    return np.column_stack([east + s * x + c * y, north + c * x - s * y])


def _areas(ax: Axes) -> None:
    from matplotlib.patches import FancyBboxPatch, Polygon, Rectangle

    near, far = 0.5 * SIZE_M[1], 0.5 * math.hypot(*SIZE_M[:2])
    for away, style, caption in ((far, "--", "area 1 outside, 2 inside"), (near, ":", "area 3 inside")):
        ring = FancyBboxPatch((-2.5, -2.5), 5.0, 5.0, boxstyle=f"round,pad={away}", fc="none", ec=INK, ls=style, lw=1.0)
        ring.set_label(caption)
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
    for stopped, color, caption in (
        (False, PALETTE[1], "as in the thesis: signalled only"),
        (True, PALETTE[0], "Pelagos: contact"),
    ):
        run = approach(stopped)
        ax.plot(run.time_s, run.gap_m, color=color, label=caption)
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
