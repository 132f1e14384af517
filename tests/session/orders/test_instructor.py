"""Effect of each order of the instructor."""

import pytest

from pelagos.console.hello import hello_of
from pelagos.errors import CommandError
from pelagos.session.flight import Flight
from pelagos.session.source import Input
from tests.session.orders.flying import flight, flying, state

__all__ = ["flight", "flying"]


def test_faults_come_at_once_and_can_be_cleared(flight):
    flight.input(Input(surge=0.8))
    state(flight, 50)
    flight.order("fault", {"kind": "thruster_lost", "thruster": "front_port"})
    flight.order("fault", {"kind": "current_gust", "speed_m_s": 0.5, "to_deg": 90.0, "rise_s": 0.0})
    now = state(flight, 2)
    assert now["faults_acting"] == 2.0 and now["current_east_m_s"] == pytest.approx(0.5)
    events = [event["text"] for event in flight.take_events() if event["kind"] == "fault"]
    assert events == ["thruster lost (front_port) begins", "current gust begins"]
    flight.order("clear_faults", {})
    assert state(flight, 60)["faults_acting"] == 0.0


def test_water_that_came_in_is_shown(flight):
    flight.order("fault", {"kind": "leak", "rate_kg_s": 0.2, "seconds_s": None})
    now = state(flight, 101)
    assert now["flooded_kg"] == pytest.approx(0.4, abs=0.005)  # 2 s of it, within one interval


def test_words_of_the_instructor_reach_the_pages(flight):
    flight.order("message", {"text": " mind the pipe "})
    assert flight.take_events()[-1] | {"time_s": 0} == {
        "type": "event", "kind": "message", "text": "mind the pipe", "time_s": 0,
    }  # fmt: skip
    flight.order("pilot_name", {"name": " Ann "})
    assert flight.pilot == "Ann"


class TestConditions:
    @pytest.fixture
    def flight(self):
        flight = Flight("bluerov2_heavy", "royer_field")
        yield flight
        flight.close()

    def test_what_is_for_the_eye_changes_at_once(self, flight):
        state(flight, 10)
        flight.changed = False
        flight.order("conditions", {"image_delay_s": 0.5, "top_view": False, "visibility_m": 3.0})
        assert flight.ticks == 10 and flight.changed
        hello = hello_of(flight)
        assert hello["conditions"]["image_delay_s"] == 0.5 and hello["scene"]["visibility_m"] == 3.0

    def test_a_current_or_a_cable_begins_the_flight_anew(self, flight):
        state(flight, 10)
        flight.order("conditions", {"current_m_s": 0.3, "current_to_deg": 90.0, "cable": True})
        assert flight.ticks == 0 and flight.sim.tether is not None and "tether_length_m" in flight.columns
        now = state(flight)
        assert now["current_east_m_s"] == pytest.approx(0.3) and now["current_north_m_s"] == pytest.approx(
            0.0, abs=1e-9
        )
        flight.order("conditions", {"cable": False})
        assert flight.sim.tether is None

    def test_a_task_is_taken_up_and_left(self, flight):
        flight.order("task", {"name": "hover", "conditions": {"current_m_s": 0.0}})
        now = state(flight)
        assert now["task_phase"] == 1.0 and "score_points" in now
        assert now["north_m"] == pytest.approx(42.0, abs=0.1)  # where the task starts, north of the wellhead
        flight.order("task", {"name": None})
        assert state(flight)["task_phase"] == 0.0 and "score_points" not in flight.columns

    @pytest.mark.slow
    @pytest.mark.parametrize(
        ("name", "values"),
        [("reset", {}), ("conditions", {"current_m_s": 0.2}), ("task", {"name": "hover"}), ("task_start", {})],
    )
    def test_a_new_beginning_is_counted_and_nothing_else(self, flight, name, values):
        if name == "task_start":
            flight.order("task", {"name": "hover"})
            flight.tick()
        flight.order("lights", {"level": 0.5})
        flight.order("conditions", {"visibility_m": 9.0})
        before = flight.begun
        flight.order("lights", {"level": 0.6})
        flight.order("conditions", {"visibility_m": 8.0})  # for the eye alone
        assert flight.begun == before
        flight.order(name, values)
        assert flight.begun == before + 1
        flight.order("task", {"name": None})
        flight.order("conditions", {"current_m_s": None, "visibility_m": None})

    def test_a_flight_cannot_be_wound(self, flight):
        with pytest.raises(CommandError, match="seek needs a replay"):
            flight.order("seek", {"time_s": 1.0})


def test_the_instructor_sees_what_acts_and_clears_one_of_them(flight):
    thrusters = [t.name for t in flight.sim.vehicle.thrusters]
    for name in thrusters[:2]:
        flight.order("fault", {"kind": "thruster_lost", "thruster": name})
    flight.order("fault", {"kind": "tether_cut"})
    flight.order("fault", {"kind": "leak", "rate_kg_s": 1.0})
    state(flight, 50)
    acting = hello_of(flight)["faults_acting"]
    events = [event for event in flight.take_events() if event["kind"] == "fault"]
    assert events[-1]["faults_acting"] == acting
    assert [item["text"] for item in acting[:2]] == [f"thruster lost ({name})" for name in thrusters[:2]]
    assert [item["can_end"] for item in acting] == [True, True, False, True]
    flight.order("clear_faults", {"id": acting[0]["id"]})
    state(flight)
    over = [event for event in flight.take_events() if event["kind"] == "fault_over"]
    assert [item["id"] for item in over[0]["faults_acting"]] == [item["id"] for item in acting[1:]]
    flight.order("clear_faults", {})
    assert state(flight, 2)["faults_acting"] == 1.0
    words = " ".join(event["text"] for event in flight.take_events() if event["kind"] == "warning")
    assert "tether cut stays" in words and "water stay inside" in words
    with pytest.raises(CommandError, match="no fault acts with the id"):
        flight.order("clear_faults", {"id": acting[0]["id"]})
    flight.order("reset", {})
    assert hello_of(flight)["faults_acting"] == []


def test_a_task_flown_with_another_vehicle_says_so(flight):
    settings = flight.settings
    flight.order("task", {"name": "hover"})
    text = [event["text"] for event in flight.take_events() if event["kind"] == "task"][-1]
    meant = flight.attempt.trial.task.vehicle().key
    assert (f"it is made for {meant}" in text) == (meant != "bluerov2_heavy")
    flight.begin(settings)
