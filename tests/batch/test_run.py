"""Runs of a batch: the columns of one vehicle's log, control before every interval, samples at the log rate."""

from __future__ import annotations

import numpy as np
import pytest

from pelagos.batch.run import Columns, known_columns
from pelagos.errors import CommandError
from pelagos.messages import Actuations
from pelagos.sim.simulation import Simulation
from pelagos.world.spec import World
from tests.batch.started import turning_batch


def test_the_columns_are_those_of_a_simulation():
    """Every column of a batch against the log of one vehicle: 1e-9 of its size after 3 s."""
    batch = turning_batch()
    names = tuple(known_columns(batch))
    logged = batch.run(3.0, columns=names, log_rate_hz=2.0)
    sim = Simulation("remus100", World(depth_m=50.0, current_m_s=0.2))
    sim.place(depth_m=10.0, surge_m_s=1.5, heading_deg=350.0)
    sim.thrust([120.0])
    sim.deflect([0.05, 0.02])
    log = sim.run(3.0, log_rate_hz=2.0)
    np.testing.assert_allclose(logged["time_s"], log["time_s"])
    for name in names:
        expected = log[name]
        np.testing.assert_allclose(logged[name][:, 9], expected, rtol=1e-9, atol=1e-9, err_msg=name)
    assert len(names) > 25


def test_an_unknown_column_is_refused():
    batch = turning_batch()
    with pytest.raises(CommandError, match=r'has no column .depht_m.* did you mean "depth_m"'):
        Columns(batch, ["depht_m"])
    for wrong, says in (
        (["depth_m", "depth_m"], "more than once: column 'depth_m'"),
        (["time_s"], "'time_s' is always present"),
        ("depth_m", "columns is 'depth_m'; expected a list"),
        (None, "columns is None"),
        ([3], "no column 3"),
    ):
        with pytest.raises(CommandError, match=says):
            Columns(batch, wrong)


def test_a_controller_of_many_steers():
    """A function of the heading is called before every interval; the result is that of a loop by hand."""
    times = []

    def by_heading(state, dt):
        times.append(state.time_s[0])
        rudder = np.where(state.yaw > 0.0, 0.1, -0.1)
        return Actuations(np.full((10, 1), 120.0), np.column_stack([rudder, 0.0 * rudder]), np.zeros((10, 0)))

    steered, by_hand = turning_batch(), turning_batch()
    logged = steered.run(2.0, control=by_heading, log_rate_hz=10.0)
    for _ in range(20):
        by_hand.actuators.command(by_heading(by_hand.view.states(), 0.1))
        by_hand.advance()
    np.testing.assert_allclose(times[:20], np.arange(20) / 10.0)
    np.testing.assert_array_equal(steered.view.nu, by_hand.view.nu)
    rate = logged["yaw_rate_deg_s"][-1]
    assert (rate > 0.0).any() and (rate < 0.0).any()


def test_samples_come_at_the_log_rate_and_progress_once_a_second():
    reported = []
    logged = turning_batch().run(2.0, columns=["depth_m"], log_rate_hz=5.0, progress=reported.append)
    np.testing.assert_allclose(logged["time_s"], np.arange(11) / 5.0)
    assert logged["depth_m"].shape == (11, 10) and reported == [1.0, 2.0]


@pytest.mark.parametrize(
    ("seconds", "rate", "message"),
    [
        (0.01, 1.0, r"^seconds is 0\.01; expected at least one control interval, 0\.1 s$"),
        (1.0, 20.0, "^log_rate_hz is 20; expected at most the control rate, 10$"),
    ],
)
def test_a_run_that_is_too_short_or_logged_too_often_is_refused(seconds, rate, message):
    with pytest.raises(CommandError, match=message):
        turning_batch().run(seconds, log_rate_hz=rate)


@pytest.mark.parametrize("control", [3, dict, lambda state, dt: None])
def test_an_object_that_is_no_controller_is_refused(control):
    with pytest.raises(
        CommandError, match=r"expected a function of VehicleStates, or|actuations is None; expected a pelagos"
    ):
        turning_batch().run(0.2, control=control)
