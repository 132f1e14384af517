"""Recorded and converted files read back by rosbags and the package mcap, and files of a killed program."""

import math
import signal
import subprocess
import sys
import textwrap

import numpy as np
import pytest
from mcap.reader import make_reader
from mcap_ros2.decoder import DecoderFactory
from rosbags.highlevel import AnyReader

from pelagos.errors import CommandError, MissingExtraError
from pelagos.links.ros.mcap import McapFile, McapRecorder, convert
from pelagos.links.ros.messages import encoder
from pelagos.links.ros.topics import clock_message, messages_of, vehicle_tick
from pelagos.links.ros.vehicle import ros_vehicles_of
from pelagos.scenario.read import load_scenario
from pelagos.session.links import LinkSet
from pelagos.sim.log.log import Log, LogError
from pelagos.sim.simulation import Simulation
from tests.links.ros.afloat import Afloat, rov, wait_for

ROOT = "/pelagos/bluerov2_heavy"


def read_by_rosbags(path):
    """Times and messages by topic."""
    read = {}
    with AnyReader([path]) as reader:
        for connection, time_ns, raw in reader.messages():
            read.setdefault(connection.topic, []).append((time_ns, reader.deserialize(raw, connection.msgtype)))
    return read


@pytest.fixture(scope="module")
def recorded(tmp_path_factory):
    """Two seconds of a flight, what it truly did, and the file."""
    path = tmp_path_factory.mktemp("mcap") / "run.mcap"
    sim = rov()
    session, recorder, states, arrived = Afloat(sim), McapRecorder(path), [], []
    recorder.begin(session)
    states.append(sim.evaluate())
    for k in range(100):
        events = [{"type": "event", "time_s": 1.0, "kind": "fault", "text": "it leaks"}] if k == 49 else []
        session.tick(recorder, events=events)
        states.append(sim.evaluate())
        arrived += sim.sensing.suite.arrived
    recorder.close()
    return path, states, arrived, recorder


def test_rosbags_reads_the_truth_back(recorded):
    path, states, _, _ = recorded
    odom = read_by_rosbags(path)[f"{ROOT}/odom"]
    assert len(odom) == len(states) == 101
    for (time_ns, message), state in zip(odom, states, strict=True):
        assert time_ns == round(state.time_s * 1e9)
        place, turn = message.pose.pose.position, message.twist.twist.angular
        assert [place.y, place.x, -place.z] == state.position_n.tolist()  # to the last bit
        assert [turn.x, -turn.y, -turn.z] == state.nu[3:].tolist()
        q = message.pose.pose.orientation
        level = 2.0 * (q.w * q.z + q.x * q.y), 1.0 - 2.0 * (q.y**2 + q.z**2)
        yaw = math.pi / 2.0 - math.atan2(*level)
        assert math.remainder(yaw - state.euler[2], 2.0 * math.pi) == pytest.approx(0.0, abs=1e-9)


def test_readings_come_back_with_their_times(recorded):
    path, _, arrived, _ = recorded
    read = read_by_rosbags(path)
    imu = [reading for reading in arrived if reading.sensor == "imu"]
    assert len(read[f"{ROOT}/imu"]) == len(imu) == 100
    for (time_ns, message), reading in zip(read[f"{ROOT}/imu"], imu, strict=True):
        assert time_ns == round(reading.arrived_s * 1e9)
        stamp = message.header.stamp
        assert stamp.sec + 1e-9 * stamp.nanosec == pytest.approx(reading.time_s, abs=1e-9)
        force = message.linear_acceleration
        assert [force.x, -force.y, -force.z] == reading.values[:3].tolist()
    heights = [float(reading.values[0]) for reading in arrived if reading.sensor == "altimeter"]
    ranges = [message.range for _, message in read[f"{ROOT}/altimeter"]]
    assert ranges == pytest.approx(heights, rel=1e-6)  # float32
    ((_, log),) = read["/rosout"]
    assert (log.msg, log.level) == ("it leaks", 30)


def test_the_other_reader_finds_a_summary(recorded):
    path, states, _, recorder = recorded
    with open(path, "rb") as file:
        summary = make_reader(file).get_summary()
        assert summary is not None and summary.statistics is not None
        assert summary.statistics.message_count == recorder.counts()["sent"] + 1  # static frames
        assert summary.statistics.message_end_time == 2_000_000_000
        kinds = {summary.channels[k].topic: summary.schemas[c.schema_id].name for k, c in summary.channels.items()}
        assert kinds["/tf"] == "tf2_msgs/msg/TFMessage"
        reader = make_reader(file, decoder_factories=[DecoderFactory()])
        last = [m for _, channel, _, m in reader.iter_decoded_messages() if channel.topic == f"{ROOT}/odom"][-1]
    assert last.pose.pose.position.z == -states[-1].position_n[2]


def test_static_frames_are_given_to_those_who_come_late(recorded):
    with AnyReader([recorded[0]]) as reader:
        (static,) = [c for c in reader.connections if c.topic == "/tf_static"]
        (moving,) = [c for c in reader.connections if c.topic == "/tf"]
    assert static.ext.offered_qos_profiles[0].durability.name == "TRANSIENT_LOCAL"
    assert moving.ext.offered_qos_profiles[0].durability.name == "VOLATILE"


def test_a_reset_begins_a_new_file(tmp_path):
    sim = Simulation("bluerov2_heavy")
    session, recorder = Afloat(sim), McapRecorder(tmp_path / "run.mcap")
    recorder.begin(session)
    session.tick(recorder)
    sim.reset()
    recorder.begin(session)
    session.tick(recorder)
    session.tick(recorder)
    recorder.close()
    assert [path.name for path in recorder.paths] == ["run.mcap", "run-2.mcap"]
    assert [len(read_by_rosbags(path)["/clock"]) for path in recorder.paths] == [2, 3]


def test_a_name_that_is_taken_or_no_mcap_is_refused(tmp_path):
    (tmp_path / "there.mcap").touch()
    with pytest.raises(CommandError, match="exists"):
        McapRecorder(tmp_path / "there.mcap")
    with pytest.raises(CommandError, match=r"ends in \.mcap"):
        McapRecorder(tmp_path / "run.bag")


def test_a_file_that_cannot_be_written_is_refused_before_anything_flies(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(CommandError, match="folder cannot be made"):
        McapRecorder(tmp_path / "file" / "run.mcap")
    with pytest.raises(CommandError, match="cannot be written"):
        McapRecorder(tmp_path / ("x" * 300 + ".mcap"))
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_without_the_package_it_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "mcap.writer", None)
    with pytest.raises(MissingExtraError, match=r"\.\[mcap\]"):
        McapRecorder(tmp_path / "run.mcap")


def test_a_disk_that_fails_ends_the_recording_and_not_the_flight(tmp_path):
    sim = Simulation("bluerov2_heavy")
    session, messages = Afloat(sim), []
    recorder = McapRecorder(tmp_path / "folder" / "run.mcap")
    (tmp_path / "folder").rmdir()
    links = LinkSet([recorder], messages.append)
    links.begin(session)
    wait_for(lambda: recorder._problem is not None)
    session.tick()
    links.after(session)
    assert links.names == () and "cannot be written" in messages[0]
    session.tick()
    links.after(session)
    assert session.time_s == pytest.approx(0.2)


KILLED = """
    import sys, time
    sys.path.insert(0, ".")
    from pelagos.links.ros.mcap import McapRecorder
    from pelagos.sim.simulation import Simulation
    from tests.links.ros.afloat import Afloat

    sim = Simulation("bluerov2_heavy")
    afloat, recorder = Afloat(sim), McapRecorder(sys.argv[1], flush_s=0.1)
    recorder.begin(afloat)
    for _ in range(50):
        afloat.tick(recorder)
    while recorder.counts().get("sent", 0) < 51 * 4:
        time.sleep(0.01)
    all_sent_s = time.monotonic()
    while recorder._flushed_s < all_sent_s:
        time.sleep(0.01)
    print("written", flush=True)
    while True:
        afloat.tick(recorder)
        time.sleep(0.001)
"""


@pytest.mark.slow
def test_what_was_written_before_a_kill_can_be_read(tmp_path):
    path, whole = tmp_path / "killed.mcap", tmp_path / "whole.mcap"
    with subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(KILLED), str(path)], stdout=subprocess.PIPE, text=True
    ) as program:
        assert program.stdout is not None
        assert program.stdout.readline() == "written\n"
        program.send_signal(signal.SIGKILL)
    n = convert(path, whole)
    read = read_by_rosbags(whole)
    odom = [time_ns for time_ns, _ in read[f"{ROOT}/odom"]]
    assert odom[:51] == [k * 100_000_000 for k in range(51)]  # all that were said to be written
    assert n == sum(map(len, read.values()))


FULL = """
    import resource, signal, sys, time
    sys.path.insert(0, ".")
    from pelagos.session.links import LinkSet
    from pelagos.links.ros.mcap import McapRecorder
    from tests.links.ros.afloat import Afloat, rov

    afloat, said = Afloat(rov()), []
    links = LinkSet([McapRecorder(sys.argv[1], flush_s=0.05)], said.append)
    links.begin(afloat)
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (30_000, 30_000))
    while links.names:
        afloat.tick()
        links.after(afloat)
        time.sleep(0.001)
    print(said[0])
"""


@pytest.mark.slow
def test_a_disk_that_is_full_ends_the_recording_in_a_sentence_and_leaves_what_was_written(tmp_path):
    path = tmp_path / "full.mcap"
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(FULL), str(path)], capture_output=True, text=True, timeout=120
    )
    assert f"{path}: cannot be written (File too large)" in done.stdout
    assert convert(path, tmp_path / "whole.mcap") > 10
    odom = [time_ns for time_ns, _ in read_by_rosbags(tmp_path / "whole.mcap")[f"{ROOT}/odom"]]
    assert odom == [k * 20_000_000 for k in range(len(odom))] and len(odom) > 3


def test_a_large_file_is_compressed(tmp_path):
    """A vehicle at rest tells much the same again and again: zstd leaves little of it."""
    sim = Simulation("bluerov2_heavy")
    (vehicle,) = ros_vehicles_of([sim])
    size = 0
    with McapFile(tmp_path / "rest.mcap") as file:
        for _ in range(200):
            for message in messages_of(vehicle, vehicle_tick(sim)):
                file.write(message)
                size += len(encoder(message.type)(message.values))
    assert (tmp_path / "rest.mcap").stat().st_size < 0.3 * size  # a third is far above what repetition leaves


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("convert")
    log = rov(control_rate_hz=10.0).run(2.0, path=folder / "run.csv")
    return folder, log


def test_the_motion_of_a_log_comes_back(run):
    folder, log = run
    n = convert(folder / "run.csv", folder / "run.mcap")
    read = read_by_rosbags(folder / "run.mcap")
    assert n == sum(map(len, read.values()))
    odom = read[f"{ROOT}/odom"]
    assert [time_ns for time_ns, _ in odom] == [round(1e9 * t) for t in log.time_s]
    assert [m.pose.pose.position.x for _, m in odom] == log["east_m"].tolist()  # CSV keeps every digit
    assert [-m.twist.twist.linear.y for _, m in odom] == log["sway_m_s"].tolist()
    rates = [-math.degrees(m.twist.twist.angular.z) for _, m in odom]
    assert rates == pytest.approx(log["yaw_rate_deg_s"].tolist(), abs=1e-9)
    assert len(read["/tf"]) == len(read["/clock"]) == len(log)


def test_actuators_and_instruments_of_a_log_come_back(run):
    folder, log = run
    convert(folder / "run.csv", folder / "again.mcap")
    read = read_by_rosbags(folder / "again.mcap")
    last = read[f"{ROOT}/thrusters"][-1][1]
    assert last.effort.tolist() == [log[f"thruster_{name}_N"][-1] for name in last.name]
    heights = log["altimeter_altitude_m"]
    ranges = [m.range for _, m in read[f"{ROOT}/altimeter"]]
    assert ranges == pytest.approx(heights[np.isfinite(heights)].tolist(), rel=1e-6)
    pressures = [m.fluid_pressure for _, m in read[f"{ROOT}/depth"]]
    weight = log.meta["density_kg_m3"] * log.meta["gravity_m_s2"]
    depths = log["depth_depth_m"]
    assert pressures == pytest.approx((101325.0 + weight * depths[np.isfinite(depths)]).tolist())


def test_parquet_gives_the_same_messages(run):
    folder, log = run
    log.to_parquet(folder / "run.parquet")
    assert convert(folder / "run.parquet", folder / "parquet.mcap") == convert(folder / "run.csv", folder / "csv.mcap")


@pytest.mark.slow
def test_a_scenario_with_a_navigator_has_its_estimate_and_its_events(tmp_path):
    log = load_scenario("remus-lawnmower", {"duration_s": 20.0}).run()
    assert isinstance(log, Log)
    log.to_csv(tmp_path / "run.csv")
    convert(tmp_path / "run.csv", tmp_path / "run.mcap")
    read = read_by_rosbags(tmp_path / "run.mcap")
    estimate = [m for topic, many in read.items() if topic.endswith("/estimate") for _, m in many]
    assert [m.pose.pose.position.y for m in estimate] == log["est_north_m"].tolist()
    assert estimate[-1].pose.covariance[7] == pytest.approx(log["est_north_sigma_m"][-1] ** 2)
    assert [m.msg for _, m in read.get("/rosout", [])] == [event.text for event in log.events]
    assert len(log.events) > 0


def test_a_log_without_motion_is_refused(tmp_path):
    Log({"time_s": np.arange(3.0), "depth_m": np.zeros(3)}).to_csv(tmp_path / "odd.csv")
    with pytest.raises(LogError, match="no column 'north_m'"):
        convert(tmp_path / "odd.csv", tmp_path / "odd.mcap")
    assert not (tmp_path / "odd.mcap").exists()


def test_a_file_that_is_no_mcap_is_refused(tmp_path):
    (tmp_path / "broken.mcap").write_bytes(b"not an mcap file at all")
    with pytest.raises(CommandError, match="no message can be read"):
        convert(tmp_path / "broken.mcap", tmp_path / "whole.mcap")
    assert not (tmp_path / "whole.mcap").exists()


@pytest.mark.parametrize("share", [0.3, 0.6, 0.9, 0.99])
def test_a_file_cut_anywhere_gives_what_is_whole(tmp_path, share):
    path, cut = tmp_path / "long.mcap", tmp_path / "cut.mcap"
    with McapFile(path, chunk_bytes=2000) as file:
        for k in range(2000):
            file.write(clock_message(0.01 * k))
    data = path.read_bytes()
    cut.write_bytes(data[: int(share * len(data))])
    n = convert(cut, tmp_path / "whole.mcap")
    times = [time_ns for time_ns, _ in read_by_rosbags(tmp_path / "whole.mcap")["/clock"]]
    assert times == [round(1e7 * k) for k in range(n)]
    assert n > 1000 * share


FULL_CONVERT = """
    import resource, signal, sys
    from pelagos.cli.main import main

    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (2_000, 2_000))
    sys.exit(main(["convert", *sys.argv[1:]]))
"""


@pytest.mark.slow
@pytest.mark.parametrize("name", ["run.csv", "whole.mcap"])
def test_a_disk_that_is_full_is_a_sentence_and_leaves_no_half_of_a_file(run, name):
    folder, _ = run
    if not (folder / "whole.mcap").exists():
        convert(folder / "run.csv", folder / "whole.mcap")
    words = [sys.executable, "-c", textwrap.dedent(FULL_CONVERT), str(folder / name), str(folder / "full.mcap")]
    done = subprocess.run(words, capture_output=True, text=True, timeout=120)
    assert done.returncode != 0
    assert done.stderr == f"pelagos: {folder / 'full.mcap'}: cannot be written (File too large)\n"
    assert not (folder / "full.mcap").exists()


def test_what_is_saved_of_a_cut_file_keeps_its_notes(run):
    folder, _ = run
    convert(folder / "run.csv", folder / "noted.mcap")
    (folder / "cut.mcap").write_bytes((folder / "noted.mcap").read_bytes()[:-500])
    convert(folder / "cut.mcap", folder / "mended.mcap")
    notes = []
    for name in ("noted.mcap", "mended.mcap"):
        with open(folder / name, "rb") as file:
            notes.append({note.name: note.metadata for note in make_reader(file).iter_metadata()})
    assert notes[0] == notes[1] and notes[0]["log"]["source"] == "run.csv"
