"""Single values of messages: what is let through, and the sentence about what is not."""

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pelagos import checks
from pelagos.errors import MessageError

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
        with pytest.raises(MessageError, match=r"x is .*; expected a number from -2 to 3"):
            check("x", value)


def test_ends_of_ranges_count():
    assert checks.number_in(-2.0, 3.0)("x", -2) == -2.0 and checks.number_in(-2.0, 3.0)("x", 3) == 3.0
    assert checks.whole(0, 5)("n", 0) == 0 and checks.whole(0, 5)("n", 5) == 5


@pytest.mark.parametrize(
    ("check", "value", "said"),
    [
        (checks.whole(0, 5), 2.0, "whole number from 0 to 5"),
        (checks.whole(0, 5), True, "whole number from 0 to 5"),
        (checks.whole(0, 5), 6, "whole number from 0 to 5"),
        (checks.yes_or_no, 1, "true or false"),
        (checks.one_of("depth", "heading"), "dept", "did you mean depth"),
        (checks.one_of("depth", "heading"), ["depth"], "expected one of depth, heading"),
        (checks.text, "a\nb", "printable"),
        (checks.text, "x" * 201, "at most 200"),
        (checks.text, 5, "printable"),
        (checks.key, "a b", "letters, digits"),
        (checks.key, "é", "letters, digits"),
        (checks.plain_value, math.inf, "at most 1e"),
        (checks.plain_value, -(10**12), "at most 1e"),
        (checks.plain_value, [0] * 65, "65 entries"),
        (checks.plain_value, {"a": {"b": {"c": {"d": {"e": 1}}}}}, "levels"),
        (checks.plain_table, [1], "expected a table"),
        (checks.plain_table, {f"k{n}": 1 for n in range(33)}, "33 keys"),
        (checks.or_nothing(checks.text), 5, "printable"),
    ],
)
def test_what_is_wrong_is_said(check, value, said):
    with pytest.raises(MessageError, match=said):
        check("it", value)


def test_nothing_is_let_through_where_nothing_is_meant():
    assert checks.or_nothing(checks.text)("it", None) is None
    assert checks.or_nothing(checks.text)("it", "word") == "word"


@given(anything)
def test_a_plain_value_comes_back_as_it_was_with_finite_numbers_only(value):
    try:
        got = checks.plain_value("it", value)
    except MessageError:
        return
    assert got == value
    json.dumps(got, allow_nan=False)


def test_a_table_has_known_keys_only_and_those_that_are_needed():
    fields = {"level": checks.number_in(0.0, 1.0)}
    assert checks.table("lights", {"level": 1}, fields) == {"level": 1.0}
    assert checks.table("lights", {}, fields) == {}
    with pytest.raises(MessageError, match="lights has no key 'levle'; did you mean level"):
        checks.table("lights", {"levle": 1}, fields)
    with pytest.raises(MessageError, match="expected a table"):
        checks.table("lights", None, fields)
    with pytest.raises(MessageError, match="lights has no level"):
        checks.needed("lights", {}, "level")
