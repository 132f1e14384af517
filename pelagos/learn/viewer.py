"""Environment 0 live in the console (`render_mode="human"`): the page of `pelagos fly`, with nobody at the sticks.

The console is served on this machine; its address is printed once and kept in `address`. Every step hands the newest
row to the server's thread, which sends what is newest. Steps are held to the wall clock, as a window would; the page
can neither pause nor steer: time and actions belong to the policy.
"""

from __future__ import annotations

import math
import sys
import threading
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pelagos.console.scene.scene import vehicle_scene, world_scene
from pelagos.console.server import Console
from pelagos.errors import CommandError
from pelagos.frames import quaternion_from_euler
from pelagos.session import snapshot as snap
from pelagos.session.camera_mount import CameraMount, eyes_of
from pelagos.session.source import Input, plain
from pelagos.sim.columns import DEGREES, compass
from pelagos.training.conditions import Conditions

if TYPE_CHECKING:
    from pelagos.learn.env import VectorEnvironment

GREEN = "#009E73"
RATE_HZ = 50.0  # how often the server looks for a new row


class Spectated:
    """Environment 0 as a source of the console. Rows are written by the environment's thread, read by the server's."""

    def __init__(self, env: VectorEnvironment) -> None:
        vehicle = env.batch.vehicle
        self.rate_hz = RATE_HZ
        self.columns = (
            *snap.MOTION, *snap.STICKS, *snap.HOLDS, *snap.CAMERA, *snap.STATUS, *snap.CRASH,
            *snap.actuator_columns(vehicle), *snap.TASK,
        )  # fmt: skip
        self.changed, self.waits, self.begun, self.done = True, False, 0, False
        self.time_s = 0.0
        self._lock = threading.Lock()
        self._limits = snap.Limits(vehicle, env.batch.world.surface_density_kg_m3)
        aim = CameraMount(eyes_of(vehicle))
        self._still: dict[str, float] = {
            "stick_frame": 0.0, "gain": 1.0, "pan_deg": aim.pan_deg, "tilt_deg": aim.tilt_deg, "zoom": aim.zoom,
            "lights": aim.lights, "camera_index": 0.0, "hold_mission": 0.0, "faults_acting": 0.0, "recording": 0.0,
            "armed": 1.0, "by_link": 0.0, "collisions": 0.0, "task_phase": 0.0,
            **dict.fromkeys(snap.STICKS, 0.0),
        }  # fmt: skip
        self._row = np.full(len(self.columns), np.nan, np.float32)
        self._hello: dict[str, Any] = {
            "mode": "live",
            "vehicle": vehicle_scene(vehicle) | {"axes": [], "can": [], "has_tether": False},
            "scene": world_scene(env.batch.world, near_m=(float(env.motion.position_n[0, 0]), 0.0)),
            "marks": [], "vehicle_marks": [], "waypoints": [], "task": None, "tasks": [],
            "conditions": Conditions().described(), "faults": [], "faults_acting": [],
            "settings": {"seed": 0, "rate_hz": env.task.rate_hz, "tether": False, "scenario": None, "task": None,
                         "condition_sets": {}, "current_m_s": 0.0, "current_to_deg": 0.0},
            "pilot_name": env.task.key, "recording": None,
        }  # fmt: skip
        self._events: list[dict[str, Any]] = []

    # ---- the environment's side ---------------------------------------------------------------------------------

    def began(self, env: VectorEnvironment) -> None:
        """A new episode: its target is drawn."""
        scene, marks = env.task.scene(0), []
        if scene["line"] is not None:
            marks.append({"kind": "line", "points": scene["line"], "colour": GREEN, "label": ""})
        if scene["target"] is not None:
            marks.append({"kind": "point", "points": [scene["target"]], "colour": GREEN, "label": "target"})
        flow = env.randomise.current_n[0]
        with self._lock:
            self._hello["marks"] = marks
            self._hello["settings"] |= {
                "current_m_s": math.hypot(*flow[:2]),
                "current_to_deg": math.degrees(math.atan2(flow[1], flow[0])) % 360,
            }
            self.changed = True
            self.begun += 1
        self.put(env)

    def put(self, env: VectorEnvironment) -> None:
        """The state now."""
        motion, batch = env.motion, env.batch
        (north, east, depth), (roll, pitch, yaw) = motion.position_n[0].tolist(), motion.euler[0].tolist()
        u, v, w, p, q, r = motion.nu[0].tolist()
        q0, q1, q2, q3 = turn = quaternion_from_euler(roll, pitch, yaw).tolist()
        v_north, v_east, v_down = snap.over_ground(q0, q1, q2, q3, u, v, w)
        values = dict(zip(snap.MOTION, (
            north, east, depth, *turn, roll * DEGREES, pitch * DEGREES, compass(yaw * DEGREES),
            u, v, w, p * DEGREES, q * DEGREES, r * DEGREES,
            math.sqrt(u * u + v * v + w * w), snap.course_of(v_north, v_east), v_down, float(motion.altitude_m[0]),
            depth, *env.randomise.current_n[0].tolist(), 0.0, math.nan,
        ), strict=True))  # fmt: skip
        limits, vehicle = self._limits, batch.vehicle
        actual, (drives, angles) = batch.thrusters[0], env.told
        shares = [
            *limits.shares(np.asarray(actual, float), limits.actual), *(batch.surfaces[0] * DEGREES).tolist(),
            *limits.shares(drives[0], limits.told), *(angles[0] * DEGREES).tolist(),
        ]  # fmt: skip
        values |= self._still | dict(zip(snap.actuator_columns(vehicle), shares, strict=True))
        row = np.array([values.get(name, math.nan) for name in self.columns], np.float32)
        with self._lock:
            self._row, self.time_s = row, float(motion.time_s[0])

    # ---- the server's side --------------------------------------------------------------------------------------

    def hello(self) -> dict[str, Any]:
        """What a page needs besides snapshots."""
        with self._lock:
            return plain(self._hello)

    def input(self, sticks: Input) -> None:
        """Sticks move nothing here."""

    def order(self, name: str, values: Mapping[str, Any]) -> None:
        """Nothing can be ordered."""
        del values
        raise CommandError(f"a policy has this vehicle: the order {name} is for a flight")

    def tick(self) -> None:
        """The environment goes on by itself."""

    def snapshot_into(self, row: NDArray[np.float32]) -> None:
        """The newest row."""
        with self._lock:
            row[: len(self.columns)] = self._row

    def take_events(self) -> list[dict[str, Any]]:
        """Nothing is told."""
        return []

    def close(self) -> None:
        """Nothing is open."""


class ConsoleViewer:
    """The console on environment 0, and the clock on the wall."""

    def __init__(self, env: VectorEnvironment) -> None:
        self._source = Spectated(env)
        self._source.began(env)
        self._console = Console(lambda: self._source)
        self._console.start()
        self.address = self._console.address
        self._next_s = time.monotonic()
        print(f"pelagos: watch environment 0 at {self.address}", file=sys.stderr)

    def began(self, env: VectorEnvironment, where: NDArray[np.int64]) -> None:
        """New episodes, perhaps that of environment 0."""
        if 0 in where:
            self._source.began(env)

    def stepped(self, env: VectorEnvironment) -> None:
        """Show the newest state, no sooner than the clock says."""
        self._source.put(env)
        now = time.monotonic()
        self._next_s = max(self._next_s + env.interval_s, now - env.interval_s)
        time.sleep(max(0.0, self._next_s - now))

    def frame(self, env: VectorEnvironment) -> None:
        """The page has it already."""
        del env

    def close(self) -> None:
        """End the server."""
        self._console.stop()
