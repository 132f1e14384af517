"""Statements of sections B, C, D, H and I that can be checked with a number, a count or a short run."""

from __future__ import annotations

import math
from dataclasses import replace
from importlib import import_module
from itertools import product

import numpy as np

from pelagos.reproduce.brutzman import printed_kinematics, printed_tables
from pelagos.reproduce.brutzman.equations_general import TERMS
from pelagos.reproduce.brutzman.equations_probe import phoenix
from pelagos.reproduce.brutzman.equations_rows import MASS_SLUG, Array
from pelagos.reproduce.brutzman.tables import COMPUTED, VARIABLES
from pelagos.reproduce.claim import Claim, Proof, bound, number, statement, unreproducible
from pelagos.reproduce.document import Findings, Tell
from pelagos.units import FOOT, SLUG
from pelagos.vehicle.pack import mass_matrix
from pelagos.vehicle.plant import Plant

AIR_KG_M3 = 1.225  # at sea level, ISO 2533
LATER = {
    "tether": "pelagos.engine.tow.step_line",
    "ocean surface and waves": "pelagos.world.waves",
    "collision": "pelagos.engine.contact.met",
    "ocean currents of models": "pelagos.world.netcdf",
    "robust control": "pelagos.control.sliding_mode",
    "sensors with errors": "pelagos.sensors.imu.Imu",
    "predictor on board": "pelagos.sim.predictor.Predictor",
}


def run(tell: Tell) -> Findings:
    """All rows, in the order of the document."""
    claims = [*_section_b(), *_euler_conventions()]
    tell(0.3)
    claims += [*_stability(), *_section_d(), *_section_h()]
    tell(0.9)
    claims += _section_i()
    return Findings(tuple(claims))


def _section_b() -> list[Claim]:
    """Added mass in air and in water; the number of coefficients and variables; the state."""
    body = mass_matrix(phoenix()) / MASS_SLUG
    own = phoenix().body.mass_kg / SLUG
    share = np.diag(body)[:3] / own - 1.0
    thin = AIR_KG_M3 / phoenix().water.density_kg_m3
    count = len(TERMS) + 36 + len(VARIABLES) + len(COMPUTED)
    plant = Plant(phoenix(), euler_angles=True)
    added = Proof((), ("pelagos.engine.forces.added_mass.added_mass",), ("tests/engine/forces/test_added_mass.py",))
    return [
        statement(
            "text-added-mass-air", "section B.2, section B.5", "added mass of Phoenix in surge, sway, heave as a share "
            "of its mass, in water and in air", "significant in water, not significant in air",
            f"water {100 * share[0]:.0f}, {100 * share[1]:.0f}, {100 * share[2]:.0f} %; air "
            f"{100 * thin * share[0]:.2f}, {100 * thin * share[1]:.2f}, {100 * thin * share[2]:.2f} %",
            bool(share.min() > 0.05 and (thin * share).max() < 0.01), tolerance="above 5 % in water, below 1 % in air",
            why="what is called significant; the two differ by the ratio of densities, 800", proof=added,
        ),
        bound(
            "text-hundred", "section B.5", "coefficients of equations 6.48-6.54 and variables of table 6.1, counted",
            "above", 100.0,
            float(count), "", why="the text says over one hundred", proof=Proof((),
            ("pelagos.vehicle.names.parse_name",),
            ("tests/vehicle/test_names.py",)),
        ),
        number(
            "text-state", "section B, section D.1", "independent numbers of the state of one vehicle: position, "
            "attitude, velocities",
            12.0, float(len(plant.position_n) + len(plant.euler) + len(plant.nu)), "", absolute=0.0,
            why="a count; a quaternion has four numbers of length one, three of them independent", proof=Proof((),
            ("pelagos.engine.layout.STATE",),
            ("tests/engine/test_layout.py",)),
        ),
    ]  # fmt: skip


def _about(axis: int, angle: float) -> Array:
    order = [(axis + k) % 3 for k in range(3)]
    turn = np.eye(3)
    i, j = order[1], order[2]
    turn[i, i] = turn[j, j] = math.cos(angle)
    turn[i, j], turn[j, i] = -math.sin(angle), math.sin(angle)
    return turn


def _euler_conventions() -> list[Claim]:
    """All products of three turns about axes of which no two neighbours are the same."""
    sequences = [s for s in product(range(3), repeat=3) if s[0] != s[1] and s[1] != s[2]]
    phi, theta, psi = 0.3, 0.5, 0.8
    by_axis = {0: phi, 1: theta, 2: psi}
    ship = printed_kinematics.rotation_entries(phi, theta, psi)
    alike = 0
    for first, middle, last in sequences:
        turns = (by_axis[first], by_axis[middle], by_axis[last] if last != first else by_axis[3 - first - middle])
        R = _about(first, turns[0]) @ _about(middle, turns[1]) @ _about(last, turns[2])
        alike += bool(np.abs(R - ship).max() < 1e-12)
    proof = Proof(("B2",), ("pelagos.frames.rotation_from_euler",), ("tests/test_frames.py",))
    return [
        number(
            "text-twelve", "section C", "different sequences of three rotations about coordinate axes", 12.0,
            float(len(sequences)), "",
            absolute=0.0, why="a count", proof=proof,
        ),
        number(
            "text-one-of-twelve", "section C", "how many of them give the matrix of equation 6.5", 1.0, float(alike),
            "", absolute=0.0,
            why="a count; three different angles, so that no two sequences can agree by chance", proof=proof,
        ),
    ]  # fmt: skip


def _stability() -> list[Claim]:
    """Released at 5 deg of roll and pitch, centre of gravity below and above the centre of buoyancy."""
    ends: dict[str, tuple[float, float]] = {}
    x, y, z = phoenix().body.cg_b
    for name, cg in (("below", (x, y, z)), ("above", (x, y, -z))):
        plant = Plant(replace(phoenix(), body=replace(phoenix().body, cg_b=cg)))
        plant.place(position_n=(0.0, 0.0, 30.0), euler=(math.radians(5.0), math.radians(5.0), 0.0))
        plant.advance(0.05, 12000, "rk4")
        roll, pitch, _ = np.degrees(plant.euler)
        ends[name] = float(roll), float(pitch)
    proof = Proof((), ("pelagos.engine.forces.restoring.restoring",), ("tests/engine/forces/test_restoring.py",))
    return [
        statement(
            "text-righting", "section C", "centre of gravity 1.07 in below the centre of buoyancy, released at 5 deg "
            "of roll and pitch: 600 s later", "brought back to level", f"roll {ends['below'][0]:+.2f} deg, pitch "
            f"{ends['below'][1]:+.2f} deg",
            max(abs(a) for a in ends["below"]) < 0.5, tolerance="0.5 deg", why="a tenth of the start; damping at small "
            "rates is weak",
            proof=proof,
        ),
        statement(
            "text-inverting", "section C", "the same with the centre of gravity 1.07 in above",
            "inherently unstable, will tend to invert",
            f"roll {ends['above'][0]:+.2f} deg, pitch {ends['above'][1]:+.2f} deg", abs(ends["above"][0]) > 175.0,
            tolerance="roll beyond 175 deg", why="upside down", proof=proof,
        ),
    ]  # fmt: skip


def _section_d() -> list[Claim]:
    """How many coefficients are pure numbers."""
    hydrodynamic = [e for e in printed_tables.PRINTED if e.group not in ("body", "places")]
    with_unit = [e.symbol for e in hydrodynamic if e.unit]
    return [
        statement(
            "text-dimensionless", "section D.7", "hydrodynamic coefficients of table 6.2 that are pure numbers, "
            "normalised by L",
            "nearly all", f"{len(hydrodynamic) - len(with_unit)} of {len(hydrodynamic)}; K_p, M_q and N_r carry 1/s",
            len(with_unit) == 3, tolerance="all but the three linear dampings", why="dimensions of equations 6.48-6.53",
            proof=Proof(("B26",), ("pelagos.vehicle.names.prime_power",), ("tests/vehicle/test_names.py",)),
        )
    ]  # fmt: skip


def _section_h() -> list[Claim]:
    """Gravity against the acceleration that propulsors can give."""
    g = phoenix().water.gravity_m_s2 / FOOT
    M = mass_matrix(phoenix()) / MASS_SLUG
    thrust = {"surge": 2.0 * 0.804776, "sway": 4.0, "heave": 4.0}  # lb, both of a pair full on
    best = {axis: push / M[i, i] for i, (axis, push) in enumerate(thrust.items())}
    quickest = max(best.values())
    tilt = g * math.sin(math.radians(1.0))
    proof = Proof((), ("pelagos.sensors.imu.Imu",), ("tests/sensors/test_imu.py",))
    return [
        unreproducible(
            "text-gravity-ten", "section H", "gravity over the largest acceleration that the propulsors of Phoenix "
            "give, at full power",
            "about ten times",
            "Phoenix is slower than the sentence: full lateral thrusters give 0.15 ft/s2, both screws 0.11. The "
            "conclusion drawn from it, that pitch and roll must be known well, holds all the more.",
            ours=f"{g / quickest:.0f} times (surge {best['surge']:.3f}, sway {best['sway']:.3f}, heave "
            f"{best['heave']:.3f} ft/s2)",
            numbers={"published": 10.0, "ours": g / quickest}, unit="1", proof=proof,
        ),
        statement(
            "text-tilt", "section H", "what an accelerometer reads of gravity when pitch is wrong by 1 deg, against "
            "full surge",
            "an accurate estimate of pitch and roll is essential",
            f"{tilt:.2f} ft/s2 against {best['surge']:.2f} ft/s2 of full surge", tilt > best["surge"],
            tolerance="the error larger than the signal", why="then the signal cannot be told from the error",
            numbers={"ours": tilt}, unit="ft/s2", proof=proof,
        ),
    ]  # fmt: skip


def _section_i() -> list[Claim]:
    """What the document leaves to later work, and where it is now."""
    there = [name for name, code in LATER.items() if _exists(code)]
    tests = (
        "tests/engine/test_tow.py", "tests/world/test_waves.py", "tests/engine/test_contact.py",
        "tests/world/test_netcdf.py",
        "tests/control/test_sliding_mode.py", "tests/sensors/test_imu.py", "tests/sim/test_predictor.py",
    )  # fmt: skip
    return [
        statement(
            "text-future-work", "section G, section H, section I", "extensions of the model that the document names as "
            "future work: "
            + ", ".join(LATER), "future work", f"{len(there)} of {len(LATER)} are in Pelagos", len(there) == len(LATER),
            tolerance="all", why="a count", proof=Proof((), tuple(LATER.values()), tests),
        )
    ]  # fmt: skip


def _exists(code: str) -> bool:
    """Whether a dotted name is a module, or something of one."""
    try:
        import_module(code)
    except ModuleNotFoundError:
        module, _, name = code.rpartition(".")
        return bool(module) and hasattr(import_module(module), name)
    return True
