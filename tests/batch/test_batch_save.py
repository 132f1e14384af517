"""A batch is restored bit for bit from a saved state, with its parameters; states of other batches are refused."""

from __future__ import annotations

import numpy as np
import pytest

from pelagos.batch.batch import Batch
from pelagos.errors import CommandError
from tests.batch.started import started, turning_batch


@pytest.mark.parametrize("scaled_before", [False, True])
def test_factors_go_back_too(scaled_before):
    batch = started("remus100", 9)
    if scaled_before:
        batch.scale("Y_uv", 1.5, where=[2])
    saved = batch.save()
    batch.advance(1.0)
    once = batch.nu
    batch.scale("damping", np.linspace(0.5, 2.0, 9))
    batch.restore(saved)
    batch.advance(1.0)
    np.testing.assert_array_equal(batch.nu, once)
    batch.scale("mass", 1.1)  # what was saved is no part of the batch
    batch.restore(saved)
    batch.advance(1.0)
    np.testing.assert_array_equal(batch.nu, once)


def test_a_batch_made_the_same_way_takes_it_over():
    first, second = turning_batch(), turning_batch()
    first.scale("thrust", 1.2)
    first.advance(1.0)
    second.restore(first.save())
    for batch in (first, second):
        batch.advance(1.0)
    np.testing.assert_array_equal(first.position_n, second.position_n)


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        (lambda: 3, "was not made by Batch.save"),
        (dict, "was not made by Batch.save"),
        (lambda: Batch("bluerov2_heavy", 2).save(), r"made by: Batch of 2 \(bluerov2_heavy\)"),
        (lambda: Batch("remus100", 3).save(), "Batch of 3"),
        (lambda: Batch("remus100", 2, dtype="float32").save(), "float32; expected one of this batch: .* float64"),
        (lambda: Batch(["lauv", "remus100"]).save(), r"\(lauv, remus100\)"),
    ],
)
def test_what_is_not_of_this_batch_is_refused(wrong, says):
    with pytest.raises(CommandError, match=says):
        Batch("remus100", 2).restore(wrong())
