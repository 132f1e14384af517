"""The MAVLink messages of ArduPilot, from pymavlink: an extra, imported when a vehicle is made."""

from __future__ import annotations

from typing import Any

from pelagos.errors import MissingExtraError

COMPONENT = 1  # of an autopilot
SUBMARINE, ARDUPILOT = 12, 3  # MAV_TYPE, MAV_AUTOPILOT
GROUND_STATION = 6  # MAV_TYPE of those whose heartbeats count
VERSION = (4, 5, 0)  # of ArduSub: whose modes, parameters and messages these are
CAPABILITIES = (
    "MISSION_FLOAT", "PARAM_FLOAT", "MISSION_INT", "COMMAND_INT", "PARAM_ENCODE_C_CAST", "MAVLINK2",
    "SET_POSITION_TARGET_LOCAL_NED", "SET_POSITION_TARGET_GLOBAL_INT",
)  # fmt: skip


def dialect() -> Any:
    """The module with the messages of the ardupilotmega dialect, MAVLink 2."""
    try:
        import pymavlink.dialects.v20.ardupilotmega as messages
    except ImportError:
        raise MissingExtraError("pymavlink", "a MAVLink vehicle", "mavlink") from None
    return messages


def message_id(messages: Any, name: str) -> int:
    """The number of a message by its name."""
    return int(getattr(messages, f"MAVLINK_MSG_ID_{name}"))


def capabilities(messages: Any) -> int:
    """The flags of AUTOPILOT_VERSION."""
    return sum(int(getattr(messages, f"MAV_PROTOCOL_CAPABILITY_{name}")) for name in CAPABILITIES)
