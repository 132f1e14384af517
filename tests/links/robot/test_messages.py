"""Messages of the robot link: what the parser accepts, and that the schema agrees with parser and server."""

import json
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from pelagos.errors import MessageError
from pelagos.links.robot.messages import (
    LARGEST_LINE,
    Bye,
    Hello,
    Reset,
    RobotOrder,
    VehicleCommand,
    encode_line,
    link_schema,
    parse,
)
from pelagos.links.robot.recorded import RecordedHost
from tests.links.robot.linked import PAIR, TABLES, Client, served, tank_host

SCHEMA = link_schema()


def read(**message):
    return parse(json.dumps(message).encode())


def test_each_message_is_read_with_its_defaults():
    assert read(type="hello", schema=1) == Hello(1, "controller", "", "", False)
    follower = read(type="hello", schema=1, role="follower", name="plotter", session="a7", forces=True)
    assert follower == Hello(1, "follower", "plotter", "a7", True)
    assert read(type="reset", seq=4) == Reset(4)
    assert read(type="bye") == Bye(False)
    assert read(type="bye", end=True) == Bye(True)
    assert read(type="order", seq=1) == RobotOrder(1, {})


def test_an_order_holds_commands_by_vehicle():
    command = VehicleCommand(
        thrusters={"port_screw_rpm": 300.0}, surfaces={"rudder_deg": -5.0}, ballast={"tank_kg": 1.0}
    )
    content = {"thrusters": {"port_screw_rpm": 300}, "surfaces": {"rudder_deg": -5}, "ballast": {"tank_kg": 1}}
    assert read(type="order", seq=9, **content) == RobotOrder(9, {"": command})
    assert read(type="order", seq=9, vehicle="second", **content) == RobotOrder(9, {"second": command})
    several = read(type="order", seq=9, vehicles={"a": content, "b": {"setpoint": {"depth_m": 5, "heading_deg": None}}})
    assert several == RobotOrder(9, {"a": command, "b": VehicleCommand(setpoint={"depth_m": 5.0, "heading_deg": None})})
    assert read(type="order", seq=2, sticks={"surge": 0.5}) == RobotOrder(
        2, {"": VehicleCommand(sticks={"surge": 0.5})}
    )


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        (b"", "not JSON"),
        (b"\xff\xfe", "not JSON"),
        (b"order", "not JSON"),
        (b"[1, 2]", "expected a table"),
        (b"7", "expected a table"),
        (b"[" * 60_000, "too many levels"),
        (b'{"seq": 1}', "type of the line is None"),
        (b'{"type": "orders", "seq": 1}', "expected one of hello, order, reset, bye"),
        (b'{"type": ["order"], "seq": 1}', "type of the line"),
        (b'{"type": "order"}', "order seq: is missing; expected a number, one more than that of the last"),
        (b'{"type": "order", "seq": 0}', "a whole number from 1"),
        (b'{"type": "order", "seq": 1.5}', "a whole number"),
        (b'{"type": "order", "seq": true}', "a whole number"),
        (b'{"type": "order", "seq": 99999999999999999999}', "a whole number"),
        (b'{"type": "order", "seq": 1, "seq": 2}', "a key twice"),
        (b'{"type": "order", "seq": 1, "thrustres": {}}', 'did you mean "thrusters"?'),
        (b'{"type": "order", "seq": 1, "thrusters": [1, 2]}', "expected a table of names"),
        (
            b'{"type": "order", "seq": 1, "thrusters": {"a": NaN}}',
            "number of the line is nan; expected a finite number",
        ),
        (b'{"type": "order", "seq": 1, "thrusters": {"a": 1e999}}', "expected a number from"),
        (b'{"type": "order", "seq": 1, "thrusters": {"a": "5"}}', "expected a number from"),
        (b'{"type": "order", "seq": 1, "thrusters": {"a": null}}', "expected a number from"),
        (b'{"type": "order", "seq": 1, "sticks": {"surge": 1.1}}', "from -1 to 1"),
        (b'{"type": "order", "seq": 1, "setpoint": {"depth": 3}}', 'did you mean "depth_m"?'),
        (b'{"type": "order", "seq": 1, "sticks": {}, "setpoint": {"depth_m": 3}}', "one of these at a time"),
        (b'{"type": "order", "seq": 1, "vehicles": {}}', "an order for each"),
        (b'{"type": "order", "seq": 1, "vehicle": "a", "vehicles": {"a": {}}}', "inside vehicles"),
        (b'{"type": "order", "seq": 1, "vehicles": {"a": {"seq": 3}}}', "has no key 'seq'"),
        (b'{"type": "hello"}', "hello schema: is missing"),
        (b'{"type": "hello", "schema": 1, "role": "pilot"}', "expected one of controller, follower"),
        (b'{"type": "hello", "schema": 1, "name": "a\\nb"}', "printable"),
        (b'{"type": "bye", "end": 1}', "expected true or false"),
        (b'{"type": "bye", "' + b"x" * LARGEST_LINE + b'": 1}', "at most 65536"),
    ],
)
def test_what_is_wrong_is_said_in_a_sentence(line, sentence):
    with pytest.raises(MessageError) as refusal:
        parse(line)
    assert sentence in str(refusal.value)
    assert "\n" not in str(refusal.value) and len(str(refusal.value)) < 400


def test_many_entries_are_refused():
    with pytest.raises(MessageError, match="at most 64"):
        read(type="order", seq=1, thrusters={f"t{k}": 0.0 for k in range(65)})
    with pytest.raises(MessageError, match="some vehicles"):
        read(type="order", seq=1, vehicles={f"v{k}": {} for k in range(65)})


@given(st.binary(max_size=200))
def test_any_bytes_are_a_message_or_a_message_error(data):
    try:
        assert isinstance(parse(data), Hello | RobotOrder | Reset | Bye)
    except MessageError:
        pass


SOUND = b'{"type":"order","seq":12,"thrusters":{"port_screw_rpm":300.5},"surfaces":{"rudder_deg":-2e1}}'


@given(st.lists(st.tuples(st.integers(0, len(SOUND) - 1), st.integers(0, 255)), max_size=4), st.integers(0, len(SOUND)))
def test_a_mutated_order_is_an_order_or_a_message_error(changes, end):
    data = bytearray(SOUND)
    for at, byte in changes:
        data[at] = byte
    try:
        parse(bytes(data[:end]))
    except MessageError:
        pass


def test_a_line_is_one_line_of_json_without_nan():
    line = encode_line({"type": "refused", "text": "a\nb \u2028 ü"})
    assert line.count(b"\n") == 1 and line.endswith(b"\n")
    assert json.loads(line) == {"type": "refused", "text": "a\nb \u2028 ü"}
    with pytest.raises(ValueError):
        encode_line({"depth_m": float("nan")})


@cache
def validator(side):
    return Draft202012Validator({**SCHEMA, "anyOf": [{"$ref": f"#/$defs/{side}"}]})


def test_the_schema_is_valid_and_json():
    Draft202012Validator.check_schema(SCHEMA)
    assert json.loads(json.dumps(SCHEMA)) == SCHEMA


MESSAGES = [
    {"type": "hello", "schema": 1},
    {"type": "hello", "schema": 1, "role": "follower", "name": "x", "session": "s", "forces": True},
    {"type": "hello", "schema": 1, "role": "captain"},
    {"type": "hello"},
    {"type": "order", "seq": 1},
    {"type": "order", "seq": 1, "thrusters": {"a_rpm": 5}, "surfaces": {}, "ballast": {"b_kg": 0.5}},
    {"type": "order", "seq": 1, "vehicle": "second", "setpoint": {"depth_m": None, "speed_m_s": 1}},
    {"type": "order", "seq": 1, "sticks": {"surge": -1}},
    {"type": "order", "seq": 1, "sticks": {"surge": -1.5}},
    {"type": "order", "seq": 1, "sticks": {"ahead": 1}},
    {"type": "order", "seq": 1, "setpoint": {"depth": 3}},
    {"type": "order", "seq": 1, "setpoint": {"depth_m": "3"}},
    {"type": "order", "seq": 1, "thrusters": {"a": 1e10}},
    {"type": "order", "seq": 1, "thrusters": {"a": None}},
    {"type": "order", "seq": 1, "thrusters": {"a": 1}, "sticks": {}},
    {"type": "order", "seq": 1, "thrusters": {}, "sticks": {}},
    {"type": "order", "seq": 1, "setpoint": {}, "sticks": {}},
    {"type": "order", "seq": 1, "vehicles": {"a": {"thrusters": {"b": 1}}, "c": {"sticks": {}}}},
    {"type": "order", "seq": 1, "vehicles": {"a": {"thrusters": {"b": 1}, "sticks": {}}}},
    {"type": "order", "seq": 1, "vehicles": {}},
    {"type": "order", "seq": 1, "vehicles": {"a": {}}, "sticks": {}},
    {"type": "order", "seq": 0},
    {"type": "order", "seq": 3.0},
    {"type": "order", "seq": 3.5},
    {"type": "order", "seq": True},
    {"type": "hello", "schema": 1.0},
    {"type": "hello", "schema": True},
    {"type": "order", "seq": "1"},
    {"type": "order"},
    {"type": "reset", "seq": 7},
    {"type": "reset"},
    {"type": "reset", "seq": 7, "to": 3},
    {"type": "bye"},
    {"type": "bye", "end": True},
    {"type": "bye", "end": "yes"},
    {"type": "state", "seq": 1},
]


@pytest.mark.parametrize("message", MESSAGES, ids=lambda message: json.dumps(message)[:60])
def test_the_schema_and_the_reader_agree(message):
    try:
        parse(json.dumps(message).encode())
        read = True
    except MessageError:
        read = False
    assert validator("from_client").is_valid(message) == read


def test_of_these_messages_some_are_sound_and_some_are_not():
    sound = [validator("from_client").is_valid(message) for message in MESSAGES]
    assert 10 < sum(sound) < len(sound) - 10


@pytest.mark.slow
@pytest.mark.parametrize("tables", [TABLES, PAIR], ids=["one", "two"])
def test_all_answers_of_the_server_fit_the_schema(tables, tmp_path):
    answers = []
    with served(tank_host(tables, log=tmp_path / "run.csv")) as server, Client(server) as client:
        answers.append(client.hello(forces=True))
        answers += [client.ask("order", seq=k, sticks={"surge": 0.5}) for k in range(1, 15)]
        answers.append(client.ask("order", seq=15, setpoint={"depth_m": 4.0}))
        answers.append(client.ask("order", seq=16, setpoint={"depth_m": 400.0}))
        answers.append(client.ask("nonsense"))
        answers.append(client.ask("reset", seq=17))
        answers.append(client.ask("bye", end=True))
    path = next(tmp_path.glob("run*.csv"))
    with served(RecordedHost(path)) as server, Client(server) as client:
        answers += [client.hello(), client.ask("order", seq=1), client.ask("order", seq=2)]
    with served(tank_host(tables), clock="scaled", speed=10.0) as server, Client(server) as client:
        answers += [client.hello(), client.take(), client.take()]
    assert {message["type"] for message in answers} == {"hello", "state", "refused", "bye"}
    for message in answers:
        validator("from_server").validate(message)
