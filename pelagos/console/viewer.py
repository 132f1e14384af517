"""A console that shows a vehicle which another program moves, as for `render_mode="human"` of an environment.

The page shows the newest state; it cannot steer, pause or reset.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pelagos.console.scene.scene import vehicle_scene, world_scene
from pelagos.console.server import Console
from pelagos.errors import CommandError
from pelagos.frames import quaternion_from_euler
from pelagos.messages import Actuation, VehicleState
from pelagos.session import snapshot as snap
from pelagos.session.camera_mount import CameraMount, cameras_of
from pelagos.session.source import ViewOnlySource
from pelagos.sim.columns import DEGREES, compass
from pelagos.training.conditions import Conditions
from pelagos.vehicle.spec import Vehicle
from pelagos.world.spec import World

GREEN = "#009E73"
RATE_HZ = 50.0  # at which the runner reads the newest row
Point = Sequence[float]


class ViewedVehicle(ViewOnlySource):
    """Source of the console for a vehicle that the caller moves.

    The caller's thread calls `begin` and `show`, the runner's thread everything else; a lock guards what they share.
    """

    def __init__(
        self, vehicle: Vehicle, world: World, *, name: str, rate_hz: float, near_m: tuple[float, float]
    ) -> None:
        self.rate_hz = RATE_HZ
        self._actuators = snap.actuator_columns(vehicle)
        self.columns = snap.snapshot_columns(vehicle)
        # Read by the runner: repeat the hello, number of the episode, end of the source.
        self.changed, self.begun, self.done = True, 0, False
        self.time_s, self._events = 0.0, []
        self._lock = threading.Lock()
        self._limits = snap.Limits(vehicle, world.surface_density_kg_m3)
        mount = CameraMount(cameras_of(vehicle))
        self._still: dict[str, float] = {
            "stick_frame": 0.0, "gain": 1.0, "pan_deg": mount.pan_deg, "tilt_deg": mount.tilt_deg, "zoom": mount.zoom,
            "lights": mount.lights, "camera_index": 0.0, "hold_mission": 0.0, "faults_acting": 0.0, "recording": 0.0,
            "armed": 1.0, "by_link": 0.0, "collisions": 0.0, "task_phase": 0.0,
            **dict.fromkeys(snap.STICKS, 0.0),
        }  # fmt: skip
        self._row = np.full(len(self.columns), np.nan, np.float32)
        self._hello: dict[str, Any] = {
            "mode": "live",
            "vehicle": vehicle_scene(vehicle) | {"axes": [], "can": [], "has_tether": False},
            "scene": world_scene(world, near_m=near_m),
            "marks": [], "vehicle_marks": [], "waypoints": [], "task": None, "tasks": [],
            "conditions": Conditions().described(), "faults": [], "faults_acting": [],
            "settings": {"seed": 0, "rate_hz": rate_hz, "tether": False, "scenario": None, "task": None,
                         "condition_sets": {}, "current_m_s": 0.0, "current_to_deg": 0.0},
            "pilot_name": name, "recording": None,
        }  # fmt: skip

    def begin(self, target: Point | None, line: Sequence[Point] | None, current_n: Point) -> None:
        """Begin an episode: the page marks its target and its line."""
        marks: list[dict[str, Any]] = []
        if line is not None:
            marks.append({"kind": "line", "points": line, "colour": GREEN, "label": ""})
        if target is not None:
            marks.append({"kind": "point", "points": [target], "colour": GREEN, "label": "target"})
        with self._lock:
            self._hello["marks"] = marks
            self._hello["settings"] |= {
                "current_m_s": math.hypot(*current_n[:2]),
                "current_to_deg": math.degrees(math.atan2(current_n[1], current_n[0])) % 360,
            }
            self.changed = True
            self.begun += 1

    def show(self, state: VehicleState, actual: Actuation, command: Actuation, current_n: Point) -> None:
        """Show a state, with the actuators as they are and as commanded."""
        north, east, depth = state.pos_n.tolist()
        u, v, w, p, q, r = state.nu.tolist()
        q0, q1, q2, q3 = turn = quaternion_from_euler(state.roll, state.pitch, state.yaw).tolist()
        v_north, v_east, v_down = snap.over_ground(q0, q1, q2, q3, u, v, w)
        values = dict(zip(snap.MOTION, (
            north, east, depth, *turn, state.roll * DEGREES, state.pitch * DEGREES, compass(state.yaw * DEGREES),
            u, v, w, p * DEGREES, q * DEGREES, r * DEGREES,
            math.sqrt(u * u + v * v + w * w), snap.course_of(v_north, v_east), v_down, state.altitude_m,
            depth, *current_n, 0.0, math.nan,
        ), strict=True))  # fmt: skip
        limits = self._limits
        shares = [
            *limits.shares(actual.thrusters, limits.actual), *(actual.surfaces * DEGREES).tolist(),
            *limits.shares(command.thrusters, limits.commanded), *(command.surfaces * DEGREES).tolist(),
        ]  # fmt: skip
        values |= self._still | dict(zip(self._actuators, shares, strict=True))
        # A new array each time: the runner's thread may still copy the old one.
        row = np.array([values.get(name, math.nan) for name in self.columns], np.float32)
        with self._lock:
            self._row, self.time_s = row, state.time_s

    def hello(self) -> dict[str, Any]:
        """The content of a hello."""
        with self._lock:
            return {**self._hello, "settings": dict(self._hello["settings"])}

    def order(self, name: str, values: Mapping[str, Any]) -> None:
        """Refuse every order."""
        del values
        raise CommandError("a policy controls this vehicle and accepts no orders", key="order", value=name)

    def tick(self) -> None:
        """Do nothing: the caller advances time."""

    def snapshot_into(self, row: NDArray[np.float32]) -> None:
        """Write the newest row."""
        with self._lock:
            row[: len(self.columns)] = self._row


class ConsoleViewer:
    """A console on this machine that shows one vehicle; it serves from the first `show` on.

    Args:
        vehicle: the vehicle to draw.
        world: the world to draw.
        name: shown in place of a pilot's name.
        rate_hz: rate of the states, shown in the page.
        near_m: north and east of the start, the middle of the drawn scene.
    """

    def __init__(
        self, vehicle: Vehicle, world: World, *, name: str, rate_hz: float, near_m: tuple[float, float]
    ) -> None:
        self.source = ViewedVehicle(vehicle, world, name=name, rate_hz=rate_hz, near_m=near_m)
        self._console = Console(lambda: self.source)
        self.address = self._console.address
        self._serves = False

    def begin(self, target: Point | None, line: Sequence[Point] | None, current_n: Point) -> None:
        """Begin an episode: the page marks `target` and `line` (points north, east, down) and shows the current."""
        self.source.begin(target, line, current_n)

    def show(self, state: VehicleState, actual: Actuation, command: Actuation, current_n: Point) -> None:
        """Show a state, with the actuators as they are and as commanded."""
        self.source.show(state, actual, command, current_n)
        if not self._serves:  # not earlier, so that the first page gets a target and a state
            self._serves = True
            self._console.start()

    def close(self) -> None:
        """Stop the server."""
        self._console.stop()
