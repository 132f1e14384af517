"""The log of a vehicle, and a scenario ticked by the caller: orders, links, logs, end; on the real kernel."""

import logging

import numpy as np
import pytest

from pelagos.errors import CommandError, PelagosError
from pelagos.messages import Event
from pelagos.scenario.build import prepare
from pelagos.scenario.read import load_scenario, scenario_from
from pelagos.session import lockstep
from pelagos.session.lockstep import ROWS, LockstepDriver, LockstepLog
from pelagos.sim.commands import DirectControl
from pelagos.sim.log.forces import LogError
from pelagos.sim.log.load import load_log
from pelagos.sim.simulation import Simulation
from tests.console.riding_along import Watcher


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


PAIR = {
    "seed": 5,
    "world": {"depth_m": 40.0},
    "vehicle": [
        {"use": "remus100", "name": "mine", "start": {"depth_m": 5.0}},
        {
            "use": "remus100", "name": "other", "start": {"depth_m": 10.0, "east_m": 20.0, "surge_m_s": 1.0},
            "mission": [{"kind": "steady", "heading_deg": 0.0, "depth_m": 12.0, "seconds_s": 30.0}],
        },
    ],
}  # fmt: skip


def alone(**more):
    return scenario_from({"vehicle": "remus100", "world": {"depth_m": 40.0}, "start": {"depth_m": 5.0}, **more})


def test_ordered_like_a_simulation_it_goes_the_same_way_to_the_last_bit():
    scenario = alone(seed=3)
    sim = Simulation("remus100", scenario.world, seed=3)
    sim.place(depth_m=5.0)
    with LockstepDriver(scenario) as driver:
        for tick in range(60):
            if tick == 10:
                driver.order("actuators", {"thrusters": {"propeller_rpm": 1200.0}})
                sim.thrust(propeller_rpm=1200.0)
            if tick == 20:
                driver.order("actuators", {"surfaces": {"rudder_deg": 4.0}})
                sim.deflect(rudder_deg=4.0)
            if tick == 40:
                driver.order("setpoint", {"heading_deg": 20.0, "depth_m": 6.0})
                sim.command(heading_deg=20.0, depth_m=6.0)
            driver.tick()
            sim.tick()
            assert driver.sims[0].plant.position_n.tolist() == sim.plant.position_n.tolist()
        assert driver.time_s == pytest.approx(6.0)
        assert np.linalg.norm(sim.plant.position_n - [0.0, 0.0, 5.0]) > 0.5


@pytest.mark.slow
def test_the_first_vehicle_waits_for_orders_and_the_others_fly():
    with LockstepDriver(scenario_from(PAIR)) as driver:
        mine, other = driver.sims
        for _ in range(50):
            driver.tick()
        assert not mine.plant.command["actuators"]["thruster"].any()
        assert other.plant.command["actuators"]["thruster"].any()
        assert other.plant.position_n[0] > 3.0
        driver.order("sticks", {"surge": 1.0})
        driver.tick()
        assert mine.plant.command["actuators"]["thruster"].any()
        driver.order("rest", {})
        driver.tick()
        assert not mine.plant.command["actuators"]["thruster"].any()


@pytest.mark.parametrize(
    ("order", "values", "sentence"),
    [
        ("thrust", {}, "there is no order 'thrust'"),
        ("actuators", {"screws": {}}, "actuators has no key 'screws'"),
        ("actuators", {"thrusters": 7}, "expected names with numbers"),
        ("actuators", {"thrusters": {"propeller_rpm": 800.0}, "surfaces": {"rudder_deg": 90.0}}, "outside its limits"),
        ("actuators", {"thrusters": {"propeller_rpm": float("nan")}}, "expected a finite number"),
        ("setpoint", {"depth_m": 100.0}, "the water is 40 m deep here"),
        ("setpoint", {"dept_m": 1.0}, "depth_m"),
        ("sticks", {"surge": 2.0}, "from -1 to 1"),
        ("contact", {"key": "x"}, "a contact needs the key .position_m."),
    ],
)  # fmt: skip
def test_an_order_that_cannot_be_followed_is_a_sentence_and_changes_nothing(order, values, sentence):
    with LockstepDriver(alone()) as driver:
        driver.order("actuators", {"thrusters": {"propeller_rpm": 500.0}})
        before = driver.sims[0].controller.thrusters.tolist()
        with pytest.raises(CommandError, match=sentence.replace("(", r"\(")) as refusal:
            driver.order(order, values)
        assert "\n" not in str(refusal.value)
        assert driver.sims[0].controller.thrusters.tolist() == before


def test_riders_see_every_tick_and_every_event():
    link = Watcher()
    scenario = alone(event=[{"at_s": 0.5, "say": "half a second"}])
    with LockstepDriver(scenario, links=[link]) as driver:
        heard = []
        for _ in range(10):
            heard += driver.tick()
        driver.idle()
    assert link.calls == ["begin", *["before", "after"] * 10, "idle"]
    assert link.times == [k / 10.0 for k in range(1, 11)]
    assert [event["text"] for event in heard if event["kind"] == "event"] == ["half a second"]
    assert [event["text"] for event in link.events if event["kind"] == "event"] == ["half a second"]
    assert heard[0]["vehicle"] == "remus100"
    assert link.closed == 1


def test_a_rider_that_raises_changes_nothing_of_the_voyage(caplog):
    caplog.set_level(logging.CRITICAL, "pelagos.console")
    places = []
    for links in ((), (Watcher("bad", fails="after"), Watcher("worse", fails="before"))):
        with LockstepDriver(alone(), links=links) as driver:
            driver.order("actuators", {"thrusters": {"propeller_rpm": 1200.0}})
            for _ in range(30):
                driver.tick()
            places.append(driver.sims[0].plant.position_n.tolist())
    assert places[0] == places[1]


def test_the_scenario_ends_it():
    for more, ticks in (
        ({"duration_s": 1.0}, 10),
        ({"end": {"when": "time_s > 1.45"}}, 15),
        ({"event": [{"at_s": 0.7, "stop": True}]}, 7),
    ):
        with LockstepDriver(alone(**more)) as driver:
            done = 0
            while not driver.over:
                driver.tick()
                done += 1
            assert done == ticks
    with LockstepDriver(load_scenario("phoenix-hover")) as driver:
        for _ in range(20):
            driver.tick()
        assert not driver.over  # no mission is flown, so none is over, and a vehicle at rest is not stuck


def test_a_frozen_rider_is_seen():
    link = Watcher()
    with LockstepDriver(alone(), links=[link]) as driver:
        assert not driver.frozen
        link.frozen = True
        assert driver.frozen


@pytest.mark.slow
def test_logs_are_those_of_a_run_one_a_vehicle(tmp_path):
    with LockstepDriver(scenario_from(PAIR), log=tmp_path / "trip.csv") as driver:
        assert driver.files == {name: str(tmp_path / f"trip-{name}.csv") for name in ("mine", "other")}
        for tick in range(25):
            if tick == 10:
                driver.order("setpoint", {"depth_m": 6.0})  # another controller, the same columns
            driver.tick()
        end = [sim.plant.position_n[0] for sim in driver.sims]
    for name, north in zip(("mine", "other"), end, strict=True):
        log = load_log(tmp_path / f"trip-{name}.csv")
        assert log.complete and len(log) == 26
        assert log["north_m"][-1] == pytest.approx(north, abs=1e-9)
        assert log.meta["vehicle"] == "remus100"
    assert "leg" in [event.kind for event in load_log(tmp_path / "trip-other.csv").events]


def test_a_reset_is_as_new_and_has_a_log_of_its_own(tmp_path):
    link = Watcher()
    with LockstepDriver(alone(), log=tmp_path / "a.csv", links=[link]) as driver:
        for _ in range(5):
            driver.tick()
        driver.reset()
        assert driver.time_s == 0.0 and driver.begun == 2
        driver.tick()
    assert link.calls.count("begin") == 2 and link.closed == 1
    assert [len(load_log(tmp_path / name)) for name in ("a.csv", "a-2.csv")] == [6, 2]
    assert all(load_log(tmp_path / name).complete for name in ("a.csv", "a-2.csv"))


def test_a_voyage_that_breaks_leaves_a_log_that_can_be_read(tmp_path):
    with pytest.raises(ZeroDivisionError), LockstepDriver(alone(), log=tmp_path / "a.csv") as driver:
        for _ in range(5):
            driver.tick()
        driver.sims[0].external(lambda state: 1 / 0)
        driver.tick()
    log = load_log(tmp_path / "a.csv")
    assert not log.complete and len(log) == 6


def test_while_the_robot_thinks_all_that_happened_is_on_the_disk(tmp_path, monkeypatch):
    monkeypatch.setattr(lockstep, "FLUSH_S", 1e9)
    with LockstepDriver(alone(), log=tmp_path / "a.csv") as driver:
        for _ in range(7):
            driver.tick()
        driver.idle()
        assert len(load_log(tmp_path / "a.csv")) == 0  # not before its time: the disk is spared
        monkeypatch.setattr(lockstep, "FLUSH_S", 0.0)
        driver.idle()
        log = load_log(tmp_path / "a.csv")  # what a crash would leave now
        assert len(log) == 8 and not log.complete and log.time_s[-1] == driver.time_s


def test_a_disk_that_takes_no_more_ends_the_log_and_not_the_voyage(tmp_path, monkeypatch):
    with LockstepDriver(alone(), log=tmp_path / "a.csv") as driver:
        texts = []
        driver.links.publish = texts.append
        driver.tick()
        log = driver._logs[0]

        def full(table):
            raise LogError("no space left")

        monkeypatch.setattr(log, "_written_s", -1e9)  # what waits is to be written now
        monkeypatch.setattr(log._writer, "write", full)
        for _ in range(3):
            driver.tick()
        assert driver.time_s == pytest.approx(0.4)
        assert texts == [f"nothing more is logged to {tmp_path / 'a.csv'}: no space left"]


def test_closing_twice_is_closing_once():
    link = Watcher()
    driver = LockstepDriver(alone(), links=[link])
    driver.compile()
    assert driver.time_s == 0.0  # that was on another one
    driver.close()
    driver.close()
    assert link.closed == 1


def test_a_reset_whose_log_cannot_be_opened_is_refused_and_the_voyage_goes_on(tmp_path):
    folder = tmp_path / "logs"
    folder.mkdir()
    with LockstepDriver(load_scenario("first-dive"), log=folder / "run.csv") as driver:
        driver.tick()
        folder.rename(tmp_path / "elsewhere")
        with pytest.raises(PelagosError, match="run"):
            driver.reset()
        assert driver.time_s == pytest.approx(driver.sims[0].interval_s) and driver.begun == 1
        (tmp_path / "elsewhere").rename(folder)
        driver.tick()
    assert len(load_log(folder / "run.csv")) == 3  # the start and two ticks
