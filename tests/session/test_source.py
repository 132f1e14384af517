"""Stick input by name, new events, errors for unknown names, and plain values for JSON."""

import json
import math

import numpy as np
import pytest

from pelagos.errors import CommandError
from pelagos.messages import Event
from pelagos.session.source import CENTRED, EventCursor, Input, plain, unknown


def test_sticks_by_name_are_those_that_were_named():
    sticks = Input.of({"surge": 1, "yaw": -0.5, "zoom": 0.25})
    assert sticks == Input(surge=1.0, yaw=-0.5, zoom=0.25)
    assert sticks.sticks.axes == (1.0, 0.0, 0.0, 0.0, 0.0, -0.5)
    assert not sticks.centred and CENTRED.centred


@pytest.mark.parametrize("bad", [{"surge": 1.01}, {"surge": math.nan}, {"surge": True}, {"surge": "1"}, {"srge": 0.1}])
def test_sticks_that_are_none_are_refused_in_a_sentence(bad):
    with pytest.raises(CommandError, match="surge"):
        Input.of(bad)


def test_each_event_is_new_once_also_in_lists_that_are_equal():
    first, second, events = Event(1.0, "a", "x"), Event(2.0, "b", "y"), EventCursor()
    simulation, controller = [first], [first]
    assert list(events.of(simulation)) == [first] and list(events.of(simulation)) == []
    assert list(events.of(controller)) == [first]
    simulation.append(second)
    assert list(events.of(simulation)) == [second] and list(events.of(controller)) == list(events.of(())) == []


def test_unknown_names_get_the_nearest_or_the_whole_list():
    assert 'did you mean "depth"?' in str(unknown("there is no hold", "dept", ("depth", "heading")))
    assert "depth, heading" in str(unknown("there is no hold", 7, ("depth", "heading")))


def test_plain_values_survive_strict_json():
    values = {
        "a": np.float64(1.5),
        "b": np.array([1.0, np.nan]),
        "c": (math.inf, "x", None, True),
        3: {"d": np.int64(2)},
    }
    plain_values = plain(values)
    assert json.loads(json.dumps(plain_values, allow_nan=False)) == {
        "a": 1.5, "b": [1.0, None], "c": [None, "x", None, True], "3": {"d": 2},
    }  # fmt: skip
