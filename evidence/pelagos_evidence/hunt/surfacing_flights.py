"""Fly and draw the dive of section IV.B with the hybrid and the submerged model and three depth laws."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pelagos.analysis.page import COMMAND, FAINT, INK, PALETTE, UNWRITTEN, new_figure, styled
from pelagos.sim.log.log import Log
from pelagos_evidence.document import Drawing, Progress, drawn
from pelagos_evidence.hunt.dives import (
    CLOUD,
    HYBRID,
    LONGEST_S,
    SUBMERGED,
    SURFACING_DIVE,
    TURNS,
    coordinates,
    dive_drawing,
    fly,
    late_in_turns,
)

CLOUD_S, OTHERS_S = 352.0, 712.0  # the first turn ends after 355 s, the second, to the other side, after 710 s
LAWS = ("our autopilot", "proportional depth law", "autopilot unaware of the surface")
GAIN_DEG_M = 10.0  # of the proportional law: the -2.0 deg of level flight over the -0.2 m of the document


@dataclass(frozen=True)
class Flights:
    """Logs of seven runs of one mission: whole with our autopilot, two turns with other laws, one with the cloud."""

    hybrid: Log
    submerged: Log
    cloud: Log
    hybrid_plain: Log  # proportional depth law
    submerged_plain: Log
    hybrid_unaware: Log  # autopilot that goes on integrating at the surface
    submerged_unaware: Log

    @property
    def both(self) -> tuple[Log, Log]:
        """Hybrid and submerged model with our autopilot."""
        return self.hybrid, self.submerged

    @property
    def hybrids(self) -> tuple[Log, Log, Log]:
        """The hybrid model with each of `LAWS`."""
        return self.hybrid, self.hybrid_plain, self.hybrid_unaware

    @property
    def submergeds(self) -> tuple[Log, Log, Log]:
        """The submerged model with each of `LAWS`."""
        return self.submerged, self.submerged_plain, self.submerged_unaware


def fly_all(progress: Progress = lambda done: None) -> Flights:
    """Hybrid with GPS on board, submerged, cloud; then both models with the two other laws."""
    logs: list[Log] = []
    for model, gps, gain in (
        (HYBRID, True, None),
        (SUBMERGED, False, None),
        (CLOUD, False, None),
        (HYBRID, False, GAIN_DEG_M),
        (SUBMERGED, False, GAIN_DEG_M),
    ):
        seconds = CLOUD_S if model is CLOUD else LONGEST_S if gain is None else OTHERS_S
        logs.append(fly(SURFACING_DIVE, model, seconds=seconds, gps=gps, depth_gain_deg_m=gain))
        progress(0.13 * len(logs))
    for model in (HYBRID, SUBMERGED):
        logs.append(fly(SURFACING_DIVE, model, seconds=OTHERS_S, knows_surface=False))
        progress(0.13 * len(logs))
    return Flights(*logs)


def in_turns(log: Log, name: str) -> list[float]:
    """Median of a column in each turn once the vehicle has settled there."""
    return [float(np.median(log[name][late])) for late in late_in_turns(log)]


def swing(log: Log, name: str) -> tuple[float, float]:
    """Least and greatest value of a column in the turns once the vehicle has settled there."""
    late = np.any(late_in_turns(log), axis=0)
    return float(log[name][late].min()), float(log[name][late].max())


def dive_figure(flights: Flights) -> Drawing:
    """The coordinates of both models over time, as figure 5 of the document."""
    caption = (
        "Section IV.B, as figure 5 of the document, with our autopilot: hybrid and submerged model on "
        "the same waypoints, turns on the surface (shaded). In the turns the hybrid model lies 0.13 m "
        "deep with its nose up; the submerged one is nose down and, in the second and third turn, "
        "oscillates by some centimetres about a depth just above the surface, because this autopilot "
        "expects a surface that the model does not have. The experimental curves of the document are "
        "not available."
    )
    hybrid, submerged = flights.both
    n = min(len(hybrid.time_s), len(submerged.time_s))
    flown = {"hybrid model": coordinates(hybrid)[:, :n], "submerged model": coordinates(submerged)[:, :n]}
    return dive_drawing("hunt-surfacing-dive", caption, hybrid.time_s[:n] / 60.0, flown, turns=turns_of(hybrid))


def turns_of(log: Log) -> list[tuple[float, float]]:
    """Begin and end of each turn, minutes."""
    minutes = [log.time_s[log["leg"] == turn] / 60.0 for turn in TURNS]
    return [(float(interval[0]), float(interval[-1])) for interval in minutes if len(interval)]


def laws_figure(flights: Flights) -> Drawing:
    """Depth and pitch of both models with each of the three laws."""
    with styled():
        figure = new_figure(UNWRITTEN, (9.5, 4.8), None)
        panels = figure.subplots(2, 3, sharex=True, sharey="row")
        for k, law in enumerate(LAWS):
            for row, name, label in ((0, "depth_m", "depth of the centre of mass, m"), (1, "pitch_deg", "pitch, deg")):
                axes = panels[row, k]
                for log, style, color, model in (
                    (flights.hybrids[k], "-", PALETTE[0], "hybrid model"),
                    (flights.submergeds[k], "--", PALETTE[1], "submerged model"),
                ):
                    axes.plot(log.time_s / 60.0, log[name], style, color=color, lw=1.2, label=model)
                axes.axhline(0.0, color=INK, lw=0.8)
                for begin, end in turns_of(flights.hybrids[k]):
                    axes.axvspan(begin, end, color=FAINT, alpha=0.5, lw=0)
                if k == 0:
                    axes.set_ylabel(label)
            panels[0, k].set_title(law[0].upper() + law[1:])
            panels[0, k].axhline(0.13, color=COMMAND, lw=1.0, ls=":", label="0.13 m and -0.2 m, as printed")
            panels[0, k].axhline(-0.2, color=COMMAND, lw=1.0, ls=":")
            panels[1, k].set_xlabel("minutes since the start")
        panels[0, 0].set_ylim(0.5, -0.65)
        panels[1, 0].set(ylim=(-5.0, 5.0), xlim=(0.0, OTHERS_S / 60.0))
        figure.legend(*panels[0, 0].get_legend_handles_labels(), loc="outside upper center", ncols=3)
    caption = (
        "Depth and pitch of section IV.B with three depth laws, first two turns (shaded); the legs at 1.2 m are out of "
        "the upper panels. Hybrid model: 0.13 m and nose up with our autopilot; 0.12 m and nose up with a law "
        f"without integral ({GAIN_DEG_M:g}° per m); 0.12 m and a pitch that oscillates about 0 if the autopilot "
        "goes on integrating at the surface. Submerged model: nose down with all three, 0.2 m above the "
        "surface with the law without integral (whose gain was inferred from that), close to the depth "
        "asked for, 0 m, with the others."
    )
    return drawn(figure, "hunt-surfacing-laws", caption, dpi=100)
