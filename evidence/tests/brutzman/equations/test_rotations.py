"""Section E: rows hold, and the curves of the figure equal the closed forms."""

import math

import numpy as np
import pytest

from evidence.tests.checked import check_part, joined
from pelagos_evidence.brutzman.equations import rotations
from pelagos_evidence.brutzman.equations.rotations import SPIN, drift


@pytest.fixture(scope="module")
def findings():
    return rotations.run(lambda done: None)


@pytest.mark.slow
def test_rows(findings):
    check_part("brutzman", "rotations", findings)
    assert [drawing.name for drawing in findings.drawings] == [rotations.FIGURE]


def test_the_length_grows_by_a_closed_form():
    """Q-dot is at right angles to Q: each Euler step multiplies the length by sqrt(1 + (|omega| dt / 2)^2)."""
    seconds, lengths, kept = drift(0.1, 5.0)
    factor = math.sqrt(1.0 + (0.05 * np.linalg.norm(SPIN[3:])) ** 2)
    np.testing.assert_allclose(lengths, factor ** np.arange(len(seconds)), rtol=1e-13)
    np.testing.assert_allclose(kept, 1.0, atol=1e-15)


def test_the_engine_makes_the_same_steady_turn(monkeypatch):
    """Its attitude is that of the steps without normalising, only of length one: the turn is held, not damped away."""
    angles_made = []

    class Remembered(rotations.Plant):
        def __init__(self, *args, **options):
            super().__init__(*args, **options)
            angles_made.append(self)

    monkeypatch.setattr(rotations, "Plant", Remembered)
    drift(0.1, 5.0)
    angle = 100.0 * math.atan(0.05 * np.linalg.norm(SPIN[3:]))  # a step turns by twice the arctangent
    assert abs(angles_made[0].quaternion[0]) == pytest.approx(abs(math.cos(0.5 * angle)), abs=1e-12)


def test_an_engine_that_does_not_normalise_is_found():
    _, lengths, _ = drift(0.1, 5.0)
    claims = {claim.key: claim.holds for claim in joined(rotations, rotations._length(lengths, lengths))}
    assert claims == {"quaternion-normalising": False, "quaternion-length-kept": False}  # 5 s is not 60 s either


def test_rates_that_stay_finite_are_no_singularity():
    pitch, _, quaternion = rotations._near_the_pole()
    claims = {c.key: c.holds for c in joined(rotations, rotations._singularity(pitch, quaternion, quaternion))}
    assert claims["quaternion-euler-singular"] is False
