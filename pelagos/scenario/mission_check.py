"""Validate the mission, commands and faults of a scenario against the vehicle and the world, before the run."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from pelagos.errors import CommandError, one_of
from pelagos.files.reader import Place, in_file
from pelagos.guidance.base import Leg
from pelagos.guidance.legs.bottom import BottomFollow
from pelagos.messages import PilotCommand
from pelagos.scenario.spec import Control, ScenarioEvent, ScenarioVehicle
from pelagos.sim.commands import DirectControl
from pelagos.sim.faults.effects import Faults
from pelagos.world.spec import World


def check_mission(entry: ScenarioVehicle, world: World, place: Place) -> None:
    """Refuse depths above the surface, below the bottom or beyond the rating of the vehicle, and waypoints on land."""
    deepest = entry.vehicle.depth_rating_m
    start = (entry.start.north_m, entry.start.east_m)
    if entry.control.depth_m is not None:
        _check_depth(entry, world, place.within("control"), "depth_m", entry.control.depth_m, (start,), deepest)
    if entry.start.altitude_m is not None:
        if not math.isfinite(float(world.bottom_m(*start))):
            place.within("start").fail("altitude_m", value=entry.start.altitude_m, expected="a world with a bottom")
    else:
        _check_depth(entry, world, place.within("start"), "depth_m", entry.start.depth_m, (start,), deepest)
    for k, leg in enumerate(entry.mission):
        inner = place.within(f"mission[{k}]")
        for north, east, depth in leg.stops():
            _check_depth(entry, world, inner, "depth_m", depth, ((north, east),), deepest)
        if not leg.places():
            for depth in leg.depths():
                _check_depth(entry, world, inner, "depth_m", depth, (start,), deepest)
        for north, east in leg.places():
            bottom = float(world.bottom_m(north, east))
            if world.surface and bottom <= 0.0:
                inner.fail("", f"is on land, {-bottom:.3g} m above the sea", value={"north_m": north, "east_m": east})
    for k, event in enumerate(entry.events):
        if event.depth_m is not None:
            inner = place.within(f"event[{k}]")
            _check_depth(entry, world, inner, "depth_m", event.depth_m, (start,), deepest)


def with_sonars(entry: ScenarioVehicle, place: Place) -> ScenarioVehicle:
    """Return the vehicle with the beams, range and position of the named sonar filled into its legs."""
    legs = tuple(_with_sonar(leg, entry, place.within(f"mission[{k}]")) for k, leg in enumerate(entry.mission))
    return replace(entry, mission=legs)


def _with_sonar(leg: Leg, entry: ScenarioVehicle, place: Place) -> Leg:
    if not (isinstance(leg, BottomFollow) and leg.sonar):
        return leg
    fitted = {sensor.name or sensor.kind: sensor for sensor in entry.sensors}
    if leg.sonar not in fitted:
        message = "no instrument of this name" + ("" if fitted else "; there are no [[sensor]] tables")
        expected = one_of(fitted) if fitted else ""
        place.fail("sonar", message, value=leg.sonar, expected=expected, names=fitted)
    with in_file(place):
        return leg.with_sonar(fitted[leg.sonar])


def check_commands(entry: ScenarioVehicle, place: Place) -> None:
    """Refuse commands, faults and settings for parts that the vehicle does not have."""
    if entry.navigation is not None and not entry.sensors:
        place.fail("navigation", "needs instruments", expected="sensor = true or [[sensor]] tables as well")
    if entry.mission and entry.control.kind in ("direct", "pilot", "python"):
        kind = entry.control.kind
        message = f'control.kind = "{kind}" holds no setpoints, so legs cannot steer the vehicle'
        place.fail("mission", message, expected="another kind of control")
    _check_actuators(entry, entry.control, place.within("control"))
    for k, event in enumerate(entry.events):
        inner = place.within(f"event[{k}]")
        _check_actuators(entry, event, inner)
        if event.next_leg and not entry.mission:
            inner.fail("next_leg", "there is no mission", value=True, expected="[[mission]] tables as well")
        for key in ("tether_rate_m_s", "tether_ratio"):
            if getattr(event, key) is not None and entry.tether is None:
                inner.fail(key, "there is no tether to haul", value=getattr(event, key), expected="a [tether] as well")
        if event.tether_rate_m_s is not None and entry.tether is not None:
            fastest = entry.tether.drum_speed_m_s
            if abs(event.tether_rate_m_s) > fastest:
                expected = f"at most {fastest:g} either way, the speed of the drum"
                inner.fail("tether_rate_m_s", value=event.tether_rate_m_s, expected=expected)
    sensors = [sensor.name or sensor.kind for sensor in entry.sensors]
    for k, fault in enumerate(entry.faults):
        with in_file(place.within(f"fault[{k}]")):
            Faults([fault], entry.vehicle, sensors, entry.tether is not None)


def _check_actuators(entry: ScenarioVehicle, table: Control | ScenarioEvent, place: Place) -> None:
    """Refuse commands that `DirectControl` or the sticks do not accept, by sending them to a controller not in use."""
    direct = DirectControl(entry.vehicle)
    groups: tuple[tuple[str, Callable[[Any], Any]], ...] = (
        ("thrust", lambda commands: direct.command("thrusters", None, commands)),
        ("deflect", lambda commands: direct.command("surfaces", None, commands)),
        ("ballast", lambda commands: direct.command("ballast", None, commands)),
        ("sticks", _check_sticks),
    )
    for key, send in groups:
        commands = dict(getattr(table, key))
        if not commands:
            continue
        inner = place.within(key)
        for name, value in commands.items():  # one at a time, so that the error names the key in the file
            try:
                send({name: value})
            except CommandError as problem:
                raise problem.at(place.error, file=place.file, key=inner.within(name).path, value=value) from None
        try:
            send(commands)  # together: the same actuator in two units
        except CommandError as problem:
            raise problem.at(place.error, file=place.file, key=inner.path) from None


def _check_sticks(commands: dict[str, float]) -> None:
    known = PilotCommand.__dataclass_fields__
    for name in commands:
        if name not in known:
            raise CommandError("there is no stick", value=name, expected=one_of(known), names=known)
    PilotCommand(**commands)


def _check_depth(
    entry: ScenarioVehicle,
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
        expected = f"at most {deepest_m:g} m, the depth rating of {entry.vehicle.name}"
        place.fail(key, value=depth_m, expected=expected)
    for north, east in places:
        bottom = float(world.bottom_m(north, east))
        if depth_m > bottom:
            where = f"the water is {bottom:.4g} m deep at north {north:g} m, east {east:g} m"
            place.fail(key, f"is below the bottom: {where}", value=depth_m)
