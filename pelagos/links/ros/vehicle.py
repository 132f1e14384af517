"""Names of ROS topics and frames of a vehicle, and the mounting of its sensors.

Frames (REP 105): `map` is the world, ENU at its origin; `odom` is equal to it, because the true state does not drift;
`base_link` is the body origin of the vehicle, FLU; each sensor has a frame with its name. With several vehicles all
frames except `map` have the name of the vehicle as a prefix: `first/base_link`.

The frame of a sensor is its own frame turned from FRD to FLU, except where ROS requires a beam along x or a scan about
z: x of an altimeter is its beam, and a navigation sonar scans from above to below about its z, which points to port. A
DVL measures in body axes.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from pelagos.errors import PelagosError, foreign_text
from pelagos.links.ros.frames import F, flu, quaternion_of
from pelagos.sensors.base import Array, Sensor, VehicleContext
from pelagos.sensors.kinds import KINDS
from pelagos.sim.commands import LOG_UNIT
from pelagos.sim.log.log import LogError
from pelagos.sim.simulation import Simulation

MAP, ODOM, BASE = "map", "odom", "base_link"
OWN_TOPICS = ("odom", "estimate", "thrusters", "surfaces", "cmd_vel", "setpoint", "goal_pose")
PLAIN = re.compile(r"[^A-Za-z0-9_]+")
# Columns are the axes of the ROS frame in the axes of the sensor (x forward, y starboard, z down).
AXES: dict[str, Array] = {
    "altimeter": np.array([[0.0, 0.0, 1.0], [0.0, -1.0, 0.0], [1.0, 0.0, 0.0]]),
    "navigation_sonar": np.array([[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]]),
}
IN_BODY_AXES = ("dvl",)


@dataclass(frozen=True)
class MountedSensor:
    """Sensor on a vehicle, with the root of its topics and its frame."""

    name: str
    sensor: Sensor
    topic: str
    frame: str
    columns: tuple[str, ...]
    fit: VehicleContext

    @property
    def rotation(self) -> Array:
        """Rotation from the ROS frame of the sensor to base_link."""
        kind = self.sensor.kind
        R_bs = np.eye(3) if kind in IN_BODY_AXES else self.sensor.R_bs
        return F @ R_bs @ AXES.get(kind, F)

    def transform(self) -> dict[str, Any]:
        """Return the pose of the sensor in base_link as a geometry_msgs/Transform."""
        return {
            "translation": _named("xyz", flu(self.sensor.position_m).tolist()),
            "rotation": _named("xyzw", quaternion_of(self.rotation)),
        }


@dataclass(frozen=True)
class RosVehicle:
    """Topics, frames, sensors and actuators of one vehicle."""

    name: str
    prefix: str = ""  # of frame names
    instruments: Mapping[str, MountedSensor] = field(default_factory=dict[str, MountedSensor])
    thrusters: tuple[tuple[str, str], ...] = ()  # name and unit, as in the log
    surfaces: tuple[str, ...] = ()
    estimates: bool = False

    @property
    def root(self) -> str:
        """Prefix of all topics of the vehicle."""
        return f"/pelagos/{self.name}"

    def frame(self, name: str) -> str:
        """Return the full name of a frame of the vehicle."""
        return self.prefix + name


def ros_vehicle_of(sim: Simulation, name: str, several: bool = False) -> RosVehicle:
    """Return the topics and frames of the vehicle of a simulation."""
    suite = sim.sensing.suite if sim.sensing else None
    fitted = _fitted(name, several, suite.sensors, suite.fit) if suite else {}
    thrusters = tuple((t.name, "N" if t.lag_on == "thrust" else LOG_UNIT[t.drive][0]) for t in sim.vehicle.thrusters)
    navigated = sim.sensing is not None and sim.sensing.navigator is not None
    prefix = f"{name}/" if several else ""
    return RosVehicle(name, prefix, fitted, thrusters, tuple(s.name for s in sim.vehicle.surfaces), navigated)


def ros_vehicles_of(sims: Sequence[Simulation]) -> list[RosVehicle]:
    """Return the topics and frames of all vehicles of a run, with unique names."""
    names = plain_names([sim.name for sim in sims])
    return [ros_vehicle_of(sim, name, len(sims) > 1) for sim, name in zip(sims, names, strict=True)]


def ros_vehicle_of_log(columns: Sequence[str], meta: Mapping[str, Any]) -> RosVehicle:
    """Return the vehicle of a log: its sensors from the settings, its actuators from the column names."""
    name = plain_names([str(meta.get("vehicle", "vehicle"))])[0]
    thrusters: list[tuple[str, str]] = []
    # Longest first: a short unit may be the end of a longer one.
    units = sorted({unit for unit, _ in LOG_UNIT.values()}, key=len, reverse=True)
    for column in columns:
        if column.startswith("thruster_"):
            unit = next((unit for unit in units if column.endswith(f"_{unit}")), "")
            thrusters.append((column.removeprefix("thruster_").removesuffix(f"_{unit}"), unit))
    surfaces = tuple(c[len("surface_") : -len("_deg")] for c in columns if c.startswith("surface_"))
    fit = VehicleContext(
        vehicle=name, thrusters=tuple(n for n, _ in thrusters), thruster_units=tuple((u, 1.0) for _, u in thrusters),
        surfaces=surfaces, density_kg_m3=float(meta.get("density_kg_m3", VehicleContext.density_kg_m3)),
        gravity_m_s2=float(meta.get("gravity_m_s2", VehicleContext.gravity_m_s2)),
    )  # fmt: skip
    sensors = meta.get("sensors")
    fitted = _fitted(name, False, _described(sensors), fit) if isinstance(sensors, Mapping) else {}
    return RosVehicle(name, "", fitted, tuple(thrusters), surfaces, "est_north_m" in columns)


def plain_names(names: Sequence[str]) -> list[str]:
    """Return unique names that are valid in topics: letters, digits and _."""
    plain: list[str] = []
    for name in names:
        word = PLAIN.sub("_", name).strip("_") or "vehicle"
        # ROS names must not start with a digit.
        word = f"v{word}" if word[0].isdigit() else word
        unique, number = word, 1
        while unique in plain:
            number += 1
            unique = f"{word}_{number}"
        plain.append(unique)
    return plain


def _fitted(name: str, several: bool, sensors: Mapping[str, Sensor], fit: VehicleContext) -> dict[str, MountedSensor]:
    mounted: dict[str, MountedSensor] = {}
    for key, sensor in sensors.items():
        # A sensor must not take the name of a topic or frame of the vehicle.
        word = f"{key}_sensor" if key in OWN_TOPICS or key in (MAP, BASE) else key
        frame = f"{name}/{word}" if several else word
        mounted[key] = MountedSensor(key, sensor, f"/pelagos/{name}/{word}", frame, sensor.columns_on(fit), fit)
    return mounted


def _described(sensors: Mapping[str, Any]) -> dict[str, Sensor]:
    """Return the sensors in the settings of a log, without user-defined kinds."""
    made: dict[str, Sensor] = {}
    for name, settings in sensors.items():
        kind = KINDS.get(settings.get("kind", "")) if isinstance(settings, Mapping) else None
        if kind is not None:
            values = {key: _tuples(value) for key, value in settings.items() if key != "kind"}
            try:
                made[name] = kind(**values)
            except (TypeError, PelagosError) as problem:
                message = f"its description in the log is invalid: {foreign_text(problem)}"
                raise LogError(message, key=f"instrument {name}") from None
    return made


def _tuples(value: Any) -> Any:
    return tuple(_tuples(item) for item in value) if isinstance(value, list | tuple) else value


def _named(names: str, values: Sequence[float]) -> dict[str, float]:
    return dict(zip(names, values, strict=True))
