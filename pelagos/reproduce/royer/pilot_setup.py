"""Rows of section 7.1: the conditions and the two tasks, as numbers that can be held against the text."""

from __future__ import annotations

import math

import numpy as np

from pelagos.reproduce.claim import Claim, Proof, number, statement
from pelagos.reproduce.royer.experiments import hover_task
from pelagos.training.conditions import THESIS
from pelagos.training.hover import MIDDLE, Hover
from pelagos.training.observation import Observation
from pelagos.training.trial import CURVE_COLUMNS

PROOF = Proof(code=("pelagos.training.conditions", "pelagos.training.hover"), tests=("tests/training/test_hover.py",))


def setup_rows() -> list[Claim]:
    """7.1.a and 7.1.b."""
    flows = {
        name: (one.current_m_s, one.current_to_deg or 0.0, one.cable, one.top_view) for name, one in THESIS.items()
    }
    wanted = {
        "calm": (0.0, 0.0, False, True), "current": (1.0, 0.0, False, True), "cable": (0.75, 0.0, True, True),
        "calm-camera": (0.0, 0.0, False, False), "current-camera": (1.0, 0.0, False, False),
        "cable-camera": (0.75, 0.0, True, False),
    }  # fmt: skip
    task = hover_task()
    target, world, vehicle = task.target, task.world_for(), task.vehicle()
    assert isinstance(target, Hover)
    judge = target.judge(world, vehicle, 0)
    fit = target.triangle_n(world).mean(axis=0)[:2] + np.array([judge.bow_b[0] + MIDDLE * target.triangle_m, 0.0])
    depth = float(world.bottom_m(*fit.tolist())) - 2.5
    at_fit = Observation(0.0, 0.1, np.array([*fit.tolist(), depth]), (0.0, 0.0, math.pi), np.zeros(6), 2.5)
    in_cube = replace_place(at_fit, -2.0)
    fitted, inside = judge.measured(at_fit), judge.measured(in_cube)
    curve = {"time_s", "north_m", "east_m", "depth_m", "heading_deg"}
    return [
        statement(
            "six-conditions", "section 7.1.a",
            "the six sets of conditions: still, 1 m/s from the south, 0.75 m/s from the south with cable; each "
            "with top view and camera or the camera alone",
            "six sets", f"{sum(flows[k] == v for k, v in wanted.items())} of 6 alike", flows == wanted, why="numbers "
            "of the text", proof=PROOF,
        ),
        statement(
            "recorded-data", "section 7.1.a", "what is recorded of a run", "x, y, z, heading and time",
            ", ".join(sorted(curve & set(CURVE_COLUMNS))), curve <= set(CURVE_COLUMNS), why="names of the columns",
            proof=Proof(code=("pelagos.training.trial",), tests=("tests/training/test_trial.py",)),
        ),
        number(
            "complete-fit", "section 7.1.b", "distance where the triangles overlap, heading 180, altitude 2.5 m",
            0.0, fitted["distance_m"] + abs(fitted["altitude_error_m"]) + abs(fitted["heading_error_deg"]), "m",
            absolute=1e-9, why="a complete fit is no distance: rounding",
            assumption="size and place of the triangles (figure 7.2 is lost)", proof=PROOF,
        ),
        statement(
            "negative-in-cube", "section 7.1.b", "sign of the distance with the bow 1.5 m in the cube",
            "multiplied by -1", f"{inside['distance_m']:.2f} m", abs(inside["distance_m"] + 2.0) < 1e-9,
            why="2 m beyond the fit, negative: rounding", proof=PROOF,
            assumption="size and place of the triangles (figure 7.2 is lost)",
        ),
        number(
            "spot", "section 7.1.b", "side of the spot on the face of the cube, the camera's target", 25.0,
            100.0 * target.spot_m, "cm", absolute=1e-9, why="a number of the task", proof=PROOF,
        ),
    ]  # fmt: skip


def replace_place(seen: Observation, north_m: float) -> Observation:
    """The same, so much farther north."""
    return seen._replace(position_n=seen.position_n + np.array([north_m, 0.0, 0.0]))
