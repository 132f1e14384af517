"""Section IV.A: the submerged dive, flown with the submerged and the hybrid model."""

from __future__ import annotations

import numpy as np

from pelagos.guidance.legs.course import Trackline
from pelagos.scenario.read import load_scenario
from pelagos.sim.log.log import Log
from pelagos.vehicle.load.vehicle import load_vehicle
from pelagos.vehicle.plant import Plant
from pelagos_evidence.document import Drawing, Findings, Progress
from pelagos_evidence.hunt.dives import (
    LINES,
    SUBMERGED,
    SUBMERGED_DIVE,
    TURNS,
    Model,
    coordinates,
    dive_drawing,
    fly,
    late_in_turns,
    late_on_lines,
)
from pelagos_evidence.rows import Array, Rows, Values

# 2000 points: the difference must not depend on their number, and every one is tested at every evaluation
COUNTED = Model("monte_carlo", 2000, counted=True)
SECTIONS = Model("quadrature", 512, counted=True)
RAW = Model("monte_carlo", 2000, counted=True, raw=True)
SAME_SIX = (("x", "m"), ("y", "m"), ("z", "m"), ("φ (roll)", "deg"), ("θ (pitch)", "deg"), ("ψ (heading)", "deg"))
RAW_S = 120.0  # enough to see what an uncentred cloud does
LIMIT = 1e-11  # printed, m and deg


ROWS = Rows(__file__, RAW_S=RAW_S)


def run(progress: Progress) -> Findings:
    """Three flights of 1295 s, two with every point or section tested at every evaluation; part of a fourth."""
    submerged = fly(SUBMERGED_DIVE, SUBMERGED)
    progress(0.15)
    sections = fly(SUBMERGED_DIVE, SECTIONS)
    progress(0.3)
    counted = fly(SUBMERGED_DIVE, COUNTED)
    progress(0.8)
    raw = fly(SUBMERGED_DIVE, RAW, seconds=RAW_S)
    progress(0.9)
    values = {
        **mission_values(submerged),
        **difference_values(submerged, sections, counted),
        **raw_values(submerged, raw),
    }
    return Findings(ROWS.claims(values), (_drawing(submerged, counted),))


def mission_values(log: Log) -> Values:
    """Values of the flown mission: lines, depths, speed."""
    mission = load_scenario(SUBMERGED_DIVE).vehicles[0].mission
    lengths = [float(np.hypot(*np.subtract(leg.to_m, leg.from_m))) for leg in mission if isinstance(leg, Trackline)]
    on_lines = late_on_lines(log)
    in_turns = np.any(late_in_turns(log), axis=0)
    flown = [float(np.ptp(log["north_m"][log["leg"] == line])) for line in LINES]
    roll, minute = log["roll_deg"], log.time_s < 60.0
    first, last = (0.5 * float(np.ptp(roll[part])) for part in (minute, log.time_s > log.time_s[-1] - 60.0))
    fins = roll_of_fins()
    deep, turning = float(np.median(log["depth_m"][on_lines])), float(np.median(log["depth_m"][in_turns]))
    return {
        "four-legs": {
            "holds": len(lengths) == 4
            and all(length == 300.0 for length in lengths)
            and all(abs(run_m - 300.0) < 5.0 for run_m in flown),
            "count": len(lengths),
            "lengths": lengths,
            "shortest": min(flown),
            "longest": max(flown),
        },
        "leg-depth": deep,
        "turn-depth": turning,
        "advance-speed": float(log["surge_m_s"].mean()),
        "roll-passive": {"holds": fins == 0.0 and last < 0.5 * first, "fins": fins, "first": first, "last": last},
        "nose-down-when-submerged": float(np.median(log["pitch_deg"][on_lines])),
    }


def roll_of_fins() -> float:
    """Greatest rolling moment of both pairs of fins at 17 deg and 1.3 m/s, N m."""
    plant = Plant(load_vehicle("iver3"))
    plant.place(position_n=(0.0, 0.0, 50.0), nu=(1.3, 0.0, 0.0, 0.0, 0.0, 0.0))
    plant.set_actuators(surfaces=[0.3, -0.3], at_once=True)
    forces = plant.forces()
    return max(abs(float(forces[name][3])) for name in ("coefficients", "fins"))


def difference_values(submerged: Log, sections: Log, counted: Log) -> Values:
    """Equations 8 to 13, a row each."""
    worst, by_sections = differences(submerged, counted), differences(submerged, sections)
    claims = {
        f"difference-{k}": {"limit": LIMIT, "ours": float(off), "k": k, "name": name, "unit": unit}
        for k, (name, unit), off in zip(range(8, 14), SAME_SIX, worst, strict=True)
    }
    claims["difference-sections"] = {"limit": LIMIT, "ours": float(by_sections.max())}
    return claims


def raw_values(submerged: Log, raw: Log) -> Values:
    """Differences by a cloud that is not centred."""
    off = differences(submerged, raw)
    return {
        "uncentred-cloud": {
            "off": float(off.max()),
            "limit": LIMIT,
            "moved": off[:3].max(),
            "turned": off[3:].max(),
        }
    }


def differences(log: Log, other: Log) -> Array:
    """Greatest difference of each coordinate over the time both flew, m and deg."""
    n = min(len(log.time_s), len(other.time_s))
    return np.abs(coordinates(log)[:, :n] - coordinates(other)[:, :n]).max(axis=1)


def _drawing(submerged: Log, counted: Log) -> Drawing:
    minutes = submerged.time_s / 60.0
    turns = [(float(minutes[submerged["leg"] == k][0]), float(minutes[submerged["leg"] == k][-1])) for k in TURNS]
    a, b = coordinates(submerged), coordinates(counted)
    caption = (
        "Section IV.A, as figure 4 of the document: coordinates of the dive with the submerged and "
        "the hybrid model (2000 points, every one counted), and their differences (equations 8 to "
        "13), which the document puts at no more than 1e-11 m or degrees. Turns shaded."
    )
    return dive_drawing(
        "hunt-submerged-dive",
        caption,
        minutes,
        {"submerged model": a, "hybrid model": b},
        turns=turns,
        differences={"submerged minus hybrid": a - b},
    )
