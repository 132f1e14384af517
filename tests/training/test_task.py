"""Task files: built-in ones, a user's own, and messages about mistakes."""

import json

import pytest

from pelagos.errors import ScenarioError
from pelagos.files.library import TASKS
from pelagos.sim.simulation import Simulation
from pelagos.training.conditions import Conditions
from pelagos.training.targets.kinds import KINDS
from pelagos.training.task import load_task

MINE = """
name = "mine"
title = "Along the wall"
summary = "a short way"
briefing = "Follow the wall."
vehicle = "bluerov2_heavy"
world = "test_tank"
time_limit_s = 60.0

[start]
depth_m = 2.0

[target]
kind = "pipeline"
from_m = [0.0, 0.0, 3.0]
to_m = [4.0, 0.0, 3.0]
altitude_m = 1.5

[[criterion]]
measure = "path_error_rms_m"
half_cm = 20
"""


def written(tmp_path, text):
    path = tmp_path / "mine.toml"
    path.write_text(text)
    return path


def test_there_is_one_task_of_each_kind():
    assert TASKS.names() == list(TASKS.first) == list(KINDS)
    for name in TASKS.names():
        task = load_task(name)
        assert task.name == task.target.kind == name
        assert len(task.header.briefing) > 200  # a pilot can begin with it
        assert sum(criterion.weight for criterion in task.criteria) == pytest.approx(100.0)
    assert [row.key for row in TASKS.entries()] == TASKS.names()


@pytest.mark.parametrize("name", TASKS.first)
def test_every_task_starts_in_the_open_and_can_be_described(name):
    task = load_task(name)
    sim = Simulation(task.vehicle(), task.world_for(seed=1))
    start = task.start
    sim.place(north_m=start.north_m, east_m=start.east_m, depth_m=start.depth_m, heading_deg=start.heading_deg)
    sim.tick()  # refuses a start inside something
    assert not sim.plant.state["touch"]["count"]
    table = json.loads(json.dumps(task.described(), allow_nan=False))
    assert table["name"] == name and table["target"]["kind"] == name
    assert Conditions.of(table["conditions"]) == task.conditions
    marks = json.loads(json.dumps(task.marks(task.world_for()), allow_nan=False))
    assert marks and all(mark["kind"] in ("triangle", "spot", "gate", "ring", "line", "point") for mark in marks)
    assert all(len(point) == 3 for mark in marks for point in mark.get("points", [mark.get("center")]))


def test_a_task_of_ones_own(tmp_path):
    task = load_task(written(tmp_path, MINE.replace("half_cm = 20", "half = 0.2")))
    assert task.header.title == "Along the wall"
    assert task.conditions == Conditions()
    assert task.criteria[0].half == 0.2
    assert task.world_for().name == "Test tank" or task.world_for().structures is not None


def test_a_world_and_structures_of_ones_own(tmp_path):
    (tmp_path / "pool.toml").write_text("depth_m = 10.0\n")
    text = MINE.replace("half_cm = 20", "half = 0.2").replace('world = "test_tank"', 'world = "pool.toml"')
    text += '\n[[structure]]\nkind = "sphere"\nname = "buoy"\ncenter_m = [5.0, 5.0, 5.0]\nradius_m = 0.5\n'
    world = load_task(written(tmp_path, text)).world_for()
    assert world.bottom_m(0.0, 0.0) == 10.0
    assert [item.name for item in world.structures] == ["buoy"]


GOOD = MINE.replace("half_cm = 20", "half = 0.2")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('title = "Along the wall"\n', "", "title: is missing"),
        ('title = "Along', 'titel = "Along', 'did you mean "title"'),
        ("[target]", "[traget]", 'did you mean "target"'),
        ('kind = "pipeline"', 'kind = "pipelin"', 'did you mean "pipeline"'),
        ("altitude_m = 1.5", "altitude_deg = 1.5", "altitude"),
        ("to_m = [4.0, 0.0, 3.0]", "to_m = [0.1, 0.0, 3.0]", "a way to follow"),
        ('world = "test_tank"', 'world = "test_tonk"', 'did you mean "test_tank"'),
        ('vehicle = "bluerov2_heavy"', 'vehicle = "bluerov2_havy"', "bluerov2_heavy"),
        ("path_error_rms_m", "path_eror_rms_m", 'did you mean "path_error_rms_m"'),
        ("time_limit_s = 60.0", "time_limit_s = -1", "time_limit_s"),
        ("half = 0.2", "half = 0.0", "half"),
        ("[start]", "[conditions]\nimage_delay_s = 3.0\n[start]", "image_delay_s"),
        ("[start]", "[start]\nnorth = 3.0", "north"),
        ("[[criterion]]", "[criterion]", "list of tables"),
    ],
)
def test_a_mistake_is_one_sentence_with_the_file(tmp_path, old, new, message):
    assert old in GOOD
    with pytest.raises(ScenarioError) as caught:
        load_task(written(tmp_path, GOOD.replace(old, new)))
    text = str(caught.value)
    assert text.startswith("mine.toml") and message in text and "\n" not in text


def test_names_that_do_not_exist():
    with pytest.raises(ScenarioError, match='did you mean "hover"'):
        load_task("hovver")
    with pytest.raises(ScenarioError, match="no such file"):
        load_task("nowhere/mine.toml")


def test_the_files_stand_beside_the_module():
    assert sorted(path.stem for path in TASKS.folder.glob("*.toml")) == sorted(TASKS.first)
