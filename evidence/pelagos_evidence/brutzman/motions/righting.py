"""Righting: the periods of roll and pitch, and a centre of gravity on the wrong side of the centre of buoyancy."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from pelagos.analysis.page import PALETTE, UNWRITTEN, new_figure, styled
from pelagos.vehicle.spec import Vehicle
from pelagos_evidence.brutzman.motions import closed_forms as form
from pelagos_evidence.brutzman.motions.flights import PhoenixFlight, held, phoenix, plant_of, track
from pelagos_evidence.document import Drawing, Findings, Progress, drawn
from pelagos_evidence.rows import Array, Rows, Values

if TYPE_CHECKING:
    from matplotlib.figure import Figure

TILT_DEG = 0.2  # small: the period of a pendulum grows by the square of its swing, here 2e-7
SWINGS = 8  # periods flown, with one whole period less between their first and last passage through zero
FIGURE = "brutzman-righting"
# index, and the motions that are free: with those that follow, and alone
AXES = {"roll": (0, "vpr", "p"), "pitch": (1, "uwq", "q")}


ROWS = Rows(__file__, TILT_DEG=TILT_DEG, swings=SWINGS - 1)


def run(progress: Progress) -> Findings:
    """Release the tilted vehicle in still water."""
    values: Values = {}
    for axis, (index, coupled, alone) in AXES.items():
        for free in (alone, coupled):
            together = free == coupled
            expected = form.period(axis, together)
            period = _period(
                _released(held(undamped(phoenix()), free), axis, SWINGS * expected, expected / 200.0), index
            )
            values[f"{axis}-period" + ("" if together else "-alone")] = {
                "published": expected,
                "ours": period,
                "absolute": form.rounding(lambda length, axis=axis, c=together: form.period(axis, c, length)) + 1e-5,
            }
        progress(0.3 + 0.3 * index)
    falls = {axis: _released(phoenix(), axis, 60.0, 0.1, 10.0) for axis in AXES}
    upset = track(plant_of(_top_heavy(), euler_deg=(1.0, 0.0, 0.0)), 60.0, every_s=0.1)
    return Findings(ROWS.claims(values), (_figure(falls, upset),))


def undamped(vehicle: Vehicle) -> Vehicle:
    """Without drag and lift: only weight, buoyancy and inertia act."""
    return replace(vehicle, coefficients=(), crossflow=None)


def _released(vehicle: Vehicle, axis: str, seconds: float, every_s: float, tilt_deg: float = TILT_DEG) -> PhoenixFlight:
    tilt = (tilt_deg, 0.0, 0.0) if axis == "roll" else (0.0, tilt_deg, 0.0)
    return track(plant_of(vehicle, euler_deg=tilt), seconds, step_s=every_s / 5.0, every_s=every_s)


def _period(flight: PhoenixFlight, index: int) -> float:
    """Mean time from one rising passage through zero to the next, the passage by a straight line between samples."""
    angle, time = flight.euler_deg[:, index], flight.time_s
    before = np.flatnonzero((angle[:-1] < 0.0) & (angle[1:] >= 0.0))
    share: Array = angle[before] / (angle[before] - angle[before + 1])
    passages = time[before] + share * (time[before + 1] - time[before])
    return float((passages[-1] - passages[0]) / (len(passages) - 1)) if len(passages) > 1 else float("nan")


def _top_heavy() -> Vehicle:
    """Centre of gravity above the centre of buoyancy by as much as it is below."""
    vehicle = phoenix()
    x, y, z = vehicle.body.cg_b
    return replace(vehicle, body=replace(vehicle.body, cg_b=(x, y, -z)))


def _figure(falls: dict[str, PhoenixFlight], upset: PhoenixFlight) -> Drawing:
    with styled():
        figure: Figure = new_figure(UNWRITTEN, (9.0, 3.3), None)
        panels = figure.subplots(1, 3)
        for ax, (axis, (index, *_)), colour in zip(panels, AXES.items(), PALETTE, strict=False):
            flight = falls[axis]
            ax.plot(flight.time_s, flight.euler_deg[:, index], color=colour)
            ax.set(
                title=f"{axis}, let go at 10 deg",
                xlabel="time [s]",
                ylabel=f"{axis} [deg]",
                xlim=(0.0, 60.0 if index else 20.0),
            )
        panels[2].plot(upset.time_s, upset.euler_deg[:, 0], color=PALETTE[2])
        panels[2].axhline(180.0, color=PALETTE[8], linewidth=0.8, linestyle="--")
        panels[2].set(title="CG above CB, let go at 1 deg", xlabel="time [s]", ylabel="roll [deg]", xlim=(0.0, 60.0))
        return drawn(
            figure,
            FIGURE,
            "The Phoenix let go in still water with all its damping. Pitch oscillates with a period of 13 s; roll is "
            "almost dead beat, by the document's own estimate of K_p|p|. With the centre of gravity as far above the "
            "centre of buoyancy as it was below, the vehicle inverts (section C).",
        )
