"""The dive of section IV.B, flown with the hybrid and the submerged model and three depth laws, and drawn."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pelagos.reproduce.document import Drawing, Tell
from pelagos.reproduce.hunt.coordinates import dive_drawing
from pelagos.reproduce.hunt.dives import (
    CLOUD,
    HYBRID,
    SUBMERGED,
    SURFACING_DIVE,
    TURNS,
    coordinates,
    fly,
    late_in_turns,
)
from pelagos.sim.log import Log

GAIN_DEG_M = 10.0  # of the proportional law: the -2.0 deg of level flight over the -0.2 m of the document


@dataclass(frozen=True)
class Flights:
    """The same mission, flown seven times."""

    hybrid: Log
    submerged: Log
    cloud: Log
    hybrid_plain: Log  # proportional depth law
    submerged_plain: Log
    hybrid_unaware: Log  # autopilot that goes on integrating at the surface
    submerged_unaware: Log


def fly_all(tell: Tell = lambda done: None) -> Flights:
    """Hybrid with GPS on board, submerged, cloud; then both models with the two other laws."""
    logs: list[Log] = []
    for model, gps, gain in (
        (HYBRID, True, None),
        (SUBMERGED, False, None),
        (CLOUD, False, None),
        (HYBRID, False, GAIN_DEG_M),
        (SUBMERGED, False, GAIN_DEG_M),
    ):
        logs.append(fly(SURFACING_DIVE, model, gps=gps, depth_gain_deg_m=gain))
        tell(0.13 * len(logs))
    for model in (HYBRID, SUBMERGED):
        logs.append(fly(SURFACING_DIVE, model, knows_surface=False))
        tell(0.13 * len(logs))
    return Flights(*logs)


def in_turns(log: Log, name: str) -> list[float]:
    """Median of a column in each turn once the vehicle has settled there."""
    return [float(np.median(log[name][late])) for late in late_in_turns(log)]


def dive_figure(flights: Flights) -> Drawing:
    """As figure 5 of the document."""
    caption = (
        "Section IV.B, as figure 5 of the document, with our autopilot: hybrid and submerged model on "
        "the same waypoints, turns on the surface (shaded). On the surface the hybrid model lies 0.13 "
        "m deep with its nose up, the submerged one flies above the water nose down and hunts by some "
        "centimetres, because the autopilot expects a surface that this model does not have. The "
        "experimental curve of the document is not available."
    )
    return _six("hunt-surfacing-dive", caption, flights.hybrid, flights.submerged)


def plain_figure(flights: Flights) -> Drawing:
    """The same with the proportional depth law."""
    caption = (
        f"The same dive with a depth law without integral, pitch = {GAIN_DEG_M:g}° per m times the "
        "depth error: the submerged model comes to rest 0.2 m above the surface, as in the document, "
        "and both models fly 0.2 m above the depth asked for on the lines."
    )
    return _six("hunt-surfacing-plain", caption, flights.hybrid_plain, flights.submerged_plain)


def _six(name: str, caption: str, hybrid: Log, submerged: Log) -> Drawing:
    n = min(len(hybrid.time_s), len(submerged.time_s))
    minutes = hybrid.time_s[:n] / 60.0
    legs = hybrid["leg"][:n]
    turns = [(float(minutes[legs == k][0]), float(minutes[legs == k][-1])) for k in TURNS]
    flown = {"hybrid model": coordinates(hybrid)[:, :n], "submerged model": coordinates(submerged)[:, :n]}
    return dive_drawing(name, caption, minutes, flown, turns=turns)
