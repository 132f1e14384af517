"""Errors over the number of points, with a few small clouds: their size, and the depth at rest."""

import numpy as np
import pytest

from pelagos.vehicle.load.vehicle import load_vehicle
from pelagos_evidence.hunt import convergence

IVER3 = load_vehicle("iver3")


@pytest.fixture(scope="module")
def study():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(convergence, "COUNTS", (100, 10_000))
        patch.setattr(convergence, "SECTIONS", (512,))
        patch.setattr(convergence, "CASES", 15)
        shares = []
        return convergence.converge(IVER3, shares.append), shares


def test_sizes_and_progress(study):
    numbers, shares = study
    assert numbers.rms.shape == numbers.expected.shape == (2,)
    assert numbers.rest_m.shape == (2, convergence.SEEDS)
    assert shares == sorted(shares) and shares[-1] <= 1.0


def test_errors_are_those_of_chance_and_sections_have_less(study):
    numbers, _ = study
    # 12 seeds: the size of an error is known to a factor of 2 with certainty
    np.testing.assert_allclose(np.log(numbers.rms / numbers.expected), 0.0, atol=np.log(2.0))
    assert numbers.sections[0] < 0.1 * numbers.rms[1]
    assert numbers.center_off_m[1] < 0.3 * numbers.center_off_m[0]


def test_the_exact_depth_at_rest_is_that_of_the_balance(study):
    assert study[0].rest_exact_m == pytest.approx(0.129, abs=0.002)  # docs/surface.md, solved by Newton's method
    assert convergence.rest_share(IVER3) == pytest.approx(1.0 - 3.53 / (IVER3.body.mass_kg * 9.81 + 3.53))
