import json
from functools import cache

import pytest
from jsonschema import Draft202012Validator

from pelagos.errors import MessageError
from pelagos.links.robot.messages import link_schema, parse
from pelagos.links.robot.recorded import RecordedHost
from tests.links.robot.linked import PAIR, TABLES, Client, a_sea, served

SCHEMA = link_schema()


@cache
def judge(side):
    return Draft202012Validator({**SCHEMA, "anyOf": [{"$ref": f"#/$defs/{side}"}]})


def test_it_is_a_schema_and_json():
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
    assert judge("from_client").is_valid(message) == read


def test_of_these_messages_some_are_sound_and_some_are_not():
    sound = [judge("from_client").is_valid(message) for message in MESSAGES]
    assert 10 < sum(sound) < len(sound) - 10


@pytest.mark.parametrize("tables", [TABLES, PAIR], ids=["one", "two"])
def test_whatever_the_server_says_is_in_the_schema(tables, tmp_path):
    said = []
    with served(a_sea(tables, log=tmp_path / "run.csv")) as server, Client(server) as client:
        said.append(client.hello(forces=True))
        said += [client.ask("order", seq=k, sticks={"surge": 0.5}) for k in range(1, 15)]
        said.append(client.ask("order", seq=15, setpoint={"depth_m": 4.0}))
        said.append(client.ask("order", seq=16, setpoint={"depth_m": 400.0}))
        said.append(client.ask("nonsense"))
        said.append(client.ask("reset", seq=17))
        said.append(client.ask("bye", end=True))
    path = next(tmp_path.glob("run*.csv"))
    with served(RecordedHost(path)) as server, Client(server) as client:
        said += [client.hello(), client.ask("order", seq=1), client.ask("order", seq=2)]
    with served(a_sea(tables), clock="scaled", speed=10.0) as server, Client(server) as client:
        said += [client.hello(), client.take(), client.take()]
    assert {message["type"] for message in said} == {"hello", "state", "refused", "bye"}
    for message in said:
        judge("from_server").validate(message)
