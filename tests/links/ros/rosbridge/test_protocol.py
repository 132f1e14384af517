"""Valid and invalid requests, texts of answers, and the services of rosapi."""

import base64
import json
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pelagos.errors import MessageError
from pelagos.links.ros.rosbridge.protocol import (
    LARGEST,
    OPS,
    RosbridgeRequest,
    answer,
    parse,
    publish_text,
    response_text,
    status_text,
)

anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
KEYS = ("op", "id", "topic", "type", "msg", "service", "args", "throttle_rate", "queue_length", "compression")


def test_a_subscription_is_read():
    text = json.dumps(
        {"op": "subscribe", "id": "s1", "topic": "odom", "type": "nav_msgs/msg/Odometry", "throttle_rate": 250,
         "queue_length": 3, "compression": "none"}
    )  # fmt: skip
    assert parse(text) == RosbridgeRequest("subscribe", "s1", "/odom", "nav_msgs/Odometry", {}, 0.25, 3)


def test_a_publication_and_a_call_are_read():
    assert parse('{"op":"publish","topic":"/cmd_vel","msg":{"a":1}}').values == {"a": 1}
    call = parse('{"op":"call_service","service":"/rosapi/topics","args":[]}')
    assert (call.name, call.values) == ("/rosapi/topics", {})


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "the message is not JSON"),
        ("[1]", "expected a table"),
        ("[" * 60000, "too many levels"),
        ('{"op":"subscrib","topic":"/a"}', 'did you mean "subscribe'),
        ('{"op":7}', "expected one of"),
        ('{"op":"subscribe"}', "expected a name"),
        ('{"op":"subscribe","topic":"' + "a" * 300 + '"}', "expected a name"),
        ('{"op":"subscribe","topic":"/a","throttle_rate":-1}', "number from 0"),
        ('{"op":"subscribe","topic":"/a","throttle_rate":NaN}', "expected a finite number"),
        ('{"op":"subscribe","topic":"/a","queue_length":1e9}', "number from 0"),
        ('{"op":"subscribe","topic":"/a","compression":"cbor"}', "expected none"),
        ('{"op":"publish","topic":"/a","msg":[1]}', "expected an object"),
        ('{"op":"publish","topic":"/a","id":[1],"msg":{}}', "expected a text"),
        ('{"op":"call_service","service":"/a","args":"x"}', "expected an object"),
        ('{"op":"subscribe","topic":"/a","topic":"/b"}', "a key twice"),
        (" " * (LARGEST + 1), "at most"),
        (b"\x00", "JSON text"),
    ],
)
def test_what_is_no_request_is_refused_in_a_sentence(text, why):
    with pytest.raises(MessageError, match=why):
        parse(text)


@pytest.mark.slow
@settings(max_examples=300)
@given(st.dictionaries(st.sampled_from(KEYS), anything), st.sampled_from(OPS))
def test_whatever_comes_is_a_request_or_one_kind_of_error(values, op):
    for message in (values, {**values, "op": op}):
        try:
            assert parse(json.dumps(message)).op in OPS
        except MessageError as problem:
            assert 0 < len(str(problem)) < 400


@settings(max_examples=300)
@given(st.text(max_size=60))
def test_any_text_at_all(text):
    try:
        parse(text)
    except MessageError as problem:
        assert "expected" in str(problem) or "did you mean" in str(problem)


def test_numbers_that_json_has_none_for_are_null_and_bytes_are_base64():
    message = json.loads(publish_text("/a", {"x": math.nan, "y": [math.inf, 1.5], "data": b"\x00\xff", "n": True}))
    assert message["op"] == "publish" and message["topic"] == "/a"
    assert message["msg"]["x"] is None and message["msg"]["y"] == [None, 1.5] and message["msg"]["n"] is True
    assert base64.b64decode(message["msg"]["data"]) == b"\x00\xff"


def test_answers_carry_the_id_of_the_question():
    request = RosbridgeRequest("call_service", "7", "/x")
    assert json.loads(response_text(request, {"a": 1})) == {
        "op": "service_response", "service": "/x", "id": "7", "values": {"a": 1}, "result": True,
    }  # fmt: skip
    assert "id" not in json.loads(response_text(request._replace(id=None), "no", False))
    assert json.loads(status_text("no", "7")) == {"op": "status", "level": "error", "msg": "no", "id": "7"}


def test_a_whole_number_that_no_float_can_hold_is_infinite():
    """Not a number of its own: `float` of it would raise somewhere else."""
    assert parse('{"op":"publish","topic":"/t","msg":{"x":-1%s}}' % ("0" * 400)).values["x"] == -math.inf
    assert parse('{"op":"publish","topic":"/t","msg":{"x":12}}').values["x"] == 12


def ask(name, /, **values):
    request = RosbridgeRequest("call_service", name=name, values=values)
    return answer(request, {"/odom": "nav_msgs/Odometry"}, "/pelagos/a", 2.5)


def test_rosapi_knows_topics_types_and_services():
    listed = ask("/rosapi/topics")
    assert dict(zip(listed["topics"], listed["types"], strict=True))["/odom"] == "nav_msgs/msg/Odometry"
    assert "/cmd_vel" in listed["topics"] and "/pelagos/a/cmd_vel" in listed["topics"]
    assert ask("/rosapi/topic_type", topic="/odom") == {"type": "nav_msgs/msg/Odometry"}
    assert ask("/rosapi/topic_type", topic="/none") == {"type": ""}
    assert ask("/rosapi/topics_for_type", type="nav_msgs/msg/Odometry") == {"topics": ["/odom"]}
    assert "/pelagos/arm" in ask("/rosapi/services")["services"]
    assert ask("/rosapi/service_type", service="/pelagos/arm") == {"type": "std_srvs/SetBool"}
    assert ask("/rosapi/get_time") == {"time": {"sec": 2, "nanosec": 500_000_000}}
    assert ask("/rosapi/nodes") == {"nodes": ["/pelagos"]}


def test_a_service_that_is_not_there_is_refused_with_the_nearest_name():
    with pytest.raises(MessageError, match='did you mean "/rosapi/topics'):
        ask("/rosapi/topic")
    with pytest.raises(MessageError, match="the program of this run steers the vehicle"):
        ask("/pelagos/arm")
