"""The vectorised autopilot against as many scalar ones: plans, flights, limits and every switching."""

import numpy as np
import pytest

from pelagos.control.autopilot.loops import LOOPS
from pelagos.control.autopilot.setpoints import plan
from pelagos.control.tuning.schedule import Schedule
from pelagos.control.vectorised.autopilot import Plans, VectorAutopilot, chosen
from pelagos.errors import CommandError
from pelagos.messages import QUANTITIES, Setpoint, VehicleStates
from tests.control.many_flights import DT, Pair, truths_of, vehicle
from tests.jit_off import needs_jit, without_jit


def rows(*wishes):
    return np.array([[wish.get(name, np.nan) for name in QUANTITIES] for wish in wishes])


@pytest.mark.parametrize("key, shares", [("phoenix", (0.2, 0.3, 0.39, 0.41, 0.6, 0.9)), ("remus100", (0.55, 0.6, 0.9))])
def test_each_row_has_the_plan_of_its_setpoint(key, shares):
    schedule = Schedule(vehicle(key))
    plans, top = Plans(schedule), schedule.top_speed
    wishes = [{"depth_m": 3.0, "speed_m_s": share * top} for share in shares]
    wishes += [{"heading_deg": 20.0}, {"depth_m": 3.0}, {}, {"speed_m_s": -0.1}]
    loops, speeds, drags = plans.make(rows(*wishes))
    for i, wish in enumerate(wishes):
        hold_plan = plan(schedule, Setpoint(**wish))
        named = {name for k, name in enumerate(LOOPS) if loops[i] >> k & 1}
        assert named == (hold_plan.loops | {"roll", "pitch"} if wish else set())
        assert speeds[i] == (hold_plan.speed or 0.0)
        assert drags[i] == (schedule.drag(hold_plan.speed or 0.0) if "surge" in hold_plan.loops else 0.0)


def test_rows_that_differ_in_values_alone_are_planned_once(monkeypatch):
    plans = Plans(Schedule(vehicle("remus100")))
    planned = []
    monkeypatch.setattr(
        "pelagos.control.vectorised.autopilot.plan", lambda s, wish: planned.append(wish) or plan(s, wish)
    )
    depths = np.linspace(1.0, 50.0, 40)
    plans.make(rows(*({"depth_m": d, "speed_m_s": 1.4 + 0.001 * d} for d in depths)))
    plans.make(rows({"depth_m": 7.0, "speed_m_s": 1.45}, {"depth_m": 7.0, "heading_deg": 1.0, "speed_m_s": 1.45}))
    assert len(planned) == 2


def test_at_a_slow_control_rate_speeds_are_judged_one_by_one():
    slow = Plans(Schedule(vehicle("remus100"), interval_s=0.2))
    step = slow.schedule.step
    kinds = slow.kinds(rows(*({"depth_m": 3.0, "speed_m_s": 1.4 + k * step} for k in range(3))))
    assert len(set(kinds.tolist())) == 3


def test_an_altitude_and_what_a_vehicle_cannot_do_are_refused():
    plans = Plans(Schedule(vehicle("remus100")))
    with pytest.raises(CommandError, match="not an altitude"):
        plans.make(rows({"depth_m": 3.0}, {"altitude_m": 3.0}))
    with pytest.raises(CommandError, match="need way"):
        plans.make(rows({"depth_m": 3.0, "speed_m_s": 0.01}))
    plans.make(rows({"depth_m": 3.0, "speed_m_s": 1.4}))
    with pytest.raises(CommandError, match=r"of stern_planes, and 15 are there; expected a speed_m_s of at least 1\.1"):
        plans.make(rows({"depth_m": 3.0, "speed_m_s": 1.4}, {"depth_m": 3.0, "speed_m_s": 0.8}))
    plans.make(rows({"speed_m_s": 0.8}))  # no depth is held


# The two share their functions; only sums over thrusters (BLAS in one, a loop in the other) may round differently,
# which loops carry on for the length of a flight. 1e-12 has been enough, 1e-9 is what is promised.
SAME = 1e-9
# At limits, which thrusters are held there may hang on that rounding for a tick: 1.6e-7 was seen.
AT_LIMITS = 1e-5
MOTIONS = (
    {"depth_m": 5.0},  # at rest
    {"depth_m": 4.0, "surge_m_s": 1.2, "heading_deg": 60.0, "roll_deg": 8.0},
    {"depth_m": 6.0, "surge_m_s": 0.6, "sway_m_s": 0.2, "pitch_deg": -6.0, "yaw_rate_deg_s": 5.0},
)


def saturated(pair):
    """Whether any thruster was at its limit."""
    drives = np.array(pair.drives)
    low, high = (np.array([getattr(t, name) for t in pair.many.vehicle.thrusters]) for name in ("minimum", "maximum"))
    return bool(((drives <= low) | (drives >= high)).any())


def test_a_hovering_vehicle_keeps_places_and_lets_them_go():
    pair = Pair("bluerov2_heavy", MOTIONS)
    pair.command(None, depth_m=[5.0, 9.0, 3.0], heading_deg=[0.0, 200.0, 350.0], north_m=[1, 30, 0], east_m=[0, 5, -8])
    pair.fly(60)
    pair.command([1], depth_m=2.0, heading_deg=10.0)
    pair.command([0], north_m=None, speed_m_s=0.5)  # the place goes, a speed comes: loops end and begin
    pair.command([2], heading_deg=None, pitch_deg=10.0, roll_deg=-5.0)
    pair.fly(60)
    pair.command([0], speed_m_s=None, north_m=3.0, east_m=2.0)
    pair.command([2], depth_m=None, pitch_deg=None, roll_deg=None, north_m=None)  # nothing is held any more
    assert pair.fly(60) < AT_LIMITS


@pytest.mark.slow
@pytest.mark.parametrize("key", ["remus100", "lauv", "iver3", "gavia", "phoenix"])
def test_a_vehicle_under_way_changes_heading_depth_and_speed(key):
    pair = Pair(key, MOTIONS)
    top = pair.many.schedule.top_speed
    pair.command(
        None, depth_m=[5.0, 3.0, 9.0], heading_deg=[0.0, 200.0, 350.0], speed_m_s=[0.9 * top, 0.6 * top, 0.7 * top]
    )
    pair.fly(60)
    pair.command([1], depth_m=2.0, heading_deg=10.0)
    pair.command([0], speed_m_s=0.55 * top)
    pair.command([2], depth_m=None, pitch_deg=5.0)
    pair.fly(60)
    pair.command([2], pitch_deg=None, depth_m=6.0, heading_deg=None)
    pair.command([0], depth_m=None, heading_deg=90.0)
    assert pair.fly(60) < (AT_LIMITS if key == "phoenix" else SAME)
    assert len(pair.many._stages) > 8  # from rest to full speed
    if key in ("gavia", "phoenix"):
        assert saturated(pair)


def test_a_reset_of_some_is_a_reset_of_these_alone():
    pair = Pair("bluerov2_heavy", MOTIONS)
    pair.command(None, depth_m=7.0, heading_deg=90.0, north_m=2.0, east_m=1.0)
    pair.fly(30)
    pair.scalar[1].reset()
    pair.many.reset([1])
    pair.fly(10)
    pair.scalar[0].reset()
    pair.scalar[2].reset()
    pair.many.reset(np.array([True, False, True]))
    assert pair.fly(20) < SAME


def test_rows_do_not_affect_each_other():
    few, all_of_them = VectorAutopilot(vehicle("gavia"), 2), VectorAutopilot(vehicle("gavia"), 7)
    rng = np.random.default_rng(5)
    depth, heading = rng.uniform(1.0, 20.0, 7), rng.uniform(0.0, 360.0, 7)
    all_of_them.command(depth_m=depth, heading_deg=heading, speed_m_s=1.5)
    few.command(depth_m=depth[[4, 1]], heading_deg=heading[[4, 1]], speed_m_s=1.5)
    for _ in range(15):
        motion = [rng.normal(0.0, 0.3, shape) for shape in ((7,), (7, 3), (7,), (7,), (7,), (7, 6), (7, 6), (7,))]
        whole = all_of_them.update(VehicleStates(*motion), DT)
        part = few.update(VehicleStates(*(x[[4, 1]] for x in motion)), DT)
        assert np.array_equal(part.thrusters, whole.thrusters[[4, 1]])  # bit for bit
        assert np.array_equal(part.surfaces, whole.surfaces[[4, 1]])


def test_setpoints_are_read_back_and_what_is_not_held_is_not_there():
    pilot = VectorAutopilot(vehicle("remus100"), 3)
    pilot.command(depth_m=[1.0, 2.0, 3.0], speed_m_s=1.5)
    pilot.command([2], depth_m=None, heading_deg=20.0)
    assert pilot.setpoint(1).quantities == ("depth_m", "speed_m_s") and pilot.setpoint(1).depth_m == 2.0
    assert pilot.setpoint(2).quantities == ("heading_deg", "speed_m_s")
    pilot.command(depth_m=None, heading_deg=None, speed_m_s=None)
    still = pilot.update(truths_of([Pair("remus100", MOTIONS[:1]).sims[0].state()] * 3), DT)
    assert not still.thrusters.any() and not still.surfaces.any()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("where", "changes", "text"),
    [
        (None, {"depht_m": 1.0}, 'did you mean "depth_m"?'),
        (None, {"depth_m": [1.0, -2.0]}, "depth_m[1] is -2; expected a number from 0 to 12000"),
        (None, {"depth_m": [1.0, np.nan]}, "depth_m[1] is nan"),
        (None, {"depth_m": [1.0, 2.0, 3.0]}, "depth_m is [1.0, 2.0, 3.0]; expected a number, or 2 of them"),
        (None, {"altitude_m": 5.0}, "many vehicles hold a depth, not an altitude"),
        (None, {"north_m": 5.0}, "east_m: is missing"),
        (None, {"north_m": 5.0, "east_m": 1.0}, "cannot hold a place: it has no thruster that pushes sideways"),
        ([2], {"depth_m": 5.0}, "where is [2]; expected indices from 0 to 1"),
        ([True], {"depth_m": 5.0}, "shape of the mask `where` is (1,); expected (2,)"),
    ],
)
def test_a_refused_command_is_one_sentence_and_changes_nothing(where, changes, text):
    pilot = VectorAutopilot(vehicle("remus100"), 2)
    pilot.command(depth_m=3.0)
    before = pilot.held.copy()
    with pytest.raises(CommandError) as refusal:
        pilot.command(where, **changes)
    assert text in str(refusal.value)
    assert np.array_equal(pilot.held, before, equal_nan=True)


def test_motions_of_another_number_are_refused():
    pilot = VectorAutopilot(vehicle("remus100"), 2)
    with pytest.raises(CommandError, match="number of vehicles in the states is 1; expected 2"):
        pilot.update(truths_of([Pair("remus100", MOTIONS[:1]).sims[0].state()]), DT)
    with pytest.raises(CommandError, match="n is 0; expected a whole number, 1 or above"):
        VectorAutopilot(vehicle("remus100"), 0)


def test_selection_of_vehicles():
    assert chosen(None, 3).tolist() == [0, 1, 2]
    assert chosen(np.array([True, False, True]), 3).tolist() == [0, 2]
    assert chosen([2, 0], 3).tolist() == [2, 0]
    assert chosen(1, 3).tolist() == [1]


def commands():
    """Of a short flight, fins at their limits: plain numbers."""
    pilot = VectorAutopilot(vehicle("remus100"), 2)
    pilot.command(depth_m=[30.0, 5.0], heading_deg=[170.0, 10.0], speed_m_s=1.8)
    rng = np.random.default_rng(3)
    rows = []
    for _ in range(4):
        motion = [rng.normal(0.0, 0.3, shape) for shape in ((2,), (2, 3), (2,), (2,), (2,), (2, 6), (2, 6), (2,))]
        actuations = pilot.update(VehicleStates(*motion), DT)
        rows += [*actuations.thrusters.ravel().tolist(), *actuations.surfaces.ravel().tolist()]
    return rows


@pytest.mark.slow
@needs_jit
def test_the_same_files_run_as_plain_python():
    plain = without_jit("tests.control.vectorised.test_autopilot", "commands()")
    assert commands() == pytest.approx(plain, rel=1e-9, abs=1e-12)  # the kernel, whose forces tune it, sums differently
