"""Rows of runs: done, failed, and that one does not disturb another."""

import math

import pytest

from pelagos.campaign.check import job_of
from pelagos.campaign.run import run_chunk, scenario_of
from pelagos.campaign.sampling import PlannedRun
from pelagos.sim.log.log import Log
from tests.campaign.tiny import PUSH, tiny

AHEAD = PlannedRun(0, 5, {"control.sticks.surge": 0.5, "world.current_m_s": 0.1})


def rows_of(*runs, **given):
    return run_chunk(job_of(tiny(**given)), runs)


def test_a_run_is_a_row_with_its_exact_values():
    (row,) = rows_of(AHEAD)
    assert (row["run"], row["seed"], row["status"], row["message"], row["engine"]) == (0, 5, "done", "", "single")
    assert row["world.current_m_s"] == 0.1 and row["simulated_s"] == pytest.approx(1.0) and row["wall_s"] > 0.0
    assert row["north_m"] > 0.05 and row["slow"] == 0.0


def test_a_value_out_of_range_is_the_failure_of_its_run():
    far = PlannedRun(1, 5, {"control.sticks.surge": 7.0, "world.current_m_s": 0.1})
    first, bad, last = rows_of(AHEAD, far, AHEAD._replace(run=2))
    assert bad["status"] == "failed" and "surge" in bad["message"] and "7" in bad["message"]
    assert bad["control.sticks.surge"] == 7.0 and "north_m" not in bad
    assert first["north_m"] == last["north_m"] == rows_of(AHEAD)[0]["north_m"]


def test_a_run_that_breaks_under_way_says_when(tmp_path):
    (tmp_path / "mine.py").write_text(
        "class Broken:\n"
        "    def __init__(self, vehicle): pass\n"
        "    def reset(self): pass\n"
        "    def update(self, seen, dt):\n"
        "        raise ZeroDivisionError('no')\n"
    )
    scenario = {**PUSH, "control": {"kind": "python", "class_name": str(tmp_path / "mine.py:Broken")}}
    (row,) = rows_of(PlannedRun(0, 1, {}), scenario=scenario, vary=[])
    assert row["status"] == "failed" and "ZeroDivisionError: no" in row["message"] and "\n" not in row["message"]


def test_logs_are_kept_if_asked_for(tmp_path):
    job = job_of(tiny(output={"logs": True}), str(tmp_path))
    (row,) = run_chunk(job, [AHEAD])
    log = Log.from_parquet(tmp_path / "run-000000.parquet")
    assert log["north_m"][-1] == row["north_m"] and log.meta["seed"] == 5


def test_vehicles_are_read_once():
    job = job_of(tiny())
    first, second = (scenario_of(job, AHEAD._replace(seed=seed))[0] for seed in (1, 2))
    assert first.vehicles[0].vehicle is second.vehicles[0].vehicle and first.seed != second.seed
    other, _ = scenario_of(job, PlannedRun(0, 1, {"vehicle.change.body.mass_kg": 14.0}))
    assert other.vehicles[0].vehicle.body.mass_kg == 14.0 != first.vehicles[0].vehicle.body.mass_kg


def test_entries_of_lists_are_counted_between_points_or_in_brackets():
    scenario = {**PUSH, "control": {}, "mission": [{"kind": "hold", "depth_m": 5.0, "seconds_s": 1.0}]}
    job = job_of(tiny(scenario=scenario, vary=[]))
    for key in ("mission.0.depth_m", "mission[0].depth_m"):
        made, _ = scenario_of(job, PlannedRun(0, 1, {key: 7.0}))
        assert made.vehicles[0].mission[0].depth_m == 7.0


def test_a_metric_that_is_unknown_is_no_failure():
    (row,) = rows_of(AHEAD, metric=[{"name": "late_m", "column": "north_m", "from_s": 100.0}])
    assert row["status"] == "done" and math.isnan(row["late_m"])


def test_both_engines_say_when_a_run_diverged():
    scenario = {**PUSH, "control": {"kind": "autopilot", "depth_m": 6.0}}
    wild = PlannedRun(0, 1, {"vehicle.scale.damping": 300.0})
    batch, single = (rows_of(wild, scenario=scenario, vary=[], engine=name)[0] for name in ("batch", "single"))
    assert batch["status"] == single["status"] == "failed" and "diverged" in batch["message"]
    assert batch["simulated_s"] == single["simulated_s"] > 0.0
