"""Scenario files: every table is read into its part, changes are merged first, mistakes get one sentence."""

import math

import pytest

from pelagos.errors import PelagosError, ScenarioError
from pelagos.files.library import SCENARIOS
from pelagos.guidance.legs.simple import Steady
from pelagos.scenario.read import load_scenario, parse_change, scenario_from, set_key
from pelagos.sim.faults.kinds import Leak

PLAIN = {"vehicle": "bluerov2_heavy", "world": {"depth_m": 30.0}, "control": {"depth_m": 5.0}}


def refused(tables, changes=None):
    with pytest.raises(PelagosError) as caught:
        scenario_from(tables, "survey.toml", ".", changes)
    sentence = str(caught.value)
    assert "\n" not in sentence
    return sentence


def test_tables_arrive():
    scenario = scenario_from(
        {
            "name": "all of it",
            "vehicle": "bluerov2_heavy",
            "seed": 7,
            "duration_min": 2.0,
            "control_rate_hz": 20,
            "log_rate_hz": 2,
            "world": {"use": "harbour", "current_m_s": 0.4},
            "start": {"depth_ft": 10.0, "heading_deg": 45.0},
            "control": {"kind": "autopilot", "depth_m": 4.0, "hold": []},
            "mission": [{"kind": "steady", "seconds_s": 5.0, "depth_m": 4.0}],
            "fault": [{"kind": "leak", "rate_kg_s": 0.1, "at_s": 3.0}],
            "event": [{"at_s": 2.0, "say": "hello", "depth_m": 3.0}],
            "tether": {"cable": "fathom_7_6mm", "length_m": 50.0},
            "end": {"when": "depth_m > 8"},
            "output": {"format": "parquet", "forces": True},
        },
        "survey.toml",
    )
    entry = scenario.vehicles[0]
    assert (scenario.seed, scenario.duration_s, scenario.control_rate_hz, scenario.log_rate_hz) == (7, 120.0, 20.0, 2.0)
    assert scenario.world.current_m_s == 0.4 and scenario.world.structures  # those of the harbour
    assert entry.start.depth_m == pytest.approx(3.048) and entry.control.depth_m == 4.0
    assert isinstance(entry.mission[0], Steady) and isinstance(entry.faults[0], Leak)
    assert entry.events[0].setpoints() == {"depth_m": 3.0}
    assert entry.tether is not None and entry.tether.cable == "fathom_7_6mm" and entry.tether.length_m == 50.0
    assert scenario.end.when == "depth_m > 8" and scenario.output.format == "parquet" and scenario.output.forces


def test_several_vehicles_have_tables_of_their_own():
    rows = [
        {"use": "bluerov2_heavy", "start": {"depth_m": 3.0}},
        {"use": "bluerov2_heavy", "start": {"north_m": 5.0, "depth_m": 3.0}, "control": {"depth_m": 2.0}},
        {"use": "remus100", "name": "survey", "change": {"body": {"mass_kg": 31.0}}},
    ]
    scenario = scenario_from({"vehicle": rows, "world": {"depth_m": 30.0}})
    assert [entry.name for entry in scenario.vehicles] == ["bluerov2_heavy_1", "bluerov2_heavy_2", "survey"]
    assert scenario.vehicles[1].control.depth_m == 2.0 and scenario.vehicles[0].control.depth_m is None
    assert scenario.vehicles[2].vehicle.body.mass_kg == pytest.approx(31.0)
    assert "expected it as [vehicle.start] under" in refused({"vehicle": rows, "start": {"depth_m": 1.0}})
    events = [{"at_s": 1.0, "say": "x"}]
    assert "expected it as [[vehicle.event]] under" in refused({"vehicle": rows, "event": events})


def test_changes_are_laid_over():
    changes = {"world.current_m_s": 0.5, "seed": 3, "control.heading_deg": 90.0, "vehicle.change.body.mass_kg": 12.0}
    scenario = scenario_from(PLAIN, changes=changes)
    assert scenario.world.current_m_s == 0.5 and scenario.seed == 3
    assert scenario.vehicles[0].control.heading_deg == 90.0 and scenario.vehicles[0].control.depth_m == 5.0
    assert scenario.vehicles[0].vehicle.body.mass_kg == pytest.approx(12.0)
    assert PLAIN["world"] == {"depth_m": 30.0}  # what was given is not touched
    assert scenario.raw["world"]["current_m_s"] == 0.5  # the stored tables are those of the run
    assert scenario_from({**PLAIN, "world": "harbour"}, changes={"world.current_m_s": 0.1}).world.structures


@pytest.mark.parametrize(
    ("text", "key", "value"),
    [
        ("world.current_m_s=0.5", "world.current_m_s", 0.5),
        ("vehicle=remus100", "vehicle", "remus100"),
        ('name="a b"', "name", "a b"),
        ("output.forces=true", "output.forces", True),
        ("mission[0].points_m=[[1, 2]]", "mission[0].points_m", [[1, 2]]),
    ],
)
def test_words_of_the_command_line(text, key, value):
    assert parse_change(text) == (key, value)


def test_entries_of_lists():
    tables = {"mission": [{"speed_m_s": 1.0}, {"speed_m_s": 2.0}]}
    set_key(tables, "mission[1].speed_m_s", 3.0)
    assert tables["mission"] == [{"speed_m_s": 1.0}, {"speed_m_s": 3.0}]
    with pytest.raises(ScenarioError, match="the list has 2"):
        set_key(tables, "mission[2].speed_m_s", 1.0)
    with pytest.raises(ScenarioError, match="is not a table"):
        set_key(tables, "mission[0].speed_m_s.x", 1.0)
    with pytest.raises(ScenarioError, match='did you mean "mission"'):
        set_key(tables, "misson[0].depth_m", 2.0)
    with pytest.raises(ScenarioError, match="KEY=VALUE"):
        parse_change("seed")


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        ({"sed": 3}, 'survey.toml: sed: unknown key; did you mean "seed"?'),
        ({"vehicle": "blurov2"}, "no vehicle of this name"),
        ({"vehicle": "there_is_none.toml"}, "no such file"),
        ({"world": "harbor"}, 'did you mean "harbour"?'),
        ({"world": {"dept_m": 3}}, 'world.dept_m: unknown key; did you mean "depth_m"?'),
        ({"start": {"depth_m": "deep"}}, 'start.depth_m = "deep": expected a number'),
        ({"control": {"kind": "autopliot"}}, 'did you mean "autopilot"?'),
        ({"mission": [{"kind": "waypoint"}]}, 'did you mean "waypoints"?'),
        ({"mission": {"kind": "steady"}}, "[[mission]]"),
        ({"fault": [{"kind": "leak", "at_s": 1.0}]}, "fault[0].rate_kg_s: is missing"),
        ({"fault": [{"kind": "leak", "rate_kg_s": 1.0, "when": "dept_m > 1"}]}, 'did you mean "depth_m"?'),
        ({"tether": {"mode": "dinamic"}}, 'did you mean "dynamic"?'),
        ({"output": {"format": "xls"}}, "expected one of csv, parquet"),
        ({"sensor": [{"part": "no_such_part"}]}, "no_such_part"),
        ({"seed": -1}, "seed"),
        ({"duration_s": -3.0}, "duration_s"),
        ({"end": {"when": "1 +"}}, "end.when"),
        ({"control": {"kind": "python", "class_name": ""}}, "FILE.py:CLASS"),
        ({"control": {"kind": "direct", "depth_m": 3.0}}, "does not use this key"),
        ({"path": "x"}, "unknown key"),
        ({"vehicle": {"use": "bluerov2", "mass_kg": 3}}, "vehicle.mass_kg: unknown key; expected one of use"),
        ({"vehicle": {"use": "lauv", "change": {"bdy": {}}}}, 'vehicle.change.bdy: unknown key; did you mean "body"?'),
        ({"vehicle": {"use": "bluerov2", "change": {"extends": "lauv"}}}, 'vehicle.change.extends = "lauv"'),
        ({"vehicle": {"name": "a"}}, "vehicle.use: is missing"),
        ({"vehicle": {"use": 3}}, "vehicle.use = 3: expected the name"),
    ],
)
def test_mistakes(more, sentence):
    assert sentence in refused({**PLAIN, **more})


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        ({"mission": [{"kind": "waypoints", "points_m": [[10.0, 0.0, -2.0]]}]}, "expected a depth of 0"),
        ({"mission": [{"kind": "waypoints", "points_m": [[10.0, 0.0, 31.0]]}]}, "below the bottom"),
        ({"mission": [{"kind": "steady", "seconds_s": 1.0, "depth_m": 500.0}]}, "depth_m = 500"),
        ({"control": {"depth_m": 31.0}}, "below the bottom: the water is 30 m deep"),
        ({"start": {"depth_m": 40.0}}, "start.depth_m"),
        ({"event": [{"at_s": 1.0, "depth_m": 50.0}]}, "event[0].depth_m"),
    ],
)
def test_missions_that_cannot_be_flown(more, sentence):
    assert sentence in refused({**PLAIN, **more})


def test_missing_things():
    assert "vehicle: is missing" in refused({})
    assert 'vehicle[1] = "blurov2": no vehicle' in refused({"vehicle": [{"use": "bluerov2"}, {"use": "blurov2"}]})
    with pytest.raises(ScenarioError, match="no such file"):
        load_scenario("nowhere.toml")
    with pytest.raises(ScenarioError, match='did you mean "first-dive"'):
        load_scenario("first-dve")


def test_a_file_that_is_no_toml_or_no_text(tmp_path):
    (tmp_path / "bad.toml").write_text("vehicle = ")
    with pytest.raises(ScenarioError, match=r"bad.toml: not valid TOML"):
        load_scenario(tmp_path / "bad.toml")
    (tmp_path / "worse.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(ScenarioError, match=r"not a text file"):
        load_scenario(tmp_path / "worse.toml")


def test_files_are_found_from_the_folder_of_the_scenario(tmp_path):
    (tmp_path / "mine.toml").write_text('name = "Mine"\nclass = "ROV"\nextends = "bluerov2_heavy"\n')
    (tmp_path / "sea.toml").write_text("depth_m = 12.0\n")
    (tmp_path / "go.toml").write_text('vehicle = "mine.toml"\nworld = "sea.toml"\n')
    scenario = load_scenario(tmp_path / "go.toml")
    assert scenario.vehicles[0].vehicle.name == "Mine" and scenario.world.depth_m == 12.0
    assert scenario.name == "go"


@pytest.mark.parametrize("name", SCENARIOS.names())
def test_every_ready_scenario_reads_and_says_what_it_is(name):
    scenario = load_scenario(name)
    assert scenario.name == name and len(scenario.summary) > 20
    assert math.isfinite(scenario.longest_s)


def test_how_long():
    assert scenario_from(PLAIN).longest_s == 60.0
    assert scenario_from({**PLAIN, "duration_s": 5.0}).longest_s == 5.0
    leg = {"kind": "steady", "seconds_s": 1.0}
    assert scenario_from({**PLAIN, "mission": [leg]}).longest_s == 86400.0


def test_a_seabed_without_a_kind_changes_that_of_the_world():
    """Twice the metres a pixel: the bottom is the same twice as far from its beginning, 50 m west of the origin."""
    plain = scenario_from({"vehicle": "gavia", "world": {"use": "gavia_bottom"}}).world
    wide = {"use": "gavia_bottom", "seabed": {"metres_per_pixel": 2.0, "depth_per_pixel_m": 0.5}}
    made = scenario_from({"vehicle": "gavia", "world": wide}).world
    assert made.bottom_m(0.0, -50.0 + 2.0 * 130.0) == pytest.approx(0.5 * plain.bottom_m(0.0, -50.0 + 130.0))
    flat = scenario_from({"vehicle": "gavia", "world": {"use": "gavia_bottom", "depth_m": 70.0}}).world
    assert flat.bottom_m(0.0, 80.0) == 70.0
