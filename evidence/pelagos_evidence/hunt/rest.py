"""Afloat at rest: how the vehicle lies, whether it comes there by itself, and whether the water gives it energy."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from pelagos.vehicle.check.procedures import compute
from pelagos.vehicle.load.vehicle import load_vehicle
from pelagos.vehicle.plant import Plant
from pelagos.vehicle.spec import FreeSurfaceModel, Vehicle
from pelagos.world.spec import World
from pelagos_evidence.claim import Claim, Proof, number, statement
from pelagos_evidence.document import Findings, Part, Tell
from pelagos_evidence.hunt import exact, printed
from pelagos_evidence.hunt.printed import NOT_PRINTED, not_printed
from pelagos_evidence.hunt.surface_runs import LENGTHS_M, awash_depth

Array = NDArray[np.float64]

HERE = "tests/evidence/hunt/test_rest.py"
SOLVED = "Hull and mast were solved from this statement and table I (H11): a check of the method, not of the geometry."
LOOP = 2000  # places round the loop


def run(tell: Tell) -> Findings:
    """Let go under water, 1000 s; then a loop through the surface."""
    of = load_vehicle("iver3")
    claims = rest_claims(of)
    tell(0.7)
    claims += _energy(of)
    tell(1.0)
    return Findings(tuple(claims))


def rest_claims(of: Vehicle) -> list[Claim]:
    """Rows of section IV on the vehicle at rest on the surface."""
    depth, pitch = (compute(of, "afloat", {"seconds": 1000, "quantity": name})[0] for name in ("depth", "pitch"))
    balance = exact.afloat(of)
    awash = [awash_depth(of, length) for length in LENGTHS_M]
    cloud = replace(of, free_surface=FreeSurfaceModel("monte_carlo", 20_000))
    by_cloud = compute(cloud, "afloat", {"seconds": 300, "quantity": "depth"})[0]
    hull, mast = of.shapes
    top = hull.center_b[2] - hull.size_m[1]
    nose = _depth_of((0.5 * hull.size_m[0], 0.0, top), depth, pitch)
    at_mast = _depth_of((mast.center_b[0], 0.0, top), depth, pitch)
    tip = _depth_of((mast.center_b[0], 0.0, mast.center_b[2] - 0.5 * mast.size_m[0]), depth, pitch)
    proof = Proof(("H11",), ("pelagos.vehicle.check.procedures.afloat",), (HERE, "tests/analytic/test_surface.py"))
    return [
        number(
            "rest-depth",
            "section IV.B",
            "Centre of mass of the hybrid model at rest on the surface, let go 1.9 m deep and simulated for 1000 s",
            0.13,
            depth,
            "m",
            absolute=0.005,
            why="printed to 0.01 m",
            assumption=SOLVED,
            proof=proof,
        ),
        not_printed(
            number(
                "rest-balance",
                "equation 7",
                "The same depth without simulation: weight, buoyancy and moment of the two cylinders balanced by "
                f"Newton's method (pitch there {math.degrees(balance[1]):.3f}°, simulated {math.degrees(pitch):.3f}°)",
                balance[0],
                depth,
                "m",
                absolute=5e-4,
                why="the sections are 1e-5 of the volume off, which the mast makes up in 0.2 mm; it still swings by "
                "0.05°",
                proof=replace(
                    proof, errata=("H15",), code=("pelagos.engine.water.wet", "pelagos_evidence.hunt.exact.afloat")
                ),
            )
        ),
        statement(
            "hull-awash",
            "sections IV, IV.B",
            "0.13 m is deep enough for the hull to be under water. From table I and the maker's diameter alone: depth "
            f"at which the top of a level hull of {', '.join(f'{length:g}' for length in LENGTHS_M)} m is at the "
            "surface; 0.13 m is not used",
            "0.13 m, only the mast protrudes",
            f"{', '.join(f'{one:.3f}' for one in awash)} m; 0.13 m leaves "
            f"{1e3 * (0.13 - max(awash)):.0f} to {1e3 * (0.13 - min(awash)):.0f} mm of water above it",
            all(one < 0.135 for one in awash),
            tolerance="below 0.13 m, printed to 0.01 m",
            why="a hull of 0.147 m whose centre of buoyancy lies 12.5 N m/(ρ g V) above that of mass",
            assumption="Maker's diameter 0.147 m; lengths of the published range and somewhat beyond (H11).",
            numbers={"published": 0.13, "ours": max(awash)},
            unit="m",
            proof=Proof(("H9", "H11"), ("pelagos_evidence.hunt.surface_runs.awash_depth",), (HERE,)),
        ),
        number(
            "rest-depth-cloud",
            "section IV.B",
            "The same with a cloud of 20,000 points, 300 s",
            0.13,
            by_cloud,
            "m",
            absolute=0.01,
            why="printed to 0.01 m; one cloud of this size floats within 4 mm (standard deviation)",
            assumption=SOLVED,
            proof=proof,
        ),
        statement(
            "mast-alone",
            "section IV",
            "At rest only the antenna mast protrudes",
            "mast out, hull in",
            f"hull {1e3 * at_mast:.0f} mm under water at the mast, {1e3 * nose:.1f} mm at the nose; mast "
            f"{-1e3 * tip:.0f} mm out",
            at_mast > 0.0 > tip,
            why="signs",
            assumption=SOLVED,
            proof=proof,
        ),
        statement(
            "nose-touches",
            "section IV",
            "At rest the nose just touches the surface",
            "just touching",
            f"highest point of the nose {-1e3 * nose:+.1f} mm above the water, {math.degrees(pitch):.2f}° nose up",
            abs(nose) < 0.01,
            tolerance="10 mm",
            why="what an eye calls touching on a hull of 147 mm",
            assumption=SOLVED,
            numbers={"ours": nose, "tolerance": 0.01},
            unit="m",
            proof=proof,
        ),
    ]


def _depth_of(point_b: tuple[float, float, float], depth: float, pitch: float) -> float:
    x, _, z = point_b
    return depth - x * math.sin(pitch) + z * math.cos(pitch)


def work_round_a_loop(of: Vehicle) -> tuple[float, float]:
    """Work of the restoring force on a vehicle led round a loop of depth, roll and pitch; the largest partial sum."""
    plant = Plant(of, sea=World().packed())
    done = []
    for s in 2.0 * math.pi * np.arange(LOOP) / LOOP:
        depth, depth_rate = 0.13 + 0.12 * math.cos(s), -0.12 * math.sin(s)
        euler = np.array([0.3 * math.sin(2.0 * s), 0.15 * math.sin(s), 0.0])
        rates = np.array([0.6 * math.cos(2.0 * s), 0.15 * math.cos(s), 0.0])
        plant.place(position_n=(0.0, 0.0, depth), euler=tuple(euler))
        wrench = plant.forces()["restoring"]
        v = printed.rotation(euler).T @ np.array([0.0, 0.0, depth_rate])
        omega = np.linalg.solve(printed.euler_rates(euler), rates)
        done.append(float(wrench[:3] @ v + wrench[3:] @ omega))
    work = np.cumsum(done) * 2.0 * math.pi / LOOP
    return float(work[-1]), float(np.abs(work).max())


def _energy(of: Vehicle) -> list[Claim]:
    smooth, scale = work_round_a_loop(of)
    cloud, _ = work_round_a_loop(replace(of, free_surface=FreeSurfaceModel("monte_carlo", 20_000)))
    return [
        statement(
            "no-free-energy",
            "equation 7",
            "Buoyancy is a potential force: led round a loop of depth, roll and pitch through the surface "
            "the vehicle gains nothing",
            f"0 J ({NOT_PRINTED})",
            f"sections {smooth:.1e} J, cloud of 20,000 points {cloud:.1e} J, of {scale:.2g} J stored on the way",
            abs(smooth) < 1e-5 * scale and abs(cloud) < 1e-2 * scale,
            tolerance="1e-5 and 1e-2 of what is stored",
            why=f"{LOOP} places round the loop; the force of a cloud jumps as points cross the surface",
            numbers={"ours": smooth, "tolerance": 1e-5 * scale},
            unit="J",
            proof=Proof(code=("pelagos.engine.water.wet",), tests=(HERE, "tests/analytic/test_surface.py")),
        ),
    ]


PART = Part(
    "rest",
    "Afloat at rest",
    "The document trims the vehicle so that at rest only the antenna mast protrudes and the nose "
    "just touches the surface, and finds the centre of mass 0.13 m deep. Dimensions of hull and "
    "mast are not printed; those of the vehicle file were solved from these statements, so the rows "
    "that say so check that the simulated water carries the vehicle as it should, not the dimensions. "
    "Two rows do not lean on 0.13 m: the balance found without simulation, and the depth at which a "
    "hull of the maker's diameter is just awash.",
    run,
)
