"""The log of one vehicle of a driver."""

import pytest

from pelagos.messages import Event
from pelagos.scenario.build import prepare
from pelagos.scenario.read import scenario_from
from pelagos.session import lockstep
from pelagos.session.lockstep import ROWS, LockstepLog
from pelagos.sim.commands import DirectControl
from pelagos.sim.log.forces import LogError
from pelagos.sim.log.load import load_log


@pytest.fixture
def made(tmp_path):
    scenario = scenario_from(
        {
            "vehicle": "remus100", "world": {"depth_m": 40.0}, "start": {"depth_m": 5.0, "surge_m_s": 1.0},
            "mission": [{"kind": "steady", "heading_deg": 0.0, "seconds_s": 99.0}], "log_rate_hz": 5.0,
        }
    )  # fmt: skip
    (sim,) = prepare(scenario).fleet.sims
    sim.in_run(True)
    log = LockstepLog(sim, tmp_path / "a.csv", scenario)
    yield sim, log, tmp_path / "a.csv"
    log.close(complete=False)


def test_samples_come_at_the_rate_of_the_scenario_and_events_between_them(made):
    sim, log, path = made
    for tick in range(20):
        sim.tick()
        log.keep()
        if tick == 9:
            log.event(Event(sim.time_s, "mark", "here"))
    log.close(complete=True)
    read = load_log(path)
    assert read.time_s.tolist() == pytest.approx([0.2 * k for k in range(11)])
    assert read.complete and [event.text for event in read.events] == ["here"]


def test_an_event_brings_all_before_it_to_the_disk(made):
    sim, log, path = made
    for _ in range(4):
        sim.tick()
        log.keep()
    log.event(Event(sim.time_s, "mark", "here"))
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
        log.keep()
        log.keep()
    log.close(complete=True)
    read = load_log(path)
    assert read["leg"][0] == 0.0 and read["leg"][1:].tolist() != read["leg"][1:].tolist()  # NaN: not known
    assert read["north_m"][-1] == pytest.approx(float(sim.plant.position_n[0]), abs=1e-9)


def test_what_waits_is_bounded(made, monkeypatch):
    _sim, log, path = made
    monkeypatch.setattr(lockstep, "FLUSH_S", 1e9)  # never by the clock
    for _ in range(2 * (ROWS + 10)):
        log.keep()
    assert len(load_log(path)) == ROWS


def test_a_full_disk_is_told_once_by_the_next_sample(made, monkeypatch):
    _sim, log, _path = made

    def full(event):
        raise LogError("no space left")

    monkeypatch.setattr(log._writer, "event", full)
    log.event(Event(0.0, "mark", "here"))
    with pytest.raises(LogError, match="no space left"):
        log.keep()
    log.keep()
