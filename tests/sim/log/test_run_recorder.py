"""The log of one simulation, kept in the file only, on the real kernel; `tests/session/test_run.py` has the rest."""

import pytest

from pelagos.messages import Event
from pelagos.scenario.build import prepare
from pelagos.scenario.read import scenario_from
from pelagos.sim.commands import DirectControl
from pelagos.sim.log.forces import LogError
from pelagos.sim.log.load import load_log
from pelagos.sim.log.recorder import FIRST_ROWS
from pelagos.sim.log.run_recorder import RunRecorder


@pytest.fixture
def made(tmp_path):
    scenario = scenario_from(
        {
            "vehicle": "remus100", "world": {"depth_m": 40.0}, "start": {"depth_m": 5.0, "surge_m_s": 1.0},
            "mission": [{"kind": "steady", "heading_deg": 0.0, "seconds_s": 99.0}],
        }
    )  # fmt: skip
    (sim,) = prepare(scenario).fleet.sims
    sim.in_run(True)
    log = RunRecorder(sim, tmp_path / "a.csv", log_rate_hz=5.0, forces=False, in_memory=False)
    log.begin()
    log.recorder._flush_every_s = 1e9  # never by the clock
    yield sim, log, tmp_path / "a.csv"
    log.recorder.close(complete=False)


def test_samples_come_at_the_rate_of_the_log_and_events_between_them(made):
    sim, log, path = made
    for tick in range(20):
        sim.tick()
        log.after([Event(sim.time_s, "mark", "here")] if tick == 9 else [])
    log.recorder.close()
    read = load_log(path)
    assert read.time_s.tolist() == pytest.approx([0.2 * k for k in range(11)])
    assert read.complete and [event.text for event in read.events] == ["here"]


def test_an_event_brings_all_before_it_to_the_disk(made):
    sim, log, path = made
    for tick in range(4):
        sim.tick()
        log.after([Event(sim.time_s, "mark", "here")] if tick == 3 else [])
    read = load_log(path)  # what a crash would leave
    assert len(read) == 3 and not read.complete


def test_columns_stay_whoever_steers(made):
    sim, log, path = made
    assert "leg" in sim.columns()
    sim.tick()
    sim.control(DirectControl(sim.vehicle))  # a mission no more: it has no legs to log
    assert "leg" not in sim.columns()
    for _ in range(3):
        sim.tick()
        log.after()
        log.after()
    log.recorder.close()
    read = load_log(path)
    assert read["leg"][0] == 0.0 and read["leg"][1:].tolist() != read["leg"][1:].tolist()  # NaN: not known
    assert read["north_m"][-1] == pytest.approx(float(sim.plant.position_n[0]), abs=1e-9)


def test_what_waits_is_bounded_and_counted(made):
    _sim, log, path = made
    for _ in range(2 * (FIRST_ROWS + 10)):
        log.after()
    assert len(load_log(path)) == FIRST_ROWS
    assert len(log.recorder) == FIRST_ROWS + 11  # with the sample at the start
    assert len(log.recorder.log()) < FIRST_ROWS  # the rest is in the file only


def test_a_full_disk_is_an_error_of_the_event(made, monkeypatch):
    _sim, log, _path = made

    def full(event):
        raise LogError("no space left")

    monkeypatch.setattr(log.recorder._writer, "event", full)
    with pytest.raises(LogError, match="no space left"):
        log.after([Event(0.0, "mark", "here")])
