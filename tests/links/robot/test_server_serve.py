import json
import re
import socket
import threading

import pytest

from pelagos.errors import CommandError
from pelagos.links.robot.recorded import RecordedHost
from pelagos.links.robot.server import serve
from pelagos.scenario.read import scenario_from
from pelagos.session.lockstep import LockstepDriver
from pelagos.sim.log.load import load_log
from tests.links.robot.linked import TABLES


def talk(port, *messages):
    """Send each message and take an answer to each."""
    with socket.create_connection(("127.0.0.1", port), timeout=60.0) as line, line.makefile("rb") as lines:
        answers = []
        for message in messages:
            line.sendall(json.dumps(message).encode() + b"\n")
            answers.append(json.loads(lines.readline()))
        return answers


HELLO, ORDER, END = {"type": "hello", "schema": 1}, {"type": "order", "seq": 1}, {"type": "bye", "end": True}


@pytest.mark.parametrize("what", ["scenario", "log"])
def test_a_scenario_and_a_log_are_served_by_the_same_call(what, tmp_path):
    driver = LockstepDriver(scenario_from(TABLES), log=tmp_path / "run.csv")
    heard, answers, ready = [], [], threading.Event()

    def say(text):
        heard.append(text)
        ready.set()

    def client():
        ready.wait(60.0)
        answers.extend(talk(int(re.search(r":(\d+) ", heard[0])[1]), HELLO, ORDER, END))

    if what == "log":
        for _ in range(5):
            driver.tick()
        driver.close()
    world = driver if what == "scenario" else RecordedHost(tmp_path / "run.csv")
    thread = threading.Thread(target=client)
    thread.start()
    counts = serve(world, port=0, say=say, title="tank")
    thread.join(60.0)
    assert heard[0].startswith("robot link: listens at 127.0.0.1:") and "no authentication" in heard[0]
    hello, state, bye = answers
    assert (hello["kind"], hello["title"]) == (("simulation", "tank") if what == "scenario" else ("log", "run.csv"))
    assert (state["tick"], state["time_s"]) == (1, 0.1)
    assert bye["type"] == "bye"
    assert (counts["received"], counts["exchanges"]) == (3, 1)
    assert load_log(tmp_path / "run.csv").complete


def test_it_ends_when_it_is_told_to_stop():
    stop = threading.Event()
    stop.set()
    assert serve(LockstepDriver(scenario_from(TABLES)), port=0, stop=stop) == {}


def test_words_that_cannot_be_are_refused():
    with LockstepDriver(scenario_from(TABLES)) as driver:
        with pytest.raises(CommandError, match="expected one of lockstep"):
            serve(driver, clock="sundial", port=0)
        with pytest.raises(CommandError, match="control rate"):
            serve(driver, rate_hz=3.0, port=0)
        with pytest.raises(CommandError, match="deadman_s"):
            serve(driver, deadman_s=0.0, port=0)
