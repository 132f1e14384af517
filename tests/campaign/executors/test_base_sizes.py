"""Pieces for workers."""

import pytest

from pelagos.campaign.executors.base import LEAST_BATCH, MOST_BATCH, Chunking


def rows(n, wall_s, simulated_s=10.0):
    return [{"wall_s": wall_s, "simulated_s": simulated_s}] * n


def test_single_runs_of_some_seconds():
    sizes = Chunking(False, 10.0)
    assert sizes.next(1000, 4) == 1  # nothing is known yet
    sizes.learn(rows(4, 0.1))
    assert sizes.run_s == pytest.approx(0.1)
    assert sizes.next(10_000, 4) == 30  # 3 s
    assert sizes.next(40, 4) == 5  # smaller towards the end: half of each worker's share
    assert sizes.next(1, 4) == 1
    sizes.learn(rows(100, 60.0))
    assert sizes.next(10_000, 4) == 1


def test_batches_of_some_hundreds_that_fit_the_memory():
    sizes = Chunking(True, 10.0)
    assert sizes.next(10_000, 2) == 64
    assert sizes.next(10, 2) == 5
    sizes.learn(rows(64, 0.01))
    assert sizes.next(10_000, 2) == MOST_BATCH
    assert sizes.next(600, 4) == 150
    long = Chunking(True, 10.0)
    long.learn(rows(64, 0.01, 3600.0))  # 36000 samples of 48 columns: 14 MB each
    assert long.next(10_000, 2) == LEAST_BATCH
