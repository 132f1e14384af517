"""Sensor readings as ROS messages: one function for each kind of sensor.

Stamps are times of measurement. A missing echo is +inf (REP 117); a missing velocity or fix gives no message. Variances
are those of the noise and bias in the data sheet (zero: unknown), and `UNKNOWN` for quantities that are not measured.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from pelagos.frames import quaternion_from_euler
from pelagos.links.ros.frames import enu, flu, quaternion_enu
from pelagos.links.ros.vehicle import MAP, MountedSensor
from pelagos.messages import Reading
from pelagos.sensors.base import Array
from pelagos.sensors.sound.imaging import decibels

ATMOSPHERE_PA = 101325.0
UNKNOWN = 1e9  # variance of a quantity that is not measured: large enough to be ignored by filters
FLOOR_DB = -60.0  # black in a sonar image; its brightest cell, 0 dB, is white
RPM = math.pi / 30.0  # rad/s
TWIST, CLOUD = "geometry_msgs/TwistWithCovarianceStamped", "sensor_msgs/PointCloud2"
FIX = "geometry_msgs/PoseWithCovarianceStamped"
LEVEL = {"x": 0.0, "y": 0.0, "z": 0.0, "w": 1.0}
NOTHING = {"x": 0.0, "y": 0.0, "z": 0.0}
ABSENT = [-1.0] + [0.0] * 8  # sensor_msgs/Imu: -1 marks a quantity that the sensor does not have
Values = dict[str, Any]


class TopicSpec(NamedTuple):
    """Topic of a sensor: suffix of its name, message type and description."""

    suffix: str
    type: str
    words: str


class Kind(NamedTuple):
    """Topics of a kind of sensor, and the function that returns values for each, or None without data."""

    topics: tuple[TopicSpec, ...]
    fill: Callable[[MountedSensor, Reading, Values, Array | None], Sequence[Values | None]]


def stamp(time_s: float) -> dict[str, int]:
    """Return a time as builtin_interfaces/Time: seconds and nanoseconds."""
    sec, nanosec = divmod(round(time_s * 1e9), 1_000_000_000)
    return {"sec": sec, "nanosec": nanosec}


def header(time_s: float, frame: str) -> Values:
    """Return a std_msgs/Header."""
    return {"stamp": stamp(time_s), "frame_id": frame}


def vector(values: Sequence[float] | Array) -> dict[str, float]:
    """Return a geometry_msgs/Vector3 or Point."""
    x, y, z = values
    return {"x": float(x), "y": float(y), "z": float(z)}


def rotation(values: Sequence[float] | Array) -> dict[str, float]:
    """Return a geometry_msgs/Quaternion."""
    x, y, z, w = values
    return {"x": float(x), "y": float(y), "z": float(z), "w": float(w)}


def diagonal(*values: float) -> list[float]:
    """Return a diagonal covariance matrix, row-major."""
    n = len(values)
    out = [0.0] * (n * n)
    out[:: n + 1] = values
    return out


def _xyz(at: MountedSensor, reading: Reading, first: str) -> Array:
    """Return three neighbouring values of a reading by the name of the first column."""
    k = at.columns.index(first)
    return reading.values[k : k + 3]


def _imu(at: MountedSensor, reading: Reading, head: Values, picture: Array | None) -> Sequence[Values | None]:
    sensor: Any = at.sensor
    turn, force = (sensor.gyro_noise**2 * sensor.rate_hz, sensor.accel_noise**2 * sensor.rate_hz)
    return [{
        "header": head, "orientation": LEVEL, "orientation_covariance": ABSENT,
        "angular_velocity": vector(np.radians(flu(_xyz(at, reading, "gyro_x_deg_s")))),
        "angular_velocity_covariance": diagonal(turn, turn, turn),
        "linear_acceleration": vector(flu(_xyz(at, reading, "accel_x_m_s2"))),
        "linear_acceleration_covariance": diagonal(force, force, force),
    }]  # fmt: skip


def _depth(at: MountedSensor, reading: Reading, head: Values, picture: Array | None) -> Sequence[Values | None]:
    """Convert the depth of the gauge back to pressure, with the density that the gauge assumes."""
    sensor: Any = at.sensor
    weight = (sensor.assumed_density_kg_m3 or at.fit.density_kg_m3) * at.fit.gravity_m_s2
    depth = float(reading.values[0])
    variance = weight**2 * (sensor.noise_m**2 + sensor.bias_m**2)
    return [{"header": head, "fluid_pressure": ATMOSPHERE_PA + weight * depth, "variance": variance}]


def _compass(at: MountedSensor, reading: Reading, head: Values, picture: Array | None) -> Sequence[Values | None]:
    sensor: Any = at.sensor
    heading, roll, pitch = (np.radians([*reading.values, 0.0, 0.0][:3])).tolist()
    q = quaternion_enu(quaternion_from_euler(roll, pitch, heading))
    yaw = math.radians(1.0) ** 2 * (sensor.noise_deg**2 + sensor.bias_deg**2)
    tilt = math.radians(1.0) ** 2 * (sensor.tilt_noise_deg**2 + sensor.tilt_bias_deg**2) if sensor.tilt else UNKNOWN
    return [{
        "header": head, "orientation": rotation(q), "orientation_covariance": diagonal(tilt, tilt, yaw),
        "angular_velocity": NOTHING, "angular_velocity_covariance": ABSENT,
        "linear_acceleration": NOTHING, "linear_acceleration_covariance": ABSENT,
    }]  # fmt: skip


def _twist(head: Values, linear: Sequence[float] | Array, variances: Sequence[float]) -> Values:
    covariance = diagonal(*variances, UNKNOWN, UNKNOWN, UNKNOWN)
    return {
        "header": head,
        "twist": {"twist": {"linear": vector(linear), "angular": NOTHING}, "covariance": covariance},
    }


def _dvl(at: MountedSensor, reading: Reading, head: Values, picture: Array | None) -> Sequence[Values | None]:
    sensor: Any = at.sensor
    level = sensor.noise_m_s**2 + sensor.bias_m_s**2
    angle = math.radians(sensor.beam_angle_deg)
    # Vertical over horizontal variance of four Janus beams.
    share = (math.sin(angle) / (math.sqrt(2.0) * math.cos(angle))) ** 2
    ground, water = _xyz(at, reading, "velocity_x_m_s"), _xyz(at, reading, "water_x_m_s")
    height = float(reading.values[at.columns.index("altitude_m")])
    slow = level * sensor.water_noise_factor**2
    return [
        _twist(head, flu(ground), (level, level, share * level)) if np.isfinite(ground).all() else None,
        _twist(head, flu(water), (slow, slow, share * slow)) if np.isfinite(water).all() else None,
        {"data": height} if math.isfinite(height) else None,
    ]


def _water_speed(at: MountedSensor, reading: Reading, head: Values, picture: Array | None) -> Sequence[Values | None]:
    sensor: Any = at.sensor
    variance = sensor.noise_m_s**2 + sensor.bias_m_s**2
    return [_twist(head, (float(reading.values[0]), 0.0, 0.0), (variance, UNKNOWN, UNKNOWN))]


def _range(head: Values, sensor: Any, opening_deg: float, metres: float) -> Values:
    return {
        "header": head, "radiation_type": 0, "field_of_view": math.radians(opening_deg),
        "min_range": sensor.min_range_m, "max_range": sensor.max_range_m,
        "range": metres if math.isfinite(metres) else math.inf,
    }  # fmt: skip


def _altimeter(at: MountedSensor, reading: Reading, head: Values, picture: Array | None) -> Sequence[Values | None]:
    sensor: Any = at.sensor
    return [_range(head, sensor, sensor.beam_width_deg, float(reading.values[0]))]


def _sonar(at: MountedSensor, reading: Reading, head: Values, picture: Array | None) -> Sequence[Values | None]:
    """Return the scan from above to below and the nearest range; a sonar with horizontal ranges has no scan."""
    sensor: Any = at.sensor
    n = sensor.n_beams
    # Some sonars report the largest range where there is no echo; REP 117 wants +inf.
    far = sensor.max_range_m if sensor.no_echo == "max_range" else math.inf
    ranges = [r if r < far else math.inf for r in reading.values[: n + 1].tolist()]
    nearest = _range(head, sensor, sensor.fan_deg, ranges[n])
    if sensor.reading != "slant":
        return [None, nearest]
    angles = np.radians(sensor.elevations_deg).tolist()
    return [{
        "header": head, "angle_min": angles[0], "angle_max": angles[-1],
        "angle_increment": angles[1] - angles[0] if n > 1 else 0.0, "time_increment": 0.0,
        "scan_time": 1.0 / sensor.rate_hz, "range_min": sensor.min_range_m, "range_max": sensor.max_range_m,
        "ranges": ranges[:n], "intensities": [],
    }, nearest]  # fmt: skip


def cloud(head: Values, points: Array, names: Sequence[str] = ("x", "y", "z")) -> Values:
    """Return points (n, names) as a PointCloud2 of float32; missing points are NaN."""
    n, size = len(points), 4 * len(names)
    return {
        "header": head, "height": 1, "width": n,
        "fields": [{"name": name, "offset": 4 * k, "datatype": 7, "count": 1} for k, name in enumerate(names)],
        "is_bigendian": False, "point_step": size, "row_step": size * n,
        "data": np.ascontiguousarray(points, "<f4").tobytes(), "is_dense": bool(np.isfinite(points).all()),
    }  # fmt: skip


def _multibeam(at: MountedSensor, reading: Reading, head: Values, picture: Array | None) -> Sequence[Values | None]:
    sensor: Any = at.sensor
    angles, ranges = np.radians(sensor.angles_deg), np.asarray(reading.values, float)
    beams = np.column_stack([np.zeros_like(angles), np.sin(angles), np.cos(angles)])
    return [cloud(head, flu(ranges[:, None] * beams))]


def _imaging(at: MountedSensor, reading: Reading, head: Values, picture: Array | None) -> Sequence[Values | None]:
    """Return the image, and the echoes in the middle plane, because such a sonar does not measure elevation."""
    near, near_deg, bright, bright_deg = reading.values.tolist()
    two = _echoes(head, np.array([near, bright]), np.array([near_deg, bright_deg]), np.full(2, math.nan))
    if picture is None:
        return [None, two]
    sensor: Any = at.sensor
    top = float(picture.max())
    level = decibels(picture / top, FLOOR_DB) if top > 0.0 else np.full(picture.shape, FLOOR_DB)
    best = picture.argmax(axis=0)
    lit = np.flatnonzero(picture.max(axis=0) > 0.0)
    # An image built up over several pings has bearings measured from earlier positions of the vehicle.
    whole = (sensor.beams_per_ping or sensor.n_bearings) == sensor.n_bearings
    echoes = (
        _echoes(head, sensor.ranges_m[best[lit]], sensor.bearings_deg[lit], level[best[lit], lit]) if whole else two
    )
    cells = np.rint(255.0 * (1.0 - level / FLOOR_DB)).astype(np.uint8)
    rows, columns = picture.shape
    return [{
        "header": head, "height": rows, "width": columns, "encoding": "mono8", "is_bigendian": 0, "step": columns,
        "data": cells.tobytes(),
    }, echoes]  # fmt: skip


def _echoes(head: Values, ranges_m: Array, bearings_deg: Array, level_db: Array) -> Values:
    b = np.radians(bearings_deg)
    points = flu(np.column_stack([ranges_m * np.cos(b), ranges_m * np.sin(b), np.zeros_like(b)]))
    return cloud(head, np.column_stack([points, level_db]), ("x", "y", "z", "intensity"))


def _gps(at: MountedSensor, reading: Reading, head: Values, picture: Array | None) -> Sequence[Values | None]:
    _, _, lat, lon, accuracy = reading.values.tolist()
    variance = 0.5 * accuracy**2  # per axis: the accuracy is sqrt(2) sigma
    return [{
        "header": head, "status": {"status": 0, "service": 1}, "latitude": lat, "longitude": lon,
        "altitude": math.nan, "position_covariance": diagonal(variance, variance, UNKNOWN),
        "position_covariance_type": 1,
    }]  # fmt: skip


def _fix(at: MountedSensor, reading: Reading, head: Values, picture: Array | None) -> Sequence[Values | None]:
    """Return the position of the vehicle's transponder in the map frame."""
    sensor: Any = at.sensor
    place = _xyz(at, reading, "north_m")
    if not np.isfinite(place).all():
        return [None]
    variance = sensor.noise_m**2 + sensor.bias_m**2
    pose = {"position": vector(enu(place)), "orientation": LEVEL}
    covariance = diagonal(variance, variance, variance, UNKNOWN, UNKNOWN, UNKNOWN)
    return [{"header": {**head, "frame_id": MAP}, "pose": {"pose": pose, "covariance": covariance}}]


def _battery(at: MountedSensor, reading: Reading, head: Values, picture: Array | None) -> Sequence[Values | None]:
    """Return the battery state; the current is negative while discharging."""
    sensor: Any = at.sensor
    volts, amperes, _, left = reading.values.tolist()
    return [{
        "header": head, "voltage": volts, "temperature": math.nan, "current": -amperes, "charge": left,
        "capacity": sensor.capacity_Ah, "design_capacity": sensor.capacity_Ah, "percentage": left / sensor.capacity_Ah,
        "power_supply_status": 2, "power_supply_health": 0, "power_supply_technology": 0, "present": True,
        "cell_voltage": [], "cell_temperature": [], "location": at.name, "serial_number": "",
    }]  # fmt: skip


def joints(head: Values, names: Sequence[str], units: Sequence[str], values: Sequence[float]) -> Values:
    """Return a JointState of actuators: rpm as velocity (rad/s), N as effort, deg (as rad), V, throttle as position."""
    n = len(names)
    position, velocity, effort = [math.nan] * n, [math.nan] * n, [math.nan] * n
    for k, (unit, value) in enumerate(zip(units, values, strict=True)):
        if unit == "rpm":
            velocity[k] = RPM * value
        elif unit == "N":
            effort[k] = value
        else:
            position[k] = math.radians(value) if unit == "deg" else value
    return {"header": head, "name": list(names), "position": position, "velocity": velocity, "effort": effort}


def _tachometer(at: MountedSensor, reading: Reading, head: Values, picture: Array | None) -> Sequence[Values | None]:
    units = [unit for unit, _ in at.fit.thruster_units]
    return [joints(head, at.fit.thrusters, units, reading.values.tolist())]


def _planes(at: MountedSensor, reading: Reading, head: Values, picture: Array | None) -> Sequence[Values | None]:
    names = at.fit.surfaces
    return [joints(head, names, ["deg"] * len(names), reading.values.tolist())]


def _leak(at: MountedSensor, reading: Reading, head: Values, picture: Array | None) -> Sequence[Values | None]:
    return [{"data": bool(reading.values[0] > 0.5)}]


def _any(at: MountedSensor, reading: Reading, head: Values, picture: Array | None) -> Sequence[Values | None]:
    n = len(reading.values)
    dimension = {"label": ",".join(at.columns), "size": n, "stride": n}
    return [{"layout": {"dim": [dimension], "data_offset": 0}, "data": reading.values.tolist()}]


KINDS: dict[str, Kind] = {
    "imu": Kind((TopicSpec("", "sensor_msgs/Imu", "rates and specific force, +g up at rest; no orientation"),), _imu),
    "depth": Kind((TopicSpec("", "sensor_msgs/FluidPressure", "absolute pressure, air at 101325 Pa"),), _depth),
    "compass": Kind((TopicSpec("", "sensor_msgs/Imu", "orientation; heading alone without a tilt sensor"),), _compass),
    "water_speed": Kind((TopicSpec("", TWIST, "speed through the water along x"),), _water_speed),
    "rpm": Kind((TopicSpec("", "sensor_msgs/JointState", "shaft rates, as /thrusters"),), _tachometer),
    "planes": Kind((TopicSpec("", "sensor_msgs/JointState", "angles of the planes, as /surfaces"),), _planes),
    "battery": Kind((TopicSpec("", "sensor_msgs/BatteryState", "volts, amperes, Ah left"),), _battery),
    "gps": Kind((TopicSpec("", "sensor_msgs/NavSatFix", "a fix, at the surface only"),), _gps),
    "leak": Kind((TopicSpec("", "std_msgs/Bool", "true for a leak"),), _leak),
    "dvl": Kind((
        TopicSpec("", TWIST, "velocity over ground of the log's point, while it has bottom lock"),
        TopicSpec("/water", TWIST, "velocity through the water"),
        TopicSpec("/altitude", "std_msgs/Float64", "height of the log over the bottom, m"),
    ), _dvl),
    "altimeter": Kind((TopicSpec("", "sensor_msgs/Range", "along its beam; +inf without an echo"),), _altimeter),
    "usbl": Kind((TopicSpec("", FIX, "place of the transponder, in map"),), _fix),
    "lbl": Kind((TopicSpec("", FIX, "place of the transponder, in map"),), _fix),
    "navigation_sonar": Kind((
        TopicSpec("", "sensor_msgs/LaserScan", "the fan of beams, from above to below"),
        TopicSpec("/nearest", "sensor_msgs/Range", "the smallest range"),
    ), _sonar),
    "multibeam": Kind((TopicSpec("", CLOUD, "soundings of the swath; NaN without an echo"),), _multibeam),
    "imaging_sonar": Kind((
        TopicSpec("", "sensor_msgs/Image", "echoes, 60 dB: ranges down, bearings port to starboard; not from logs"),
        TopicSpec("/echoes", CLOUD, "brightest echo of each bearing, dB; step by step or from logs: nearest brightest"),
    ), _imaging),
}  # fmt: skip
OTHER = Kind(
    (TopicSpec("", "std_msgs/Float64MultiArray", "values of an instrument of your own; the label names them"),), _any
)


def kind_of(fitted: MountedSensor) -> Kind:
    """Return the topics of a sensor."""
    return KINDS.get(fitted.sensor.kind, OTHER)
