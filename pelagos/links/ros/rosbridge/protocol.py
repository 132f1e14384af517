"""rosbridge protocol, version 2 in JSON: parsing of requests, texts of answers, and the services of rosapi.

Supported are subscribe, unsubscribe, advertise, unadvertise, publish, call_service and set_level; fragments, PNG, CBOR
and actions are not. As in rosbridge_suite, NaN and infinity become null and byte arrays base64. Clients call rosapi
before anything else to list topics, types and services.
"""

from __future__ import annotations

import base64
import json
import math
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from pelagos.checks import LINK, choice, number
from pelagos.errors import MessageError
from pelagos.links.ros.messages import full_name, short_name
from pelagos.links.ros.readings import stamp
from pelagos.links.ros.rosbridge.orders import COMMANDS, SERVICES

LARGEST = 65536  # bytes of a message
LONGEST_NAME = 256
SLOWEST_MS = 3_600_000  # longest throttle_rate
MOST_QUEUED = 1000  # largest queue_length
MOST_DIGITS = 20  # of an integer; parsing time grows with the square of the digits
LEVELS = ("info", "warning", "error", "none")
OPS = ("subscribe", "unsubscribe", "advertise", "unadvertise", "publish", "call_service", "set_level")
API = {
    "/rosapi/topics": "rosapi_msgs/Topics",
    "/rosapi/topic_type": "rosapi_msgs/TopicType",
    "/rosapi/topics_for_type": "rosapi_msgs/TopicsForType",
    "/rosapi/services": "rosapi_msgs/Services",
    "/rosapi/service_type": "rosapi_msgs/ServiceType",
    "/rosapi/nodes": "rosapi_msgs/Nodes",
    "/rosapi/get_time": "rosapi_msgs/GetTime",
}


class RosbridgeRequest(NamedTuple):
    """Request of a client; `name` is the topic or the service."""

    op: str
    id: str | None = None
    name: str = ""
    type: str = ""  # without `msg`; empty if the request has none
    values: Mapping[str, Any] = {}
    throttle_s: float = 0.0
    queue_length: int = 0


def parse(data: str | bytes) -> RosbridgeRequest:
    """Parse a request; MessageError if it is invalid."""
    if isinstance(data, bytes):
        raise MessageError("the message is binary", expected="JSON text")
    if len(data) > LARGEST:
        raise MessageError(key="size of a message", value=len(data), expected=f"at most {LARGEST} characters")
    try:
        fields = json.loads(data, parse_constant=_no_number, parse_int=_int)
    except (ValueError, RecursionError):
        raise MessageError("a message is not JSON", expected="an object with op") from None
    if not isinstance(fields, dict):
        raise MessageError(key="a message", value=fields, expected="an object with op")
    op = choice("op", fields.get("op"), OPS, context=LINK)
    ident = fields.get("id")
    if ident is not None and (not isinstance(ident, str | int) or isinstance(ident, bool)):
        raise MessageError(key=f"{op} id", value=ident, expected="a text")
    base = RosbridgeRequest(op, None if ident is None else str(ident)[:LONGEST_NAME])
    if op == "set_level":
        return base
    if op == "call_service":
        return base._replace(name=_name(op, "service", fields), values=_arguments(fields.get("args")))
    request = base._replace(name=_name(op, "topic", fields), type=_type(op, fields.get("type")))
    if op == "publish":
        message = fields.get("msg")
        if not isinstance(message, dict):
            raise MessageError(key="publish msg", value=message, expected="an object")
        return request._replace(values=message)
    if op == "subscribe":
        if fields.get("compression", "none") not in ("none", None):
            raise MessageError(key="subscribe compression", value=fields["compression"], expected="none")
        throttle = _whole(op, "throttle_rate", fields, SLOWEST_MS)
        return request._replace(
            throttle_s=1e-3 * throttle, queue_length=_whole(op, "queue_length", fields, MOST_QUEUED)
        )
    return request


def publish_text(topic: str, values: Mapping[str, Any]) -> str:
    """Return the text that publishes a message to a subscriber."""
    return json.dumps({"op": "publish", "topic": topic, "msg": values_of(values)}, separators=(",", ":"))


def values_of(values: Any) -> Any:
    """Return values as JSON allows them: null for NaN and infinity, base64 for bytes."""
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
    """Return the text of a status message to a client."""
    return json.dumps({"op": "status", "level": level, "msg": text, **({} if ident is None else {"id": ident})})


def response_text(request: RosbridgeRequest, values: Mapping[str, Any] | str, result: bool = True) -> str:
    """Return the text of a service response; a failed call has a message and `result` false."""
    ident = {} if request.id is None else {"id": request.id}
    return json.dumps({"op": "service_response", "service": request.name, **ident, "values": values, "result": result})


def _int(text: str) -> int | float:
    """Parse an integer; a huge one becomes a float, possibly infinite, which the range checks reject."""
    return int(text) if len(text) < MOST_DIGITS else float(text)


def _no_number(text: str) -> float:
    raise ValueError(text)


def _name(op: str, key: str, fields: Mapping[str, Any]) -> str:
    name = fields.get(key)
    if not isinstance(name, str) or not 0 < len(name) <= LONGEST_NAME:
        raise MessageError(key=f"{op} {key}", value=name, expected="a name")
    return name if name.startswith("/") else f"/{name}"


def _type(op: str, value: object) -> str:
    if value is None:
        return ""
    if not isinstance(value, str) or len(value) > LONGEST_NAME:
        raise MessageError(key=f"{op} type", value=value, expected="a name such as nav_msgs/Odometry")
    return short_name(value)


def _arguments(value: object) -> Mapping[str, Any]:
    if value is None or value == []:
        return {}
    if not isinstance(value, dict):
        raise MessageError(key="call_service args", value=value, expected="an object")
    return value


def _whole(op: str, key: str, fields: Mapping[str, Any], most: int) -> int:
    value = fields.get(key)
    if value is None:
        return 0
    return int(number(f"{op} {key}", value, 0, most, context=LINK))


def answer(request: RosbridgeRequest, topics: Mapping[str, str], root: str, time_s: float) -> dict[str, Any]:
    """Return the response of a rosapi service; MessageError if there is no such service."""
    known = {**topics, **{root + name: kind for name, kind in COMMANDS.items()}, **COMMANDS}
    services = {**SERVICES, **API}
    arguments = request.values
    responses: dict[str, Callable[[], dict[str, Any]]] = {
        "/rosapi/topics": lambda: {"topics": list(known), "types": [full_name(kind) for kind in known.values()]},
        "/rosapi/topic_type": lambda: {"type": _full(known.get(str(arguments.get("topic")), ""))},
        "/rosapi/topics_for_type": lambda: {
            "topics": [name for name, kind in known.items() if kind == short_name(str(arguments.get("type")))]
        },
        "/rosapi/services": lambda: {"services": list(services)},
        "/rosapi/service_type": lambda: {"type": services.get(str(arguments.get("service")), "")},
        "/rosapi/nodes": lambda: {"nodes": ["/pelagos"]},
        "/rosapi/get_time": lambda: {"time": stamp(time_s)},
    }
    respond = responses.get(request.name)
    if respond is None:
        if request.name in SERVICES:
            raise MessageError("the program of this run steers the vehicle; only a flight accepts arming and modes")
        raise MessageError("there is no service", value=request.name, names=services)
    return respond()


def _full(kind: str) -> str:
    return full_name(kind) if kind else ""
