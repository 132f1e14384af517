"""The loops of the vectorised autopilot, by hand: at a setpoint, at a change of stage, and without setpoints."""

import numpy as np
import pytest

from pelagos.control.autopilot.loops import ON_DIVE, ON_HEAVE
from pelagos.control.vectorised.autopilot import VectorAutopilot
from pelagos.messages import VehicleStates
from tests.control.many_flights import DT, vehicle


def at_rest(n, **fields):
    zeros = np.zeros(n)
    motion = VehicleStates(
        zeros, np.zeros((n, 3)), zeros, zeros, zeros, np.zeros((n, 6)), np.zeros((n, 6)), np.full(n, np.nan)
    )
    return motion._replace(**fields)


def test_at_the_place_and_depth_asked_for_only_weight_and_buoyancy_are_met():
    pilot = VectorAutopilot(vehicle("bluerov2_heavy"), 2)
    pilot.command(depth_m=4.0, heading_deg=0.0, north_m=0.0, east_m=0.0)
    pilot.update(at_rest(2, pos_n=np.array([[0.0, 0.0, 4.0], [0.0, 0.0, 4.0]])), DT)
    response = pilot.schedule.response
    level = response.righting(0.0, 0.0)
    expected = [0.0, 0.0, -response.net_weight_n, -level[0], -level[1], 0.0]
    assert pilot._lanes.desired == pytest.approx(np.array([expected, expected]), abs=1e-12)


def test_a_first_command_is_gains_times_errors():
    pilot = VectorAutopilot(vehicle("bluerov2_heavy"), 1)
    heave, place = pilot.schedule.heave, pilot.pattern._constants.place
    pilot.command(depth_m=4.1, north_m=0.05, east_m=0.0)
    pilot.update(at_rest(1, pos_n=np.array([[0.0, 0.0, 4.0]])), DT)
    force = heave.kp * 0.1 + heave.ki * 0.1 * DT - pilot.schedule.response.net_weight_n
    assert pilot._lanes.desired[0, 2] == pytest.approx(force, rel=1e-9)
    assert pilot._lanes.desired[0, 0] == pytest.approx(0.05 * (place.kp_ahead + place.ki * DT), rel=1e-9)


def test_a_depth_by_planes_is_a_pitch_and_by_lift_a_force():
    pilot = VectorAutopilot(vehicle("phoenix"), 2)
    slow, fast = 0.2 * pilot.schedule.top_speed, 0.6 * pilot.schedule.top_speed
    pilot.command(depth_m=5.0, speed_m_s=[slow, fast])
    flow = np.zeros((2, 6))
    flow[:, 0] = slow, fast
    pilot.update(at_rest(2, nu=flow, nu_r=flow, pos_n=np.array([[0.0, 0.0, 4.0]] * 2)), DT)
    lane = pilot._lanes.lane
    assert lane["required"][0] & ON_HEAVE and lane["required"][1] & ON_DIVE
    assert lane["pitch_cmd"][0] == 0.0 and lane["pitch_cmd"][1] < -0.01  # one metre too high: nose down
