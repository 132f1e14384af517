"""Setpoints for mode GUIDED from SET_POSITION_TARGET_*, DO_REPOSITION and mission items to go to at once.

| frame of SET_POSITION_TARGET_LOCAL_NED | meaning of x, y, z |
|---|---|
| LOCAL_NED (1) | north, east, down from the origin |
| LOCAL_OFFSET_NED (7) | north, east, down from the vehicle |
| BODY_NED (8), BODY_OFFSET_NED (9), BODY_FRD (12) | ahead, to starboard, down from the vehicle; yaw from its heading |

The autopilot holds positions, depths and headings (order `setpoint`); targets with only velocities or accelerations are
rejected.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from pelagos.checks import LINK, number
from pelagos.errors import CommandError, one_of
from pelagos.links.mavlink.mission import FARTHEST_M, UNDER_WATER, Item, check_reach, level, place

if TYPE_CHECKING:
    from pelagos.geodesy import Origin
    from pelagos.session.flight import Flight

LOCAL, OFFSET, BODY = 1, 7, (8, 9, 12)  # MAV_FRAME
NO_X, NO_Y, NO_Z, NO_YAW = 0x1, 0x2, 0x4, 0x400  # POSITION_TARGET_TYPEMASK
NO_PARAMS = (0.0, 0.0, 0.0, 0.0)
GLOBAL_FRAMES = (0, 3, 5, 6, 10, 11)


def local_target(message: Any, flight: Flight) -> dict[str, Any]:
    """Return the fields of the order `setpoint` for a SET_POSITION_TARGET_LOCAL_NED."""
    frame, mask = message.coordinate_frame, message.type_mask
    if frame not in (LOCAL, OFFSET, *BODY):
        raise CommandError(key="coordinate frame of the target", value=frame, expected="1, 7, 8, 9 or 12")
    _finite(message, ("x", "y", "z"), mask)
    state = flight.sim.feedback()
    north, east, down = 0.0, 0.0, 0.0
    ahead, aside = float(message.x), float(message.y)
    if frame in BODY:
        c, s = math.cos(state.yaw), math.sin(state.yaw)
        ahead, aside = c * ahead - s * aside, s * ahead + c * aside
    if frame != LOCAL:
        north, east, down = state.pos_n.tolist()
    setpoint = _horizontal(mask, (north + ahead, east + aside))
    if not mask & NO_Z:
        setpoint["depth_m"] = _below_surface(down + float(message.z))
    _yaw(setpoint, message, mask, math.degrees(state.yaw) if frame in BODY else 0.0)
    return _not_empty(setpoint)


def global_target(message: Any, origin: Origin) -> dict[str, Any]:
    """Return the fields of the order `setpoint` for a SET_POSITION_TARGET_GLOBAL_INT."""
    mask = message.type_mask
    _finite(message, ("lat_int", "lon_int", "alt"), mask)
    item = Item(1, message.coordinate_frame, 16, NO_PARAMS, message.lat_int, message.lon_int, float(message.alt))
    setpoint = _horizontal(mask, (0.0, 0.0)) if mask & (NO_X | NO_Y) else _horizontal(mask, _place(item, origin))
    if not mask & NO_Z:
        setpoint |= _level(item, origin)
    _yaw(setpoint, message, mask, 0.0)
    return _not_empty(setpoint)


def item_target(item: Item, origin: Origin, yaw_deg: float = math.nan) -> dict[str, Any]:
    """Return the fields of the order `setpoint` for a mission item, with a heading unless it is NaN."""
    north, east = _place(item, origin)
    setpoint: dict[str, Any] = {"north_m": north, "east_m": east, **_level(item, origin)}
    if math.isfinite(yaw_deg):
        setpoint["heading_deg"] = yaw_deg % 360.0
    return setpoint


def check_target(setpoint: Mapping[str, Any], flight: Flight) -> None:
    """Raise CommandError if a setpoint lies in the bottom, below the depth rating or too far from the origin."""
    sim = flight.sim
    here = sim.feedback().pos_n.tolist()
    held = flight.helm.setpoint
    north = next(float(n) for n in (setpoint.get("north_m"), held.north_m, here[0]) if n is not None)
    east = next(float(n) for n in (setpoint.get("east_m"), held.east_m, here[1]) if n is not None)
    distance = math.hypot(north, east)
    if not distance <= FARTHEST_M:
        key, expected = "distance of the target from the origin (km)", f"at most {FARTHEST_M / 1e3:g}"
        raise CommandError(key=key, value=float(f"{distance / 1e3:.4g}"), expected=expected)
    check_reach("the target", (north, east), setpoint, sim.vehicle.depth_rating_m, sim.world.bottom_m)


def _horizontal(mask: int, there: tuple[float, float]) -> dict[str, Any]:
    if bool(mask & NO_X) != bool(mask & NO_Y):
        raise CommandError(key="x and y of the target", expected="both or neither")
    return {} if mask & NO_X else {"north_m": there[0], "east_m": there[1]}


def _yaw(setpoint: dict[str, Any], message: Any, mask: int, from_deg: float) -> None:
    if not mask & NO_YAW:
        yaw = number("yaw of the target", message.yaw, context=LINK)
        setpoint["heading_deg"] = (from_deg + math.degrees(yaw)) % 360.0


def _not_empty(setpoint: dict[str, Any]) -> dict[str, Any]:
    if not setpoint:
        raise CommandError("the target has no position, depth or yaw; velocity targets are not supported")
    return setpoint


def _below_surface(depth: float) -> float:
    if depth < 0.0:
        raise CommandError(key="height of the target above the water (m)", value=-depth, expected=UNDER_WATER)
    return depth


def _place(item: Item, origin: Origin) -> tuple[float, float]:
    if item.frame not in GLOBAL_FRAMES:
        expected = one_of(map(str, GLOBAL_FRAMES))
        raise CommandError(key="coordinate frame of the target", value=item.frame, expected=expected)
    return place(item, origin)


def _level(item: Item, origin: Origin) -> dict[str, Any]:
    """Return depth or altitude of an item; each one clears a setpoint of the other."""
    return {"altitude_m": None, "depth_m": None, **level(item, origin)}


def _finite(message: Any, names: tuple[str, str, str], mask: int) -> None:
    for bit, name in enumerate(names):
        if not mask >> bit & 1:
            number(f"{name} of the target", getattr(message, name), context=LINK)
