"""A mission that gets nowhere ends and says so; one that is slow or waits does not."""

import pytest

from pelagos.scenario.build import execute, prepare
from pelagos.scenario.read import scenario_from
from pelagos.scenario.rules import PATIENCE_S, StallMonitor

LEG = {"kind": "waypoints", "points_m": [[500.0, 0.0]], "speed_m_s": 1.2}
AGAINST = {"depth_m": 40.0, "current_m_s": 1.6, "current_to_deg": 180.0}


def scenario(**tables):
    base = {"vehicle": "remus100", "world": AGAINST, "control_rate_hz": 5.0, "log_rate_hz": 0.1}
    return scenario_from({**base, "start": {"depth_m": 10.0}, "control": {"depth_m": 10.0}, "mission": [LEG], **tables})


def test_a_current_that_is_too_strong_ends_the_run():
    outcome = execute(scenario())
    (log,) = outcome.logs.values()
    assert log.time_s[-1] == pytest.approx(PATIENCE_S, abs=30.0)  # s: it is carried off from the start
    assert log["north_m"][-1] == pytest.approx(-0.4 * log.time_s[-1], rel=0.1)  # m: speed less current
    assert log.events[-1].kind == "stalled" and "has not come nearer" in outcome.notes[-1]


def test_a_run_with_a_length_is_not_watched():
    ready = prepare(scenario(duration_s=1.0))
    assert ready.told() == () and not ready.over()


def test_legs_that_wait_are_left_alone():
    sim = prepare(scenario(vehicle="bluerov2_heavy", mission=[{"kind": "hold", "seconds_s": 5000.0}])).fleet.sims[0]
    sim.run(1.0)
    watch = StallMonitor()
    assert watch.update(sim.controller, sim.time_s, sim.plant.position_n, sim.name) is None
    assert watch.told == "" and watch._ahead == ()
