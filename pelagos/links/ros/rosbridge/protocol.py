"""rosbridge protocol, version 2 in JSON: parsing of requests, texts of answers, and the services of rosapi.

Supported are subscribe, unsubscribe, advertise, unadvertise, publish, call_service and set_level; fragments, PNG, CBOR
and actions are not. As in rosbridge_suite, NaN and infinity become null and byte arrays base64. Clients call rosapi
before anything else to list topics, types and services.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from pelagos.checks import LINK, choice, json_table, number
from pelagos.errors import MessageError
from pelagos.links.ros.messages import full_name, short_name
from pelagos.links.ros.readings import stamp
from pelagos.links.ros.rosbridge.orders import COMMANDS, SERVICES
from pelagos.session.source import plain

LARGEST = 65536  # bytes of a message
LONGEST_NAME = 256
SLOWEST_MS = 3_600_000  # longest throttle_rate
MOST_QUEUED = 1000  # largest queue_length
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
    fields = json_table("the message", data, LARGEST)
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
    return json.dumps({"op": "publish", "topic": topic, "msg": plain(values)}, separators=(",", ":"))


def status_text(text: str, ident: str | None = None, level: str = "error") -> str:
    """Return the text of a status message to a client."""
    return json.dumps({"op": "status", "level": level, "msg": text, **({} if ident is None else {"id": ident})})


def response_text(request: RosbridgeRequest, values: Mapping[str, Any] | str, result: bool = True) -> str:
    """Return the text of a service response; a failed call has a message and `result` false."""
    ident = {} if request.id is None else {"id": request.id}
    return json.dumps({"op": "service_response", "service": request.name, **ident, "values": values, "result": result})


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
