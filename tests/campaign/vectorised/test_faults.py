"""Faults of runs of a batch are those of single runs."""

from dataclasses import replace

import pytest

from pelagos.campaign.run import fly_alone
from pelagos.campaign.vectorised.engine import run_batched
from pelagos.sim.faults.kinds import ThrusterLost
from tests.campaign.batched_cases import HOVER, LINE, ORDERS, SAME, SATURATED, bits, case, difference

GUST = {"kind": "current_gust", "speed_m_s": 0.4, "to_deg": 70.0, "rise_s": 3.0, "seconds_s": 11.0}
LEAK = {"kind": "leak", "rate_kg_s": 0.04, "room_kg": 0.5, "position_m": [0.2, 0.0, 0.05]}
CASES = {
    "lost and restored": (HOVER, [
        {"kind": "thruster_lost", "thruster": "front_port", "at_s": 5.0, "seconds_s": 10.0},
        {"kind": "thruster_weak", "thruster": "front_port", "share": 0.5, "when": "time_s > 12"},
    ]),
    "stuck": (HOVER, [
        {"kind": "thruster_stuck", "thruster": "rear_port", "when": "depth_m > 3.5", "seconds_s": 20.0},
        {"kind": "thruster_stuck", "thruster": "front_port", "at_s": 2.0},
    ]),
    "gusts": (HOVER, [GUST | {"at_s": 5.0}, GUST | {"at_s": 9.0, "rise_s": 0.0, "down_m_s": 0.1, "seconds_s": 4.03}]),
    "leak": (HOVER, [LEAK | {"at_s": 4.0}, LEAK | {"when": "flooded_kg > 0.3", "seconds_s": 5.0}]),
    "fins": (LINE, [
        {"kind": "fin_jammed", "surface": "rudder", "place_m": [10.0, 0.0], "radius_m": 6.0, "seconds_s": 20.0},
        {"kind": "fin_jammed", "surface": "rudder", "angle_deg": 8.0, "at_s": 25.0},
    ]),
    "under direct control": (ORDERS, [
        {"kind": "fin_jammed", "surface": "rudder", "at_s": 0.0}, LEAK | {"at_s": 1.0},
        {"kind": "thruster_lost", "thruster": "propeller", "at_s": 20.0}, GUST | {"when": "heading_deg > 20"},
    ]),
}  # fmt: skip
AT_LIMITS = ("stuck", "gusts")


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_faults_are_those_of_single_runs(name):
    tables, faults = CASES[name]
    later = [{**fault, "at_s": fault["at_s"] + 7.3} if "at_s" in fault else fault for fault in faults]
    runs = [case(tables, fault=faults), case(tables, fault=later, start__north_m=0.5)]
    factors = [{}, {"mass": 1.02, "thrust": 0.9}]
    logs = run_batched(runs, factors)
    for scenario, of_run, log in zip(runs, factors, logs, strict=True):
        (alone,) = fly_alone(scenario, [of_run]).values()
        assert difference(alone, log)[0] < (SATURATED if name in AT_LIMITS else SAME)
        assert [vars(event) for event in log.events] == [vars(event) for event in alone.events]
        assert log.meta["faults"] == alone.meta["faults"]
        assert sum(event.kind == "fault" for event in log.events) == 2 + 2 * (name == "under direct control")
    assert bits(run_batched(runs[1:], factors[1:])[0]) == bits(logs[1])


def test_faults_of_other_kinds_go_into_another_batch():
    runs = [case(HOVER, duration_s=2.0), case(HOVER, duration_s=2.0, fault=[LEAK | {"at_s": 0.5}])]
    plain, leaking = run_batched(runs)
    assert "flooded_kg" not in plain and leaking["flooded_kg"][-1] == pytest.approx(0.04 * 1.4, abs=1e-12)  # kg


def test_a_fault_without_a_target_fails_its_run_alone():
    plain = case(HOVER, duration_s=2.0)
    faults = [ThrusterLost(thruster=name, at_s=0.5) for name in ("nothing", "front_port")]
    runs = [replace(plain, vehicles=(replace(plain.vehicles[0], faults=(fault,)),)) for fault in faults]
    failed, fine = run_batched(runs)
    with pytest.raises(type(failed)) as alone:
        runs[0].run()
    assert str(failed) == str(alone.value) and fine.time_s[-1] == 2.0
