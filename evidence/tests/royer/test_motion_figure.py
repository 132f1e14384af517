"""What the figure of the dynamics shows."""

import pytest

from pelagos_evidence.royer.given import sea_grant
from pelagos_evidence.royer.motion import run


def test_the_sets_roll_the_vehicle_about_twice_as_far_as_the_matrix():
    matrix, sets = (run(sea_grant(), [0.0, 0.0, 500.0], 3.0, by_sets)[:, 2].max() for by_sets in (False, True))
    assert 1.5 < sets / matrix < 2.5


def test_a_run_up_ends_at_the_steady_speed():
    t, knots, roll, rate = run(sea_grant(), [500.0, 500.0], 12.0)[-1]
    assert (t, roll, rate) == pytest.approx((12.0, 0.0, 0.0), abs=1e-9)
    assert knots == pytest.approx(4.14, abs=0.01)


def test_without_roll_to_speak_of_both_forms_turn_alike():
    matrix, sets = (run(sea_grant(), [250.0, -250.0], 2.0, by_sets)[-1, 3] for by_sets in (False, True))
    assert sets == pytest.approx(matrix, rel=0.02)  # Euler against RK4 at 0.02 s
