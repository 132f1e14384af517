"""Load a campaign by name, from a .toml file or from a folder of results; return the JSON Schema of campaign files."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pelagos.campaign.spec import Campaign, Keep, Metric, Stop, Vary
from pelagos.errors import ScenarioError
from pelagos.files import library
from pelagos.files.json_schema import DRAFT, properties_schema, spec_schema
from pelagos.files.reader import Place, as_table, build, keys_of, read_spec, read_values
from pelagos.files.source import parse_toml, read_toml
from pelagos.scenario.schema import scenario_schema

FILE = "campaign.toml"  # in a folder of results
TABLES = ("set", "vary", "metric", "stop", "output")
INTERNAL = ("file", "scenario_path")  # fields that the reader sets, not keys of a file


def find_campaign(name_or_path: str | Path) -> Path:
    """Return the file of a library campaign, of a path, or in a folder of results."""
    inside = Path(name_or_path) / FILE
    return inside if os.path.isfile(inside) else library.CAMPAIGNS.path(name_or_path)


def load_campaign(
    name_or_path: str | Path,
    changes: Mapping[str, Any] | None = None,
    *,
    runs: int | None = None,
    seed: int | None = None,
) -> Campaign:
    """Load a campaign.

    Args:
        name_or_path: the name of a library campaign, a .toml file, or a folder of results.
        changes: keys of the scenario to set in every run, {"world.current_m_s": 0.5, ...}.
        runs: number of runs; default: that of the file.
        seed: seed of the plan; default: that of the file.
    """
    path = find_campaign(name_or_path)
    return campaign_from(read_toml(path), path.name, path.parent, changes, runs=runs, seed=seed)


def loads_campaign(text: str, folder: Path | str = ".") -> Campaign:
    """Parse a campaign from TOML text."""
    return campaign_from(parse_toml(text, "campaign"), folder=folder)


def campaign_from(
    raw: Mapping[str, Any],
    file: str = "campaign",
    folder: Path | str = ".",
    changes: Mapping[str, Any] | None = None,
    *,
    runs: int | None = None,
    seed: int | None = None,
) -> Campaign:
    """Create a campaign from tables; `file` names them in messages, and paths are relative to `folder`."""
    overrides = {key: value for key, value in (("runs", runs), ("seed", seed)) if value is not None}
    tables = {**raw, **overrides}
    place = Place(file, Path(folder))
    for key in INTERNAL:
        if key in tables:
            place.fail(key, "unknown key", names=[*TABLES, "scenario"], misspelt=key)
    defaults = {"name": Path(file).stem}
    values: dict[str, Any] = _scenario(tables.pop("scenario", None), tables.pop("folder", None), place)
    plain = {key: item for key, item in tables.items() if key not in TABLES}
    read, spelt = read_values(Campaign, plain, place, also=(*TABLES, "scenario"))
    values["set"] = {**_flat(as_table(tables.get("set", {}), place.within("set"))), **(changes or {})}
    for key, spec in (("vary", Vary), ("metric", Metric)):
        rows = place.tables(tables, key)
        values[key] = tuple(read_spec(spec, row, place.within(f"{key}[{n}]")) for n, row in enumerate(rows))
    for key, spec in (("stop", Stop), ("output", Keep)):
        if key in tables:
            values[key] = read_spec(spec, tables[key], place.within(key))
    return build(Campaign, {**defaults, **values, **read, "file": file}, place, spelt)


def campaign_tables(campaign: Campaign) -> dict[str, Any]:
    """Return the campaign as tables of a file with all defaults; None is left out."""
    plain = ("name", "summary", "runs", "seed", "method", "second_order", "engine")
    tables: dict[str, Any] = {key: getattr(campaign, key) for key in plain}
    tables["scenario"] = campaign.scenario_path if campaign.scenario.endswith(".toml") else campaign.scenario
    if not campaign.scenario:
        tables |= {"scenario": dict(campaign.tables), "folder": campaign.folder}
    tables |= {"set": dict(campaign.set), "output": _fields(campaign.output)}
    tables |= {key: [_fields(row) for row in getattr(campaign, key)] for key in ("vary", "metric")}
    if campaign.stop is not None:
        tables["stop"] = _fields(campaign.stop)
    return {key: item for key, item in tables.items() if item is not None}


def _fields(description: Any) -> dict[str, Any]:
    fields = {name: getattr(description, name) for name in description.__dataclass_fields__}
    known = {key: item for key, item in fields.items() if item not in (None, ())}
    return {key: list(item) if isinstance(item, tuple) else item for key, item in known.items()}


def _scenario(scenario: object, folder: object, place: Place) -> dict[str, Any]:
    """Return the fields that describe the scenario: name, tables and folder of its files."""
    if not isinstance(folder, str | None):
        place.fail("folder", value=folder, expected="text in quotes")
    if isinstance(scenario, dict):
        return {"tables": scenario, "folder": str((place.folder / (folder or ".")).resolve())}
    if folder is not None:
        place.fail(
            "folder", "only with a table [scenario]; files of a scenario file are looked for beside it", value=folder
        )
    if not isinstance(scenario, str) or not scenario:
        problem: dict[str, Any] = {"message": "is missing"} if scenario is None else {"value": scenario}
        place.fail("scenario", expected="the name of a scenario, a .toml file, or a table [scenario]", **problem)
    name_or_path = str(place.folder / scenario) if scenario.endswith(".toml") else scenario
    try:
        path = library.SCENARIOS.path(name_or_path)
    except ScenarioError as unknown:
        raise unknown.at(file=place.file, key="scenario", value=scenario) from None
    whole = path.resolve()
    return {
        "scenario": scenario, "tables": read_toml(path), "scenario_path": str(whole), "folder": str(whole.parent),
    }  # fmt: skip


def _flat(table: dict[str, Any], before: str = "") -> dict[str, Any]:
    """Flatten tables to dotted keys: under [set], world.current_m_s = 1 works with and without quotes."""
    flat: dict[str, Any] = {}
    for key, item in table.items():
        flat |= _flat(item, f"{before}{key}.") if isinstance(item, dict) else {f"{before}{key}": item}
    return flat


def campaign_schema() -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of a campaign file."""
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
