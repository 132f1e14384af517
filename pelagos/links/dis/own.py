"""A vehicle of ours as an entity: its Entity State and Collision PDUs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pelagos.errors import CommandError
from pelagos.frames import rotation_from_quaternion
from pelagos.geodesy import DEFAULT_ORIGIN, Origin, geocentric_euler
from pelagos.links.dis.entity_types import type_of
from pelagos.links.dis.parts import ArticulatedParts, channels, echo, sonars
from pelagos.links.dis.publisher import EntityMotion, Publisher, ReckonedState, Rule
from pelagos.links.dis.wire.collision import CollisionPdu
from pelagos.links.dis.wire.entity_state import EntityState
from pelagos.links.dis.wire.enumerations import FROZEN, Force, appearance
from pelagos.links.dis.wire.header import Header
from pelagos.links.dis.wire.records import MARKING, NOBODY, DeadReckoning, EntityId, EventId, Vector
from pelagos.sensors.base import Sensor
from pelagos.sim.dead_reckoning import IN_BODY_AXES, STATIC
from pelagos.sim.simulation import Simulation

Array = NDArray[np.float64]


class OwnEntity:
    """One vehicle in the exercise.

    Args:
        sim: the vehicle.
        entity: its identity.
        marking: what stands written on it.
        rule: when it is told of.
        origin: where its world lies.
        changes: other articulated parts, by name; see `parts`.
    """

    def __init__(
        self,
        sim: Simulation,
        entity: EntityId,
        marking: str,
        rule: Rule,
        origin: Origin,
        changes: Mapping[str, Sequence[int]] | None = None,
    ) -> None:
        self.sim, self.entity, self.marking, self._origin = sim, entity, marking, origin
        self.publisher = Publisher(rule)
        fitted = sensors_of(sim)
        self._sonars = dict(sonars(fitted))
        self._stance = ArticulatedParts(channels(sim.vehicle, fitted, changes))
        self._type = type_of(sim.vehicle.vehicle_class)
        self._motion: EntityMotion | None = None
        self.removed = False

    @property
    def told_frozen(self) -> bool:
        """Whether others know that it stands still."""
        picture = self.publisher.picture
        return picture is not None and bool(picture.appearance & FROZEN)

    def moved(self) -> None:
        """After a tick: look at the motion."""
        self._motion = EntityMotion.of(self.sim, self._motion)

    def state(self, header: Header, now_s: float, still: bool) -> EntityState | None:
        """The PDU that is due now, or None. `still`: time stands still, and others must not reckon on."""
        if self._motion is None:
            self.moved()
        assert self._motion is not None
        motion = self._motion.still() if still else self._motion
        looks = appearance(frozen=still, power=True)
        if not self.publisher.due(motion, now_s, self.sim.interval_s, looks):
            return None
        return self._told(self.publisher.sent(motion, now_s, looks, STATIC if still else None), header)

    def farewell(self, header: Header, now_s: float) -> EntityState | None:
        """The last PDU: it has left; None for one that was never told of."""
        if self._motion is None or self.publisher.picture is None:
            return None
        looks = appearance(deactivated=True)
        return self._told(self.publisher.sent(self._motion.still(), now_s, looks, STATIC), header)

    def collision(self, header: Header, event: EventId, other: OwnEntity | None, place_n: Array | None) -> CollisionPdu:
        """A crash now, with another vehicle of ours or with something that is no entity."""
        motion = EntityMotion.of(self.sim)
        met = self if other is None else other
        location: Vector = (0.0, 0.0, 0.0)
        if place_n is not None:
            there = met.sim.evaluate()
            location = _vector(rotation_from_quaternion(there.quaternion).T @ (place_n - there.position_n))
        return CollisionPdu(
            self.entity,
            NOBODY if other is None else other.entity,
            event,
            velocity=_vector(self._origin.R_en @ motion.velocity_n),
            mass_kg=float(self.sim.vehicle.body.mass_kg),
            location=location,
            header=header,
        )

    def _told(self, picture: ReckonedState, header: Header) -> EntityState:
        origin = self._origin
        turn = np.eye(3) if picture.algorithm in IN_BODY_AXES else origin.R_en
        R_eb = origin.R_en @ rotation_from_quaternion(picture.quaternion)
        reckoning = DeadReckoning(picture.algorithm, _vector(turn @ picture.acceleration), _vector(picture.rates))
        return EntityState(
            self.entity,
            self._type,
            _vector(origin.to_geocentric(picture.position_n)),
            _vector(turn @ picture.velocity),
            geocentric_euler(R_eb),
            reckoning,
            force=Force.NEUTRAL,
            marking=self.marking,
            appearance=picture.appearance,
            parts=self._parts(),
            header=header,
        )

    def _parts(self) -> tuple[Any, ...]:
        actuators, vehicle = self.sim.plant.state["actuators"], self.sim.vehicle
        latest = self.sim.sensing.suite.latest if self.sim.sensing else {}
        echoes = {name: echo(sonar, latest[name].values) for name, sonar in self._sonars.items() if name in latest}
        return self._stance.articulations(
            actuators["thruster"][: len(vehicle.thrusters)], actuators["surface"][: len(vehicle.surfaces)], echoes
        )


def sensors_of(sim: Simulation) -> tuple[Sensor, ...]:
    """The instruments at work."""
    return tuple(sim.sensing.suite.sensors.values()) if sim.sensing else ()


def markings(names: Sequence[str]) -> list[str]:
    """Names cut to what a marking can hold, each its own: the last characters of a repeated one become a number."""
    said: list[str] = []
    for name in names:
        plain = "".join(c if c.isascii() and c.isprintable() else "?" for c in name)
        text, number = plain[:MARKING], 1
        while text in said:
            number += 1
            text = plain[: MARKING - len(str(number))] + str(number)
        said.append(text)
    return said


def origin_of(sim: Simulation, tell: Callable[[str], None]) -> Origin:
    """Where its world lies; Monterey Bay, and a sentence, if that does not say."""
    world, at = sim.world, DEFAULT_ORIGIN
    if world.origin_lat_deg is not None and world.origin_lon_deg is not None:
        return Origin(world.origin_lat_deg, world.origin_lon_deg)
    tell(f"DIS: the world does not say where it lies; it is put at {at.lat_deg:g} deg N {-at.lon_deg:g} deg W, "
         "Monterey Bay (origin_lat_deg and origin_lon_deg of the world)")  # fmt: skip
    return at


def parts_of(sims: Sequence[Simulation], changes: Mapping[str, Sequence[int]] | None) -> list[dict[str, Sequence[int]]]:
    """Changed parts of each vehicle, by the names it has; CommandError for a name that none of them has."""
    fitted = [{channel.part for channel in channels(sim.vehicle, sensors_of(sim))} for sim in sims]
    known = sorted(set[str]().union(*fitted))
    for name in changes or {}:
        if name not in known:
            raise CommandError("no vehicle has an articulated part", value=name, names=known)
    return [{name: kinds for name, kinds in (changes or {}).items() if name in names} for names in fitted]


def _vector(values: Array) -> Vector:
    x, y, z = values.tolist()
    return x, y, z
