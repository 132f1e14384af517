"""Topics and ROS messages of a simulation at each tick, for MCAP files, Foxglove and rosbridge.

`vehicle_tick(sim)` copies the data in the thread of the simulation, in some microseconds; `messages_of(vehicle, tick)`
is a pure function that makes the messages in another thread. The true state is published at every tick, a reading at
the tick by which it has arrived: its stamp is the time of measurement, its message time the time of arrival.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from pelagos.frames import quaternion_from_euler, rotation_from_quaternion
from pelagos.links.ros.frames import covariance_6, covariance_enu, covariance_flu, enu, quaternion_enu
from pelagos.links.ros.readings import (
    LEVEL,
    NOTHING,
    TopicSpec,
    Values,
    header,
    joints,
    kind_of,
    rotation,
    stamp,
    vector,
)
from pelagos.links.ros.vehicle import BASE, MAP, ODOM, RosVehicle
from pelagos.messages import Estimate, Reading
from pelagos.sensors.base import Array
from pelagos.sensors.instruments.imaging import ImagingSonarInstrument
from pelagos.sim.commands import LOG_UNIT
from pelagos.sim.simulation import Simulation

CLOCK, TF, TF_STATIC, ROSOUT = "/clock", "/tf", "/tf_static", "/rosout"
CERTAIN = [0.0] * 36
SHARED = (  # topics common to all vehicles
    TopicSpec(CLOCK, "rosgraph_msgs/Clock", "simulated time"),
    TopicSpec(TF, "tf2_msgs/TFMessage", "odom to base_link, at every tick"),
    TopicSpec(TF_STATIC, "tf2_msgs/TFMessage", "map to odom (the same), base_link to each instrument"),
    TopicSpec(ROSOUT, "rcl_interfaces/Log", "what happened, as sentences"),
)
PER_VEHICLE = (  # topics of each vehicle besides those of its sensors
    TopicSpec("/odom", "nav_msgs/Odometry", "the exact motion: pose in odom, velocities in base_link"),
    TopicSpec("/estimate", "nav_msgs/Odometry", "the same as the navigator has it, with covariances; if there is one"),
    TopicSpec("/thrusters", "sensor_msgs/JointState", "velocity rad/s, effort N, or position: volts or throttle"),
    TopicSpec("/surfaces", "sensor_msgs/JointState", "position rad, sign as in the vehicle's file; if there are any"),
)
INFO, WARN, ERROR = 20, 30, 40
LEVELS = {"fault": WARN, "collision": WARN, "contact": WARN, "warning": WARN, "link": WARN, "link_lost": WARN,
        "overrun": WARN, "stalled": WARN, "refused": WARN, "diverged": ERROR}  # fmt: skip
TYPES = {topic.suffix: topic.type for topic in (*SHARED, *PER_VEHICLE)}


class Message(NamedTuple):
    """ROS message: values as nested dictionaries by field name, and the time of arrival."""

    topic: str
    type: str
    time_ns: int
    values: Values


class VehicleTick(NamedTuple):
    """Data of one vehicle at one tick."""

    time_s: float
    position_n: Array
    quaternion: Array
    nu: Array
    thrusters: tuple[float, ...] = ()  # in the units of the log
    surfaces: tuple[float, ...] = ()  # deg
    readings: tuple[Reading, ...] = ()
    pictures: Mapping[str, Array] = {}  # images of imaging sonars with a new reading
    estimate: Estimate | None = None


def vehicle_tick(sim: Simulation, with_readings: bool = True) -> VehicleTick:
    """Copy the present data of a simulation; call it in the thread of the simulation."""
    state, vehicle = sim.evaluate(), sim.vehicle
    actuators = sim.plant.state["actuators"]
    thrusters = actuators["thruster"][: len(vehicle.thrusters)].tolist()
    factors = [1.0 if t.lag_on == "thrust" else LOG_UNIT[t.drive][1] for t in vehicle.thrusters]
    surfaces = actuators["surface"][: len(vehicle.surfaces)].tolist()
    readings: tuple[Reading, ...] = ()
    pictures: dict[str, Array] = {}
    estimate = None
    if sim.sensing is not None:
        suite, shown = sim.sensing.suite, sim.sensing.feedback
        readings = suite.arrived if with_readings else ()
        estimate = shown if isinstance(shown, Estimate) else None
        for name in {reading.sensor for reading in readings if suite.sensors[reading.sensor].kind == "imaging_sonar"}:
            # Readings hold only the nearest and brightest echo; the image is in the instrument.
            instrument = suite.instrument(name)
            if isinstance(instrument, ImagingSonarInstrument):
                pictures[name] = instrument.image.copy()
    return VehicleTick(
        state.time_s, state.position_n, state.quaternion, state.nu,
        tuple(value * factor for value, factor in zip(thrusters, factors, strict=True)),
        tuple(math.degrees(angle) for angle in surfaces), readings, pictures, estimate,
    )  # fmt: skip


def messages_of(vehicle: RosVehicle, now: VehicleTick) -> list[Message]:
    """Return all messages of one vehicle at one tick."""
    ns = nanoseconds(now.time_s)
    position, attitude = enu(now.position_n).tolist(), quaternion_enu(now.quaternion).tolist()
    head = header(now.time_s, vehicle.frame(ODOM))
    out = [
        Message(f"{vehicle.root}/odom", TYPES["/odom"], ns, _odometry(vehicle, head, position, attitude, now.nu)),
        Message(TF, TYPES[TF], ns, {"transforms": [_transform(head, vehicle.frame(BASE), position, attitude)]}),
    ]
    if now.estimate is not None:
        out.append(Message(f"{vehicle.root}/estimate", TYPES["/estimate"], ns, _estimate(vehicle, head, now.estimate)))
    body = header(now.time_s, vehicle.frame(BASE))
    if vehicle.thrusters:
        names, units = zip(*vehicle.thrusters, strict=True)
        out.append(
            Message(f"{vehicle.root}/thrusters", TYPES["/thrusters"], ns, joints(body, names, units, now.thrusters))
        )
    if vehicle.surfaces:
        degrees = ["deg"] * len(vehicle.surfaces)
        values = joints(body, vehicle.surfaces, degrees, now.surfaces)
        out.append(Message(f"{vehicle.root}/surfaces", TYPES["/surfaces"], ns, values))
    for reading in now.readings:
        out.extend(_reading_messages(vehicle, reading, now.pictures.get(reading.sensor)))
    return out


def clock_message(time_s: float) -> Message:
    """Return the simulated time as a /clock message."""
    return Message(CLOCK, TYPES[CLOCK], nanoseconds(time_s), {"clock": stamp(time_s)})


def static_message(vehicles: Sequence[RosVehicle], time_s: float = 0.0) -> Message:
    """Return the static frames of all vehicles and sensors as a /tf_static message."""
    transforms: list[Values] = []
    for vehicle in vehicles:
        same = {"translation": NOTHING, "rotation": LEVEL}
        transforms.append(
            {"header": header(time_s, MAP), "child_frame_id": vehicle.frame(ODOM), "transform": same}
        )  # fmt: skip
        for at in vehicle.instruments.values():
            head = header(time_s, vehicle.frame(BASE))
            transforms.append({"header": head, "child_frame_id": at.frame, "transform": at.transform()})
    return Message(TF_STATIC, TYPES[TF_STATIC], nanoseconds(time_s), {"transforms": transforms})


def event_message(event: Mapping[str, Any]) -> Message:
    """Return an event with `time_s`, `kind` and `text` as a /rosout message."""
    time_s = float(event["time_s"])
    values = {
        "stamp": stamp(time_s), "level": LEVELS.get(str(event["kind"]), INFO), "name": f"pelagos.{event['kind']}",
        "msg": str(event["text"]), "file": "", "function": "", "line": 0,
    }  # fmt: skip
    return Message(ROSOUT, TYPES[ROSOUT], nanoseconds(time_s), values)


def topics_of(vehicles: Sequence[RosVehicle]) -> dict[str, str]:
    """Return all topics and their types."""
    types = {topic.suffix: topic.type for topic in SHARED}
    for vehicle in vehicles:
        absent = {
            "/estimate": not vehicle.estimates,
            "/thrusters": not vehicle.thrusters,
            "/surfaces": not vehicle.surfaces,
        }
        types |= {vehicle.root + topic.suffix: topic.type for topic in PER_VEHICLE if not absent.get(topic.suffix)}
        for at in vehicle.instruments.values():
            types |= {at.topic + topic.suffix: topic.type for topic in kind_of(at).topics}
    return types


def nanoseconds(time_s: float) -> int:
    """Return a time in ns, as MCAP files have it."""
    return max(0, round(time_s * 1e9))


def _reading_messages(vehicle: RosVehicle, reading: Reading, picture: Array | None) -> Iterator[Message]:
    """Yield the messages of one reading."""
    at = vehicle.instruments.get(reading.sensor)
    if at is None:
        return
    kind = kind_of(at)
    ns = nanoseconds(reading.arrived_s)
    filled = kind.fill(at, reading, header(reading.time_s, at.frame), picture)
    for topic, values in zip(kind.topics, filled, strict=True):
        if values is not None:
            yield Message(at.topic + topic.suffix, topic.type, ns, values)


def _transform(head: Values, child: str, position: Sequence[float], attitude: Sequence[float]) -> Values:
    return {
        "header": head, "child_frame_id": child,
        "transform": {"translation": vector(position), "rotation": rotation(attitude)},
    }  # fmt: skip


def _odometry(
    vehicle: RosVehicle,
    head: Values,
    position: Sequence[float],
    attitude: Sequence[float],
    nu: Array,
    pose: Sequence[float] = CERTAIN,
    twist: Sequence[float] = CERTAIN,
) -> Values:
    u, v, w, p, q, r = nu.tolist()
    return {
        "header": head, "child_frame_id": vehicle.frame(BASE),
        "pose": {"pose": {"position": vector(position), "orientation": rotation(attitude)}, "covariance": pose},
        "twist": {"twist": {"linear": vector((u, -v, -w)), "angular": vector((p, -q, -r))}, "covariance": twist},
    }  # fmt: skip


def _estimate(vehicle: RosVehicle, head: Values, now: Estimate) -> Values:
    """Return the estimate as Odometry; its sigmas are along north, east and down, for the attitude about them."""
    q = quaternion_from_euler(now.roll, now.pitch, now.yaw)
    R_nb = rotation_from_quaternion(q)
    squares = [np.diag(np.nan_to_num(np.asarray(s)) ** 2) for s in (
        now.pos_sigma_m, now.velocity_sigma_m_s, now.attitude_sigma_rad,
    )]  # fmt: skip
    pose = covariance_6(covariance_enu(squares[0]), covariance_enu(squares[2]))
    twist = covariance_6(covariance_flu(R_nb.T @ squares[1] @ R_nb), np.zeros((3, 3)))
    return _odometry(vehicle, head, enu(now.pos_n).tolist(), quaternion_enu(q).tolist(), now.nu, pose, twist)
