"""A JSON Schema (draft 2020-12) of campaign files, made from the descriptions that the reader itself fills."""

from __future__ import annotations

from typing import Any

from pelagos.campaign.read import INTERNAL
from pelagos.campaign.spec import Campaign, Keep, Metric, Stop, Vary
from pelagos.sim.scenario_schema import scenario_schema
from pelagos.tables import keys_of
from pelagos.tables_schema import DRAFT, properties_schema, spec_schema


def campaign_schema() -> dict[str, Any]:
    """The schema of a whole campaign file."""
    scenario = scenario_schema()
    shared = scenario.pop("$defs")
    top = {name: hint for name, hint in keys_of(Campaign).items() if name not in INTERNAL}
    whole = {key: item for key, item in scenario.items() if key not in ("$schema", "title")}
    properties = properties_schema(top) | {
        "scenario": {"anyOf": [{"type": "string", "minLength": 1}, {"$ref": "#/$defs/scenario"}]},
        "set": {"type": "object"},
        "vary": {"type": "array", "items": spec_schema(Vary)},
        "metric": {"type": "array", "minItems": 1, "items": spec_schema(Metric)},
        "stop": spec_schema(Stop),
        "output": spec_schema(Keep),
    }
    return {
        "$schema": DRAFT,
        "title": "Pelagos campaign file",
        "type": "object",
        "properties": properties,
        "required": ["scenario", "metric"],
        "additionalProperties": False,
        "$defs": {**shared, "scenario": whole},
    }
