"""The PID alone, against closed forms."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pelagos.control.pid import PID, Gains
from pelagos.engine.laws import wrap


def test_each_part_by_itself():
    assert PID(2.0).update(3.0, 1.0, 0.1) == 4.0
    integral = PID(0.0, ki=2.0)
    for _ in range(10):
        out = integral.update(1.0, 0.0, 0.1)
    assert out == pytest.approx(2.0 * 1.0 * 1.0, rel=1e-12)  # ki e t, up to rounding of ten sums
    assert PID(0.0, kd=3.0).update(0.0, 0.0, 0.1, rate=2.0) == -6.0
    assert PID(1.0).update(0.0, 0.0, 0.1, feedforward=7.0) == 7.0


def test_derivative_is_on_the_measurement():
    pid = PID(0.0, kd=1.0)
    assert pid.update(0.0, 0.0, 0.1) == 0.0
    assert pid.update(100.0, 0.0, 0.1) == 0.0  # a step of the setpoint does not kick
    assert pid.update(100.0, 0.05, 0.1) == pytest.approx(-0.5, rel=1e-12)  # differenced


def test_the_short_way_round():
    pid = PID(1.0, angle=True)
    assert pid.update(math.radians(350), math.radians(10), 0.1) == pytest.approx(math.radians(-20), rel=1e-12)
    differenced = PID(0.0, kd=1.0, angle=True)
    differenced.update(0.0, math.radians(179), 0.1)
    # From 179 to -179 degrees is 2 degrees, not 358.
    assert differenced.update(0.0, math.radians(-179), 0.1) == pytest.approx(-math.radians(2) / 0.1, rel=1e-9)


@given(st.floats(-1e4, 1e4))
def test_wrap_is_the_same_angle_in_its_range(angle):
    assert -math.pi <= wrap(angle) < math.pi
    # 1e4 rad has 1600 turns; each carries a rounding of 1e-16 of its size.
    assert math.cos(wrap(angle)) == pytest.approx(math.cos(angle), abs=1e-11)


@given(st.lists(st.floats(-100, 100), min_size=1, max_size=60), st.floats(0, 5), st.floats(0, 5), st.floats(0, 5))
def test_output_never_leaves_its_limits(errors, kp, ki, kd):
    pid = PID(kp, ki, kd, low=-1.0, high=2.0)
    for error in errors:
        assert -1.0 <= pid.update(error, 0.0, 0.1, rate=-error) <= 2.0


def test_integral_unwinds_at_once():
    """After ten seconds against the limit the output turns within one integral time of the error's turning."""
    pid = PID(1.0, ki=1.0, low=-1.0, high=1.0)
    for _ in range(100):
        pid.update(5.0, 0.0, 0.1)
    # Back-calculation holds the integral near limit - kp e; without it, it would be 50.
    assert pid.integral < 1.0
    steps = next(k for k in range(100) if pid.update(-0.5, 0.0, 0.1) < 0.0)
    assert steps * 0.1 <= 1.0


def test_tracking_leads_the_integral_to_what_was_applied():
    pid = PID(1.0, ki=0.5)
    for _ in range(400):  # 40 s, twenty integral times of 2 s
        pid.update(1.0, 0.0, 0.1)
        pid.track(0.3, 0.1)
    # Rest: ki e dt = (wanted - applied) dt / T with T = kp/ki = 2 s, so wanted = 0.3 + 0.5 * 2 = 1.3.
    assert pid.update(1.0, 0.0, 0.1) == pytest.approx(1.3 + 0.05 - 0.05, abs=1e-6)


def test_second_order_response_matches_the_closed_form():
    """PD on a unit mass with zeta = 1: y = 1 - (1 + w t) exp(-w t)."""
    w, dt = 1.5, 1e-3
    pid = PID(w * w, kd=2 * w)
    y = v = 0.0
    for k in range(4000):
        v += pid.update(1.0, y, dt, rate=v) * dt
        y += v * dt
        if k == 1000:
            t = (k + 1) * dt
            # The semi-implicit Euler step errs by w dt / 2 = 7.5e-4.
            assert y == pytest.approx(1 - (1 + w * t) * math.exp(-w * t), abs=1.5e-3)
    assert y == pytest.approx(1.0, abs=0.03)  # (1 + 6) exp(-6) = 0.017


@pytest.mark.parametrize("error_limit", [math.inf, 0.2])
def test_a_step_does_not_charge_the_integral_when_the_approach_is_known(error_limit):
    """Unit mass, damping 2 w, stiffness w^2: e = approach dy/dt on the way, so the integral ends near zero."""
    w, dt = 1.0, 0.01
    charged = {}
    for approach in (0.0, 2.0 / w):
        pid = PID(w * w, ki=0.1 * w**3, kd=2 * w, error_limit=error_limit, approach_s=approach)
        y = v = peak = 0.0
        for _ in range(3000):
            v += pid.update(1.0, y, dt, rate=v) * dt
            y += v * dt
            peak = max(peak, y)
        charged[approach] = peak - 1.0
    assert charged[0.0] > 0.02  # a plain PID overshoots
    assert charged[2.0 / w] < 0.003


def test_integral_takes_up_a_steady_load():
    w, dt = 1.0, 0.01
    pid = PID(w * w, ki=0.1, kd=2 * w, approach_s=2.0)
    y = v = 0.0
    for _ in range(20000):
        v += (pid.update(1.0, y, dt, rate=v) - 0.7) * dt
        y += v * dt
    # The slowest pole is near ki / kp = 0.1 1/s: exp(-20) is left after 200 s.
    assert y == pytest.approx(1.0, abs=1e-6)
    assert pid.integral == pytest.approx(0.7, abs=1e-5)


def test_reset_forgets():
    pid = PID(1.0, ki=1.0, kd=1.0)
    first = [pid.update(1.0, x, 0.1) for x in np.linspace(0, 1, 5)]
    pid.reset()
    assert [pid.update(1.0, x, 0.1) for x in np.linspace(0, 1, 5)] == first


def test_back_calculation_against_the_closed_form():
    """A constant error against a limit: I tends to where ki e = (wanted - limit) / T, as 1 - exp(-t / T)."""
    kp, ki, e, high, t_track, dt = 2.0, 0.5, 1.0, 1.5, 3.0, 1e-3
    pid = PID(kp, ki=ki, high=high, tracking_s=t_track)
    for _ in range(2000):
        pid.update(e, 0.0, dt)
    # I_dot = ki e + (high - kp e - I) / T, from 0: I = I_end (1 - exp(-t / T)), I_end = high - kp e + ki e T
    end = high - kp * e + ki * e * t_track
    assert pid.integral == pytest.approx(end * (1.0 - math.exp(-2.0 / t_track)), rel=1e-3)  # Euler steps of T / 3000


@given(st.floats(-50, 50), st.floats(-3, 3), st.floats(-3, 3), st.floats(-1, 1), st.floats(-5, 5))
def test_a_conditioned_loop_starts_where_the_other_left_off(applied, setpoint, measured, rate, known):
    for load in (None, known):
        pid = PID(3.0, ki=0.4, kd=1.2, error_limit=0.7, approach_s=0.5)
        pid.condition(applied, setpoint, measured, rate=rate, feedforward=0.3, load=load)
        first = pid.update(setpoint, measured, 0.0, rate=rate, feedforward=0.3)
        assert first == pytest.approx(applied, abs=1e-9)
        assert load is None or pid.integral == known


def test_what_is_no_load_fades_exponentially():
    pid = PID(2.0, ki=0.0, carry_s=0.5)
    pid.condition(7.0, 1.0, 0.0, load=0.0)
    out = [pid.update(1.0, 0.0, 0.1) for _ in range(11)]
    assert out[0] == pytest.approx(7.0)
    assert out[10] == pytest.approx(2.0 + 5.0 * math.exp(-1.0 / 0.5), rel=1e-9)


def test_the_integral_does_not_take_what_fades_for_an_error():
    """Started from nothing with an error of 1: at first as if the setpoint were at the measurement."""
    pid = PID(2.0, ki=1.0, carry_s=1.0)
    pid.condition(0.0, 1.0, 0.0, load=0.0)
    dt = 1e-3
    for _ in range(1000):
        pid.update(1.0, 0.0, dt)
    # I_dot = ki e (1 - exp(-t)): 1 - (1 - exp(-1)) after a second
    assert pid.integral == pytest.approx(math.exp(-1.0), rel=2e-3)  # Euler steps of 1 ms


@given(st.floats(0.1, 10), st.floats(0, 5), st.floats(-2, 2), st.floats(-1, 1))
def test_other_gains_do_not_jump(kp, kd, measured, rate):
    pid = PID(3.0, ki=0.4, kd=1.0, error_limit=0.8)
    before = pid.update(0.5, measured, 0.0, rate=rate)
    pid.retune(Gains(kp, 0.2, kd, 0.5))
    assert pid.update(0.5, measured, 0.0, rate=rate) == pytest.approx(before, abs=1e-9)


def test_angles_are_conditioned_the_short_way():
    pid = PID(2.0, ki=1.0, angle=True)
    pid.condition(1.0, math.radians(350), math.radians(10))
    assert pid.integral == pytest.approx(1.0 + 2.0 * math.radians(20), rel=1e-12)
