"""What is told of a simulation at each tick, as messages of ROS: used by files, Foxglove and rosbridge alike.

`taken(sim, craft)` copies what is needed in the thread of the simulation, in some microseconds; `messages_of(craft,
instant)` is a pure function and does the rest wherever there is time for it. The truth goes out at every tick, a
reading at the tick by which it has arrived: its stamp is when it was measured, its time when it arrived.
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
from pelagos.sensors.sound.imaging import ImagingSonarInstrument
from pelagos.sim.commands import LOG_UNIT
from pelagos.sim.simulation import Simulation

CLOCK, TF, TF_STATIC, ROSOUT = "/clock", "/tf", "/tf_static", "/rosout"
CERTAIN = [0.0] * 36
SHARED = (  # topics of the whole run
    TopicSpec(CLOCK, "rosgraph_msgs/Clock", "simulated time"),
    TopicSpec(TF, "tf2_msgs/TFMessage", "odom to base_link, at every tick"),
    TopicSpec(TF_STATIC, "tf2_msgs/TFMessage", "map to odom (the same), base_link to each instrument"),
    TopicSpec(ROSOUT, "rcl_interfaces/Log", "what happened, as sentences"),
)
OWN = (  # topics of a vehicle besides its instruments
    TopicSpec("/odom", "nav_msgs/Odometry", "the exact motion: pose in odom, velocities in base_link"),
    TopicSpec("/estimate", "nav_msgs/Odometry", "the same as the navigator has it, with covariances; if there is one"),
    TopicSpec("/thrusters", "sensor_msgs/JointState", "velocity rad/s, effort N, or position: volts or throttle"),
    TopicSpec("/surfaces", "sensor_msgs/JointState", "position rad, sign as in the vehicle's file; if there are any"),
)
INFO, WARN, ERROR = 20, 30, 40
LOUD = {"fault": WARN, "collision": WARN, "contact": WARN, "warning": WARN, "link": WARN, "link_lost": WARN,
        "overrun": WARN, "stalled": WARN, "refused": WARN, "diverged": ERROR}  # fmt: skip
TYPES = {said.suffix: said.type for said in (*SHARED, *OWN)}


class Message(NamedTuple):
    """One message: values as nested dictionaries by the names of its definition; its time is that of arriving."""

    topic: str
    type: str
    time_ns: int
    values: Values


class VehicleTick(NamedTuple):
    """All that is told of one vehicle at one tick."""

    time_s: float
    position_n: Array
    quaternion: Array
    nu: Array
    thrusters: tuple[float, ...] = ()  # in the units of the log
    surfaces: tuple[float, ...] = ()  # deg
    readings: tuple[Reading, ...] = ()
    pictures: Mapping[str, Array] = {}  # of imaging sonars that spoke
    estimate: Estimate | None = None


def taken(sim: Simulation, with_readings: bool = True) -> VehicleTick:
    """The present of a simulation, copied; called in its thread."""
    look, vehicle = sim.evaluate(), sim.vehicle
    actuators = sim.plant.state["actuators"]
    thrusters = actuators["thruster"][: len(vehicle.thrusters)].tolist()
    factors = [1.0 if t.lag_on == "thrust" else LOG_UNIT[t.drive][1] for t in vehicle.thrusters]
    surfaces = actuators["surface"][: len(vehicle.surfaces)].tolist()
    readings: tuple[Reading, ...] = ()
    pictures: dict[str, Array] = {}
    estimate = None
    if sim.sensing is not None:
        suite, shown = sim.sensing.suite, sim.sensing.shown
        readings = suite.arrived if with_readings else ()
        estimate = shown if isinstance(shown, Estimate) else None
        for name in {reading.sensor for reading in readings if suite.sensors[reading.sensor].kind == "imaging_sonar"}:
            instrument = suite.instrument(name)
            if isinstance(instrument, ImagingSonarInstrument):
                pictures[name] = instrument.image.copy()
    return VehicleTick(
        look.time_s, look.position_n, look.quaternion, look.nu,
        tuple(value * factor for value, factor in zip(thrusters, factors, strict=True)),
        tuple(math.degrees(angle) for angle in surfaces), readings, pictures, estimate,
    )  # fmt: skip


def messages_of(craft: RosVehicle, now: VehicleTick) -> list[Message]:
    """Everything that one vehicle tells at one tick."""
    ns = nanoseconds(now.time_s)
    place, attitude = enu(now.position_n).tolist(), quaternion_enu(now.quaternion).tolist()
    head = header(now.time_s, craft.frame(ODOM))
    out = [
        Message(f"{craft.root}/odom", TYPES["/odom"], ns, _odometry(craft, head, place, attitude, now.nu)),
        Message(TF, TYPES[TF], ns, {"transforms": [_transform(head, craft.frame(BASE), place, attitude)]}),
    ]
    if now.estimate is not None:
        out.append(Message(f"{craft.root}/estimate", TYPES["/estimate"], ns, _estimate(craft, head, now.estimate)))
    body = header(now.time_s, craft.frame(BASE))
    if craft.thrusters:
        names, units = zip(*craft.thrusters, strict=True)
        out.append(
            Message(f"{craft.root}/thrusters", TYPES["/thrusters"], ns, joints(body, names, units, now.thrusters))
        )
    if craft.surfaces:
        degrees = ["deg"] * len(craft.surfaces)
        values = joints(body, craft.surfaces, degrees, now.surfaces)
        out.append(Message(f"{craft.root}/surfaces", TYPES["/surfaces"], ns, values))
    for reading in now.readings:
        out.extend(_said(craft, reading, now.pictures.get(reading.sensor)))
    return out


def clock_message(time_s: float) -> Message:
    """The time of the simulation."""
    return Message(CLOCK, TYPES[CLOCK], nanoseconds(time_s), {"clock": stamp(time_s)})


def static_message(vehicles: Sequence[RosVehicle], time_s: float = 0.0) -> Message:
    """Frames that do not move against each other."""
    transforms: list[Values] = []
    for craft in vehicles:
        same = {"translation": NOTHING, "rotation": LEVEL}
        transforms.append(
            {"header": header(time_s, MAP), "child_frame_id": craft.frame(ODOM), "transform": same}
        )  # fmt: skip
        for at in craft.instruments.values():
            head = header(time_s, craft.frame(BASE))
            transforms.append({"header": head, "child_frame_id": at.frame, "transform": at.transform()})
    return Message(TF_STATIC, TYPES[TF_STATIC], nanoseconds(time_s), {"transforms": transforms})


def event_message(event: Mapping[str, Any]) -> Message:
    """Something that happened, with `time_s`, `kind` and `text`."""
    time_s = float(event["time_s"])
    values = {
        "stamp": stamp(time_s), "level": LOUD.get(str(event["kind"]), INFO), "name": f"pelagos.{event['kind']}",
        "msg": str(event["text"]), "file": "", "function": "", "line": 0,
    }  # fmt: skip
    return Message(ROSOUT, TYPES[ROSOUT], nanoseconds(time_s), values)


def topics_of(vehicles: Sequence[RosVehicle]) -> dict[str, str]:
    """All topics and their types."""
    found = {said.suffix: said.type for said in SHARED}
    for craft in vehicles:
        absent = {"/estimate": not craft.estimates, "/thrusters": not craft.thrusters, "/surfaces": not craft.surfaces}
        found |= {craft.root + said.suffix: said.type for said in OWN if not absent.get(said.suffix)}
        for at in craft.instruments.values():
            found |= {at.topic + said.suffix: said.type for said in kind_of(at).topics}
    return found


def nanoseconds(time_s: float) -> int:
    """A time as files have it."""
    return max(0, round(time_s * 1e9))


def _said(craft: RosVehicle, reading: Reading, picture: Array | None) -> Iterator[Message]:
    """What one reading becomes."""
    at = craft.instruments.get(reading.sensor)
    if at is None:
        return
    kind = kind_of(at)
    ns = nanoseconds(reading.arrived_s)
    filled = kind.fill(at, reading, header(reading.time_s, at.frame), picture)
    for said, values in zip(kind.topics, filled, strict=True):
        if values is not None:
            yield Message(at.topic + said.suffix, said.type, ns, values)


def _transform(head: Values, child: str, place: Sequence[float], attitude: Sequence[float]) -> Values:
    return {
        "header": head, "child_frame_id": child,
        "transform": {"translation": vector(place), "rotation": rotation(attitude)},
    }  # fmt: skip


def _odometry(
    craft: RosVehicle,
    head: Values,
    place: Sequence[float],
    attitude: Sequence[float],
    nu: Array,
    pose: Sequence[float] = CERTAIN,
    twist: Sequence[float] = CERTAIN,
) -> Values:
    u, v, w, p, q, r = nu.tolist()
    return {
        "header": head, "child_frame_id": craft.frame(BASE),
        "pose": {"pose": {"position": vector(place), "orientation": rotation(attitude)}, "covariance": pose},
        "twist": {"twist": {"linear": vector((u, -v, -w)), "angular": vector((p, -q, -r))}, "covariance": twist},
    }  # fmt: skip


def _estimate(craft: RosVehicle, head: Values, now: Estimate) -> Values:
    """Sigmas are along north, east and down; that of the attitude is of a turn about them."""
    q = quaternion_from_euler(now.roll, now.pitch, now.yaw)
    R_nb = rotation_from_quaternion(q)
    squares = [np.diag(np.nan_to_num(np.asarray(s)) ** 2) for s in (
        now.pos_sigma_m, now.velocity_sigma_m_s, now.attitude_sigma_rad,
    )]  # fmt: skip
    pose = covariance_6(covariance_enu(squares[0]), covariance_enu(squares[2]))
    twist = covariance_6(covariance_flu(R_nb.T @ squares[1] @ R_nb), np.zeros((3, 3)))
    return _odometry(craft, head, enu(now.pos_n).tolist(), quaternion_enu(q).tolist(), now.nu, pose, twist)
