"""Logs of real runs and of a recorded flight, played: what a page sees is what the log holds, to float32."""

import json
import math

import numpy as np
import pytest

from pelagos.console.hello import hello_of
from pelagos.errors import CommandError
from pelagos.messages import Event
from pelagos.scenario.build import execute
from pelagos.scenario.read import load_scenario
from pelagos.session.flight import Flight
from pelagos.session.record.playback import Playback
from pelagos.session.source import CENTRED, Input, TickSource
from pelagos.sim.log.load import load_log
from pelagos.sim.log.log import Log, LogError


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("logs")
    for name in ("rov-hover-wellhead", "bluerov-tether-inspection"):
        execute(load_scenario(name, {"duration_s": 4.0}), str(folder / name))
    flight = Flight("bluerov2_heavy", "royer_field", task="pipeline", results=folder, conditions={"current_m_s": 0.1})
    for k in range(200):
        if k == 20:
            flight.record(folder / "flown.csv")
        if k == 60:
            flight.order("fault", {"kind": "thruster_lost", "thruster": "front_port"})
        flight.input(Input(surge=0.3, yaw=math.sin(0.05 * k), tilt=0.2))
        flight.tick()
    flight.close()
    return folder


def rows(playback):
    row = np.full(len(playback.columns), np.nan, np.float32)
    while True:
        playback.snapshot_into(row)
        yield playback.time_s, dict(zip(playback.columns, row.tolist(), strict=True))
        if playback.done:
            return
        playback.tick()


@pytest.mark.parametrize("name", ["rov-hover-wellhead", "bluerov-tether-inspection", "flown"])
def test_at_the_times_of_samples_it_is_the_sample(folder, name):
    log, playback = load_log(folder / f"{name}.csv"), Playback(folder / f"{name}.csv")
    both = [column for column in playback.columns if column in log.columns]
    assert len(both) > 20
    at = {round((time - log.time_s[0]) * 50.0): k for k, time in enumerate(log.time_s)}
    checked = 0
    for time_s, row in rows(playback):
        k = at.get(round(time_s * 50.0))
        if k is not None:
            checked += 1
            for column in both:
                assert row[column] == pytest.approx(np.float32(log[column][k]), rel=1e-6, abs=1e-30, nan_ok=True), (
                    column
                )
    assert checked == len(log) and playback.done


def test_between_samples_it_goes_on_a_straight_line(folder):
    """The run has samples at 10 Hz; ticks at 50 Hz fall on fifths of the way between two."""
    log, playback = load_log(folder / "rov-hover-wellhead.csv"), Playback(folder / "rov-hover-wellhead.csv")
    for time_s, row in rows(playback):
        wanted = np.interp(time_s, log.time_s, log["depth_m"])
        assert row["depth_m"] == pytest.approx(wanted, rel=1e-6)
        assert sum(row[f"q{k}"] ** 2 for k in range(4)) == pytest.approx(1.0, abs=1e-6)
    assert playback.tick() is None and playback.time_s == playback.duration_s  # nothing beyond the end


def made(tmp_path, columns, **more):
    n = len(columns["time_s"])
    zero = np.zeros(n)
    base = {name: zero for name in ("north_m", "east_m", "depth_m", "roll_deg", "pitch_deg", "heading_deg")}
    log = Log({**base, **{name: np.asarray(value, float) for name, value in columns.items()}}, **more)
    log.save(tmp_path / "made.npz")
    return Playback(tmp_path / "made.npz")


def state(playback):
    return dict(zip(playback.columns, playback.state().tolist(), strict=True))


def test_angles_go_the_short_way_and_counts_in_steps(tmp_path):
    playback = made(tmp_path, {"time_s": [0.0, 1.0], "heading_deg": [350.0, 20.0], "roll_deg": [-170.0, 170.0],
                               "collisions": [0.0, 3.0], "contact_with": [np.nan, 4.0],
                               "score_found": [1.0, 2.0], "score_sighted": [0.0, 2.0], "score_collisions": [0.0, 1.0],
                               "score_heading_error_deg": [170.0, -160.0], "score_altitude_m": [2.0, 3.0],
                               "hold_heading_deg": [350.0, 20.0]})  # fmt: skip
    playback.order("seek", {"time_s": 0.5})
    now = state(playback)
    assert now["heading_deg"] == pytest.approx(5.0) and abs(now["roll_deg"]) == pytest.approx(180.0)
    assert now["collisions"] == 0.0 and math.isnan(now["contact_with"])
    assert [now[f"score_{name}"] for name in ("found", "sighted", "collisions", "altitude_m")] == [1.0, 0.0, 0.0, 2.5]
    assert now["score_heading_error_deg"] == pytest.approx(-175.0) and now["hold_heading_deg"] == pytest.approx(5.0)
    # the quaternion of heading 5 deg at roll 180: both ends are close to it
    assert np.hypot(now["q1"], now["q2"]) == pytest.approx(1.0, abs=0.05)


def test_a_ratio_that_is_infinite_stays_so_until_the_next_sample(folder, tmp_path):
    """As at the start of a run whose ship lies above the vehicle."""
    log = load_log(folder / "bluerov-tether-inspection.csv")
    log["tether_ratio"][:2] = np.inf
    log.to_csv(tmp_path / "met.csv")
    ratios = [row["tether_ratio"] for _, row in rows(Playback(tmp_path / "met.csv"))]
    change = ratios.index(next(ratio for ratio in ratios if np.isfinite(ratio)))
    assert change > 0 and np.isinf(ratios[:change]).all() and np.isfinite(ratios[change:]).all()


def test_seek_goes_anywhere_and_events_come_when_their_time_does(tmp_path):
    events = [Event(1.0, "leg", "first"), Event(3.0, "fault", "second")]
    playback = made(tmp_path, {"time_s": [0.0, 2.0, 4.0], "depth_m": [0.0, 2.0, 4.0]}, events=events)
    playback.take_events()
    told = []
    while not playback.done:
        playback.tick()
        told += [(event["text"], playback.time_s) for event in playback.take_events()]
    assert told == [("first", pytest.approx(1.0)), ("second", pytest.approx(3.0))]
    playback.order("seek", {"time_s": 2.5})
    assert not playback.done and state(playback)["depth_m"] == 2.5
    for _ in range(50):
        playback.tick()
    assert [event["text"] for event in playback.take_events()] == ["second"]  # what was passed over is not told
    playback.order("reset", {})
    assert playback.time_s == 0.0
    for bad in (-1.0, 5.0, "x", None):
        with pytest.raises(CommandError, match="seek"):
            playback.order("seek", {"time_s": bad})


def test_time_begins_with_the_first_sample(folder):
    playback = Playback(folder / "flown.csv")
    hello = hello_of(playback)
    assert playback.time_s == 0.0 and hello["start_s"] == pytest.approx(0.4)
    assert hello["duration_s"] == pytest.approx(3.6) == playback.duration_s
    assert any(event.kind == "record" for event in load_log(folder / "flown.csv").events)
    assert not any(event["kind"] == "record" for event in hello["events"])  # that was then
    fault = next(event for event in hello["events"] if event["kind"] == "fault")
    assert fault["time_s"] == pytest.approx(60 / 50.0 - 0.4, abs=0.021)  # at the next tick after the order


def test_a_recording_kept_as_npz_plays_the_same(folder, tmp_path):
    load_log(folder / "flown.csv").save(tmp_path / "flown.npz")
    one, other = Playback(folder / "flown.csv"), Playback(tmp_path / "flown.npz")
    assert one.columns == other.columns and one.duration_s == other.duration_s
    for time_s in (0.0, 0.013, 1.0, one.duration_s):
        for playback in (one, other):
            playback.order("seek", {"time_s": time_s})
        assert np.array_equal(one.state(), other.state(), equal_nan=True)
    said = [{**hello_of(playback), "settings": None} for playback in (one, other)]
    assert said[0] == said[1] and said[0]["task"]["name"] == "pipeline"


def test_hello_is_that_of_a_replay(folder):
    source: TickSource = Playback(folder / "flown.csv")
    hello = json.loads(json.dumps(hello_of(source), allow_nan=False))
    assert (
        hello["mode"] == "replay"
        and hello["vehicle"]["key"] == "bluerov2_heavy"
        and hello["task"]["name"] == "pipeline"
    )
    assert hello["scene"]["structures"] and hello["marks"] and hello["conditions"]["current_m_s"] == 0.1
    with pytest.raises(CommandError, match="replay"):
        source.order("hold", {"what": "depth", "on": True})
    source.input(CENTRED)
    source.close()


def test_a_log_that_was_cut_short_plays_and_says_so(folder, tmp_path):
    text = (folder / "rov-hover-wellhead.csv").read_text()
    (tmp_path / "cut.csv").write_text(text[: int(0.7 * len(text))])
    playback = Playback(tmp_path / "cut.csv")
    assert any("cut short" in event["text"] for event in playback.take_events())
    assert 0.5 < playback.duration_s < 4.0


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "empty"), ("hello\n", "log"), ("time_s,a_m\n", "no samples|no column"),
        ("time_s,a_m\n0,1\n", "no column north_m"),
        ("time_s,north_m,east_m,depth_m,roll_deg,pitch_deg,heading_deg\n1,0,0,0,0,0,0\n0,0,0,0,0,0,0\n", "forward"),
    ],
)  # fmt: skip
def test_what_is_no_log_is_refused_in_a_sentence(tmp_path, text, sentence):
    (tmp_path / "a.csv").write_text(text)
    with pytest.raises(LogError, match=sentence) as refusal:
        Playback(tmp_path / "a.csv")
    assert "\n" not in str(refusal.value)
    with pytest.raises(LogError, match="no such file"):
        Playback(tmp_path / "none.csv")
