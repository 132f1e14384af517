"""Statements of sections B, C, D and H that can be checked with a number, a count or a short run."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import product

import numpy as np

from pelagos.files.library import VEHICLES
from pelagos.units import FOOT, SLUG
from pelagos.vehicle.load.vehicle import load_vehicle, loads
from pelagos.vehicle.pack.records import mass_matrix
from pelagos.vehicle.plant import Plant
from pelagos.vehicle.spec import AXES, Vehicle
from pelagos_evidence.brutzman import printed, printed_tables
from pelagos_evidence.brutzman.equations.general import TERMS
from pelagos_evidence.brutzman.equations.rows import MASS_SLUG, acceleration_ft, forces_lb, listed, phoenix, put
from pelagos_evidence.brutzman.printed import State, right_hand_sides
from pelagos_evidence.brutzman.tables import COMPUTED, VARIABLES
from pelagos_evidence.document import Findings, Progress
from pelagos_evidence.rows import Array, Rows, Values

AIR_KG_M3 = 1.225  # at sea level, ISO 2533


ROWS = Rows(__file__)


def run(progress: Progress) -> Findings:
    """All rows, in the order of the document."""
    values = {**_section_b(), **_euler_conventions()}
    progress(0.3)
    values |= {**_stability(), **_section_d(), **_section_h()}
    return Findings(ROWS.claims(values))


def _section_b() -> Values:
    """Added mass in air and in water; the number of coefficients and variables; the state."""
    body = mass_matrix(phoenix()) / MASS_SLUG
    mass_slug = phoenix().body.mass_kg / SLUG
    share = np.diag(body)[:3] / mass_slug - 1.0
    thin = AIR_KG_M3 / phoenix().water.density_kg_m3
    count = len(TERMS) + 36 + len(VARIABLES) + len(COMPUTED)
    plant = Plant(phoenix(), euler_angles=True)
    return {
        "text-added-mass-air": {
            "holds": bool(share.min() > 0.05 and (thin * share).max() < 0.01),
            "in_water": 100 * share,
            "in_air": 100 * thin * share,
        },
        "text-hundred": float(count),
        "text-state": float(len(plant.position_n) + len(plant.euler) + len(plant.nu)),
    }


def _about(axis: int, angle: float) -> Array:
    order = [(axis + k) % 3 for k in range(3)]
    turn = np.eye(3)
    i, j = order[1], order[2]
    turn[i, i] = turn[j, j] = math.cos(angle)
    turn[i, j], turn[j, i] = -math.sin(angle), math.sin(angle)
    return turn


def _euler_conventions() -> Values:
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
    return {"text-twelve": float(len(sequences)), "text-one-of-twelve": float(alike)}


def _stability() -> Values:
    """Released at 5 deg of roll and pitch, centre of gravity below and above the centre of buoyancy."""
    ends: dict[str, tuple[float, float]] = {}
    x, y, z = phoenix().body.cg_b
    for name, cg in (("below", (x, y, z)), ("above", (x, y, -z))):
        plant = Plant(replace(phoenix(), body=replace(phoenix().body, cg_b=cg)))
        plant.place(position_n=(0.0, 0.0, 30.0), euler=(math.radians(5.0), math.radians(5.0), 0.0))
        plant.advance(0.05, 12000, "rk4")
        roll, pitch, _ = np.degrees(plant.euler)
        ends[name] = float(roll), float(pitch)
    return {
        "text-righting": {"value": max(abs(a) for a in ends["below"]), "ends": ends},
        "text-inverting": {"value": abs(ends["above"][0]), "ends": ends},
    }


def is_pure_number(name: str) -> bool:
    """Whether a coefficient of (6.48)-(6.53) has no unit: its force follows when lengths double and times halve."""
    blank = dict.fromkeys(printed_tables.corrected(), 0.0) | {"rho": 1.94, "g": 1.0, "L": 7.0, name: 1.0}
    nu, fins = np.array([1.1, 0.7, -0.4, 0.3, 0.2, -0.5]), np.array([0.1, 0.2, 0.3, -0.2])
    axis = AXES.index(name[0]) if name != "C_d0" else 0
    small = right_hand_sides(State(nu, np.zeros(3), fins), blank)[axis]
    quick = nu * np.array([4.0] * 3 + [2.0] * 3)  # ft/s go with length over time, rad/s with 1 over time
    large = right_hand_sides(State(quick, np.zeros(3), fins), blank | {"L": 14.0})[axis]
    mass, length, per_time = 2.0**3, 2.0, 2.0  # of water, of density that stays
    expected = mass * length * per_time**2 * (length if axis >= 3 else 1.0)
    return math.isclose(large / small, expected, rel_tol=1e-9)


def _section_d() -> Values:
    """The number of dimensionless coefficients, and forces of added mass that depend on velocities."""
    every = (*TERMS, "C_d0")
    with_unit = [name for name in every if not is_pure_number(name)]
    sideslip = np.array([2.0, 0.2, 0.0, 0.0, 0.0, 0.0])
    moments: list[float] = []
    for choice in ("none", "full"):
        plant = Plant(
            loads(f'extends = "phoenix_published"\n[hydro]\ncoriolis = "{choice}"\n', "phoenix with Coriolis part")
        )
        moments.append(float(forces_lb(put(plant, np.zeros(3), sideslip), ["added_mass"])[5]) + 0.0)
    return {
        "text-dimensionless": {
            "holds": 0 < len(with_unit) <= 0.1 * len(every),
            "dimensionless": len(every) - len(with_unit),
            "coefficients": len(every),
            "with_unit": listed(with_unit),
            "dimensionless_share": 1.0 - len(with_unit) / len(every),
        },
        "text-added-mass-velocities": {"off": abs(moments[1] - moments[0]), "moments": moments},
    }


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


def _section_h() -> Values:
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
        for key in VEHICLES.names()
        if not any(key.startswith(f"{other}_") for other in VEHICLES.names())  # a variant
        and (vehicle := load_vehicle(key)).thrusters
        and all(vehicle.free[:3])
    }
    tilt = g * math.sin(math.radians(1.0))
    return {
        "text-gravity-ten": {
            "vehicles": len(ratios),
            "value": float(np.median(list(ratios.values()))),
            "least_ratio": min(ratios.values()),
            "largest_ratio": max(ratios.values()),
            "ratios": ratios,
            "best": best,
        },
        "text-tilt": {"holds": tilt > best["surge"], "tilt": tilt, "best": best},
    }
