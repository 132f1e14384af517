"""Access to the engine for tests: one Plant per vehicle, placed in a given state, and its forces.

Everything goes through `Plant.forces`, that is, through the one compiled entry point that is cached on disk.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache

import numpy as np

from pelagos.files.library import VEHICLES
from pelagos.vehicle.load.vehicle import load_vehicle
from pelagos.vehicle.plant import Plant
from pelagos.vehicle.spec import AXES, Body, Coefficient, ReferenceWater, Vehicle
from tests.reference.everything import Situation, everything, situation
from tests.reference.textbook import Textbook

RHO, G = 1025.0, 9.81
LIBRARY = tuple(VEHICLES.names())
EVERY = (*LIBRARY, "everything")
# A speed of each degree of freedom that any of the vehicles may have, m/s and rad/s
SPEEDS = np.array([1.5, 0.5, 0.5, 0.3, 0.3, 0.3])
MIRROR = np.array([1.0, -1.0, 1.0, -1.0, 1.0, -1.0])  # what exchanging port and starboard does to nu and to a wrench
# Engine and twin add the same products in another order: a few 1e-16 of each product. Products cancel to at most
# 1e-4 of their size in these samples, which leaves four decades to 1e-10 of the largest force (or 1e-10 N).
TWIN = 1e-10


@cache
def vehicle(key: str) -> Vehicle:
    """A library vehicle, or the invented one that has every part."""
    return everything() if key == "everything" else load_vehicle(key)


@cache
def plant_of(key: str) -> Plant:
    """The vehicle's Plant: shared, so put it into the required state before reading forces."""
    return Plant(vehicle(key))


def put(plant: Plant, now: Situation) -> Plant:
    """The plant in a situation, actuators included."""
    plant.place(position_n=(1.0, -2.0, now.depth), euler=tuple(now.euler), nu=now.nu)
    actuators = plant.state["actuators"]
    for name, values in (
        ("thruster", now.thruster_states),
        ("surface", now.fin_angles),
        ("ballast", now.ballast),
    ):
        actuators[name][: len(values)] = values
    plant.water["current"], plant.water["current_dot"] = now.current_n, now.current_dot_n
    return plant


def still(of: Vehicle, **changes: object) -> Situation:
    """At rest, level, at the surface, in still water, actuators at zero, ballast at its initial value."""
    base = Situation(
        nu=np.zeros(6),
        euler=np.zeros(3),
        depth=0.0,
        thruster_states=np.zeros(len(of.thrusters)),
        fin_angles=np.zeros(len(of.surfaces)),
        ballast=np.array([item.initial for item in of.ballast]),
        current_n=np.zeros(3),
        current_dot_n=np.zeros(3),
    )
    return replace(base, **changes)


@dataclass(frozen=True)
class Moment:
    """A situation with the forces of the engine and of the twin."""

    now: Situation
    engine: dict[str, np.ndarray]
    twin: dict[str, np.ndarray]
    engine_acceleration: np.ndarray
    twin_acceleration: np.ndarray


@cache
def sample(key: str) -> tuple[Moment, ...]:
    """Twenty random moments of a vehicle, the same in every run."""
    of, plant, rng = vehicle(key), plant_of(key), np.random.default_rng(len(key) + 20240)
    twin = Textbook(of)
    moments = []
    for _ in range(20):
        now = situation(of, rng)
        engine, nu_dot = put(plant, now).forces(), plant.acceleration()
        moments.append(Moment(now, engine, twin.forces(*now.arguments()), nu_dot, twin.acceleration(*now.arguments())))
    return tuple(moments)


def differs_from_twin(key: str, name: str) -> float:
    """Largest difference of one term over the sample, relative to its largest force (moment), or to 1 N (1 N m)."""
    worst = 0.0
    for moment in sample(key):
        computed, expected = moment.engine[name], moment.twin[name]
        for part in (slice(0, 3), slice(3, 6)):
            size = max(1.0, np.abs(expected[part]).max())
            worst = max(worst, float(np.abs(computed[part] - expected[part]).max() / size))
    return worst


def velocities(of: Vehicle, n: int, seed: int, ahead: int = 0) -> np.ndarray:
    """Random velocities on the free axes (n, 6); `ahead` +1 or -1 fixes the sign of u."""
    nu = np.random.default_rng(seed).normal(size=(n, 6)) * SPEEDS
    nu[:, ~np.array(of.free)] = 0.0
    if not of.free[0]:
        nu[:, 0] = of.held_speed_m_s
    if ahead:
        nu[:, 0] = ahead * np.abs(nu[:, 0])
    return nu


def ball(**parts: object) -> Vehicle:
    """A neutral 100 kg body with its CG 2 cm low and 50 kg of added mass: only the given parts add forces."""
    body = Body(100.0, 100.0 / RHO, (0.0, 0.0, 0.02), (0.0, 0.0, 0.0), np.diag([4.0, 5.0, 6.0]))
    added = np.diag([50.0, 50.0, 50.0, 0.0, 0.0, 0.0])
    base = Vehicle("ball", "ball", "test body", "", ReferenceWater(RHO, G), body, 1.0, added, "full")
    return replace(base, **parts)


def term(of: Vehicle, name: str, now: Situation | None = None, **changes: object) -> np.ndarray:
    """One force of a vehicle in a situation (`changes` to being at rest)."""
    return put(Plant(of), now or still(of, **changes)).forces()[name]


def terms(table: dict[str, float]) -> tuple[Coefficient, ...]:
    """Coefficients from {"Y |u| v": value}: axis, then factors."""
    made = []
    for key, value in table.items():
        axis, *factors = key.split()
        made.append(Coefficient(key.replace(" ", "_"), AXES.index(axis), tuple(factors), value, value))
    return tuple(made)
