"""What is read of a batch."""

from __future__ import annotations

import numpy as np

from pelagos.batch.batch import Batch
from pelagos.frames import quaternion_from_euler
from tests.batch.started import moving, started


def test_reading_without_new_arrays():
    batch = started("remus100", 11)
    batch.advance(0.2)
    for name, shape in (
        ("position_n", (11, 3)),
        ("nu", (11, 6)),
        ("nu_r", (11, 6)),
        ("nu_dot", (11, 6)),
        ("euler", (11, 3)),
        ("below_m", (11,)),
    ):
        out = np.full(shape, np.nan, np.float32)
        assert batch.read(name, out) is out
        np.testing.assert_allclose(out, getattr(batch, name), rtol=1e-6, atol=1e-7)


def test_what_is_read_is_what_was_put():
    batch, motion = Batch("remus100", 9), moving(None, 9)
    batch.set_motion(**motion)
    np.testing.assert_array_equal(batch.position_n, motion["position_n"])
    np.testing.assert_array_equal(batch.quaternion, motion["quaternion"])
    np.testing.assert_array_equal(batch.nu, motion["nu"])
    np.testing.assert_allclose(quaternion_from_euler(*batch.euler.T), motion["quaternion"], atol=1e-12)
    assert np.isnan(batch.altitude_m).all() and (batch.wet_share == 1.0).all()
    np.testing.assert_array_equal(batch.below_m, batch.position_n[:, 2])
