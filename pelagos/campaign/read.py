"""From a campaign file to a `Campaign`: a ready one by its name, a .toml file, or the folder of earlier results.

A JSON Schema (draft 2020-12) of campaign files, made from the descriptions that the reader itself fills.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pelagos.campaign.spec import Campaign, Keep, Metric, Stop, Vary
from pelagos.errors import ScenarioError
from pelagos.files.json_schema import DRAFT, properties_schema, spec_schema
from pelagos.files.reader import Place, as_table, build, keys_of, read_spec, read_values
from pelagos.files.source import parse_toml, why_not
from pelagos.scenario.read import find_scenario, parse_scenario, scenario_names
from pelagos.scenario.schema import scenario_schema

LIBRARY = Path(__file__).parent / "library"
FILE = "campaign.toml"  # in a folder of results
TABLES = ("set", "vary", "metric", "stop", "output")
INTERNAL = ("file", "scenario_path")  # fields that the reader fills


def campaign_names() -> list[str]:
    """The ready campaigns, sorted."""
    return sorted(path.stem for path in LIBRARY.glob("*.toml"))


def find_campaign(name_or_path: str | Path) -> Path:
    """The file of a ready campaign, of a path, or in a folder of results."""
    path, stem = Path(name_or_path), str(name_or_path).replace("_", "-")
    if os.path.isfile(path / FILE):
        return path / FILE
    if path.suffix == ".toml" or len(path.parts) > 1:
        why = why_not(path)
        if why:
            raise ScenarioError(why, file=f'"{name_or_path}"')
        return path
    if stem not in campaign_names():
        raise ScenarioError("no campaign of this name", file=f'"{name_or_path}"', names=campaign_names(), misspelt=stem)
    return LIBRARY / f"{stem}.toml"


def load_campaign(
    name_or_path: str | Path,
    changes: Mapping[str, Any] | None = None,
    *,
    runs: int | None = None,
    seed: int | None = None,
) -> Campaign:
    """Read a campaign.

    Args:
        name_or_path: the name of a ready one, a .toml file, or a folder of results.
        changes: keys of the scenario to set in every run, {"world.current_m_s": 0.5, ...}.
        runs: in place of the file's number.
        seed: in place of the file's.
    """
    path = find_campaign(name_or_path)
    return campaign_from(parse_scenario(path), path.name, path.parent, changes, runs=runs, seed=seed)


def loads_campaign(text: str, folder: Path | str = ".") -> Campaign:
    """Read a campaign from TOML text."""
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
    """A campaign from tables; `file` stands for them in messages, files are looked for in `folder`."""
    given = {key: value for key, value in (("runs", runs), ("seed", seed)) if value is not None}
    tables = {**raw, **given}
    place = Place(file, Path(folder))
    for key in INTERNAL:
        if key in tables:
            place.fail(key, "unknown key", names=[*TABLES, "scenario"], misspelt=key)
    own = {"name": Path(file).stem}
    values: dict[str, Any] = _scenario(tables.pop("scenario", None), tables.pop("folder", None), place)
    plain = {key: item for key, item in tables.items() if key not in TABLES}
    read, spelt = read_values(Campaign, plain, place, also=(*TABLES, "scenario"))
    values["set"] = {**_flat(as_table(tables.get("set", {}), place.within("set"))), **(changes or {})}
    for key, spec in (("vary", Vary), ("metric", Metric)):
        rows = tables.get(key, [])
        if not isinstance(rows, list):
            place.fail(key, value=rows, expected=f"tables, written [[{key}]]")
        values[key] = tuple(read_spec(spec, row, place.within(f"{key}[{n}]")) for n, row in enumerate(rows))
    for key, spec in (("stop", Stop), ("output", Keep)):
        if key in tables:
            values[key] = read_spec(spec, tables[key], place.within(key))
    return build(Campaign, {**own, **values, **read, "file": file}, place, spelt)


def campaign_tables(campaign: Campaign) -> dict[str, Any]:
    """The campaign as tables of a file, every default spelled out; what is not given (None) is left out."""
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
    found = {name: getattr(description, name) for name in description.__dataclass_fields__}
    given = {key: item for key, item in found.items() if item not in (None, ())}
    return {key: list(item) if isinstance(item, tuple) else item for key, item in given.items()}


def _scenario(given: object, folder: object, place: Place) -> dict[str, Any]:
    """The scenario of a campaign: its name, tables, and where its files are."""
    if not isinstance(folder, str | None):
        place.fail("folder", value=folder, expected="text in quotes")
    if isinstance(given, dict):
        return {"tables": given, "folder": str((place.folder / (folder or ".")).resolve())}
    if folder is not None:
        place.fail(
            "folder", "only with a table [scenario]; files of a scenario file are looked for beside it", value=folder
        )
    if not isinstance(given, str) or not given:
        what: dict[str, Any] = {"message": "is missing"} if given is None else {"value": given}
        place.fail("scenario", expected="the name of a scenario, a .toml file, or a table [scenario]", **what)
    wanted = str(place.folder / given) if given.endswith(".toml") else given
    path = find_scenario(wanted)
    if path is None:
        message = "no such file" if given.endswith(".toml") else "no scenario of this name"
        place.fail("scenario", message, value=given, names=scenario_names())
    whole = path.resolve()
    return {
        "scenario": given, "tables": parse_scenario(path), "scenario_path": str(whole), "folder": str(whole.parent),
    }  # fmt: skip


def _flat(table: dict[str, Any], before: str = "") -> dict[str, Any]:
    """Tables as dotted keys: world.current_m_s = 1 under [set] is the same with and without quotes."""
    found: dict[str, Any] = {}
    for key, item in table.items():
        found |= _flat(item, f"{before}{key}.") if isinstance(item, dict) else {f"{before}{key}": item}
    return found


# ---- schema ----------------------------------------------------------------------------------------------------------


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
