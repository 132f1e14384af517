"""Chapter 7: the claims of the thesis about tasks and pilots, compared with the simulated pilots."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from pelagos.training.conditions import THESIS
from pelagos.training.observation import Observation
from pelagos.training.targets.hover import CENTROID, Hover
from pelagos.training.trial import CURVE_COLUMNS
from pelagos_evidence.claim import Claim, Row, statement
from pelagos_evidence.rows import Array, Rows, Values
from pelagos_evidence.royer.pilots.experiments import PilotFlight, hover_task
from pelagos_evidence.royer.pilots.orderings import LEVEL, Comparison, compared

FlightsByCase = Mapping[str, Sequence[PilotFlight]]
DRASTIC = 2.0  # ratio: what a reader would call a drastic change
ALIKE = 1.25  # ratio of medians within which attempts of one pilot differ; assumed


def setup_values() -> Values:
    """7.1.a and 7.1.b."""
    flows = {
        name: (case.current_m_s, case.current_to_deg or 0.0, case.cable, case.top_view) for name, case in THESIS.items()
    }
    printed = {
        "calm": (0.0, 0.0, False, True), "current": (1.0, 0.0, False, True), "cable": (0.75, 0.0, True, True),
        "calm-camera": (0.0, 0.0, False, False), "current-camera": (1.0, 0.0, False, False),
        "cable-camera": (0.75, 0.0, True, False),
    }  # fmt: skip
    task = hover_task()
    target, world, vehicle = task.target, task.world_for(), task.vehicle()
    assert isinstance(target, Hover)
    judge = target.judge(world, vehicle, 0)
    fit = target.triangle_n(world).mean(axis=0)[:2] + np.array([judge.bow_b[0] + CENTROID * target.triangle_m, 0.0])
    depth = float(world.bottom_m(*fit.tolist())) - 2.5
    at_fit = Observation(0.0, 0.1, np.array([*fit.tolist(), depth]), (0.0, 0.0, math.pi), np.zeros(6), 2.5)
    in_cube = replace_place(at_fit, -2.0)
    fitted, inside = judge.evaluate(at_fit), judge.evaluate(in_cube)
    curve = {"time_s", "north_m", "east_m", "depth_m", "heading_deg"}
    return {
        "six-conditions": {"holds": flows == printed, "alike": sum(flows[k] == v for k, v in printed.items())},
        "recorded-data": {"holds": curve <= set(CURVE_COLUMNS), "ours": ", ".join(sorted(curve & set(CURVE_COLUMNS)))},
        "complete-fit": fitted["distance_m"] + abs(fitted["altitude_error_m"]) + abs(fitted["heading_error_deg"]),
        "negative-in-cube": {"value": abs(inside["distance_m"] + 2.0), "inside": inside},
        "spot": 100.0 * target.spot_m,
    }


def replace_place(observation: Observation, north_m: float) -> Observation:
    """The observation, moved north."""
    return observation._replace(position_n=observation.position_n + np.array([north_m, 0.0, 0.0]))


@dataclass(frozen=True)
class Attempts:
    """All flights by the key of their case, hovering and along the pipe, and the cable's pull."""

    hovering: FlightsByCase
    following: FlightsByCase
    pull: Array
    pull_aside: Array  # on the course of the pipe


def ordering(row: Row, published: str, comparison: Comparison, *, why: str, reason: str = "") -> Claim:
    """One condition significantly worse than another; the contrary fails, else the claim is not met.

    `reason` is the likely cause, given where the ordering is not reproduced.
    """
    because = "" if comparison.holds else f". {reason}"
    return statement(
        row, published, comparison.words(), comparison.holds, tolerance=f"larger, chance below {LEVEL:g}",
        why=f"{why}{because}", numbers=comparison.numbers(), unit="m",
        otherwise="failed" if comparison.contradicted else "not met", known=reason if comparison.contradicted else "",
    )  # fmt: skip


def not_drastic(row: Row, published: str, comparison: Comparison, *, why: str) -> Claim:
    """Two conditions whose medians differ by no more than a reader would call a drastic change."""
    return statement(
        row, published, comparison.words(), 1.0 / DRASTIC < comparison.ratio < DRASTIC,
        tolerance=f"medians within a factor {DRASTIC:g}", why=why, numbers=comparison.numbers(), unit="m",
    )  # fmt: skip


ROWS = Rows(__file__, kinds=(ordering, not_drastic), ALIKE=ALIKE, LEVEL=LEVEL)


def hover_values(flown: FlightsByCase) -> Values:
    """7.2 to 7.7, hovering."""
    rows = {
        "hover-depth-top": {"comparison": compared(flown["4"], flown["6"])},
        "hover-depth-camera": {"comparison": compared(flown["5"], flown["7"]), "reason": _why_lost(flown)},
        "hover-camera": {"comparison": compared(flown["5"], flown["4"])},
        "hover-camera-depth-control": {"comparison": compared(flown["7"], flown["6"])},
        "hover-camera-current": {"comparison": compared(flown["9"], flown["8"])},
        **_late(flown),
        **_camera_helps(flown),
        "hover-current": compared(flown["8"], flown["6"], lambda flight: flight.average_m),
        "hover-cable-current": {"comparison": compared(flown["10"], flown["8"])},
        "hover-cable-calm": {"comparison": compared(flown["10"], flown["6"])},
        "hover-novice-camera": {"comparison": compared(flown["11"], flown["9"])},
        "hover-novice-cable": {"comparison": compared(flown["12"], flown["10"])},
    }
    comparison = compared(flown["6n"], flown["6"])
    rows["hover-top-view-forms"] = {
        "holds": 1.0 / ALIKE < comparison.ratio < ALIKE,
        "ours": comparison.words(),
        "numbers": comparison.numbers(),
    }
    return rows


def pipe_values(flown: FlightsByCase) -> Values:
    """7.2 to 7.7, along the pipe."""
    rows = {
        "pipe-depth-top": {"comparison": compared(flown["4"], flown["6"])},
        "pipe-depth-camera": {"comparison": compared(flown["5"], flown["7"])},
        "pipe-camera-no-control": {"comparison": compared(flown["5"], flown["4"])},
        "pipe-camera": {"comparison": compared(flown["7"], flown["6"])},
        "pipe-camera-current": {"comparison": compared(flown["9"], flown["8"])},
        "pipe-current": compared(flown["8"], flown["6"]),
        "pipe-cable": {"comparison": compared(flown["10"], flown["8"])},
        "pipe-novice-camera": {"comparison": compared(flown["11"], flown["9"])},
        "pipe-novice-cable": {"comparison": compared(flown["12"], flown["10"])},
        "pipe-out-and-back": {"comparison": compared(flown["14"], flown["13"], paired=True)},
    }
    camera = abs(flown["14c"][0].size_m - flown["7"][0].size_m)
    rows["pipe-camera-back"] = camera
    turn = math.degrees(math.remainder(math.radians(float(np.median(flown["14"][0].curve["heading_deg"]))), math.tau))
    rows["pipe-135"] = abs(turn)
    return rows


def cable_values(pull: Array, aside: Array) -> Values:
    """7.5, the force itself: hovering, and on the course of the pipe."""
    north, east, *_ = pull.mean(axis=0).tolist()
    level = np.hypot(pull[:, 0], pull[:, 1])
    off = abs(math.degrees(math.atan2(east, north)))
    return {
        "cable-parallel": off,
        "cable-steady": float(level.std() / level.mean()),
        "cable-yaw": abs(float(aside[:, 3].mean())),
    }


def _why_lost(flown: FlightsByCase) -> str:
    lost = {key: sum(flight.blind_share > 0.0 for flight in flown[key]) for key in ("5", "7")}
    return (
        "Attempts by the camera are of two kinds, those that keep the spot "
        f"in the picture and those that lose it ({lost['5']} of {len(flown['5'])} without, {lost['7']} of "
        f"{len(flown['7'])} with depth control) and back off to find it again, and of the latter the distance says how "
        "long that took, not how the depth was kept."
    )


def _late(flown: FlightsByCase) -> Values:
    comparison, by = compared(flown["7l"], flown["6"]), compared(flown["7l"], flown["7"])
    middle, late = (np.median([flight.size_m for flight in flown[key]]) for key in ("7m", "7l"))
    lost = [
        f"{sum(flight.blind_share > 0.0 for flight in flown[key])} of {len(flown[key])}" for key in ("7", "7m", "7l")
    ]
    return {
        "hover-late-pictures": {
            "holds": comparison.holds,
            "numbers": comparison.numbers(),
            "comparison": comparison.words(),
            "by": by,
            "middle": middle,
            "late": late,
            "lost": lost,
        }
    }


def _camera_helps(flown: FlightsByCase) -> Values:
    lost = sum(flight.blind_share > 0.0 for flight in flown["5"])
    return {
        "hover-camera-altitude": {
            "comparison": compared(flown["4"], flown["5"], lambda flight: flight.measures["altitude_error_rms_m"]),
            "lost": lost,
            "attempts": len(flown["5"]),
        }
    }


def depth_values(flown: FlightsByCase) -> Values:
    """7.2, the control itself."""
    perfect = max(float(np.abs(flight.curve["altitude_error_m"]).max()) for flight in flown["6"])
    real = flown["6r"][0].measures["altitude_error_rms_m"]
    return {"depth-perfect": perfect, "depth-real": {"holds": real > perfect, "real": real}}


def claims(flown: Attempts) -> tuple[Claim, ...]:
    """All rows of the chapter."""
    return ROWS.claims(
        setup_values()
        | depth_values(flown.hovering)
        | hover_values(flown.hovering)
        | pipe_values(flown.following)
        | cable_values(flown.pull, flown.pull_aside)
    )
