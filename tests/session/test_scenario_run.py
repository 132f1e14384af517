"""Runs of scenarios: log files, the end as the file states it, equal bytes for equal seeds."""

import pytest

import pelagos
from pelagos.errors import CommandError
from pelagos.scenario.build import prepare
from pelagos.scenario.read import scenario_from
from pelagos.session.scenario_run import RunPace, log_files, run_scenario

SEA = {"depth_m": 40.0}


def scenario(vehicle="bluerov2_heavy", **tables):
    return scenario_from({"vehicle": vehicle, "world": SEA, "duration_s": 1.0, **tables})


def test_logs_are_written_under_the_stem(tmp_path):
    outcome = run_scenario(scenario(output={"format": "csv"}), str(tmp_path / "one"))
    assert outcome.files == {"bluerov2_heavy": str(tmp_path / "one.csv")}
    log = pelagos.load_log(tmp_path / "one.csv")
    assert log.complete and log.meta["scenario"] == "scenario" and log.meta["scenario_tables"]["duration_s"] == 1.0
    two = scenario_from({"vehicle": [{"use": "lauv", "name": "a"}, {"use": "lauv", "name": "b"}]})
    assert log_files(two, "x") == {"a": "x-a.csv", "b": "x-b.csv"}


@pytest.mark.parametrize(
    ("tables", "end_s"),
    [
        ({}, 1.0),
        ({"end": {"when": "time_s > 0.45"}}, 0.5),
        ({"event": [{"at_s": 0.3, "stop": True}]}, 0.3),
        ({"mission": [{"kind": "steady", "seconds_s": 0.4}]}, 0.5),  # over at the first tick at which 0.4 s are gone
        ({"mission": [{"kind": "steady", "seconds_s": 0.4}], "end": {"after_s": 0.2}}, 0.7),
        ({"mission": [{"kind": "steady", "seconds_s": 0.4}], "end": {"mission_done": False}}, 1.0),
    ],
)
def test_what_ends_a_run(tables, end_s):
    log = run_scenario(scenario(**tables)).logs["bluerov2_heavy"]
    assert log.time_s[-1] == pytest.approx(end_s)


def test_a_mission_without_a_duration_ends_by_itself():
    tables = {"vehicle": "bluerov2_heavy", "world": SEA, "mission": [{"kind": "steady", "seconds_s": 0.4}]}
    assert scenario_from(tables).run().time_s[-1] == pytest.approx(0.5)


def test_same_seed_same_bytes_other_seed_other_readings(tmp_path):
    def flown(name, seed):
        run_scenario(scenario("remus100", sensor=True, seed=seed), str(tmp_path / name))
        return (tmp_path / f"{name}.csv").read_bytes()

    assert flown("a", 1) == flown("b", 1)
    assert flown("c", 2) != flown("a", 1)


def test_a_controller_of_ones_own_that_fails_is_named_with_its_line(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = (
        "class Mine:\n    def __init__(self, v): pass\n    def reset(self): pass\n    def update(self, t, dt): 1 / 0\n"
    )
    (tmp_path / "mine.py").write_text(text)
    tables = {"control": {"kind": "python", "class_name": "mine.py:Mine"}}
    with pytest.raises(CommandError, match=r"mine.py:Mine failed in line 4 of mine.py: ZeroDivisionError"):
        run_scenario(scenario(**tables))


def test_the_pace_is_that_after_the_first_interval(monkeypatch):
    """By a clock on which the first interval ends at 1000 s and four more of 0.1 s take 4 ms."""
    now = [0.0]
    monkeypatch.setattr("pelagos.session.scenario_run.time.perf_counter", lambda: now[0])
    (sim,) = prepare(scenario()).fleet.sims
    pace = RunPace(sim)
    assert pace.times_real() == 0.0
    for now[0] in (1000.0, 1000.001, 1000.002, 1000.003, 1000.004):
        sim.tick()
        pace.update()
    assert pace.times_real() == pytest.approx(0.4 / 0.004)
