"""The arrays of the vectorised autopilot against the scalar objects: the same gains, and all fields."""

import numpy as np

from pelagos.control.autopilot.autopilot import Autopilot
from pelagos.control.autopilot.loops import LOAD_SHARE, ActiveStage, LoopState
from pelagos.control.pid import PID
from pelagos.control.vectorised.layout import ACTIVE, GAINS, LANE, LOOP, STAGED, hull_of, lanes_for, stages_of
from tests.control.many_flights import vehicle


def test_a_stage_has_the_gains_that_a_scalar_autopilot_takes_at_its_speed():
    pilot = Autopilot(vehicle("phoenix"))
    s = pilot.schedule
    stages = [s.stage(share * s.top_speed) for share in (0.2, 0.5, 0.9)]
    tables = stages_of(s, stages)
    for i, stage in enumerate(stages):
        pilot._retune(stage)
        for j, at in enumerate(STAGED):
            assert all(tables.gains[i, j][name] == getattr(pilot._pids[at], name) for name in GAINS.names)
        for name, *_ in ACTIVE:
            if name != "most":
                assert np.array_equal(tables.stage[i][name], getattr(pilot._active, name))
        assert tables.stage[i]["speed"] == stage.speed and tables.stage[i]["trim_moment"] == stage.trim_moment
        assert tables.stage[i]["most"][5] == LOAD_SHARE * s.reach(5, stage)
    assert np.unique(tables.gains["kp"][:, 0]).size > 1  # not one for all speeds


def pilot_stage():
    schedule = Autopilot(vehicle("phoenix")).schedule
    return ActiveStage(schedule, schedule.stage(1.0))


def test_a_record_has_every_field_of_the_scalar_loop():
    assert set(LOOP.names) == set(PID.__dataclass_fields__)
    assert set(GAINS.names) < set(LOOP.names)
    assert set(LANE.names) == {"stage", *LoopState.__dataclass_fields__}
    stage = pilot_stage()
    assert {name for name, *_ in ACTIVE} | {"gains"} == set(vars(stage))


def test_many_begin_as_one_does():
    pilot = Autopilot(vehicle("bluerov2_heavy"))
    lanes = lanes_for(3, pilot)
    for at, loop in enumerate(pilot._pids):
        for field in PID.__dataclass_fields__:
            assert (lanes.pid[field][:, at] == getattr(loop, field)).all()
    assert np.isnan(lanes.held).all() and (lanes.lane["stage"] == -1).all()


def test_the_hull_is_that_of_the_scalar_allocation():
    pilot = Autopilot(vehicle("bluerov2_heavy"))
    hull, a = hull_of(pilot), pilot.schedule.allocation
    wrench = np.array([10.0, -5.0, 8.0, 0.5, 0.2, 1.0])
    assert np.allclose(hull.inverse @ wrench, a.thrusts(wrench), rtol=1e-12, atol=1e-12)
    assert hull.effect.shape == (6, 8) and hull.axes.all()
    assert hull.curve["n_table"].min() > 1  # the T200's table
