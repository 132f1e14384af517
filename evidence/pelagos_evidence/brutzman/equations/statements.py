"""Statements of sections B, C, D and H that can be checked with a number, a count or a short run."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import product

import numpy as np

from pelagos.units import FOOT, SLUG
from pelagos.vehicle.library import keys
from pelagos.vehicle.load.vehicle import load_vehicle, loads
from pelagos.vehicle.pack.records import mass_matrix
from pelagos.vehicle.plant import Plant
from pelagos.vehicle.spec import Vehicle
from pelagos_evidence.brutzman import printed, printed_tables
from pelagos_evidence.brutzman.equations.general import TERMS
from pelagos_evidence.brutzman.equations.rows import MASS_SLUG, Array, acceleration_ft, forces_lb, listed, phoenix, put
from pelagos_evidence.brutzman.printed import State, right_hand_sides
from pelagos_evidence.brutzman.tables import COMPUTED, VARIABLES
from pelagos_evidence.claim import Claim, Proof, bound, contested, number, statement
from pelagos_evidence.document import Findings, Tell

AIR_KG_M3 = 1.225  # at sea level, ISO 2533


def run(tell: Tell) -> Findings:
    """All rows, in the order of the document."""
    claims = [*_section_b(), *_euler_conventions()]
    tell(0.3)
    claims += [*_stability(), *_section_d(), *_section_h()]
    tell(1.0)
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
            ("pelagos.vehicle.load.coefficient_names.parse_name",),
            ("tests/vehicle/load/test_coefficient_names.py",)),
        ),
        number(
            "text-state", "section B, section D.1", "independent numbers of the state of one vehicle: position, "
            "attitude, velocities",
            12.0, float(len(plant.position_n) + len(plant.euler) + len(plant.nu)), "", absolute=0.0,
            why="a count; a quaternion has four numbers of length one, three of them independent", proof=Proof((),
            ("pelagos.engine.core.layout.STATE",),
            ("tests/engine/core/test_layout.py",)),
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
    ship = printed.rotation_entries(phi, theta, psi)
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


def is_pure_number(name: str) -> bool:
    """Whether a coefficient of (6.48)-(6.53) has no unit: its force follows when lengths double and times halve."""
    blank = dict.fromkeys(printed_tables.corrected(), 0.0) | {"rho": 1.94, "g": 1.0, "L": 7.0, name: 1.0}
    nu, fins = np.array([1.1, 0.7, -0.4, 0.3, 0.2, -0.5]), np.array([0.1, 0.2, 0.3, -0.2])
    axis = "XYZKMN".index(name[0]) if name != "C_d0" else 0
    small = right_hand_sides(State(nu, np.zeros(3), fins), blank)[axis]
    quick = nu * np.array([4.0] * 3 + [2.0] * 3)  # ft/s go with length over time, rad/s with 1 over time
    large = right_hand_sides(State(quick, np.zeros(3), fins), blank | {"L": 14.0})[axis]
    mass, length, per_time = 2.0**3, 2.0, 2.0  # of water, of density that stays
    expected = mass * length * per_time**2 * (length if axis >= 3 else 1.0)
    return math.isclose(large / small, expected, rel_tol=1e-9)


def _section_d() -> list[Claim]:
    """How many coefficients are pure numbers; whether added mass gives forces with velocities."""
    every = (*TERMS, "C_d0")
    with_unit = [name for name in every if not is_pure_number(name)]
    sideslip = np.array([2.0, 0.2, 0.0, 0.0, 0.0, 0.0])
    moments: list[float] = []
    for choice in ("none", "full"):
        plant = Plant(
            loads(f'extends = "phoenix_published"\n[hydro]\ncoriolis = "{choice}"\n', "phoenix with Coriolis part")
        )
        moments.append(float(forces_lb(put(plant, np.zeros(3), sideslip), ["added_mass"])[5]) + 0.0)
    return [
        statement(
            "text-dimensionless", "section D.7", "coefficients on the right-hand sides of 6.48-6.53 that are pure "
            "numbers: the force of each follows when all lengths are doubled and all times halved",
            "nearly all", f"{len(every) - len(with_unit)} of {len(every)}; all but {listed(with_unit)}, which "
            "carry 1/s",
            0 < len(with_unit) <= 0.1 * len(every), tolerance="more than nine in ten",
            why="what \"nearly all\" may mean", numbers={"ours": 1.0 - len(with_unit) / len(every)}, unit="share",
            proof=Proof(("B26",), ("pelagos.vehicle.load.coefficient_names.prime_power",),
                        ("tests/vehicle/load/test_coefficient_names.py",)),
        ),
        contested(
            "text-added-mass-velocities", "section D.8", "forces of the added mass of Phoenix at 2 ft/s with 0.2 ft/s "
            "of sideslip and no acceleration",
            "added mass forces are only proportional to accelerations and not velocities",
            "Water that moves along with a body also gives forces with products of velocities (Kirchhoff; the Coriolis "
            "part of the added mass). The document's coefficients leave them out and so does phoenix; a vehicle file "
            "can have them. That the mass matrix does not change with time is true all the same.",
            ours=f"yaw moment {moments[0]:.1f} ft lb in phoenix, {moments[1]:.1f} ft lb with the Coriolis part (Munk's "
            "moment)",
            numbers={"published": moments[0], "ours": moments[1]}, unit="ft lb",
            proof=Proof(("B59",), ("pelagos.engine.forces.added_mass.added_mass",),
            ("tests/engine/forces/test_added_mass.py",)), off=abs(moments[1] - moments[0]), limit=1e-6,
        ),
    ]  # fmt: skip


def starting_m_s2(vehicle: Vehicle) -> float:
    """Largest acceleration that the propulsors give a vehicle at rest along one of its axes, all of them at full."""
    plant = Plant(vehicle)
    plant.place(position_n=(0.0, 0.0, 50.0))
    still = plant.acceleration()
    gained = np.zeros(3)
    for i, thruster in enumerate(vehicle.thrusters):
        drives = np.zeros(len(vehicle.thrusters))
        drives[i] = thruster.maximum
        plant.set_actuators(thrusters=drives, at_once=True)
        gained += np.abs(plant.acceleration() - still)[:3]
    return float(gained.max())


def _section_h() -> list[Claim]:
    """Gravity against the acceleration that propulsors can give."""
    g = phoenix().water.gravity_m_s2 / FOOT
    plant = Plant(phoenix())
    pairs = {"surge": (0, 1), "vertical": (2, 3), "lateral": (4, 5)}  # both of a pair full on, from rest
    started: dict[str, Array] = {}
    for name, pair in pairs.items():
        drives = np.array([t.maximum if i in pair else 0.0 for i, t in enumerate(phoenix().thrusters)])
        started[name] = acceleration_ft(put(plant, np.zeros(3), np.zeros(6), np.zeros(4), drives))
    best = {
        "surge": float(started["surge"][0]),
        "sway": float(started["lateral"][1]),
        "heave": float(started["vertical"][2]),
    }
    ratios = {
        key: 9.81 / starting_m_s2(vehicle)
        for key in keys()
        if not any(key.startswith(f"{other}_") for other in keys())  # a variant
        and (vehicle := load_vehicle(key)).thrusters
        and all(vehicle.free[:3])
    }
    middle = float(np.median(list(ratios.values())))
    tilt = g * math.sin(math.radians(1.0))
    proof = Proof((), ("pelagos.sensors.imu.Imu",), ("tests/sensors/test_imu.py",))
    return [
        statement(
            "text-gravity-ten", "section H", "gravity over the largest acceleration that the propulsors of slow "
            f"vehicles give, at full power from rest: median of the {len(ratios)} of the library that go by thrusters",
            "about ten times",
            f"{middle:.1f} times, of single vehicles {min(ratios.values()):.1f} to {max(ratios.values()):.0f}; Phoenix "
            f"itself {ratios['phoenix']:.0f} (surge {best['surge']:.3f}, sway {best['sway']:.3f}, heave "
            f"{best['heave']:.3f} ft/s2)",
            5.0 <= middle <= 20.0, tolerance="within a factor 2", why="\"about ten\", of a class of vehicles and not "
            "of Phoenix, which is among the slowest",
            assumption="the class are the vehicles of the library, each hull once",
            numbers={"published": 10.0, "ours": middle, "phoenix": ratios["phoenix"]}, unit="1", proof=proof,
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
