"""Shared by tests of an exercise: a vehicle, and the ship and the manager of other programs."""

import pelagos
from pelagos.geodesy import DEFAULT_ORIGIN
from pelagos.links.dis.wire.entity_state import EntityState
from pelagos.links.dis.wire.header import Header, stamp
from pelagos.links.dis.wire.management import Acknowledge
from pelagos.links.dis.wire.records import DeadReckoning, EntityId, EntityType
from pelagos.sim.simulation import Simulation
from tests.links.dis.afloat import until

OTHER, MANAGER = EntityId(7, 7, 1), EntityId(9, 9, 1)
SHIP = EntityType.of("1:3:225:61")
DEEP = pelagos.World(depth_m=60.0)


def simulation(key="bluerov2_heavy", world=DEEP, **place):
    sim = Simulation(key, world, name=place.pop("name", ""))
    sim.place(**{"depth_m": 20.0, **place})
    return sim


def ship_state(north_m=100.0, speed=2.0, entity=OTHER, time_s=0.0, **more):
    """Another's ship that goes north, 100 m ahead."""
    R_en = DEFAULT_ORIGIN.R_en
    header = Header(exercise=more.pop("exercise", 1), timestamp=stamp(time_s))
    place = tuple(DEFAULT_ORIGIN.to_geocentric((north_m, 0.0, 0.0)))
    velocity = tuple(R_en @ (speed, 0.0, 0.0))
    return EntityState(entity, SHIP, place, velocity, reckoning=DeadReckoning(2), marking="Sur", header=header, **more)


class Sea:
    def __init__(self, session, exercise, peer, clock, messages):
        self.session, self.exercise, self.peer, self.clock, self.messages = session, exercise, peer, clock, messages
        self.sim = session.sims[0]

    def tick(self, n=1, events=()):
        for _ in range(n):
            self.clock.now_s += self.sim.interval_s
            self.session.tick(self.exercise, events)

    def hear(self, pdu):
        """Send to the exercise, and wait until it has read it: what is sent behind it is read after it."""
        before = self.exercise.counts().get("acknowledged", 0)
        self.peer.send(pdu, self.exercise.network.port)
        self.peer.send(Acknowledge(MANAGER, EntityId(1, 1, 0)), self.exercise.network.port)
        until(lambda: self.exercise.counts().get("acknowledged", 0) > before)
