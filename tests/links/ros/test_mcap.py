"""Files read back by rosbags, which shares no code with us, and by the package mcap; and files of a killed program."""

import math
import signal
import subprocess
import sys
import textwrap

import pytest
from mcap.reader import make_reader
from mcap_ros2.decoder import DecoderFactory
from rosbags.highlevel import AnyReader

from pelagos.errors import CommandError, MissingExtraError
from pelagos.links.ros.mcap import McapFile, McapRecorder, convert
from pelagos.links.ros.messages import encoder
from pelagos.links.ros.topics import messages_of, taken
from pelagos.links.ros.vehicle import ros_vehicles_of
from pelagos.session.links import LinkSet
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
    session, recorder, truth, arrived = Afloat(sim), McapRecorder(path), [], []
    recorder.begin(session)
    truth.append(sim.evaluate())
    for k in range(100):
        events = [{"type": "event", "time_s": 1.0, "kind": "fault", "text": "it leaks"}] if k == 49 else []
        session.tick(recorder, events=events)
        truth.append(sim.evaluate())
        arrived += sim.sensing.suite.arrived
    recorder.close()
    return path, truth, arrived, recorder


def test_rosbags_reads_the_truth_back(recorded):
    path, truth, _, _ = recorded
    odom = read_by_rosbags(path)[f"{ROOT}/odom"]
    assert len(odom) == len(truth) == 101
    for (time_ns, message), look in zip(odom, truth, strict=True):
        assert time_ns == round(look.time_s * 1e9)
        place, turn = message.pose.pose.position, message.twist.twist.angular
        assert [place.y, place.x, -place.z] == look.position_n.tolist()  # to the last bit
        assert [turn.x, -turn.y, -turn.z] == look.nu[3:].tolist()
        q = message.pose.pose.orientation
        level = 2.0 * (q.w * q.z + q.x * q.y), 1.0 - 2.0 * (q.y**2 + q.z**2)
        yaw = math.pi / 2.0 - math.atan2(*level)
        assert math.remainder(yaw - look.euler[2], 2.0 * math.pi) == pytest.approx(0.0, abs=1e-9)


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
    told = [message.range for _, message in read[f"{ROOT}/altimeter"]]
    assert told == pytest.approx(heights, rel=1e-6)  # float32
    ((_, log),) = read["/rosout"]
    assert (log.msg, log.level) == ("it leaks", 30)


def test_the_other_reader_finds_a_summary(recorded):
    path, truth, _, recorder = recorded
    with open(path, "rb") as file:
        summary = make_reader(file).get_summary()
        assert summary is not None and summary.statistics is not None
        assert summary.statistics.message_count == recorder.counts()["sent"] + 1  # static frames
        assert summary.statistics.message_end_time == 2_000_000_000
        kinds = {summary.channels[k].topic: summary.schemas[c.schema_id].name for k, c in summary.channels.items()}
        assert kinds["/tf"] == "tf2_msgs/msg/TFMessage"
        reader = make_reader(file, decoder_factories=[DecoderFactory()])
        last = [m for _, channel, _, m in reader.iter_decoded_messages() if channel.topic == f"{ROOT}/odom"][-1]
    assert last.pose.pose.position.z == -truth[-1].position_n[2]


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
    session, said = Afloat(sim), []
    recorder = McapRecorder(tmp_path / "folder" / "run.mcap")
    (tmp_path / "folder").rmdir()
    links = LinkSet([recorder], said.append)
    links.begin(session)
    wait_for(lambda: recorder._problem is not None)
    session.tick()
    links.after(session)
    assert links.names == () and "cannot be written" in said[0]
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


def test_a_disk_that_is_full_ends_the_recording_in_a_sentence_and_leaves_what_was_written(tmp_path):
    path = tmp_path / "full.mcap"
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(FULL), str(path)], capture_output=True, text=True, timeout=120
    )
    assert f"{path} cannot be written (File too large)" in done.stdout
    assert convert(path, tmp_path / "whole.mcap") > 10
    odom = [time_ns for time_ns, _ in read_by_rosbags(tmp_path / "whole.mcap")[f"{ROOT}/odom"]]
    assert odom == [k * 20_000_000 for k in range(len(odom))] and len(odom) > 3


def test_a_large_file_is_compressed(tmp_path):
    """A vehicle at rest tells much the same again and again: zstd leaves little of it."""
    sim = Simulation("bluerov2_heavy")
    (craft,) = ros_vehicles_of([sim])
    size = 0
    with McapFile(tmp_path / "rest.mcap") as file:
        for _ in range(200):
            for message in messages_of(craft, taken(sim)):
                file.write(message)
                size += len(encoder(message.type)(message.values))
    assert (tmp_path / "rest.mcap").stat().st_size < 0.3 * size  # a third is far above what repetition leaves
