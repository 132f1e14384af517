"""JSON Schema of described tables: every unit of a key, kinds, parts; what the reader refuses is marked."""

from dataclasses import dataclass
from typing import ClassVar, Literal

import pytest
from jsonschema import Draft202012Validator

from pelagos.files.json_schema import section_schema
from pelagos.files.schema import kinds_of, section_of


@dataclass(frozen=True, kw_only=True)
class Gauge:
    """A gauge."""

    kind: ClassVar[str] = "gauge"
    depth_m: float
    place_m: tuple[float, float, float] = (0.0, 0.0, 0.0)
    mode: Literal["a", "b"] = "a"
    count: int | None = None


def fits(schema, table):
    Draft202012Validator.check_schema(schema)
    return not list(Draft202012Validator(schema).iter_errors(table))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("table", "good"),
    [
        ({"depth_m": 1.0}, True),
        ({"depth_ft": {"value": 3, "source": "a sheet"}, "note": "x"}, True),
        ({"depth_kg": 1.0}, False),
        ({"depth_m": "deep"}, False),
        ({}, False),
        ({"depth_m": 1, "place_m": [0, 0]}, False),
        ({"depth_m": 1, "mode": "c"}, False),
        ({"depth_m": 1, "count": 2}, True),
        ({"depth_m": 1, "count": 2.5}, False),
        ({"depth_m": {"value": 1, "sauce": "x"}}, False),
    ],
)
def test_keys_and_types(table, good):
    assert fits(section_schema(section_of(Gauge)), table) is good
    assert fits(section_schema(kinds_of({"gauge": Gauge})), {"kind": "gauge", **table}) is good


def test_a_kind_must_be_named_unless_a_part_is():
    assert not fits(section_schema(kinds_of({"gauge": Gauge})), {"depth_m": 1})
    parts = section_schema(kinds_of({"gauge": Gauge}, starts_from="part"))
    assert fits(parts, {"part": "x"}) and fits(parts, {"kind": "gauge"}) and fits(parts, {"part": "x", "count": 3})
    assert not fits(parts, {"depth_m": 1}) and not fits(parts, {"kind": "gage"}) and not fits(parts, {"part": ""})
