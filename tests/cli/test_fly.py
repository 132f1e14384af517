"""`pelagos fly`: its options, mistakes in a sentence, and a whole flight in a child process."""

import argparse
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from websockets.sync.client import connect

from pelagos.cli.fly import add_fly, fly
from pelagos.console.protocol import unpack_snapshot
from pelagos.errors import CommandError
from pelagos.session.security import is_loopback, listen_at
from pelagos.sim.log.load import load_log

ROOT = Path(__file__).parents[2]
COMMAND = (
    "import argparse, sys\n"
    "from pelagos.cli.fly import add_fly\n"
    "from pelagos.errors import PelagosError\n"
    "parser = argparse.ArgumentParser()\n"
    "add_fly(lambda name, function, *rest: parser)\n"
    "from pelagos.cli.fly import fly\n"
    "sys.exit(fly(parser.parse_args(sys.argv[1:])))\n"
)  # the command alone, whatever else the program has


def words(*options):
    parser = argparse.ArgumentParser()
    add_fly(lambda name, function, *rest: parser)
    return parser.parse_args(options)


@pytest.mark.parametrize("host", ["0.0.0.0", "192.0.2.7", "::", "example.org"])
def test_a_host_that_others_reach_needs_to_be_allowed(host):
    assert not is_loopback(host)
    with pytest.raises(
        CommandError,
        match=f"--host is '{re.escape(host)}'; other machines can reach this address; expected --allow-remote",
    ):
        fly(words("--host", host, "--no-browser"))


def test_a_port_that_is_taken_is_a_sentence():
    taken = listen_at("127.0.0.1", 0)
    try:
        with pytest.raises(CommandError, match="Address already in use"):
            fly(words("--port", str(taken.getsockname()[1]), "--no-browser"))
    finally:
        taken.close()


@pytest.mark.slow
def test_a_flight_from_the_address_on_the_screen_to_ctrl_c(tmp_path):
    """The whole command: served, watched over a socket, ended by the signal of Ctrl-C with a log that can be read."""
    process = subprocess.Popen(
        [sys.executable, "-c", COMMAND, "--no-browser", "--port", "0", "--record", "run.csv"],
        cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(ROOT)}, text=True, start_new_session=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    try:
        assert process.stdout is not None
        match = re.fullmatch(r"open (http://127\.0\.0\.1:\d+)/\?token=(\S+)\n", process.stdout.readline())
        assert match
        origin, token = match.groups()
        with connect(f"ws{origin[4:]}/ws?token={token}", origin=origin, max_size=None, max_queue=None) as socket:
            columns, times = None, []
            end = time.monotonic() + 300.0  # a machine that compiles first
            while len(times) < 20 and time.monotonic() < end:
                got = socket.recv(timeout=300.0)
                if isinstance(got, bytes):
                    socket.send(json.dumps({"type": "input", "seq": len(times), "t": 0, "sticks": {"surge": 0.1}}))
                    times.append(unpack_snapshot(got).time_s)
                elif json.loads(got)["type"] == "hello":
                    columns = json.loads(got)["columns"]
            assert times[-1] > times[0]
            assert columns is not None and {"north_m", "depth_m", "recording", "overruns"} <= set(columns)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60.0)
    finally:
        process.kill()
        process.wait()
        for pipe in (process.stdout, process.stderr):
            if pipe is not None:
                pipe.close()
    assert process.returncode == 0, err
    assert out == "the console is closed\n"
    assert "recorded run.csv" in err and "Traceback" not in err
    log = load_log(tmp_path / "run.csv")
    assert log.complete and len(log) > 10
