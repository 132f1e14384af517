"""Euler angles and quaternion: motions that part are caught, and a pole that is none."""

import numpy as np
import pytest

from evidence.tests.checked import joined
from pelagos_evidence.brutzman.motions import attitudes


@pytest.fixture(scope="module")
def either():
    return attitudes.fly_both()


def test_the_two_stay_together_for_a_minute(either):
    assert either.time_s[-1] == pytest.approx(60.0)
    assert either.apart_ft.max() < 1e-11 and either.turned_rad.max() < 1e-11  # RK4 at 0.01 s, and rounding
    assert all(claim.holds for claim in joined(attitudes, attitudes.attitude_values(either)))


def test_motions_that_part_are_caught():
    apart = np.array([1e-13, 1e-9])
    rows = joined(attitudes, attitudes.attitude_values(attitudes.AttitudePair(np.array([0.0, 1.0]), apart, apart)))
    assert [claim.holds for claim in rows] == [False, True]


def test_without_the_pole_the_row_about_it_fails(monkeypatch, either):
    """Quaternions in the place of the Euler angles: nothing is singular, and the row says so."""
    loop = attitudes._looping
    monkeypatch.setattr(attitudes, "_looping", lambda euler_angles, step_s: loop(False, step_s))
    assert [claim.holds for claim in joined(attitudes, attitudes.attitude_values(either))] == [True, False]


def test_a_motion_that_is_not_finite_is_far_away():
    assert attitudes._astray((False, np.zeros(3)), np.zeros(3)) == float("inf")


@pytest.mark.slow
def test_the_figure(either):
    assert attitudes.attitude_figure(either).name == attitudes.ATTITUDE
