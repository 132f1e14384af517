"""Functions of the control loops on plain objects, by hand; tests/control/vectorised compares one with many."""

from types import SimpleNamespace

import pytest

from pelagos.control.autopilot.loops import (
    AT_HEAVE,
    LOAD_SHARE,
    LOOPS,
    ON_HEAVE,
    ON_PLACE,
    ON_YAW,
    ActiveStage,
    LoopState,
    begin,
    clear,
    constants_of,
    largest_loads,
    loops_of,
    needed_for,
    switch,
    track_missed,
)
from pelagos.control.pid import PID
from pelagos.control.tuning.schedule import Schedule

NAN = float("nan")
STAGE = SimpleNamespace(speed=1.0)


def pids():
    return [PID(2.0, 0.5, 1.0) for _ in range(6)]


def test_a_set_of_loops_is_a_sum_of_bits():
    loops = loops_of(("heave", "place"))
    assert loops == ON_HEAVE | ON_PLACE
    assert [name for k, name in enumerate(LOOPS) if loops & 1 << k] == ["heave", "place"]


def test_loops_that_end_are_forgotten_and_others_begin_only_from_an_applied_wrench():
    lane, loops = LoopState(required=ON_YAW, active=ON_HEAVE | ON_PLACE, load_n=3.0, load_e=4.0), pids()
    loops[AT_HEAVE].integral = 7.0
    assert switch(lane, loops, 0.7, STAGE) == 0  # no wrench was applied yet
    assert loops[AT_HEAVE].integral == lane.load_n == lane.load_e == 0.0
    assert lane.active == ON_YAW and not lane.way_on  # 0.7 of the speed of the stage is no way
    lane.required, lane.applied = ON_YAW | ON_HEAVE, True
    assert switch(lane, loops, 0.9, STAGE) == ON_HEAVE and lane.way_on


def test_what_the_model_does_not_explain_is_a_load_up_to_a_limit():
    for applied, load in ((9.0, 4.0), (20.0, 6.0)):
        loop = PID(2.0, 0.5, 1.0)
        begin(loop, applied, 1.0, 0.0, 0.0, 3.0, 5.0, 6.0)  # 5 of it needed, a load of 6 at most
        assert loop.integral == load
        # the next output, with no time passed, is what was applied
        assert loop.update(1.0, 0.0, 0.0, rate=0.0, feedforward=3.0) == pytest.approx(applied, rel=1e-12)


def test_the_needed_force_is_that_of_the_linear_damping_or_the_resistance():
    loop = PID(2.0, 0.5, 1.0, approach_s=4.0)  # damping kp approach - kd = 7
    assert needed_for(loop, 0.5, 3.0, NAN) == 7.0 * 0.5 + 3.0
    assert needed_for(loop, 0.5, 3.0, 20.0) == 23.0


def test_a_missed_lift_is_taken_along_the_vertical_of_the_axes_that_are_served():
    lane, loops, down = LoopState(), pids(), (-0.6, 0.0, 0.8)
    missed, stage = (10.0, 0.0, -5.0, 0.0, 0.0, 0.0), SimpleNamespace(served=[True, False, True, False, False, False])
    track_missed(lane, loops, ON_HEAVE, missed, 0.0, down, stage, None, 0.1)
    # 0.6 x 10 + 0.8 x 5 N upwards were missed; back-calculation in kp / ki = 4 s
    assert loops[AT_HEAVE].integral == pytest.approx(-10.0 * 0.1 / 4.0, rel=1e-12)


def test_clear_forgets_everything_but_the_setpoint():
    lane, loops = (
        LoopState(required=3, active=3, applied=True, fading=True, pitch_cmd=0.1, load_n=2.0, speed=1.5),
        pids(),
    )
    loops[0].integral = 1.0
    clear(lane, loops)
    assert lane == LoopState(required=3, speed=1.5) and loops[0].integral == 0.0


def test_numbers_of_a_stage_and_of_a_vehicle(torpedo):
    schedule = Schedule(torpedo)
    stage = schedule.stage(1.5)
    active, loads = ActiveStage(schedule, stage), largest_loads(schedule, stage)
    assert active.by_fins == [False, True, True] and not any(active.by_thrust)  # rudder and planes, one screw
    assert loads[5] == LOAD_SHARE * stage.mix.limit(5)  # nothing but the rudder turns it
    assert constants_of(schedule).weight == -schedule.response.net_weight_n
