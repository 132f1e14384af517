"""The mass matrix with ballast by hand, the inverse made by pack against the solution in the kernel, held axes."""

from dataclasses import replace

import numpy as np
import pytest

from pelagos.vehicle.pack.records import mass_matrix
from pelagos.vehicle.plant import Plant
from pelagos.vehicle.spec import Ballast
from tests.engine.probe import EVERY, RHO, G, ball, put, sample, still, term, vehicle
from tests.reference.everything import everything, situation
from tests.reference.textbook import Textbook

TANK = Ballast("tank", "tank", "kg", 0, 5, 0, 0.1, mass_per_unit=1.0, position_b=(0.5, 0.0, 0.0))
ENGINE = Ballast("engine", "engine", "m3", -1e-3, 1e-3, 0, 1e-5, volume_per_unit=1.0, position_b=(0.4, 0, 0))
SHIFTER = Ballast("shifter", "shifter", "m", -0.1, 0.1, 0, 0.01, mass_kg=10.0, axis_b=(1.0, 0, 0))


@pytest.mark.parametrize("key", EVERY)
def test_acceleration_equals_the_textbook(key):
    """Solution of a 6x6 system: rounding grows with the condition of M, up to 1e3 here, so 1e-10 leaves room."""
    for moment in sample(key):
        size = np.abs(moment.twin_acceleration).max()
        np.testing.assert_allclose(moment.engine_acceleration, moment.twin_acceleration, rtol=0, atol=1e-10 * size)


def test_ballast_changes_weight_and_balance():
    """2 kg at 0.5 m, 1 litre at 0.4 m, 10 kg moved to 0.05 m."""
    loaded = ball(ballast=(TANK, ENGINE, SHIFTER))
    force = term(loaded, "restoring", ballast=np.array([2.0, 1e-3, 0.05]))
    assert force[2] == pytest.approx((12.0 - RHO * 1e-3) * G, rel=1e-12)
    assert force[4] == pytest.approx(-(2.0 * 0.5 + 10.0 * 0.05 - RHO * 1e-3 * 0.4) * G, rel=1e-12)


def test_ballast_changes_inertia():
    """A wrench of 1 on each axis in turn gives the columns of M^-1 of the loaded body."""
    loaded = ball(ballast=(TANK, ENGINE, SHIFTER))
    plant = put(Plant(loaded), still(loaded, ballast=np.array([2.0, 1e-3, 0.05])))
    before = plant.acceleration()
    computed = np.zeros((6, 6))
    for i in range(6):
        plant.command["external"] = np.eye(6)[i]
        computed[:, i] = plant.acceleration() - before
    expected = Textbook(loaded).mass_matrix([2.0, 1e-3, 0.05])
    assert expected[1, 1] == pytest.approx(150.0 + 12.0)
    assert expected[5, 5] == pytest.approx(6.0 + 2.0 * 0.25 + 10.0 * 0.05**2)
    np.testing.assert_allclose(computed @ expected, np.eye(6), atol=1e-12)


def test_the_two_ways_to_solve_agree():
    """A tank without mass takes the path that builds and solves M; the plain body uses the inverse of pack."""
    nothing = replace(TANK, mass_per_unit=0.0)
    rng = np.random.default_rng(11)
    plain = replace(everything(), ballast=())
    for free in ((True,) * 6, (True, False, True, True, False, True), (True,) + (False,) * 5):
        single, other = replace(plain, free=free), replace(plain, free=free, ballast=(nothing,))
        for _ in range(5):
            now = situation(single, rng)
            direct = put(Plant(single), now).acceleration()
            solved = put(Plant(other), replace(now, ballast=np.zeros(1))).acceleration()
            np.testing.assert_allclose(solved, direct, rtol=0, atol=1e-12 * np.abs(direct).max())
            np.testing.assert_array_equal(solved[~np.array(free)], direct[~np.array(free)])


@pytest.mark.parametrize("ballast", [(), (replace(TANK, mass_per_unit=0.0),)])
def test_held_axes_leave_the_mass_matrix(ballast):
    """With surge alone free, u-dot = X / M11, however M11 couples to the held axes."""
    body = replace(ball().body, cg_b=(0.0, 0.1, 0.05))
    rail = ball(body=body, free=(True, False, False, False, False, False), ballast=ballast)
    plant = Plant(rail)
    plant.command["external"] = [30.0, 5.0, 6.0, 7.0, 8.0, 9.0]
    np.testing.assert_allclose(plant.acceleration(), [30.0 / 150.0, 0, 0, 0, 0, 0], rtol=1e-14)


@pytest.mark.parametrize("key", EVERY)
def test_packed_matrix_is_the_textbook_one(key):
    """With every ballast item at its initial value; the same products, so rounding only."""
    of = vehicle(key)
    expected = Textbook(of).mass_matrix([item.initial for item in of.ballast])
    np.testing.assert_allclose(mass_matrix(of), expected, rtol=1e-13, atol=1e-13)
