"""Sustainable rates: against drag balances and the Munk moment by hand."""

import math
from dataclasses import replace

import numpy as np
import pytest

from pelagos.control.base import YAW
from pelagos.control.tuning.pace import SHARES, TO_STOP, steady_pitch_speed, steady_rate, turning_rate
from pelagos.control.tuning.schedule import Schedule


def test_steady_rate_solves_the_drag_balance(rov):
    schedule = Schedule(rov)
    # 33 w + 190 w^2 = 100 N
    expected = (-33 + math.sqrt(33**2 + 4 * 190 * 100)) / 380
    assert steady_rate(schedule.response, 2, 100.0, 5.0) == pytest.approx(expected, rel=1e-6)
    assert steady_rate(schedule.response, 2, 100.0, 0.1) == 0.1


def test_turning_rate_leaves_rudder_to_spare(torpedo):
    response = Schedule(torpedo).response
    full = np.array([-0.24, 0.0])  # positive rudder turns this hull to port
    slow, fast = turning_rate(response, 1.5, 0.2 * full, 0.0, 0.5), turning_rate(response, 1.5, full, 0.0, 0.5)
    assert 0.0 < slow < fast <= 0.5
    # The least is the smallest share of the ceiling: a hull that can hardly be turned still gets a little.
    assert turning_rate(response, 1.5, 1e-6 * full, 0.0, 0.5) == pytest.approx(SHARES[0] * 0.5)
    assert turning_rate(response, 1.5, None, 100.0, 0.5) == 0.5  # thrusters that can do anything


def test_a_turn_is_not_asked_for_in_which_the_fins_stall(finned):
    """Fins behind a drifting hull meet the flow at an angle; stalled there, counter-rudder does nothing more."""
    stalling = replace(finned, fins=tuple(replace(f, stall_rad=0.1, slope_after_stall_1_rad=-3.0) for f in finned.fins))
    rates = []
    for vehicle in (finned, stalling):
        schedule = Schedule(vehicle)
        rudder = schedule.mix_at(1.5).along(YAW)
        rates.append(turning_rate(schedule.response, 1.5, rudder, 0.0, 0.4))
        if vehicle is stalling and rates[-1] > SHARES[0] * 0.4:
            straight = schedule.response.wrench(np.array([1.5, 0, 0, 0, 0, 0.0]), rudder)[YAW]
            turning = schedule.response.wrench(np.array([1.5, 0, 0, 0, 0, rates[-1]]), -rudder)[YAW]
            assert turning < -0.5 * TO_STOP * straight  # drift changes it, not its sign
    assert rates[1] < rates[0]


def test_pitch_is_lost_where_munk_beats_righting(rov):
    """K = z_G W = munk u^2: the ROV has 18.68 - 6.36 kg of it, and no pitch damping from its hull at rest in w."""
    response = Schedule(rov).response
    stiffness = 2.0
    expected = math.sqrt(stiffness / (18.68 - 6.36))
    # |w| of the difference quotient is 2 % of u; the drag of heave makes no moment, so only rounding is left
    assert steady_pitch_speed(response, stiffness, 5.0) == pytest.approx(expected, rel=1e-3)
    assert steady_pitch_speed(response, 1e6, 5.0) == math.inf
