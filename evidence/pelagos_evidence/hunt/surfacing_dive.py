"""Section IV.B: the dive with turns on the surface, with the hybrid and the submerged model and three depth laws."""

from __future__ import annotations

import math

import numpy as np

from pelagos.guidance.legs.course import Trackline
from pelagos.scenario.read import load_scenario
from pelagos.sim.log.log import Log
from pelagos.vehicle.load.vehicle import load_vehicle
from pelagos_evidence.document import Findings, Progress
from pelagos_evidence.hunt.dives import LINES, SURFACING_DIVE, TURNS, coordinates, late_in_turns, late_on_lines
from pelagos_evidence.hunt.surface_runs import trim_claims, trim_figure
from pelagos_evidence.hunt.surfacing_flights import (
    GAIN_DEG_M,
    Flights,
    dive_figure,
    fly_all,
    in_turns,
    laws_figure,
    swing,
)
from pelagos_evidence.rows import Rows, Values

ROWS = Rows(__file__, GAIN_DEG_M=GAIN_DEG_M)


def run(progress: Progress) -> Findings:
    """Seven flights, see `fly_all`."""
    flights = fly_all(progress)
    values = {**mission_values(flights), **depth_values(flights), **pitch_values(flights), **other_values(flights)}
    claims = ROWS.claims(values | _lost())
    claims = (*claims[: len(values)], *trim_claims(load_vehicle("iver3"), flights), *claims[len(values) :])
    return Findings(claims, (dive_figure(flights), laws_figure(flights), trim_figure(load_vehicle("iver3"), flights)))


def mission_values(flights: Flights) -> Values:
    """Values of the flown mission."""
    log = flights.hybrid
    fixed = np.isfinite(log["gps_north_m"])
    turns = [int(fixed[log["leg"] == turn].sum()) for turn in TURNS]
    first_line = int(fixed[log["leg"] == LINES[0]].sum())
    on_lines = late_on_lines(log)
    plain = float(np.median(flights.hybrid_plain["depth_m"][late_on_lines(flights.hybrid_plain)]))
    mission = load_scenario(SURFACING_DIVE).vehicles[0].mission
    lengths = [math.dist(leg.from_m, leg.to_m) for leg in mission if isinstance(leg, Trackline)]
    flown = [[float(np.ptp(flight["north_m"][flight["leg"] == line])) for line in LINES] for flight in flights.both]
    return {
        "surfacing-four-legs": {
            "holds": lengths == [300.0] * 4 and all(abs(value - 300.0) < 5.0 for legs in flown for value in legs),
            "count": len(lengths),
            "lengths": lengths,
            "shortest": min(flown[0]),
            "longest": max(flown[0]),
            "shortest_submerged": min(flown[1]),
            "longest_submerged": max(flown[1]),
        },
        "surfacing-leg-depth": {"ours": float(np.median(log["depth_m"][on_lines])), "plain": plain},
        "surfacing-speed": float(log["surge_m_s"].mean()),
        "gps-in-turns": {"holds": min(turns) > 0 and first_line == 0, "turns": turns, "first_line": first_line},
    }


def depth_values(flights: Flights) -> Values:
    """Depths in the turns: 0.13 m, no crossing of the surface, and the submerged model."""
    steady, cloud = in_turns(flights.hybrid, "depth_m"), in_turns(flights.cloud, "depth_m")
    plain, unaware = (in_turns(log, "depth_m") for log in (flights.hybrid_plain, flights.hybrid_unaware))
    shallowest = min(float(log["depth_m"].min()) for log in (*flights.hybrids, flights.cloud))
    above = [in_turns(log, "depth_m") for log in flights.submergeds]
    low, high = swing(flights.submerged, "depth_m")
    pitch = float(np.median(flights.submerged["pitch_deg"][late_on_lines(flights.submerged)]))
    on_lines = float(np.median(flights.submerged_plain["depth_m"][late_on_lines(flights.submerged_plain)]))
    return {
        "surface-depth": {"ours": float(np.mean(steady)), "steady": steady, "plain": plain, "unaware": unaware},
        "surface-depth-cloud": float(np.mean(cloud)),
        "never-above": shallowest,
        "submerged-model-flies": {
            "holds": max(above[1]) < 0.0 and steadiness(flights.submerged_plain) < 0.01,
            "above": above,
            "low": low,
            "high": high,
        },
        "minus-two-decimetres": {
            "off": abs(float(np.mean(above[0])) + 0.2),
            "pitch": pitch,
            "slope": abs(pitch) / 0.2,
            "on_lines": on_lines,
            "height_tuned": np.mean(above[1]),
            "height": np.mean(above[0]),
            "height_unaware": np.mean(above[2]),
        },
    }


def steadiness(log: Log) -> float:
    """Greatest change of depth within a turn once settled, m."""
    return max(float(np.ptp(log["depth_m"][late])) for late in late_in_turns(log))


def pitch_values(flights: Flights) -> Values:
    """Pitch in the turns: nose up with the hybrid model, nose down with the submerged one."""
    up = [in_turns(log, "pitch_deg") for log in flights.hybrids]
    down = [in_turns(log, "pitch_deg") for log in flights.submergeds]
    low, high = swing(flights.hybrid_unaware, "pitch_deg")
    depth = in_turns(flights.hybrid_plain, "depth_m")
    setpoint = float(GAIN_DEG_M * np.mean(depth))
    return {
        "pitch-hybrid": {"value": min(*up[0], *up[1]), "up": up, "low": low, "high": high},
        "pitch-submerged": {"value": max(max(angles) for angles in down), "down": down},
        "pitch-because": {
            "holds": setpoint > 0.0 and abs(setpoint - float(np.mean(up[1]))) < 1.0,
            "depth": np.mean(depth),
            "setpoint": setpoint,
            "pitch": np.mean(up[1]),
        },
    }


def other_values(flights: Flights) -> Values:
    """Differences of x, y, roll and heading between the models."""
    a, b = coordinates(flights.submerged), coordinates(flights.hybrid)
    n = min(a.shape[1], b.shape[1])
    off = np.abs(a[:, :n] - b[:, :n]).max(axis=1)
    return {f"similar-{name}": float(off[k]) for name, k in (("x", 0), ("y", 1), ("roll", 3), ("heading", 5))}


def _lost() -> Values:
    """Claims that need the measured curves of figure 5."""
    return {
        "measured-depth": {},
        "measured-pitch": {},
        "measured-roll": {},
        "same-waypoints": {},
    }
