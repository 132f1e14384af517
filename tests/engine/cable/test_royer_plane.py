"""Royer's cable in its plane: integration against a slow copy and an adaptive solver, his search, roots."""

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import fsolve

from pelagos.engine.cable.royer import (
    ANGLES,
    AT_FLOOR,
    AT_STOP,
    BEST,
    COLUMNS,
    N_ANGLES,
    NO_SEARCH,
    REFINED,
    RoyerLine,
    above,
    best_angle,
    integrate,
    refine,
    search,
    solve,
    walk,
    walk_slopes,
)

LOAD = 0.5 * 1025.0 * 0.035 * 0.75**2  # rho/2 D V^2 of the thesis' numbers, N/m
KN, KT = 1.2 * LOAD, 0.05 * math.pi * LOAD
LENGTH = 150.0
COLD = np.zeros(3)


def line(steps=50, weight=0.0, length=LENGTH):
    return RoyerLine(length, KN, KT, weight, steps)


def slowly(steps, tension, angle, weight=0.0):
    """The equations of 3.2 with V_t and V_n as printed, floors of 3.4; nothing shared with the engine."""
    h, x, y, points, floors = LENGTH / steps, 0.0, 0.0, [(0.0, 0.0)], set()
    for _ in range(steps):
        vt, vn = 0.75 * math.cos(angle), -0.75 * math.sin(angle)
        drag = 0.5 * 1025.0 * 0.035
        dT = weight * math.sin(angle) - drag * 0.05 * math.pi * abs(vt) * vt
        da = (weight * math.cos(angle) - drag * 1.2 * abs(vn) * vn) / tension
        x, y = x + h * math.cos(angle), y + h * math.sin(angle)
        tension, angle = tension + h * dT, angle + h * da
        if tension < 5.0:
            tension = 5.0
            floors.add(AT_FLOOR)
        if angle < math.radians(-178.0):
            angle = math.radians(-178.0)
            floors.add(AT_STOP)
        points.append((x, y))
    return np.array(points), tension, angle, sum(floors)


@pytest.mark.parametrize("weight", [-0.5, 0.0, 0.5])
@pytest.mark.parametrize(("tension", "degrees"), [(200.0, -20.0), (30.0, -2.0), (1000.0, -150.0), (20.0, -60.0)])
def test_integration_is_that_of_the_slow_copy(tension, degrees, weight):
    shape = np.empty((51, 2))
    end = integrate(line(weight=weight), tension, math.radians(degrees), shape)
    points, at_b, angle, floors = slowly(50, tension, math.radians(degrees), weight)
    np.testing.assert_allclose(shape, points, atol=1e-8)  # m: rounding grows where the tension is small
    assert end.tension == pytest.approx(at_b, rel=1e-9)
    assert end.angle == pytest.approx(angle, abs=1e-9)
    assert end.floors == floors
    assert (end.x, end.y) == tuple(shape[-1])


@pytest.mark.slow
def test_integration_tends_to_the_differential_equations():
    """Without a floor in reach: explicit Euler is of first order, so ten times the steps give a tenth of the error."""

    def right(_, state):
        _, _, tension, a = state
        turn = KN * abs(math.sin(a)) * math.sin(a) / tension
        return [math.cos(a), math.sin(a), -KT * abs(math.cos(a)) * math.cos(a), turn]

    start = [0.0, 0.0, 400.0, math.radians(-25.0)]
    exact = solve_ivp(right, (0.0, LENGTH), start, rtol=1e-11, atol=1e-11).y[:, -1]
    errors = []
    for steps in (500, 5000):
        end = walk(line(steps), start[2], start[3])
        assert end.floors == 0
        errors.append(np.abs(np.array(end[:4]) - exact))
    assert errors[1] == pytest.approx(errors[0] / 10.0, rel=0.05)  # the next order is 5 % of the first here
    assert errors[1][:2].max() < 0.1  # m


def test_floors_act_and_are_reported():
    low = walk(line(), 6.0, math.radians(-0.3))
    assert low.floors & AT_FLOOR
    upstream = walk(line(), 20.0, math.radians(-60.0))
    assert upstream.floors == AT_STOP
    assert upstream.angle == math.radians(-178.0)
    free = walk(line(), 400.0, math.radians(-25.0))
    assert free.floors == 0


def test_slopes_are_those_of_differences():
    for tension, degrees, weight in ((400.0, -25.0, 0.0), (150.0, -5.0, 0.4), (60.0, -100.0, -0.3)):
        of, a, e = line(weight=weight), math.radians(degrees), 1e-6
        x, y, x_T, x_a, y_T, y_a = walk_slopes(of, tension, a)
        assert (x, y) == pytest.approx(walk(of, tension, a)[:2])
        up, down = walk(of, tension * math.exp(e), a), walk(of, tension * math.exp(-e), a)
        assert (x_T, y_T) == pytest.approx(((up.x - down.x) / (2 * e), (up.y - down.y) / (2 * e)), rel=1e-6, abs=1e-5)
        up, down = walk(of, tension, a * math.exp(e)), walk(of, tension, a * math.exp(-e))
        assert (x_a, y_a) == pytest.approx(((up.x - down.x) / (2 * e), (up.y - down.y) / (2 * e)), rel=1e-6, abs=1e-5)


def test_the_set_of_angles_is_finer_where_they_are_small():
    degrees = -np.degrees(ANGLES)
    steps = np.diff(degrees)
    assert degrees[0] < 0.5 and degrees[-1] > 176.0
    assert np.all(np.diff(steps) > 0.0)


@pytest.mark.slow
@pytest.mark.parametrize("target", [(0.0, -100.0), (-70.0, -70.0), (60.0, -90.0), (-120.0, -60.0)])
def test_k_tells_whether_the_tension_is_too_small(target):
    """Errata R31: K > 0 asks for more tension, with y up and the target below."""
    tension, angle, _, _ = solve(line(), *target, 1e4, COLD, NO_SEARCH)
    tried = np.empty((N_ANGLES, 4))
    for factor, sign in ((0.7, 1.0), (1.4, -1.0)):
        start = int(np.argmin(np.abs(ANGLES - angle)))
        best, _ = best_angle(line(), *target, factor * tension, start, 30, tried, NO_SEARCH, 0)
        assert sign * above(tried, best, *target) > 0.0


def test_the_best_angle_is_the_best_of_the_set():
    tried = np.empty((N_ANGLES, 4))
    for tension in (50.0, 200.0, 800.0):
        misses = [math.hypot(*np.subtract(walk(line(), tension, a)[:2], (20.0, -80.0))) for a in ANGLES]
        best, count = best_angle(line(), 20.0, -80.0, tension, N_ANGLES // 2, 30, tried, NO_SEARCH, 0)
        assert best == int(np.argmin(misses))
        assert count < N_ANGLES // 4


@pytest.mark.parametrize("target", [(0.0, -100.0), (-70.0, -70.0), (95.0, -10.0), (50.0, -140.0)])
def test_the_root_is_that_of_another_solver(target):
    tension, angle, miss, _ = solve(line(), *target, 1e4, COLD, NO_SEARCH)
    assert miss < 1e-6
    start = (math.log(1.03 * tension), math.log(-1.02 * angle))
    log_T, log_a = fsolve(lambda p: slowly(50, math.exp(p[0]), -math.exp(p[1]))[0][-1] - target, start, xtol=1e-12)
    assert (math.exp(log_T), -math.exp(log_a)) == pytest.approx((tension, angle), rel=1e-6)


def random_targets(n):
    rng = np.random.default_rng(3)
    r, turn = LENGTH * np.sqrt(rng.uniform(0.05**2, 0.98**2, n)), rng.uniform(0.0, math.pi, n)
    return np.column_stack([r * np.cos(turn), -r * np.sin(turn)])


def test_random_targets_are_reached():
    """The study of the model measured 77 % within 1 m and 97 % within 3 m for his search with 200 angles.

    Closer than L/15 to the line of the current stop and floor often leave no root at all; beyond that the refinement
    finds it always.
    """
    targets = random_targets(400)
    rough = np.array([search(line(), x, y, 1e4, 200.0, 0.0, False, NO_SEARCH, 0)[2] for x, y in targets])
    assert np.mean(rough < 1.0) > 0.77
    assert np.mean(rough < 3.0) > 0.94  # measured 0.96: the set and the targets are others than in the study
    misses = np.array([solve(line(), x, y, 1e4, COLD, NO_SEARCH)[2] for x, y in targets])
    assert np.all(misses[-targets[:, 1] > LENGTH / 15.0] < 1e-3)
    assert np.mean(misses < 1e-3) > 0.9
    assert misses.max() < 9.0  # m: the stop at -178 degrees lowers 150 m of cable by 5 m, the turn needs some more


@pytest.mark.slow
def test_a_target_without_a_root_gives_the_least_miss_of_a_grid():
    for X, Y in ((-100.0, -1.0), (50.0, -1.0), (0.0, -3.0)):
        _, _, miss, _ = solve(line(), X, Y, 1e4, COLD, NO_SEARCH)
        ends = [
            walk(line(), T, -math.radians(a))
            for T in np.geomspace(5.0, 1e4, 120)
            for a in np.geomspace(0.01, 178.0, 240)
        ]
        least = min(math.hypot(end.x - X, end.y - Y) for end in ends)
        assert 1.0 < miss < least + 0.3  # m: the least is in a valley with kinks


def test_a_near_start_takes_fewer_tries_than_a_far_one():
    """Figures 3.10 and 3.11; both by his search alone."""
    tension, angle, _, _ = solve(line(), 20.0, -80.0, 1e4, COLD, NO_SEARCH)
    far, near = np.zeros((500, COLUMNS)), np.zeros((500, COLUMNS))
    *_, miss_far, n_far = search(line(), 25.0, -84.0, 1e4, 20.0, 0.0, False, far, 0)
    *_, miss_near, n_near = search(line(), 25.0, -84.0, 1e4, tension, angle, True, near, 0)
    assert max(miss_far, miss_near) < 0.01 * LENGTH
    assert n_near < 0.5 * n_far
    tensions = far[:n_far][far[:n_far, 5] == BEST, 0]
    assert len(tensions) > 4 and tensions[0] == 20.0


def test_the_history_holds_each_integration():
    history = np.full((500, COLUMNS), np.nan)
    tension, angle, miss, count = solve(line(), -70.0, -70.0, 1e4, COLD, history)
    assert np.isfinite(history[:count]).all() and np.isnan(history[count:]).all()
    for T, a, x, y, off, _ in history[:count:7]:
        assert (x, y) == pytest.approx(walk(line(), T, a)[:2], abs=1e-9)
        assert off == pytest.approx(math.hypot(x + 70.0, y + 70.0), abs=1e-9)
    assert history[count - 1, 5] == REFINED
    assert history[:count, 4].min() == miss
    short = np.empty((3, COLUMNS))  # no room is no error
    assert solve(line(), -70.0, -70.0, 1e4, COLD, short) == (tension, angle, miss, count)


@pytest.mark.slow
def test_the_tension_stays_below_the_given_most():
    tension, _, miss, _ = refine(line(), 0.0, -149.9, 1000.0, 900.0, -1.2, NO_SEARCH, 0)
    assert tension == 1000.0
    assert miss > 0.1
