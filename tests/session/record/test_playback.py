"""Playback of logs of runs and recorded flights: interpolation, derived columns, vehicle and world."""

import json
import math

import numpy as np
import pytest

from pelagos.console.hello import hello_of
from pelagos.errors import CommandError
from pelagos.messages import Event
from pelagos.scenario.read import load_scenario, scenario_from
from pelagos.session.flight import Flight
from pelagos.session.make import resolve_settings
from pelagos.session.record.playback import Playback, replay_columns, replay_table, setup_of_log
from pelagos.session.scenario_run import run_scenario
from pelagos.session.source import CENTRED, Input, TickSource
from pelagos.sim.log.load import load_log
from pelagos.sim.log.log import Log, LogError
from pelagos.sim.simulation import Simulation
from pelagos.vehicle.load.vehicle import load_vehicle


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("logs")
    for name in ("rov-hover-wellhead", "bluerov-tether-inspection"):
        run_scenario(load_scenario(name, {"duration_s": 4.0}), str(folder / name))
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


@pytest.mark.slow
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
        expected = np.interp(time_s, log.time_s, log["depth_m"])
        assert row["depth_m"] == pytest.approx(expected, rel=1e-6)
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
    events = []
    while not playback.done:
        playback.tick()
        events += [(event["text"], playback.time_s) for event in playback.take_events()]
    assert events == [("first", pytest.approx(1.0)), ("second", pytest.approx(3.0))]
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
    first, other = Playback(folder / "flown.csv"), Playback(tmp_path / "flown.npz")
    assert first.columns == other.columns and first.duration_s == other.duration_s
    for time_s in (0.0, 0.013, 1.0, first.duration_s):
        for playback in (first, other):
            playback.order("seek", {"time_s": time_s})
        assert np.array_equal(first.state(), other.state(), equal_nan=True)
    hellos = [{**hello_of(playback), "settings": None} for playback in (first, other)]
    assert hellos[0] == hellos[1] and hellos[0]["task"]["name"] == "pipeline"


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
        source.order("hold", {"hold": "depth", "on": True})
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
        ("time_s,a_m\n0,1\n", "no column \"north_m\""),
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


ROV = load_vehicle("bluerov2_heavy")


def table(log, vehicle=ROV):
    columns = replay_columns(log, vehicle)
    return dict(zip(columns, replay_table(log, vehicle, columns).T, strict=True))


def plain(n=5, **more):
    base = {name: np.zeros(n) for name in ("north_m", "east_m", "depth_m", "roll_deg", "pitch_deg", "heading_deg")}
    return Log({"time_s": 0.1 * np.arange(n), **base, **more})


def test_places_alone_give_speed_course_and_attitude():
    t = 0.1 * np.arange(11)
    now = table(plain(11, north_m=0.3 * t, east_m=0.4 * t, depth_m=5.0 - 1.2 * t, heading_deg=np.full(11, 90.0)))
    assert now["speed_m_s"] == pytest.approx(np.full(11, 1.3))  # 3-4-12-13
    assert now["course_deg"] == pytest.approx(np.full(11, np.degrees(np.arctan2(0.4, 0.3))))
    assert now["depth_rate_m_s"] == pytest.approx(np.full(11, -1.2))
    assert now["q0"] == pytest.approx(np.full(11, np.sqrt(0.5))) and now["q3"] == pytest.approx(
        np.full(11, np.sqrt(0.5))
    )


def test_velocities_are_taken_where_there_are_some():
    now = table(plain(heading_deg=np.full(5, 90.0), surge_m_s=np.ones(5), sway_m_s=np.zeros(5), heave_m_s=np.zeros(5)))
    assert now["course_deg"] == pytest.approx(np.full(5, 90.0)) and now["speed_m_s"] == pytest.approx(np.ones(5))


def test_thrusters_of_a_run_are_shares_of_their_limits():
    sim = Simulation(ROV, control_rate_hz=10.0)
    sim.place(depth_m=10.0)
    name = ROV.thrusters[0].name
    sim.thrust([t.maximum if t.name == name else 0.5 * t.minimum for t in ROV.thrusters])
    now = table(sim.run(3.0))
    assert now[f"cmd_thruster_{name}"][-1] == pytest.approx(1.0)
    assert now[f"thruster_{name}"][-1] == pytest.approx(1.0, abs=1e-3)
    assert now[f"cmd_thruster_{ROV.thrusters[1].name}"][-1] == pytest.approx(-0.5)


def test_setpoints_battery_and_faults_come_from_their_columns():
    nan = np.nan
    log = plain(
        cmd_depth_m=np.full(5, 7.0), battery_voltage_V=np.array([16.0, nan, 15.0, nan, nan]),
        battery_current_A=np.array([2.0, nan, 4.0, nan, nan]), battery_used_Ah=np.zeros(5),
        battery_left_Ah=np.array([18.0, nan, 9.0, nan, nan]), fault_a=np.array([0.0, 1, 1, 0, 0]),
        fault_b=np.array([0.0, 0, 1, 1, 0]),
    )  # fmt: skip
    now = table(log)
    capacity = next(sensor for sensor in ROV.sensors if sensor.kind == "battery").capacity_Ah
    assert now["hold_depth_m"].tolist() == [7.0] * 5
    assert now["battery_V"].tolist() == [16.0, 16.0, 15.0, 15.0, 15.0]  # each until the next reading
    assert now["power_W"].tolist() == [32.0, 32.0, 60.0, 60.0, 60.0]
    assert now["battery_percent"][-1] == pytest.approx(900.0 / capacity)
    assert now["faults_acting"].tolist() == [0.0, 1.0, 2.0, 1.0, 0.0]


def test_contacts_become_collisions_half_a_second_apart():
    n = 40
    touched = np.full(n, np.nan)
    touched[[2, 3, 6]] = 0.0  # one touch with a short break
    touched[20] = 0.0  # a new one, 1.4 s later
    touched[30:] = -1.0  # at rest on the bottom: none
    speed = np.where(np.arange(n) < 25, 0.5, 0.0)
    now = table(plain(n, contact_with=touched, surge_m_s=speed, sway_m_s=np.zeros(n), heave_m_s=np.zeros(n),
                      north_m=np.arange(n, dtype=float)))  # fmt: skip
    assert now["collisions"][[1, 2, 10, 19, 20, 39]].tolist() == [0.0, 1.0, 1.0, 1.0, 2.0, 2.0]
    assert now["crash_north_m"][[10, 39]].tolist() == [2.0, 20.0]
    assert now["crash_age_s"][39] == pytest.approx(1.9) and np.isnan(now["crash_age_s"][0])


def test_the_ship_is_where_the_cable_begins():
    points = {f"tether_{k:02d}_{axis}_m": np.full(5, k + 0.5) for k in range(21) for axis in ("north", "east", "depth")}
    now = table(plain(tether_length_m=np.full(5, 30.0), **points))
    assert now["ship_north_m"].tolist() == [0.5] * 5 and now["tether_20_depth_m"].tolist() == [20.5] * 5


def test_a_table_without_a_place_is_no_log_of_a_vehicle():
    with pytest.raises(LogError, match="no column 'north_m'"):
        table(Log({"time_s": np.arange(3.0), "east_m": np.zeros(3)}))


def test_a_camera_that_nothing_is_said_of_looks_as_it_is_mounted():
    now = table(plain())
    assert set(now["zoom"]) == {1.0} and set(now["lights"]) == {1.0} and set(now["task_phase"]) == {0.0}
    assert now["tilt_deg"] == pytest.approx(np.full(5, np.degrees(ROV.cameras[0].tilt_rad)))


PLACES = {name: np.zeros(3) for name in ("north_m", "east_m", "depth_m")}


def log(meta, **columns):
    return Log({"time_s": np.arange(3.0), **PLACES, **columns}, meta)


def test_a_recording_says_how_it_was_made(tmp_path):
    settings = resolve_settings(
        "seagrant1", None, task="hover", conditions={"current_m_s": 0.4, "current_to_deg": 90.0}
    )
    known = setup_of_log(log({"flight": settings.described(), "vehicle": "seagrant1"}), tmp_path / "a.csv")
    assert known.vehicle.key == "seagrant1" and known.task.name == "hover" and not known.notes
    assert known.world.water_velocity([[0.0, 0.0, 50.0]])[0].tolist() == pytest.approx([0.0, 0.4, 0.0], abs=1e-12)


def test_a_run_of_a_scenario_has_its_tables(tmp_path):
    scenario = load_scenario("rov-hover-wellhead", {"world.current_m_s": 0.5})
    meta = {"scenario": scenario.name, "scenario_tables": scenario.raw, "vehicle": "seagrant1"}
    known = setup_of_log(log(meta), tmp_path / "a.csv")
    assert known.world.current_m_s == 0.5 and len(known.world.structures) == len(scenario.world.structures)
    assert known.waypoints[0] == (35.0, -15.0, 97.5) and not known.notes


def test_of_several_vehicles_it_is_the_one_of_the_log(tmp_path):
    tables = {"vehicle": [{"use": "iver3", "name": "a"}, {"use": "remus100", "name": "b"}]}
    known = setup_of_log(log({"scenario_tables": tables, "vehicle": "remus100"}), tmp_path / "run.csv")
    assert known.vehicle.key == "remus100"
    assert known.notes == ["of the 2 vehicles of this run, a, b, the log is that of b: it is shown"]


def test_twins_are_told_apart_by_name(tmp_path):
    """The name in the log, or the end of its file's name; where neither says it, that is said."""
    legs = [[{"kind": "follow_path", "points_m": [[10.0 * k, 0.0], [10.0 * k, 50.0]], "depth_m": 5.0, "speed_m_s": 1.0}]
            for k in (1, 2, 3)]  # fmt: skip
    tables = {"vehicle": [{"use": "iver3", "name": name, "mission": leg}
                          for name, leg in zip(("left", "right", "far-right"), legs, strict=True)]}  # fmt: skip
    meta = {"scenario_tables": tables, "vehicle": "iver3"}

    def first(file, **more):
        known = setup_of_log(log({**meta, **more}), tmp_path / file)
        return known.waypoints[0][0], known.notes[0]

    assert first("run.csv", name="right")[0] == 20.0
    assert first("run-left.csv", name="far-right")[0] == 30.0
    assert first("run-right.csv")[0] == 20.0 and first("run-far-right.parquet.unfinished")[0] == 30.0
    assert first("run.csv") == (10.0, "the log does not say which of left, right, far-right it is of; the path of left "
                                      "is drawn")  # fmt: skip


@pytest.mark.slow
def test_a_run_writes_which_of_its_vehicles_a_log_is_of(tmp_path):
    scenario = scenario_from(
        {"duration_s": 0.4, "vehicle": [{"use": "iver3", "name": "left", "start": {"depth_m": 5.0}},
                                        {"use": "iver3", "name": "right", "start": {"east_m": 9.0, "depth_m": 5.0}}]},
        "twins.toml", tmp_path,
    )  # fmt: skip
    files = run_scenario(scenario, str(tmp_path / "run")).files
    moved = tmp_path / "b.csv"
    moved.write_bytes((tmp_path / "run-right.csv").read_bytes())
    assert load_log(files["left"]).meta["name"] == "left"
    assert "the log is that of right" in setup_of_log(load_log(moved), moved).notes[0]


def test_a_plain_run_names_its_world(tmp_path):
    meta = Simulation("bluerov2_heavy", "royer_field").meta()
    known = setup_of_log(log(meta), tmp_path / "a.csv")
    assert known.vehicle.key == "bluerov2_heavy" and known.world.name == "Royer's field" and not known.notes


def test_what_is_not_known_is_plain_and_said(tmp_path):
    known = setup_of_log(log({"vehicle": "nautilus", "world": "atlantis"}, depth_m=np.full(3, 4.0),
                         altitude_m=np.array([6.0, np.nan, 6.0])), tmp_path / "a.csv")  # fmt: skip
    assert known.world.depth_m == 10.0  # depth and altitude together
    assert any("nautilus" in note for note in known.notes) and any("open water" in note for note in known.notes)
    assert setup_of_log(log({}), tmp_path / "a.csv").world.bottom is None


@pytest.mark.parametrize(
    "meta",
    [
        {"flight": {"seed": 1}}, {"flight": {"scenario": 3, "seed": 1, "rate_hz": 50.0, "task": "", "conditions": {}}},
        {"scenario_tables": {"vehicle": "nobody"}}, {"scenario_tables": {"vehicle": 5}}, {"vehicle": 7, "world": []},
        {"flight": {"seed": "x", "rate_hz": None, "task": 3, "conditions": 1, "vehicle": "iver3", "world": {},
                    "tether": None, "start": None, "sensors": 1}},
    ],
)  # fmt: skip
def test_nonsense_in_a_log_gives_a_note_and_no_error(tmp_path, meta):
    known = setup_of_log(log({"vehicle": "iver3", **meta}), tmp_path / "a.csv")
    assert known.vehicle is not None and (known.notes or meta == {})
