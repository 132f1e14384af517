"""Royer's cable: the pull between two points, symmetries, status codes; in its plane, integration and search."""

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
    N_PULL,
    NEAREST,
    NO_SEARCH,
    REACHED,
    REFINED,
    UNLOADED,
    UNREACHABLE,
    RoyerLine,
    above,
    best_angle,
    integrate,
    refine,
    royer_pull,
    search,
    solve,
    walk,
    walk_slopes,
)
from tests.jit_off import needs_jit, without_jit

HALF = 0.5 * 1025.0 * 0.035
MOST = 10_000.0
SHIP = (3.0, -4.0, 2.0)


class Pull:
    def __init__(self, vehicle, current, ship=SHIP, steps=50, length=150.0, warm=None):
        self.warm = np.zeros(3) if warm is None else warm
        self.shape, pull = np.empty((steps + 1, 3)), np.empty(N_PULL)
        places = [np.array(v, dtype=float) for v in (ship, vehicle, current)]
        drag = (1.2 * HALF, 0.05 * math.pi * HALF)
        self.code = royer_pull(length, *drag, MOST, *places, self.warm, self.shape, pull, np.empty((0, COLUMNS)))
        self.on_vehicle, self.on_ship = pull[0:3], pull[3:6]
        self.T_ship, self.T_vehicle, self.miss, self.integrations = pull[6:]


def turned(vector, angle):
    c, s = math.cos(angle), math.sin(angle)
    return np.array([c * vector[0] - s * vector[1], s * vector[0] + c * vector[1], vector[2]])


def test_the_ends_of_the_shape_are_ship_and_vehicle():
    vehicle = (40.0, 55.0, 70.0)
    pull = Pull(vehicle, (0.5, -0.3, 0.0))
    assert pull.code == REACHED
    assert tuple(pull.shape[0]) == SHIP
    np.testing.assert_allclose(pull.shape[-1], vehicle, atol=1e-6)
    lengths = np.linalg.norm(np.diff(pull.shape, axis=0), axis=1)
    np.testing.assert_allclose(lengths, 3.0, rtol=1e-12)
    # the pull on the ship is along the first element; on the vehicle it is against the end's tangent, one step on
    np.testing.assert_allclose(pull.on_ship / pull.T_ship, (pull.shape[1] - pull.shape[0]) / 3.0, atol=1e-12)
    assert np.linalg.norm(pull.on_vehicle) == pytest.approx(pull.T_vehicle, rel=1e-12)


def test_turning_current_and_vehicle_turns_the_forces():
    """Beta: all about the vertical."""
    at, current = np.array([20.0, 60.0, 80.0]), np.array([0.75, 0.0, 0.0])
    plain = Pull(at + SHIP, current)
    for angle in (0.4, 2.0, -2.8):
        pull = Pull(turned(at, angle) + SHIP, turned(current, angle))
        np.testing.assert_allclose(pull.on_vehicle, turned(plain.on_vehicle, angle), atol=1e-5)
        np.testing.assert_allclose(pull.on_ship, turned(plain.on_ship, angle), atol=1e-5)


def test_turning_the_plane_about_the_current_turns_the_forces():
    """Gamma: neutral cable, so the plane's tilt changes nothing; below, beside and above the ship."""
    plain = Pull(np.array([20.0, 0.0, 100.0]) + SHIP, (0.75, 0.0, 0.0))
    for gamma in (0.6435, 1.5707963, 2.5, 3.1415926, -1.0):
        c, s = math.cos(gamma), math.sin(gamma)
        pull = Pull(np.array([20.0, 100.0 * s, 100.0 * c]) + SHIP, (0.75, 0.0, 0.0))
        for computed, expected in ((pull.on_vehicle, plain.on_vehicle), (pull.on_ship, plain.on_ship)):
            np.testing.assert_allclose(computed, (expected[0], expected[2] * s, expected[2] * c), atol=1e-5)


def test_oblique_plane_against_the_continuum():
    """Boundary value problem by scipy's solve_bvp, EA 1e6 N: forces from the tether oracle, turned to z down."""
    pull = Pull(np.array([20.0, -60.0, 80.0]) + SHIP, (0.75, 0.0, 0.0), steps=20_000)
    # first order: 0.1 % of 445 N at 20000 steps, and 0.02 % for the stretch of the oracle's cable
    np.testing.assert_allclose(pull.on_ship, (415.8308, -94.6699, 126.2265), atol=0.5)
    np.testing.assert_allclose(pull.on_vehicle, (372.5731, 110.5678, -147.4237), atol=0.5)


def test_exchanging_the_ends_exchanges_the_tensions():
    """G7; explicit Euler is not symmetric, so with many steps."""
    a, b = np.array(SHIP), np.add(SHIP, (-70.0, 10.0, 69.0))
    single = Pull(b, (0.75, 0.0, 0.0), ship=a, steps=20_000)
    other = Pull(a, (0.75, 0.0, 0.0), ship=b, steps=20_000)
    assert single.T_ship == pytest.approx(other.T_vehicle, rel=1e-3)  # 0.7 % at 1000 steps, first order
    np.testing.assert_allclose(single.on_vehicle, other.on_ship, atol=0.5)
    reversed_current = Pull(a + (a - b), (-0.75, 0.0, 0.0), ship=a)  # mirrored through the ship: 50 steps will do
    fifty = Pull(b, (0.75, 0.0, 0.0), ship=a)
    np.testing.assert_allclose(reversed_current.on_vehicle, -fifty.on_vehicle, atol=1e-5)


def test_forces_and_drag_are_in_balance():
    """Drag of each element from its own direction, summed; the model has no other load."""
    pull = Pull(np.array([-30.0, 50.0, 80.0]) + SHIP, (0.75, 0.0, 0.0), steps=20_000)
    edges = np.diff(pull.shape, axis=0)
    sizes = np.linalg.norm(edges, axis=1)[:, None]
    tangents, current = edges / sizes, np.array([0.75, 0.0, 0.0])
    along = (tangents @ current)[:, None] * tangents
    across = current - along
    norm = np.linalg.norm
    drag = HALF * (1.2 * norm(across, axis=1)[:, None] * across)
    drag += HALF * 0.05 * math.pi * norm(along, axis=1)[:, None] * along
    total = (drag * sizes).sum(axis=0)
    # the drag on the cable is carried by both ends
    np.testing.assert_allclose(pull.on_vehicle + pull.on_ship, total, atol=1e-3 * norm(total))


def test_tension_grows_with_the_square_of_the_current():
    at = np.array([0.0, 0.0, 100.0]) + SHIP
    single, two = Pull(at, (0.75, 0.0, 0.0)), Pull(at, (1.5, 0.0, 0.0))
    assert two.T_vehicle == pytest.approx(4.0 * single.T_vehicle, rel=1e-6)
    assert two.T_ship == pytest.approx(4.0 * single.T_ship, rel=1e-6)


def test_only_the_horizontal_current_counts():
    at = np.array([10.0, 20.0, 100.0]) + SHIP
    plain, sinking = Pull(at, (0.6, 0.2, 0.0)), Pull(at, (0.6, 0.2, 0.4))
    assert (plain.on_vehicle == sinking.on_vehicle).all()


def test_codes_report_floors_and_a_miss():
    assert Pull(np.array([95.0, 0.0, 10.0]) + SHIP, (0.75, 0.0, 0.0)).code == REACHED + AT_FLOOR + AT_STOP
    near_the_line = Pull(np.array([50.0, 0.0, 1.0]) + SHIP, (0.75, 0.0, 0.0))
    assert near_the_line.code & 3 == NEAREST
    assert 1.0 < near_the_line.miss < 9.0
    assert near_the_line.miss == pytest.approx(np.linalg.norm(near_the_line.shape[-1] - SHIP - (50.0, 0.0, 1.0)))
    assert np.isfinite(near_the_line.on_vehicle).all()


def test_weak_current_is_held_up_by_the_tension_floor():
    """1/2 rho C_n D V^2 L is 8 N: the cable cannot hang in the bow that the ends ask for with 5 N or more."""
    pull = Pull(np.array([0.0, 0.0, 100.0]) + SHIP, (0.05, 0.0, 0.0))
    assert pull.code == NEAREST + AT_FLOOR
    assert pull.miss > 30.0
    assert 5.0 <= pull.T_ship < 6.0


@pytest.mark.parametrize("current", [(0.75, 0.0, 0.0), (0.0, 0.0, 0.0)])
@pytest.mark.parametrize("distance", [150.0, 153.0, 1000.0])
def test_beyond_its_length_it_pulls_along_the_chord(distance, current):
    way = np.array([0.6, 0.0, 0.8])
    pull = Pull(np.array(SHIP) + distance * way, current)
    assert pull.code == UNREACHABLE
    np.testing.assert_allclose(pull.on_vehicle, -MOST * way, rtol=1e-12, atol=1e-9)
    np.testing.assert_allclose(pull.on_ship, MOST * way, rtol=1e-12, atol=1e-9)
    assert pull.miss == pytest.approx(distance - 150.0, abs=1e-9)
    np.testing.assert_allclose(pull.shape[-1], np.array(SHIP) + 150.0 * way, atol=1e-9)


def test_nearly_taut_it_pulls_no_more_than_the_most():
    pull = Pull(np.array([0.0, 0.0, 149.99]) + SHIP, (0.75, 0.0, 0.0))
    assert pull.code == UNREACHABLE
    assert pull.T_ship == MOST
    assert pull.on_vehicle[2] == pytest.approx(-MOST, rel=0.01)  # bent by the drag of half the cable, 900 N


@pytest.mark.parametrize("at", [(30.0, 20.0, 50.0), (0.0, 0.0, 60.0), (0.0, 0.0, 0.0), (0.0, -120.0, 0.0)])
def test_without_current_it_hangs_in_an_arc_and_pulls_nothing(at):
    pull = Pull(np.array(at) + SHIP, (0.0, 0.0, 0.3))
    assert pull.code == UNLOADED
    assert not pull.on_vehicle.any() and not pull.on_ship.any() and pull.T_ship == 0.0
    np.testing.assert_allclose(pull.shape[[0, -1]], [SHIP, np.array(at) + SHIP], atol=1e-9)
    length = np.linalg.norm(np.diff(pull.shape, axis=0), axis=1).sum()
    assert length == pytest.approx(150.0, rel=1e-3)  # 50 chords of a full circle: pi^2 / (6 50^2) short


def test_a_warm_start_needs_fewer_integrations_and_finds_the_same():
    warm, cold_total, warm_total = np.zeros(3), 0, 0
    for k in range(40):
        at = np.add(SHIP, (-70.0 + 0.5 * k, 20.0 * math.sin(0.1 * k), 70.0 - 0.3 * k))
        flown, cold = Pull(at, (0.7, 0.2, 0.0), warm=warm), Pull(at, (0.7, 0.2, 0.0))
        np.testing.assert_allclose(flown.on_vehicle, cold.on_vehicle, atol=1e-4)
        cold_total, warm_total = cold_total + cold.integrations, warm_total + (flown.integrations if k else 0)
    assert warm_total < 0.2 * cold_total


def figures():
    """Pulls of several kinds as a list of lists."""
    cases = [((-70.0, 0.0, 70.0), 0.75), ((0.0, 60.0, 80.0), 0.75), ((95.0, 0.0, 10.0), 0.75), ((0.0, 0.0, 60.0), 0.0)]
    computed = []
    for at, speed in cases:
        pull = Pull(np.array(at) + SHIP, (speed, 0.1 * speed, 0.0))
        computed.append([pull.code, *pull.on_vehicle, *pull.on_ship, *pull.shape.ravel()])
    return computed


@pytest.mark.slow
@needs_jit
def test_plain_python_gives_the_same_numbers():
    plain = without_jit("tests.engine.cable.test_royer", "[[float(x) for x in row] for row in figures()]")
    # both are roots to 1e-8 m of the same scheme; forces change by up to 10 N a metre
    np.testing.assert_allclose(plain, figures(), atol=1e-5)


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
def test_the_sign_of_k_shows_whether_the_tension_is_too_small(target):
    """Errata R31: K > 0 requires more tension, with y up and the target below."""
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
