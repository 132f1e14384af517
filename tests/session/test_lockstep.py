"""A scenario ticked by the caller: orders, links, logs, end; on the real kernel."""

import logging

import numpy as np
import pytest

from pelagos.errors import CommandError, PelagosError
from pelagos.scenario.read import load_scenario, scenario_from
from pelagos.session.lockstep import LockstepSession
from pelagos.sim.log.forces import LogError
from pelagos.sim.log.load import load_log
from pelagos.sim.simulation import Simulation
from tests.console.riding_along import Watcher

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
    with LockstepSession(scenario) as session:
        for tick in range(60):
            if tick == 10:
                session.order("actuators", {"thrusters": {"propeller_rpm": 1200.0}})
                sim.thrust(propeller_rpm=1200.0)
            if tick == 20:
                session.order("actuators", {"surfaces": {"rudder_deg": 4.0}})
                sim.deflect(rudder_deg=4.0)
            if tick == 40:
                session.order("setpoint", {"heading_deg": 20.0, "depth_m": 6.0})
                sim.command(heading_deg=20.0, depth_m=6.0)
            session.tick()
            sim.tick()
            assert session.sims[0].plant.position_n.tolist() == sim.plant.position_n.tolist()
        assert session.time_s == pytest.approx(6.0)
        assert np.linalg.norm(sim.plant.position_n - [0.0, 0.0, 5.0]) > 0.5


@pytest.mark.slow
def test_the_first_vehicle_waits_for_orders_and_the_others_fly():
    with LockstepSession(scenario_from(PAIR)) as session:
        mine, other = session.sims
        for _ in range(50):
            session.tick()
        assert not mine.plant.command["actuators"]["thruster"].any()
        assert other.plant.command["actuators"]["thruster"].any()
        assert other.plant.position_n[0] > 3.0
        session.order("sticks", {"surge": 1.0})
        session.tick()
        assert mine.plant.command["actuators"]["thruster"].any()
        session.order("rest", {})
        session.tick()
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
    with LockstepSession(alone()) as session:
        session.order("actuators", {"thrusters": {"propeller_rpm": 500.0}})
        before = session.sims[0].controller.thrusters.tolist()
        with pytest.raises(CommandError, match=sentence.replace("(", r"\(")) as refusal:
            session.order(order, values)
        assert "\n" not in str(refusal.value)
        assert session.sims[0].controller.thrusters.tolist() == before


def test_riders_see_every_tick_and_every_event():
    link = Watcher()
    scenario = alone(event=[{"at_s": 0.5, "say": "half a second"}])
    with LockstepSession(scenario, links=[link]) as session:
        for _ in range(10):
            session.tick()
        heard = session.take_events()
        session.idle()
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
        with LockstepSession(alone(), links=links) as session:
            session.order("actuators", {"thrusters": {"propeller_rpm": 1200.0}})
            for _ in range(30):
                session.tick()
            places.append(session.sims[0].plant.position_n.tolist())
    assert places[0] == places[1]


def test_the_scenario_ends_it():
    for more, ticks in (
        ({"duration_s": 1.0}, 10),
        ({"end": {"when": "time_s > 1.45"}}, 15),
        ({"event": [{"at_s": 0.7, "stop": True}]}, 7),
    ):
        with LockstepSession(alone(**more)) as session:
            done = 0
            while not session.over:
                session.tick()
                done += 1
            assert done == ticks
    with LockstepSession(load_scenario("phoenix-hover")) as session:
        for _ in range(20):
            session.tick()
        assert not session.over  # no mission is flown, so none is over, and a vehicle at rest is not stuck


def test_a_frozen_rider_is_seen():
    link = Watcher()
    with LockstepSession(alone(), links=[link]) as session:
        assert not session.frozen
        link.frozen = True
        assert session.frozen


@pytest.mark.slow
def test_logs_are_those_of_a_run_one_a_vehicle(tmp_path):
    with LockstepSession(scenario_from(PAIR), log=tmp_path / "trip.csv") as session:
        assert session.files == {name: str(tmp_path / f"trip-{name}.csv") for name in ("mine", "other")}
        for tick in range(25):
            if tick == 10:
                session.order("setpoint", {"depth_m": 6.0})  # another controller, the same columns
            session.tick()
        end = [sim.plant.position_n[0] for sim in session.sims]
    for name, north in zip(("mine", "other"), end, strict=True):
        log = load_log(tmp_path / f"trip-{name}.csv")
        assert log.complete and len(log) == 26
        assert log["north_m"][-1] == pytest.approx(north, abs=1e-9)
        assert log.meta["vehicle"] == "remus100"
    assert "leg" in [event.kind for event in load_log(tmp_path / "trip-other.csv").events]


def test_a_reset_is_as_new_and_has_a_log_of_its_own(tmp_path):
    link = Watcher()
    with LockstepSession(alone(), log=tmp_path / "a.csv", links=[link]) as session:
        for _ in range(5):
            session.tick()
        session.reset()
        assert session.time_s == 0.0 and session.begun == 2
        session.tick()
    assert link.calls.count("begin") == 2 and link.closed == 1
    assert [len(load_log(tmp_path / name)) for name in ("a.csv", "a-2.csv")] == [6, 2]
    assert all(load_log(tmp_path / name).complete for name in ("a.csv", "a-2.csv"))


def test_a_voyage_that_breaks_leaves_a_log_that_can_be_read(tmp_path):
    with pytest.raises(ZeroDivisionError), LockstepSession(alone(), log=tmp_path / "a.csv") as session:
        for _ in range(5):
            session.tick()
        session.sims[0].external(lambda state: 1 / 0)
        session.tick()
    log = load_log(tmp_path / "a.csv")
    assert not log.complete and len(log) == 6


def test_while_the_robot_thinks_all_that_happened_is_on_the_disk(tmp_path, monkeypatch):
    with LockstepSession(alone(), log=tmp_path / "a.csv") as session:
        recorder = session.recorders[0].recorder
        monkeypatch.setattr(recorder, "_flush_every_s", 1e9)
        for _ in range(7):
            session.tick()
        session.idle()
        assert len(load_log(tmp_path / "a.csv")) == 0  # not before its time: the disk is spared
        monkeypatch.setattr(recorder, "_flush_every_s", 0.0)
        session.idle()
        log = load_log(tmp_path / "a.csv")  # what a crash would leave now
        assert len(log) == 8 and not log.complete and log.time_s[-1] == session.time_s


def test_a_disk_that_takes_no_more_ends_the_log_and_not_the_voyage(tmp_path, monkeypatch):
    with LockstepSession(alone(), log=tmp_path / "a.csv") as session:
        texts = []
        session.links.publish = texts.append
        session.tick()
        recorder = session.recorders[0].recorder

        def full(table):
            raise LogError("no space left")

        monkeypatch.setattr(recorder, "_flushed_s", -1e9)  # what waits is to be written now
        monkeypatch.setattr(recorder._writer, "write", full)
        for _ in range(3):
            session.tick()
        assert session.time_s == pytest.approx(0.4)
        assert texts == [f"nothing more is logged to {tmp_path / 'a.csv'}: no space left"]


def test_closing_twice_is_closing_once():
    link = Watcher()
    session = LockstepSession(alone(), links=[link])
    session.compile()
    assert session.time_s == 0.0  # that was on another one
    session.close()
    session.close()
    assert link.closed == 1


def test_a_reset_whose_log_cannot_be_opened_is_refused_and_the_voyage_goes_on(tmp_path):
    folder = tmp_path / "logs"
    folder.mkdir()
    with LockstepSession(load_scenario("first-dive"), log=folder / "run.csv") as session:
        session.tick()
        folder.rename(tmp_path / "elsewhere")
        with pytest.raises(PelagosError, match="run"):
            session.reset()
        assert session.time_s == pytest.approx(session.sims[0].interval_s) and session.begun == 1
        (tmp_path / "elsewhere").rename(folder)
        session.tick()
    assert len(load_log(folder / "run.csv")) == 3  # the start and two ticks
