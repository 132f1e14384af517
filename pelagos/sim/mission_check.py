"""Missions that cannot be flown are refused before they start: above the surface, below the bottom or the rating."""

from __future__ import annotations

import math

from pelagos.sim.scenario import Craft
from pelagos.tables import Place
from pelagos.world.spec import World


def check_mission(craft: Craft, world: World, place: Place) -> None:
    """Refuse legs and setpoints that no vehicle or not this one can follow in this world."""
    deepest = float(getattr(craft.vehicle, "depth_rating_m", math.inf))
    start = (craft.start.north_m, craft.start.east_m)
    if craft.control.depth_m is not None:
        _check_depth(craft, world, place.within("control"), "depth_m", craft.control.depth_m, (start,), deepest)
    if craft.start.altitude_m is None:
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
                inner.fail("", expected=f"north {north:g} m, east {east:g} m is on land, {-bottom:.3g} m above the sea")
    for k, event in enumerate(craft.events):
        if event.depth_m is not None:
            inner = place.within(f"event[{k}]")
            _check_depth(craft, world, inner, "depth_m", event.depth_m, (start,), deepest)


def _check_depth(
    craft: Craft,
    world: World,
    place: Place,
    key: str,
    depth_m: float,
    places: tuple[tuple[float, float], ...],
    deepest_m: float,
) -> None:
    if world.surface and depth_m < 0.0 and place.path != "start":
        place.fail(key, depth_m, "is above the surface; expected a depth of 0 or more, positive down")
    if depth_m > deepest_m:
        place.fail(key, depth_m, f"is deeper than {craft.vehicle.name} is rated for, {deepest_m:g} m")
    for north, east in places:
        bottom = float(world.bottom_m(north, east))
        if depth_m > bottom:
            where = f"the water is {bottom:.4g} m deep at north {north:g} m, east {east:g} m"
            place.fail(key, depth_m, f"is below the bottom: {where}")
