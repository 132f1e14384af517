"""Campaign files: what the reader and the JSON Schema accept and reject."""

import tomllib

import jsonschema
import pytest

from pelagos.campaign.read import (
    campaign_from,
    campaign_schema,
    campaign_tables,
    find_campaign,
    load_campaign,
    loads_campaign,
)
from pelagos.errors import ScenarioError
from pelagos.files.library import CAMPAIGNS
from pelagos.files.writer import to_toml
from tests.campaign.tiny import NORTH, PUSH, SURGE, tables, tiny

TEXT = """
scenario = "first-dive"
runs = 256
method = "sobol"
[set]
duration_s = 300.0
world.depth_m = 40
[[vary]]
key = "world.current_m_s"
low = 0.0
high = 0.5
[[vary]]
key = "vehicle.scale.mass"
mean = 1.0
sigma = 0.1
[[metric]]
name = "depth_error_m"
column = "abs(depth_m - 5)"
take = "p95"
from_min = 1
[stop]
metric = "depth_error_m"
half_width = 0.02
"""
SCHEMA = jsonschema.Draft202012Validator(campaign_schema())


def test_a_file_is_read(tmp_path):
    (tmp_path / "sweep.toml").write_text(TEXT)
    campaign = load_campaign(tmp_path / "sweep.toml", {"world.depth_m": 50.0}, runs=8, seed=9)
    assert (campaign.name, campaign.runs, campaign.seed, campaign.method) == ("sweep", 8, 9, "sobol")
    assert campaign.set == {"duration_s": 300.0, "world.depth_m": 50.0}
    assert campaign.keys == ("world.current_m_s", "vehicle.scale.mass")
    assert campaign.metric[0].from_s == 60.0
    assert campaign.tables["vehicle"] == "bluerov2_heavy"
    assert campaign.stop and campaign.stop.check_every == 64


def test_what_is_written_reads_back_as_the_same(tmp_path):
    for campaign in (
        loads_campaign(TEXT),
        tiny(tmp_path),
        tiny(method="grid", runs=None, vary=[{**SURGE, "points": 3}]),
    ):
        again = loads_campaign(to_toml(campaign_tables(campaign)))
        assert again == campaign
        assert again.folder == campaign.folder


def test_a_scenario_file_is_looked_for_beside_the_campaign(tmp_path):
    (tmp_path / "push.toml").write_text(to_toml(PUSH))
    campaign = tiny(tmp_path, scenario="push.toml")
    assert campaign.folder == str(tmp_path) and campaign.tables == PUSH
    again = campaign_from(campaign_tables(campaign), folder="/")  # from the folder of results, somewhere else
    assert again.tables == PUSH


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"scenario": None}, "tiny.toml: scenario: is missing; expected the name of a scenario, a .toml file, or"),
        (
            {"scenario": "first-dve"},
            'scenario = "first-dve": no scenario of this name in the library; did you mean "first-dive"?',
        ),
        ({"scenario": "none.toml"}, 'scenario = "none.toml": no such file'),
        ({"methd": "lhs"}, 'tiny.toml: methd: unknown key; did you mean "method"?'),
        ({"file": "x"}, "tiny.toml: file: unknown key"),
        ({"method": "lhc"}, 'method = "lhc": expected one of grid, random, lhs, sobol, morris, saltelli; did you mean'),
        ({"runs": None}, 'runs: is missing; expected how many runs of method "random"'),
        ({"runs": 0}, "runs = 0: expected a whole number from 1 to"),
        ({"runs": 2.5}, "runs = 2.5: expected a whole number"),
        ({"seed": -1}, "seed = -1: expected a whole number, 0 or above"),
        ({"method": "grid", "runs": 4, "vary": [{**SURGE, "points": 3}]}, "a grid has its own number of runs, 3"),
        ({"method": "grid", "runs": None}, "vary[0].points: is missing"),
        ({"method": "sobol", "vary": []}, 'method = "sobol": nothing is varied'),
        ({"method": "morris", "vary": [{"key": "a", "mean": 1.0, "sigma": 1.0}]}, "vary[0].low: is missing"),
        ({"metric": []}, "metric: is missing"),
        ({"metric": [NORTH, NORTH]}, 'metric[1] = "north_m": this name stands for something else already'),
        ({"metric": [{**NORTH, "name": "seed"}]}, 'metric[0].name = "seed": expected a name of its own'),
        ({"metric": [{**NORTH, "take": "abs_maks"}]}, 'did you mean "abs_max"?'),
        ({"metric": [{**NORTH, "take": "time_above"}]}, "metric[0].than: is missing"),
        ({"metric": [{**NORTH, "than": 1.0}]}, 'than = 1.0: is not read by take = "final"'),
        ({"metric": [{**NORTH, "from_s": 5.0, "to_s": 4.0}]}, "to_s = 4.0: expected more than from_s, which is 5"),
        ({"metric": [{**NORTH, "column": "north_m +"}]}, 'metric[0].column = "north_m +": expected a column'),
        ({"vary": [SURGE, SURGE]}, 'vary[1].key = "control.sticks.surge": is varied already'),
        ({"set": {SURGE["key"]: 1.0}}, "expected it either in [set] or in [[vary]]"),
        ({"vary": [{"key": "a"}]}, 'vary[0].key = "a": expected low and high, or mean and sigma, or values beside it'),
        ({"vary": [{"key": "a", "low": 1.0}]}, "expected low and high"),
        ({"vary": [{"key": "a", "low": 1.0, "high": 1.0}]}, "high = 1.0: expected more than low, which is 1"),
        ({"vary": [{"key": "a", "mean": 1.0, "low": 0.0, "high": 2.0}]}, "sigma: is missing"),
        ({"vary": [{"key": "a", "mean": 1.0, "sigma": 0.0}]}, "sigma = 0.0: expected a number above 0"),
        ({"vary": [{"key": "a", "low": 0.0, "high": 1.0, "log": True}]}, "log = true: expected low and high above 0"),
        ({"vary": [{"key": "a", "values": [1, "b"]}]}, "expected values of one kind"),
        ({"vary": [{"key": "a", "values": [1], "low": 1.0}]}, "low: not beside values"),
        ({"vary": [{"key": "seed", "low": 0.5, "high": 9.0}]}, "low = 0.5: expected whole numbers"),
        (
            {"stop": {"metric": "nort_m", "half_width": 1.0}},
            'stop = "nort_m": no metric of this name; expected one of north_m,',
        ),
        ({"vary": [{"key": "seed", "values": ["a"]}]}, 'values = ["a"]: expected whole numbers'),
        ({"vary": [{"key": "a", "values": [10**30]}]}, "expected numbers of at most 63 bits"),
        ({"set": {"seed": "x"}}, 'set = {seed = "x"}: expected a whole number, 0 or above, for the seed'),
        ({"stop": {"metric": "north_m", "half_width": 0.0}}, "stop.half_width = 0.0: expected a number above 0"),
        (
            {"method": "morris", "stop": {"metric": "north_m", "half_width": 1.0}},
            "its first runs are not a sample of all runs",
        ),
        ({"folder": "x", "scenario": "first-dive"}, 'folder = "x": only with a table [scenario]'),
        ({"vary": {"key": "a"}}, "expected a list of tables, written [[vary]]"),
    ],
)
def test_a_mistake_is_one_sentence_with_the_file(given, sentence):
    with pytest.raises(ScenarioError) as refusal:
        campaign_from(tables(**given), "tiny.toml")
    assert str(refusal.value).startswith("tiny.toml: ") and sentence in str(refusal.value)
    assert "\n" not in str(refusal.value)


def test_a_campaign_that_is_not_there():
    with pytest.raises(ScenarioError, match="no campaign of this name"):
        load_campaign("nothing-like-it")
    with pytest.raises(ScenarioError, match="no such file"):
        load_campaign("nothing.toml")


@pytest.mark.parametrize("name", CAMPAIGNS.names() or [pytest.param("", marks=pytest.mark.skip(reason="none there"))])
def test_ready_campaigns_are_read_and_say_what_they_are(name):
    campaign = load_campaign(name)
    assert campaign.name == name and campaign.summary
    assert tomllib.loads(to_toml(campaign_tables(campaign)))["name"] == name


@pytest.mark.slow
def test_it_is_a_schema():
    own = {**campaign_schema(), "$defs": {}}  # those of scenarios are looked at where they are made
    jsonschema.Draft202012Validator.check_schema(own)
    assert {"scenario", "vary", "metric", "stop", "set", "runs"} <= set(campaign_schema()["properties"])


def test_what_is_read_fits():
    for raw in (tomllib.loads(TEXT), tables(), campaign_tables(tiny())):
        assert [error.message[:300] for error in SCHEMA.iter_errors(raw)] == []
    for name in CAMPAIGNS.names():
        assert SCHEMA.is_valid(tomllib.loads(find_campaign(name).read_text(encoding="utf-8"))), name


@pytest.mark.parametrize(
    "given",
    [
        {"scenario": None},
        {"metric": None},
        {"scenario": 3},
        {"scenario": {**PUSH, "vehicl": "lauv"}},
        {"runs": 2.5},
        {"methd": "lhs"},
        {"method": "lhc"},
        {"metric": [{**NORTH, "tak": "max"}]},
        {"metric": [{"name": "a"}]},
        {"vary": [{"low": 1.0, "high": 2.0}]},
        {"vary": [{"key": "a", "values": [[1]]}]},
        {"stop": {"metric": "north_m"}},
        {"scenario_path": "x"},
    ],
)
def test_what_is_refused_does_not_fit(given):
    assert not SCHEMA.is_valid(tables(**given))
