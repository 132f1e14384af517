"""Station keeping alone: forces by hand, a point mass under a steady load, and the integral after a turn."""

import math
from types import SimpleNamespace

import pytest

from pelagos.control.autopilot.loops import ON_PLACE, LoopConstants, LoopState, track_missed
from pelagos.control.autopilot.station import gains_of, pull
from pelagos.control.autopilot.surface_limit import SurfaceLimit
from pelagos.control.tuning.gains import NO_LOOP, AxisModel, diagonal_loop

SURGE = diagonal_loop(AxisModel(20.0, 0.0, 0.0, 40.0, 0.1, 0.5, 0.5))
SWAY = diagonal_loop(AxisModel(30.0, 0.0, 0.0, 60.0, 0.1, 0.5, 0.5))
GAINS = gains_of(SURGE, SWAY)
NO_STAGE = SimpleNamespace(served=[False] * 6)


class Station:
    """The law with its integral."""

    def __init__(self):
        self.lane = LoopState()

    def update(self, way, speeds, yaw, dt, fastest=GAINS.fastest):
        lane, limit = self.lane, fastest * GAINS.approach_s
        ahead, aside, lane.load_n, lane.load_e = pull(GAINS, limit, *way, *speeds, lane.load_n, lane.load_e, yaw, dt)
        return ahead, aside


def test_force_is_towards_the_place_in_body_axes():
    station = Station()
    ahead, aside = station.update((0.0, 0.1), (0.0, 0.0), 0.0, 0.0)  # east of a vehicle that looks north
    assert (ahead, aside) == pytest.approx((0.0, 0.1 * SWAY.kp))
    ahead, aside = station.update((0.0, 0.1), (0.0, 0.0), math.pi / 2, 0.0)
    assert (ahead, aside) == pytest.approx((0.1 * SURGE.kp, 0.0))
    ahead, aside = station.update((0.0, 0.0), (0.2, -0.1), 1.0, 0.0)
    assert (ahead, aside) == pytest.approx((-0.2 * SURGE.kd, 0.1 * SWAY.kd))


def test_far_away_the_command_is_that_of_the_given_speed():
    station = Station()
    # No force is left at the speed V towards the place: kp V approach = kd V where the water does not damp.
    ahead, aside = station.update((1000.0, 0.0), (0.25, 0.0), 0.0, 0.0, 0.25)
    assert (ahead, aside) == pytest.approx((0.0, 0.0), abs=1e-9)
    assert station.update((1000.0, 0.0), (0.0, 0.0), 0.0, 0.0, 0.25)[0] == pytest.approx(0.25 * SURGE.kd)


def test_the_integral_of_a_steady_load_stays_valid_in_a_turn():
    """Point mass of 20 and 30 kg pushed 6 N east: it ends at the place, and turning it about leaves it there."""
    station, dt = Station(), 0.02
    n = e = vn = ve = 0.0
    worst = 0.0
    for k in range(6000):
        yaw = 0.0 if k < 4000 else math.pi * min(1.0, (k - 4000) * dt / 10.0)
        c, s = math.cos(yaw), math.sin(yaw)
        u, v = c * vn + s * ve, c * ve - s * vn
        ahead, aside = station.update((-n, -e), (u, v), yaw, dt)
        ax, ay = ahead / 20.0, aside / 30.0
        vn, ve = vn + dt * (c * ax - s * ay), ve + dt * (s * ax + c * ay + 6.0 / (20.0 * s * s + 30.0 * c * c))
        n, e = n + dt * vn, e + dt * ve
        if k == 3999:
            # slowest pole near w / 10: exp(-80 w / 10) of 6 N / kp is left
            assert math.hypot(n, e) < 0.01
        worst = max(worst, math.hypot(n, e) if k > 4000 else 0.0)
    assert (station.lane.load_n, station.lane.load_e) == pytest.approx((0.0, -6.0), abs=0.3)
    assert worst < 0.1  # an integral in body axes would push the other way: 2 x 6 N / kp = 0.2 m


def test_force_that_was_not_applied_does_not_wind_up():
    station, free = Station(), Station()
    constants = LoopConstants((0.0,) * 5, (0.0,) * 4, 0.0, SurfaceLimit(0.0, 0.0, 0.0), GAINS)
    for _ in range(5000):
        station.update((0.3, 0.0), (0.0, 0.0), 0.0, 0.1)
        missed, down = (-1.0, 0.0, 0.0, 0.0, 0.0, 0.0), (0.0, 0.0, 1.0)  # always 1 N short
        track_missed(station.lane, (), ON_PLACE, missed, 0.0, down, NO_STAGE, constants, 0.1)
        free.update((0.3, 0.0), (0.0, 0.0), 0.0, 0.1)
    # rest of back-calculation: ki e dt = 1 N dt / T, T = kp / ki, is not balanced by a fixed miss, so it drifts slower
    assert station.lane.load_n == pytest.approx(free.lane.load_n - 5000 * 0.1 / GAINS.tracking_s)


def test_both_horizontal_axes_are_needed():
    assert gains_of(NO_LOOP, SWAY).fastest == 0.0 and GAINS.fastest > 0.0
