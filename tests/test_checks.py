"""Checks of single values: accepted ones, and the error message of the others."""

import json
import math
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pelagos import checks
from pelagos.errors import CommandError, MessageError, ScenarioError, VehicleFileError

anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=300),
    lambda inner: st.lists(inner, max_size=6) | st.dictionaries(st.text(max_size=50), inner, max_size=6),
    max_leaves=20,
)


@given(st.floats() | st.integers() | st.booleans() | st.text(max_size=5))
def test_a_number_is_in_its_range_or_refused(value):
    check = checks.number_in(-2.0, 3.0)
    good = isinstance(value, int | float) and not isinstance(value, bool) and -2.0 <= value <= 3.0
    if good:
        assert check("x", value) == value and isinstance(check("x", value), float)
    else:
        with pytest.raises(CommandError, match=r"x is .*; expected a number from -2 to 3"):
            check("x", value)


def test_ends_of_ranges_count():
    assert checks.number_in(-2.0, 3.0)("x", -2) == -2.0 and checks.number_in(-2.0, 3.0)("x", 3) == 3.0
    assert checks.whole_in(0, 5)("n", 0) == 0 and checks.whole_in(0, 5)("n", 5) == 5


@pytest.mark.parametrize(
    ("check", "value", "sentence"),
    [
        (checks.whole_in(0, 5), 2.0, "whole number from 0 to 5"),
        (checks.whole_in(0, 5), True, "whole number from 0 to 5"),
        (checks.whole_in(0, 5), 6, "whole number from 0 to 5"),
        (checks.flag, 1, "true or false"),
        (checks.choice_of("depth", "heading"), "dept", 'did you mean "depth"'),
        (checks.choice_of("depth", "heading"), ["depth"], "expected one of depth, heading"),
        (checks.text, "a\nb", "printable"),
        (checks.text, "x" * 201, "at most 200"),
        (checks.text, 5, "printable"),
        (checks.plain_table, {"a b": 1}, "letters, digits"),
        (checks.plain_table, {"é": 1}, "letters, digits"),
        (checks.plain_value, math.inf, "at most 1e"),
        (checks.plain_value, -(10**12), "at most 1e"),
        (checks.plain_value, [0] * 65, " is 65; expected at most 64"),
        (checks.plain_value, {"a": {"b": {"c": {"d": {"e": 1}}}}}, "levels"),
        (checks.plain_table, [1], "expected a table"),
        (checks.plain_table, {f"k{n}": 1 for n in range(33)}, " is 33; expected at most 32"),
        (checks.optional(checks.text), 5, "printable"),
    ],
)
def test_a_wrong_value_is_a_sentence(check, value, sentence):
    with pytest.raises(CommandError, match=sentence):
        check("it", value)


def test_an_optional_value_may_be_none():
    assert checks.optional(checks.text)("it", None) is None
    assert checks.optional(checks.text)("it", "word") == "word"
    with pytest.raises(CommandError, match="it is 3"):
        checks.optional(checks.text)("it", 3)


@pytest.mark.slow
@given(anything)
def test_a_plain_value_comes_back_as_it_was_with_finite_numbers_only(value):
    try:
        got = checks.plain_value("it", value)
    except CommandError:
        return
    assert got == value
    json.dumps(got, allow_nan=False)


def test_a_table_has_known_keys_only_and_those_that_are_needed():
    fields = {"level": checks.number_in(0.0, 1.0)}
    assert checks.table("lights", {"level": 1}, fields) == {"level": 1.0}
    assert checks.table("lights", {}, fields) == {}
    with pytest.raises(CommandError, match="lights has no key 'levle'; expected one of level; did you mean \"level\""):
        checks.table("lights", {"levle": 1}, fields)
    with pytest.raises(CommandError, match="expected a table"):
        checks.table("lights", None, fields)
    with pytest.raises(CommandError, match="lights needs the key 'level'"):
        checks.needed("lights", {}, "level")


def test_the_context_gives_the_class_of_the_error_and_the_file():
    fields = {"ends": checks.table_of({"level": checks.optional(checks.number_in(0.0, 1.0))})}
    with pytest.raises(MessageError, match="lights ends level is 2; expected a number from 0 to 1"):
        checks.table("lights", {"ends": {"level": 2}}, fields, context=checks.LINK)
    with pytest.raises(ScenarioError, match=r"world: depth_m = -1.0: expected a number above 0"):
        checks.number("depth_m", -1.0, 0.0, above=True, context=checks.WORLD)
    hint = tuple[tuple[float, float], ...] | tuple[float, float, float]
    with pytest.raises(
        VehicleFileError, match=r"a.toml: k = \[1, 2\]: expected rows of 2 numbers or a list of 3 numbers"
    ):
        checks.annotated("k", [1, 2], hint, context=checks.Context(VehicleFileError, "a.toml"))


@pytest.mark.parametrize(
    ("bounds", "expected"),
    [
        ({}, "a finite number"),
        ({"low": 0.0}, "a number of at least 0"),
        ({"low": 0.0, "above": True}, "a number above 0"),
        ({"high": 3.0}, "a number of at most 3"),
        ({"low": 0.0, "high": 3.0, "above": True}, "a number above 0, at most 3"),
    ],
)
def test_a_range_is_put_into_words(bounds, expected):
    for value in (math.nan, math.inf, -math.inf, "1", True, None, 10**400):
        with pytest.raises(CommandError, match=f"expected {expected}$"):
            checks.number("x", value, **bounds)
    assert checks.number("x", 1, **bounds) == 1.0 and checks.number("x", math.inf, **bounds, infinite=True) == math.inf


def test_a_value_of_a_file_fits_its_annotation():
    assert checks.annotated("k", [1, 2.5], tuple[float, ...]) == (1.0, 2.5)
    assert checks.annotated("k", "a", Literal["a", "b"] | None) == "a"
    with pytest.raises(CommandError, match="expected a list of 2 numbers"):
        checks.annotated("k", [1.0], tuple[float, float])
    with pytest.raises(CommandError, match='expected one of near, far; did you mean "near"'):
        checks.annotated("k", "neer", Literal["near", "far"])
    assert checks.annotation_text(tuple[tuple[float, float], ...]) == "rows of 2 numbers"


def test_numbers_of_a_file_are_not_beyond_all_measure():
    assert checks.annotated("k", math.inf, float | None) == math.inf
    for value in (-1e300, 10**19 * 100):
        with pytest.raises(CommandError, match=r"expected a number of at most 1e\+20"):
            checks.annotated("k", value, float)


def test_both_ends_of_a_range_can_be_excluded():
    assert checks.number("share", 0.5, 0.0, 1.0, above=True, below=True) == 0.5
    for value, above, words in ((1.0, True, "above 0 and below 1"), (1.0, False, "from 0 to below 1"), (0.0, True, "")):
        with pytest.raises(CommandError, match=f"share is {value:g}; expected a number {words}"):
            checks.number("share", value, 0.0, 1.0, above=above, below=True)


def test_a_list_of_tables():
    assert checks.tables("fault", [{"at_s": 1.0}]) == [{"at_s": 1.0}]
    assert checks.tables("fault", []) == []
    for wrong in ({"at_s": 1.0}, [1], None):
        with pytest.raises(CommandError, match=r"vehicle\[0\].fault is .*; expected .* written \[\[fault\]\]"):
            checks.tables("vehicle[0].fault", wrong, "fault")


def test_truth_values_are_no_numbers_among_numbers():
    with pytest.raises(CommandError, match=r"place is \[True, 2.0\]; expected 2 numbers"):
        checks.numbers("place", [True, 2.0], 2)


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"\xff", "the line is not JSON; expected a table"),
        ("[1]", "the line is"),
        ("[" * 90000, "the line has too many levels"),
        ('{"a": NaN}', "a number of the line is nan; expected a finite number"),
        ('{"a": 1, "a": 2}', "the line has a key twice"),
        ("x" * 100001, "size of the line is 100001; expected at most 100000 bytes"),
        ("\u00e9" * 60000, "size of the line is 120000"),
    ],
)
def test_a_message_that_is_no_json_table_is_refused(data, why):
    with pytest.raises(MessageError, match=why):
        checks.json_table("the line", data, 100000)


def test_a_message_is_read_from_bytes_and_from_text():
    message = '{"a": [1, 2.5, null], "b": "\u00e9"}'
    assert checks.json_table("the line", message, 100) == checks.json_table("the line", message.encode(), 100)
    huge = checks.json_table("the line", '{"n": -1%s}' % ("0" * 400), 1000)
    assert huge == {"n": -math.inf}  # no integer of hundreds of digits, whose conversion would raise somewhere else
