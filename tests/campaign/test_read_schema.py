"""The schema accepts what the reader accepts and refuses what it refuses, as far as keys and types go."""

import tomllib

import jsonschema
import pytest

from pelagos.campaign.read import campaign_names, campaign_schema, campaign_tables, find_campaign
from tests.campaign.test_read import TEXT
from tests.campaign.tiny import NORTH, PUSH, tables, tiny

SCHEMA = jsonschema.Draft202012Validator(campaign_schema())


def test_it_is_a_schema():
    own = {**campaign_schema(), "$defs": {}}  # those of scenarios are looked at where they are made
    jsonschema.Draft202012Validator.check_schema(own)
    assert {"scenario", "vary", "metric", "stop", "set", "runs"} <= set(campaign_schema()["properties"])


def test_what_is_read_fits():
    for raw in (tomllib.loads(TEXT), tables(), campaign_tables(tiny())):
        assert [error.message[:300] for error in SCHEMA.iter_errors(raw)] == []
    for name in campaign_names():
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
