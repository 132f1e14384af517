"""Settings go through JSON and come back as the same flight."""

import dataclasses
import json
from pathlib import Path

import numpy as np
import pytest

from pelagos.errors import CommandError, PelagosError
from pelagos.files.reader import Place
from pelagos.scenario.read import load_scenario, scenario_from
from pelagos.session.make import settings_from, settings_of, settings_of_scenario, vehicle_word, world_tables
from pelagos.tether.spec import Cable, Tether
from pelagos.training.catalogue import TASKS
from pelagos.training.task import load_task
from pelagos.vehicle.load.vehicle import load_vehicle
from pelagos.world.current.kinds import Uniform
from pelagos.world.library import list_worlds
from pelagos.world.load import load_world, world_from
from pelagos.world.spec import World
from pelagos.world.structure import Structure
from pelagos.world.waves import Waves


def through_json(value):
    return json.loads(json.dumps(value, allow_nan=False))


def again(world):
    return world_from(through_json(world_tables(world)), Place("world", Path()))


def same(one, other):
    """All that the kernel sees of two worlds."""
    return np.array_equal(one.packed(until_s=60.0), other.packed(until_s=60.0), equal_nan=True)


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
    assert vehicle_word(vehicle) == "bluerov2_heavy"
    with pytest.raises(CommandError, match="not as its file has it"):
        vehicle_word(dataclasses.replace(vehicle, length_m=3.0))
    own = tmp_path / "mine.toml"
    own.write_text('extends = "bluerov2_heavy"\nname = "Mine"\n')
    mine = load_vehicle(own)
    assert load_vehicle(vehicle_word(mine)).name == "Mine"


def test_files_are_found_again_from_another_folder(tmp_path, monkeypatch):
    here, there = tmp_path / "here", tmp_path / "there"
    here.mkdir()
    there.mkdir()
    (here / "mine.toml").write_text('extends = "bluerov2_heavy"\nname = "Mine"\n')
    (here / "own.toml").write_text((TASKS / "hover.toml").read_text())
    monkeypatch.chdir(here)
    said = through_json(settings_of("mine.toml", None, task="own.toml").described())
    monkeypatch.chdir(there)
    made = settings_from(said)
    assert made.vehicle.name == "Mine" and load_task(made.task).header.title == load_task("hover").header.title
    assert settings_of("iver3", None, task="hover").described()["task"] == "hover"


@pytest.mark.parametrize(
    "tether",
    [
        None, True, "static", Tether(payout="ratio", ratio=1.2, ship="follow"),
        Tether(ship="path", ship_path_m=((0.0, 0.0), (5.0, 5.0)), fairlead_m=(0.1, 0.0, -0.2)),
        Tether(cable=Cable(diameter_m=0.02, mass_kg_m=0.4)),
    ],
)  # fmt: skip
def test_settings_come_back_through_json(tether):
    settings = settings_of(
        "bluerov2_heavy", "harbour", seed=7, rate_hz=25.0, tether=tether, start={"north_m": 1.5, "depth_m": 4.0},
        sensors=True, task="", conditions={"image_delay_s": 0.5},
    )  # fmt: skip
    back = settings_from(through_json(settings.described()))
    for name in ("seed", "rate_hz", "tether", "start", "sensors", "task", "conditions"):
        assert getattr(back, name) == getattr(settings, name), name
    assert back.vehicle.key == "bluerov2_heavy" and same(back.world, settings.world)
    assert back.conditions.get("cable", False) is (tether is not None)


def test_scenarios_come_back_with_their_tables():
    settings = settings_of_scenario(load_scenario("bluerov-tether-inspection", {"seed": 9}))
    assert settings.rate_hz == 50.0 and settings.seed == 9
    back = settings_from(through_json(settings.described()))
    assert back.seed == 9 and back.tether == settings.tether and same(back.world, settings.world)
    assert back.scenario.vehicles[0].mission == settings.scenario.vehicles[0].mission
    assert back.scenario.vehicles[0].start == settings.scenario.vehicles[0].start


def test_a_scenario_of_two_is_refused():
    two = scenario_from({"vehicle": [{"use": "iver3", "name": "a"}, {"use": "iver3", "name": "b"}]})
    with pytest.raises(CommandError, match="expected a scenario with one"):
        settings_of_scenario(two)


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
        settings_of(**{"vehicle": "bluerov2_heavy", "world": None, **bad})
