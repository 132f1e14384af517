"""A run of a batch: control before every interval, samples at the log rate."""

from __future__ import annotations

import numpy as np
import pytest

from pelagos.errors import CommandError
from pelagos.messages import Actuations
from tests.batch.started import a_batch


def test_a_controller_of_many_steers():
    """A function that puts the rudder over by heading is asked before every interval; as if told by hand."""
    times = []

    def by_heading(state, dt):
        times.append(state.time_s[0])
        rudder = np.where(state.yaw > 0.0, 0.1, -0.1)
        return Actuations(np.full((10, 1), 120.0), np.column_stack([rudder, 0.0 * rudder]), np.zeros((10, 0)))

    steered, told = a_batch(), a_batch()
    found = steered.run(2.0, control=by_heading, log_rate_hz=10.0)
    for _ in range(20):
        told.command(by_heading(told.state(), 0.1))
        told.advance()
    np.testing.assert_allclose(times[:20], np.arange(20) / 10.0)
    np.testing.assert_array_equal(steered.nu, told.nu)
    rate = found["yaw_rate_deg_s"][-1]
    assert (rate > 0.0).any() and (rate < 0.0).any()


def test_samples_come_at_the_log_rate_and_progress_once_a_second():
    told = []
    found = a_batch().run(2.0, columns=["depth_m"], log_rate_hz=5.0, progress=told.append)
    np.testing.assert_allclose(found["time_s"], np.arange(11) / 5.0)
    assert found["depth_m"].shape == (11, 10) and told == [1.0, 2.0]


@pytest.mark.parametrize(("seconds", "rate"), [(0.01, 1.0), (1.0, 20.0)])
def test_what_cannot_be_run_is_said(seconds, rate):
    with pytest.raises(CommandError, match=r"one control interval, 0\.1 s, and at most the control rate, 10 Hz"):
        a_batch().run(seconds, log_rate_hz=rate)


@pytest.mark.parametrize("control", [3, dict, lambda state, dt: None])
def test_what_does_not_steer_is_said(control):
    with pytest.raises(CommandError, match=r"expected a function of VehicleStates, or|the actuations are None"):
        a_batch().run(0.2, control=control)
