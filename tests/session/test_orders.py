"""Effect of each order, and refused orders, which change nothing."""

import math

import numpy as np
import pytest

from pelagos.console.hello import hello_of
from pelagos.control.pilot.helm import FRAMES, GAINS
from pelagos.control.pilot.holds import QUANTITIES
from pelagos.errors import CommandError
from pelagos.session import order_fields
from pelagos.session.flight import Flight
from pelagos.session.orders import ORDERS
from pelagos.session.source import Input
from pelagos.sim.log.load import load_log
from pelagos.world.spec import World
from pelagos.world.structure import Structure


@pytest.fixture(scope="module")
def flying(tmp_path_factory):
    flight = Flight("bluerov2_heavy", "royer_field", tether=True, record_dir=tmp_path_factory.mktemp("tapes"))
    yield flight
    flight.close()


@pytest.fixture
def flight(flying):
    flying.order("reset", {})
    flying.take_events()
    return flying


def state(flight, ticks=1):
    for _ in range(ticks):
        flight.tick()
    return dict(zip(flight.columns, flight.state().tolist(), strict=True))


def test_each_order_has_fields_and_a_function():
    of_the_runner = {"pause", "time_scale"}
    assert set(order_fields.ORDERS) - of_the_runner == set(ORDERS)


def test_the_fields_have_the_names_and_limits_of_the_helm():
    assert {*QUANTITIES, "mission"} == set(order_fields.HOLDS)
    assert {name for names in QUANTITIES.values() for name in names} == set(order_fields.SETPOINTS)
    for frame in FRAMES:
        assert order_fields.checked_values("stick_frame", {"frame": frame}) == {"frame": frame}
    for gain in GAINS:
        assert order_fields.checked_values("gain", {"factor": gain}) == {"factor": gain}
        with pytest.raises(CommandError, match="gain factor"):
            order_fields.checked_values("gain", {"factor": gain * (1.1 if gain == max(GAINS) else 0.9)})


REFUSED = {
    "nix": [{}],
    "hold": [{"hold": "dept", "on": True}, {"hold": "depth"}, {"hold": "depth", "on": 1}, {"hold": None, "on": True},
             {"hold": "mission", "on": True}, {"hold": "depth", "on": True, "value": "deep"},
             {"hold": "depth", "on": True, "value": -5.0}, {"hold": "depth", "on": True, "valeu": 5.0}],
    "trim": [{"srge": 0.1}, {"surge": 2.0}],
    "stick_frame": [{"frame": "world"}, {}],
    "camera": [{"index": 9}, {"pan_deg": 10.0}, {"tlt_deg": 5.0}],
    "lights": [{"level": 1.5}, {}],
    "tether": [{}, {"ratio": 0.5}, {"ratio": 1.2, "rate_m_s": 1.0}, {"rate_m_s": "fast"}],
    "ship": [{}, {"north_m": 1.0}, {"follow": True, "stop": True}, {"north_m": "x", "east_m": 0.0}],
    "record": [{"on": False}, {}],
    "task_start": [{}],
    "task_abort": [{}],
    "pilot_name": [{"name": 7}, {"name": "x" * 81}],
    "fault": [{}, {"kind": "bang"}, {"kind": "leak"}, {"kind": "thruster_lost", "thruster": "front"},
              {"kind": "sensor_loss", "sensor": "imu"}, {"kind": "leak", "rate_kg_s": -1.0},
              {"kind": "leak", "rate_kg_s": 1.0, "at_s": 5.0}, {"kind": "leak", "rate_kg_s": 1.0, "colour": "red"}],
    "message": [{}, {"text": "  "}, {"text": "x" * 501}],
    "clear_faults": [{"name": "leak"}],
    "conditions": [{"curent_m_s": 1.0}, {"current_m_s": 50.0}, {"depth_control": "magic"}],
    "task": [{"name": "hoover"}, {"name": 3}, {"name": "hover", "conditions": {"cable": "long"}},
             {"name": "hover", "conditions": "calm"}, {"name": "hover", "condition": {"cable": True}}],
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(("name", "values"), [(name, item) for name, many in REFUSED.items() for item in many])
def test_what_cannot_be_done_is_refused_in_a_sentence_and_changes_nothing(flight, name, values):
    before, entries = flight.state().copy(), len(flight.journal)
    with pytest.raises(CommandError) as refusal:
        flight.order(name, values)
    text = str(refusal.value)
    assert 10 < len(text) < 400 and "\n" not in text and "Traceback" not in text
    assert np.array_equal(flight.state(), before, equal_nan=True) and len(flight.journal) == entries
    assert flight.ticks == 0


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
