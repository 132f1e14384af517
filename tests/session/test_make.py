"""Settings survive JSON, start positions are free, and gain stages are computed before the flight."""

import dataclasses
import json
from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest

from pelagos.control.tuning.schedule import Schedule
from pelagos.errors import CommandError, PelagosError
from pelagos.files.library import TASKS, list_worlds
from pelagos.files.reader import Place
from pelagos.scenario.read import load_scenario, scenario_from
from pelagos.session.make import (
    make,
    make_stages,
    resolve_settings,
    schedules_match,
    settings_from,
    settings_from_scenario,
    surroundings,
    vehicle_reference,
    world_tables,
)
from pelagos.tether.spec import Cable, Tether
from pelagos.training.task import load_task
from pelagos.vehicle.load.vehicle import load_vehicle
from pelagos.world.current.kinds import Uniform
from pelagos.world.load import load_world, world_from
from pelagos.world.spec import World
from pelagos.world.structure import Structure
from pelagos.world.waves import Waves


def through_json(value):
    return json.loads(json.dumps(value, allow_nan=False))


def again(world):
    return world_from(through_json(world_tables(world)), Place("world", Path()))


def same(world, other):
    """All that the kernel sees of two worlds."""
    return np.array_equal(world.packed(until_s=60.0), other.packed(until_s=60.0), equal_nan=True)


@pytest.mark.slow
@pytest.mark.parametrize("key", [entry.key for entry in list_worlds()])
def test_worlds_of_the_library_are_named(key):
    world = load_world(key)
    assert world_tables(world) == {"use": key}
    assert same(again(world), world)


@pytest.mark.parametrize(
    "world",
    [
        dataclasses.replace(load_world("royer_field"), currents=(), current_m_s=0.75, current_to_deg=30.0),
        dataclasses.replace(load_world("royer_field"), currents=(Uniform(speed_m_s=0.3, to_deg=90.0),)),
        World(depth_m=30.0, visibility_m=5.0, surface=False),
        World(depth_m=30.0, waves=Waves(height_m=1.0, period_s=6.0), current_m_s=0.2),
        World(structures=(Structure(kind="box", name="b", center_m=(5.0, 0.0, 5.0), size_m=(1.0, 2.0, 3.0)),
                          Structure(kind="sphere", center_m=(9.0, 0.0, 5.0), radius_m=1.0))),
    ],
    ids=["current", "currents", "plain", "waves", "structures"],
)  # fmt: skip
def test_worlds_that_were_changed_or_made_in_python_are_told_whole(world):
    made = again(world)
    assert same(made, world)
    assert made.structures == world.structures and made.visibility_m == world.visibility_m


def test_a_world_that_is_a_function_cannot_be_told():
    with pytest.raises(CommandError, match="function of time"):
        world_tables(World(current=lambda t: (0.0, 0.0, 0.0)))


def test_vehicles_are_named_if_they_are_as_their_file_has_them(tmp_path):
    vehicle = load_vehicle("bluerov2_heavy")
    assert vehicle_reference(vehicle) == "bluerov2_heavy"
    with pytest.raises(CommandError, match="differs from its file"):
        vehicle_reference(dataclasses.replace(vehicle, length_m=3.0))
    file = tmp_path / "mine.toml"
    file.write_text('extends = "bluerov2_heavy"\nname = "Mine"\n')
    mine = load_vehicle(file)
    assert load_vehicle(vehicle_reference(mine)).name == "Mine"


def test_files_are_found_again_from_another_folder(tmp_path, monkeypatch):
    here, there = tmp_path / "here", tmp_path / "there"
    here.mkdir()
    there.mkdir()
    (here / "mine.toml").write_text('extends = "bluerov2_heavy"\nname = "Mine"\n')
    (here / "own.toml").write_text((TASKS.folder / "hover.toml").read_text())
    monkeypatch.chdir(here)
    table = through_json(resolve_settings("mine.toml", None, task="own.toml").described())
    monkeypatch.chdir(there)
    made = settings_from(table)
    assert made.vehicle.name == "Mine" and load_task(made.task).header.title == load_task("hover").header.title
    assert resolve_settings("iver3", None, task="hover").described()["task"] == "hover"


@pytest.mark.slow
@pytest.mark.parametrize(
    "tether",
    [
        None, True, "static", Tether(payout="ratio", ratio=1.2, ship="follow"),
        Tether(ship="path", ship_path_m=((0.0, 0.0), (5.0, 5.0)), fairlead_m=(0.1, 0.0, -0.2)),
        Tether(cable=Cable(diameter_m=0.02, mass_kg_m=0.4)),
    ],
)  # fmt: skip
def test_settings_come_back_through_json(tether):
    settings = resolve_settings(
        "bluerov2_heavy", "harbour", seed=7, rate_hz=25.0, tether=tether, start={"north_m": 1.5, "depth_m": 4.0},
        sensors=True, task="", conditions={"image_delay_s": 0.5},
    )  # fmt: skip
    back = settings_from(through_json(settings.described()))
    for name in ("seed", "rate_hz", "tether", "start", "sensors", "task", "conditions"):
        assert getattr(back, name) == getattr(settings, name), name
    assert back.vehicle.key == "bluerov2_heavy" and same(back.world, settings.world)
    assert back.conditions.get("cable", False) is (tether is not None)


def test_scenarios_come_back_with_their_tables():
    settings = settings_from_scenario(load_scenario("bluerov-tether-inspection", {"seed": 9}))
    assert settings.rate_hz == 50.0 and settings.seed == 9
    back = settings_from(through_json(settings.described()))
    assert back.seed == 9 and back.tether == settings.tether and same(back.world, settings.world)
    assert back.scenario.vehicles[0].mission == settings.scenario.vehicles[0].mission
    assert back.scenario.vehicles[0].start == settings.scenario.vehicles[0].start


def test_a_scenario_of_two_is_refused():
    two = scenario_from({"vehicle": [{"use": "iver3", "name": "a"}, {"use": "iver3", "name": "b"}]})
    with pytest.raises(CommandError, match="expected a scenario with one"):
        settings_from_scenario(two)


@pytest.mark.parametrize(
    ("bad", "sentence"),
    [
        ({"seed": -1}, "seed"), ({"rate_hz": 0.0}, "rate_hz"), ({"start": {"nord_m": 1.0}}, "north_m"),
        ({"tether": "dynamo"}, "dynamic"), ({"tether": {"payuot": "ratio"}}, "payuot"),
        ({"world": "harbor"}, "harbour"), ({"vehicle": "bluerov3"}, "bluerov2"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_refused_in_a_sentence(bad, sentence):
    with pytest.raises(PelagosError, match=sentence):
        resolve_settings(**{"vehicle": "bluerov2_heavy", "world": None, **bad})


@pytest.mark.parametrize("world", [entry.key for entry in list_worlds()])
@pytest.mark.parametrize("vehicle", ["bluerov2_heavy", "iver3"])
def test_every_world_has_a_place_to_start_from(vehicle, world):
    sim = make(resolve_settings(vehicle, world)).sim
    north, east, depth = sim.plant.position_n.tolist()
    assert 0.0 < depth < float(sim.world.bottom_m(north, east))
    assert not len(sim.plant.contacts(0.1))
    sim.tick()  # and it can be flown from there


def test_without_room_a_start_is_asked_for():
    everywhere = World(structures=(Structure(kind="box", center_m=(0.0, 0.0, 500.0), size_m=(400.0, 400.0, 998.0)),))
    with pytest.raises(CommandError, match="expected a start"):
        make(resolve_settings("bluerov2_heavy", everywhere))


def test_a_start_without_depth_is_at_the_usual_one_or_half_way_down():
    assert make(resolve_settings("iver3", World(depth_m=100.0), start={"north_m": 3.0})).sim.plant.position_n[2] == 10.0
    assert make(resolve_settings("iver3", World(depth_m=6.0), start={"north_m": 3.0})).sim.plant.position_n[2] == 3.0


def test_only_the_battery_is_aboard_unless_all_are_asked_for():
    few, all_of_them = (make(resolve_settings("bluerov2_heavy", None, sensors=flag)).sim for flag in (False, True))
    assert few.sensing.suite.names == ("battery",)
    assert {"imu", "dvl", "battery"} <= set(all_of_them.sensing.suite.names)


def test_conditions_and_task_say_where_one_flies():
    world, conditions, task = surroundings(
        resolve_settings("seagrant1", None, task="hover", conditions={"current_m_s": 0.2})
    )
    assert task.name == "hover" and conditions.current_m_s == 0.2
    assert world.water_velocity([[0.0, 0.0, 50.0]])[0].tolist() == pytest.approx([0.2, 0.0, 0.0], abs=1e-12)
    made = make(resolve_settings("seagrant1", None, task="hover", conditions={"cable": True}))
    assert made.sim.tether is not None
    assert made.sim.plant.position_n.tolist() == [task.start.north_m, task.start.east_m, task.start.depth_m]


def test_a_scenario_is_not_a_task():
    settings = settings_from_scenario(load_scenario("rov-hover-wellhead"), task="hover")
    with pytest.raises(CommandError, match="one or the other"):
        make(settings)


def made(schedule, monkeypatch):
    """Speeds at which a schedule works out stages from now on."""
    speeds: list[float] = []
    make = schedule._make
    monkeypatch.setattr(schedule, "_make", lambda speed: (speeds.append(speed), make(speed))[1])
    return speeds


def test_no_stage_is_left_to_be_made_in_flight(monkeypatch):
    schedule = Schedule(load_vehicle("seagrant1"), None, 0.02)
    make_stages(schedule)
    late = made(schedule, monkeypatch)
    for percent in range(-100, 160):
        schedule.stage(0.01 * percent * schedule.top_speed)
    assert late == []


def test_stages_made_ahead_are_those_that_would_be_made():
    vehicle = load_vehicle("seagrant1")
    ahead, alone = Schedule(vehicle, None, 0.02), Schedule(vehicle, None, 0.02)
    make_stages(ahead)
    for share in (1.5, 0.2, 0.77, 0.0):  # whatever the order
        stage, other = ahead.stage(share * ahead.top_speed), alone.stage(share * ahead.top_speed)
        for item in fields(stage):
            if item.name != "mix":  # an object without a text of its own
                assert repr(getattr(stage, item.name)) == repr(getattr(other, item.name))


def test_another_flight_of_the_same_vehicle_takes_them_over_and_others_do_not(monkeypatch):
    vehicle = load_vehicle("seagrant1")
    first, second = Schedule(vehicle, None, 0.02), Schedule(vehicle, None, 0.02)
    make_stages(first)
    late = made(second, monkeypatch)
    make_stages(second, first)
    assert late == [] and second.stage(0.3) is first.stage(0.3)
    assert not schedules_match(first, Schedule(vehicle, None, 0.1))
    slower = Schedule(vehicle, None, 0.1)
    make_stages(slower, first)
    assert slower.stage(0.3) is not first.stage(0.3)
