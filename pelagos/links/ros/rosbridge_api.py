"""The part of rosapi that clients ask for before they do anything: which topics, types and services there are."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from pelagos.errors import MessageError, nearest
from pelagos.links.ros.readings import stamp
from pelagos.links.ros.rosbridge_orders import SERVICES, STEERS
from pelagos.links.ros.rosbridge_protocol import Request
from pelagos.links.ros.schemas import full_name, short_name

API = {
    "/rosapi/topics": "rosapi_msgs/Topics",
    "/rosapi/topic_type": "rosapi_msgs/TopicType",
    "/rosapi/topics_for_type": "rosapi_msgs/TopicsForType",
    "/rosapi/services": "rosapi_msgs/Services",
    "/rosapi/service_type": "rosapi_msgs/ServiceType",
    "/rosapi/nodes": "rosapi_msgs/Nodes",
    "/rosapi/get_time": "rosapi_msgs/GetTime",
}


def answer(request: Request, topics: Mapping[str, str], root: str, time_s: float) -> dict[str, Any]:
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
        close = nearest(request.name, tuple(services))
        raise MessageError(f"there is no service {request.name}" + (f"; did you mean {close}?" if close else ""))
    return found()


def _full(kind: str) -> str:
    return full_name(kind) if kind else ""
