"""Deflections for moments: exact within the limits, priorities in order, none from surfaces without effect."""

import numpy as np
import pytest

from pelagos.control.allocation.surfaces import SurfaceMix
from pelagos.control.base import PITCH, ROLL, YAW
from pelagos.vehicle.spec import ControlSurface

RUDDER, PLANES = ControlSurface("rudder", "dr", 0.4, time_constant_s=0.1), ControlSurface("planes", "ds", 0.2)
REACH = np.zeros((6, 2))  # wrench per radian: rudder pushes sway and yaw, planes heave and pitch
REACH[1, 0], REACH[YAW, 0] = 10.0, -8.0
REACH[2, 1], REACH[PITCH, 1] = -10.0, -6.0


def deflections(mix, tau):
    """Angles for the moments of a wrench."""
    return np.array(mix.deflect(*tau[3:].tolist())[0])


def test_each_axis_is_served_by_the_surface_that_has_its_moment():
    mix = SurfaceMix((RUDDER, PLANES), REACH)
    assert mix.axes == (PITCH, YAW)
    assert mix.lag_s == 0.1  # the slowest
    assert mix.limit(YAW) == pytest.approx(8.0 * 0.4, rel=1e-12)
    assert mix.limit(PITCH) == pytest.approx(6.0 * 0.2, rel=1e-12)
    assert mix.limit(ROLL) == 0.0
    assert mix.cross_force(YAW) == pytest.approx(10.0 / -8.0, rel=1e-12)
    assert mix.cross_force(PITCH) == pytest.approx(-10.0 / -6.0, rel=1e-12)


def test_deflections_give_the_commanded_moments_up_to_the_limit():
    mix = SurfaceMix((RUDDER, PLANES), REACH)
    tau = np.array([0.0, 0.0, 0.0, 0.0, 0.6, -1.6])
    delta = deflections(mix, tau)
    assert (REACH @ delta)[[PITCH, YAW]] == pytest.approx([0.6, -1.6], rel=1e-12)
    assert deflections(mix, 100.0 * tau) == pytest.approx([0.4, -0.2])  # both at their limits, each its own way
    assert mix.along(YAW) == pytest.approx([-0.4, 0.0])
    assert not mix.along(ROLL).any()


def test_one_surface_serves_the_first_claim_only():
    reach = np.zeros((6, 1))
    reach[PITCH], reach[YAW] = 5.0, 5.0
    assert SurfaceMix((PLANES,), reach).axes == (PITCH,)  # yaw would come with it, so it is not had one by one


def test_no_surfaces_serve_nothing():
    mix = SurfaceMix((), np.zeros((6, 0)))
    assert mix.axes == ()
    assert deflections(mix, np.ones(6)).shape == (0,)


def x_fins(rng, n=4):
    """Surfaces at any angle about the tail, each of which gives roll, pitch and yaw."""
    angles = rng.uniform(0.0, 2.0 * np.pi, n)
    reach = np.zeros((6, n))
    reach[3], reach[4], reach[5] = 0.2 * rng.uniform(0.5, 1.5, n), np.cos(angles), np.sin(angles)
    surfaces = tuple(ControlSurface(f"fin {i}", "", float(rng.uniform(0.2, 0.5))) for i in range(n))
    return SurfaceMix(surfaces, reach)


@pytest.mark.parametrize("seed", range(12))
def test_shared_surfaces_at_their_limits_are_a_bounded_least_squares_problem(seed):
    """Against scipy's solver of the same problem: weights 30, 30, 1 over each axis's own limit, effort 1e-4."""
    from scipy.optimize import lsq_linear

    rng = np.random.default_rng(seed)
    mix = x_fins(rng, 4 + seed % 3)
    assert mix.axes == (3, 4, 5)
    most = np.array([mix.limit(axis) for axis in mix.axes])
    tau = np.zeros(6)
    tau[3:] = rng.uniform(-1.2, 1.2, 3) * most
    weights = np.array([1.0, 30.0, 30.0]) / most
    a = np.vstack([weights[:, None] * mix.reach[3:] * mix.limits, 1e-4 * np.eye(len(mix.limits))])
    y = np.concatenate([weights * np.clip(tau[3:], -most, most), np.zeros(len(mix.limits))])
    best = lsq_linear(a, y, bounds=(-1.0, 1.0), tol=1e-14)
    delta = deflections(mix, tau)
    inside = mix._inverse @ tau[[3, 4, 5]]
    if (np.abs(inside) <= mix.limits).all():
        assert delta == pytest.approx(inside, abs=1e-12)
        return
    assert (np.abs(delta) <= mix.limits * (1 + 1e-12)).all()
    cost = float(np.sum((a @ (delta / mix.limits) - y) ** 2))
    assert cost <= 2.0 * best.cost * (1.0 + 1e-6) + 1e-12  # scipy's cost is half the sum of squares
    _, moments = mix.deflect(*tau[3:].tolist())
    assert moments == pytest.approx((mix.reach[3:] @ delta).tolist(), abs=1e-9)


def test_pitch_and_yaw_come_before_roll():
    """An X of four fins asked for full pitch and yaw and a roll beyond what is left: roll is what is missed."""
    angle = np.radians([45.0, 135.0, 225.0, 315.0])
    reach = np.zeros((6, 4))
    reach[3], reach[4], reach[5] = 0.3, np.cos(angle), np.sin(angle)
    mix = SurfaceMix(tuple(ControlSurface(f"fin {i}", "", 0.4) for i in range(4)), reach)
    tau = np.array([0.0, 0.0, 0.0, 0.9 * mix.limit(3), 0.6 * mix.limit(4), 0.3 * mix.limit(5)])
    got = mix.reach @ deflections(mix, tau)
    assert got[4:] == pytest.approx(tau[4:], rel=0.02)  # 1/30^2 of the cost of roll
    assert abs(got[3] - tau[3]) > 0.2 * abs(tau[3])
