"""Invariance of a tether to rotation, reflection, exchanged ends and scale."""

import math

import numpy as np
import pytest

from tests.tether.scene import loads, still

SHIP, END = np.array([0.0, 0.0, 60.0]), np.array([35.0, 12.0, 130.0])
CURRENT = np.array([0.4, 0.25, 0.05])
WEIGHTS = (0.0, 1.2, -0.5)
# A static solution is good to 1e-7 of the largest tension at each node: what is compared agrees to 1e-6 of it, and
# places to 0.1 mm.
CLOSE, PLACE = 1e-6, 1e-4


def settled(ship=SHIP, end=END, current=CURRENT, weight=1.2, length=110.0, mode="static", **parts):
    line = still(weight, length, 40, mode, current_n=current, **parts)
    assert line.settle(end, ship)
    return line


def same(line, other, turn=lambda x: x, swapped=False):
    """`other` is `line` turned (and with its ends exchanged)."""
    a, b, shape = other.force_on_ship_n, other.force_on_vehicle_n, other.shape_n
    tensions = other.tensions_N
    if swapped:
        a, b, shape, tensions = b, a, shape[::-1], tensions[::-1]
    largest = line.tensions_N.max()
    np.testing.assert_allclose(a, turn(line.force_on_ship_n), atol=CLOSE * largest)
    np.testing.assert_allclose(b, turn(line.force_on_vehicle_n), atol=CLOSE * largest)
    np.testing.assert_allclose(tensions, line.tensions_N, atol=CLOSE * largest)
    np.testing.assert_allclose(shape, turn(line.shape_n), atol=PLACE)


def flown(line, turn=lambda x: x):
    """Two seconds of a vehicle that circles, turned."""
    for i in range(100):
        t = 0.02 * i
        end = END + np.array([2.0 * math.sin(t), 1.5 * (1.0 - math.cos(t)), -0.5 * t])
        velocity = np.array([2.0 * math.cos(t), 1.5 * math.sin(t), -0.5])
        line.step(0.02, turn(end), turn(velocity))
    return line


@pytest.mark.parametrize("weight", WEIGHTS)
@pytest.mark.parametrize("axis", [0, 1])
def test_mirrored(weight, axis):
    mirror = np.ones(3)
    mirror[axis] = -1.0
    line = settled(weight=weight)
    same(line, settled(mirror * SHIP, mirror * END, mirror * CURRENT, weight), lambda x: mirror * x)


def test_upside_down():
    """A cable that floats as much as another sinks, under a plane at the ship's depth: the surface is far away."""
    mirror = np.array([1.0, 1.0, -1.0])
    line = settled(weight=0.7, ship=SHIP - SHIP, end=END - SHIP)
    other = settled(mirror * (SHIP - SHIP), mirror * (END - SHIP), mirror * CURRENT, -0.7)
    same(line, other, lambda x: mirror * x)


@pytest.mark.parametrize("weight", WEIGHTS)
def test_ends_exchanged(weight):
    same(settled(weight=weight), settled(END, SHIP, weight=weight), swapped=True)


@pytest.mark.parametrize("weight", WEIGHTS)
@pytest.mark.parametrize("angle", [0.3, 1.9, 4.0])
def test_turned_about_the_vertical(weight, angle):
    c, s = math.cos(angle), math.sin(angle)
    turn = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
    line = settled(weight=weight)
    same(line, settled(turn @ SHIP, turn @ END, turn @ CURRENT, weight), lambda x: x @ turn.T)


@pytest.mark.parametrize("mode", ["static", "dynamic"])
def test_elsewhere(mode):
    """Half a kilometre away and 40 m deeper."""
    shift = np.array([500.0, -300.0, 40.0])
    line, other = settled(mode=mode), settled(SHIP + shift, END + shift, mode=mode)
    np.testing.assert_allclose(other.force_on_vehicle_n, line.force_on_vehicle_n, atol=1e-4)
    np.testing.assert_allclose(other.shape_n - shift, line.shape_n, atol=PLACE)


@pytest.mark.parametrize("angle", [0.0, 1.1, 2.5])
def test_a_manoeuvre_turned_and_mirrored(angle):
    """Dynamic: the steps are the same, up to rounding that a taut cable's EA/T multiplies."""
    c, s = math.cos(angle), math.sin(angle)
    turn = np.array([[c, s, 0.0], [s, -c, 0.0], [0.0, 0.0, 1.0]])  # a mirror through the vertical
    line = flown(settled(mode="dynamic"))
    other = settled(turn @ SHIP, turn @ END, turn @ CURRENT, mode="dynamic")
    flown(other, lambda x: turn @ x)
    largest = line.tensions_N.max()
    np.testing.assert_allclose(other.force_on_vehicle_n, turn @ line.force_on_vehicle_n, atol=1e-4 * largest)
    np.testing.assert_allclose(other.shape_n, line.shape_n @ turn.T, atol=PLACE)


def test_pull_grows_with_the_square_of_the_current():
    """Neutral, and so stiff that its stretch (T/EA, 1e-6) does not matter; the shape stays."""
    slow, fast = (settled(weight=0.0, current=speed * CURRENT, stiffness_N=1e9) for speed in (0.5, 2.0))
    np.testing.assert_allclose(fast.force_on_vehicle_n, 16.0 * slow.force_on_vehicle_n, rtol=1e-4)
    np.testing.assert_allclose(fast.shape_n, slow.shape_n, atol=1e-3)


def test_a_model_of_half_the_size():
    """All lengths half, weight and drag per metre alike, EA half: tensions half (dimensions alone)."""
    whole = settled(weight=0.8, stiffness_N=2e5)
    drag = {"normal_drag": 1.2, "tangential_drag": 0.05}
    half = settled(0.5 * SHIP, 0.5 * END, weight=0.8, length=55.0, stiffness_N=1e5, **drag)
    np.testing.assert_allclose(half.force_on_vehicle_n, 0.5 * whole.force_on_vehicle_n, atol=1e-4)
    np.testing.assert_allclose(half.shape_n, 0.5 * whole.shape_n, atol=PLACE)


@pytest.mark.parametrize("weight", WEIGHTS)
@pytest.mark.parametrize("length", [80.0, 110.0, 200.0])
def test_forces_and_loads_add_up_to_nothing(weight, length):
    """Pulls on the ends are all the weight and the drag, summed here element by element.

    40 nodes, each good to 1e-7 of the largest tension.
    """
    line = settled(weight=weight, length=length)
    total = line.force_on_ship_n + line.force_on_vehicle_n
    np.testing.assert_allclose(total, loads(line, CURRENT), atol=1e-5 * line.tensions_N.max())


def test_a_steady_velocity_changes_nothing():
    """A cable towed at a steady speed through still water looks like one at rest in a current the other way.

    It takes some L/U = 230 s to swing in; after 2000 s 0.1 % of the pull is left of that.
    """
    line = settled(current=-CURRENT)
    towed = still(1.2, 110.0, 40, "dynamic")
    assert towed.settle(END, SHIP)
    dt, steps = 0.2, 10000
    for i in range(steps):
        towed.head["ship_calm"] = SHIP + dt * (i + 1) * CURRENT
        towed.step(dt, END + dt * i * CURRENT, CURRENT)
    np.testing.assert_allclose(towed.force_on_vehicle_n, line.force_on_vehicle_n, atol=1e-3 * line.tensions_N.max())
    np.testing.assert_allclose(towed.shape_n - dt * steps * CURRENT, line.shape_n, atol=0.02)
