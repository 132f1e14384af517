"""Local vehicle as a DIS entity: makes its Entity State and Collision PDUs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pelagos.dead_reckoning import IN_BODY_AXES, STATIC
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
from pelagos.sim.simulation import Simulation

Array = NDArray[np.float64]


class OwnEntity:
    """One local vehicle in the exercise.

    Args:
        sim: simulation of the vehicle.
        entity: identifier in the exercise.
        marking: label that other programs show.
        rule: when to send Entity State PDUs.
        origin: geographic origin of the world.
        changes: parameter types of articulated parts by name, replacing the defaults; see `parts`.
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
        self._articulated = ArticulatedParts(channels(sim.vehicle, fitted, changes))
        self._type = type_of(sim.vehicle.vehicle_class)
        self._motion: EntityMotion | None = None
        self.removed = False

    @property
    def published_frozen(self) -> bool:
        """Whether the last PDU sent had the frozen bit."""
        last_sent = self.publisher.last_sent
        return last_sent is not None and bool(last_sent.appearance & FROZEN)

    def update_motion(self) -> None:
        """Read the motion of the vehicle after a tick."""
        self._motion = EntityMotion.of(self.sim, self._motion)

    def state(self, header: Header, now_s: float, still: bool) -> EntityState | None:
        """Return the PDU that is due now, or None. `still`: time stands still, so receivers must not extrapolate."""
        if self._motion is None:
            self.update_motion()
        assert self._motion is not None
        motion = self._motion.still() if still else self._motion
        bits = appearance(frozen=still, power=True)
        if not self.publisher.due(motion, now_s, self.sim.interval_s, bits):
            return None
        return self._pdu(self.publisher.mark_sent(motion, now_s, bits, STATIC if still else None), header)

    def final_state(self, header: Header, now_s: float) -> EntityState | None:
        """Return the last PDU, with the deactivated bit; None if the vehicle was never published."""
        if self._motion is None or self.publisher.last_sent is None:
            return None
        bits = appearance(deactivated=True)
        return self._pdu(self.publisher.mark_sent(self._motion.still(), now_s, bits, STATIC), header)

    def collision(self, header: Header, event: EventId, other: OwnEntity | None, place_n: Array | None) -> CollisionPdu:
        """Return the PDU of a collision now, with another local vehicle or with something that is no entity."""
        # Without `before` the acceleration is zero; a Collision PDU does not transmit it.
        motion = EntityMotion.of(self.sim)
        struck = self if other is None else other  # the PDU gives the location in the axes of the entity that was hit
        location: Vector = (0.0, 0.0, 0.0)
        if place_n is not None:
            state = struck.sim.evaluate()
            location = _vector(rotation_from_quaternion(state.quaternion).T @ (place_n - state.position_n))
        return CollisionPdu(
            self.entity,
            NOBODY if other is None else other.entity,
            event,
            velocity=_vector(self._origin.R_en @ motion.velocity_n),
            mass_kg=float(self.sim.vehicle.body.mass_kg),
            location=location,
            header=header,
        )

    def _pdu(self, reckoned: ReckonedState, header: Header) -> EntityState:
        origin = self._origin
        # Algorithms 6 to 9 transmit vectors in body axes, the others in geocentric axes.
        turn = np.eye(3) if reckoned.algorithm in IN_BODY_AXES else origin.R_en
        R_eb = origin.R_en @ rotation_from_quaternion(reckoned.quaternion)
        reckoning = DeadReckoning(reckoned.algorithm, _vector(turn @ reckoned.acceleration), _vector(reckoned.rates))
        return EntityState(
            self.entity,
            self._type,
            _vector(origin.to_geocentric(reckoned.position_n)),
            _vector(turn @ reckoned.velocity),
            geocentric_euler(R_eb),
            reckoning,
            force=Force.NEUTRAL,
            marking=self.marking,
            appearance=reckoned.appearance,
            parts=self._parts(),
            header=header,
        )

    def _parts(self) -> tuple[Any, ...]:
        actuators, vehicle = self.sim.plant.state["actuators"], self.sim.vehicle
        latest = self.sim.sensing.suite.latest if self.sim.sensing else {}
        echoes = {name: echo(sonar, latest[name].values) for name, sonar in self._sonars.items() if name in latest}
        return self._articulated.articulations(
            actuators["thruster"][: len(vehicle.thrusters)], actuators["surface"][: len(vehicle.surfaces)], echoes
        )


def sensors_of(sim: Simulation) -> tuple[Sensor, ...]:
    """Return the sensors of a simulation; none if it runs without sensors."""
    return tuple(sim.sensing.suite.sensors.values()) if sim.sensing else ()


def markings(names: Sequence[str]) -> list[str]:
    """Shorten names to unique markings of at most 11 characters; a number replaces the end of a repeated one."""
    labels: list[str] = []
    for name in names:
        plain = "".join(c if c.isascii() and c.isprintable() else "?" for c in name)
        text, number = plain[:MARKING], 1
        while text in labels:
            number += 1
            text = plain[: MARKING - len(str(number))] + str(number)
        labels.append(text)
    return labels


def origin_of(sim: Simulation, report: Callable[[str], None]) -> Origin:
    """Return the geographic origin of a world; without one, Monterey Bay, and `report` gets a message."""
    world, at = sim.world, DEFAULT_ORIGIN
    if world.origin_lat_deg is not None and world.origin_lon_deg is not None:
        return Origin(world.origin_lat_deg, world.origin_lon_deg)
    report(f"DIS: the world does not say where it lies; it is put at {at.lat_deg:g} deg N {-at.lon_deg:g} deg W, "
         "Monterey Bay (origin_lat_deg and origin_lon_deg of the world)")  # fmt: skip
    return at


def parts_of(sims: Sequence[Simulation], changes: Mapping[str, Sequence[int]] | None) -> list[dict[str, Sequence[int]]]:
    """Split changed parts by vehicle; a name that no vehicle has raises CommandError."""
    fitted = [{channel.part for channel in channels(sim.vehicle, sensors_of(sim))} for sim in sims]
    known = sorted(set[str]().union(*fitted))
    for name in changes or {}:
        if name not in known:
            raise CommandError("no vehicle has an articulated part", value=name, names=known)
    return [{name: kinds for name, kinds in (changes or {}).items() if name in names} for names in fitted]


def _vector(values: Array) -> Vector:
    x, y, z = values.tolist()
    return x, y, z
