"""Table I measured on the running engine, and what its numbers mean for the motion."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pelagos.errors import ScenarioError
from pelagos.files.reader import Place
from pelagos.scenario.mission_check import check_mission
from pelagos.scenario.read import load_scenario
from pelagos.vehicle.check.procedures import compute
from pelagos.vehicle.load.vehicle import load_vehicle
from pelagos.vehicle.plant import Plant
from pelagos.vehicle.spec import Vehicle
from pelagos.world.spec import World
from pelagos_evidence.claim import Claim, Proof, no_data, number, statement
from pelagos_evidence.document import Findings, Part, Tell
from pelagos_evidence.hunt import printed

Array = NDArray[np.float64]

CRUISE_M_S = 1.3
KNOT_M_S = 1852.0 / 3600.0
HERE = "tests/evidence/hunt/test_table.py"


def run(tell: Tell) -> Findings:
    """Rows only."""
    claims = table_claims(load_vehicle("iver3"))
    tell(1.0)
    return Findings(tuple(claims))


def table_claims(of: Vehicle) -> list[Claim]:
    """Rows of table I and of its consequences, for a vehicle that should be the document's."""
    return [*_table(of), *_consequences(of)]


def felt_mass(of: Vehicle) -> Array:
    """What 1 N (1 N m) on each axis meets when the vehicle is at rest: the diagonal of M."""
    plant, found = Plant(of), np.zeros(6)
    plant.place(position_n=(0.0, 0.0, 50.0))
    still = plant.acceleration()
    for axis in range(6):
        plant.command["external"] = np.eye(6)[axis]
        found[axis] = 1.0 / float((plant.acceleration() - still)[axis])
    return found


def felt_drag(of: Vehicle, speed: float) -> Array:
    """Force against each axis at a speed of it, per square of the speed; negative if it drives the vehicle on."""
    plant, found = Plant(of), np.zeros(6)
    for axis in range(6):
        plant.place(position_n=(0.0, 0.0, 50.0), nu=speed * np.eye(6)[axis])
        found[axis] = -float(plant.forces()["coefficients"][axis]) / (speed * abs(speed))
    return found


def too_deep_is_refused(of: Vehicle) -> bool:
    """Whether a mission 1 m below the printed rating is refused, and one to the rating is not."""
    craft = load_scenario("iver3-submerged").vehicles[0]

    def refused(depth_m: float) -> bool:
        leg: Any = craft.mission[0]
        dive = replace(craft, vehicle=of, mission=(replace(leg, depth_m=depth_m),))
        try:
            check_mission(dive, World(), Place("iver3-submerged", Path()))
        except ScenarioError:
            return True
        return False

    return refused(101.0) and not refused(100.0)


def _table(of: Vehicle) -> list[Claim]:
    refused = too_deep_is_refused(of)
    mass, ahead, back = felt_mass(of), felt_drag(of, 0.5), felt_drag(of, -0.5)
    plant = Plant(of)
    net = -float(plant.forces()["restoring"][2])
    angle = 1e-3
    stiffness: list[float] = []
    for axis in (0, 1):
        plant.place(euler=tuple(angle * np.eye(3)[axis]))
        stiffness.append(-float(plant.forces()["restoring"][3 + axis]) / math.sin(angle))
    code = ("pelagos/vehicle/library/iver3.toml",)
    digits = "printed to three or four digits and taken as printed; measured in double precision"
    mass_off = float(np.abs(mass / np.diag(printed.MASS) - 1.0).max())
    drag_off = float(max(np.abs(ahead / printed.DRAG - 1.0).max(), np.abs(back / printed.DRAG - 1.0).max()))
    share = net / (of.body.mass_kg * of.water.gravity_m_s2)
    return [
        statement(
            "table-mass",
            "table I, M",
            "Inertia matrix, measured: 1 N (1 N m) over the acceleration it gives at rest",
            "diag(50.5, 70.5, 69.5 kg, 19.8, 109.2, 109.9 kg m²)",
            _listed(mass),
            mass_off < 1e-9,
            tolerance="1e-9 of each",
            why=digits,
            assumption="Units are not printed; kg and kg m² (erratum H5).",
            numbers={"ours": mass_off},
            unit="",
            proof=Proof(("H5", "H8"), code, (HERE,)),
        ),
        statement(
            "table-drag",
            "table I, D",
            "Quadratic drag, measured at +0.5 and -0.5 m/s (rad/s)",
            "diag(16, 244, 1210, 70, 404, 61) · v",
            f"{_listed(ahead)} both ways",
            drag_off < 1e-9,
            tolerance="1e-9 of each",
            why=digits,
            assumption="D · v is read as D |v|: as printed, a vehicle going astern would be driven on (H4). Units "
            "N/(m/s)² and N m/(rad/s)² (H5).",
            numbers={"ours": drag_off},
            proof=Proof(("H4", "H5"), code, (HERE,)),
        ),
        number(
            "table-buoyancy",
            "table I, (ρV - m) g",
            "Net buoyancy of the submerged vehicle",
            printed.NET_BUOYANCY_N,
            net,
            "N",
            absolute=1e-6,
            why="taken as printed; measured in double precision",
            proof=Proof(("H5", "H9"), code, (HERE, "tests/analytic/test_iver3.py")),
        ),
        number(
            "table-righting-roll",
            "table I, r ρV g",
            "Righting moment in roll per sine of the angle",
            12.5,
            stiffness[0],
            "N m",
            absolute=1e-6,
            why="taken as printed; the file gives the centre of buoyancy to nine digits",
            proof=Proof(("H5", "H9"), code, (HERE,)),
        ),
        number(
            "table-righting-pitch",
            "table I, r ρV g",
            "Righting moment in pitch per sine of the angle",
            12.5,
            stiffness[1],
            "N m",
            absolute=1e-6,
            why="taken as printed; the file gives the centre of buoyancy to nine digits",
            proof=Proof(("H5", "H9"), code, (HERE,)),
        ),
        no_data(
            "table-actuators",
            "table I, θ_A",
            "Actuator parameters",
            ", ".join(f"{value:g}" for value in printed.ACTUATORS),
            "Their meaning and the actuator model stand in another paper, which was not available. Fins "
            "and propeller of the vehicle file are assumptions that give the speeds of this one.",
            ours="1.3, 0.0048 and 3.1e-05 are used, by guess, as fin drag, thrust and torque coefficients; the "
            "others are not used",
            proof=Proof(("H13",), code),
        ),
        statement(
            "slightly-buoyant",
            "section IV",
            "The vehicle is very slightly positively buoyant",
            "very slightly positive",
            f"{net:.2f} N, {100.0 * share:.1f} % of the weight",
            0.0 < share < 0.02,
            tolerance="above 0 and below 2 % of the weight",
            why="slightly is read as less than 2 %; no number is printed",
            assumption="The mass is not printed; 32.3 kg follow from a hull of 0.147 m x 1.9 m and the mast (H9, H11).",
            proof=Proof(("H9", "H11"), code),
        ),
        statement(
            "depth-rating",
            "figure 1",
            "Depth rating of the Iver3",
            "100 m",
            f"{of.depth_rating_m:g} m, from the same figure; a mission to 101 m is "
            + ("refused" if refused else "flown"),
            of.depth_rating_m == 100.0 and refused,
            why="there is nothing to compute: the rating is taken over, and kept",
            proof=Proof(code=code),
            read_back=True,
        ),
    ]


def _consequences(of: Vehicle) -> list[Claim]:
    checks = {check.id: check for check in of.checks}

    def found(key: str) -> float:
        return compute(of, checks[key].test, dict(checks[key].setup))[0]

    plant = Plant(of)
    plant.place(position_n=(0.0, 0.0, 50.0), nu=(CRUISE_M_S, 0.0, 0.0, 0.0, 0.0, 0.0))
    thrust = -float(plant.forces()["coefficients"][0])
    roll, pitch = (2.0 * math.pi * math.sqrt(m / 12.5) for m in (19.8, 109.2))
    mass, u = np.diag(printed.MASS), CRUISE_M_S
    # linear sway-yaw part of (5) at u: M22 v-dot = -M11 u r, M66 r-dot = -(M22 - M11) u v
    root = u * math.sqrt(mass[0] * (mass[1] - mass[0]) / (mass[1] * mass[5]))
    proof = Proof(code=("pelagos.vehicle.check.procedures",), tests=("tests/analytic/test_iver3.py", HERE))
    derived = [
        number(
            "cruise-thrust",
            "table I, D",
            "Thrust at 1.3 m/s, 16 u²",
            16.0 * CRUISE_M_S**2,
            thrust,
            "N",
            relative=1e-9,
            why="one product",
            proof=Proof(("H14",), proof.code, proof.tests),
        ),
        number(
            "rise-speed",
            "table I",
            "Level rise of the released vehicle, sqrt(3.53/1210), simulated to its end",
            -math.sqrt(3.53 / 1210.0),
            found("rise"),
            "m/s",
            relative=1e-4,
            why="300 s of simulation approach it to far less",
            proof=proof,
        ),
        number(
            "roll-period",
            "table I",
            "Period of small rolls, 2 pi sqrt(19.8/12.5)",
            roll,
            found("roll_period"),
            "s",
            relative=1e-8,
            why="the righting moment of the file has nine digits",
            proof=proof,
        ),
        number(
            "pitch-period",
            "table I",
            "Period of small pitching, 2 pi sqrt(109.2/12.5)",
            pitch,
            found("pitch_period"),
            "s",
            relative=1e-8,
            why="the righting moment of the file has nine digits",
            proof=proof,
        ),
        number(
            "open-loop-root",
            "table I",
            "The bare vehicle at 1.3 m/s is unstable in sway and yaw (no linear damping, Munk moment): greatest root",
            root,
            found("open_loop_root"),
            "1/s",
            relative=1e-3,
            why="the engine is linearised by finite differences across |v| v",
            assumption="C(v) is not printed; it is built from the whole M (erratum H6).",
            proof=Proof(("H6", "H7"), proof.code, proof.tests),
        ),
    ]
    return [
        number(
            "knots",
            "section IV.A",
            "1.3 m/s in knots",
            2.5,
            CRUISE_M_S / KNOT_M_S,
            "kn",
            absolute=0.05,
            why="printed to 0.1 kn",
            proof=Proof(("H14",)),
        ),
        *map(printed.not_printed, derived),
    ]


def _listed(values: Array) -> str:
    return ", ".join(f"{value:.5g}" for value in values)


PART = Part(
    "table",
    "Table I and what follows from it",
    "The numbers of table I, not read from the vehicle file but measured on the running engine: "
    "unit forces, unit speeds, small angles. Then the motions that follow from them in closed "
    "form, simulated. The table is an identified model: its moments of inertia are not those of a "
    "body of 33 kg (erratum H8), and without its controllers the vehicle does not run straight "
    "(H7).",
    run,
)
