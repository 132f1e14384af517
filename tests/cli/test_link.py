"""`pelagos link`: the mode its options select, error messages, and whole commands from start to signal."""

import argparse
import contextlib
import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from pelagos.cli.link import TAKES, add_link, mode_of, stopping
from pelagos.cli.main import main
from pelagos.cli.options import resolve_links
from pelagos.sim.log.load import load_log
from tests.console.served import until

ROOT = Path(__file__).parents[2]


def words(*options):
    parser = argparse.ArgumentParser()
    add_link(lambda name, function, *rest: parser)
    arguments = parser.parse_args(options)
    resolve_links(arguments)
    return arguments


@pytest.mark.parametrize(
    ("options", "way"),
    [
        (("first-dive",), "robot"),
        (("first-dive", "--dis"), "robot"),
        (("--dis", "first-dive"), "robot"),
        (("phoenix",), "vehicle"),
        (("run.csv",), "log"),
        (("run.parquet",), "log"),
        (("--ardusub",), "ardusub"),
        (("--ardusub", "bluerov2"), "ardusub"),
        (("--mavlink",), "flight"),
        (("--mavlink", "first-dive"), "flight"),
        (("first-dive", "--rosbridge"), "flight"),
    ],
)
def test_the_way_follows_from_the_words(options, way):
    assert mode_of(words(*options)) == way
    assert way in TAKES


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ((), "there is nothing to link; expected a scenario, a vehicle, a log, --ardusub or --mavlink"),
        (("--foxglove",), "--foxglove is an additional link; expected a scenario, a vehicle or --mavlink with it"),
        (("--mavlink", "run.csv"), "run.csv: is a log; expected a vehicle or a scenario with --mavlink"),
        (("first-dive", "--speed", "-3"), "--speed is -3; expected a number from"),
        (("first-dive", "--clock", "scaled", "--speed", "nan"), "--speed is nan"),
        (("first-dive", "--reverse", "5"), "the robot link of a scenario takes no --reverse"),
        (("--mavlink", "--motors", "front_port"), "a vehicle for ground stations takes no --motors"),
        (("--mavlink", "--log", "run.txt"), "--log is 'run.txt'; expected a name that ends in .csv or .parquet"),
        (("--ardusub", "--port", "0", "--motors", "front_prot"), 'did you mean "front_port"'),
        (("--ardusub", "--port", "0", "--reverse", "5,9"), "reversed motor is 9; expected a whole number from 1"),
        (("--ardusub", "--frame", "vectored", "--motors", "front_port"), "expected one of the two"),
        (("frist-dive",), 'did you mean "first-dive"'),
        (("nothing.csv",), "nothing.csv"),
        (("nothing.toml",), "nothing.toml"),
        (("first-dive", "--frame", "vectored"), "the robot link of a scenario takes no --frame"),
        (("first-dive", "--depth-m", "3"), "the robot link of a scenario takes no --depth-m"),
        (("first-dive", "--rate", "3"), "rate_hz is 3"),
        (
            ("first-dive", "--clock", "realtime", "--speed", "2"),
            "--clock is 'realtime'; --speed goes with --clock scaled",
        ),
        (("first-dive", "--port", "70000"), "--port is 70000; expected a number from 0 to 65535"),
        (
            ("first-dive", "--host", "0.0.0.0"),
            'the robot link: host = "0.0.0.0": other machines can',
        ),
        (("first-dive", "--log", "run.txt"), "--log is 'run.txt'; expected a name that ends in .csv or .parquet"),
        (("first-dive", "--seed", "-1"), "seed"),
        (("run.csv", "--dis"), "a log takes no --dis"),
        (("--mavlink", "--clock", "lockstep"), "a vehicle for ground stations takes no --clock"),
        (("--mavlink", "--port", "5"), "takes no --port"),
        (("--ardusub", "--dis"), "--ardusub takes no --dis"),
        (("--ardusub", "iver9"), "iver9"),
        (
            ("--ardusub", "--host", "0.0.0.0", "--port", "0"),
            'ardusub: host = "0.0.0.0": other machines can',
        ),
    ],
)
def test_mistakes_are_sentences(options, sentence, capsys):
    assert main(["link", *options]) == 2
    out, err = capsys.readouterr()
    assert out == "" and err.startswith("pelagos: ")
    assert sentence in err.splitlines()[-1]
    assert "Traceback" not in err


def test_a_log_that_is_there_is_not_written_over(tmp_path, capsys):
    (tmp_path / "a.csv").write_text("dear")
    assert main(["link", "first-dive", "--log", str(tmp_path / "a.csv")]) == 2
    assert "exists already; expected a new name" in capsys.readouterr().err
    assert (tmp_path / "a.csv").read_text() == "dear"


@pytest.mark.parametrize(
    ("options", "link", "kind"),
    [
        (("first-dive", "--port"), "the robot link", socket.SOCK_STREAM),
        (("first-dive", "--udp", "--port"), "the robot link", socket.SOCK_DGRAM),
        (("--ardusub", "--port"), "ardusub", socket.SOCK_DGRAM),
        (("--mavlink",), "mavlink", socket.SOCK_DGRAM),
        (("--rosbridge",), "rosbridge", socket.SOCK_STREAM),
    ],
)
def test_a_port_that_is_taken_is_a_sentence_before_anything_is_made(tmp_path, capsys, options, link, kind):
    if link in ("mavlink", "rosbridge"):
        pytest.importorskip({"mavlink": "pymavlink", "rosbridge": "websockets"}[link])
    with socket.socket(socket.AF_INET, kind) as taken:
        taken.bind(("127.0.0.1", 0))
        if kind == socket.SOCK_STREAM:
            taken.listen()
        port = taken.getsockname()[1]
        where = f"udpin:127.0.0.1:{port}" if link == "mavlink" else str(port)
        assert main(["link", *options, where, "--log", str(tmp_path / "a.csv")]) == 2
    err = capsys.readouterr().err
    assert err.startswith(f'pelagos: {link}: address = "127.0.0.1:{port}": cannot listen there (')
    assert err.count("\n") == 1  # no message about compilation
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_is_a_sentence_before_anything_is_made(tmp_path, capsys):
    (tmp_path / "file").write_text("")
    for way in (("first-dive", "--port", "0"), ("--ardusub", "--port", "0"), ("--mavlink", "udpin:127.0.0.1:0")):
        assert main(["link", *way, "--log", str(tmp_path / "file" / "a.csv")]) == 2
        err = capsys.readouterr().err
        assert err.startswith("pelagos: --log ") and err.count("\n") == 1 and "nothing can be written there" in err


def test_the_help_shows_every_way_by_example(capsys):
    with pytest.raises(SystemExit):
        main(["link", "--help"])
    output = capsys.readouterr().out
    shown = re.findall(r"^  pelagos link (.*?)(?:   .*)?$", output, re.M)
    assert len(shown) >= 10
    ways = set()
    for example in shown:
        said_words = example.replace("mine.toml", "first-dive").split()  # mine.toml is the reader's
        ways.add(mode_of(words(*said_words)))  # every scenario and vehicle of it exists
    assert ways == set(TAKES)
    assert "no" in output and "authentication" in output


def test_the_first_signal_asks_and_the_second_ends():
    before = signal.getsignal(signal.SIGTERM)
    with pytest.raises(KeyboardInterrupt), stopping() as stop:
        signal.raise_signal(signal.SIGTERM)
        assert stop.is_set()
        signal.raise_signal(signal.SIGINT)
    assert signal.getsignal(signal.SIGTERM) == before


# ---- whole commands --------------------------------------------------------------------------------------------------


@contextlib.contextmanager
def command(tmp_path, *options):
    """A separate process; `.lines` collects its output, `.wait_for(pattern)` waits for a line that matches."""
    process = subprocess.Popen(
        [sys.executable, "-m", "pelagos", *options], cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(ROOT)},
        text=True, start_new_session=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip
    lines = []
    assert process.stdout is not None

    def read():
        for line in process.stdout:
            lines.append(line)

    reader = threading.Thread(target=read, daemon=True)
    reader.start()

    def wait_for(pattern):
        def look():
            assert process.poll() is None or not reader.is_alive()
            return next((m for line in list(lines) if (m := re.search(pattern, line))), None)

        return until(look, 300.0)  # a new process may have to compile, on a machine that has much to do

    def end(number):
        process.send_signal(number)
        code = process.wait(300.0)
        reader.join(10.0)
        return code

    process.wait_for, process.end, process.lines = wait_for, end, lines
    try:
        yield process
    finally:
        process.kill()
        process.wait()
        reader.join(10.0)
        process.stdout.close()


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_the_robot_link_with_an_exercise_beside_it_until_a_signal(tmp_path, number):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as other:
        other.bind(("127.0.0.1", 0))
        other.settimeout(300.0)
        where = f"127.0.0.1:{other.getsockname()[1]}"
        options = ("link", "first-dive", "--port", "0", "--log", "run.csv", "--dis", where)
        with command(tmp_path, *options) as process:
            port = int(process.wait_for(r"listens at 127\.0\.0\.1:(\d+)").group(1))
            with socket.create_connection(("127.0.0.1", port), timeout=300.0) as line, line.makefile("rb") as lines:
                line.sendall(json.dumps({"type": "hello", "schema": 1}).encode() + b"\n")
                assert json.loads(lines.readline())["type"] != "refused"
                for seq in range(1, 21):
                    line.sendall(json.dumps({"type": "order", "seq": seq}).encode() + b"\n")
                    state = json.loads(lines.readline())
                assert state["time_s"] == pytest.approx(2.0)  # lockstep: twenty intervals of 0.1 s
                pdu = other.recv(9000)
                assert (pdu[0], pdu[2]) == (7, 1)  # version 7, Entity State
                code = process.end(number)
        output = "".join(process.lines)
        assert code == 0, output
        assert "Traceback" not in output
        assert "robot link: " in output and "dis: " in output and "recorded run.csv" in output
    log = load_log(tmp_path / "run.csv")
    assert log.complete and len(log) == 21


@pytest.mark.slow
def test_a_mavlink_vehicle_without_a_page_until_a_signal(tmp_path):
    mavutil = pytest.importorskip("pymavlink.mavutil")
    with command(tmp_path, "link", "--mavlink", "udpin:127.0.0.1:0", "--log", "run.csv") as process:
        port = int(process.wait_for(r"mavlink: listens on port (\d+)").group(1))
        station = mavutil.mavlink_connection(f"udpout:127.0.0.1:{port}", source_system=255)
        try:
            station.mav.heartbeat_send(6, 8, 0, 0, 0)
            beat = station.recv_match(type="HEARTBEAT", blocking=True, timeout=300.0)
            assert beat is not None and beat.type == 12  # MAV_TYPE_SUBMARINE
            assert not beat.base_mode & 128  # it waits to be armed
        finally:
            station.close()
        code = process.end(signal.SIGTERM)
    output = "".join(process.lines)
    assert code == 0, output
    assert "Traceback" not in output and re.search(r"^mavlink: .*received [1-9]", output, re.M)
    assert load_log(tmp_path / "run.csv").complete


@pytest.mark.slow
def test_a_pilots_page_with_both_links_in_one_process(tmp_path):
    """`pelagos fly --dis --mavlink`: pages, an exercise and a ground station on the same flight."""
    mavutil = pytest.importorskip("pymavlink.mavutil")
    connect = pytest.importorskip("websockets.sync.client").connect
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as other:
        other.bind(("127.0.0.1", 0))
        other.settimeout(300.0)
        dis = f"127.0.0.1:{other.getsockname()[1]}"
        options = ("fly", "--no-browser", "--port", "0", "--record", "run.csv", "--dis", dis)
        with command(tmp_path, *options, "--mavlink", "udpin:127.0.0.1:0") as process:
            origin, token = process.wait_for(r"open (http://127\.0\.0\.1:\d+)/\?token=(\S+)").groups()
            with connect(f"ws{origin[4:]}/ws?token={token}", origin=origin, max_size=None, max_queue=None) as page:
                port = int(process.wait_for(r"mavlink: listens on port (\d+)").group(1))
                page.send(json.dumps({"type": "input", "seq": 1, "t": 0, "sticks": {"surge": 0.2}}))
                station = mavutil.mavlink_connection(f"udpout:127.0.0.1:{port}", source_system=255)
                try:
                    station.mav.heartbeat_send(6, 8, 0, 0, 0)
                    assert station.recv_match(type="ATTITUDE", blocking=True, timeout=300.0) is not None
                finally:
                    station.close()
                assert other.recv(9000)[2] == 1  # Entity State
                links = {}
                while not {"dis", "mavlink"} <= links.keys():
                    got = page.recv(timeout=300.0)
                    if isinstance(got, str) and (message := json.loads(got))["type"] == "links":
                        links = message["links"]
            code = process.end(signal.SIGTERM)
    output = "".join(process.lines)
    assert code == 0, output
    assert "Traceback" not in output and "the console is closed" in output
    assert re.search(r"^dis: .*sent [1-9]", output, re.M) and re.search(r"^mavlink: .*sent [1-9]", output, re.M)
    assert load_log(tmp_path / "run.csv").complete


@pytest.mark.slow
def test_ardusub_listens_and_ends(tmp_path):
    with command(tmp_path, "link", "--ardusub", "--port", "0") as process:
        process.wait_for(r"waiting for ArduSub at 127\.0\.0\.1:\d+; there is no authentication")
        code = process.end(signal.SIGTERM)
    assert code == 0 and "ardusub: nothing came or went\n" in process.lines


@pytest.mark.slow
def test_motors_of_ardusub_as_named_and_reversed(tmp_path):
    named = "--motors=port_screw,-starboard_screw,bow_vertical"
    with command(tmp_path, "link", "--ardusub", "phoenix", "--port", "0", named, "--reverse", "2,3") as process:
        process.wait_for(r"waiting for ArduSub at")
        assert process.end(signal.SIGTERM) == 0
    motors = [line.strip() for line in process.lines if re.match(r" +motor \d", line)]
    assert [re.split(r" +|, ", line)[2] for line in motors] == ["port_screw", "starboard_screw", "bow_vertical"]
    assert ["reversed" in line for line in motors] == [False, False, True]  # twice reversed is not


def test_quiet_says_nothing_but_why_a_flight_ended(capsys, monkeypatch, tmp_path):
    """A flight that cannot be built, which shows only in the thread of the simulation."""
    pytest.importorskip("websockets")
    from pelagos.errors import ScenarioError

    def impossible(arguments):
        def build():
            raise ScenarioError("there is none", file="the sea")

        return build

    monkeypatch.setattr("pelagos.cli.link.flight_builder", impossible)
    assert main(["link", "--rosbridge", "0", "--quiet"]) == 1
    out, err = capsys.readouterr()
    assert out == "" and err == "failed: the sea: there is none\n"
