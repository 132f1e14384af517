"""A scenario behind the robot link: ticks, reset, events and commands by vehicle."""

import pytest

from pelagos.errors import CommandError
from pelagos.links.robot.messages import VehicleCommand
from pelagos.sim.log.load import load_log
from tests.links.robot.linked import PAIR, TABLES, tank_host


def test_a_sea_goes_tick_by_tick_and_is_done_when_the_scenario_is():
    sea = tank_host(duration_s=1.0)
    assert (sea.kind, sea.title, sea.rate_hz) == ("simulation", "tank", 10.0)
    for n in range(10):
        assert (sea.ticks, sea.done) == (n, False)
        sea.tick()
    assert sea.done and sea.time_s == 1.0
    sea.close(True)


def test_reset_begins_again_exactly(tmp_path):
    sea = tank_host(log=tmp_path / "run.csv")
    sea.apply({"": VehicleCommand(thrusters={"port_screw_rpm": 500.0})})

    def fly():
        messages = []
        for _ in range(20):
            sea.tick()
            messages.append((sea.time_s, sea.vehicles(False), sea.events()))
            sea.mark_published()
        return messages

    first = fly()
    sea.reset()
    assert (sea.ticks, sea.vehicles(False)["phoenix"]["ordered"]["thrusters"]["port_screw_rpm"]) == (0, 0.0)
    sea.apply({"": VehicleCommand(thrusters={"port_screw_rpm": 500.0})})
    assert fly() == first
    sea.close(True)
    logs = [load_log(path) for path in sorted(tmp_path.glob("*.csv"))]
    assert [len(log) for log in logs] == [21, 21] and all(log.complete for log in logs)


def test_events_are_told_once():
    tables = TABLES | {"event": [{"at_s": 0.5, "say": "half a second"}]}
    sea = tank_host(tables)
    texts_by_tick = []
    for _ in range(10):
        sea.tick()
        texts_by_tick.append([event["text"] for event in sea.events()])
        sea.mark_published()
    assert [k for k, texts in enumerate(texts_by_tick) if texts] == [4]
    assert texts_by_tick[4] == ["half a second"]
    sea.close(True)


def test_orders_go_to_the_vehicle_they_name():
    sea = tank_host(PAIR)
    assert [vehicle["name"] for vehicle in sea.descriptions()] == ["first", "second"]
    sea.apply({"second": VehicleCommand(sticks={"surge": 1.0})})
    for _ in range(20):
        sea.tick()
    states = sea.vehicles(False)
    assert states["second"]["state"]["surge_m_s"] > 0.3
    assert abs(states["first"]["state"]["surge_m_s"]) < 1e-6
    with pytest.raises(CommandError, match="there is no vehicle"):
        sea.apply({"third": VehicleCommand()})
    assert "second" in sea.stop()
    assert sea.stop() == ""  # nothing more to do
    assert [event.kind for event in sea.session.sims[0].events] == ["link"]
    sea.close(True)
