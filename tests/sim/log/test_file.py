"""Words and numbers of a log on their way to text and back."""

import numpy as np
import pytest

from pelagos.messages import Event
from pelagos.sim.log.file import cannot_read, cannot_write, dumps, events_of, plain_event, read_event, unit_of
from pelagos.sim.log.log import LogError


@pytest.mark.parametrize("event", [Event(0.0, "leak", 'wet: ä, "5" %'), Event(1e-3, "end", "", "auv2")])
def test_an_event_comes_back(event):
    assert read_event(plain_event(event)) == event


@pytest.mark.parametrize("value", [None, 3, [], {}, {"time_s": "1", "kind": "a", "text": "b"}, {"time_s": 1.0}])
def test_what_is_no_event_is_refused(value):
    with pytest.raises(LogError, match="is not an event; expected time_s, kind and text"):
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
    assert str(cannot_read("a.csv", FileNotFoundError(2, "No such"))) == "a.csv: there is no such file"
    assert str(cannot_read("a.csv", ValueError("two\nlines"))) == "a.csv: cannot be read as a log (two lines)"
