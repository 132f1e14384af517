"""Deflections for moments: exact inside the limits, claims in order, nothing from surfaces that cannot."""

import numpy as np
import pytest

from pelagos.control.base import PITCH, ROLL, YAW
from pelagos.control.surfaces import SurfaceMix
from pelagos.vehicle.spec import Surface

RUDDER, PLANES = Surface("rudder", "dr", 0.4, time_constant_s=0.1), Surface("planes", "ds", 0.2)
REACH = np.zeros((6, 2))  # wrench per radian: rudder pushes sway and yaw, planes heave and pitch
REACH[1, 0], REACH[YAW, 0] = 10.0, -8.0
REACH[2, 1], REACH[PITCH, 1] = -10.0, -6.0


def test_each_axis_is_served_by_the_surface_that_has_its_moment():
    mix = SurfaceMix((RUDDER, PLANES), REACH)
    assert mix.axes == (PITCH, YAW)
    assert mix.lag_s == 0.1  # the slowest
    assert mix.limit(YAW) == pytest.approx(8.0 * 0.4, rel=1e-12)
    assert mix.limit(PITCH) == pytest.approx(6.0 * 0.2, rel=1e-12)
    assert mix.limit(ROLL) == 0.0
    assert mix.cross_force(YAW) == pytest.approx(10.0 / -8.0, rel=1e-12)
    assert mix.cross_force(PITCH) == pytest.approx(-10.0 / -6.0, rel=1e-12)


def test_deflections_give_the_moments_asked_for_until_the_limit():
    mix = SurfaceMix((RUDDER, PLANES), REACH)
    wanted = np.array([0.0, 0.0, 0.0, 0.0, 0.6, -1.6])
    delta = mix.solve(wanted)
    assert (REACH @ delta)[[PITCH, YAW]] == pytest.approx([0.6, -1.6], rel=1e-12)
    assert mix.solve(100.0 * wanted) == pytest.approx([0.4, -0.2])  # both at their limits, each its own way
    assert mix.along(YAW) == pytest.approx([-0.4, 0.0])
    assert not mix.along(ROLL).any()


def test_one_surface_serves_the_first_claim_only():
    reach = np.zeros((6, 1))
    reach[PITCH], reach[YAW] = 5.0, 5.0
    assert SurfaceMix((PLANES,), reach).axes == (PITCH,)  # yaw would come with it, so it is not had one by one


def test_no_surfaces_serve_nothing():
    mix = SurfaceMix((), np.zeros((6, 0)))
    assert mix.axes == ()
    assert mix.solve(np.ones(6)).shape == (0,)
