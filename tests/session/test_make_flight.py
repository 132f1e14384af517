import pytest

from pelagos.errors import CommandError
from pelagos.scenario.read import load_scenario
from pelagos.session.make import make, settings_of, settings_of_scenario, surroundings
from pelagos.world.library import list_worlds
from pelagos.world.spec import World
from pelagos.world.structure import Structure


@pytest.mark.parametrize("world", [entry.key for entry in list_worlds()])
@pytest.mark.parametrize("vehicle", ["bluerov2_heavy", "iver3"])
def test_every_world_has_a_place_to_start_from(vehicle, world):
    sim = make(settings_of(vehicle, world)).sim
    north, east, depth = sim.plant.position_n.tolist()
    assert 0.0 < depth < float(sim.world.bottom_m(north, east))
    assert not len(sim.plant.contacts(0.1))
    sim.tick()  # and it can be flown from there


def test_without_room_a_start_is_asked_for():
    everywhere = World(structures=(Structure(kind="box", center_m=(0.0, 0.0, 500.0), size_m=(400.0, 400.0, 998.0)),))
    with pytest.raises(CommandError, match="expected a start"):
        make(settings_of("bluerov2_heavy", everywhere))


def test_a_start_without_depth_is_at_the_usual_one_or_half_way_down():
    assert make(settings_of("iver3", World(depth_m=100.0), start={"north_m": 3.0})).sim.plant.position_n[2] == 10.0
    assert make(settings_of("iver3", World(depth_m=6.0), start={"north_m": 3.0})).sim.plant.position_n[2] == 3.0


def test_only_the_battery_is_aboard_unless_all_are_asked_for():
    few, all_of_them = (make(settings_of("bluerov2_heavy", None, sensors=flag)).sim for flag in (False, True))
    assert few.sensing.suite.names == ("battery",)
    assert {"imu", "dvl", "battery"} <= set(all_of_them.sensing.suite.names)


def test_conditions_and_task_say_where_one_flies():
    world, conditions, task = surroundings(
        settings_of("seagrant1", None, task="hover", conditions={"current_m_s": 0.2})
    )
    assert task.name == "hover" and conditions.current_m_s == 0.2
    assert world.water_velocity([[0.0, 0.0, 50.0]])[0].tolist() == pytest.approx([0.2, 0.0, 0.0], abs=1e-12)
    made = make(settings_of("seagrant1", None, task="hover", conditions={"cable": True}))
    assert made.sim.tether is not None
    assert made.sim.plant.position_n.tolist() == [task.start.north_m, task.start.east_m, task.start.depth_m]


def test_a_scenario_is_not_a_task():
    settings = settings_of_scenario(load_scenario("rov-hover-wellhead"), task="hover")
    with pytest.raises(CommandError, match="one or the other"):
        make(settings)
