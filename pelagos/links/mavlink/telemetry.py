"""Telemetry messages: one method for each MAVLink message, made from the present flight.

MAVLink uses the same NED and body axes as Pelagos, so LOCAL_POSITION_NED needs no conversion. Altitudes are minus the
depth (the world is flat); latitude and longitude follow from the NED position. Position and attitude are the estimate
if the vehicle navigates by its sensors, else the true state. `time_boot_ms` is simulated time and
continues after a reset.

A method returns None if there is no data, such as the distance to a bottom out of range.
"""

from __future__ import annotations

import math
import time
from typing import TYPE_CHECKING, Any

from pelagos.frames import quaternion_from_euler, rotation_from_euler
from pelagos.geodesy import DEFAULT_ORIGIN, Origin
from pelagos.links.mavlink.modes import AUTO, MANUAL, MODES
from pelagos.links.mavlink.wire import ARDUPILOT, SUBMARINE, VERSION, capabilities
from pelagos.sensors.battery import Battery
from pelagos.sensors.gps import Gps
from pelagos.session.snapshot import Limits, course_of, over_ground

if TYPE_CHECKING:
    from pelagos.session.flight import Flight

AIR_HPA = 1013.25  # standard atmosphere: over the water, and inside the hull
ARMED, BY_HAND, STABILISED, GUIDED, CUSTOM = 128, 64, 16, 8, 1  # MAV_MODE_FLAG
STANDBY, ACTIVE, CRITICAL = 3, 4, 5  # MAV_STATE
GYRO, ACCELERATION, COMPASS, PRESSURE, GPS, RANGE = 0x1, 0x2, 0x4, 0x8, 0x20, 0x100  # MAV_SYS_STATUS_SENSOR
RATES, ATTITUDE, YAW, DEPTH, PLACE, MOTORS, AHRS, BATTERY = (
    0x400,
    0x800,
    0x1000,
    0x2000,
    0x4000,
    0x8000,
    0x200000,
    0x2000000,
)
PREARM = 0x10000000  # arming is allowed
FENCE = 0x100000  # reported as healthy although there is none: stations check the health bits only
NO_GPS, NO_FIX, FIX_3D = 0, 1, 3
EKF_GOOD = 0x1 | 0x2 | 0x4 | 0x8 | 0x10 | 0x20 | 0x100 | 0x200  # attitude, velocities and positions are valid
DOWN = 25  # MAV_SENSOR_ROTATION_PITCH_270
UNKNOWN16 = 0xFFFF
OUTPUTS = 16
E7, MM, CM = 1e7, 1e3, 1e2


class Telemetry:
    """Maker of the telemetry messages of the present flight."""

    def __init__(self, messages: Any) -> None:
        self._m = messages
        self._flight: Flight | None = None
        self._base_s = self._last_s = 0.0

    def begin(self, flight: Flight) -> None:
        """Start a new flight; `time_boot_ms` continues."""
        self._base_s, self._flight = self._base_s + self._last_s, flight
        self._last_s = 0.0
        world, vehicle = flight.sim.world, flight.sim.vehicle
        lat, lon = world.origin_lat_deg, world.origin_lon_deg
        self.placed = lat is not None and lon is not None
        self.origin = DEFAULT_ORIGIN if lat is None or lon is None else Origin(lat, lon)
        self._limits = Limits(vehicle, world.surface_density_kg_m3)
        self._antenna = next((sensor for sensor in vehicle.sensors if isinstance(sensor, Gps)), None)
        battery = next((sensor for sensor in vehicle.sensors if isinstance(sensor, Battery)), None)
        self.capacity_Ah = battery.capacity_Ah if battery else 0.0
        self._turned, self._yaw = 0.0, flight.sim.feedback().yaw

    @property
    def flight(self) -> Flight:
        """Present flight."""
        assert self._flight is not None
        return self._flight

    def update(self) -> None:
        """Update the time and the turns of the vehicle, which twist its tether, after a tick."""
        state = self.flight.sim.feedback()
        self._last_s = self.flight.time_s
        # The smallest angle between two headings, summed, counts full turns.
        self._turned += (state.yaw - self._yaw + math.pi) % (2.0 * math.pi) - math.pi
        self._yaw = state.yaw

    @property
    def boot_ms(self) -> int:
        """Simulated time since the link began in ms, modulo 2^32."""
        return round(1e3 * (self._base_s + self.flight.time_s)) & 0xFFFFFFFF

    def heartbeat(self, mode: int, failsafe: bool) -> Any:
        """HEARTBEAT of a submarine with ArduPilot."""
        armed = self.flight.armed
        # Manual input is always possible, in every mode.
        base = CUSTOM | BY_HAND | (ARMED if armed else 0) | (GUIDED if MODES[mode].guided else 0)
        base |= 0 if mode == MANUAL else STABILISED
        state = CRITICAL if failsafe else ACTIVE if armed else STANDBY
        return self._m.MAVLink_heartbeat_message(SUBMARINE, ARDUPILOT, base, mode, state, 3)

    def sys_status(self, mode: int) -> Any:
        """SYS_STATUS: sensors and controllers present, enabled and healthy, and the battery."""
        flight = self.flight
        present = GYRO | ACCELERATION | COMPASS | PRESSURE | RATES | ATTITUDE | YAW | DEPTH | PLACE | MOTORS | AHRS
        present |= GPS if self._antenna else 0
        present |= RANGE if math.isfinite(flight.sim.evaluate().altitude_m) else 0
        present |= BATTERY if self.capacity_Ah else 0
        present |= PREARM
        held = flight.helm.modes
        enabled = present & ~(ATTITUDE | YAW | DEPTH | PLACE | MOTORS)
        auto = mode == AUTO
        for flag, on in (
            (ATTITUDE, auto or held["level"]), (YAW, auto or held["heading"]), (PLACE, auto or held["position"]),
            (DEPTH, auto or held["depth"] or held["altitude"]), (MOTORS, flight.armed),
        ):  # fmt: skip
            enabled |= flag if on else 0
        volts, amperes, percent = self._battery()
        return self._m.MAVLink_sys_status_message(
            present, enabled, present | FENCE, 0,
            UNKNOWN16 if volts is None else min(round(volts * 1e3), UNKNOWN16 - 1),
            -1 if amperes is None else min(round(amperes * CM), 32767), -1 if percent is None else round(percent),
            0, 0, 0, 0, 0, 0,
        )  # fmt: skip

    def battery_status(self) -> Any:
        """BATTERY_STATUS: the battery as one cell."""
        volts, amperes, percent = self._battery()
        if volts is None or percent is None:
            return None
        used_mAh = round((1.0 - percent / 100.0) * self.capacity_Ah * 1e3)
        cells = [min(round(volts * 1e3), UNKNOWN16 - 1)] + [UNKNOWN16] * 9
        return self._m.MAVLink_battery_status_message(
            0, 0, 0, 32767, cells, -1 if amperes is None else min(round(amperes * CM), 32767), used_mAh, -1,
            round(percent),
        )  # fmt: skip

    def _battery(self) -> tuple[float | None, float | None, float | None]:
        """Return volts, amperes and percent; None if unknown."""
        watts, percent, volts = self.flight.electric.values()
        if not math.isfinite(volts) or not math.isfinite(percent):
            return None, None, None
        return volts, watts / volts if volts > 0.0 else None, min(max(percent, 0.0), 100.0)

    def system_time(self) -> Any:
        """SYSTEM_TIME: wall clock and `time_boot_ms`."""
        return self._m.MAVLink_system_time_message(time.time_ns() // 1000, self.boot_ms)

    def ekf_status_report(self) -> Any:
        """EKF_STATUS_REPORT with all estimates valid; stations may wait for that before they allow arming."""
        return self._m.MAVLink_ekf_status_report_message(EKF_GOOD, 0.0, 0.0, 0.0, 0.0, 0.0)

    def attitude(self) -> Any:
        """ATTITUDE: Euler angles and body rates."""
        state = self.flight.sim.feedback()
        return self._m.MAVLink_attitude_message(
            self.boot_ms, _half(state.roll), state.pitch, _half(state.yaw), *state.nu[3:].tolist()
        )

    def attitude_quaternion(self) -> Any:
        """ATTITUDE_QUATERNION: scalar first, body to NED."""
        state = self.flight.sim.feedback()
        turn = quaternion_from_euler(state.roll, state.pitch, state.yaw).tolist()
        return self._m.MAVLink_attitude_quaternion_message(self.boot_ms, *turn, *state.nu[3:].tolist())

    def local_position_ned(self) -> Any:
        """LOCAL_POSITION_NED: position and velocity in NED."""
        position = self.flight.sim.feedback().pos_n.tolist()
        return self._m.MAVLink_local_position_ned_message(self.boot_ms, *position, *self._velocity())

    def global_position_int(self) -> Any:
        """GLOBAL_POSITION_INT; vz is positive down."""
        state = self.flight.sim.feedback()
        lat, lon = self.where(*state.pos_n[:2].tolist())
        depth, heading = float(state.pos_n[2]), round(math.degrees(state.yaw) % 360.0 * CM) % 36000
        return self._m.MAVLink_global_position_int_message(
            self.boot_ms, lat, lon, round((self.origin.height_m - depth) * MM), round(-depth * MM),
            *(min(max(round(v * CM), -32767), 32767) for v in self._velocity()), heading,
        )  # fmt: skip

    def vfr_hud(self) -> Any:
        """VFR_HUD: speed through the water, over ground, heading, mean thrust in percent, minus depth, climb."""
        state = self.flight.sim.feedback()
        north, east, down = self._velocity()
        shares = self.thrust_shares()
        used = 100.0 * sum(map(abs, shares)) / len(shares) if shares else 0.0
        return self._m.MAVLink_vfr_hud_message(
            math.sqrt(sum(v * v for v in state.nu_r[:3].tolist())), math.hypot(north, east),
            round(math.degrees(state.yaw)) % 360, round(used), -float(state.pos_n[2]), -down,
        )  # fmt: skip

    def where(self, north_m: float, east_m: float) -> tuple[int, int]:
        """Return latitude and longitude of a position in degrees times 1e7."""
        lat, lon, _ = self.origin.to_geodetic((north_m, east_m, 0.0))
        return round(lat * E7), round(lon * E7)

    def _velocity(self) -> tuple[float, float, float]:
        state = self.flight.sim.feedback()
        turn = quaternion_from_euler(state.roll, state.pitch, state.yaw).tolist()
        return over_ground(*turn, *state.nu[:3].tolist())

    def scaled_pressure(self) -> Any:
        """SCALED_PRESSURE: constant pressure inside the hull."""
        return self._m.MAVLink_scaled_pressure_message(self.boot_ms, AIR_HPA, 0.0, 0)

    def scaled_pressure2(self) -> Any:
        """SCALED_PRESSURE2: water pressure p = p_0 + rho g d, d below the moving surface; temperature if known."""
        sim = self.flight.sim
        depth, water = self._below(), sim.water
        added = water.density_kg_m3 * water.gravity_m_s2 * max(depth, 0.0) / 100.0
        celsius = float(sim.world.water.temperature(max(depth, 0.0))) if sim.world.water else 0.0
        return self._m.MAVLink_scaled_pressure2_message(self.boot_ms, AIR_HPA + added, added, round(celsius * CM))

    def gps_raw_int(self) -> Any:
        """GPS_RAW_INT: a fix only while the antenna is out of the water."""
        flight, antenna = self.flight, self._antenna
        make, now = self._m.MAVLink_gps_raw_int_message, self.boot_ms * 1000
        if antenna is None or not self._antenna_depth(antenna) < -antenna.clearance_m:
            kind = NO_GPS if antenna is None else NO_FIX
            return make(now, kind, 0, 0, 0, UNKNOWN16, UNKNOWN16, UNKNOWN16, UNKNOWN16, 0)
        north, east, depth = flight.sim.evaluate().position_n.tolist()
        v_north, v_east, _ = self._velocity()
        course = course_of(v_north, v_east)
        over = UNKNOWN16 if math.isnan(course) else round(course * CM) % 36000
        return make(
            now, FIX_3D, *self.where(north, east), round((self.origin.height_m - depth) * MM), 100, 100,
            round(math.hypot(v_north, v_east) * CM), over, 10,
        )  # fmt: skip

    def distance_sensor(self) -> Any:
        """DISTANCE_SENSOR: height above the bottom."""
        altitude = self.flight.sim.feedback().altitude_m
        if not 0.0 <= altitude < 650.0:  # it is sent as 16 bits of centimetres
            return None
        return self._m.MAVLink_distance_sensor_message(self.boot_ms, 0, 65000, round(altitude * CM), 2, 0, DOWN, 255)

    def _below(self) -> float:
        state = self.flight.sim.evaluate()
        return state.local_water.below_m if self.flight.sim.world.surface else float(state.position_n[2])

    def _antenna_depth(self, antenna: Gps) -> float:
        arm = rotation_from_euler(*self.flight.sim.evaluate().euler) @ antenna.position_m
        return self._below() + float(arm[2])

    def thrust_shares(self) -> list[float]:
        """Return the output of each thruster relative to its limit, -1..1."""
        sim = self.flight.sim
        actual = sim.plant.state["actuators"]["thruster"][: len(sim.vehicle.thrusters)]
        return self._limits.shares(actual, self._limits.actual)

    def servo_output_raw(self) -> Any:
        """SERVO_OUTPUT_RAW: thrusters in the order of the vehicle file, 1500 at rest, 1100 and 1900 full; 0 unused."""
        pulses = [round(1500.0 + 400.0 * share) for share in self.thrust_shares()[:OUTPUTS]]
        pulses += [0] * (OUTPUTS - len(pulses))
        time_us = self.boot_ms * 1000 & 0xFFFFFFFF
        return self._m.MAVLink_servo_output_raw_message(time_us, 0, *pulses)

    def named_values(self) -> list[Any]:
        """NAMED_VALUE_FLOAT: camera, lights, gain, turns and tension of the tether, flooded water."""
        flight = self.flight
        low, high = flight.camera_mount.camera.tilt_limit_rad
        tilt = (flight.camera_mount.tilt_rad - low) / (high - low) if high > low else 0.5
        values = {
            "CamTilt": tilt, "Lights1": flight.camera_mount.lights, "PilotGain": flight.helm.gain,
            "TetherTrn": self._turned / (2.0 * math.pi), "Flooded": flight.damage()[0],
        }  # fmt: skip
        line = flight.sim.tether
        if line is not None:
            values |= {"Tension": float(line.head["tension_b"]), "TetherLen": float(line.length_m)}
        make = self._m.MAVLink_named_value_float_message
        return [make(self.boot_ms, name.encode(), value) for name, value in values.items()]

    def gps_global_origin(self) -> Any:
        """GPS_GLOBAL_ORIGIN: geographic position of the NED origin."""
        at = self.origin
        lat, lon = self.where(0.0, 0.0)
        return self._m.MAVLink_gps_global_origin_message(lat, lon, round(at.height_m * MM), self.boot_ms * 1000)

    def home_position(self) -> Any:
        """HOME_POSITION: the NED origin; it cannot be set."""
        at, level = self.origin, [1.0, 0.0, 0.0, 0.0]
        lat, lon = self.where(0.0, 0.0)
        return self._m.MAVLink_home_position_message(
            lat, lon, round(at.height_m * MM), 0.0, 0.0, 0.0, level, 0.0, 0.0, 0.0, self.boot_ms * 1000
        )

    def autopilot_version(self) -> Any:
        """AUTOPILOT_VERSION: the ArduSub version whose modes and parameters are used; its custom part is pelagos."""
        major, minor, patch = VERSION
        custom = list(b"pelagos\0")
        version = major << 24 | minor << 16 | patch << 8 | 255  # 255: FIRMWARE_VERSION_TYPE_OFFICIAL
        return self._m.MAVLink_autopilot_version_message(
            capabilities(self._m), version, 0, 0, 0, custom, [0] * 8, [0] * 8, 0, 0, 0
        )


def _half(angle: float) -> float:
    """Wrap an angle to -pi..pi."""
    return (angle + math.pi) % (2.0 * math.pi) - math.pi
