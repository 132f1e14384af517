"""-C_RB(nu) nu: the printed equations, the twin, no work."""

from dataclasses import replace

import numpy as np
import pytest

from pelagos.vehicle.spec import Legacy
from tests.engine.probe import EVERY, LIBRARY, TWIN, ball, differs_from_twin, plant_of, put, still, term, vehicle
from tests.reference.rigid_body import inertial_terms_written_out, point_inertia


@pytest.mark.parametrize("key", EVERY)
def test_equals_the_textbook(key):
    assert differs_from_twin(key, "rigid_body") < TWIN


def test_equals_the_printed_lines_of_brutzman():
    """Right-hand inertial terms of (6.48)-(6.53), written out, for any CG and a full tensor."""
    rng = np.random.default_rng(1)
    for _ in range(20):
        a, cg = rng.normal(size=(3, 3)), rng.normal(size=3)
        body = replace(ball().body, cg_b=tuple(cg), inertia_o=point_inertia(100.0, cg) + np.eye(3) + a @ a.T)
        nu = rng.normal(size=6)
        printed = inertial_terms_written_out(100.0, body.cg_b, body.inertia_o, nu)
        # rounding of products of about 1e3 N
        np.testing.assert_allclose(term(ball(body=body), "rigid_body", nu=nu), printed, rtol=0, atol=1e-12 * 1e3)


def test_a_circling_mass_is_pulled_inwards():
    """u and r: m u r to port; a CG forward of O adds m x_G r^2 ahead."""
    body = replace(ball().body, cg_b=(0.3, 0.0, 0.0), inertia_o=np.diag([4.0, 20.0, 20.0]))
    force = term(ball(body=body), "rigid_body", nu=[2.0, 0, 0, 0, 0, 0.5])
    np.testing.assert_allclose(force, [100 * 0.3 * 0.25, -100 * 2 * 0.5, 0, 0, 0, -100 * 0.3 * 2 * 0.5], rtol=1e-14)


@pytest.mark.parametrize("key", LIBRARY)
def test_does_no_work(key):
    """A4: nu . C nu = 0 for 200 random nu, relative to the powers that cancel."""
    of, plant = vehicle(key), plant_of(key)
    for nu in np.random.default_rng(4).normal(size=(200, 6)):
        powers = nu * put(plant, still(of, nu=nu)).forces()["rigid_body"]
        assert abs(powers.sum()) <= 1e-12 * np.abs(powers).sum()


def test_a_published_program_may_leave_it_out():
    without = ball(legacy=Legacy(rigid_body_coriolis=False))
    np.testing.assert_array_equal(term(without, "rigid_body", nu=np.ones(6)), 0.0)
