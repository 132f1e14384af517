"""Time of DIS."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pelagos.errors import MessageError
from pelagos.links.dis.wire.header import ClockTime, elapsed_s, is_absolute, seconds, stamp

UNIT_S = 3600.0 / 2**31


def test_quarters_of_an_hour_are_powers_of_two():
    assert stamp(900.0) == 0x40000000 and stamp(900.0, True) == 0x40000001
    assert stamp(1800.0) == 0x80000000 and stamp(0.0) == 0 and stamp(3600.0) == 0
    assert seconds(0x80000001) == 1800.0 and is_absolute(0x80000001) and not is_absolute(0x80000000)
    assert seconds(0xFFFFFFFF) == 3600.0 - UNIT_S


@given(st.floats(-1e10, 1e10), st.booleans())
def test_a_time_comes_back_within_a_unit(time_s, absolute):
    found = stamp(time_s, absolute)
    assert 0 <= found < 2**32 and is_absolute(found) == absolute
    lost = (time_s - seconds(found)) % 3600.0
    near = 1e-14 * abs(time_s) + 1e-9  # what is left of a large number of seconds
    assert lost < UNIT_S + near or lost > 3600.0 - near


@given(st.floats(0.0, 1e9), st.floats(-1799.0, 1799.0))
def test_time_passes_over_the_hour(start_s, passed_s):
    assert elapsed_s(stamp(start_s), stamp(start_s + passed_s)) == pytest.approx(passed_s, abs=2.0 * UNIT_S)


@given(st.floats(-7e12, 7e12))
def test_a_clock_time_comes_back(time_s):
    clock = ClockTime.of(time_s)
    assert 0 <= clock.past < 2**32
    assert clock.time_s == pytest.approx(time_s, rel=1e-15, abs=UNIT_S)


def test_a_clock_time_of_a_known_day():
    clock = ClockTime.of(1753200060.0, absolute=True)  # 22 July 2025, 16:01 UTC: 487000 hours since 1970 and 1 minute
    assert clock.hours == 487000 and is_absolute(clock.past)
    assert seconds(clock.past) == pytest.approx(60.0, abs=2.0 * UNIT_S)


def test_just_before_an_hour_both_parts_agree():
    assert ClockTime.of(-1e-20) == ClockTime(-1, 0xFFFFFFFE)
    assert ClockTime.of(math.nextafter(7200.0, 0.0)).time_s == pytest.approx(7200.0, abs=2.0 * UNIT_S)


@pytest.mark.parametrize("time_s", [math.nan, math.inf, -math.inf])
def test_a_time_that_is_none_is_refused(time_s):
    with pytest.raises(MessageError, match="finite"):
        stamp(time_s)
    with pytest.raises(MessageError, match="finite"):
        ClockTime.of(time_s)
