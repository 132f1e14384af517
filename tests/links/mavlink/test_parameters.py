"""The table is sound, and values are taken or refused."""

import math

import pytest

from pelagos.errors import CommandError
from pelagos.links.mavlink.parameters import REAL32, TABLE, Parameters


def test_the_table_is_sound():
    assert len({one.name for one in TABLE}) == len(TABLE)
    for one in TABLE:
        assert 1 <= len(one.name) <= 16 and one.name == one.name.upper()  # what a PARAM_VALUE can hold
        assert one.low <= one.value <= one.high
        assert one.kind == REAL32 or float(one.value).is_integer()
        assert len(one.words) > 3
        assert float.fromhex(float(one.high).hex()) <= 2**24 or one.fixed  # whole numbers that a float keeps


def test_values_are_set_and_read():
    p = Parameters()
    p.set("FS_PILOT_TIMEOUT", 2.5)
    assert p["FS_PILOT_TIMEOUT"] == 2.5
    assert len(p) == len(TABLE) and p.names[0] == TABLE[0].name


@pytest.mark.parametrize(
    ("name", "value", "reason"),
    [
        ("FS_PILOT_TIMEOUT", math.nan, "expected"),
        ("FS_PILOT_TIMEOUT", 99.0, "between"),
        ("FS_GCS_ENABLE", 1.5, "whole"),
        ("FS_GCS_ENABL", 1.0, "FS_GCS_ENABLE"),
        ("FRAME_CONFIG", 1.0, "stays"),
        ("BTN3_FUNCTION", 40.0, "expected one of"),
    ],
)
def test_what_cannot_be_is_refused_and_the_old_value_stays(name, value, reason):
    p = Parameters()
    before = {one: p[one] for one in p.names}
    with pytest.raises(CommandError, match=reason):
        p.set(name, value)
    assert {one: p[one] for one in p.names} == before


def test_something_may_refuse_before_a_value_is_taken():
    p, taken = Parameters(), []

    def refuse(value):
        taken.append(value)
        raise CommandError("no")

    p.on_change("JS_GAIN_DEFAULT", refuse)
    with pytest.raises(CommandError):
        p.set("JS_GAIN_DEFAULT", 0.7)
    assert taken == [0.7] and p["JS_GAIN_DEFAULT"] == 0.5
