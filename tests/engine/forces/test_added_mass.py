"""-C_A(nu_r) nu_r + M_A nu_c-dot: Munk moment, twin, no work, currents."""

import numpy as np
import pytest

from tests.engine.probe import EVERY, LIBRARY, TWIN, ball, differs_from_twin, plant_of, put, still, term, vehicle


@pytest.mark.parametrize("key", EVERY)
def test_equals_the_textbook(key):
    assert differs_from_twin(key, "added_mass") < TWIN


def test_munk_moment():
    """A hull with more added mass across than along turns broadside: N = (A11 - A22) u v, M = (A33 - A11) u w."""
    slender = ball(added_mass=np.diag([5.0, 60.0, 80.0, 0.0, 7.0, 7.0]))
    force = term(slender, "added_mass", nu=[2.0, 0.3, 0.4, 0, 0, 0])
    np.testing.assert_allclose(force[:3], 0.0, atol=1e-15)
    expected = [(60.0 - 80.0) * 0.3 * 0.4, (80.0 - 5.0) * 2.0 * 0.4, (5.0 - 60.0) * 2.0 * 0.3]
    np.testing.assert_allclose(force[3:], expected, rtol=1e-13)


def test_turning_water_pulls_inwards():
    force = term(ball(), "added_mass", nu=[2.0, 0, 0, 0, 0, 0.5])
    np.testing.assert_allclose(force, [0, -50.0 * 2.0 * 0.5, 0, 0, 0, 0], atol=1e-15)


@pytest.mark.parametrize("key", [key for key in LIBRARY if vehicle(key).coriolis == "full"])
def test_does_no_work(key):
    """A4 for the added mass: 200 random nu, relative to the powers that cancel."""
    of, plant = vehicle(key), plant_of(key)
    for nu in np.random.default_rng(5).normal(size=(200, 6)):
        powers = nu * put(plant, still(of, nu=nu)).forces()["added_mass"]
        assert abs(powers.sum()) <= 1e-12 * np.abs(powers).sum()


def test_no_coriolis_leaves_only_the_drift():
    """coriolis = "none" (errata B59): nothing in still water; M_A d(nu_c)/dt all the same in a current."""
    plain = ball(coriolis="none")
    np.testing.assert_array_equal(term(plain, "added_mass", nu=np.ones(6)), 0.0)
    drift = term(plain, "added_mass", current_dot_n=np.array([0.1, -0.2, 0.3]))
    np.testing.assert_allclose(drift, [5.0, -10.0, 15.0, 0, 0, 0], rtol=1e-14)


def test_a_turning_body_sees_a_steady_current_turn():
    """d(R^T c)/dt = -omega x R^T c: heading north, r = 0.5, current north 1 m/s turns to port, -r c along y."""
    now = still(ball(), nu=np.array([1.0, 0, 0, 0, 0, 0.5]), current_n=np.array([1.0, 0, 0]))
    np.testing.assert_allclose(term(ball(), "added_mass", now), [0, -50.0 * 0.5, 0, 0, 0, 0], atol=1e-15)


def test_asymmetric_products_of_added_mass_enter_both_ways():
    """Y from an angular acceleration of the water and N from a linear one share Y_rdot: C from momenta, power 0."""
    added = np.diag([5.0, 60.0, 80.0, 2.0, 30.0, 30.0])
    added[1, 5] = added[5, 1] = 8.0
    nu = np.array([1.0, 0.2, 0.0, 0.0, 0.0, 0.4])
    p, h = (added @ nu)[:3], (added @ nu)[3:]
    expected = np.concatenate([-np.cross(nu[3:], p), -np.cross(nu[3:], h) - np.cross(nu[:3], p)])
    np.testing.assert_allclose(term(ball(added_mass=added), "added_mass", nu=nu), expected, rtol=1e-13, atol=1e-14)
