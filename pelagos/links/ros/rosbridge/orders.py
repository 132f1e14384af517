"""Command topics and services of rosbridge, converted to stick input and orders of a flight.

| topic (also under /pelagos/VEHICLE) | type | effect |
|---|---|---|
| /cmd_vel | geometry_msgs/Twist | sticks, -1..1, FLU: 1 is full deflection, not m/s; see below |
| /goal_pose | geometry_msgs/PoseStamped | setpoint of position, depth and heading, in map |
| /setpoint | pelagos_msgs/Setpoint | setpoint by the fields of `Setpoint`: depth_m, heading_deg, ...; null clears one |

Sticks: surge = linear x, sway = -linear y, heave (down) = -linear z; roll = angular x, pitch = -angular y,
yaw = -angular z. While a quantity is held, full deflection moves its setpoint at a known rate (docs/console.md): with
position, depth and heading held, 1 is 0.5 m/s and 30 deg/s. After TIMEOUT_S without a message the sticks return to the
centre.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, cast

from pelagos.checks import LINK, flag, number
from pelagos.errors import CommandError, MessageError, one_of
from pelagos.links.ros.frames import heading_deg
from pelagos.links.ros.messages import short_name
from pelagos.session.source import Input

if TYPE_CHECKING:
    from pelagos.session.flight import Flight

TIMEOUT_S = 0.5  # as the dead-man switch of the console
COMMANDS = {
    "/cmd_vel": "geometry_msgs/Twist",
    "/goal_pose": "geometry_msgs/PoseStamped",
    "/setpoint": "pelagos_msgs/Setpoint",
}
SERVICES = {  # carried out by the flight; `protocol` answers `/rosapi/...`
    "/pelagos/arm": "std_srvs/SetBool",
    "/pelagos/set_mode": "pelagos_msgs/SetMode",
    "/pelagos/hold": "pelagos_msgs/Hold",
    "/pelagos/reset": "std_srvs/Trigger",
}
# Holds that a mode requires, and holds that it adds if the vehicle can.
MODES: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "manual": ((), ()),
    "stabilize": ((), ("level",)),
    "depth_hold": (("depth",), ("level", "heading")),
    "position_hold": (("depth", "position"), ("level", "heading")),
    "auto": (("mission",), ()),
}
FRAMES = ("", "map", "odom")


def command_topic(topic: str, root: str) -> str:
    """Return the command topic of a name, with or without the prefix of the vehicle; "" if it is none."""
    name = topic.removeprefix(root)
    return name if name in COMMANDS else ""


def sticks(message: Mapping[str, Any]) -> Input:
    """Return the stick input of a Twist; MessageError unless all six are from -1 to 1."""
    linear, angular = _vector("linear", message), _vector("angular", message)
    for name, value in [*linear.items(), *angular.items()]:
        if abs(value) > 1.0:
            raise MessageError(
                key=f"cmd_vel {name}", value=value, expected="sticks from -1 to 1: shares of a full stick, not m/s"
            )
    x, y, z = linear.values()
    p, q, r = angular.values()
    return Input(surge=x, sway=-y, heave=-z, roll=p, pitch=-q, yaw=-r)


def goal(message: Mapping[str, Any]) -> dict[str, float]:
    """Return the setpoint of a PoseStamped in map: north, east, depth and, with an orientation, the heading."""
    frame = _table("header", message).get("frame_id", "")
    if frame not in FRAMES:
        raise MessageError(key="goal_pose frame_id", value=frame, expected="map")
    pose = _table("pose", message)
    x, y, z = _numbers("goal_pose position", _table("position", pose), "xyz").values()
    setpoint = {"north_m": y, "east_m": x, "depth_m": -z}
    q = list(_numbers("goal_pose orientation", _table("orientation", pose), "xyzw").values())
    size = math.sqrt(sum(c * c for c in q))
    # A goal without an orientation has the default of ROS, four zeros.
    if size > 1e-6:
        setpoint["heading_deg"] = heading_deg([c / size for c in q])
    return setpoint


def setpoint(message: Mapping[str, Any]) -> dict[str, float | None]:
    """Return the fields of a setpoint message; the flight rejects unknown ones."""
    for name, value in message.items():
        if value is not None:
            number(f"setpoint {name}", value, expected="a number or null", context=LINK)
    return dict(message)


def service(flight: Flight, name: str, values: Mapping[str, Any]) -> dict[str, Any]:
    """Carry out a service call and return `success` and `message`, as in std_srvs."""
    try:
        if name == "/pelagos/arm":
            flight.order("arm", {"on": flag("arm data", values.get("data"))})
            text = "armed" if values["data"] else "disarmed"
        elif name == "/pelagos/set_mode":
            text = set_mode(flight, values.get("mode"))
        elif name == "/pelagos/hold":
            flight.order("hold", values)
            text = f"{values.get('hold')} hold {'on' if values.get('on') else 'off'}"
        else:
            flight.order("reset", {})
            text = "the flight begins anew"
    except CommandError as refusal:
        return {"success": False, "message": str(refusal)}
    return {"success": True, "message": text}


def set_mode(flight: Flight, mode: object) -> str:
    """Enter a mode: set its holds and clear all others; CommandError if the vehicle cannot."""
    word = "stabilize" if mode == "stabilise" else mode
    if not isinstance(word, str) or word not in MODES:
        raise CommandError("there is no mode", value=mode, expected=one_of(MODES), names=MODES, misspelt=word)
    needed, optional = MODES[word]
    if "mission" in needed:
        flight.order("hold", {"hold": "mission", "on": True})
        return f"mode {word}"
    flight.hold_only(needed, optional, keep=("speed",) if needed or optional else ())
    return f"mode {word}"


def check_type(topic: str, received: str, declared: str) -> None:
    """Raise MessageError if a message type is not that of the topic; an empty type is accepted."""
    if received and short_name(received) != declared:
        raise MessageError(key=f"type of {topic}", value=received, expected=declared)


def _vector(name: str, message: Mapping[str, Any]) -> dict[str, float]:
    return _numbers(f"cmd_vel {name}", _table(name, message), "xyz")


def _table(name: str, message: Mapping[str, Any]) -> Mapping[str, Any]:
    value = message.get(name)
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise MessageError(key=name, value=value, expected="an object")
    return cast("Mapping[str, Any]", value)


def _numbers(field: str, table: Mapping[str, Any], names: str) -> dict[str, float]:
    """Return finite numbers by their full names; missing ones are 0."""
    out: dict[str, float] = {}
    for name in names:
        value = number(f"{field} {name}", table.get(name, 0.0), context=LINK)
        out[f"{field.rpartition(' ')[2]} {name}"] = value
    return out
