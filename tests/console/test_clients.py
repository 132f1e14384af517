"""Clients without sockets: their messages, the seats, and the calls of a recording runner."""

import asyncio
import json

import numpy as np
import pytest

from pelagos.console.clients import MOST_CLIENTS, MOST_MISTAKES, Clients
from pelagos.console.protocol import text_of
from pelagos.session.security import MESSAGES_PER_S, MOST_TEXTS, SEATS_PER_S
from pelagos.session.source import StampedSnapshot


class RecordingRunner:
    """A runner that records the calls of the clients."""

    def __init__(self):
        self.clients, self.link_lost = 0, False
        self.inputs, self.orders, self.let_gone = [], [], 0

    def input(self, message):
        self.inputs.append(message)

    def let_go(self):
        self.let_gone += 1

    def order(self, name, values, refused):
        self.orders.append((name, values, refused))


@pytest.fixture
def now():
    return [50.0]


@pytest.fixture
def clients(now):
    made = Clients(lambda: now[0])
    made.runner = RecordingRunner()
    return made


def received(client):
    """All texts that wait for a client, as messages."""

    async def take():
        waiting = len(client.outbox._texts) + len(client.outbox._newest)
        return [json.loads(await client.outbox.take()) for _ in range(waiting)]

    return asyncio.run(take())


def send(clients, client, **message):
    clients.receive(client, json.dumps(message))


def test_everybody_gets_the_same_hello_with_an_address_of_his_own(clients):
    clients.broadcast("status", text_of({"type": "status", "phase": "ready", "text": ""}), 0.0)
    clients.broadcast("hello", text_of({"type": "hello", "columns": ["a"]}), 0.0)
    ann, bob = clients.join("Ann"), clients.join("Bob")
    for client in (ann, bob):
        first, second = received(client)[:2]
        assert first["type"] == "status"
        assert second == {"type": "hello", "columns": ["a"], "you": client.key}
    clients.broadcast("hello", text_of({"type": "hello", "columns": ["b"]}), 0.0)
    assert [text["you"] for text in received(bob) if text["type"] == "hello"] == [bob.key]
    assert clients.runner.clients == 2


def test_a_request_that_nobody_answers_is_granted_by_the_watch(clients, now):
    ann, bob = clients.join("Ann"), clients.join("Bob")
    send(clients, bob, type="lease", do="request", role="pilot")
    now[0] += 9.9
    clients.expire_requests()
    assert clients.lease.holder["pilot"] == ann.key
    now[0] += 0.2
    clients.expire_requests()
    assert clients.lease.holder["pilot"] == bob.key
    assert any("nobody answered" in text.get("text", "") for text in received(ann))


def test_a_pilot_whose_link_is_lost_is_relieved_by_who_asks(clients):
    clients.join("Ann")
    bob = clients.join("Bob")
    send(clients, bob, type="lease", do="request", role="pilot")
    clients.runner.link_lost = True
    clients.expire_requests()
    assert clients.lease.holder["pilot"] == bob.key


def test_sticks_are_let_go_whenever_the_pilot_changes_and_only_then(clients):
    ann, bob = clients.join("Ann"), clients.join("Bob")
    before = clients.runner.let_gone
    send(clients, bob, type="lease", do="request", role="pilot")
    send(clients, ann, type="lease", do="refuse", role="pilot")
    send(clients, bob, type="lease", do="take", role="instructor")
    assert clients.runner.let_gone == before
    clients.leave(ann)
    assert clients.runner.let_gone == before + 1


def test_a_refusal_of_the_runner_finds_its_way_back(clients):
    ann = clients.join("Ann")
    send(clients, ann, type="order", name="lights", level=0.5)
    received(ann)

    async def scene():
        clients.set_loop(asyncio.get_running_loop())
        (_, values, refused) = clients.runner.orders[0]
        assert values == {"level": 0.5}
        await asyncio.get_running_loop().run_in_executor(None, refused, "it has no lamps")
        return json.loads(await ann.outbox.take())

    assert asyncio.run(scene()) == {"type": "refused", "order": "lights", "text": "it has no lamps"}
    clients.publish_message({"type": "event", "time_s": 1.0})  # the loop is closed: no effect and no error
    clients.publish(StampedSnapshot(1, 0, 1.0, 0.0, np.zeros(1, np.float32)))


def test_rules_are_kept_by_dropping(clients, now):
    flood, nonsense, long, slow = (clients.join("") for _ in range(4))
    for k in range(int(2 * MESSAGES_PER_S) + 1):
        send(clients, flood, type="input", seq=k, t=0, sticks={})
    assert flood.dropped.is_set() and flood.code == 1008 and flood.reads
    for _ in range(MOST_MISTAKES):
        clients.receive(nonsense, "{")
    assert nonsense.dropped.is_set() and nonsense.code == 1008
    clients.receive(long, "x" * 4097)
    assert long.dropped.is_set() and long.code == 1009
    for _ in range(MOST_TEXTS + 1):
        slow.send("x")
    assert slow.dropped.is_set() and not slow.reads
    assert len(clients.runner.inputs) == int(2 * MESSAGES_PER_S)


def test_who_asks_and_withdraws_all_the_time_is_refused_and_nobody_else_is_bothered(clients):
    """Two observers with a hundred wishes each, at once, as fast as they can."""
    ann, bob, eve = (clients.join(name) for name in ("Ann", "Bob", "Eve"))
    received(ann)
    for k in range(100):
        for client in (bob, eve):
            send(clients, client, type="lease", do="release" if k % 2 else "request", role="pilot")
    messages = received(ann)
    assert not ann.dropped.is_set() and clients.lease.holder["pilot"] == ann.key
    assert sum(text["type"] == "roster" for text in messages) == 1  # the newest
    assert (
        sum(text["type"] == "event" for text in messages) <= 2 * 2 * SEATS_PER_S
    )  # two clients, bursts of twice the rate
    assert any("not done" in text.get("text", "") for text in received(eve))


def test_a_request_says_how_long_the_holder_has_to_answer(clients, now):
    ann, bob = clients.join("Ann"), clients.join("Bob")
    send(clients, bob, type="lease", do="request", role="pilot")
    assert received(ann)[-1]["requests"] == [{"id": bob.key, "role": "pilot", "left_s": 10.0}]
    now[0] += 4.0
    clients.join("Eve")
    assert received(ann)[-1]["requests"][0]["left_s"] == 6.0


def test_answers_to_pings_do_not_pile_up(clients):
    ann = clients.join("Ann")
    for k in range(MOST_TEXTS + 10):
        send(clients, ann, type="ping", t=k)
    assert not ann.dropped.is_set()
    assert [text["t"] for text in received(ann) if text["type"] == "pong"] == [MOST_TEXTS + 9]


def test_a_task_of_a_file_is_refused_unless_it_was_given_at_the_start(clients):
    clients.tasks = ("mine.toml",)
    ann = clients.join("Ann")
    for name in ("hover", "mine.toml", None):
        send(clients, ann, type="order", name="task", values={"name": name})
    assert [values["name"] for _, values, _ in clients.runner.orders] == ["hover", "mine.toml", None]
    for name in ("/etc/passwd.toml", "../mine.toml", "./hover", "huver", ""):
        send(clients, ann, type="order", name="task", values={"name": name})
        assert "there is no task" in [text for text in received(ann) if text["type"] == "refused"][-1]["text"]
    assert len(clients.runner.orders) == 3


def test_whoever_left_is_forgotten(clients):
    ann = clients.join("Ann")
    clients.leave(ann)
    clients.leave(ann)
    assert clients.all == {} and clients.lease.clients == [] and clients.runner.clients == 0
    assert clients.lease.holder["pilot"] is None
    assert clients.join("Bob").key != ann.key
    assert not clients.full
    for _ in range(MOST_CLIENTS - 1):
        clients.join("")
    assert clients.full
