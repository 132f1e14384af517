"""Claims: the verdict follows from the numbers alone."""

import math
from dataclasses import replace

import pytest

from pelagos_evidence.claim import (
    ClaimVerdict,
    Row,
    agreed,
    bound,
    contested,
    no_data,
    number,
    quantity,
    statement,
    threshold,
)

ROW = Row("terminal-speed", "section D.8", "speed at 700 rpm")
SPEED = (ROW, 2.0)


def test_a_number_within_its_tolerance_is_reproduced():
    claim = number(*SPEED, 2.004, "ft/s", absolute=0.005, why="three digits are printed")
    assert claim.verdict is ClaimVerdict.REPRODUCED
    assert (claim.published, claim.ours, claim.tolerance) == ("2 ft/s", "2.004 ft/s", "0.005 ft/s")
    assert claim.error == "+0.004 ft/s (+0.2 %)"
    assert claim.numbers["error"] == pytest.approx(0.004)


@pytest.mark.parametrize("ours", [2.006, 1.994, -2.0, math.nan, math.inf])
def test_a_number_outside_fails(ours):
    assert number(*SPEED, ours, "ft/s", absolute=0.005, why="-").verdict is ClaimVerdict.FAILED


def test_a_relative_tolerance_is_a_share_of_the_published_value_whatever_its_sign():
    for sign in (1.0, -1.0):
        near = number(ROW, sign * 450.0, sign * 426.3, "N", relative=0.1, why="-")
        far = number(ROW, sign * 450.0, sign * 400.0, "N", relative=0.1, why="-")
        assert (near.verdict, far.verdict) == (ClaimVerdict.REPRODUCED, ClaimVerdict.FAILED)
        assert near.tolerance == "10 %"


def test_a_stated_assumption_is_a_verdict_of_its_own_but_saves_nothing_that_fails():
    row = replace(ROW, assumption="the thrusters stand 0.5 m off the middle")
    assert number(row, 2.0, 2.0, "ft/s", absolute=0.01, why="-").verdict is ClaimVerdict.ASSUMED
    assert number(row, 2.0, 2.1, "ft/s", absolute=0.01, why="-").verdict is ClaimVerdict.FAILED


def test_a_number_has_one_tolerance():
    for given in ({}, {"absolute": 1.0, "relative": 0.1}):
        with pytest.raises(ValueError, match="either absolute or relative"):
            number(*SPEED, 2.0, "ft/s", why="-", **given)


@pytest.mark.parametrize(
    ("side", "ours", "verdict"),
    [
        ("below", 9e-12, ClaimVerdict.REPRODUCED),
        ("below", 1e-11, ClaimVerdict.REPRODUCED),
        ("below", 2e-11, ClaimVerdict.FAILED),
        ("above", 2e-11, ClaimVerdict.REPRODUCED),
        ("above", 9e-12, ClaimVerdict.FAILED),
        ("below", math.nan, ClaimVerdict.FAILED),
    ],
)
def test_a_bound_has_a_right_side(side, ours, verdict):
    assert bound(ROW, side, 1e-11, ours, "m", why="-").verdict is verdict


def test_a_statement_and_a_claim_that_cannot_be_checked():
    worse = statement(ROW, "worse", "2.1 m against 0.6 m", True, why="-")
    assert worse.verdict is ClaimVerdict.REPRODUCED
    assert statement(ROW, "worse", "no", False, why="-").verdict is ClaimVerdict.FAILED
    assert no_data(ROW, "a curve", "it is lost").verdict is ClaimVerdict.NO_DATA
    with pytest.raises(ValueError, match="can be compared with"):
        no_data(ROW, "2 deg", "it is lost", numbers={"published": 2.0})


@pytest.mark.parametrize(
    ("limits", "inside", "outside"),
    [
        ({"above": 10.0}, 10.5, 10.0),
        ({"below": 10.0}, 9.5, 10.0),
        ({"least": 10.0}, 10.0, 9.5),
        ({"most": 10.0}, 10.0, 10.5),
        ({"above": 0.0, "most": 10.0}, 10.0, 0.0),
        ({"least": 10.0, "below": 11.0}, 10.0, 11.0),
        ({"above": 0.0}, 1.0, math.nan),
    ],
)
def test_a_number_within_the_limits_of_its_row_holds(limits, inside, outside):
    row = threshold(ROW, "large", "some", inside, tolerance="limits", why="-", unit="m", **limits)
    assert row.verdict is ClaimVerdict.REPRODUCED and (row.ours, row.tolerance, row.unit) == ("some", "limits", "m")
    assert threshold(ROW, "large", "some", outside, why="-", **limits).verdict is ClaimVerdict.FAILED


def test_a_threshold_needs_a_limit():
    with pytest.raises(ValueError, match="expected above, below, least or most"):
        threshold(ROW, "large", "some", 1.0, why="-")


@pytest.mark.parametrize(
    ("off", "right", "otherwise", "verdict"),
    [
        (0.3, True, "refuted", ClaimVerdict.REFUTED),
        (0.3, True, "not met", ClaimVerdict.NOT_MET),
        (0.1, True, "refuted", ClaimVerdict.REPRODUCED),  # the print is right after all
        (0.1, True, "not met", ClaimVerdict.REPRODUCED),
        (0.3, False, "refuted", ClaimVerdict.FAILED),  # neither the print nor what stands in its place
        (0.1, False, "refuted", ClaimVerdict.FAILED),
        (math.nan, True, "not met", ClaimVerdict.FAILED),
        (math.inf, True, "refuted", ClaimVerdict.FAILED),
    ],
)
def test_what_is_contested_follows_from_how_far_it_is_off(off, right, otherwise, verdict):
    row = contested(ROW, "1", "a misprint", off=off, limit=0.1, right=right, otherwise=otherwise)
    assert row.verdict is verdict


def test_a_row_that_is_read_back_is_apart_but_must_hold():
    copied = {"absolute": 0.0, "why": "copied", "read_back": True}
    assert number(*SPEED, 2.0, "ft/s", **copied).verdict is ClaimVerdict.READ_BACK
    assert number(*SPEED, 2.1, "ft/s", **copied).verdict is ClaimVerdict.FAILED


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.0, "0"), (2.0, "2"), (0.13, "0.13"), (1e-11, "1.00e-11"), (426.34, "426.34"), (-3e7, "-3.00e+07")],
)
def test_numbers_are_written_as_people_write_them(value, text):
    assert quantity(value) == text


@pytest.mark.parametrize(
    ("difference", "verdict"),
    [
        (1e-13, ClaimVerdict.REPRODUCED),
        (1e-12, ClaimVerdict.REPRODUCED),
        (-2e-12, ClaimVerdict.FAILED),
        (math.nan, ClaimVerdict.FAILED),
    ],
)
def test_the_difference_alone_decides(difference, verdict):
    row = agreed(ROW, "F = m a", difference, 1e-12, "N")
    assert row.verdict is verdict
    assert row.published == "F = m a"  # a limit of ours is never shown as published
    assert row.tolerance == "1.00e-12 N" and row.numbers["tolerance"] == 1e-12
