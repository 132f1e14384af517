"""Missions uploaded by a ground station: mission items, their conversion to guidance legs, and progress.

| command | leg |
|---|---|
| NAV_WAYPOINT (16) | go to the position, heading towards it; param1: stay time in s; param2: acceptance radius in m |
| NAV_LOITER_UNLIM (17), NAV_LOITER_TIME (19) | stay there; param1: s; param3: radius in m if it must circle |
| NAV_RETURN_TO_LAUNCH (20) | go to the origin of the world at the depth of the previous item |
| NAV_LAND (21) | go to the position, if there is one, and surface |
| NAV_DELAY (93) | stay for param1 s |
| DO_CHANGE_SPEED (178) | speed param2 m/s for the following items |

A position is latitude and longitude. Its altitude is minus the depth in the frames GLOBAL (0, 5) and
GLOBAL_RELATIVE_ALT (3, 6), which are equal here because home lies on the surface, and the height above the bottom in
GLOBAL_TERRAIN_ALT (10, 11). A hovering vehicle stops at each position; other vehicles pass it, and circle where they
have to stay. As in ArduPilot, item 0 is home: it is stored and returned, but not flown. Parameters that a command does
not use may be NaN, as MAVLink prescribes.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, SupportsFloat

from pelagos.errors import CommandError, MessageError, one_of
from pelagos.geodesy import Origin
from pelagos.guidance.mission import Mission
from pelagos.session.authority import Signal

if TYPE_CHECKING:
    from pelagos.session.flight import Flight


WAYPOINT, LOITER, LOITER_TIME, RETURN, LAND, DELAY, CHANGE_SPEED = 16, 17, 19, 20, 21, 93, 178
ABSOLUTE, RELATIVE, TERRAIN = (0, 5), (3, 6), (10, 11)
FRAMES = (*ABSOLUTE, *RELATIVE, *TERRAIN)
PLACES = (WAYPOINT, LOITER, LOITER_TIME, LAND)  # commands with a position
COMMANDS = (*PLACES, RETURN, DELAY, CHANGE_SPEED)
# MAV_MISSION_RESULT
UNSUPPORTED_FRAME, UNSUPPORTED, INVALID_PARAM1, INVALID_PARAM2, INVALID_PLACE, INVALID_ALTITUDE = 2, 3, 6, 7, 10, 12
FARTHEST_M = 200e3  # from the origin; beyond it the flat world is too wrong
FOREVER_S = 1e6  # duration of a leg without an end: more than eleven days
CIRCLE_M = 25.0  # default radius of a vehicle that cannot hover
UNDER_WATER = "0 or less, because the vehicle stays in the water"
SCALE = 1e7  # integer latitude and longitude per degree
MOST_ITEMS = 500  # keeps the legs of a route below `orders.program.MOST_LEGS`: an item has at most two
SHARE, BURST_S = 0.1, 0.5  # part of the wall time that building routes may use, and the most of it at once
NOT_STARTED, ACTIVE, PAUSED, COMPLETE, NONE = 2, 3, 4, 5, 1  # MISSION_STATE


class ItemError(MessageError):
    """Mission item that cannot be flown; `result` is the MAV_MISSION_RESULT for the station."""

    def __init__(self, result: int, message: str = "", **fields: Any) -> None:
        super().__init__(message, **fields)
        self.result = result


class Item(NamedTuple):
    """Mission item as received; x and y are degrees times 1e7."""

    seq: int
    frame: int
    command: int
    params: tuple[float, float, float, float]
    x: int
    y: int
    z: float
    autocontinue: int = 1

    @classmethod
    def of(cls, message: Any) -> Item:
        """Return the item of a MISSION_ITEM_INT or an old MISSION_ITEM in degrees; ItemError for numbers not finite."""
        params = tuple(float(getattr(message, f"param{i}")) for i in range(1, 5))
        x, y, z = message.x, message.y, float(message.z)
        used = int(message.command) in PLACES or message.seq == 0
        if math.isinf(z) or any(map(math.isinf, params)) or (used and not math.isfinite(float(x) + float(y))):
            key, value = f"item {message.seq}", [*params, float(x), float(y), z]
            raise ItemError(INVALID_PLACE, key=key, value=value, expected="finite numbers")
        if message.get_type() == "MISSION_ITEM":
            x, y = (value if math.isfinite(value) else 0.0 for value in (x, y))
            if abs(x) > 360.0 or abs(y) > 360.0:
                key, expected = f"x and y of item {message.seq} (deg)", "angles from -360 to 360"
                raise ItemError(INVALID_PLACE, key=key, value=(x, y), expected=expected)
            x, y = round(x * SCALE), round(y * SCALE)
        return cls(
            int(message.seq), int(message.frame), int(message.command), (params[0], params[1], params[2], params[3]),
            int(x), int(y), z, int(message.autocontinue),
        )  # fmt: skip

    @property
    def lat_deg(self) -> float:
        """Latitude in degrees."""
        return self.x / SCALE

    @property
    def lon_deg(self) -> float:
        """Longitude in degrees."""
        return self.y / SCALE


class MissionLimits(NamedTuple):
    """Data needed to convert mission items to legs."""

    origin: Origin
    hovers: bool
    speed_m_s: float
    radius_m: float
    depth_m: float  # present depth
    surface_m: float
    top_m_s: float = math.inf
    rated_m: float = math.inf  # depth rating
    bottom_m: Callable[[float, float], SupportsFloat] = lambda north_m, east_m: math.inf


def place(item: Item, origin: Origin) -> tuple[float, float]:
    """Return north and east of an item in m; ItemError if it is no position or too far away."""
    if not (abs(item.lat_deg) <= 90.0 and abs(item.lon_deg) <= 180.0):
        key, expected = f"latitude and longitude of item {item.seq} (deg)", "-90 to 90 and -180 to 180"
        raise ItemError(INVALID_PLACE, key=key, value=(item.lat_deg, item.lon_deg), expected=expected)
    north, east, _ = origin.from_geodetic(item.lat_deg, item.lon_deg, origin.height_m).tolist()
    distance = math.hypot(north, east)
    if distance > FARTHEST_M:
        key, expected = f"distance of item {item.seq} from the origin (km)", f"at most {FARTHEST_M / 1e3:g}"
        raise ItemError(INVALID_PLACE, key=key, value=round(distance / 1e3), expected=expected)
    return north, east


def level(item: Item, origin: Origin) -> dict[str, float]:
    """Return depth_m or altitude_m of an item; ItemError if it lies above the water or below the bottom."""
    if math.isnan(item.z):
        raise ItemError(INVALID_ALTITUDE, "is missing", key=f"altitude of item {item.seq}", expected=UNDER_WATER)
    if item.frame in TERRAIN:
        if item.z < 0.0:
            key = f"altitude of item {item.seq} above the bottom (m)"
            raise ItemError(INVALID_ALTITUDE, key=key, value=item.z, expected="0 or more")
        return {"altitude_m": item.z}
    depth = -item.z + (origin.height_m if item.frame in ABSOLUTE else 0.0)
    if depth < 0.0:
        key = f"height of item {item.seq} above the water (m)"
        raise ItemError(INVALID_ALTITUDE, key=key, value=-depth, expected=UNDER_WATER)
    return {"depth_m": abs(depth)}


def check(item: Item, limits: MissionLimits) -> None:
    """Raise ItemError if an item cannot be flown."""
    if item.seq == 0:
        return  # home
    if item.command not in COMMANDS:
        key, expected = f"command of item {item.seq}", one_of(map(str, COMMANDS))
        raise ItemError(UNSUPPORTED, key=key, value=item.command, expected=expected)
    if item.command in PLACES and item.frame not in FRAMES and not (item.command == LAND and not (item.x or item.y)):
        key, expected = f"frame of item {item.seq}", one_of(map(str, FRAMES))
        raise ItemError(UNSUPPORTED_FRAME, key=key, value=item.frame, expected=expected)
    if item.command == CHANGE_SPEED and item.params[1] > limits.top_m_s:
        key, expected = f"speed of item {item.seq} (m/s)", f"at most {limits.top_m_s:.3g}, the top speed"
        raise ItemError(INVALID_PARAM2, key=key, value=item.params[1], expected=expected)
    if item.command in PLACES and item.command != LAND:
        there, held = place(item, limits.origin), level(item, limits.origin)
        try:
            check_reach(f"item {item.seq}", there, held, limits.rated_m, limits.bottom_m)
        except CommandError as problem:
            raise problem.at(ItemError, result=INVALID_ALTITUDE) from None
    legs_of(item, limits, {"depth_m": limits.depth_m})


def check_reach(
    subject: str, there: tuple[float, float], held: Mapping[str, Any], rated_m: float,
    bottom_m: Callable[[float, float], SupportsFloat],
) -> None:  # fmt: skip
    """Raise CommandError if the depth or altitude of `subject` cannot be held at a position."""
    bottom = float(bottom_m(*there))
    depth, altitude = held.get("depth_m"), held.get("altitude_m")
    if depth is not None:
        key = f"depth of {subject} (m)"
        if depth > rated_m:
            raise CommandError(key=key, value=depth, expected=f"at most {rated_m:g}, the depth rating of the vehicle")
        if depth >= bottom:
            raise CommandError(key=key, value=depth, expected=f"less than {bottom:.4g}, the depth of the bottom there")
    if altitude is not None:
        key = f"altitude of {subject} (m)"
        if not math.isfinite(bottom):
            raise CommandError("this world has no bottom", key=key, value=altitude, expected="a depth")
        if altitude > bottom:
            raise CommandError(key=key, value=altitude, expected=f"at most {bottom:.4g}, the depth of the bottom there")
        if bottom - altitude > rated_m:
            expected = f"at least {bottom - rated_m:.4g}: the vehicle is rated for {rated_m:g} m"
            raise CommandError(key=key, value=altitude, expected=expected)


def legs_of(item: Item, limits: MissionLimits, held: dict[str, float]) -> list[dict[str, Any]]:
    """Return the legs of one item in scenario form; `held` is the depth or altitude of the previous item."""
    name = f"item {item.seq}"
    common: dict[str, Any] = {"name": name, "speed_m_s": limits.speed_m_s}
    first = item.params[0] if math.isfinite(item.params[0]) else 0.0
    if first < 0.0 and item.command in (WAYPOINT, LOITER_TIME, DELAY):
        raise ItemError(INVALID_PARAM1, key=f"hold time of item {item.seq} (s)", value=first, expected="0 or more")
    if item.command == CHANGE_SPEED:
        return []
    if item.command == DELAY:
        return [_stay(limits, common, None, held, first, item)]
    if item.command == RETURN:
        return [_go(limits, common, (0.0, 0.0), held, item)]
    if item.command == LAND:
        there = [_go(limits, common, place(item, limits.origin), held, item)] if item.x or item.y else []
        up = {"kind": "surface", "dive_again": False, "wait_s": 0.0, "surface_depth_m": limits.surface_m, **common}
        return [*there, up]
    here, depth = place(item, limits.origin), level(item, limits.origin)
    going = _go(limits, common, here, depth, item)
    if item.command == WAYPOINT:
        return [going, _stay(limits, common, here, depth, first, item)] if first > 0.0 else [going]
    seconds = FOREVER_S if item.command == LOITER else first
    return [going, _stay(limits, common, here, depth, seconds, item)]


def _go(
    limits: MissionLimits, common: dict[str, Any], there: tuple[float, float], depth: dict[str, float], item: Item
) -> dict[str, Any]:
    # NaN > 0 is false, so that an unused parameter gives the default radius.
    near = item.params[1] if item.command == WAYPOINT and item.params[1] > 0.0 else limits.radius_m
    if limits.hovers:
        where = {"north_m": there[0], "east_m": there[1]}
        return {"kind": "goto", "face": True, "tolerance_m": near, "settle_s": 0.0, **where, **depth, **common}
    return {"kind": "waypoints", "points_m": [list(there)], "acceptance_m": near, **depth, **common}


def _stay(
    limits: MissionLimits, common: dict[str, Any], there: tuple[float, float] | None, depth: dict[str, float],
    seconds_s: float, item: Item,
) -> dict[str, Any]:  # fmt: skip
    if limits.hovers:
        where = {} if there is None else {"north_m": there[0], "east_m": there[1]}
        return {"kind": "hold", "seconds_s": seconds_s, **where, **depth, **common}
    if there is None:
        message = "this vehicle cannot stay where it is"
        raise ItemError(UNSUPPORTED, message, key=f"item {item.seq}", expected="a place to circle")
    around = abs(item.params[2]) if math.isfinite(item.params[2]) and item.params[2] else CIRCLE_M
    side = "port" if item.params[2] < 0.0 else "starboard"
    circle = {"center_m": list(there), "radius_m": around, "side": side, "turns": FOREVER_S, "timeout_s": seconds_s}
    return {"kind": "circle", **circle, **depth, **common}


class TooSoonError(CommandError):
    """Routes are built more often than the time budget allows."""


class MissionPlan:
    """Uploaded mission and its progress.

    Args:
        limits: returns the present limits of the vehicle.
        restart: returns whether AUTO starts from the first item (MIS_RESTART).
        clock: clock that measures the cost of building a route, s.
    """

    def __init__(
        self,
        limits: Callable[[Flight], MissionLimits],
        restart: Callable[[], bool],
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        self._limits, self._restart, self._clock = limits, restart, clock
        self.items: tuple[Item, ...] = ()
        self._last_route: Any = None  # kept after its items were replaced, to tell it from the route of a scenario
        self._budget_s, self._at_s = BURST_S, clock()
        self.reset()

    def reset(self) -> None:
        """Start a new flight: keep the items, forget the progress."""
        self._mission: Any = None
        self._seqs: list[int] = []
        self._first = 1
        self._reported = 0

    def put(self, items: tuple[Item, ...]) -> None:
        """Replace the mission; the present route continues until AUTO is entered again."""
        self.items = items
        self.reset()

    def set_current(self, flight: Flight, seq: int) -> None:
        """Continue with this item: at once if the mission is being flown, else when AUTO is entered."""
        if not 0 <= seq < len(self.items):
            expected = f"one of the {len(self.items)} items of the mission, counted from 0"
            raise CommandError(key="mission item", value=seq, expected=expected)
        # A rejected route must leave the old one in progress.
        before = self._first, self._mission
        self._first, self._mission = max(seq, 1), None
        if flight.flies_mission:
            try:
                self.fly(flight)
            except CommandError:
                self._first, self._mission = before
                raise

    def fly(self, flight: Flight) -> None:
        """Start or resume the mission; CommandError if it cannot be flown."""
        loaded = self._mission is not None and flight.mission is self._mission
        scenario = flight.mission is not None and flight.mission is not self._last_route
        if not loaded and not self.items and scenario:
            flight.order("hold", {"hold": "mission", "on": True})
            return
        done = self._mission is not None and self._mission.done
        if not loaded or done or (self._restart() and not flight.flies_mission):
            self._route(flight)
        if not flight.flies_mission:
            flight.order("hold", {"hold": "mission", "on": True})
        flight.signal(Signal.START)

    def _route(self, flight: Flight) -> None:
        # Token bucket: building a route costs milliseconds of the tick, and a station may send commands at any rate.
        begun = self._clock()
        self._budget_s, self._at_s = min(BURST_S, self._budget_s + SHARE * (begun - self._at_s)), begun
        if self._budget_s <= 0.0:
            raise TooSoonError("missions are started too often; try again in a moment")
        try:
            self._build_route(flight)
        finally:
            self._budget_s -= self._clock() - begun

    def _build_route(self, flight: Flight) -> None:
        first = self._first if self._mission is None else 1
        legs, seqs = self.legs(self._limits(flight), first)
        if not legs:
            raise CommandError("there is no mission with an item to fly; upload one first")
        flight.order("route", {"legs": legs})
        self._mission, self._seqs, self._reported, self._first = flight.mission, seqs, 0, 1
        self._last_route = flight.mission

    def legs(self, limits: MissionLimits, first: int = 1) -> tuple[list[dict[str, Any]], list[int]]:
        """Return the legs from an item on and the item number of each leg."""
        legs: list[dict[str, Any]] = []
        seqs: list[int] = []
        held = {"depth_m": max(limits.depth_m, 0.0)}
        for item in self.items[1:]:
            if item.command == CHANGE_SPEED and item.params[1] > 0.0:
                limits = limits._replace(speed_m_s=item.params[1])
            new_legs = legs_of(item, limits, held)
            held = next(
                ({key: leg[key]} for leg in new_legs for key in ("depth_m", "altitude_m") if key in leg), held
            )  # fmt: skip
            if item.seq >= first:
                legs += new_legs
                seqs += [item.seq] * len(new_legs)
        return legs, seqs

    def current(self) -> int:
        """Return the number of the present item, or of the first one to be flown."""
        mission = self._mission
        if mission is None or not self._seqs:
            return min(self._first, max(len(self.items) - 1, 0))
        return self._seqs[min(mission.index, len(self._seqs) - 1)]

    def state(self, flight: Flight) -> int:
        """Return the MISSION_STATE."""
        mission = self._mission
        if not self.items:
            return NONE
        if mission is None:
            return NOT_STARTED
        if mission.done:
            return COMPLETE
        return ACTIVE if flight.flies_mission and flight.armed else PAUSED

    def reached(self) -> list[int]:
        """Return the numbers of the items completed since the last call."""
        mission = self._mission
        if not isinstance(mission, Mission):
            return []
        at = len(self._seqs) if mission.done else mission.index
        done = self._seqs[self._reported : at]
        # An item with several legs counts as reached only after its last leg.
        ahead = self._seqs[at] if at < len(self._seqs) else -1
        self._reported = max(self._reported, at)
        return sorted({seq for seq in done if seq != ahead})


def home(lat_deg: float, lon_deg: float) -> Item:
    """Return item 0 of a mission, the home position."""
    return Item(0, 0, 16, (0.0, 0.0, 0.0, 0.0), round(lat_deg * 1e7), round(lon_deg * 1e7), 0.0)
