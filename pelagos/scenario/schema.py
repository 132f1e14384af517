"""The tables of a scenario file, from the dataclasses that they become, and the JSON Schema of scenario files."""

from __future__ import annotations

from dataclasses import replace

from pelagos.estimation.base import Navigation
from pelagos.files.json_schema import Schema, file_schema, section_schema
from pelagos.files.schema import Key, Section, kinds_of, section_of, text, without
from pelagos.guidance.legs.kinds import KINDS as LEGS
from pelagos.scenario.spec import Control, End, Output, Scenario, ScenarioEvent, Start
from pelagos.sim.faults.kinds import KINDS as FAULTS
from pelagos.tether.spec import Tether
from pelagos.vehicle.load.keys import SENSOR, VEHICLE
from pelagos.world.load import WORLD

COMMANDS = ("thrust", "deflect", "ballast", "sticks")
_BY_NAME = Section("numbers by the name of an actuator or axis", each=Key("*", checked=False), sourced=False)
_COMMANDS = dict.fromkeys(COMMANDS, _BY_NAME)
_TETHER = section_of(Tether)

# of one vehicle: at the top of the file, or under its [[vehicle]]
OF_VEHICLE = Section("", tables={
    "start": section_of(Start),
    "control": replace(section_of(Control), tables=_COMMANDS),
    "mission": kinds_of(LEGS, "a leg of the mission", many=True),
    "sensor": replace(SENSOR, short=bool),
    "navigation": section_of(Navigation),
    "fault": kinds_of(FAULTS, "a fault", many=True, attribute="faults"),
    "event": replace(section_of(ScenarioEvent), tables=_COMMANDS, many=True, attribute="events"),
    "tether": replace(_TETHER, keys=(*_TETHER.keys, text("cable", "name or file of a cable")), short=bool),
}, sourced=False)  # fmt: skip

# the table `change` holds only the keys that differ from the vehicle file
_CHANGE = replace(VEHICLE, keys=tuple(replace(key, required=False) for key in VEHICLE.keys), starts_from="")
_VEHICLE = Section(
    "a vehicle of the scenario",
    (text("use", "library vehicle or .toml file", required=True), text("name")),
    {**OF_VEHICLE.tables, "change": _CHANGE},
    sourced=False,
)
SCENARIO = replace(
    without(section_of(Scenario), "path"),
    tables={
        "vehicle": replace(_VEHICLE, many=True, needed=True, short=str),
        "world": replace(WORLD, keys=(*WORLD.keys, text("use", "library world or .toml file")), short=str),
        "end": section_of(End),
        "output": section_of(Output),
        **OF_VEHICLE.tables,
    },
)


def scenario_schema() -> Schema:
    """Return the JSON Schema of a scenario file."""
    schema = section_schema(SCENARIO)
    schema["properties"]["vehicle"]["anyOf"].append(section_schema(_VEHICLE))  # one vehicle may be a single table
    return file_schema("Pelagos scenario file", schema)
