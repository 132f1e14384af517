"""JSON of metadata and events, and the file of whole blocks: no partial line after a failed write."""

import os
import subprocess
import sys

import numpy as np
import pytest

from pelagos.messages import Event
from pelagos.sim.log.file import (
    BlockFile,
    cannot_read,
    cannot_write,
    dumps,
    events_of,
    plain_event,
    read_event,
    unit_of,
)
from pelagos.sim.log.log import LogError


@pytest.mark.parametrize("event", [Event(0.0, "leak", 'wet: ä, "5" %'), Event(1e-3, "end", "", "auv2")])
def test_an_event_comes_back(event):
    assert read_event(plain_event(event)) == event


@pytest.mark.parametrize("value", [None, 3, [], {}, {"time_s": "1", "kind": "a", "text": "b"}, {"time_s": 1.0}])
def test_what_is_no_event_is_refused(value):
    with pytest.raises(LogError, match=r"event is .*; expected time_s, kind and text"):
        read_event(value)


def test_no_list_is_no_events():
    assert events_of(None) == events_of({"time_s": 0.0}) == []


@pytest.mark.parametrize(
    ("name", "unit"),
    [
        ("depth_m", "m"), ("surge_m_s", "m/s"), ("yaw_rate_deg_s", "deg/s"), ("thrusters_M_N_m", "N m"),
        ("thruster_left_rpm", "rpm"), ("q0", ""), ("wet_share", ""), ("leg", ""),
    ],
)  # fmt: skip
def test_the_unit_is_read_off_the_name(name, unit):
    assert unit_of(name) == unit


def test_numpy_values_are_plain_in_text():
    assert dumps({"seed": np.int64(4), "start": np.array([1.0, 2.5])}) == '{"seed": 4, "start": [1.0, 2.5]}'


def test_sentences_name_the_file_and_the_reason():
    assert str(cannot_write("a.csv", OSError(28, "No space left on device"))) == (
        "a.csv: the log cannot be written (No space left on device)"
    )
    assert str(cannot_read("a.csv", FileNotFoundError(2, "No such"))) == "a.csv: no such file"
    assert str(cannot_read("a.csv", ValueError("two\nlines"))) == "a.csv: cannot be read as a log (two lines)"


LIMITED = """
import resource, sys
from pelagos.sim.log.log import LogError
from pelagos.sim.log.file import BlockFile
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
file = BlockFile(sys.argv[1], line_end=sys.argv[2].encode())
try:
    for k in range(100):
        file.put(b"%03d,abcdef\\n" % k * 7, 7)  # 77 bytes; 12 blocks make 924, the 13th is cut after 76
except LogError as error:
    print(error)
file.close()
print(file.rows)
"""


def test_what_is_put_can_be_read_at_once(tmp_path):
    file = BlockFile(tmp_path / "a")
    file.put(b"one\n", 1)
    file.put(b"two\nthree\n", 2)
    assert (tmp_path / "a").read_bytes() == b"one\ntwo\nthree\n"
    assert file.rows == 3
    file.close()
    file.close()  # twice is once


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="no file size limits")
@pytest.mark.parametrize("line_end", ["\n", ""])
def test_a_block_that_does_not_fit_is_cut_to_whole_lines(tmp_path, line_end):
    command = [sys.executable, "-c", LIMITED, str(tmp_path / "a"), line_end]
    message, rows = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    assert message == f"{tmp_path / 'a'}: the log cannot be written any further (File too large); " + (
        "what was written can be read"
    )
    lines = (tmp_path / "a").read_bytes().split(b"\n")
    assert lines[-1] == b"" and set(map(len, lines[:-1])) == {10}
    # 1000 bytes hold 90 lines of 11; of blocks of 7 lines, 12 whole ones
    assert len(lines) - 1 == (90 if line_end else 84)
    assert int(rows) == len(lines) - 1


@pytest.mark.skipif(sys.platform == "win32", reason="no named pipes")
def test_a_pipe_takes_blocks_too(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    reader = os.open(tmp_path / "pipe", os.O_RDONLY | os.O_NONBLOCK)
    file = BlockFile(tmp_path / "pipe")
    file.put(b"one\n")
    file.put(b"two\n")
    file.close()
    assert os.read(reader, 100) == b"one\ntwo\n"
    os.close(reader)


def test_a_folder_is_no_file(tmp_path):
    with pytest.raises(LogError, match="the log cannot be written"):
        BlockFile(tmp_path)
