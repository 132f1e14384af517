"""Events of a scenario are applied once, when their trigger fires; a mission without progress ends."""

import pytest

from pelagos.control.autopilot.autopilot import Autopilot
from pelagos.errors import CommandError
from pelagos.scenario.build import prepare
from pelagos.scenario.read import scenario_from
from pelagos.scenario.rules import PATIENCE_S, RunEnd, ScenarioEvents, SimulationTarget, StallMonitor, command_actuators
from pelagos.scenario.spec import End, ScenarioEvent
from pelagos.session.scenario_run import run_scenario
from pelagos.sim.commands import DirectControl
from pelagos.sim.simulation import Simulation
from pelagos.world.spec import World


def scenario(**tables):
    base = {"vehicle": "bluerov2_heavy", "world": {"depth_m": 40.0}, "duration_s": 1.0, "start": {"depth_m": 5.0}}
    return scenario_from({**base, **tables})


LEG = {"kind": "waypoints", "points_m": [[500.0, 0.0]], "speed_m_s": 1.2}
AGAINST = {"depth_m": 40.0, "current_m_s": 1.6, "current_to_deg": 180.0}


def against_the_current(**tables):
    base = {"vehicle": "remus100", "world": AGAINST, "control_rate_hz": 5.0, "log_rate_hz": 0.1}
    return scenario_from({**base, "start": {"depth_m": 10.0}, "control": {"depth_m": 10.0}, "mission": [LEG], **tables})


def rov():
    sim = Simulation("bluerov2_heavy", World(depth_m=40.0))
    sim.place(depth_m=5.0)
    return sim


def test_each_happens_once_at_its_time():
    log = run_scenario(scenario(event=[{"at_s": 0.3, "say": "three"}, {"at_s": 0.0, "say": "zero"}])).logs[
        "bluerov2_heavy"
    ]
    texts = [(event.time_s, event.text) for event in log.events if event.kind == "event"]
    assert texts == [(0.0, "zero"), (pytest.approx(0.3), "three")]


def test_a_condition_and_a_place_are_triggers_too():
    sim = rov()
    todo = ScenarioEvents(
        [ScenarioEvent(when="depth_m > 4", say="deep"), ScenarioEvent(place_m=(9.0, 0.0), say="there")]
    )
    todo.update(sim)
    assert [event.text for event in sim.events] == ["deep"]
    sim.place(north_m=8.0)
    todo.update(sim)
    todo.update(sim)
    assert [event.text for event in sim.events] == ["deep", "there"]  # within 5 m by default


def test_setpoints_reach_the_helm_also_inside_a_mission():
    ready = prepare(scenario(mission=[{"kind": "steady", "seconds_s": 9.0}], control={"depth_m": 5.0}))
    sim = ready.fleet.sims[0]
    ScenarioEvents([ScenarioEvent(at_s=0.0, depth_m=7.0)]).update(sim)
    assert sim.controller.setpoint.depth_m == 7.0
    assert sim.events[-1].text == "depth_m 7"


def test_without_a_controller_of_setpoints_an_autopilot_takes_over():
    sim = rov()
    assert isinstance(sim.controller, DirectControl)
    SimulationTarget(sim).hold({"depth_m": 6.0})
    assert isinstance(sim.controller, Autopilot) and sim.controller.setpoint.depth_m == 6.0


def test_orders_of_events_by_name():
    sim = rov()
    assert command_actuators(sim, ScenarioEvent(at_s=0.0, thrust={"front_port": 0.5})) == "front_port 0.5"
    assert sim.controller.thrusters[1] == 0.5 and sim.vehicle.thrusters[1].name == "front_port"


def test_stop_and_the_next_leg():
    ready = prepare(scenario(mission=[{"kind": "steady", "seconds_s": 9.0}, {"kind": "steady", "seconds_s": 9.0}]))
    sim = ready.fleet.sims[0]
    sim.tick()
    todo = ScenarioEvents([ScenarioEvent(at_s=0.0, next_leg=True), ScenarioEvent(at_s=0.0, stop=True)])
    todo.update(sim)
    sim.tick()
    assert sim.controller.index == 1 and todo.stop
    assert [event.text for event in sim.events] == ["on to the next leg", "the run is stopped"]


def test_orders_reach_the_drum():
    ready = prepare(scenario(tether={"length_m": 20.0}))
    sim = ready.fleet.sims[0]
    sim.tick()
    ScenarioEvents([ScenarioEvent(at_s=0.0, tether_rate_m_s=0.5)]).update(sim)
    before = sim.tether.length_m
    for _ in range(10):
        sim.tick()
    # half a metre in a second; the drum may be faster to start than one tick
    assert sim.tether.length_m - before == pytest.approx(0.5, abs=0.06)


def test_hauling_what_is_not_there_is_refused():
    with pytest.raises(CommandError, match="hauls the tether of bluerov2_heavy, which has none"):
        ScenarioEvents([ScenarioEvent(at_s=0.0, tether_rate_m_s=0.5)]).update(rov())


@pytest.mark.slow
def test_a_current_that_is_too_strong_ends_the_run():
    outcome = run_scenario(against_the_current())
    (log,) = outcome.logs.values()
    assert log.time_s[-1] == pytest.approx(PATIENCE_S, abs=30.0)  # s: it is carried off from the start
    assert log["north_m"][-1] == pytest.approx(-0.4 * log.time_s[-1], rel=0.1)  # m: speed less current
    assert log.events[-1].kind == "stalled" and "has not come nearer" in outcome.notes[-1]


def test_a_run_with_a_length_is_not_watched():
    ready = prepare(against_the_current(duration_s=1.0))
    assert ready.all_notes() == () and not ready.over()


def test_legs_that_wait_are_left_alone():
    sim = prepare(
        against_the_current(vehicle="bluerov2_heavy", mission=[{"kind": "hold", "seconds_s": 5000.0}])
    ).fleet.sims[0]
    sim.run(1.0)
    monitor = StallMonitor()
    assert monitor.update(sim.controller, sim.time_s, sim.plant.position_n, sim.name) is None
    assert monitor.message == "" and monitor._ahead == ()


def test_a_run_ends_some_time_after_its_missions():
    end = RunEnd(End(after_s=0.3))
    assert [end.missions_over(done, time_s) for done, time_s in ((False, 0.1), (True, 0.2), (True, 0.3))] == [False] * 3
    assert end.missions_over(True, 0.2 + 0.1 + 0.1 + 0.1 - 1e-12)  # short of 0.3 s by rounding
    assert not RunEnd(End(mission_done=False)).missions_over(True, 9.0)


def test_a_run_ends_on_its_condition_for_any_vehicle():
    sims = [rov(), rov()]
    sims[1].place(depth_m=8.0)
    assert RunEnd(End(when="depth_m > 7")).condition_holds(sims)
    assert not RunEnd(End(when="depth_m > 9")).condition_holds(sims) and not RunEnd(End()).condition_holds(sims)
