"""Plans of many setpoints: those of `orders.plan`, row by row, and one plan for all that agree."""

import numpy as np
import pytest

from pelagos.control.autopilot.setpoints import plan
from pelagos.control.tuning.schedule import Schedule
from pelagos.control.vectorised.autopilot import Plans
from pelagos.control.vectorised.layout import LOOPS, QUANTITIES
from pelagos.errors import CommandError
from pelagos.messages import Setpoint
from tests.control.many_flights import vehicle


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
        found = plan(schedule, Setpoint(**wish))
        named = {name for k, name in enumerate(LOOPS) if loops[i] >> k & 1}
        assert named == (found.loops | {"roll", "pitch"} if wish else set())
        assert speeds[i] == (found.speed or 0.0)
        assert drags[i] == (schedule.drag(found.speed or 0.0) if "surge" in found.loops else 0.0)


def test_rows_that_differ_in_values_alone_are_planned_once(monkeypatch):
    plans = Plans(Schedule(vehicle("remus100")))
    asked = []
    monkeypatch.setattr(
        "pelagos.control.vectorised.autopilot.plan", lambda s, wish: asked.append(wish) or plan(s, wish)
    )
    depths = np.linspace(1.0, 50.0, 40)
    plans.make(rows(*({"depth_m": d, "speed_m_s": 1.4 + 0.001 * d} for d in depths)))
    plans.make(rows({"depth_m": 7.0, "speed_m_s": 1.45}, {"depth_m": 7.0, "heading_deg": 1.0, "speed_m_s": 1.45}))
    assert len(asked) == 2


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
    with pytest.raises(CommandError, match=r"of stern_planes, and 15 are there; ask for at least 1\.1"):
        plans.make(rows({"depth_m": 3.0, "speed_m_s": 1.4}, {"depth_m": 3.0, "speed_m_s": 0.8}))
    plans.make(rows({"speed_m_s": 0.8}))  # no depth is held
