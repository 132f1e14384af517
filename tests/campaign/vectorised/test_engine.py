"""Runs of a batch give the same numbers as single runs, independent of batch composition."""

import numpy as np
import pytest

from pelagos.campaign.run import fly_alone
from pelagos.campaign.vectorised.engine import batchable, can_share_batch, equal_except, run_batched
from pelagos.errors import PelagosError
from pelagos.scenario.read import load_scenario
from tests.campaign.batched_cases import HOVER, LINE, ORDERS, SAME, SINK, SURVEY, bits, case, difference


@pytest.fixture(scope="module")
def scenarios():
    """Runs that differ in all that may differ, of four kinds; each is a minute."""
    return [
        case(LINE, world__current_m_s=0.3, start__heading_deg=20.0),
        case(SURVEY),
        case(HOVER, start__heading_deg=90.0),
        case(LINE, world__current_to_deg=200.0, mission__0__speed_m_s=1.2, duration_s=50.0),
        case(ORDERS),
        case(HOVER, control__north_m=-3.0, seed=9),
        case(ORDERS, control__deflect__rudder_deg=-2.0, start__depth_m=30.0),
        case(LINE, mission__0__law="ilos", start__depth_m=2.0),
    ]


@pytest.fixture(scope="module")
def together(scenarios):
    return run_batched(scenarios)


@pytest.mark.slow
def test_every_column_is_that_of_the_single_run(scenarios, together):
    for scenario, log in zip(scenarios, together, strict=True):
        alone = scenario.run()
        assert difference(alone, log)[0] < SAME
        assert [(e.time_s, e.kind, e.text) for e in log.events] == [(e.time_s, e.kind, e.text) for e in alone.events]
        assert log.meta == {**alone.meta, "versions": log.meta["versions"]}


@pytest.mark.slow
def test_how_runs_are_grouped_does_not_change_a_bit(scenarios, together):
    order = [6, 3, 5, 0]  # fewer, and the other way round
    again = run_batched([scenarios[i] for i in order])
    for i, log in zip(order, again, strict=True):
        assert bits(log) == bits(together[i])
    assert bits(run_batched([scenarios[7]])[0]) == bits(together[7])


@pytest.mark.slow
def test_factors_are_those_of_the_single_path():
    scenario = case(LINE, duration_s=20.0)
    factors = [{}, {"Y_uv": 1.3, "damping": 0.8}, {"mass": 1.01, "thrust": 0.9}]
    logs = run_batched([scenario] * 3, factors)
    for run_factors, log in zip(factors, logs, strict=True):
        assert difference(fly_alone(scenario, [run_factors])["remus100"], log)[0] < SAME
    assert difference(logs[0], logs[1])[0] > 1e-3  # they do something


def test_contact_with_the_bottom_is_in_the_log():
    log, alone = run_batched([case(SINK)])[0], case(SINK).run()
    assert (log["contact_with"] == -1.0).any()
    # a stiff contact magnifies rounding: 1e-8 after it has begun to slide and bounce
    assert difference(alone, log)[0] < 1e-7


def test_a_failed_run_stores_its_error_and_does_not_affect_others():
    fine = case(ORDERS, duration_s=3.0)
    runs = [
        fine,
        fine,  # made to diverge by its factor
        case(LINE, control__speed_m_s=9.0, mission=[]),
        fine,  # nothing to scale of that name
        case(LINE, mission__0__speed_m_s=9.0),
        case(SINK, start__depth_m=5.99),
        case(LINE, control__kind="sliding_mode"),
    ]
    factors = [{}, {"thrust": 1e12}, {}, {"Y_uw": 1.1}, {}, {}, {}]
    outcomes = run_batched(runs, factors)
    assert bits(outcomes[0]) == bits(run_batched([fine])[0])
    messages = [str(error) for error in outcomes[1:]]
    assert all(isinstance(error, PelagosError) for error in outcomes[1:])
    assert (
        "the motion diverged at 0." in messages[0]
        and "thrusters, X =" in messages[0]
        and "last good state: depth_m =" in messages[0]
    )
    assert "control.speed_m_s" in messages[1]
    assert "Y_uw" in messages[2]
    assert "mission[0].speed_m_s" in messages[3] and "expected at most" in messages[3]
    assert "inside seabed; expected a place in open water" in messages[4]
    assert "cannot be batched" in messages[5]
    for i in (2, 4, 5):
        try:
            runs[i].run()
        except PelagosError as alone:
            assert str(alone) == str(outcomes[i])


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({}, ""),
        ({"sensor": True}, "its sensor imu measures at"),
        ({"sensor": [{"kind": "dvl"}, {"kind": "depth", "rate_hz": 10.0}]}, ""),
        (
            {"sensor": [{"kind": "depth", "rate_hz": 20.0}]},
            "its sensor depth measures at 20 Hz, faster than the control",
        ),
        ({"sensor": [{"kind": "imaging_sonar"}]}, "its sensor imaging_sonar makes images"),
        ({"sensor": [{"kind": "dvl", "water_layer_m": 3.0}]}, "its sensor dvl measures the current away from the veh"),
        (
            {"sensor": [{"kind": "depth"}], "fault": [{"kind": "sensor_loss", "sensor": "depth", "at_s": 1.0}]},
            "fault 0 acts on a sensor",
        ),
        ({"integrator": "adaptive"}, 'its integrator is "adaptive"'),
        ({"control.hold": ["depth"]}, "it has coordinates held by numbers"),
        ({"event": [{"at_s": 3.0, "say": "here", "depth_m": 8.0}]}, ""),
        ({"event": [{"at_s": 3.0, "depth_m": 8.0}, {"at_s": 3.0, "altitude_m": 4.0}]}, "event 1 commands an altitude"),
        ({"event": [{"at_s": 3.0, "sticks": {"surge": 0.5}}]}, "event 0 moves sticks"),
        ({"fault": [{"kind": "thruster_lost", "thruster": "propeller", "at_s": 3.0}]}, ""),
        ({"output.forces": True}, "it logs forces"),
        ({"speed": 2.0}, "it is held back to the clock"),
        ({"kinematics": "euler"}, "its kinematics"),
        ({"mission[0].depth_m": None, "mission[0].altitude_m": 3.0}, "leg 0, trackline, follows the bottom"),
        ({"control.depth_m": None, "control.altitude_m": 3.0, "mission": []}, "it holds an altitude"),
    ],
)
def test_scenarios_that_cannot_be_batched_give_the_reason(changes, reason):
    tables = {**LINE, "control": dict(LINE["control"]), "mission": [dict(LINE["mission"][0])]}
    for key in [key for key, value in changes.items() if value is None]:
        (tables["control"] if "control" in key else tables["mission"][0]).pop("depth_m")
    settings = {key.replace(".", "__"): value for key, value in changes.items() if value is not None}
    actual_reason = batchable(case(tables, **settings))
    assert actual_reason.startswith(reason) and bool(actual_reason) == bool(reason)


def test_setpoints_of_events_need_an_autopilot_throughout():
    assert "event 0 hands over" in batchable(case(ORDERS, event=[{"at_s": 3.0, "depth_m": 8.0}]))
    assert batchable(case(ORDERS, event=[{"at_s": 3.0, "thrust": {"propeller_rpm": 100.0}}])) == ""


def test_the_ready_trackline_can_be_batched_and_those_with_more_on_board_cannot():
    assert batchable(load_scenario("remus-trackline")) == ""
    assert "an estimator" in batchable(load_scenario("remus-lawnmower"))


def test_scenarios_that_can_share_a_batch():
    scenario = case(LINE)
    assert can_share_batch(scenario, case(LINE, world__current_m_s=0.4, world__current_to_deg=3.0, duration_s=5.0))
    assert can_share_batch(scenario, case(LINE, world__name="elsewhere"))
    assert not can_share_batch(scenario, case(LINE, world__depth_m=30.0))
    assert not can_share_batch(scenario, case(LINE, control_rate_hz=5.0))
    assert not can_share_batch(scenario, case(LINE, vehicle="lauv"))
    assert not can_share_batch(scenario, case(LINE, mission=[]))
    assert not can_share_batch(scenario, case(LINE, sensor=[{"kind": "depth"}]))
    noisy = [
        case(LINE, sensor=[{"kind": "depth", "noise_m": noise}], seed=i) for i, noise in enumerate((0.1, 0.1, 0.2))
    ]
    assert can_share_batch(*noisy[:2]) and not can_share_batch(*noisy[1:])


def test_descriptions_are_compared_by_value():
    a, b = load_scenario("remus-trackline").vehicles[0].vehicle, load_scenario("remus-trackline").vehicles[0].vehicle
    assert a is not b and equal_except(a, b)
    assert equal_except((1.0, float("nan"), np.arange(3)), (1.0, float("nan"), np.arange(3)))
    assert not equal_except((1.0, np.arange(3)), (1.0, np.arange(4)))
    assert not equal_except({"a": 1.0}, {"a": 2.0}) and not equal_except(1.0, "1.0")


def test_factors_for_some_runs_only_are_refused():
    with pytest.raises(PelagosError, match="number of factors is 1; expected 2, one mapping for each run"):
        run_batched([case(LINE)] * 2, [{}])
