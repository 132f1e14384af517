"""Thrust allocation: pseudo-inverse, limits, optimality, ranks, and the report in words."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import lsq_linear, minimize

from pelagos.control.allocation.allocation import PRIORITY, Allocation, effectiveness, independent_axes
from pelagos.control.base import HEAVE, PITCH, ROLL, SURGE, SWAY, YAW
from pelagos.errors import CommandError
from pelagos.vehicle.library import list_vehicles
from pelagos.vehicle.load.vehicle import load_vehicle
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


@given(tau=wrenches, scale=st.floats(0.1, 100.0))
def test_limits_are_never_exceeded(rov, tau, scale):
    allocation = Allocation(rov)
    share = allocation.solve(scale * FULL * tau)
    assert np.all(share.thrusts <= allocation.high + 1e-12)
    assert np.all(share.thrusts >= allocation.low - 1e-12)
    assert np.all(np.abs(share.drives) <= 1.0)
    assert share.achieved == pytest.approx(allocation.b @ share.thrusts, abs=1e-12)


def test_saturated_allocation_gives_up_travel_before_attitude(rov):
    allocation = Allocation(rov)
    tau = np.array([500.0, 0.0, 0.0, 0.0, 0.0, 5.0])
    achieved = allocation.solve(tau).achieved
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


@given(tau=wrenches)
def test_one_way_thrusters(rov, tau):
    """Thrusters that only push still span what pairs of them can."""
    pairs = [force(f"{x}{s}", (x, 0.0, 0.0), (0.0, 0.0, s), low=0.0) for x in (-0.5, 0.5) for s in (1.0, -1.0)]
    allocation = Allocation(vehicle_with(rov, *pairs))
    tau = np.array([0.0, 0.0, 40.0 * tau[2], 0.0, 15.0 * tau[4], 0.0])
    share = allocation.solve(tau)
    assert np.all(share.thrusts >= 0.0)
    # The small cost of thrust bends the answer by its weight, 1e-6 of the reach squared.
    assert share.achieved == pytest.approx(tau, abs=1e-3)


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


def cost(allocation, tau, f):
    """What the allocation minimises, from its published parts."""
    return float(np.sum((allocation.stacked @ f - target(allocation, tau)) ** 2))


def target(allocation, tau):
    weights = np.zeros(6)
    reach = np.abs(allocation.b) @ np.maximum(allocation.high, -allocation.low)
    for i in allocation.axes:
        weights[i] = allocation.priority[i] / reach[i]
    return np.concatenate([weights * np.clip(tau, -reach, reach), np.zeros(allocation.n)])


@pytest.mark.parametrize("seed", range(30))
def test_any_layout_is_solved_as_scipy_does(rov, seed):
    """Random thrusters, limits and wrenches against scipy's trust-region solver of the same bounded problem."""
    rng = np.random.default_rng(seed)
    made = []
    for i in range(int(rng.integers(2, 11))):
        along = rng.normal(size=3)
        at, push = rng.uniform(-1.0, 1.0, 3), along / np.linalg.norm(along)
        made.append(force(f"t{i}", tuple(at), tuple(push), rng.uniform(10.0, 100.0), -rng.uniform(0.0, 60.0)))
    allocation = Allocation(vehicle_with(rov, *made))
    tau = rng.normal(size=6) * 150.0
    f = allocation.thrusts(tau)
    assert np.all((f >= allocation.low - 1e-12) & (f <= allocation.high + 1e-12))
    best = lsq_linear(allocation.stacked, target(allocation, tau), (allocation.low - 1e-12, allocation.high), tol=1e-14)
    # Neither may be better: scipy stops at 1e-14 of the cost, the effort term makes the minimum flat to 1e-8.
    assert cost(allocation, tau, f) == pytest.approx(2.0 * best.cost, rel=1e-7, abs=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(12))
def test_pump_limit_is_part_of_the_optimum(rov, seed):
    """No point inside limits and pumps costs less: SLSQP, from ten starts, finds none."""
    rng = np.random.default_rng(100 + seed)
    n, made = 6, []
    for i in range(n):
        along = rng.normal(size=3)
        at, push = rng.uniform(-1.0, 1.0, 3), along / np.linalg.norm(along)
        made.append(force(f"t{i}", tuple(at), tuple(push), group=(0, 0, 0, 1, 1, -1)[i]))
    limits = (120.0, 80.0)
    supplies = tuple(Supply(f"pump {g}", limit) for g, limit in enumerate(limits))
    allocation = Allocation(vehicle_with(rov, *made, supplies=supplies))
    tau = rng.normal(size=6) * 150.0
    f = allocation.thrusts(tau)
    fed = ((0, 1, 2), (3, 4))
    for members, limit in zip(fed, limits, strict=True):
        assert np.abs(f[list(members)]).sum() <= limit * (1.0 + 1e-9)  # rounding
    ours = cost(allocation, tau, f)
    held = [{"type": "ineq", "fun": lambda x, m=list(m), c=c: c - np.sum(x[m] + x[n:][m])}
            for m, c in zip(fed, limits, strict=True)]  # fmt: skip
    best = np.inf
    for _ in range(10):
        start = rng.uniform(0.0, 10.0, 2 * n)
        result = minimize(lambda x: cost(allocation, tau, x[:n] - x[n:]), start, method="SLSQP", constraints=held,
                          bounds=[(0.0, 100.0)] * (2 * n), options={"maxiter": 500, "ftol": 1e-12})  # fmt: skip
        best = min(best, float(result.fun)) if result.success else best
    # SLSQP meets its constraints to about 1e-6 of the thrust and may be that much better.
    assert ours <= best * (1.0 + 1e-4) + 1e-6


def test_pump_takes_from_travel_and_not_from_heading():
    """Scaling both screws alike would cut the yaw moment in the ratio 653 : 900."""
    allocation = Allocation(load_vehicle("seagrant1_pump"))
    tau = np.array([800.0, 0.0, 0.0, 0.0, 0.0, 50.0])
    share = allocation.solve(tau)
    assert np.abs(share.thrusts[:2]).sum() == pytest.approx(653.0, rel=1e-9)
    # Both axes reach alike in shares, so the error of yaw is (1/30)^2 of that of surge: 653 N of 800, 0.02 %.
    assert share.achieved[YAW] == pytest.approx(50.0, rel=2e-3)
    assert share.achieved[SURGE] == pytest.approx(653.0, rel=1e-3)


def test_priority_is_an_argument(rov):
    tau = np.array([500.0, 0.0, 0.0, 0.0, 0.0, 15.0])
    yaw = Allocation(rov).solve(tau).achieved
    surge = Allocation(rov, priority={"surge": 30.0, "yaw": 1.0}).solve(tau).achieved
    # 2 x (44.4 + 34.5) / sqrt 2 N are all the horizontal thrusters have ahead.
    assert surge[SURGE] == pytest.approx(111.6, rel=0.01) and surge[YAW] < 0.5 * yaw[YAW]
    assert yaw[YAW] == pytest.approx(15.0, rel=0.05) and yaw[SURGE] < surge[SURGE] - 10.0
    assert Allocation(rov, priority={"yaw": 30.0}).priority == PRIORITY
    for wrong, words in (
        ((1.0, 2.0), "priority is (1.0, 2.0); expected six weights, surge to yaw"),
        ({"jaw": 1.0}, "priority has no key 'jaw'; expected one of surge, sway"),
        ((1.0, 1.0, 0.0, 1.0, 1.0, 1.0), "priority of heave is 0; expected a number from 0.001 to 1000"),
    ):
        with pytest.raises(CommandError) as error:
            Allocation(rov, priority=wrong)
        assert words in str(error.value)


@pytest.mark.parametrize("lost", range(8))
def test_seven_thrusters_do_the_work_of_eight(rov, lost):
    allocation = Allocation(rov)
    allocation.set_health(lost, 0.0)
    assert allocation.rank == 6
    tau = 0.05 * FULL
    share = allocation.solve(tau)
    assert share.drives[lost] == 0.0 and share.thrusts[lost] == 0.0
    assert share.achieved == pytest.approx(tau, rel=1e-9)  # rounding: three of four still span their plane
    allocation.set_health(f"t{lost}", 1.0)
    assert allocation.solve(tau).thrusts == pytest.approx(Allocation(rov).solve(tau).thrusts, rel=1e-12)


def test_a_weak_thruster_gets_a_larger_drive_and_a_smaller_share(rov):
    allocation = Allocation(rov)
    sound = allocation.solve(0.1 * FULL)
    allocation.set_health(2, 0.5)
    weak = allocation.solve(0.1 * FULL)
    assert weak.achieved == pytest.approx(0.1 * FULL, rel=1e-9)
    assert abs(weak.thrusts[2]) < abs(sound.thrusts[2])
    assert 0.5 * allocation.curves[2].thrust(weak.drives[2]) == pytest.approx(weak.thrusts[2], rel=1e-9)
    assert allocation.high[2] == pytest.approx(0.5 * 44.4)


def test_an_axis_that_is_lost_leaves_the_list(rov):
    six = vehicle_with(
        rov,
        force("port", (-1.0, -0.1, 0.0), (1.0, 0.0, 0.0)), force("starboard", (-1.0, 0.1, 0.0), (1.0, 0.0, 0.0)),
        force("lateral", (0.6, 0.0, 0.0), (0.0, 1.0, 0.0)),
    )  # fmt: skip
    allocation = Allocation(six)
    assert allocation.axes == (SURGE, SWAY, YAW)
    allocation.set_health("lateral", 0.0)
    assert allocation.axes == (SURGE, YAW)
    text = allocation.report()
    assert "rank 2 of 6" in text and "lateral: lost" in text
    assert "sway   not commanded: no thruster pushes that way" in text
    for thruster, share in ((3, 0.5), ("bow", 0.5), (0, 1.5)):
        with pytest.raises(CommandError):
            allocation.set_health(thruster, share)


def test_one_way_thrusters_have_limits(rov):
    pairs = [force(f"{x}{s}", (x, 0.0, 0.0), (0.0, 0.0, s), low=0.0) for x in (-0.5, 0.5) for s in (1.0, -1.0)]
    allocation = Allocation(vehicle_with(rov, *pairs))
    assert allocation.axes == independent_axes(allocation.b) == (HEAVE, PITCH)
    assert allocation.limit(HEAVE) == pytest.approx(200.0, rel=5e-3)  # searched to a few thousandths
    assert allocation.limit(PITCH, -1.0) == pytest.approx(100.0, rel=5e-3)


def screw(name: str, y: float) -> Thruster:
    return Thruster(name, (0.0, y, 0.1), (1.0, 0.0, 0.0), "force", -100.0, 100.0, linear=1.0)


def test_the_report_says_what_comes_with_what(rov):
    twin = replace(rov, thrusters=(screw("port", -0.2), screw("starboard", 0.2)))
    text = Allocation(twin).report()
    # r x d = (0, z, -y) = (0, 0.1, +-0.2): 0.1 N m of pitch with each newton of surge.
    assert "pitch  not commanded: it comes with +0.1 N m per N of surge" in text
    assert "2 thrusters, rank 2 of 6" in text


@pytest.mark.parametrize("name", [entry.key for entry in list_vehicles()])
def test_the_report_of_every_vehicle(name):
    allocation = Allocation(load_vehicle(name))
    text = allocation.report()
    assert text.count(" not commanded: ") == (6 - allocation.rank if allocation.n else 0)
    # Rank by the claims of axes and rank by singular values are two ways to count the same; 0.02 is the share that
    # must be new, and singular values are smaller than the new part of a row by at most the square root of six.
    rows = allocation.b / np.array([1, 1, 1, *[np.abs(allocation.b[3:]).max(initial=1e-9)] * 3])[:, None]
    sizes = np.linalg.svd(rows, compute_uv=False) if allocation.n else np.zeros(1)
    assert allocation.rank == np.sum(sizes > 0.02 / 6**0.5 * max(sizes[0], 1e-9))


def test_a_pump_is_named_with_what_it_feeds():
    text = Allocation(load_vehicle("seagrant1_pump")).report()
    assert "pump: port, starboard share 653 N" in text


def test_no_thrusters(glider):
    assert Allocation(glider).report() == "no thrusters: no axis is commanded by thrust"
