"""The serial executor, and the sizes of chunks."""

import pytest

from pelagos.campaign.check import job_of
from pelagos.campaign.executors.base import LEAST_BATCH, MOST_BATCH, Chunking, SerialExecutor
from pelagos.campaign.sampling import make_plan
from tests.campaign.tiny import tiny


def test_a_chunk_runs_when_its_result_is_requested():
    campaign = tiny()
    chunk = tuple(make_plan(campaign).run(k) for k in (2, 0))
    with SerialExecutor(job_of(campaign)) as executor:
        assert executor.free_slots == 1
        executor.submit(chunk)
        assert executor.free_slots == 0
        returned, rows, why = executor.next_result()
    assert returned == chunk and why == "" and rows is not None
    assert [row["run"] for row in rows] == [2, 0] and executor.free_slots == 1


def rows(n, wall_s, simulated_s=10.0):
    return [{"wall_s": wall_s, "simulated_s": simulated_s}] * n


def test_single_runs_of_some_seconds():
    sizes = Chunking(False, 10.0)
    assert sizes.next_size(1000, 4) == 1  # nothing is known yet
    sizes.record(rows(4, 0.1))
    assert sizes.run_s == pytest.approx(0.1)
    assert sizes.next_size(10_000, 4) == 30  # 3 s
    assert sizes.next_size(40, 4) == 5  # smaller towards the end: half of each worker's share
    assert sizes.next_size(1, 4) == 1
    sizes.record(rows(100, 60.0))
    assert sizes.next_size(10_000, 4) == 1


def test_batches_of_some_hundreds_that_fit_the_memory():
    sizes = Chunking(True, 10.0)
    assert sizes.next_size(10_000, 2) == 64
    assert sizes.next_size(10, 2) == 5
    sizes.record(rows(64, 0.01))
    assert sizes.next_size(10_000, 2) == MOST_BATCH
    assert sizes.next_size(600, 4) == 150
    long = Chunking(True, 10.0)
    long.record(rows(64, 0.01, 3600.0))  # 36000 samples of 48 columns: 14 MB each
    assert long.next_size(10_000, 2) == LEAST_BATCH
