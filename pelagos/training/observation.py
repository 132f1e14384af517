"""Observations of a flight for a judge, one per tick: motion, contact, effort and camera.

Camera (Royer 4.2.e): it stands at C in body axes, turns by pan about body z (positive to starboard), then by tilt about
the panned y (positive up):

    x_c = Ry(tilt) Rz(pan) (R_bn (X - X_O) - C),   Ry = [ct 0 -st; 0 1 0; st 0 ct],  Rz = [cp sp 0; -sp cp 0; 0 0 1]

x_c is along the optical axis, y_c to the right, z_c down. A point is in the picture if x_c > 0,
|y_c| < x_c tan(fov/2)/zoom and |z_c| < that / aspect: fov is the horizontal field of view, the picture is 16 by 9.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pelagos.frames import rotation_from_quaternion
from pelagos.messages import PilotCommand
from pelagos.sim.simulation import Simulation
from pelagos.training.collisions import Collisions
from pelagos.vehicle.pack.hull import contact_form
from pelagos.vehicle.power import ThrusterPower
from pelagos.vehicle.spec import Camera, Vehicle

Array = NDArray[np.float64]
ASPECT = 16.0 / 9.0
FOV_DEG = 80.0  # of a camera without data, chosen as typical of an ROV
SIGNS = (-1.0, 1.0)


class Observation(NamedTuple):
    """State of a flight at one tick. NED and body axes, SI and radians unless the name has another unit.

    dt               interval since the last observation
    contact_with     number of the structure touched in it; -1: the seabed, NaN: nothing
    contact_speed_m_s  largest speed of approach there
    collisions       since the flight began
    thruster_shares  command of each thruster as a share of its limit, -1 to 1
    camera_axes      R_nc; its columns are the axes of the camera in NED
    visibility_m     may be inf
    """

    time_s: float
    dt: float
    position_n: Array
    euler: tuple[float, float, float]
    nu: Array
    altitude_m: float
    contact_with: float = math.nan
    contact_speed_m_s: float = math.nan
    collisions: int = 0
    sticks: tuple[float, ...] = (0.0,) * 6
    thruster_shares: tuple[float, ...] = ()
    power_w: float = 0.0
    camera_n: Array = np.zeros(3)
    camera_axes: Array = np.eye(3)
    fov_deg: float = FOV_DEG
    zoom: float = 1.0
    visibility_m: float = math.inf

    @property
    def speed_m_s(self) -> float:
        """Speed over ground."""
        return math.hypot(*self.nu[:3].tolist())

    def in_picture(self, points_n: ArrayLike, share: float = 1.0) -> NDArray[np.bool_]:
        """Which points (n, 3), NED, are in the picture, or in the middle `share` of its width and height."""
        x, y, z = ((np.asarray(points_n, float) - self.camera_n) @ self.camera_axes).T
        wide = share * x * math.tan(math.radians(0.5 * self.fov_deg)) / self.zoom
        return (x > 0.0) & (np.abs(y) < wide) & (np.abs(z) < wide / ASPECT)


def camera_pose(
    position_n: Array, rotation_nb: Array, mount_b: Sequence[float], pan: float = 0.0, tilt: float = 0.0
) -> tuple[Array, Array]:
    """Position of a camera and its axes R_nc (columns: ahead, right, down of the picture), NED."""
    cp, sp, ct, st = math.cos(pan), math.sin(pan), math.cos(tilt), math.sin(tilt)
    body = np.array(((ct * cp, -sp, st * cp), (ct * sp, cp, st * sp), (-st, 0.0, ct)))  # (Ry Rz)^T
    return position_n + rotation_nb @ np.asarray(mount_b, float), rotation_nb @ body


def hull_box(vehicle: Vehicle) -> tuple[Array, Array]:
    """The lowest and the highest corner of the box around the hull, body axes, m."""
    signs = np.array([(a, b, c) for a in SIGNS for b in SIGNS for c in SIGNS])
    corners = [form.to_body(signs * np.array(form.box_m)) for form in map(contact_form, vehicle.shapes)]
    if not corners:  # the file has no shapes: a fifth of the length stands for breadth and height
        corners = [signs * 0.5 * np.array((vehicle.length_m, 0.2 * vehicle.length_m, 0.2 * vehicle.length_m))]
    every = np.vstack(corners)
    return every.min(axis=0), every.max(axis=0)


class Observer:
    """Maker of observations of a simulation; it counts collisions and computes effort.

    Args:
        simulation: the simulation to observe.
        camera: number of the vehicle's camera.
        visibility_m: range of sight in this water; default: that of the world.
    """

    def __init__(self, simulation: Simulation, *, camera: int = 0, visibility_m: float | None = None) -> None:
        self.simulation = simulation
        vehicle = simulation.vehicle
        self.camera = vehicle.cameras[camera] if vehicle.cameras else Camera("bow", _bow(vehicle))
        self.visibility_m = simulation.world.visibility_m if visibility_m is None else visibility_m
        self._collisions = Collisions()
        self._power = ThrusterPower(vehicle, simulation.water.density_kg_m3) if vehicle.thrusters else None
        self._limits = np.array([(t.minimum, t.maximum) for t in vehicle.thrusters]).reshape(-1, 2)

    @property
    def collisions(self) -> int:
        """Collisions since the observer was made."""
        return self._collisions.count

    def observe(
        self,
        sticks: PilotCommand | None = None,
        *,
        pan_rad: float | None = None,
        tilt_rad: float | None = None,
        zoom: float = 1.0,
    ) -> Observation:
        """Observe the simulation now; pan and tilt default to those of the camera at rest."""
        sim = self.simulation
        state = sim.evaluate()
        touch = sim.plant.state["touch"]
        touching = bool(touch["count"] > 0)
        obstacle, speed = (float(touch["obstacle"]), float(touch["speed"])) if touching else (math.nan, math.nan)
        self._collisions.update(sim)  # one call per interval: a skipped one would hide a touch
        pan = self.camera.pan_rad if pan_rad is None else pan_rad
        tilt = self.camera.tilt_rad if tilt_rad is None else tilt_rad
        rotation = rotation_from_quaternion(state.quaternion)
        place, axes = camera_pose(state.position_n, rotation, self.camera.position_b, pan, tilt)
        return Observation(
            state.time_s, sim.interval_s, state.position_n, state.euler, state.nu, state.altitude_m, obstacle, speed,
            self.collisions, (sticks or PilotCommand()).axes, self._shares(), self._watts(), place, axes,
            math.degrees(self.camera.fov_rad), zoom, self.visibility_m,
        )  # fmt: skip

    def _shares(self) -> tuple[float, ...]:
        n = len(self._limits)
        commands = self.simulation.plant.command["actuators"]["thruster"][:n]
        limits = np.where(commands < 0.0, -self._limits[:, 0], self._limits[:, 1])
        # A thruster without reverse has the limit 0 there: its share stays 0.
        return tuple(np.divide(commands, limits, out=np.zeros(n), where=limits > 0.0).tolist())

    def _watts(self) -> float:
        if self._power is None:
            return 0.0
        plant, n = self.simulation.plant, len(self._limits)
        return self._power.watts(plant.thrust_and_inflow(), plant.state["actuators"]["thruster"][:n])


def _bow(vehicle: Vehicle) -> tuple[float, float, float]:
    low, high = hull_box(vehicle)
    return float(high[0]), 0.5 * float(low[1] + high[1]), 0.0
