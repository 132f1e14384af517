"""Runge-Kutta 4 against a closed form: a rotation, whose error falls with the fourth power of the step."""

import numpy as np
import pytest

from pelagos_evidence.runge_kutta import runge_kutta_4


def rotated(steps):
    return runge_kutta_4(lambda state: np.array([-state[1], state[0]]), np.array([1.0, 0.0]), 1.0 / steps, steps)


def test_a_rotation_by_one_radian_converges_with_order_four():
    exact = np.array([np.cos(1.0), np.sin(1.0)])
    coarse, fine = (float(np.linalg.norm(rotated(steps) - exact)) for steps in (10, 20))
    assert fine < 1e-6
    assert coarse / fine == pytest.approx(16.0, rel=0.1)  # 2^4; the next power of the step leaves a few percent
