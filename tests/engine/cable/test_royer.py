"""The pull of Royer's cable between points of the sea: reduction to the plane, symmetries, codes, JIT off."""

import math

import numpy as np
import pytest

from pelagos.engine.cable.royer import (
    AT_FLOOR,
    AT_STOP,
    COLUMNS,
    N_PULL,
    NEAREST,
    REACHED,
    UNLOADED,
    UNREACHABLE,
    royer_pull,
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


def test_codes_tell_of_floors_and_of_a_miss():
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
