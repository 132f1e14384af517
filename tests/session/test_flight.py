"""Flights with the real kernel, helm, world and training task."""

import json
import math

import numpy as np
import pytest

from pelagos.console.hello import hello_of
from pelagos.errors import CommandError, DivergedError
from pelagos.scenario.read import load_scenario
from pelagos.session.flight import Flight
from pelagos.session.source import Input, TickSource
from pelagos.sim.log.load import load_log
from pelagos.world.spec import World


def fly(flight, seconds, **sticks):
    flight.input(Input(**sticks))
    for _ in range(round(seconds * flight.rate_hz)):
        flight.tick()
    return dict(zip(flight.columns, flight.state().tolist(), strict=True))


def events(flight, kind):
    return [event for event in flight.take_events() if event.get("kind") == kind]


@pytest.fixture
def flight():
    flight = Flight("bluerov2_heavy", World(depth_m=50.0), start={"depth_m": 10.0})
    yield flight
    flight.close()


def test_a_flight_is_a_source(flight):
    source: TickSource = flight
    assert source.rate_hz == 50.0 and source.time_s == 0.0 and source.changed and not source.done
    for _ in range(7):
        source.tick()
    assert source.time_s == pytest.approx(0.14)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("sticks", "column", "sign"),
    [
        ({"surge": 0.5}, "surge_m_s", 1), ({"sway": -0.5}, "sway_m_s", -1), ({"heave": 0.6}, "depth_rate_m_s", 1),
        ({"yaw": 0.3}, "yaw_rate_deg_s", 1), ({"roll": 0.3}, "roll_rate_deg_s", 1),
    ],
)  # fmt: skip
def test_the_vehicle_follows_the_sticks(flight, sticks, column, sign):
    state = fly(flight, 0.5, **sticks)
    assert sign * state[column] > 0.02
    name, value = next(iter(sticks.items()))
    assert state[f"stick_{name}"] == value


def test_camera_and_lamps_follow_too(flight):
    state = fly(flight, 0.5, tilt=0.5)
    # half a second at half of the camera's rate
    assert state["tilt_deg"] == pytest.approx(0.25 * math.degrees(flight.camera_mount.camera.rate_rad_s))
    flight.order("lights", {"level": 0.3})
    assert fly(flight, 0.02)["lights"] == 0.3


def test_a_hold_keeps_its_depth_and_says_so(flight):
    flight.order("hold", {"hold": "depth", "on": True, "value": 12.0})
    state = fly(flight, 20.0)
    assert state["hold_depth_m"] == 12.0
    assert state["depth_m"] == pytest.approx(12.0, abs=0.1)  # what a depth loop leaves after 20 s
    assert events(flight, "mode")[0]["text"] == "depth hold on"
    flight.order("hold", {"hold": "depth", "on": False})
    assert math.isnan(fly(flight, 0.02)["hold_depth_m"])


def test_reset_is_as_new(flight):
    first = flight.state().copy()
    flight.order("hold", {"hold": "heading", "on": True})
    flight.order("fault", {"kind": "leak", "rate_kg_s": 0.1})
    fly(flight, 2.0, surge=1.0, tilt=1.0)
    flight.order("reset", {})
    again = flight.state()
    assert flight.time_s == 0.0 and flight.ticks == 0 and flight.changed
    assert np.array_equal(first, again, equal_nan=True)
    assert len(events(flight, "reset")) == 1


def test_the_same_orders_give_the_same_states_to_the_last_bit():
    def states():
        flight = Flight("bluerov2_heavy", "royer_field", seed=5, sensors=True)
        rows = []
        for k in range(100):
            flight.input(Input(surge=math.sin(k), yaw=math.cos(k)))
            if k == 30:
                flight.order("hold", {"hold": "depth", "on": True})
            flight.tick()
            rows.append(flight.sim.sample()[0])
        flight.close()
        return np.array(rows)

    assert np.array_equal(states(), states(), equal_nan=True)


def test_the_first_flight_starts_before_a_structure_in_open_water():
    flight = Flight("bluerov2_heavy", "royer_field")
    flight.close()
    north, east, _ = flight.sim.plant.position_n.tolist()
    yaw = float(flight.sim.plant.euler[2])
    ray = flight.sim.world.cast([[north, east, 10.0]], [[math.cos(yaw), math.sin(yaw), 0.0]], max_range_m=20.0)
    assert flight.sim.world.named(int(ray.obstacle[0])) == "column 1"
    # downstream of it: the current comes from there
    assert flight.sim.world.current_n(0.0) is not None and not len(flight.sim.plant.contacts(1.0))


def test_a_collision_is_told_with_its_place():
    flight = Flight("bluerov2_heavy", "royer_field", start={"north_m": 8.0, "east_m": 10.0, "depth_m": 20.0})
    state = fly(flight, 6.0, surge=0.5)
    flight.close()
    messages = events(flight, "collision")
    assert len(messages) == 1 and messages[0]["with"] == "column 1"
    assert messages[0]["north_m"] == pytest.approx(9.25, abs=0.02)  # the face of the column
    assert state["collisions"] == 1.0 and state["crash_north_m"] == pytest.approx(messages[0]["north_m"])
    assert state["crash_age_s"] == pytest.approx(flight.time_s - messages[0]["time_s"])


def test_depth_held_by_numbers_as_royer_did():
    """Perfect control: the depth stays to the bit whatever pushes, and full stick moves it half a metre a second."""
    flight = Flight("seagrant1", "royer_field", start={"depth_m": 40.0}, conditions={"depth_control": "perfect"})
    state = fly(flight, 3.0, surge=1.0)
    assert state["depth_m"] == 40.0 == state["hold_depth_m"]
    state = fly(flight, 2.0, heave=1.0)
    assert state["depth_m"] == pytest.approx(41.0, abs=1e-9)
    assert state["cmd_thruster_port_vertical"] == 0.0  # no thruster works for it
    with pytest.raises(CommandError, match="perfectly"):
        flight.order("hold", {"hold": "depth", "on": True})
    flight.close()


def test_a_motion_that_diverges_ends_the_recording_as_cut_short(flight, tmp_path):
    flight.record(tmp_path / "short.csv")
    fly(flight, 0.5)
    flight.sim.external([1e40, 0.0, 0.0, 0.0, 0.0, 0.0])
    with pytest.raises(DivergedError, match="diverged"):
        flight.tick()
    log = load_log(tmp_path / "short.csv")
    assert not log.complete and len(log) == 26 and flight.recordings.current is None


class TestScenario:
    @pytest.fixture
    def flight(self):
        flight = Flight(scenario=load_scenario("rov-hover-wellhead"))
        yield flight
        flight.close()

    def test_the_mission_flies_until_the_pilot_takes_over(self, flight):
        assert flight.rate_hz == 50.0
        state = fly(flight, 2.0, surge=0.25)  # less than would take it over
        assert state["hold_mission"] == 1.0 and state["hold_altitude_m"] == 2.5
        assert state["stick_surge"] == 0.0  # not followed
        with pytest.raises(CommandError, match="mission"):
            flight.order("hold", {"hold": "heading", "on": True})
        flight.order("hold", {"hold": "mission", "on": False})
        state = fly(flight, 1.0, sway=0.7)
        assert state["hold_mission"] == 0.0 and state["stick_sway"] == 0.7 and state["sway_m_s"] > 0.02
        flight.order("hold", {"hold": "mission", "on": True})
        assert fly(flight, 1.0)["hold_north_m"] == 35.0

    def test_its_events_and_its_end_are_told(self):
        flight = Flight(scenario=load_scenario("rov-hover-wellhead", {"end.when": "time_s > 1.0"}))
        fly(flight, 1.5)
        texts = [event["text"] for event in flight.take_events()]
        flight.close()
        assert "leg 0, to the wellhead, begins" in texts
        assert "the scenario is over; the pilot has the helm" in texts and not flight.flies_mission

    def test_taking_over_does_not_jump(self, flight):
        fly(flight, 20.0)
        before = flight.sim.plant.command["actuators"]["thruster"].copy()
        flight.order("hold", {"hold": "mission", "on": False})
        for hold in ("depth", "heading", "position"):
            flight.order("hold", {"hold": hold, "on": True})
        flight.tick()
        jump = np.abs(flight.sim.plant.command["actuators"]["thruster"] - before).max()
        full = max(t.maximum for t in flight.sim.vehicle.thrusters)
        assert jump < 0.1 * full  # the loops begin from the last wrench; what is left is one interval of theirs

    def test_several_vehicles_are_refused_in_a_sentence(self):
        two = {"vehicle": [{"use": "bluerov2_heavy", "name": "a"}, {"use": "bluerov2_heavy", "name": "b"}]}
        from pelagos.scenario.read import scenario_from

        with pytest.raises(CommandError, match="is 2; the vehicles are a, b; expected a scenario with one vehicle"):
            Flight(scenario=scenario_from(two))

    def test_what_the_scenario_has_of_its_own_is_not_given_twice(self):
        for name, value in (("vehicle", "remus100"), ("seed", 3), ("world", "harbour"), ("sensors", True)):
            with pytest.raises(CommandError, match=f"{name}: the scenario sets it already; expected one of them"):
                Flight(scenario=load_scenario("first-dive"), **{name: value})


def test_it_begins_level_and_full_surge_does_not_tip_it_over(flight):
    for again in (False, True):
        if again:
            flight.order("reset", {})
        now = fly(flight, 3.0, surge=1.0)
        assert (now["hold_roll_deg"], now["hold_pitch_deg"]) == (0.0, 0.0)
        assert abs(now["pitch_deg"]) < 15.0
    flight.order("hold", {"hold": "level", "on": False})
    assert math.isnan(fly(flight, 0.02)["hold_pitch_deg"])


def test_sticks_pulled_for_a_while_take_the_helm_from_the_mission():
    flight = Flight(scenario=load_scenario("rov-pipeline"))
    fly(flight, 0.5, yaw=0.2)  # a hand that rests on the stick
    fly(flight, 0.2, yaw=-0.9)
    assert fly(flight, 0.1)["hold_mission"] == 1.0
    now = fly(flight, 0.4, yaw=-0.9)
    texts = [event["text"] for event in events(flight, "mode")]
    flight.close()
    assert now["hold_mission"] == 0.0 and texts == ["the pilot has taken the sticks"]
    assert now["stick_yaw"] == -0.9 and now["hold_roll_deg"] == 0.0


@pytest.fixture
def hover_flight(tmp_path):
    flight = Flight(task="hover", pilot="Ann", results=tmp_path, conditions={"current_m_s": 0.0})
    yield flight
    flight.close()


def state_after(hover_flight, ticks=1):
    for _ in range(ticks):
        hover_flight.tick()
    return dict(zip(hover_flight.columns, hover_flight.state().tolist(), strict=True))


def test_a_task_brings_vehicle_world_and_start(hover_flight):
    hello = json.loads(json.dumps(hello_of(hover_flight), allow_nan=False))
    assert hello["vehicle"]["key"] == "seagrant1" and hello["task"]["name"] == "hover" and hello["marks"]
    assert hover_flight.sim.plant.position_n.tolist() == pytest.approx(
        [hello["task"]["start"][name] for name in ("north_m", "east_m", "depth_m")]
    )


def test_a_task_counts_from_the_start_order_to_the_end(hover_flight):
    assert state_after(hover_flight, 5)["task_phase"] == 1.0
    hover_flight.order("task_start", {})  # every attempt begins at the start, whatever was flown before
    assert hover_flight.ticks == 0
    now = state_after(hover_flight, 50)
    assert now["task_phase"] == 2.0 and now["task_time_s"] == pytest.approx(1.0)
    with pytest.raises(CommandError, match="already running"):
        hover_flight.order("task_start", {})
    hover_flight.order("task_abort", {})
    assert state_after(hover_flight)["task_phase"] == 3.0
    results = [event for event in hover_flight.take_events() if event["type"] == "result"]
    assert len(results) == 1 and results[0]["ended"] == "aborted" and results[0]["pilot"] == "Ann"
    json.dumps(results[0], allow_nan=False)


def test_attempts_are_kept_and_compared(hover_flight):
    for _ in range(2):
        hover_flight.order("task_start", {})
        state_after(hover_flight, 25)
        hover_flight.order("task_abort", {})
    results = [event for event in hover_flight.take_events() if event["type"] == "result"]
    assert [len(result["history"]["attempts"]) for result in results] == [1, 2]
    assert len(hover_flight.results.read("Ann").results) == 2


def test_the_score_of_the_snapshot_is_that_of_the_judge(hover_flight):
    """Distance to the hovering spot by hand: the start is a known way from it."""
    now = state_after(hover_flight)
    assert now["score_altitude_error_m"] == pytest.approx(now["altitude_m"] - 2.5, abs=1e-6)
    assert now["score_collisions"] == 0.0


def test_a_result_that_cannot_be_kept_is_told_and_not_lost(tmp_path):
    (tmp_path / "file").write_text("")
    hover_flight = Flight(task="hover", results=tmp_path / "file")
    hover_flight.order("task_start", {})
    hover_flight.tick()
    hover_flight.order("task_abort", {})
    hover_flight.close()
    messages = hover_flight.take_events()
    assert any(event.get("kind") == "warning" and "not kept" in event["text"] for event in messages)
    assert any(event["type"] == "result" for event in messages)


def test_a_mode_holds_what_it_requires_and_ends_the_other_holds():
    with_holds = Flight("bluerov2_heavy", start={"depth_m": 5.0})

    def held():
        return {name for name, on in with_holds.helm.modes.items() if on}

    with_holds.order("hold", {"hold": "speed", "on": True, "value": 0.5})
    with_holds.hold_only(("depth",), ("level", "heading"), keep=("speed",), depth_m=7.0)
    assert held() == {"depth", "level", "heading", "speed"} and with_holds.helm.setpoint.depth_m == 7.0
    with_holds.hold_only((), ("level",))
    assert held() == {"level"}
    with_holds.close()
