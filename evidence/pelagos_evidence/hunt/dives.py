"""Fly the two dives of section IV with any of the buoyancy models and any of three depth laws, and draw them.

The figure shows six coordinates over time, and differences below them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pelagos.analysis.page import COMMAND, FAINT, PALETTE, UNWRITTEN, new_figure, styled
from pelagos.control.autopilot.autopilot import Autopilot
from pelagos.engine.laws import clip
from pelagos.engine.water.sea import HULL
from pelagos.engine.water.wet import WET_PIECE
from pelagos.guidance.mission import Mission
from pelagos.messages import Actuation, Setpoint, VehicleState
from pelagos.scenario.build import prepare
from pelagos.scenario.read import load_scenario
from pelagos.sim.log.log import Log
from pelagos.vehicle.spec import FreeSurfaceModel, Vehicle
from pelagos_evidence.document import Drawing, drawn
from pelagos_evidence.rows import Array

NAMES = ("x (north), m", "y (east), m", "z (depth), m", "roll, deg", "pitch, deg", "heading, deg")
DELTAS = ("Δx, m", "Δy, m", "Δz, m", "Δφ, deg", "Δθ, deg", "Δψ, deg")
EVERY = 2  # sample of 2 Hz is drawn: enough for the eye, and a smaller picture
ORDER = (0, 3, 1, 4, 2, 5)  # positions on the left, angles on the right, as in the document
SUBMERGED_DIVE, SURFACING_DIVE = "iver3-submerged", "iver3-surfacing"
COORDINATES = ("north_m", "east_m", "depth_m", "roll_deg", "pitch_deg", "heading_deg")
LINES, TURNS = (0, 2, 4, 6), (1, 3, 5)  # legs of both missions
SETTLING_S = 80.0  # of a turn of 124 s: what comes later is steady
LONGEST_S = 2000.0  # 1295 s are flown
COUNTED_REACH_M = 10.0  # deeper than the dive and well above the bottom at 20 m
PITCH_LIMIT_DEG = 20.0  # of the proportional law's setpoint, assumed


def dive_drawing(
    name: str,
    caption: str,
    minutes: Array,
    flights: Mapping[str, Array],
    *,
    turns: list[tuple[float, float]],
    differences: Mapping[str, Array] | None = None,
) -> Drawing:
    """Coordinates of each flight, (6, n), over minutes; the turns shaded; differences in panels of their own."""
    kept = slice(None, None, EVERY)
    minutes = minutes[kept]
    with styled():
        rows = 6 if differences else 3
        heights = [1.0, 0.6] * 3 if differences else [1.0] * 3
        figure = new_figure(UNWRITTEN, (9.5, 8.8 if differences else 6.2), None)
        panels = figure.subplots(rows, 2, sharex=True, gridspec_kw={"height_ratios": heights})
        for k, which in enumerate(ORDER):
            axes = panels[(2 if differences else 1) * (k // 2), k % 2]
            for i, (label, flight) in enumerate(flights.items()):
                style: Any = "-" if i == 0 else "--"
                wide = 1.6 if i == 0 else 1.2
                # roll oscillates fast: thin lines stay apart
                lw = 0.6 if which == 3 else wide
                axes.plot(minutes, flight[which, kept], style, color=PALETTE[i], lw=lw, label=label)
            axes.set_ylabel(NAMES[which])
            if which == 2:
                axes.invert_yaxis()
            _shade(axes, turns)
            if differences:
                below = panels[2 * (k // 2) + 1, k % 2]
                for i, (label, off) in enumerate(differences.items()):
                    below.plot(minutes, off[which, kept], color=PALETTE[2 + i], lw=0.8, label=label)
                below.set_ylabel(DELTAS[which])
                below.ticklabel_format(axis="y", style="sci", scilimits=(0, 0))
                _shade(below, turns)
        for axes in panels[-1]:
            axes.set_xlabel("minutes since the start")
        handles, labels = panels[0, 0].get_legend_handles_labels()
        if differences:
            more = panels[1, 0].get_legend_handles_labels()
            handles, labels = handles + more[0], labels + more[1]
        figure.legend(handles, labels, loc="outside upper center", ncols=4)
    return drawn(figure, name, caption, dpi=80 if differences else 100)


def _shade(axes: Any, turns: list[tuple[float, float]]) -> None:
    for begin, end in turns:
        axes.axvspan(begin, end, color=FAINT, alpha=0.5, lw=0)
    if axes.get_ylim()[0] > 0.0 > axes.get_ylim()[1] and axes.yaxis_inverted():
        axes.axhline(0.0, color=COMMAND, lw=0.8)


@dataclass(frozen=True)
class Model:
    """A buoyancy model: the method that finds the wet volume.

    Args:
        method: of `pelagos.vehicle.spec.FreeSurfaceModel`.
        points: sections or points.
        counted: test every point at every evaluation, at any depth, as the document does; else a hull that is wholly
            under water is found by its boxes.
        raw: points where the random numbers put them, their mean not moved to the published centre of buoyancy.
    """

    method: str
    points: int
    counted: bool = False
    raw: bool = False


SUBMERGED = Model("submerged", 0)
HYBRID = Model("quadrature", 512)
CLOUD = Model("monte_carlo", 20_000)


class ProportionalDepth:
    """A depth law without integral or trim: pitch setpoint = gain (depth - depth setpoint), held by the autopilot."""

    def __init__(self, autopilot: Autopilot, gain_deg_m: float) -> None:
        self.autopilot, self.gain_deg_m = autopilot, gain_deg_m
        self.setpoint = Setpoint()

    def command(self, setpoint: Setpoint | None = None, **changes: float | None) -> Setpoint:
        """Set the setpoint."""
        self.setpoint = setpoint if setpoint is not None else replace(self.setpoint, **changes)
        return self.setpoint

    def reset(self) -> None:
        """Reset the autopilot."""
        self.autopilot.reset()

    def update(self, state: VehicleState, dt: float) -> Actuation:
        """Commands for the next dt seconds."""
        too_deep = float(state.pos_n[2]) - (self.setpoint.depth_m or 0.0)
        pitch = clip(self.gain_deg_m * too_deep, -PITCH_LIMIT_DEG, PITCH_LIMIT_DEG)
        self.autopilot.command(replace(self.setpoint, depth_m=None, pitch_deg=pitch))
        return self.autopilot.update(state, dt)


def fly(
    name: str,
    model: Model,
    *,
    seconds: float = LONGEST_S,
    gps: bool = False,
    depth_gain_deg_m: float | None = None,
    knows_surface: bool = True,
    vehicle: Vehicle | None = None,
    progress: Callable[[float], None] | None = None,
) -> Log:
    """A ready scenario with another buoyancy model and another controller.

    Args:
        name: of the scenario.
        model: the buoyancy model.
        seconds: simulated time at most; the run ends with the mission.
        gps: carry the receiver of the vehicle.
        depth_gain_deg_m: of a proportional depth law in place of the autopilot's.
        knows_surface: False: an autopilot that goes on integrating where the hull breaks the surface.
        vehicle: another than that of the scenario.
        progress: receives the simulated time.
    """
    scenario = load_scenario(name)
    entry = scenario.vehicles[0]
    of = replace(vehicle or entry.vehicle, free_surface=FreeSurfaceModel(model.method, model.points))
    sensors = tuple(sensor for sensor in entry.sensors if gps and sensor.kind == "gps")
    sim = prepare(replace(scenario, vehicles=(replace(entry, vehicle=of, sensors=sensors),))).fleet.sims[0]
    if model.counted:
        count_every_point(sim.plant.hull)
    if model.raw:
        move_points(sim.plant.hull, raw_mean(of, model.points) - np.array(of.body.cb_b))
    if depth_gain_deg_m is not None or not knows_surface:
        # an autopilot learns of the surface from the shapes of the hull
        autopilot = Autopilot(of if knows_surface else replace(of, shapes=()), sim.water, sim.interval_s)
        helm = autopilot if depth_gain_deg_m is None else ProportionalDepth(autopilot, depth_gain_deg_m)
        helm.command(Setpoint(depth_m=entry.control.depth_m, heading_deg=0.0, speed_m_s=entry.control.speed_m_s))
        sim.control(Mission(helm, entry.mission))

    def over(_: object) -> bool:
        return isinstance(sim.controller, Mission) and sim.controller.done

    return sim.run(seconds, log_rate_hz=2.0, until=over, progress=progress, forces=False)


def count_every_point(hull: Array) -> None:
    """Make the kernel test every point of the hull, also where the boxes around them are wholly wet."""
    head = hull[: HULL.size].view(HULL.dtype)[0]
    head["reach"] = COUNTED_REACH_M
    first, n = int(head["pieces_at"]), int(head["n_pieces"])
    hull[first : first + n * WET_PIECE.size].view(WET_PIECE.dtype)["half"] = 1e6


def move_points(hull: Array, by_m: Array) -> None:
    """Move all points of a hull."""
    head = hull[: HULL.size].view(HULL.dtype)[0]
    first, n = int(head["points_at"]), int(head["n_points"])
    hull[first : first + 3 * n] += np.repeat(by_m, n)


def raw_mean(of: Vehicle, points: int) -> Array:
    """Mean of a random cloud, with its expectation at the centre of buoyancy: m, body axes."""
    from pelagos.vehicle.pack.sampling import monte_carlo, volume_m3

    pieces = monte_carlo(of.shapes, points, of.free_surface.seed)
    volumes = np.array([volume_m3(shape) for shape in of.shapes])
    expected = volumes @ np.array([shape.center_b for shape in of.shapes]) / volumes.sum()
    mean = sum(piece.volumes @ piece.places for piece in pieces) / volumes.sum()
    return np.array(of.body.cb_b) + mean - expected


def coordinates(log: Log) -> Array:
    """x, y, z (m), roll, pitch, heading (deg, running on over 360), one row each."""
    rows = np.array([log[name] for name in COORDINATES])
    rows[5] = np.degrees(np.unwrap(np.radians(rows[5])))
    return rows


def late_in_turns(log: Log) -> list[NDArray[np.bool_]]:
    """The samples of each turn that was flown, after the vehicle has come up and settled."""
    late: list[NDArray[np.bool_]] = []
    for turn in TURNS:
        flown = log["leg"] == turn
        if not flown.any():  # a run that ended before
            continue
        late.append(flown & (log.time_s > log.time_s[flown][0] + SETTLING_S))
    return late


def late_on_lines(log: Log) -> NDArray[np.bool_]:
    """The samples of the lines after the vehicle has settled there."""
    kept = np.zeros(len(log.time_s), bool)
    for line in LINES:
        flown = log["leg"] == line
        if flown.any():
            kept |= flown & (log.time_s > log.time_s[flown][0] + SETTLING_S)
    return kept
