"""The words of the rosbridge protocol (version 2, JSON) that we know: requests read, answers written.

Known are subscribe, unsubscribe, advertise, unadvertise, publish, call_service and set_level; not known are fragments,
PNG, CBOR and actions. Numbers that JSON has none for (NaN, infinity) are null, lists of bytes are base64, as
rosbridge_suite has them.

The part of rosapi that clients ask for before they do anything: which topics, types and services there are.
"""

from __future__ import annotations

import base64
import json
import math
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from pelagos.errors import MessageError
from pelagos.links.ros.messages import full_name, short_name
from pelagos.links.ros.readings import stamp
from pelagos.links.ros.rosbridge.orders import SERVICES, STEERS

LARGEST = 65536  # bytes of a message
LONGEST_NAME = 256
SLOWEST_MS = 3_600_000
MOST_QUEUED = 1000
MOST_DIGITS = 20
LEVELS = ("info", "warning", "error", "none")


class RosbridgeRequest(NamedTuple):
    """What a client wants; `name` is the topic or the service."""

    op: str
    id: str | None = None
    name: str = ""
    type: str = ""  # without `msg`; empty if it was not said
    values: Mapping[str, Any] = {}
    throttle_s: float = 0.0
    queue_length: int = 0


OPS = ("subscribe", "unsubscribe", "advertise", "unadvertise", "publish", "call_service", "set_level")


def parse(data: str | bytes) -> RosbridgeRequest:
    """Read a request; MessageError with a sentence if it is none."""
    if isinstance(data, bytes):
        raise MessageError("a message of bytes came", expected="JSON text")
    if len(data) > LARGEST:
        raise MessageError(f"a message of {len(data)} letters came", expected=f"at most {LARGEST}")
    try:
        said = json.loads(data, parse_constant=_no_number, parse_int=_int)
    except (ValueError, RecursionError):
        raise MessageError("a message is no JSON", expected="an object with op") from None
    if not isinstance(said, dict):
        raise MessageError(key="a message", value=said, expected="an object with op")
    op = said.get("op")
    if not isinstance(op, str) or op not in OPS:
        raise MessageError(key="op", value=op, names=OPS)
    ident = said.get("id")
    if ident is not None and (not isinstance(ident, str | int) or isinstance(ident, bool)):
        raise MessageError(key=f"{op} id", value=ident, expected="a text")
    base = RosbridgeRequest(op, None if ident is None else str(ident)[:LONGEST_NAME])
    if op == "set_level":
        return base
    if op == "call_service":
        return base._replace(name=_name(op, "service", said), values=_arguments(said.get("args")))
    request = base._replace(name=_name(op, "topic", said), type=_type(op, said.get("type")))
    if op == "publish":
        message = said.get("msg")
        if not isinstance(message, dict):
            raise MessageError(key="publish msg", value=message, expected="an object")
        return request._replace(values=message)
    if op == "subscribe":
        if said.get("compression", "none") not in ("none", None):
            raise MessageError(key="subscribe compression", value=said["compression"], expected="none")
        throttle = _whole(op, "throttle_rate", said, SLOWEST_MS)
        return request._replace(throttle_s=1e-3 * throttle, queue_length=_whole(op, "queue_length", said, MOST_QUEUED))
    return request


def publish_text(topic: str, values: Mapping[str, Any]) -> str:
    """A message on its way to a subscriber."""
    return json.dumps({"op": "publish", "topic": topic, "msg": values_of(values)}, separators=(",", ":"))


def values_of(values: Any) -> Any:
    """Values as JSON has them: no NaN or infinity, bytes as base64."""
    if isinstance(values, float):
        return values if math.isfinite(values) else None
    if isinstance(values, dict):
        return {name: values_of(value) for name, value in values.items()}
    if isinstance(values, list | tuple):
        return [values_of(value) for value in values]
    if isinstance(values, bytes):
        return base64.b64encode(values).decode("ascii")
    return values


def status_text(text: str, ident: str | None = None, level: str = "error") -> str:
    """A sentence to a client."""
    return json.dumps({"op": "status", "level": level, "msg": text, **({} if ident is None else {"id": ident})})


def response_text(request: RosbridgeRequest, values: Mapping[str, Any] | str, result: bool = True) -> str:
    """The answer of a service; a sentence with `result` false if it failed."""
    ident = {} if request.id is None else {"id": request.id}
    return json.dumps({"op": "service_response", "service": request.name, **ident, "values": values, "result": result})


def type_text(name: str) -> str:
    """A type as ROS 2 writes it."""
    return full_name(name)


def _int(text: str) -> int | float:
    """A whole number; one that no float can hold is infinite, which every check of a range refuses."""
    return int(text) if len(text) < MOST_DIGITS else float(text)


def _no_number(text: str) -> float:
    raise ValueError(text)


def _name(op: str, key: str, said: Mapping[str, Any]) -> str:
    name = said.get(key)
    if not isinstance(name, str) or not 0 < len(name) <= LONGEST_NAME:
        raise MessageError(key=f"{op} {key}", value=name, expected="a name")
    return name if name.startswith("/") else f"/{name}"


def _type(op: str, given: object) -> str:
    if given is None:
        return ""
    if not isinstance(given, str) or len(given) > LONGEST_NAME:
        raise MessageError(key=f"{op} type", value=given, expected="a name such as nav_msgs/Odometry")
    return short_name(given)


def _arguments(given: object) -> Mapping[str, Any]:
    if given is None or given == []:
        return {}
    if not isinstance(given, dict):
        raise MessageError(key="call_service args", value=given, expected="an object")
    return given


def _whole(op: str, key: str, said: Mapping[str, Any], most: int) -> int:
    value = said.get(key)
    if value is None:
        return 0
    if not isinstance(value, int | float) or isinstance(value, bool) or not 0 <= value <= most:
        raise MessageError(key=f"{op} {key}", value=value, expected=f"a number from 0 to {most}")
    return int(value)


# ---- rosbridge api ---------------------------------------------------------------------------------------------------


API = {
    "/rosapi/topics": "rosapi_msgs/Topics",
    "/rosapi/topic_type": "rosapi_msgs/TopicType",
    "/rosapi/topics_for_type": "rosapi_msgs/TopicsForType",
    "/rosapi/services": "rosapi_msgs/Services",
    "/rosapi/service_type": "rosapi_msgs/ServiceType",
    "/rosapi/nodes": "rosapi_msgs/Nodes",
    "/rosapi/get_time": "rosapi_msgs/GetTime",
}


def answer(request: RosbridgeRequest, topics: Mapping[str, str], root: str, time_s: float) -> dict[str, Any]:
    """What a service of rosapi says; MessageError if there is no such service."""
    known = {**topics, **{root + name: kind for name, kind in STEERS.items()}, **STEERS}
    services = {**SERVICES, **API}
    asked = request.values
    said: dict[str, Callable[[], dict[str, Any]]] = {
        "/rosapi/topics": lambda: {"topics": list(known), "types": [full_name(kind) for kind in known.values()]},
        "/rosapi/topic_type": lambda: {"type": _full(known.get(str(asked.get("topic")), ""))},
        "/rosapi/topics_for_type": lambda: {
            "topics": [name for name, kind in known.items() if kind == short_name(str(asked.get("type")))]
        },
        "/rosapi/services": lambda: {"services": list(services)},
        "/rosapi/service_type": lambda: {"type": services.get(str(asked.get("service")), "")},
        "/rosapi/nodes": lambda: {"nodes": ["/pelagos"]},
        "/rosapi/get_time": lambda: {"time": stamp(time_s)},
    }
    found = said.get(request.name)
    if found is None:
        if request.name in SERVICES:
            raise MessageError("this run is steered by its own program; a flight can be armed and told modes")
        raise MessageError("there is no service", value=request.name, names=services)
    return found()


def _full(kind: str) -> str:
    return full_name(kind) if kind else ""
