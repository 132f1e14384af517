"""Newton's method on the chain: end stiffness, moving ends, warm and cold starts, going back, the JIT off."""

import math

import numpy as np
import pytest

from pelagos.engine.cable.layout import NOT_CONVERGED
from tests.engine.chain_probe import ask_step
from tests.jit_off import needs_jit, without_jit
from tests.tether.scene import still, water

NONE = np.zeros(3)
SHIP, END = np.zeros(3), np.array([20.0, 5.0, 70.0])
PROFILE = [(0.0, 0.6, 0.0, 0.0), (40.0, 0.3, 0.3, 0.0), (100.0, -0.1, 0.2, 0.0)]
DT = 0.02
CABLES = {
    "neutral": {"weight_N_m": 0.0},
    "heavy": {"weight_N_m": 2.0},
    "floating": {"weight_N_m": -0.4},
    "stiff": {"weight_N_m": 0.01, "stiffness_N": 1e7},
    "taut": {"weight_N_m": 0.5, "length_m": 72.0},
}


def made(name, mode="static", **more):
    parts = {"length_m": 100.0, **CABLES[name], **more}
    line = still(mode=mode, sea=water(PROFILE), **parts)
    assert line.settle(END, SHIP)
    return line


def force_at(line, end):
    """Static: the force with the end moved; from the present shape, until nothing changes any more."""
    for _ in range(3):
        line.step(DT, end, np.zeros(3))
    return line.force_on_vehicle_n


@pytest.mark.parametrize("name", CABLES)
def test_static_end_stiffness_is_the_derivative_of_the_pull(name):
    """Differences over 2 mm: the third derivative of a cable 100 m long leaves 1e-6, the solution's residual 1e-4."""
    line = made(name)
    force_at(line, END)
    stiffness = line.head["end_stiffness"].reshape(3, 3).copy()
    step = 1e-3 if name != "taut" else 1e-4
    computed = np.zeros((3, 3))
    for k, way in enumerate(np.eye(3)):
        computed[:, k] = -(force_at(line, END + step * way) - force_at(line, END - step * way)) / (2.0 * step)
    np.testing.assert_allclose(stiffness, computed, atol=1e-3 * np.abs(computed).max())


def moving(name):
    """A dynamic cable that has been towed for 0.4 s: the line, how to go back there, the end's place and velocity."""
    line, velocity = made(name, "dynamic"), np.array([0.2, -0.1, 0.05])
    for i in range(20):
        line.step(DT, END + i * DT * velocity, velocity)
    return line, line.save(), END + 20 * DT * velocity, velocity


def stepped(line, saved, end, velocity, new):
    """The end goes to `new` in the next step.

    Twice, the second time starting with the tensions found: a step that needs one iteration only has the geometric
    stiffness of the step before.
    """
    for tension in (None, line.nodes["tension"]):
        computed = None if tension is None else tension.copy()
        line.restore(saved)
        if computed is not None:
            line.nodes["tension"] = computed
        assert ask_step(line._line, line._chain, line._work, line.sea, line._current, DT, end, velocity, new)
    return line.force_on_vehicle_n


@pytest.mark.slow
@pytest.mark.parametrize("name", CABLES)
def test_dynamic_end_stiffness_is_the_derivative_of_the_pull(name):
    """One implicit step with the end elsewhere.

    1e-3: Newton's method leaves out how added mass turns with the cable, 2 m/s^2 of 0.3 kg/m against 1e4 N/m.
    """
    line, saved, end, velocity = moving(name)
    new = end + DT * velocity
    stepped(line, saved, end, velocity, new)
    stiffness = line.head["end_stiffness"].reshape(3, 3).copy()
    computed = np.zeros((3, 3))
    for k, way in enumerate(np.eye(3)):
        more = stepped(line, saved, end, velocity, new + 1e-5 * way)
        less = stepped(line, saved, end, velocity, new - 1e-5 * way)
        computed[:, k] = -(more - less) / 2e-5
    np.testing.assert_allclose(stiffness, computed, atol=1e-3 * np.abs(computed).max())


@pytest.mark.slow
@pytest.mark.parametrize("name", CABLES)
def test_following_the_end_is_as_good_as_solving_with_it(name):
    """A vehicle that ends 0.02 mm from where it was foreseen: all that then differs is 1e-3 of what this changes.

    Left out of the linear answer: second orders, 0.02 mm over elements of 2 m, and how added mass turns. Tensions 1e-2:
    the elements have turned by up to 1e-4 since the equations were made, and an EA of 1e7 makes much of it.
    """
    line, saved, end, velocity = moving(name)
    new, other = end + DT * velocity, np.array([1e-5, -1e-5, 1.4e-5])
    stepped(line, saved, end, velocity, new)
    foreseen, pull = line.nodes.copy(), line.force_on_vehicle_n
    line.follow(DT, new + other)
    followed, changed = line.nodes.copy(), line.force_on_vehicle_n
    solved = stepped(line, saved, end, velocity, new + other)
    for field, close in (("r", 2e-3), ("v", 2e-3), ("tension", 1e-2)):
        expected = line.nodes[field][1:-1] - foreseen[field][1:-1]
        computed = followed[field][1:-1] - foreseen[field][1:-1]
        np.testing.assert_allclose(computed, expected, rtol=0, atol=close * np.abs(expected).max(), err_msg=field)
    np.testing.assert_allclose(changed - pull, solved - pull, rtol=0, atol=2e-3 * np.abs(solved - pull).max())


@pytest.mark.parametrize("name", CABLES)
@pytest.mark.parametrize("step_m", [0.0, 1e-4, 0.02, 0.5])
def test_warm_and_cold_give_the_same(name, step_m):
    """Each warm solution is good to about 1e-6 of an element; after 50 of them no error has gathered."""
    line = made(name)
    rng, end = np.random.default_rng(2), END
    for _ in range(50):
        end = END + step_m * rng.normal(size=3)
        line.step(DT, end, np.zeros(3))
        assert not int(line.status) & NOT_CONVERGED
    cold = made(name)
    assert cold.settle(end, SHIP)
    largest = cold.tensions_N.max()
    np.testing.assert_allclose(line.shape_n, cold.shape_n, atol=1e-4)
    np.testing.assert_allclose(line.force_on_vehicle_n, cold.force_on_vehicle_n, atol=1e-4 * largest)
    np.testing.assert_allclose(line.force_on_ship_n, cold.force_on_ship_n, atol=1e-4 * largest)


@pytest.mark.parametrize("name", CABLES)
def test_warm_and_cold_give_the_same_when_ship_and_water_move(name):
    """Motions that the predictor of the vehicle's end ignores: a ship that drifts and heaves, a current that turns."""
    line, ship, current = made(name), SHIP, NONE
    for i in range(60):
        ship = np.array([0.02 * i, -0.01 * i, 0.3 * math.sin(0.2 * i)])
        current = 0.1 * np.array([math.cos(0.05 * i), math.sin(0.05 * i), 0.0])
        line.head["ship_calm"] = ship
        line.set_current(current)
        line.step(DT, END + 0.01 * i, NONE)
        assert not int(line.status) & NOT_CONVERGED
    cold = made(name)
    cold.set_current(current)
    assert cold.settle(END + 0.01 * 59, ship)
    largest = cold.tensions_N.max()
    np.testing.assert_allclose(line.shape_n, cold.shape_n, atol=1e-4)
    np.testing.assert_allclose(line.force_on_vehicle_n, cold.force_on_vehicle_n, atol=1e-4 * largest)
    np.testing.assert_allclose(line.force_on_ship_n, cold.force_on_ship_n, atol=1e-4 * largest)


def test_an_unchanged_cable_needs_no_move():
    line = made("heavy")
    for _ in range(2):
        line.step(DT, END, np.zeros(3))
    before = line.shape_n
    line.step(DT, END, np.zeros(3))
    assert line.head["used"] == 0
    np.testing.assert_allclose(line.shape_n, before, rtol=0, atol=0)


def test_a_dynamic_cable_at_rest_stays():
    """The static shape is the one in which nothing moves: static and dynamic are the same equations."""
    for name in CABLES:
        line = made(name, "dynamic")
        before, force = line.shape_n, line.force_on_vehicle_n
        for _ in range(100):
            line.step(DT, END, np.zeros(3))
        # residual 1e-7 of the largest tension, on a chain that gives way by metres to a newton
        np.testing.assert_allclose(line.shape_n, before, atol=1e-4)
        np.testing.assert_allclose(line.force_on_vehicle_n, force, atol=1e-4 * line.tensions_N.max())


def test_a_step_that_fails_is_taken_back():
    """The shape before goes along with its ends; 200 km apart then, and the pull is that of a straight cable.

    That is limited to EA. Not even 64 pieces of such a step have a solution in one iteration.
    """
    line = made("heavy", "dynamic")
    line.settings["iterations"] = 1
    before, way = line.shape_n, np.array([0.0, 0.0, 1e7 * DT])
    line.step(DT, END, way / DT)
    assert int(line.status) & NOT_CONVERGED
    drawn = before + np.linspace(0.0, 1.0, len(before))[:, None] * way
    np.testing.assert_allclose(line.shape_n, drawn, rtol=1e-12)
    pull = line.force_on_vehicle_n
    assert np.linalg.norm(pull) == pytest.approx(line.cable.stiffness_N)
    np.testing.assert_allclose(pull / np.linalg.norm(pull), [0.0, 0.0, -1.0], atol=1e-3)


@pytest.mark.parametrize("count", [65, 100, 130, 400])
def test_many_elements_are_found_by_way_of_few(count):
    line = made("heavy", elements=count)
    coarse = made("heavy", elements=50)
    assert len(line.nodes) == count + 1
    # lumping errs by (l/radius)^2: 0.1 % with 50
    np.testing.assert_allclose(line.force_on_vehicle_n, coarse.force_on_vehicle_n, rtol=0.01, atol=0.1)


def figures():
    """A few dynamic steps of a short cable that comes down on the seabed."""
    sea = water([(0.0, 0.3, 0.1, 0.0), (20.0, 0.1, 0.0, 0.0)], bottom_m=10.0, friction=0.5)
    line = still(3.0, 30.0, elements=6, mode="dynamic", sea=sea, damping_Ns=500.0)
    assert line.settle((18.0, 2.0, 8.0), (0.0, 0.0, 0.0))
    for i in range(5):
        line.step(DT, np.array([18.0 + 0.01 * i, 2.0, 8.0]), np.array([0.5, 0.0, 0.0]))
        line.follow(DT, np.array([18.011 + 0.01 * i, 2.0, 8.001]))
    assert line.head["touching"] > 0
    return {
        "shape": line.shape_n.ravel().tolist(),
        "tension": line.tensions_N.tolist(),
        "grip": line.nodes["grip"].ravel().tolist(),
        "force": line.force_on_vehicle_n.tolist(),
        "stiffness": line.head["end_stiffness"].tolist(),
    }


@pytest.mark.slow
@needs_jit
def test_plain_python_gives_the_same_numbers():
    """The compiler fuses and reorders; springs of 1e6 N cancel to newtons in between: 1e-8 of the largest number."""
    plain = without_jit("tests.engine.cable.test_newton", "figures()")
    for name, values in figures().items():
        size = max(1e-6, np.abs(values).max())
        np.testing.assert_allclose(plain[name], values, rtol=0, atol=1e-8 * size, err_msg=name)
