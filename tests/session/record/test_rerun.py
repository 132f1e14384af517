"""A recorded flight, flown again from its orders: the same numbers, bit for bit."""

import random
import shutil

import numpy as np
import pytest

from pelagos.errors import ScenarioError
from pelagos.scenario.read import load_scenario
from pelagos.session.flight import Flight
from pelagos.session.record.journal import read_journal
from pelagos.session.record.playback import Playback
from pelagos.session.record.rerun import rerun
from pelagos.session.source import Input
from pelagos.sim.log.load import load_log
from pelagos.sim.log.log import Log
from tests.log_difference import largest_difference

EVERYTHING = {
    30: ("hold", {"hold": "depth", "on": True}),
    111: ("record", {"on": True}),
    150: ("tether", {"rate_m_s": 0.4}),
    200: ("camera", {"tilt_deg": 10}),
    250: ("gain", {"factor": 0.7}),
    300: ("fault", {"kind": "thruster_weak", "thruster": "front_port", "share": 0.2}),
    400: ("fault", {"kind": "current_gust", "speed_m_s": 0.4, "to_deg": 30.0, "seconds_s": 8.0}),
    500: ("ship", {"north_m": 20.0, "east_m": 5.0}),
    600: ("fault", {"kind": "leak", "rate_kg_s": 0.01}),
    700: ("hold", {"hold": "heading", "on": True, "value": 90.0}),
    800: ("clear_faults", {}),
    900: ("trim", {"heave": 0.2}),
    1000: ("hold", {"hold": "position", "on": True}),
    1100: ("stick_frame", {"frame": "north"}),
    1300: ("hold", {"hold": "depth", "on": False}),
    1500: ("ship", {"follow": True}),
    1800: ("tether", {"tension_N": 30.0}),
    2000: ("conditions", {"image_delay_s": 0.5}),
    2200: ("fault", {"kind": "sensor_bias", "sensor": "battery", "bias": 1.0}),
    2500: ("hold", {"hold": "position", "on": False}),
}


def fly(flight, ticks, orders, seed=1, every=10):
    rng = random.Random(seed)
    for k in range(ticks):
        if k % every == 0:
            flight.input(Input(*(rng.uniform(-1.0, 1.0) for _ in Input._fields)))
        if k in orders:
            flight.order(*orders[k])
        flight.tick()
    flight.close()


def recorded(flight):
    return next(event["path"] for event in flight.take_events() if event.get("kind") == "record")


@pytest.mark.slow
def test_a_minute_with_everything_is_the_same_to_the_last_bit(tmp_path):
    flight = Flight("bluerov2_heavy", "royer_field", tether=True, seed=3, record_dir=tmp_path)
    fly(flight, 3000, EVERYTHING, every=25)
    path = recorded(flight)
    log, again = load_log(path), rerun(path)
    assert len(log) == 2890 and log.time_s[0] == pytest.approx(2.22) and log.time_s[-1] == pytest.approx(60.0)
    assert largest_difference(log, again) == (0.0, "")
    assert np.ptp(log["tether_length_m"]) > 1.0 and log["faults_acting"].max() >= 2.0  # and it was no idle flight


@pytest.mark.slow
def test_a_task_too(tmp_path):
    flight = Flight(task="pipeline", seed=2, record=tmp_path / "a.csv", results=tmp_path)
    flight.tick()
    flight.order("task_start", {})  # begins anew, and with it a second recording
    fly(flight, 500, {400: ("task_abort", {})})
    log, again = load_log(tmp_path / "a-2.csv"), rerun(tmp_path / "a-2.csv")
    assert largest_difference(log, again) == (0.0, "")
    assert log["task_phase"].tolist() == [1.0] + [2.0] * 400 + [3.0] * 100
    kept = len(list(tmp_path.glob("*.jsonl")))
    rerun(tmp_path / "a-2.csv")
    assert len(list(tmp_path.glob("*.jsonl"))) == kept  # nothing of a rerun is kept


@pytest.mark.slow
def test_a_scenario_too(tmp_path):
    orders = {100: ("hold", {"hold": "mission", "on": False}), 150: ("hold", {"hold": "depth", "on": True}),
              300: ("hold", {"hold": "mission", "on": True})}  # fmt: skip
    flight = Flight(scenario=load_scenario("rov-hover-wellhead"), record=tmp_path / "a.csv")
    fly(flight, 400, orders)
    log, again = load_log(tmp_path / "a.csv"), rerun(tmp_path / "a.csv")
    assert largest_difference(log, again) == (0.0, "") and len(log) == 401
    assert set(log["hold_mission"]) == {0.0, 1.0}


@pytest.mark.slow
def test_what_the_eye_was_given_before_the_recording_counts_too(tmp_path):
    """What can be seen is scored: the rerun begins with the water as it was, and it clouds when it did."""
    flight = Flight(task="inspection", seed=1, results=tmp_path, record_dir=tmp_path)
    clear = flight.conditions.visibility_m
    fly(flight, 90, {0: ("task_start", {}), 30: ("conditions", {"visibility_m": 0.5}), 60: ("record", {"on": True})})
    path = recorded(flight)
    assert read_journal(path).head["settings"]["conditions"].get("visibility_m", clear) == clear
    assert Playback(path).setup.conditions.visibility_m == 0.5  # the page shows the water of the recording
    assert largest_difference(load_log(path), rerun(path)) == (0.0, "")


@pytest.mark.slow
@pytest.mark.parametrize("renamed", [False, True])
def test_what_a_killed_flight_left_can_be_named_as_it_is(tmp_path, renamed):
    """dive.parquet.unfinished, and also under another name."""
    pytest.importorskip("pyarrow")
    flight = Flight("bluerov2_heavy", None, start={"depth_m": 10.0}, record=tmp_path / "a.parquet")
    flight.input(Input(surge=0.5))
    for _ in range(40):
        flight.tick()
    flight.recordings.current.flush()
    stem = "b" if renamed else "a"
    left = tmp_path / "left" / f"{stem}.parquet.unfinished"
    left.parent.mkdir()
    shutil.copy(tmp_path / "a.parquet.unfinished", left)
    shutil.copy(tmp_path / "a.orders.jsonl", left.parent / f"{stem}.orders.jsonl")
    flight.close()
    log = load_log(left)
    assert len(log) == 41 and not log.complete
    assert largest_difference(log, rerun(left)) == (0.0, "")


def test_differences_are_found_and_named():
    log = Log({"time_s": np.arange(3.0), "a_m": np.array([1.0, 2.0, np.nan])})
    assert largest_difference(log, Log(dict(log.columns))) == (0.0, "")
    assert largest_difference(log, Log({**log.columns, "a_m": np.array([1.0, 2.5, np.nan])})) == (0.5, "a_m")
    assert largest_difference(log, Log({**log.columns, "a_m": np.array([1.0, np.nan, np.nan])})) == (np.inf, "a_m")
    assert largest_difference(log, log.between(0.0, 1.0)) == (np.inf, "time_s")


def test_orders_without_a_flight_are_refused(tmp_path):
    path = tmp_path / "a.orders.jsonl"
    path.write_text('{"format": "pelagos orders 1", "settings": {"seed": 1}}\n')
    with pytest.raises(ScenarioError, match="first line"):
        rerun(path)
