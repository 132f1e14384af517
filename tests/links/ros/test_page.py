"""docs/foxglove.md agrees with the code."""

import re
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

from pelagos.cli.main import main
from pelagos.links.ros.foxglove import PORT as FOXGLOVE
from pelagos.links.ros.rosbridge.link import PORT as ROSBRIDGE
from pelagos.links.ros.rosbridge.orders import TIMEOUT_S
from pelagos.links.ros.rosbridge.protocol import LARGEST
from pelagos.links.ros.rosbridge.server import MOST_CLIENTS, PER_S
from tests.links.ros.afloat import wait_for
from tests.links.ros.bridged import Flown
from tests.links.ros.test_mcap import read_by_rosbags

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs/foxglove.md").read_text(encoding="utf-8")


def test_the_tables_are_those_of_the_code():
    """After a change: python scripts/ros_topics.py."""
    made = runpy.run_path(str(ROOT / "scripts/ros_topics.py"))["tables"]()
    assert made in PAGE
    assert sum(line.startswith("| `") for line in made.splitlines()) > 25


def test_the_numbers_are_those_of_the_code():
    assert f"localhost:{FOXGLOVE}`" in PAGE and f'"127.0.0.1", {ROSBRIDGE})' in PAGE
    assert f"**{TIMEOUT_S:g} s**" in PAGE
    assert f"Limits: {MOST_CLIENTS} clients, {LARGEST // 1024} KiB a message, {PER_S:g} messages a second" in PAGE


@pytest.mark.slow
def test_the_code_runs(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    code, _ = re.findall(r"^```python\n(.*?)^```", PAGE, re.M | re.S)
    exec(compile(code, "docs/foxglove.md", "exec"), {})
    n = sum(map(len, read_by_rosbags(tmp_path / "dive.mcap").values()))
    assert capsys.readouterr().out == f"{n} messages\n"
    assert main(["convert", "dive.csv", "again.mcap"]) == 0
    assert capsys.readouterr().out == f"again.mcap: {n} messages\n"


@pytest.mark.slow
def test_its_program_with_roslibpy_steers(tmp_path):
    """In a process of its own: the reactor of roslibpy cannot be started twice."""
    _, code = re.findall(r"^```python\n(.*?)^```", PAGE, re.M | re.S)
    flown = Flown()
    try:
        there = code.replace("9090", str(flown.bridge.port))
        assert there != code
        again = "import time\nwhile True:\n    sticks.publish(sticks_out)\n    time.sleep(0.1)\n"
        there = there.replace("sticks.publish(", "sticks_out = (", 1) + again  # for as long as somebody steers
        process = subprocess.Popen(
            [sys.executable, "-u", "-c", there], stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        )
        try:
            wait_for(lambda: flown.flight.helm.modes["depth"] and flown.inputs and flown.inputs[-1].surge == 0.5)
            assert process.stdout is not None and b"'x'" in process.stdout.readline()  # a place of its odometry
        finally:
            process.kill()
            process.communicate()
    finally:
        flown.close()
