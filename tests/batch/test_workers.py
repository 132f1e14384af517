"""Threads run tasks at the same time, start when they are needed and end on request."""

from __future__ import annotations

import threading
import time

import pytest

from pelagos.batch.workers import Workers


def alive():
    return [thread for thread in threading.enumerate() if thread.name.startswith("pelagos-batch")]


def test_tasks_run_at_the_same_time_until_the_threads_are_closed():
    """Three tasks wait for each other, which they can only do in three threads."""
    workers, barrier, ran = Workers(3), threading.Barrier(3, timeout=10.0), []

    def task():
        ran.append(threading.get_ident())
        barrier.wait()

    assert not alive()
    for _ in range(2):  # the second time after a close
        workers.run([task] * 3)
        assert len(set(ran)) == 3 and threading.get_ident() in ran and len(alive()) == 2
        workers.close()
        workers.close()
        assert not alive()
        ran.clear()


def test_a_single_task_needs_no_thread():
    ran = []
    Workers(1).run([lambda: ran.append(threading.get_ident())])
    assert ran == [threading.get_ident()] and not alive()


def test_an_error_is_raised_after_all_tasks_have_ended():
    workers, ended = Workers(3), []

    def fail():
        raise ValueError("first")

    def late():
        time.sleep(0.2)
        ended.append(0)

    with pytest.raises(ValueError, match="first"):
        workers.run([fail, lambda: ended.append(1)])
    assert ended == [1]
    with pytest.raises(ValueError, match="first"):
        workers.run([lambda: ended.append(2), fail, late])
    assert ended == [1, 2, 0]
    workers.close()


@pytest.mark.parametrize(("threads", "items", "count"), [(4, 100, 4), (4, 47, 2), (4, 3, 1), (1, 1000, 1), (4, 0, 1)])
def test_each_thread_gets_its_least_number_of_items(threads, items, count):
    assert Workers(threads).count(items, 16) == count
