"""Allocation against the pseudo-inverse, its limits, its optimality and its ranks."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pelagos.control.allocation import Allocation, bounded_least_squares, effectiveness
from pelagos.control.base import HEAVE, PITCH, ROLL, SURGE, SWAY, YAW
from pelagos.vehicle.spec import Supply, Thruster

wrenches = st.lists(st.floats(-1.0, 1.0), min_size=6, max_size=6).map(np.array)
FULL = np.array([100.0, 100.0, 150.0, 20.0, 15.0, 25.0])


def force(name: str, at: tuple, along: tuple, limit: float = 100.0, low: float | None = None, group: int = -1):
    return Thruster(name, at, along, "force", -limit if low is None else low, limit, linear=1.0, group=group)


def vehicle_with(base, *thrusters, supplies=()):
    return replace(base, thrusters=thrusters, supplies=supplies)


def test_effectiveness_is_force_and_moment_of_a_unit_push():
    b = effectiveness((force("t", (0.5, 0.2, -0.1), (0.0, 0.0, 1.0)),))
    # r x d = (0.2, -0.5, 0): a push down at the bow pitches the nose down, at starboard rolls to starboard.
    assert b[:, 0].tolist() == pytest.approx([0.0, 0.0, 1.0, 0.2, -0.5, 0.0])


@given(tau=wrenches)
def test_unsaturated_answer_is_the_pseudo_inverse(rov, tau):
    allocation = Allocation(rov)
    tau = 0.05 * FULL * tau
    f = allocation.thrusts(tau)
    # Rank 6: the weights do not matter and the least-norm solution is unique; rounding only.
    assert f == pytest.approx(np.linalg.pinv(allocation.b) @ tau, abs=1e-9)
    assert allocation.b @ f == pytest.approx(tau, abs=1e-9)


@settings(deadline=None)
@given(tau=wrenches, scale=st.floats(0.1, 100.0))
def test_limits_are_never_exceeded(rov, tau, scale):
    allocation = Allocation(rov)
    share = allocation.solve(scale * FULL * tau)
    assert np.all(share.thrusts <= allocation.high + 1e-12)
    assert np.all(share.thrusts >= allocation.low - 1e-12)
    assert np.all(np.abs(share.drives) <= 1.0)
    assert share.achieved == pytest.approx(allocation.b @ share.thrusts, abs=1e-12)


@settings(deadline=None)
@given(st.integers(0, 10_000))
def test_bounded_least_squares_is_optimal(seed):
    """The answer meets the Karush-Kuhn-Tucker conditions: no free variable and no limit can lower the cost."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 9))
    a = np.vstack([rng.normal(size=(6, n)), 1e-3 * np.eye(n)])
    y = np.concatenate([10 * rng.normal(size=6), np.zeros(n)])
    low, high = -rng.uniform(0.0, 2.0, n), rng.uniform(0.1, 2.0, n)
    x = bounded_least_squares(a, y, low, high, np.linalg.pinv(a) @ y)
    slope = a.T @ (a @ x - y)
    tolerance = 1e-8 * np.abs(a.T @ y).max()  # rounding of a 9 x 9 solve
    assert np.all((x >= low) & (x <= high))
    assert np.all(np.abs(slope[(x > low) & (x < high)]) < tolerance)
    assert np.all(slope[x <= low] > -tolerance)
    assert np.all(slope[x >= high] < tolerance)


def test_saturated_allocation_gives_up_travel_before_attitude(rov):
    allocation = Allocation(rov)
    wanted = np.array([500.0, 0.0, 0.0, 0.0, 0.0, 5.0])
    achieved = allocation.solve(wanted).achieved
    assert achieved[YAW] == pytest.approx(5.0, rel=0.05)
    # 30^2 heavier, yaw loses a few percent at most; surge gets what is left of 2 x (44.4 + 34.5) / sqrt 2 = 111.6 N.
    assert 60.0 < achieved[SURGE] < 111.6


def test_single_axis_limits(rov):
    allocation = Allocation(rov)
    # Vertical thrusters push up when driven ahead: 4 x 44.4 N up (negative z), 4 x 34.5 N down.
    assert allocation.limit(HEAVE, -1.0) == pytest.approx(4 * 44.4, rel=1e-9)
    assert allocation.limit(HEAVE, +1.0) == pytest.approx(4 * 34.5, rel=1e-9)
    # All four share surge equally, so the weaker astern ones limit it: 4 x 34.5 / sqrt 2.
    assert allocation.limit(SURGE) == pytest.approx(4 * 34.5 / 2**0.5, rel=1e-9)


def test_ranks(rov, torpedo, glider):
    assert Allocation(rov).rank == 6 and Allocation(rov).uncontrolled_axes == ()
    screw = Allocation(torpedo)
    assert screw.axes == (SURGE,)
    assert screw.uncontrolled_axes == ("sway", "heave", "roll", "pitch", "yaw")
    assert Allocation(glider).rank == 0
    assert Allocation(glider).solve(np.ones(6)).drives.size == 0


def test_pitch_that_comes_with_every_surge_is_not_an_axis(rov):
    """Two screws below the origin: surge and yaw can be chosen, pitch cannot."""
    twin = vehicle_with(
        rov, force("port", (0.0, -0.2, 0.1), (1.0, 0.0, 0.0)), force("starboard", (0.0, 0.2, 0.1), (1.0, 0.0, 0.0))
    )
    allocation = Allocation(twin)
    assert allocation.axes == (SURGE, YAW)
    achieved = allocation.solve(np.array([50.0, 0.0, 0.0, 0.0, 0.0, 4.0])).achieved
    assert achieved == pytest.approx([50.0, 0.0, 0.0, 0.0, 5.0, 4.0], abs=1e-9)


def test_tunnel_thrusters_command_five_axes(rov):
    six = vehicle_with(
        rov,
        force("port", (-1.0, -0.1, 0.0), (1.0, 0.0, 0.0)), force("starboard", (-1.0, 0.1, 0.0), (1.0, 0.0, 0.0)),
        force("bow v", (0.5, 0.0, 0.0), (0.0, 0.0, 1.0)), force("stern v", (-0.5, 0.0, 0.0), (0.0, 0.0, 1.0)),
        force("bow l", (0.6, 0.0, 0.0), (0.0, 1.0, 0.0)), force("stern l", (-0.6, 0.0, 0.0), (0.0, 1.0, 0.0)),
    )  # fmt: skip
    allocation = Allocation(six)
    assert allocation.axes == (SURGE, SWAY, HEAVE, PITCH, YAW)
    assert ROLL not in allocation.axes


@settings(deadline=None)
@given(tau=wrenches)
def test_one_way_thrusters(rov, tau):
    """Thrusters that only push still span what pairs of them can."""
    pairs = [force(f"{x}{s}", (x, 0.0, 0.0), (0.0, 0.0, s), low=0.0) for x in (-0.5, 0.5) for s in (1.0, -1.0)]
    allocation = Allocation(vehicle_with(rov, *pairs))
    wanted = np.array([0.0, 0.0, 40.0 * tau[2], 0.0, 15.0 * tau[4], 0.0])
    share = allocation.solve(wanted)
    assert np.all(share.thrusts >= 0.0)
    # The small cost of thrust bends the answer by its weight, 1e-6 of the reach squared.
    assert share.achieved == pytest.approx(wanted, abs=1e-3)


def test_a_shared_supply_scales_its_thrusters(rov):
    pump = Supply("pump", 120.0)
    pair = (
        force("port", (0.0, -0.2, 0.0), (1.0, 0.0, 0.0), group=0),
        force("starboard", (0.0, 0.2, 0.0), (1.0, 0.0, 0.0), group=0),
    )
    allocation = Allocation(vehicle_with(rov, *pair, supplies=(pump,)))
    assert allocation.limit(SURGE) == pytest.approx(120.0)
    share = allocation.solve(np.array([180.0, 0.0, 0.0, 0.0, 0.0, 0.0]))
    assert np.abs(share.thrusts).sum() == pytest.approx(120.0, rel=1e-12)


def test_inflow_is_the_speed_of_the_screw_along_its_axis(torpedo):
    allocation = Allocation(torpedo)
    nu_r = np.array([1.5, 0.3, 0.0, 0.0, 0.0, 0.2])
    assert allocation.inflow(nu_r).tolist() == pytest.approx([0.8 * 1.5], rel=1e-12)
    still, moving = (allocation.solve(np.array([5.0, 0, 0, 0, 0, 0]), x).drives[0] for x in (None, nu_r))
    assert moving > still  # the screw turns faster for the same push
