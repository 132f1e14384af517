"""Table I, measured on the running engine, and its consequences for the motion."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from pelagos.errors import ScenarioError
from pelagos.files.reader import Place
from pelagos.scenario.mission_check import check_mission
from pelagos.scenario.read import load_scenario
from pelagos.units import KNOT
from pelagos.vehicle.check.procedures import compute
from pelagos.vehicle.load.vehicle import load_vehicle
from pelagos.vehicle.plant import Plant
from pelagos.vehicle.spec import Vehicle
from pelagos.world.spec import World
from pelagos_evidence.document import Findings, Progress
from pelagos_evidence.hunt import printed
from pelagos_evidence.rows import Array, Rows, Values

CRUISE_M_S = 1.3  # printed


ROWS = Rows(__file__)


def run(progress: Progress) -> Findings:
    """Compute the rows; there is no figure."""
    values = table_values(load_vehicle("iver3"))
    progress(1.0)
    return Findings(ROWS.claims(values))


def table_values(of: Vehicle) -> Values:
    """Rows of table I and of its consequences, for a vehicle that should be the document's."""
    return {**_table(of), **_consequences(of)}


def felt_mass(of: Vehicle) -> Array:
    """Diagonal of M, from the acceleration by 1 N (1 N m) on each axis at rest."""
    plant, mass = Plant(of), np.zeros(6)
    plant.place(position_n=(0.0, 0.0, 50.0))
    still = plant.acceleration()
    for axis in range(6):
        plant.command["external"] = np.eye(6)[axis]
        mass[axis] = 1.0 / float((plant.acceleration() - still)[axis])
    return mass


def felt_drag(of: Vehicle, speed: float) -> Array:
    """Force against each axis at a speed of it, per square of the speed; negative if it drives the vehicle on."""
    plant, drag = Plant(of), np.zeros(6)
    for axis in range(6):
        plant.place(position_n=(0.0, 0.0, 50.0), nu=speed * np.eye(6)[axis])
        drag[axis] = -float(plant.forces()["coefficients"][axis]) / (speed * abs(speed))
    return drag


def too_deep_is_refused(of: Vehicle) -> bool:
    """Whether a mission 1 m below the printed rating is refused, and one to the rating is not."""
    entry = load_scenario("iver3-submerged").vehicles[0]

    def refused(depth_m: float) -> bool:
        leg: Any = entry.mission[0]
        dive = replace(entry, vehicle=of, mission=(replace(leg, depth_m=depth_m),))
        try:
            check_mission(dive, World(), Place("iver3-submerged", Path()))
        except ScenarioError:
            return True
        return False

    return refused(101.0) and not refused(100.0)


def _table(of: Vehicle) -> Values:
    refused = too_deep_is_refused(of)
    mass, ahead, back = felt_mass(of), felt_drag(of, 0.5), felt_drag(of, -0.5)
    plant = Plant(of)
    net = -float(plant.forces()["restoring"][2])
    angle = 1e-3
    stiffness: list[float] = []
    for axis in (0, 1):
        plant.place(euler=tuple(angle * np.eye(3)[axis]))
        stiffness.append(-float(plant.forces()["restoring"][3 + axis]) / math.sin(angle))
    mass_off = float(np.abs(mass / np.diag(printed.MASS) - 1.0).max())
    drag_off = float(max(np.abs(ahead / printed.DRAG - 1.0).max(), np.abs(back / printed.DRAG - 1.0).max()))
    share = net / (of.body.mass_kg * of.water.gravity_m_s2)
    return {
        "table-mass": {"value": mass_off, "mass": mass},
        "table-drag": {"value": drag_off, "drag": ahead},
        "table-buoyancy": {"published": printed.NET_BUOYANCY_N, "ours": net},
        "table-righting-roll": stiffness[0],
        "table-righting-pitch": stiffness[1],
        "table-actuators": {"actuators": printed.ACTUATORS},
        "slightly-buoyant": {"value": share, "net": net, "share": 100.0 * share},
        "depth-rating": {
            "holds": of.depth_rating_m == 100.0 and refused,
            "ours": f"{of.depth_rating_m:g} m, from the same figure; a mission to 101 m is "
            + ("refused" if refused else "flown"),
        },
    }


def _consequences(of: Vehicle) -> Values:
    checks = {check.id: check for check in of.checks}

    def computed(key: str) -> float:
        return compute(of, checks[key].test, dict(checks[key].setup))[0]

    plant = Plant(of)
    plant.place(position_n=(0.0, 0.0, 50.0), nu=(CRUISE_M_S, 0.0, 0.0, 0.0, 0.0, 0.0))
    thrust = -float(plant.forces()["coefficients"][0])
    mass, u = np.diag(printed.MASS), CRUISE_M_S
    roll, pitch = (2.0 * math.pi * math.sqrt(m / -printed.RIGHTING_N_M[2]) for m in mass[3:5])
    # linear sway-yaw part of (5) at u: M22 v-dot = -M11 u r, M66 r-dot = -(M22 - M11) u v
    root = u * math.sqrt(mass[0] * (mass[1] - mass[0]) / (mass[1] * mass[5]))
    return {
        "knots": CRUISE_M_S / KNOT,
        "cruise-thrust": {"published": float(printed.DRAG[0]) * CRUISE_M_S**2, "ours": thrust},
        "rise-speed": {"published": -math.sqrt(printed.NET_BUOYANCY_N / printed.DRAG[2]), "ours": computed("rise")},
        "roll-period": {"published": roll, "ours": computed("roll_period")},
        "pitch-period": {"published": pitch, "ours": computed("pitch_period")},
        "open-loop-root": {"published": root, "ours": computed("open_loop_root")},
    }
