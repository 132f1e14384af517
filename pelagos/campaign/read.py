"""Load a campaign by name, from a .toml file or from a folder of results; return the JSON Schema of campaign files."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from pelagos.campaign.spec import Campaign, Keep, Metric, Stop, Vary
from pelagos.errors import ScenarioError
from pelagos.files import library
from pelagos.files.json_schema import Schema, file_schema, section_schema
from pelagos.files.reader import Place, build, read_table, require
from pelagos.files.schema import Key, section_of, without
from pelagos.files.source import parse_toml, read_toml
from pelagos.files.writer import to_table
from pelagos.scenario.schema import SCENARIO

FILE = "campaign.toml"  # in a folder of results
# the name is that of the file if left out; `file` and `scenario_path` are set by the reader
_KEYS = without(section_of(Campaign), "name", "scenario", "file", "scenario_path")
CAMPAIGN = replace(
    _KEYS,
    keys=(Key("name", hint=str, checked=False), *_KEYS.keys, Key("set", "keys of the scenario set in every run", dict)),
    tables={
        "scenario": replace(SCENARIO, short=str, later=True, needed=True),
        "vary": replace(section_of(Vary), many=True),
        "metric": replace(
            section_of(Metric), help="[[metric]] tables that say what is kept of each run", many=True, needed=True
        ),
        "stop": section_of(Stop),
        "output": section_of(Keep),
    },
)


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
    values = _scenario(tables.get("scenario"), tables.get("folder"), place)
    table = read_table(tables, CAMPAIGN, place)
    require(table)
    values["name"] = table.get("name", Path(file).stem)
    values["set"] = {**_flat(table.get("set", {})), **(changes or {})}
    return build(table, **values, file=file)


def campaign_tables(campaign: Campaign) -> dict[str, Any]:
    """Return the campaign as tables of a file with all defaults; None is left out."""
    plain = ("name", "summary", "runs", "seed", "method", "second_order", "engine")
    tables: dict[str, Any] = {key: getattr(campaign, key) for key in plain}
    tables["scenario"] = campaign.scenario_path if campaign.scenario.endswith(".toml") else campaign.scenario
    if not campaign.scenario:
        tables |= {"scenario": dict(campaign.tables), "folder": campaign.folder}
    tables |= {"set": dict(campaign.set), "output": to_table(campaign.output, defaults=True)}
    tables |= {key: [to_table(row, defaults=True) for row in getattr(campaign, key)] for key in ("vary", "metric")}
    if campaign.stop is not None:
        tables["stop"] = to_table(campaign.stop, defaults=True)
    return {key: item for key, item in tables.items() if item is not None}


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


def campaign_schema() -> Schema:
    """Return the JSON Schema of a campaign file."""
    return file_schema("Pelagos campaign file", section_schema(CAMPAIGN))
