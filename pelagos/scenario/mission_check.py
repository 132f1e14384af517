"""Missions that cannot be flown are refused before they start: above the surface, below the bottom or the rating."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from pelagos.errors import CommandError, one_of
from pelagos.files.reader import Place, in_file, keys_of
from pelagos.guidance.base import Leg
from pelagos.guidance.legs.bottom import BottomFollow
from pelagos.messages import PilotCommand
from pelagos.scenario.spec import Control, ScenarioEvent, ScenarioVehicle
from pelagos.sim.commands import DirectControl
from pelagos.sim.faults.effects import Faults
from pelagos.world.spec import World


def check_mission(craft: ScenarioVehicle, world: World, place: Place) -> None:
    """Refuse legs and setpoints that no vehicle or not this one can follow in this world."""
    deepest = craft.vehicle.depth_rating_m
    start = (craft.start.north_m, craft.start.east_m)
    if craft.control.depth_m is not None:
        _check_depth(craft, world, place.within("control"), "depth_m", craft.control.depth_m, (start,), deepest)
    if craft.start.altitude_m is not None:
        if not math.isfinite(float(world.bottom_m(*start))):
            place.within("start").fail("altitude_m", value=craft.start.altitude_m, expected="a world with a bottom")
    else:
        _check_depth(craft, world, place.within("start"), "depth_m", craft.start.depth_m, (start,), deepest)
    for k, leg in enumerate(craft.mission):
        inner = place.within(f"mission[{k}]")
        for north, east, depth in leg.stops():
            _check_depth(craft, world, inner, "depth_m", depth, ((north, east),), deepest)
        if not leg.places():
            for depth in leg.depths():
                _check_depth(craft, world, inner, "depth_m", depth, (start,), deepest)
        for north, east in leg.places():
            bottom = float(world.bottom_m(north, east))
            if world.surface and bottom <= 0.0:
                inner.fail("", f"north {north:g} m, east {east:g} m is on land, {-bottom:.3g} m above the sea")
    for k, event in enumerate(craft.events):
        if event.depth_m is not None:
            inner = place.within(f"event[{k}]")
            _check_depth(craft, world, inner, "depth_m", event.depth_m, (start,), deepest)


def with_sonars(craft: ScenarioVehicle, place: Place) -> ScenarioVehicle:
    """The legs that look ahead know the beams, the range and the place of the sonar that they name."""
    legs = tuple(_with_sonar(leg, craft, place.within(f"mission[{k}]")) for k, leg in enumerate(craft.mission))
    return replace(craft, mission=legs)


def _with_sonar(leg: Leg, craft: ScenarioVehicle, place: Place) -> Leg:
    if not (isinstance(leg, BottomFollow) and leg.sonar):
        return leg
    fitted = {sensor.name or sensor.kind: sensor for sensor in craft.sensors}
    if leg.sonar not in fitted:
        message = (
            "no instrument of this name" if fitted else "no instrument of this name; there are no [[sensor]] tables"
        )
        expected = one_of(fitted) if fitted else ""
        place.fail("sonar", message, value=leg.sonar, expected=expected, names=fitted)
    with in_file(place, list(keys_of(BottomFollow))):
        return leg.with_sonar(fitted[leg.sonar])


def check_orders(craft: ScenarioVehicle, place: Place) -> None:
    """Refuse orders, faults and settings about what the vehicle does not have."""
    if craft.navigation is not None and not craft.sensors:
        place.fail("navigation", "needs instruments", expected="sensor = true or [[sensor]] tables as well")
    if craft.mission and craft.control.kind in ("direct", "pilot", "python"):
        kind = craft.control.kind
        place.fail("mission", f'not with control.kind = "{kind}": it holds no setpoints, legs cannot steer it')
    _check_actuators(craft, craft.control, place.within("control"))
    for k, event in enumerate(craft.events):
        inner = place.within(f"event[{k}]")
        _check_actuators(craft, event, inner)
        if event.next_leg and not craft.mission:
            inner.fail("next_leg", "there is no mission", value=True, expected="[[mission]] tables as well")
        for key in ("tether_rate_m_s", "tether_ratio"):
            if getattr(event, key) is not None and craft.tether is None:
                inner.fail(key, "there is no tether to haul", value=getattr(event, key), expected="a [tether] as well")
        if event.tether_rate_m_s is not None and craft.tether is not None:
            fastest = craft.tether.drum_speed_m_s
            if abs(event.tether_rate_m_s) > fastest:
                inner.fail(
                    "tether_rate_m_s", f"the drum is no faster than {fastest:g} m/s", value=event.tether_rate_m_s
                )
    sensors = [sensor.name or sensor.kind for sensor in craft.sensors]
    for k, fault in enumerate(craft.faults):
        with in_file(place.within(f"fault[{k}]"), list(keys_of(type(fault)))):
            Faults([fault], craft.vehicle, sensors, craft.tether is not None)


def _check_actuators(craft: ScenarioVehicle, told: Control | ScenarioEvent, place: Place) -> None:
    """Try the orders on a vehicle that goes nowhere."""
    direct = DirectControl(craft.vehicle)
    ways: tuple[tuple[str, Callable[[Any], Any]], ...] = (
        ("thrust", lambda orders: direct.thrust(None, orders)),
        ("deflect", lambda orders: direct.deflect(None, orders)),
        ("ballast", direct.set_ballast),
        ("sticks", _sticks),
    )
    for key, order in ways:
        orders = getattr(told, key)
        if orders:
            try:
                order(dict(orders))
            except CommandError as problem:
                place.fail(key, str(problem))


def _sticks(orders: dict[str, float]) -> None:
    known = PilotCommand.__dataclass_fields__
    for name in orders:
        if name not in known:
            raise CommandError(f"there is no stick {name!r}", expected=f"one of {', '.join(known)}")
    PilotCommand(**orders)


def _check_depth(
    craft: ScenarioVehicle,
    world: World,
    place: Place,
    key: str,
    depth_m: float,
    places: tuple[tuple[float, float], ...],
    deepest_m: float,
) -> None:
    if world.surface and depth_m < 0.0 and place.path != "start":
        place.fail(key, "is above the surface", value=depth_m, expected="a depth of 0 or more, positive down")
    if depth_m > deepest_m:
        place.fail(key, f"is deeper than {craft.vehicle.name} is rated for, {deepest_m:g} m", value=depth_m)
    for north, east in places:
        bottom = float(world.bottom_m(north, east))
        if depth_m > bottom:
            where = f"the water is {bottom:.4g} m deep at north {north:g} m, east {east:g} m"
            place.fail(key, f"is below the bottom: {where}", value=depth_m)
