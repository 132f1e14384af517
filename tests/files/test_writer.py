"""A description written as TOML reads back as itself, in lines that people can edit."""

import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pelagos.files.writer import to_toml
from pelagos.vehicle.derive.torpedo import torpedo

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
