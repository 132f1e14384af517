"""A description written as TOML reads back as itself, in lines that people can edit."""

import tomllib
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pelagos.campaign.read import campaign_tables, load_campaign, loads_campaign
from pelagos.errors import CommandError
from pelagos.files.library import CAMPAIGNS, PARTS, SCENARIOS, TASKS, VEHICLES, WORLDS
from pelagos.files.reader import Place, read_kind, read_spec
from pelagos.files.source import parse_toml, read_toml
from pelagos.files.writer import to_table, to_toml
from pelagos.guidance.legs.kinds import KINDS as LEGS
from pelagos.guidance.legs.place import Hold
from pelagos.tether.spec import Tether
from pelagos.vehicle.derive.torpedo import torpedo
from pelagos.world.spec import World
from pelagos.world.structure import Structure
from pelagos.world.water import Water
from pelagos.world.waves import Waves

words = st.text(st.characters(exclude_categories=("Cs",)), max_size=8)
leaves = words | st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.floats(allow_nan=False)
values = st.recursive(leaves, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(words, inner, max_size=3))


def test_a_vehicle_reads_back():
    description = torpedo(2.0, 0.1, 55.0)
    assert tomllib.loads(to_toml(description)) == description


def test_awkward_keys_and_texts_read_back():
    odd = {"a": 'quote " back \\ line\n', "Y_u|v|": 1e-300, "t": {"x": {"deep": [1, 2.5, True]}}, "empty": {}, "l": []}
    assert tomllib.loads(to_toml(odd)) == odd


@pytest.mark.slow
@given(st.dictionaries(words, values, max_size=4))
def test_anything_toml_can_hold_reads_back(description):
    assert tomllib.loads(to_toml(description)) == description


def test_sections_sourced_numbers_and_long_lists_have_their_own_form():
    text = to_toml({"body": {"mass_kg": {"value": 2.0, "note": "weighed"}}, "rows": [{"x": 1}], "long": [1.25] * 60})
    lines = text.splitlines()
    assert 'mass_kg = { value = 2.0, note = "weighed" }' in lines  # one number stays on one line
    assert "[body]" in lines and "[[rows]]" in lines
    assert "long = [" in lines and max(len(line) for line in lines) <= 120


def test_what_toml_cannot_hold_is_refused():
    with pytest.raises(TypeError, match="TOML cannot hold a value of type"):
        to_toml({"a": object()})


@pytest.mark.parametrize(
    "description",
    [
        Waves(height_m=1.5, period_s=7.0, to_deg=30.0),
        Water(profile=((0.0, 15.0, 35.0), (50.0, 8.0, 35.2))),
        Structure(kind="sphere", center_m=(1.0, 2.0, 30.0), radius_m=2.0, name="ball"),
        Tether(length_m=40.0, ship_path_m=((0.0, 0.0), (100.0, 20.0))),
    ],
)
def test_what_is_written_is_read_as_the_same_description(description):
    for defaults in (False, True):
        text = to_toml({"table": to_table(description, defaults=defaults)})
        table = parse_toml(text, "a.toml")["table"]
        assert read_spec(type(description), table, Place("a.toml", Path())) == description


@pytest.mark.parametrize("name", CAMPAIGNS.names())
def test_a_campaign_reads_back(name):
    campaign = load_campaign(name)
    again = loads_campaign(to_toml(campaign_tables(campaign)), campaign.folder)
    assert replace(again, file=campaign.file, scenario_path=campaign.scenario_path) == campaign


@pytest.mark.parametrize("library", [VEHICLES, PARTS, WORLDS, SCENARIOS, CAMPAIGNS, TASKS], ids=lambda item: item.noun)
def test_every_library_file_reads_back(library):
    for name in library.names():
        raw = read_toml(library.folder / f"{name}.toml")
        assert parse_toml(to_toml(raw), name) == raw


def test_the_kind_is_written_and_defaults_only_if_asked():
    leg = Hold(seconds_s=3.0)
    assert to_table(leg) == {"kind": "hold", "seconds_s": 3.0}
    assert read_kind(LEGS, to_table(leg, defaults=True), Place("a.toml", Path())) == leg
    with pytest.raises(CommandError, match="a file cannot hold"):
        to_table(World(current=lambda time_s: (0.0, 0.0, 0.0)))
