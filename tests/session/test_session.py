"""A session: the order of what a tick does, the address of orders, and what ends with a log that fails."""

import pytest

from pelagos.errors import CommandError
from pelagos.messages import Event
from pelagos.session.authority import Authority, Signal
from pelagos.session.links import LinkSet
from pelagos.session.session import Session
from pelagos.sim.fleet import Fleet
from pelagos.sim.log.forces import LogError
from pelagos.sim.log.run_recorder import RunRecorder
from pelagos.sim.simulation import Simulation
from pelagos.world.spec import World
from tests.console.riding_along import Watcher


def rov(name="", east_m=0.0):
    sim = Simulation("bluerov2_heavy", World(depth_m=30.0), name=name)
    sim.place(depth_m=5.0, east_m=east_m)
    return sim


class Rules:
    """Rules that note their calls."""

    def __init__(self, calls, ends_at_s=1e9):
        self.calls, self.ends_at_s, self.sim = calls, ends_at_s, None

    def update(self):
        self.calls.append("rules")
        self.sim.events.append(Event(self.sim.time_s, "rule", "at work", self.sim.name))

    def over(self):
        return self.sim.time_s >= self.ends_at_s - 1e-9


def test_a_tick_goes_from_links_over_simulation_and_rules_to_log_and_links():
    calls, sim = [], rov()

    class Noted(Session):
        def steer(self):
            calls.append(f"steer {sim.time_s:g}")

        def observe(self):
            calls.append(f"observe {sim.time_s:g}")

        def log_tick(self, events):
            calls.append(f"log {[event.kind for _, event in events]}")

    link = Watcher(act=lambda method, session: calls.append(method))
    rules = Rules(calls, ends_at_s=0.1)
    rules.sim = sim
    session = Noted([sim], None, rules, links=[link])
    assert not session.over
    session.tick()
    assert calls == ["begin", "before", "steer 0", "rules", "observe 0.1", "log ['rule']", "after"]
    assert session.over and session.ticks == 1 and session.time_s == pytest.approx(0.1)
    assert [event["text"] for event in session.take_events()] == ["at work"] == [event["text"] for event in link.events]
    assert session.take_events() == []
    session.close()
    assert link.closed == 1


def test_orders_go_to_the_vehicle_that_they_name():
    lead, two = rov("one"), rov("two", east_m=10.0)
    session = Session([lead, two], Fleet([lead, two]), authority=Authority.PROGRAM)
    session.order("setpoint", {"vehicle": "two", "depth_m": 6.0})
    session.order("sticks", {"surge": 0.5})
    assert two.held.depth_m == 6.0 and lead.held.depth_m is None and type(lead.controller).__name__ == "Pilot"
    session.order("rest", {})
    for _ in range(5):
        session.tick()
    assert not lead.plant.command["actuators"]["thruster"].any() and two.plant.command["actuators"]["thruster"].any()
    with pytest.raises(CommandError, match="there is no vehicle 'three'"):
        session.order("rest", {"vehicle": "three"})
    with pytest.raises(CommandError, match="there is no order 'trim'"):  # there is no helm
        session.order("trim", {"surge": 0.1})


def test_vehicles_of_a_fleet_collide():
    lead, two = rov("one"), rov("two", east_m=0.75)
    lead.place(sway_m_s=1.5)
    session = Session([lead, two], Fleet([lead, two]))
    for _ in range(20):
        session.tick()
    assert {"collision"} <= {event["kind"] for event in session.take_events()}
    assert lead.plant.position_n[1] < two.plant.position_n[1]


@pytest.mark.parametrize("needs_logs", [True, False])
def test_a_log_that_fails_ends_itself_and_the_session_only_if_it_needs_it(needs_logs, tmp_path, monkeypatch):
    sim = rov()
    recorder = RunRecorder(sim, path=tmp_path / "a.csv", forces=False)
    recorder.begin()
    posts = []
    session = Session([sim], recorders=[recorder], links=LinkSet(publish=posts.append), needs_logs=needs_logs)

    def full(table):
        raise LogError("no space left")

    monkeypatch.setattr(recorder.recorder._writer, "write", full)
    monkeypatch.setattr(recorder.recorder, "_flushed_s", -1e9)
    if needs_logs:
        with pytest.raises(LogError, match="no space left"):
            session.tick()
    else:
        session.tick()
        session.tick()
        assert posts == [f"nothing more is logged to {tmp_path / 'a.csv'}: no space left"]


def test_a_signal_changes_who_steers():
    session = Session([rov()], authority=Authority.WAITING)
    assert session.waits
    session.signal(Signal.START)
    assert not session.waits and session.authority.state is Authority.PILOT
