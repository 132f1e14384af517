"""A steady trip in closed form with real instruments, and a navigator that receives their readings."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np

from pelagos.estimation.base import Navigation
from pelagos.estimation.navigator import Navigator
from pelagos.frames import quaternion_from_euler
from pelagos.messages import Actuation, VehicleState
from pelagos.sensors.base import Sensor, VehicleContext
from pelagos.sensors.compass import Compass
from pelagos.sensors.depth import Depth
from pelagos.sensors.imu import Imu
from pelagos.sensors.instruments.instant import Instant
from pelagos.sensors.sound.dvl import Dvl
from pelagos.sensors.suite import SensorSuite
from pelagos.world.spec import World

G = 9.80665
TICK_S = 0.1
IMU = Imu(
    rate_hz=50.0, position_m=(0.2, 0.1, -0.05), accel_random_walk_m_s_sqrt_h=0.03, gyro_random_walk_deg_sqrt_h=0.15,
    accel_bias_ug=500.0, gyro_bias_deg_h=10.0,
)  # fmt: skip
DEPTH = Depth(rate_hz=10.0, position_m=(0.5, 0.0, 0.1), noise_m=0.01)
COMPASS = Compass(rate_hz=10.0, noise_deg=0.5)
DVL = Dvl(rate_hz=5.0, position_m=(-0.4, 0.0, 0.2), noise_m_s=0.004, water_track=False)
FOUR = (IMU, DEPTH, COMPASS, DVL)
IDLE = Actuation()


class Trip:
    """Level motion with speed u and turn rate r: a circle, a line, or rest. At time 0 at (0, 0, depth), heading 0."""

    def __init__(
        self, sensors: Sequence[Sensor] = FOUR, *, u: float = 0.0, r: float = 0.0, depth_m: float = 20.0,
        current_n: tuple[float, float, float] = (0.0, 0.0, 0.0), pitch: float = 0.0, seed: int = 1,
        bottom_m: float = 40.0, **keys: object,
    ) -> None:  # fmt: skip
        self.u, self.r, self.depth_m, self.current_n, self.pitch = u, r, depth_m, np.array(current_n), pitch
        self.suite = SensorSuite(sensors, VehicleContext(gravity_m_s2=G), seed)
        self.world = World(depth_m=bottom_m)
        self.navigator = Navigator(
            self.suite.sensors, navigation=Navigation(**keys), gravity_m_s2=G, seed=seed
        )  # fmt: skip
        self.navigator.start(self.state(0.0))
        self.ticks = 0

    def motion(self, t: float) -> tuple[np.ndarray, float, np.ndarray]:
        """Position, heading, nu; pitch only at rest."""
        psi = self.r * t
        along = (math.sin(psi) / self.r, (1.0 - math.cos(psi)) / self.r) if self.r else (t, 0.0)
        place = np.array([self.u * along[0], self.u * along[1], self.depth_m]) + t * self.current_n
        c, s = math.cos(psi), math.sin(psi)
        drift_b = np.array(
            [c * self.current_n[0] + s * self.current_n[1], c * self.current_n[1] - s * self.current_n[0]]
        )
        return place, psi, np.array([self.u + drift_b[0], drift_b[1], 0.0, 0.0, 0.0, self.r])

    def state(self, t: float) -> VehicleState:
        place, psi, nu = self.motion(t)
        return VehicleState(t, place, 0.0, self.pitch, math.remainder(psi, 2.0 * math.pi), nu, nu)

    def instant(self, t: float) -> Instant:
        place, psi, nu = self.motion(t)
        return Instant(
            t, place, quaternion_from_euler(0.0, self.pitch, psi), nu, self.current_n, place[2], 40.0 - place[2]
        )

    def run(self, seconds: float, each: Callable[[float], None] | None = None) -> Navigator:
        for _ in range(round(seconds / TICK_S)):
            self.ticks += 1
            now = self.ticks * TICK_S
            instants = [self.instant(now - TICK_S + 0.02 * (k + 1)) for k in range(4)] + [self.instant(now)]
            came = self.suite.sample(instants, self.world)
            self.last = self.navigator.update(now, self.suite.arrived if came else (), IDLE)
            if each is not None:
                each(now)
        return self.navigator

    @property
    def time_s(self) -> float:
        return self.ticks * TICK_S
