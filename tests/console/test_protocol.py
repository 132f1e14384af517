"""Messages of the console: packed and parsed again; invalid ones raise MessageError only."""

import json
import math
import random
import struct

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pelagos.console.protocol import (
    LARGEST_MESSAGE,
    LeaseMessage,
    NameMessage,
    OrderMessage,
    PingMessage,
    display_name,
    pack_snapshot,
    parse,
    text_of,
    unpack_snapshot,
)
from pelagos.errors import MessageError
from pelagos.session.source import Input, StampedInput, StampedSnapshot

STICKS = {"surge": 0.5, "sway": 0.0, "heave": -1, "roll": 0, "pitch": 0, "yaw": 0.25}
GOOD = [
    {"type": "input", "seq": 7, "t": 1234.5, "sticks": STICKS, "pan": 0.1, "tilt": -0.2, "zoom": 0},
    {"type": "order", "name": "hold", "hold": "depth", "on": True, "value": 4.5},
    {
        "type": "order",
        "name": "task",
        "values": {"name": "hover", "conditions": {"current_m_s": 0.75, "top_view": False}},
    },
    {"type": "order", "name": "fault", "kind": "current_gust", "speed_m_s": 0.5, "seconds_s": 20},
    {"type": "lease", "do": "grant", "role": "pilot", "to": "c2"},
    {"type": "ping", "t": 17},
    {"type": "name", "name": "Ann"},
]


def test_a_snapshot_is_laid_out_byte_for_byte_as_the_page_reads_it():
    data = pack_snapshot(StampedSnapshot(3, 9, 1.5, 20.25, np.array([1.0, -2.0], np.float32)))
    assert data[:2] == b"PE"
    assert data[2:4] == b"\x01\x01"
    assert struct.unpack_from("<III", data, 4) == (3, 9, 2)
    assert struct.unpack_from("<dd", data, 16) == (1.5, 20.25)
    assert struct.unpack_from("<ff", data, 32) == (1.0, -2.0)
    assert len(data) == 40


@given(
    st.integers(0, 2**32 - 1),
    st.integers(0, 2**32 - 1),
    st.floats(allow_nan=False),
    st.floats(allow_nan=False),
    st.lists(st.floats(width=32), max_size=300),
)
def test_a_snapshot_comes_back_as_it_went(seq, ack, time_s, echo_ms, values):
    sent = np.array(values, np.float32)
    got = unpack_snapshot(pack_snapshot(StampedSnapshot(seq, ack, time_s, echo_ms, sent)))
    assert got[:4] == (seq, ack, time_s, echo_ms)
    assert np.array_equal(got.values, sent, equal_nan=True)


def test_a_counter_of_snapshots_that_is_full_begins_anew():
    assert unpack_snapshot(pack_snapshot(StampedSnapshot(2**32 + 4, 0, 0.0, 0.0, np.zeros(0, np.float32)))).seq == 4


@given(st.binary(max_size=80))
def test_bytes_that_are_no_snapshot_are_refused_in_a_sentence(data):
    with pytest.raises(MessageError, match=r"snapshot"):
        unpack_snapshot(data)


def test_each_kind_of_message_is_read():
    kinds = [type(parse(json.dumps(message))) for message in GOOD]
    assert kinds == [StampedInput, *[OrderMessage] * 3, LeaseMessage, PingMessage, NameMessage]
    assert parse(json.dumps(GOOD[0])) == (Input(0.5, 0.0, -1.0, 0.0, 0.0, 0.25, 0.1, -0.2, 0.0), 7, 1234.5)
    assert parse(json.dumps(GOOD[2])).values == {"name": "hover", "conditions": GOOD[2]["values"]["conditions"]}
    assert parse(json.dumps(GOOD[4]).encode()) == LeaseMessage("grant", "pilot", "c2")


@given(
    st.integers(0, 2**32 - 1),
    st.floats(-1e12, 1e12),
    st.lists(st.floats(-1, 1), min_size=9, max_size=9),
)
def test_an_input_arrives_exactly(seq, t, nine):
    sticks = Input(*nine)
    message = {"type": "input", "seq": seq, "t": t, "sticks": dict(list(sticks._asdict().items())[:6])}
    message |= dict(list(sticks._asdict().items())[6:])
    assert parse(json.dumps(message)) == StampedInput(sticks, seq, t)


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        ("", "not JSON"),
        (b"\xff\xfe", "not JSON"),
        ("[1]", "expected a table"),
        ("{}", "type of the message is None"),
        ('{"type": "fly"}', "expected one of input, order"),
        ('{"type": ["input"]}', "expected one of input, order"),
        ('{"type": "ping"}', "ping needs the key 't'"),
        ('{"type": "ping", "t": NaN}', "a number of the message is nan; expected a finite number"),
        ('{"type": "ping", "t": 1e999}', "expected a number from"),
        ('{"type": "ping", "t": true}', "expected a number from"),
        ('{"type": "ping", "t": 1, "t": 2}', "a key twice"),
        ('{"type": "ping", "t": 1, "u": 2}', "no key 'u'"),
        ('{"type": "ping", "t": 1' + "0" * 3000 + "}", "expected a number from"),
        ('{"type": "input", "seq": 1, "t": 1, "sticks": {"surge": 1.5}}', "surge is 1.5; .* from -1 to 1"),
        ('{"type": "input", "seq": 1, "t": 1, "sticks": {"surg": 1}}', "did you mean \"surge"),
        ('{"type": "input", "seq": -1, "t": 1, "sticks": {}}', "whole number"),
        ('{"type": "input", "seq": 1.5, "t": 1, "sticks": {}}', "whole number"),
        ('{"type": "input", "seq": 1, "t": 1}', "input needs the key 'sticks'"),
        ('{"type": "order", "name": "holt"}', "did you mean \"hold"),
        ('{"type": "order", "name": "time_scale", "factor": 21}', "from 0.1 to 20"),
        ('{"type": "order", "name": "message", "text": "a\\u0007b"}', "printable"),
        ('{"type": "order", "name": "message", "text": "\\ud800"}', "printable"),
        ('{"type": "order", "name": "fault", "__class__ x": 1}', "letters, digits and _"),
        ('{"type": "order", "name": "fault", "a": [[[[[1]]]]]}', "levels"),
        ('{"type": "order", "name": "hold", "values": 3}', "no key 'values'"),
        ('{"type": "lease", "do": "steal", "role": "pilot"}', "expected one of request"),
        ('{"type": "lease", "do": "take", "role": "god"}', "pilot, instructor"),
        ("[" * 2000 + "]" * 2000, "levels|table"),
        ('{"type": "name", "name": "' + "x" * LARGEST_MESSAGE + '"}', "expected at most 4096"),
        ("é" * 2500, "expected at most 4096"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_message_is_said(raw, message):
    with pytest.raises(MessageError, match=message):
        parse(raw)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)


@pytest.mark.slow
@given(st.sampled_from(GOOD), st.dictionaries(st.sampled_from(sorted({k for m in GOOD for k in m})), json_values))
def test_any_value_under_any_key_is_read_or_refused(message, changes):
    raw = json.dumps(message | changes)
    try:
        got = parse(raw)
    except MessageError as problem:
        assert str(problem).count("\n") == 0
    else:
        assert_sound(got)


@pytest.mark.slow
def test_twenty_thousand_mutated_messages_are_read_or_refused():
    rng = random.Random(5)
    texts = [json.dumps(message) for message in GOOD]
    alphabet = '{}[]",:0123456789.eE+-truefalsn\\u00\x00\x7fé\ud800 '
    read = 0
    for k in range(20_000):
        chars = list(texts[k % len(texts)])
        for _ in range(rng.randint(1, 4)):
            at = rng.randrange(len(chars))
            match rng.randrange(4):
                case 0:
                    del chars[at]
                case 1:
                    chars[at] = rng.choice(alphabet)
                case 2:
                    chars.insert(at, rng.choice(alphabet))
                case _:
                    chars[at:at] = chars[at : at + rng.randint(1, 30)]
        raw = "".join(chars)
        try:
            got = parse(raw if k % 2 else raw.encode("utf-8", "surrogatepass"))
        except MessageError:
            continue
        assert_sound(got)
        read += 1
    assert 100 < read < 19_000  # the mutations are neither all harmless nor all fatal


def assert_sound(message):
    """What was let through has finite numbers in range and nothing that cannot be shown or sent on."""
    if isinstance(message, StampedInput):
        assert all(-1.0 <= stick <= 1.0 for stick in message.sticks)
        assert math.isfinite(message.sent_ms)
    fields = message._asdict() if isinstance(message, StampedInput) else message.__dict__
    json.dumps(fields, allow_nan=False, default=tuple).encode()


def test_what_goes_to_a_page_is_json_that_a_browser_reads():
    text = text_of({"type": "event", "speed_m_s": math.nan, "place": np.array([1.0, math.inf]), "n": np.int64(3)})
    assert json.loads(text) == {"type": "event", "speed_m_s": None, "place": [1.0, None], "n": 3}
    assert text_of({"type": "pong", "t": 1.5}) == '{"type":"pong","t":1.5}'


@pytest.mark.parametrize(
    ("name", "shown"),
    [("Ann", "Ann"), ("  a \n\t b ", "a b"), ("\x1b[31m", "[31m"), ("", "c1"), ("x" * 99, "x" * 32), ("\ud800", "c1")],
)
def test_names_are_fit_to_be_shown(name, shown):
    assert display_name(name, "c1") == shown
