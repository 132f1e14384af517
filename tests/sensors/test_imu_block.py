"""The compiled block of an IMU against the same equations in matrices."""

import numpy as np
import pytest

from pelagos.frames import rotation_from_quaternion
from pelagos.sensors.imu_block import imu_block
from tests.jit_off import needs_jit, without_jit

N = 4


def random_block(seed):
    """Random ends, settings and draws."""
    rng = np.random.default_rng(seed)
    ends = rng.normal(size=(N + 1, 10))
    ends[:, :4] /= np.linalg.norm(ends[:, :4], axis=1)[:, None]
    dts = rng.uniform(0.01, 0.03, N)
    arm, matrix, offset = rng.normal(size=3), rng.normal(size=(6, 6)), rng.normal(size=(2, 3))
    drift, keep = rng.normal(size=(4, 3)), rng.uniform(0.5, 1.0, (4, N))
    bring = np.tril(rng.normal(size=(4, N, N)))
    noise, draw = rng.uniform(0.1, 1.0, (2, N)), rng.normal(size=(N, 6, 3))
    return ends, dts, arm, 9.81, matrix, offset, drift, keep, bring, noise, draw


def in_matrices(ends, dts, arm, gravity, matrix, offset, drift, keep, bring, noise, draw):
    """f = dv/dt + mean(omega x v - R^T g), w = mean(omega); errors by sums over the draws."""
    velocity = ends[:, 4:7] + np.cross(ends[:, 7:], arm)
    down = np.array([rotation_from_quaternion(q)[2] for q in ends[:, :4]]) * gravity
    turning = np.cross(ends[:, 7:], velocity) - down
    force = np.diff(velocity, axis=0) / dts[:, None] + 0.5 * (turning[1:] + turning[:-1])
    rate = 0.5 * (ends[1:, 7:] + ends[:-1, 7:])
    value = np.hstack([force, rate]) @ matrix.T
    drifts = keep[:, :, None] * drift[:, None, :] + np.einsum("pij,jpk->pik", bring, draw[:, :4])
    error = offset[:, None, :] + drifts[:2] + drifts[2:] + noise[:, :, None] * draw[:, 4:].transpose(1, 0, 2)
    return value + error.transpose(1, 0, 2).reshape(N, 6), drifts[:, -1]


@pytest.mark.parametrize("seed", range(5))
def test_agrees_with_matrices(seed):
    block = random_block(seed)
    expected, left = in_matrices(*block)
    out = np.empty((N, 6))
    imu_block(*block, out)
    # the same sums in another order: numbers up to some hundred, a few dozen terms
    assert out == pytest.approx(expected, rel=1e-11, abs=1e-11)
    assert block[6] == pytest.approx(left, rel=1e-12, abs=1e-12)


def off(seed):
    """Largest difference from the matrices."""
    block = random_block(seed)
    expected, _ = in_matrices(*block)
    out = np.empty((N, 6))
    imu_block(*block, out)
    return float(np.abs(out - expected).max())


@pytest.mark.slow
@needs_jit
def test_the_same_without_the_compiler():
    assert without_jit("tests.sensors.test_imu_block", "off(7)") < 1e-10
