"""PDUs of a local vehicle: every number against the state of the simulation."""

import math

import numpy as np
import pytest

import pelagos
from pelagos.errors import CommandError
from pelagos.frames import rotation_from_quaternion
from pelagos.geodesy import Origin, rotation_eb
from pelagos.links.dis.own_entity import OwnEntity, markings, parts_of
from pelagos.links.dis.publisher import Rule
from pelagos.links.dis.wire.enumerations import appearance
from pelagos.links.dis.wire.header import Header
from pelagos.links.dis.wire.pdu import decode, encode
from pelagos.links.dis.wire.records import NOBODY, Articulation, EntityId
from pelagos.sim.simulation import Simulation

ORIGIN = Origin(58.1, 7.6)
WHO = EntityId(1, 2, 3)


def under_way(rule=None, key="phoenix", **more):
    sim = Simulation(key, pelagos.World(depth_m=60.0), **more)
    sim.place(depth_m=20.0, heading_deg=70.0, surge_m_s=0.5, yaw_rate_deg_s=3.0)
    entity = OwnEntity(sim, WHO, "auv", rule or Rule(), ORIGIN)
    for _ in range(5):
        sim.tick()
        entity.update_motion()
    return sim, entity


@pytest.mark.parametrize("algorithm", [2, 4, 7, 8])
def test_the_pdu_says_where_it_is_and_how_it_moves(algorithm):
    sim, entity = under_way(Rule(algorithm=algorithm))
    before = sim.plant.nu.copy()
    sim.tick()
    entity.update_motion()
    state = entity.state(Header(), 0.0, still=False)
    assert state is not None
    state = decode(encode(state))  # through the bytes: 32 bits of velocities and angles
    motion = sim.evaluate()
    R_nb = rotation_from_quaternion(motion.quaternion)
    assert np.array(state.location) == pytest.approx(ORIGIN.to_geocentric(motion.position_n), abs=1e-8)
    assert rotation_eb(*state.orientation) == pytest.approx(ORIGIN.R_en @ R_nb, abs=5e-7)
    v, w, rate = motion.nu[:3], motion.nu[3:], (motion.nu - before)[:3] / sim.interval_s
    turn = np.eye(3) if algorithm >= 6 else ORIGIN.R_en @ R_nb
    a = rate if algorithm >= 6 else rate + np.cross(w, v)
    assert np.array(state.velocity) == pytest.approx(turn @ v, abs=1e-6)
    reckoning = state.reckoning
    assert reckoning.algorithm == algorithm
    assert np.array(reckoning.acceleration) == pytest.approx(turn @ a if algorithm in (4, 8) else np.zeros(3), abs=1e-6)
    assert np.array(reckoning.angular_velocity) == pytest.approx(w if algorithm != 2 else np.zeros(3), abs=1e-6)
    assert (state.entity, state.marking) == (WHO, "auv")
    assert (state.type.kind, state.type.domain, state.type.category) == (1, 4, 8)  # an unmanned underwater vehicle


def test_its_parts_stand_as_they_do():
    sim, entity = under_way()
    sim.deflect(**{f"{sim.vehicle.surfaces[0].name}_deg": 10.0})
    for _ in range(30):
        sim.tick()
        entity.update_motion()
    state = entity.state(Header(), 0.0, still=False)
    assert state is not None
    values = [part.value for part in state.parts if isinstance(part, Articulation)]
    reached = float(sim.plant.state["actuators"]["surface"][0])
    assert abs(reached) > math.radians(5.0)
    assert any(value == pytest.approx(reached, rel=1e-6) for value in values)


def test_time_that_stands_still_is_told_as_rest_and_frozen_and_ends_again():
    sim, entity = under_way()
    assert entity.state(Header(), 0.0, still=False) is not None
    assert entity.state(Header(), 0.01, still=False) is None
    still = entity.state(Header(), 0.02, still=True)
    assert still is not None and entity.published_frozen
    assert still.velocity == (0.0, 0.0, 0.0) and still.reckoning.algorithm == 1
    assert still.appearance == appearance(frozen=True, power=True)
    assert entity.state(Header(), 3.0, still=True) is None  # nothing moves and nothing is due
    assert entity.state(Header(), 5.1, still=True) is not None  # the heartbeat
    again = entity.state(Header(), 5.2, still=False)
    assert again is not None and math.hypot(*again.velocity) == pytest.approx(
        np.linalg.norm(sim.plant.nu[:3]), rel=1e-6
    )


def test_the_last_word_is_that_it_has_left():
    _, entity = under_way()
    assert entity.final_state(Header(), 0.0) is None  # nobody ever heard of it
    entity.state(Header(), 0.0, still=False)
    last = entity.final_state(Header(), 1.0)
    assert last is not None and last.appearance == appearance(deactivated=True)


def test_a_collision_is_told_with_speed_mass_and_place():
    sim, entity = under_way()
    motion = sim.evaluate()
    R_nb = rotation_from_quaternion(motion.quaternion)
    nose = motion.position_n + R_nb @ np.array([1.0, 0.0, 0.2])
    crash = entity.collision(Header(), EntityId(1, 2, 9), None, nose)
    assert (crash.entity, crash.other, crash.event) == (WHO, NOBODY, EntityId(1, 2, 9))
    assert crash.location == pytest.approx([1.0, 0.0, 0.2], abs=1e-9)  # in our own axes, as nobody was hit
    assert np.array(crash.velocity) == pytest.approx(ORIGIN.R_en @ R_nb @ motion.nu[:3], abs=1e-9)
    assert crash.mass_kg == sim.vehicle.body.mass_kg
    other = Simulation("remus100", pelagos.World(depth_m=60.0), name="other")
    other.place(depth_m=20.0, north_m=3.0, heading_deg=90.0)
    second = OwnEntity(other, EntityId(1, 2, 4), "other", Rule(), ORIGIN)
    met = entity.collision(Header(), EntityId(1, 2, 10), second, np.array([3.0, 0.5, 20.0]))
    assert met.other == second.entity
    assert met.location == pytest.approx([0.5, 0.0, 0.0], abs=1e-9)  # it heads east: half a metre ahead of it


def test_markings_are_short_and_differ():
    assert markings(["bluerov2_heavy"]) == ["bluerov2_he"]
    assert markings(["a" * 20, "a" * 20, "a" * 12]) == ["a" * 11, "a" * 10 + "2", "a" * 10 + "3"]
    assert markings(["Bøye", "x"]) == ["B?ye", "x"]


def test_parts_may_have_other_numbers_and_names_must_be_known():
    sim, _ = under_way()
    name = sim.vehicle.thrusters[0].name
    assert parts_of([sim], {name: [4711]}) == [{name: [4711]}]
    entity = OwnEntity(sim, WHO, "auv", Rule(), ORIGIN, {name: [4711]})
    state = entity.state(Header(), 0.0, still=False)
    assert state is not None and 4711 in [part.kind for part in state.parts if isinstance(part, Articulation)]
    with pytest.raises(CommandError, match="no vehicle has an articulated part"):
        parts_of([sim], {"wing": [1]})
    assert parts_of([sim], None) == [{}]
