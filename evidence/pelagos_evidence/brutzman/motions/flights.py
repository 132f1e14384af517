"""Fly the Phoenix in the units of the dissertation: feet, degrees, rpm and volts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache

import numpy as np

from pelagos.units import DEGREE, FOOT, RPM
from pelagos.vehicle.load.vehicle import load_vehicle
from pelagos.vehicle.plant import Plant
from pelagos.vehicle.spec import VELOCITIES, Vehicle
from pelagos_evidence.rows import Array

SCREWS = (700.0, 700.0)  # rpm, port and starboard, the maximum of table 6.2
STEP_S = 0.02


@dataclass(frozen=True, eq=False)
class PhoenixFlight:
    """Samples of a run.

    Args:
        time_s: instants, the first is the start.
        nu: u v w in ft/s, p q r in deg/s, one row an instant.
        place_ft: north, east, depth.
        euler_deg: roll, pitch, heading; not wrapped.
        sound: False if the motion left the finite numbers; the samples end before.
    """

    time_s: Array
    nu: Array
    place_ft: Array
    euler_deg: Array
    sound: bool = True

    def at(self, seconds: float) -> int:
        """Index of the sample nearest to an instant."""
        return int(np.argmin(np.abs(self.time_s - seconds)))


@cache
def phoenix(key: str = "phoenix_published") -> Vehicle:
    """A vehicle of the library, read once."""
    return load_vehicle(key)


def held(vehicle: Vehicle, free: str) -> Vehicle:
    """The vehicle with only the motions named by letters (of u v w p q r) free."""
    return replace(vehicle, free=tuple(letter in free for letter in VELOCITIES))


def plant_of(
    vehicle: Vehicle,
    *,
    rpm: Sequence[float] = (0.0, 0.0),
    volts: Sequence[float] = (0.0, 0.0, 0.0, 0.0),
    fins_deg: Sequence[float] = (0.0, 0.0, 0.0, 0.0),
    surge_ft_s: float = 0.0,
    euler_deg: Sequence[float] = (0.0, 0.0, 0.0),
    euler_angles: bool | None = None,
) -> Plant:
    """The plant at its start.

    Screws port, starboard; tunnels bow, stern vertical, bow, stern lateral; fins drb drs dpb dps.
    """
    plant = Plant(vehicle, euler_angles=euler_angles)
    plant.place(nu=[surge_ft_s * FOOT, 0.0, 0.0, 0.0, 0.0, 0.0], euler=[angle * DEGREE for angle in euler_deg])
    plant.set_actuators(
        thrusters=[*(n * RPM for n in rpm), *volts], surfaces=[angle * DEGREE for angle in fins_deg], at_once=True
    )
    return plant


def track(
    plant: Plant, seconds: float, *, step_s: float = STEP_S, every_s: float = 0.5, method: str = "rk4"
) -> PhoenixFlight:
    """Advance with the actuators as they are; a sample every `every_s`, and at the start."""
    steps = round(every_s / step_s)
    samples = [_sample(plant)]
    sound = True
    for _ in range(round(seconds / every_s)):
        sound = plant.advance(step_s, steps, method) == steps
        if not sound:
            break
        samples.append(_sample(plant))
    rows = np.array(samples)
    angles = np.degrees(np.unwrap(rows[:, 10:13], axis=0))
    return PhoenixFlight(rows[:, 0], rows[:, 1:7] / ([FOOT] * 3 + [DEGREE] * 3), rows[:, 7:10] / FOOT, angles, sound)


def fly(
    vehicle: Vehicle,
    seconds: float,
    *,
    rpm: Sequence[float] = (0.0, 0.0),
    volts: Sequence[float] = (0.0, 0.0, 0.0, 0.0),
    fins_deg: Sequence[float] = (0.0, 0.0, 0.0, 0.0),
    surge_ft_s: float = 0.0,
    step_s: float = STEP_S,
    every_s: float = 0.5,
    method: str = "rk4",
) -> PhoenixFlight:
    """A run with constant actuators, reached at once: the document's model has no lag."""
    plant = plant_of(vehicle, rpm=rpm, volts=volts, fins_deg=fins_deg, surge_ft_s=surge_ft_s)
    return track(plant, seconds, step_s=step_s, every_s=every_s, method=method)


def _sample(plant: Plant) -> Array:
    return np.concatenate([[plant.time_s], plant.nu, plant.position_n, plant.euler])
