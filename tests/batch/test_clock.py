"""Each vehicle of a batch has its time: resets set it back, a divergence stops it."""

from __future__ import annotations

import numpy as np

from pelagos.batch.clock import BatchClock


def test_times_count_whole_intervals_since_the_reset_of_each():
    clock = BatchClock(3, 4.0)
    for _ in range(6):
        clock.tick()
    clock.reset(np.array([1]))
    clock.tick()
    assert clock.time_s.tolist() == [1.75, 0.25, 1.75] and clock.latest_s == 1.75 and clock.interval_s == 0.25


def test_a_vehicle_that_diverges_stops_at_its_first_failure():
    clock = BatchClock(2, 4.0)
    clock.tick()
    for after_s in (0.125, 0.0, 0.0):  # it diverges half an interval after the first tick and takes no step afterwards
        clock.tick()
        clock.stop(np.array([1]), np.array([after_s]))
    assert clock.time_s.tolist() == [1.0, 0.375] and clock.alive.tolist() == [True, False]
    clock.reset(np.array([1]))
    assert clock.time_s.tolist() == [1.0, 0.0] and clock.alive.all()
