"""Effect of each order of the pilot."""

import math

import pytest

from pelagos.errors import CommandError
from pelagos.session.flight import Flight
from pelagos.session.source import Input
from pelagos.sim.log.load import load_log
from pelagos.world.spec import World
from pelagos.world.structure import Structure
from tests.session.orders.flying import flight, flying, state

__all__ = ["flight", "flying"]


def test_trims_and_frames(flight):
    flight.order("trim", {"surge": 0.2, "yaw": -0.1})
    flight.order("stick_frame", {"frame": "north"})
    now = state(flight)
    assert (now["trim_surge"], now["trim_yaw"], now["stick_frame"]) == (0.2, -0.1, 2.0)
    assert now["stick_surge"] == 0.2  # as it acts
    flight.order("trim_reset", {})
    assert state(flight)["trim_surge"] == 0.0


def test_the_winch_pays_out_at_the_rate_it_was_told(flight):
    before = state(flight)["tether_length_m"]
    flight.order("tether", {"rate_m_s": 0.5})
    now = state(flight, 100)
    assert now["tether_rate_m_s"] == pytest.approx(0.5)
    assert now["tether_length_m"] - before == pytest.approx(1.0, abs=0.02)  # 2 s of it, less one interval
    flight.order("tether", {"fixed": True})
    assert state(flight, 2)["tether_rate_m_s"] == 0.0


def test_the_ship_is_sent_through_open_water_only():
    quay = Structure(kind="box", name="quay", center_m=(10.0, 0.0, 0.0), size_m=(1.0, 200.0, 200.0))
    world = World(depth_m=80.0, structures=(quay,))
    flight = Flight("bluerov2_heavy", world, tether={"length_m": 60.0}, start={"depth_m": 20.0})
    flight.tick()
    with pytest.raises(CommandError, match=r"quay is on the straight path to it; expected a place"):
        flight.order("ship", {"north_m": 20.0, "east_m": 0.0})
    flight.order("ship", {"north_m": 5.0, "east_m": 5.0})
    flight.close()


def test_the_ship_goes_where_it_is_sent(flight):
    start = state(flight)
    goal = start["ship_north_m"] + 3.0, start["ship_east_m"] - 4.0
    flight.order("ship", {"north_m": goal[0], "east_m": goal[1]})
    now = state(flight, 100)
    gone = math.hypot(now["ship_north_m"] - start["ship_north_m"], now["ship_east_m"] - start["ship_east_m"])
    # 2 s at the speed of the tether's ship, 1 m/s, on the straight line to the goal (3-4-5)
    assert gone == pytest.approx(2.0, abs=0.05)
    assert (now["ship_east_m"] - start["ship_east_m"]) / gone == pytest.approx(-0.8, abs=1e-6)
    flight.order("ship", {"stop": True})
    there = state(flight, 2)["ship_north_m"]
    assert state(flight, 20)["ship_north_m"] == there
    flight.order("ship", {"follow": True})
    assert [e["kind"] for e in flight.take_events()].count("order") == 3


def test_recording_goes_on_and_off(flight):
    flight.order("record", {"on": True})
    assert state(flight)["recording"] == 1.0
    with pytest.raises(CommandError, match="already"):
        flight.order("record", {"on": True})
    flight.order("record", {"on": False})
    assert state(flight)["recording"] == 0.0
    paths = [event["path"] for event in flight.take_events() if event["kind"] == "record"]
    flight.recordings.wait()
    assert len(paths) == 2 and paths[0] == paths[1]
    assert load_log(paths[0]).time_s.tolist() == [0.0, 0.02]


def test_the_pilot_gain_scales_what_the_sticks_do(flight):
    pushed = {}
    for factor in (0.5, 1.0):
        flight.order("reset", {})
        flight.order("gain", {"factor": factor})
        flight.input(Input(heave=1.0))
        now = state(flight, 50)
        pushed[factor] = now["heave_m_s"]
        assert now["gain"] == factor and len(flight.journal) == 2  # the order and the stick
    assert 0.4 < pushed[0.5] / pushed[1.0] < 0.8  # between the drag's square law and its linear one
    for wrong in ({}, {"factor": 2.0}, {"factor": True}):
        with pytest.raises(CommandError, match="gain"):
            flight.order("gain", wrong)
