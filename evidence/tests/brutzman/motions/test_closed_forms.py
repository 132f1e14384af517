"""The closed forms against independently computed numbers (analytic checks C, in ft, s and deg)."""

import numpy as np
import pytest

from pelagos.units import FOOT
from pelagos_evidence.brutzman.motions import closed_forms as form
from pelagos_evidence.brutzman.motions.flights import phoenix

EXACT_L = 87.625 / 12.0  # what 7.302 ft is the rounding of


@pytest.mark.parametrize(
    ("computed", "known"),
    [
        (form.surge_mass(EXACT_L), 14.58526),
        (form.drag(EXACT_L), 0.402388),
        (form.time_scale(EXACT_L), 18.12339),
        (form.run_up_speed(30.0, EXACT_L), 1.8592),
        (form.run_up_distance(60.0, EXACT_L), 94.924),
        (form.coast_speed(120.0, 2.0, EXACT_L), 0.26242),
        (form.heave_speed(), 0.846188),
        (form.sway_speed(), 1.249653),
        (form.yaw_rate(EXACT_L), 13.32133),
        (form.period("roll", True, EXACT_L), 2.75868),
        (form.period("roll", False, EXACT_L), 2.76897),
        (form.period("pitch", True, EXACT_L), 13.02970),
        (form.period("pitch", False, EXACT_L), 13.07094),
    ],
)
def test_numbers(computed, known):
    assert computed == pytest.approx(known, rel=3e-5)  # known to five or six digits


def test_the_stations_are_those_of_the_vehicle():
    strips = phoenix().crossflow
    np.testing.assert_allclose(form.STATIONS, np.array(strips.x_m) / FOOT)
    np.testing.assert_allclose(form.HEIGHTS, np.array(strips.height_m) / FOOT)
    np.testing.assert_allclose(form.BREADTHS, np.array(strips.breadth_m) / FOOT)
    assert form.along(form.HEIGHTS, 3) == pytest.approx(48.32052, rel=1e-6)


def test_rounding_is_what_half_a_digit_of_the_length_does():
    assert form.rounding(lambda length: length) == pytest.approx(0.0005)
    assert form.rounding(lambda length: length**5) == pytest.approx(5 * form.L**4 * 0.0005, rel=1e-6)
    assert abs(EXACT_L - form.L) < form.HALF_DIGIT_L
