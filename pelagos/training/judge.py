"""Scoring of a flown task: present values for the pilot, statistics for the result.

A `Judge` receives every `Observation`. `update` computes the present values, whether or not the task runs; `count`
accumulates them while it runs. The statistics of a value x over the time T in which it was counted are

    rms = sqrt(1/T sum x^2 dt),   mean = 1/T sum x dt,   max = largest |x|

and all judges measure

    effort    = integral of sum_i |s_i| dt, s_i the command of thruster i as a share of its limit; unit s
    energy_J  = integral of the electric power of all thrusters dt
    collisions, time_s, progress from 0 to 1
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any

import numpy as np

from pelagos.training.observation import Observation, hull_box
from pelagos.vehicle.spec import Vehicle
from pelagos.world.royer import royer_collides
from pelagos.world.spec import World
from pelagos.world.structure import Structure

Mark = dict[str, Any]
COMMON = ("progress", "collisions", "effort")


class Target(ABC):
    """The goal of a task: read from the table [target] of its file, drawn for the pilot, scored by its judge."""

    kind: str

    def solids(self, world: World, seed: int) -> tuple[Structure, ...]:
        """Structures that the task adds to the world."""
        return ()

    @abstractmethod
    def marks(self, world: World) -> list[Mark]:
        """Marks that are drawn for the pilot and are not solid, NED."""

    def vehicle_marks(self, vehicle: Vehicle) -> list[Mark]:
        """Marks that are drawn on the vehicle, body axes."""
        return []

    @abstractmethod
    def judge(self, world: World, vehicle: Vehicle, seed: int) -> Judge:
        """Make the judge for this world and vehicle."""


class RunningStatistics:
    """Root mean square, mean and largest size of a value over time."""

    def __init__(self) -> None:
        self.time_s = self._sum = self._squares = self._most = 0.0

    def add(self, value: float, dt: float) -> None:
        """Add an interval; NaN, a value that is not known, is left out."""
        if math.isnan(value):
            return
        self.time_s += dt
        self._sum += value * dt
        self._squares += value * value * dt
        self._most = max(self._most, abs(value))

    def measures(self, name: str) -> dict[str, float]:
        """The statistics by name: path_error_rms_m, ..._mean_m and ..._max_m of path_error_m; NaN if never known."""
        stem, unit = _stem(name)
        known = self.time_s > 0.0
        values = {
            "rms": math.sqrt(self._squares / self.time_s) if known else math.nan,
            "mean": self._sum / self.time_s if known else math.nan,
            "max": self._most if known else math.nan,
        }
        return {f"{stem}_{statistic}{unit}": value for statistic, value in values.items()}


def _stem(name: str) -> tuple[str, str]:
    for unit in ("_m_s", "_m", "_deg"):
        if name.endswith(unit):
            return name.removesuffix(unit), unit
    return name, ""


class Judge(ABC):
    """Base of all judges.

    A judge of a target defines `judged` and `shown`, and implements `evaluate` and `advance`. `judged` are the values
    of which statistics are kept, `shown` further present values without statistics.
    """

    judged: tuple[str, ...] = ()
    shown: tuple[str, ...] = ()

    def __init__(self, world: World, vehicle: Vehicle) -> None:
        self.world, self.vehicle = world, vehicle
        low, high = hull_box(vehicle)
        self.bow_b = np.array([high[0], 0.5 * (low[1] + high[1]), 0.0])
        self._hull_m, self._middle_b = (high - low).tolist(), 0.5 * (low + high)
        self.now: dict[str, float] = dict.fromkeys((*self.judged, *self.shown), math.nan)
        self.begin()

    def begin(self) -> None:
        """Reset everything that was counted."""
        self.progress = 0.0
        self.completed = False
        self.marks_version = 0  # increases whenever `marks` changes
        self.time_s = self.effort = self.energy_j = 0.0
        self.collisions = 0
        self._collisions_before: int | None = None
        self._running = {name: RunningStatistics() for name in self.judged}

    @property
    def columns(self) -> tuple[str, ...]:
        """Column names of `values`, each with the prefix score_."""
        return tuple(f"score_{name}" for name in (*self.judged, *self.shown, *COMMON))

    def values(self) -> tuple[float, ...]:
        """Present values, in the order of `columns`."""
        common = (self.progress, float(self.collisions), self.effort)
        return (*(self.now[name] for name in (*self.judged, *self.shown)), *common)

    def update(self, observation: Observation) -> None:
        """Compute the present values."""
        self.now.update(self.evaluate(observation))

    def count(self, observation: Observation) -> None:
        """Add the present values, which `update` has computed, to the statistics, and advance the task."""
        if self._collisions_before is None:  # the observer counts from the start of the flight
            self._collisions_before = observation.collisions
        self.collisions = observation.collisions - self._collisions_before
        self.time_s += observation.dt
        self.effort += sum(map(abs, observation.thruster_shares)) * observation.dt
        self.energy_j += observation.power_w * observation.dt
        if self.is_counted(observation):
            for name, running in self._running.items():
                running.add(self.now[name], observation.dt)
        self.advance(observation)

    def measures(self) -> dict[str, float]:
        """All measures so far, by name with unit."""
        common = {
            "time_s": self.time_s, "collisions": float(self.collisions), "effort_s": self.effort,
            "energy_J": self.energy_j, "progress": self.progress,
        }  # fmt: skip
        every: dict[str, float] = {}
        for name, running in self._running.items():
            every |= running.measures(name)
        return common | every | self.extra_measures()

    def marks(self) -> list[Mark]:
        """Marks that appear during the task, such as objects that were found."""
        return []

    @abstractmethod
    def evaluate(self, observation: Observation) -> Mapping[str, float]:
        """The values of `judged` and `shown` for an observation."""

    @abstractmethod
    def advance(self, observation: Observation) -> None:
        """Update `progress` and `completed`."""

    def is_counted(self, observation: Observation) -> bool:
        """Whether the present values go into the statistics."""
        return True

    def extra_measures(self) -> dict[str, float]:
        """Further measures of this kind of target."""
        return {}

    def in_structure(self, observation: Observation, index: int) -> bool:
        """Whether the vehicle is in a structure: Royer's test (5.2) of its hull as a level box, or a touch.

        Contact stops the vehicle at the face here, unlike in the thesis, so that a touch replaces most of the overlap.
        """
        if observation.contact_with == index:
            return True
        yaw = observation.euler[2]
        c, s = math.cos(yaw), math.sin(yaw)
        x, y, z = self._middle_b.tolist()
        middle = (
            observation.position_n[0] + c * x - s * y,
            observation.position_n[1] + s * x + c * y,
            observation.position_n[2] + z,
        )
        structure = self.world.structures[index]
        # Royer's test has no meshes: a mesh counts by touch alone.
        return structure.kind != "mesh" and royer_collides(structure, self._hull_m, middle, yaw)


def heading_error_deg(heading_rad: float, reference_deg: float) -> float:
    """Deviation of a heading from a reference, deg, -180 to 180, positive to starboard."""
    return (math.degrees(heading_rad) - reference_deg + 180.0) % 360.0 - 180.0
