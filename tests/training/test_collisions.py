"""Contacts of the real kernel in Royer's field: column 1 stands at north 10, east 10 and is 1.5 m wide."""

import numpy as np
import pytest

from pelagos.control.pilot.helm import Helm
from pelagos.messages import PilotCommand
from pelagos.sim.simulation import Simulation
from pelagos.training.collisions import Collisions, Touches
from pelagos.world.spec import World
from pelagos.world.structure import Structure


@pytest.fixture
def sim():
    sim = Simulation("bluerov2_heavy", "royer_field", control_rate_hz=50.0)
    sim.place(north_m=8.0, east_m=10.0, depth_m=20.0, surge_m_s=0.6)
    return sim


def flown(sim, seconds):
    collisions, events = Collisions(), []
    for _ in range(round(seconds * 50)):
        sim.tick()
        touch = collisions.update(sim)
        if touch is not None:
            events.append(touch)
    return collisions, events


def test_running_into_a_column_is_one_collision_where_the_column_is(sim):
    sim.pilot(surge=0.4)
    collisions, events = flown(sim, 6.0)
    assert collisions.count == len(events) == 1  # the vehicle grinds on, and that is the same touch
    touch = events[0]
    assert touch is collisions.last and touch.name == "column 1" and not touch.gentle
    # the face of the column is at 9.25 m; the hull stops within the centimetre that the contact is soft by
    assert touch.place_n[0] == pytest.approx(9.25, abs=0.02)
    assert abs(touch.place_n[1] - 10.0) < 0.75
    # it came with 0.6 m/s in water that runs 0.75 m/s the same way, and thrust
    assert 0.4 < touch.speed_m_s < 1.5
    event = touch.event()
    assert event["kind"] == "collision" and event["with"] == "column 1" and "column 1" in event["text"]


def test_a_second_touch_counts_after_half_a_second_apart(sim):
    collisions = Collisions()
    touch = sim.plant.state["touch"]
    counted = []
    for step in range(120):  # touched for 0.4 s, apart 0.4 s, touched, then apart 1 s, touched
        sim.tick()
        touching = step < 20 or 40 <= step < 45 or step >= 95
        touch["count"], touch["obstacle"], touch["speed"] = float(touching), 0.0, 0.3
        if collisions.update(sim) is not None:
            counted.append(step)
    assert counted == [0, 95] and collisions.count == 2


def test_coming_to_rest_on_the_bottom_is_a_touch_and_no_collision():
    sim = Simulation("bluerov2_heavy", World(depth_m=10.0), control_rate_hz=50.0)
    sim.place(depth_m=9.7)
    gap = min(float(hit["gap"]) for hit in sim.plant.contacts(1.0))
    sim.place(depth_m=9.7 + gap - 0.0005)  # half a millimetre above the bottom
    sim.pilot(heave=0.15)
    collisions, events = flown(sim, 5.0)
    assert events and events[0].gentle and events[0].speed_m_s < 0.05
    assert collisions.count == 0 and collisions.last is None
    assert events[0].event()["text"] == "rests on the seabed"
    sim.pilot(heave=1.0)
    sim.place(depth_m=7.0)
    collisions, events = flown(sim, 10.0)
    assert collisions.count >= 1 and collisions.last is not None
    assert np.isclose(collisions.last.place_n[2], 10.0, atol=0.02)


@pytest.mark.slow
def test_sliding_over_the_bottom_into_a_wall_meets_two_things():
    wall = Structure(kind="box", name="wall", center_m=(8.0, 0.0, 17.0), size_m=(1.0, 20.0, 6.0))
    sim = Simulation("bluerov2_heavy", World(depth_m=20.0, structures=(wall,)), control_rate_hz=50.0)
    sim.place(depth_m=18.5, heading_deg=0.0)
    helm = Helm(sim.vehicle, sim.water, sim.interval_s)
    sim.control(helm)
    helm.hold("level", True, sim.state())
    helm.move(PilotCommand(heave=1.0))
    collisions, first = flown(sim, 4.0)
    assert collisions.last is not None and collisions.last.name == "seabed" and collisions.count == 1
    helm.move(PilotCommand(surge=1.0, heave=0.4))
    more = [touch for _ in range(50 * 25) if (sim.tick(), touch := collisions.update(sim))[1] is not None]
    hard = [touch.name for touch in more if not touch.gentle]
    assert hard == ["wall"] and collisions.count == 2  # and not once more while it leans on both
    assert collisions.last.place_n[0] == pytest.approx(7.5, abs=0.02) and first[0].name == "seabed"


def test_the_law_is_per_thing_and_forgets_after_half_a_second():
    touches = Touches()
    bottom, wall = -1, 0
    assert touches.begins(0.0, bottom, gentle=True)
    assert not touches.begins(0.4, bottom, gentle=True)  # rests on
    assert touches.begins(0.8, bottom, gentle=False)  # then hits it, in the same touch
    assert touches.begins(1.0, wall, gentle=False, still_touching={bottom})
    assert not touches.begins(1.4, bottom, gentle=False)  # leaned on at 1.0: still the same
    assert not touches.begins(1.5, wall, gentle=False)  # exactly half a second is not apart
    assert touches.begins(2.1, wall, gentle=False) and touches.known == {bottom, wall}
