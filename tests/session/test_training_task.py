"""A training task in a flight: started, judged, ended, kept."""

import json

import pytest

from pelagos.console.hello import hello_of
from pelagos.errors import CommandError
from pelagos.session.flight import Flight


@pytest.fixture
def flight(tmp_path):
    flight = Flight(task="hover", pilot="Ann", results=tmp_path, conditions={"current_m_s": 0.0})
    yield flight
    flight.close()


def state(flight, ticks=1):
    for _ in range(ticks):
        flight.tick()
    return dict(zip(flight.columns, flight.state().tolist(), strict=True))


def test_it_brings_vehicle_world_and_start(flight):
    hello = json.loads(json.dumps(hello_of(flight), allow_nan=False))
    assert hello["vehicle"]["key"] == "seagrant1" and hello["task"]["name"] == "hover" and hello["marks"]
    assert flight.sim.plant.position_n.tolist() == pytest.approx(
        [hello["task"]["start"][name] for name in ("north_m", "east_m", "depth_m")]
    )


def test_it_counts_from_the_start_order_to_the_end(flight):
    assert state(flight, 5)["task_phase"] == 1.0
    flight.order("task_start", {})  # every attempt begins at the start, whatever was flown before
    assert flight.ticks == 0
    now = state(flight, 50)
    assert now["task_phase"] == 2.0 and now["task_time_s"] == pytest.approx(1.0)
    with pytest.raises(CommandError, match="already running"):
        flight.order("task_start", {})
    flight.order("task_abort", {})
    assert state(flight)["task_phase"] == 3.0
    results = [event for event in flight.take_events() if event["type"] == "result"]
    assert len(results) == 1 and results[0]["ended"] == "aborted" and results[0]["pilot"] == "Ann"
    json.dumps(results[0], allow_nan=False)


def test_attempts_are_kept_and_compared(flight):
    for _ in range(2):
        flight.order("task_start", {})
        state(flight, 25)
        flight.order("task_abort", {})
    results = [event for event in flight.take_events() if event["type"] == "result"]
    assert [len(result["history"]["attempts"]) for result in results] == [1, 2]
    assert len(flight.results.read("Ann").results) == 2


def test_the_score_of_the_snapshot_is_that_of_the_judge(flight):
    """Distance to the hovering spot by hand: the start is a known way from it."""
    now = state(flight)
    assert now["score_altitude_error_m"] == pytest.approx(now["altitude_m"] - 2.5, abs=1e-6)
    assert now["score_collisions"] == 0.0


def test_a_result_that_cannot_be_kept_is_told_and_not_lost(tmp_path):
    (tmp_path / "file").write_text("")
    flight = Flight(task="hover", results=tmp_path / "file")
    flight.order("task_start", {})
    flight.tick()
    flight.order("task_abort", {})
    flight.close()
    told = flight.take_events()
    assert any(event.get("kind") == "warning" and "not kept" in event["text"] for event in told)
    assert any(event["type"] == "result" for event in told)
