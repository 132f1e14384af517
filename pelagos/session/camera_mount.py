"""Camera of the pilot: the selected camera with its pan, tilt and zoom, and the level of the lights.

Pan is positive to starboard about the body z axis, tilt positive up about the panned y axis (Royer 1985, 4.2.e).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from pelagos.checks import number, whole
from pelagos.errors import CommandError
from pelagos.vehicle.spec import Camera, Vehicle

ROUNDING_DEG = 1e-6  # a stop converted to degrees and back may miss itself by this much
ZOOM_PER_S = 2.0  # factor of magnification per second at full stick


def cameras_of(vehicle: Vehicle) -> tuple[Camera, ...]:
    """The cameras of a vehicle; one at the bow if its description has none."""
    return vehicle.cameras or (Camera("camera", (0.5 * vehicle.length_m, 0.0, 0.0)),)


class CameraMount:
    """Pan, tilt and zoom of the selected camera, and the level of the lights."""

    def __init__(self, cameras: Sequence[Camera]) -> None:
        self.cameras = tuple(cameras)
        self.lights = 1.0
        self.use(0)

    def use(self, index: int) -> None:
        """Select a camera and centre it."""
        self.index, self.camera = index, self.cameras[index]
        self.centre()

    def centre(self) -> None:
        """Point the camera as it is mounted, without zoom."""
        self.pan_rad, self.tilt_rad, self.zoom = self.camera.pan_rad, self.camera.tilt_rad, 1.0

    @property
    def pan_deg(self) -> float:
        """Pan in degrees."""
        return math.degrees(self.pan_rad)

    @property
    def tilt_deg(self) -> float:
        """Tilt in degrees."""
        return math.degrees(self.tilt_rad)

    @property
    def fov_deg(self) -> float:
        """Horizontal field of view at zoom 1."""
        return math.degrees(self.camera.fov_rad)

    def move(self, pan: float, tilt: float, zoom: float, dt: float) -> None:
        """Turn at fractions (-1 to 1) of the camera's rate for dt seconds, up to its stops."""
        camera = self.camera
        if pan:
            self.pan_rad = _within(self.pan_rad + pan * camera.rate_rad_s * dt, camera.pan_limit_rad)
        if tilt:
            self.tilt_rad = _within(self.tilt_rad + tilt * camera.rate_rad_s * dt, camera.tilt_limit_rad)
        if zoom:
            self.zoom = _within(self.zoom * ZOOM_PER_S ** (zoom * dt), (1.0, camera.zoom_most))

    def order(self, values: Mapping[str, Any]) -> None:
        """Set index, centre, pan_deg, tilt_deg or zoom; CommandError beyond the camera's stops, and nothing changes."""
        camera, index = self.camera, values.get("index")
        if index is not None:
            index = whole("camera index", index, 0, len(self.cameras) - 1)
            camera = self.cameras[index]
        limits = {"pan": camera.pan_limit_rad, "tilt": camera.tilt_limit_rad}
        new: dict[str, float] = {}
        for name, (low, high) in limits.items():
            angle = values.get(f"{name}_deg")
            if angle is not None:
                new[f"{name}_rad"] = _angle(f"{camera.name} {name}_deg", angle, low, high)
        if values.get("zoom") is not None:
            new["zoom"] = number("camera zoom", values["zoom"], 1.0, camera.zoom_most)
        # All values are valid from here on: a refused order must leave the mount as it was.
        if index is not None:
            self.use(index)
        if values.get("centre"):
            self.centre()
        vars(self).update(new)


def _angle(key: str, value: object, low: float, high: float) -> float:
    """An angle in degrees between stops in rad, as rad; ROUNDING_DEG beyond a stop counts as the stop."""
    angle, least, most = number(key, value), math.degrees(low), math.degrees(high)
    if not least - ROUNDING_DEG <= angle <= most + ROUNDING_DEG:
        fixed = least == most
        expected = f"{least:.4g}" if fixed else f"{least:.4g} to {most:.4g}"
        raise CommandError("it does not turn" if fixed else "", key=key, value=angle, expected=expected)
    return _within(math.radians(angle), (low, high))


def _within(value: float, limits: tuple[float, float]) -> float:
    return min(max(value, limits[0]), limits[1])
