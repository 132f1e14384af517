"""Navigator: an error-state Kalman filter that estimates the motion from readings as they arrive.

Readings are used in the order in which they were measured. The filter runs behind the present by the largest latency of
its instruments, so that all readings of its time have arrived, and the motion now is the filter's state propagated
through the IMU readings since then. So a late reading is compared with the state of its own instant, and none is used
out of order.
"""

from __future__ import annotations

import copy
import math
from bisect import insort
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pelagos.checks import NAVIGATION, choice
from pelagos.estimation import error_state as es
from pelagos.estimation.aiding import Aid, Measurement, ModelAid, make_aids
from pelagos.estimation.altitude import LatestAltitude
from pelagos.estimation.base import Navigation
from pelagos.estimation.error_state import chi_square_point
from pelagos.estimation.strapdown import (
    GYRO,
    MOTION,
    QUAT,
    RATE,
    READ_F,
    READ_W,
    SHIFT,
    TILT,
    VEL,
    States,
    advance,
    make_inertial,
)
from pelagos.frames import quaternion_from_euler, quaternion_product, rotation_from_quaternion
from pelagos.messages import Actuation, Estimate, Reading, VehicleState
from pelagos.sensors.base import Sensor
from pelagos.sensors.imu import Imu
from pelagos.sensors.sound.dvl import Dvl
from pelagos.sensors.water_speed import WaterSpeed
from pelagos.units import GRAVITY
from pelagos.vehicle.spec import Vehicle

Array = NDArray[np.float64]
COLUMNS = (
    "est_north_m", "est_east_m", "est_depth_m", "est_roll_deg", "est_pitch_deg", "est_heading_deg",
    "est_surge_m_s", "est_sway_m_s", "est_heave_m_s",
    "est_north_sigma_m", "est_east_sigma_m", "est_depth_sigma_m", "est_heading_sigma_deg", "nees",
)  # fmt: skip
CURRENT_COLUMNS = ("est_current_north_m_s", "est_current_east_m_s")
ROWS = 48  # of the IMU that are stored before the used ones are dropped
RADIAN = math.pi / 180.0
SOON = 1e-9  # s, rounding of times
LEVEL_EVERY_S, LEVEL_RAD = 1.0, math.radians(5.0)  # while coasting, a vehicle counts as level within this
DOF = MOTION  # of `consistency`: position, velocity, attitude
# parts of the row x of `strapdown`
VELOCITY, ATTITUDE = slice(VEL, VEL + 3), slice(QUAT, QUAT + 4)
GYRO_BIAS, RATES = slice(GYRO, GYRO + 3), slice(RATE, RATE + 3)
TURN = slice(TILT, TILT + 3)  # of the error states; position and velocity have the same places there as in x
FORCES, TURN_RATES = slice(READ_F, READ_W), slice(READ_W, READ_W + 3)  # of an IMU row


class Navigator:
    """Estimator of position, velocity, attitude and their uncertainty from the readings of a vehicle's instruments.

    Args:
        sensors: descriptions by name, such as `SensorSuite.sensors`.
        navigation: settings; those of `Navigation()` if not given.
        vehicle: whose dynamics help in mode "model".
        mode: in place of that of the settings.
        gravity_m_s2: where the vehicle is.
        density_kg_m3: of the water, for the vehicle's dynamics; that of its file if not given.
        seed: of the errors at the start.
    """

    def __init__(
        self,
        sensors: Mapping[str, Sensor],
        *,
        navigation: Navigation | None = None,
        vehicle: Vehicle | None = None,
        mode: str | None = None,
        gravity_m_s2: float = GRAVITY,
        density_kg_m3: float | None = None,
        seed: int = 0,
    ) -> None:
        self.navigation = chosen = navigation or Navigation()
        self.mode = mode or chosen.mode
        choice("mode", self.mode, ("dvl", "model"), context=NAVIGATION)
        if self.mode == "model" and vehicle is None:
            NAVIGATION.fail("mode", value=self.mode, expected="a vehicle whose dynamics are known")
        self.seed = seed
        imus = {name: sensor for name, sensor in sensors.items() if isinstance(sensor, Imu)}
        self._imu_name, self._imu = next(iter(imus.items()), ("", None))
        self._imu_b = np.asarray(self._imu.position_m if self._imu else (0.0, 0.0, 0.0), float)
        self._arm: tuple[float, float, float] = tuple(self._imu_b.tolist())
        self.states = States()
        water = self.mode == "model" or any(
            isinstance(s, WaterSpeed) or (isinstance(s, Dvl) and s.water_track) for s in sensors.values()
        )
        self._current = -1
        if water:
            walk = chosen.current_walk_m_s_sqrt_h / 60.0
            self._current = self.states.add("current", 2, max(chosen.current_sigma_m_s, 1e-6), walk=walk)
        self._aids: dict[str, Aid] = make_aids(
            sensors, self.states, self._imu_b, noise=chosen.aiding_noise, wave_m=chosen.wave_sigma_m,
            current=self._current,
        )  # fmt: skip
        self._model = self._pseudo = None
        if self.mode == "model" and vehicle is not None:
            self._model = ModelAid(vehicle, gravity_m_s2=gravity_m_s2, density_kg_m3=density_kg_m3)
            bias = self.states.add(
                "model bias", 3, 0.0, wander=chosen.model_bias_m_s, memory_s=chosen.model_memory_s
            )  # fmt: skip
            lever = np.concatenate([-self._imu_b, np.zeros(3)])
            self._pseudo = Measurement(es.VELOCITY, 3, lever, np.array([self._current, -1, -1, bias]))
            self._pseudo.sigma[:] = max(chosen.model_noise_m_s, 1e-3)
        self._check_instruments()
        self._altitude = LatestAltitude(sensors)
        self._prepare(gravity_m_s2)
        self.columns: tuple[str, ...] = COLUMNS + (CURRENT_COLUMNS if self._current >= 0 else ())
        self.start(VehicleState(0.0, np.zeros(3), 0.0, 0.0, 0.0, np.zeros(6), np.zeros(6)))

    def _check_instruments(self) -> None:
        """Refuse instruments from which no position follows, and name those that are missing."""
        aids = self._aids.values()
        missing: list[str] = []
        if self._model is None and not any(aid.velocity or aid.position for aid in aids):
            missing.append("dvl, gps, usbl, lbl or water_speed (or mode = model)")
        if self._imu is None and not any(aid.heading for aid in aids):
            missing.append("imu or compass")
        if self._imu is None and self._model is None and not any(aid.velocity for aid in aids):
            missing.append("imu, or dvl")
        if missing:
            NAVIGATION.fail("instruments", value=list(self._aids), expected=f"also {'; '.join(missing)}")

    def _prepare(self, gravity: float) -> None:
        """Set noise of the IMU and of coasting, gates and delay."""
        chosen, imu = self.navigation, self._imu
        self._inertial = make_inertial(chosen, imu, self.states, gravity)
        self._sigma, self._walk, self._rate = self.states.arrays()
        self._gates = [math.inf if chosen.gate >= 1.0 else chi_square_point(chosen.gate, m) for m in (1, 2, 3)]
        self._gates.insert(0, math.inf)  # so that the gate of m numbers is self._gates[m]
        late = [aid.longest_s for aid in self._aids.values()]
        self.delay_s = max([*late, imu.latency_s if imu else 0.0, 0.0])
        self._askew = imu is not None and any(imu.orientation_deg)
        # a reading holds until the next but one is overdue; then the IMU counts as lost
        self._hold_s = imu.latency_s + 2.5 / imu.rate_hz if imu else 0.0
        self._level = Measurement(es.LEVEL, 2, np.zeros(6), np.full(4, -1))
        self._level.sigma[:] = LEVEL_RAD

    def start(self, state: VehicleState) -> None:
        """Start at the true state plus errors drawn from the settings; the true state is not used again."""
        chosen, rng = self.navigation, np.random.default_rng([self.seed, *b"navigation"])
        error = rng.standard_normal(DOF)
        tilt, heading = math.radians(chosen.tilt_sigma_deg), math.radians(chosen.heading_sigma_deg)
        across, speed = chosen.position_sigma_m, chosen.velocity_sigma_m_s
        first = np.array([across, across, chosen.depth_sigma_m, speed, speed, speed, tilt, tilt, heading])
        error *= first
        self._x, self._P = np.zeros(self.states.n + 4), np.diag(np.concatenate([first, self._sigma[DOF:]]) ** 2)
        self._inertial.spread(self._P)
        place, velocity, quaternion = self._at_imu(state)
        self._x[:3], self._x[VELOCITY] = place + error[:3], velocity + error[VELOCITY]
        half = 0.5 * error[TURN]  # attitude errors are small: a first-order quaternion, normalised
        turn = np.array([1.0, *half]) / math.sqrt(1.0 + float(half @ half))
        self._x[ATTITUDE] = quaternion_product(turn, quaternion)
        self._x[RATES] = state.nu[3:]
        self._time_s = self._now_s = state.time_s
        self._now_x, self._now_P = self._x.copy(), self._P.copy()
        self._rows, self._count = np.zeros((2 * ROWS, 7)), 0
        self._pending: list[tuple[float, int, str, Any]] = []
        self._serial, self._coasting, self._level_s = 0, False, state.time_s
        self.accepted = dict.fromkeys([*self._aids, *(["model"] if self._model else [])], 0)
        self.rejected = dict.fromkeys(self.accepted, 0)
        self.innovations: dict[str, float] = {}
        self._altitude.start()
        self._nees = math.nan
        if self._model is not None:
            self._model.start(rotation_from_quaternion(self._x[ATTITUDE]).T @ self._x[VELOCITY])
        self._estimate(state.time_s, {})

    def _at_imu(self, state: VehicleState) -> tuple[Array, Array, Array]:
        """Position, velocity over ground (NED) and attitude of the point the filter follows."""
        quaternion = quaternion_from_euler(state.roll, state.pitch, state.yaw)
        R = rotation_from_quaternion(quaternion)
        u, v, w, p, q, r = state.nu.tolist()
        x, y, z = self._imu_b.tolist()
        velocity_b = np.array([u + q * z - r * y, v + r * x - p * z, w + p * y - q * x])
        return state.pos_n + R @ self._imu_b, R @ velocity_b, quaternion

    def update(self, time_s: float, arrived: Sequence[Reading], applied: Actuation) -> Estimate:
        """Estimated motion now, from all readings up to now; `applied`: actuation since the last call."""
        latest: dict[str, Reading] = {}
        rows: list[list[float]] = []
        for reading in arrived:
            name = reading.sensor
            latest[name] = reading
            if name == self._imu_name:
                rows.append([reading.time_s, *reading.values.tolist()])
            elif name in self._aids:
                self._queue(reading.time_s, name, reading.values)
        if rows:
            self._keep(rows)
        if self._model is not None and time_s > self._now_s + SOON:
            self._run_model(self._model, time_s - self._now_s, time_s, applied)
        self._now_s = time_s
        end = max(time_s - self.delay_s, self._time_s)
        while self._pending and self._pending[0][0] <= end + SOON:  # in order of measurement, not of arrival
            at, _, name, values = self._pending.pop(0)
            self._advance(at)
            self._use(name, values)
        self._advance(end)
        if self.delay_s > 0.0:
            self._now_x[:], self._now_P[:] = self._x, self._P
            self._carry(self._now_x, self._now_P, self._time_s, time_s)
        else:
            self._now_x, self._now_P = self._x, self._P  # no delay: the same arrays, without a copy
        return self._estimate(time_s, latest)

    def _keep(self, rows: list[list[float]]) -> None:
        """Store IMU readings, in body axes and rad/s; readings that are used up are dropped now and then."""
        if self._count > ROWS:
            used = int(np.searchsorted(self._rows[: self._count, 0], self._time_s + SOON, side="right")) - 1
            if used > 0:
                self._count -= used
                self._rows[: self._count] = self._rows[used : used + self._count].copy()
        sound = [row for row in rows if math.isfinite(sum(row))]
        first, self._count = self._count, self._count + len(sound)
        if self._count > len(self._rows):
            self._rows = np.concatenate([self._rows, np.zeros((self._count, 7))])
        if sound:
            new = self._rows[first : self._count]
            new[:] = sound
            new[:, TURN_RATES] *= RADIAN
            if self._askew:
                turn = self._inertial.turn.T
                for part in (FORCES, TURN_RATES):
                    new[:, part] = new[:, part] @ turn

    def _queue(self, time_s: float, name: str, values: Any) -> None:
        self._serial += 1  # readings of one instant stay in the order of their arrival
        insort(self._pending, (time_s, self._serial, name, values))

    def _run_model(self, model: ModelAid, seconds: float, time_s: float, applied: Actuation) -> None:
        x = self._now_x
        velocity = model.advance(seconds, x[ATTITUDE], x[RATES] - x[GYRO_BIAS], float(x[2]), applied)
        if velocity is not None:
            self._queue(time_s, "model", velocity)

    def _carry(self, x: Array, P: Array, start: float, end: float) -> bool:
        fixed = self._inertial
        return advance(
            x, P, self._rows, self._count, start, end, self._hold_s, fixed.settings, fixed.axes, self._walk, self._rate
        )  # fmt: skip

    def _advance(self, end: float) -> None:
        if end > self._time_s:
            self._coasting = self._carry(self._x, self._P, self._time_s, end)
            self._time_s = end
            if self._coasting and end >= self._level_s:
                self._level_s = end + LEVEL_EVERY_S
                self._fuse(self._level)

    def _use(self, name: str, values: Any) -> None:
        if name == "model" and self._pseudo is not None:
            self._pseudo.z[:] = values
            self._count_innovation(name, self._fuse(self._pseudo))
            return
        for measurement in self._aids[name].read(values.tolist(), self._coasting):
            self._count_innovation(name, self._fuse(measurement))

    def _fuse(self, a: Measurement) -> float:
        return es.fuse(self._x, self._P, a.kind, a.z, a.sigma, a.lever, a.index, a.m, self._gates[a.m])

    def _count_innovation(self, name: str, nis: float) -> None:
        self.innovations[name] = abs(nis)
        counts = self.accepted if nis >= 0.0 else self.rejected
        counts[name] += 1

    def _estimate(self, time_s: float, latest: dict[str, Reading]) -> Estimate:
        x = self._now_x.tolist()
        w, a, b, c = x[ATTITUDE]
        xx, xy, xz = 1.0 - 2.0 * (b * b + c * c), 2.0 * (a * b - w * c), 2.0 * (a * c + w * b)
        yx, yy, yz = 2.0 * (a * b + w * c), 1.0 - 2.0 * (a * a + c * c), 2.0 * (b * c - w * a)
        zx, zy, zz = 2.0 * (a * c - w * b), 2.0 * (b * c + w * a), 1.0 - 2.0 * (a * a + b * b)
        p, q, r = x[RATE] - x[GYRO], x[RATE + 1] - x[GYRO + 1], x[RATE + 2] - x[GYRO + 2]
        i, j, k = self._arm
        north, east, down = x[VELOCITY]
        u = xx * north + yx * east + zx * down - (q * k - r * j)
        v = xy * north + yy * east + zy * down - (r * i - p * k)
        heave = xz * north + yz * east + zz * down - (p * j - q * i)
        if self._current >= 0:
            cn, ce = x[self._current + SHIFT], x[self._current + SHIFT + 1]
            nu_r = np.array([
                u - xx * cn - yx * ce, v - xy * cn - yy * ce, heave - xz * cn - yz * ce, p, q, r,
            ])  # fmt: skip
        else:
            nu_r = np.array([u, v, heave, p, q, r])
        pos_n = np.array([
            x[0] - (xx * i + xy * j + xz * k), x[1] - (yx * i + yy * j + yz * k), x[2] - (zx * i + zy * j + zz * k),
        ])  # fmt: skip
        nu = np.array([u, v, heave, p, q, r])
        sigma = np.sqrt(np.maximum(self._now_P.diagonal()[:DOF], 0.0))
        self._last = Estimate.unchecked(
            time_s, pos_n, math.atan2(zy, zz), math.asin(min(max(-zx, -1.0), 1.0)), math.atan2(yx, xx), nu, nu_r,
            altitude_m=self._altitude.altitude(latest, time_s, (zx, zy, zz)), readings=latest,
            pos_sigma_m=sigma[:3], velocity_sigma_m_s=sigma[VELOCITY], attitude_sigma_rad=sigma[TURN],
        )  # fmt: skip
        return self._last

    def values(self) -> list[float]:
        """Values for the log, in the order of `columns`; `nees` is that of the last call of `consistency`."""
        e = self._last
        heading = math.degrees(e.yaw) % 360.0
        logged = [
            *e.pos_n.tolist(), math.degrees(e.roll), math.degrees(e.pitch), heading, *e.nu[:3].tolist(),
            *e.pos_sigma_m.tolist(), math.degrees(float(e.attitude_sigma_rad[2])), self._nees,
        ]  # fmt: skip
        return logged + (self.current_n.tolist() if self._current >= 0 else [])

    @property
    def current_n(self) -> Array:
        """Estimated current to the north and east, m/s; NaN without an instrument that measures the water."""
        at = self._current + SHIFT
        return self._now_x[at : at + 2].copy() if self._current >= 0 else np.full(2, np.nan)

    @property
    def covariance(self) -> Array:
        """Covariance of the error states now, in the order of `states.names`."""
        return self._now_P.copy()

    def consistency(self, state: VehicleState) -> float:
        """Normalised estimation error squared (NEES) of position, velocity and attitude: chi-square with DOF degrees.

        e^T P^-1 e with e = true - estimated, Bar-Shalom et al. (2001) 5.4.2-1; the attitude error is the turn vector.
        """
        place, velocity, quaternion = self._at_imu(state)
        x = self._now_x
        turn = quaternion_product(quaternion, x[ATTITUDE] * np.array([1.0, -1.0, -1.0, -1.0]))
        size = float(np.linalg.norm(turn[1:]))
        angle = 2.0 * math.atan2(size, abs(float(turn[0]))) * (1.0 if turn[0] >= 0.0 else -1.0)
        e = np.concatenate([place - x[:3], velocity - x[VELOCITY], turn[1:] * (angle / size if size > 0.0 else 0.0)])
        self._nees = float(e @ np.linalg.solve(self._now_P[:DOF, :DOF], e))
        return self._nees

    def __deepcopy__(self, memo: dict[int, Any]) -> Navigator:
        """Copy the state; descriptions stay shared."""
        other = object.__new__(type(self))
        memo[id(self)] = other
        shared = ("navigation", "states", "_imu", "_inertial")
        other.__dict__.update(
            {k: v if k in shared else copy.deepcopy(v, memo) for k, v in self.__dict__.items()}
        )  # fmt: skip
        return other
