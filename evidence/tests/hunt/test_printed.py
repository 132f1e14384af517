"""The transcription itself, against the frames of the package and by its own symmetries."""

import numpy as np
import pytest

from pelagos import frames
from pelagos_evidence.hunt import printed

ANGLES = np.array([0.3, -0.4, 2.0])


def test_rotation_and_rates():
    np.testing.assert_allclose(printed.rotation(ANGLES), frames.rotation_from_euler(*ANGLES), atol=1e-15)
    # the rate of the rotation matrix, from the rates of its angles, is R S(omega)
    omega, h = np.array([0.2, -0.1, 0.3]), 1e-6
    rates = printed.euler_rates(ANGLES) @ omega
    change = (printed.rotation(ANGLES + h * rates) - printed.rotation(ANGLES - h * rates)) / (2 * h)
    x, y, z = omega
    skew = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    np.testing.assert_allclose(change, printed.rotation(ANGLES) @ skew, atol=1e-9)


def test_coriolis_is_skew():
    c = printed.coriolis(printed.MASS, np.arange(1.0, 7.0))
    np.testing.assert_array_equal(c, -c.T)


def test_restoring_of_a_level_and_a_rolled_vehicle():
    level = printed.restoring(np.zeros(3), 3.53, printed.RIGHTING_N_M)
    np.testing.assert_allclose(level, [0.0, 0.0, 3.53, 0.0, 0.0, 0.0])
    rolled = printed.restoring(np.array([0.1, 0.0, 0.0]), 3.53, printed.RIGHTING_N_M)
    assert rolled[3] == pytest.approx(12.5 * np.sin(0.1))  # on the left: it rights
