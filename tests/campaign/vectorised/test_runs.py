"""Events act on runs of a batch as they do on single runs."""

from dataclasses import replace

import numpy as np
import pytest

from pelagos.campaign.vectorised.engine import run_batched
from pelagos.campaign.vectorised.runs import Overrides
from pelagos.messages import Actuations
from pelagos.scenario.spec import ScenarioEvent
from pelagos.vehicle.load.vehicle import load_vehicle
from tests.campaign.batched_cases import HOVER, LINE, ORDERS, SAME, SATURATED, SURVEY, case, difference

LEGS = [
    {"kind": "trackline", "from_m": [0.0, 0.0], "to_m": [200.0, 0.0], "speed_m_s": 1.5},
    {"kind": "steady", "heading_deg": 60.0, "depth_m": 6.0, "speed_m_s": 1.3, "seconds_s": 15.0},
    {"kind": "steady", "heading_deg": 120.0, "seconds_s": 60.0},
]
CASES = {
    "setpoints between legs and by a condition": (LINE, {"mission": [], "event": [
        {"at_s": 5.0, "depth_m": 9.0}, {"when": "depth_m > 8 and time_s > 6", "heading_deg": 40.0, "say": "deep"},
        {"at_s": 30.0, "speed_m_s": 1.25},
    ]}),
    "within a mission": (LINE, {"mission": LEGS, "event": [
        {"at_s": 3.0, "depth_m": 9.0, "heading_deg": 90.0}, {"at_s": 20.0, "next_leg": True},
        {"at_s": 24.0, "depth_m": 3.0}, {"at_s": 45.0, "depth_m": 8.0, "speed_m_s": 1.25},
    ]}),
    "to the end of the mission": (LINE, {"end.after_s": 4.0, "mission": LEGS[:2], "event": [
        {"at_s": 0.0, "next_leg": True}, {"place_m": [5.0, 0.0], "radius_m": 4.0, "say": "passed"},
        {"at_s": 10.0, "next_leg": True, "say": "enough"}, {"at_s": 10.1, "say": "after it"},
    ]}),
    "survey": (SURVEY, {"event": [{"when": "leg >= 0 and time_s > 7", "depth_m": 3.0}, {"at_s": 40.0, "stop": True}]}),
    "single actuators": (HOVER, {"event": [
        {"at_s": 4.0, "thrust": {"front_port": 0.1}}, {"at_s": 8.0, "depth_m": 6.0, "thrust": {"rear_port": 0.0}},
        {"at_s": 20.0, "north_m": 4.0, "east_m": 1.0},
    ]}),
    "direct control": (ORDERS, {"event": [
        {"at_s": 4.0, "deflect": {"rudder_deg": -4.0}},
        {"when": "yaw_rate_deg_s < 0", "thrust": {"propeller_rpm": 600.0}},
        {"when": "abs(heading_deg - 350) < 2", "stop": True},
    ]}),
    "at the start": (LINE, {"mission": [], "event": [
        {"at_s": 0.0, "depth_m": 4.0}, {"when": "depth_m < 4", "stop": True},
    ]}),
}  # fmt: skip


def events_of(log):
    return [(event.time_s, event.kind, event.text, event.vehicle) for event in log.events]


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_events_are_those_of_single_runs(name):
    tables, changes = CASES[name]
    keys = {key.replace(".", "__"): value for key, value in changes.items()}
    # neighbours with other events, or none, do not matter
    runs = [case(tables, **keys), case(tables, **(keys | {"event": []})), case(tables, **keys, start__north_m=1.5)]
    logs = run_batched(runs)
    for scenario, log in zip(runs, logs, strict=True):
        alone = scenario.run()
        assert difference(alone, log)[0] < (SATURATED if name == "single actuators" else SAME)
        assert events_of(log) == events_of(alone)
    kinds = {event.kind for event in logs[0].events}
    assert "event" in kinds and "event" not in {event.kind for event in logs[1].events}


def test_an_event_that_cannot_be_applied_ends_its_run_alone():
    fine = case(HOVER, duration_s=3.0)
    beyond = ScenarioEvent(at_s=1.0, thrust={"front_port": 99.0})
    refused = replace(
        fine, vehicles=(replace(fine.vehicles[0], events=(beyond,)),)
    )  # a file is checked when it is read
    failed, fine = run_batched([refused, fine])
    with pytest.raises(type(failed)) as alone:
        refused.run()
    assert str(failed) == str(alone.value) and fine.time_s[-1] == 3.0


def test_setpoints_of_events_are_checked_before_the_run():
    refused = case(HOVER, duration_s=3.0, event=[{"at_s": 1.0, "speed_m_s": 9.0}])
    failed, fine = run_batched([refused, case(HOVER, duration_s=3.0)])
    with pytest.raises(type(failed)) as alone:
        refused.run()
    assert str(failed) == str(alone.value) and "event[0]" in str(failed) and fine.time_s[-1] == 3.0


def test_overrides_replace_single_commands():
    overrides = Overrides(load_vehicle("remus100"), 2)
    commands = Actuations(np.array([[1.0], [2.0]]), np.zeros((2, 2)), np.zeros((2, 0)))
    assert overrides.applied(commands) is commands
    overrides.set(1, "surfaces", 0, 0.3)
    assert overrides.applied(commands).surfaces.tolist() == [[0.0, 0.0], [0.3, 0.0]]
    assert overrides.applied(commands).thrusters.tolist() == [[1.0], [2.0]]
    overrides.clear(1)
    assert overrides.applied(commands).surfaces.tolist() == [[0.0, 0.0], [0.0, 0.0]]
