"""The server with real sockets: several pages, one pilot, and what becomes of pages that break the rules."""

import contextlib
import json
import socket
import struct
import time

import pytest
from websockets.exceptions import ConnectionClosed

from pelagos.console import clients, server
from pelagos.console.server import Console, listen_at
from pelagos.errors import CommandError
from pelagos.session.realtime import COLUMNS
from tests.console.buoy import Buoy
from tests.console.served import Page, console, until


@pytest.fixture
def served():
    with console() as served:
        yield served


def closed(page):
    """Code and reason with which a page is sent away."""
    with pytest.raises(ConnectionClosed) as end:
        while True:
            page.hear()
    return end.value.rcvd.code, end.value.rcvd.reason


def test_a_page_that_comes_is_told_everything_and_then_flies(served):
    with Page(served, "Ann") as page:
        assert page.await_text("status")["phase"] == "ready"
        hello = page.await_text("hello")
        assert hello["columns"] == [*Buoy.columns, *COLUMNS] and hello["source"]["vehicle"]["key"] == "buoy"
        roster = page.await_text("roster")
        assert roster["pilot"] == hello["you"] and roster["instructor"] is None
        assert roster["clients"] == [{"id": hello["you"], "name": "Ann", "role": "pilot"}]
        page.stick(surge=1.0)
        moved = page.await_snapshot(lambda snapshot: snapshot.values[1] == 1.0)
        assert moved.ack == 1 and 0.0 <= 1e3 * time.monotonic() - moved.echo_ms < 20e3
        page.say(type="ping", t=42.5)
        assert page.await_text("pong") == {"type": "pong", "t": 42.5}


def test_only_the_pilots_sticks_and_orders_act(served):
    with Page(served, "Ann") as ann, Page(served, "Bob") as bob:
        ann.stick(surge=0.5)
        bob.stick(surge=-1.0)
        bob.order("lights", level=0.1)
        assert "for the pilot" in bob.await_text("refused", order="lights")["text"]
        ann.order("lights", level=0.2)
        ann.await_text("event", kind="order")
        (source,) = served.sources
        assert {sticks.surge for _, sticks in source.inputs} <= {0.5, 0.0}
        assert [values for _, _, values in source.orders] == [{"level": 0.2}]


def test_the_controls_are_handed_over_on_request_and_the_old_pilot_is_let_go(served):
    with Page(served, "Ann") as ann, Page(served, "Bob") as bob:
        you = {page: page.await_text("hello")["you"] for page in (ann, bob)}
        ann.stick(surge=1.0)
        ann.await_snapshot(lambda snapshot: snapshot.values[1] == 1.0)
        bob.say(type="lease", do="request", role="pilot")
        while not (asks := ann.await_text("roster"))["requests"]:
            pass
        assert asks["pilot"] == you[ann] and asks["requests"][0].items() >= {"id": you[bob], "role": "pilot"}.items()
        assert 0.0 < asks["requests"][0]["left_s"] <= 10.0
        ann.say(type="lease", do="grant", role="pilot", to=you[bob])
        for page in (ann, bob):
            assert "Bob has been given the controls" in page.await_text("event", kind="lease", holder=you[bob])["text"]
            roles = {client["id"]: client["role"] for client in page.await_text("roster", pilot=you[bob])["clients"]}
            assert roles == {you[ann]: "observer", you[bob]: "pilot"}
        bob.await_snapshot(lambda snapshot: snapshot.values[1] == 0.0 and snapshot.ack == 0)  # what Ann held is let go
        ann.stick(surge=-1.0)
        bob.stick(surge=0.25)
        bob.await_snapshot(lambda snapshot: snapshot.values[1] == 0.25)
        assert -1.0 not in {sticks.surge for _, sticks in served.sources[0].inputs}


def test_the_seat_of_a_pilot_who_leaves_can_be_taken(served):
    with Page(served, "Dan") as dan, Page(served, "Eve") as eve, Page(served, "Fay") as fay:
        eve.say(type="lease", do="take", role="pilot")
        assert "another client has it; expected a request" in eve.await_text("refused", order="lease")["text"]
        dan.close()
        eve.await_text("event", kind="lease", holder=None)
        eve.say(type="lease", do="take", role="pilot")
        assert "Eve has taken" in fay.await_text("event", kind="lease", holder="c2")["text"]


def test_a_page_that_is_loaded_again_has_the_controls_again(served):
    with Page(served, "Ann") as before, Page(served, "Ann") as after:  # the new socket may come before the old one ends
        assert after.await_text("roster")["pilot"] == "c1"
        before.close()
        assert after.await_text("roster", pilot="c2")["clients"] == [{"id": "c2", "name": "Ann", "role": "pilot"}]


def test_the_orders_of_the_instructor_are_the_pilots_only_while_there_is_none(served):
    with Page(served, "Ann") as ann, Page(served, "Ida") as ida:
        ann.order("message", text="mine")
        ann.await_text("event", kind="order", text="message")
        ida.say(type="lease", do="take", role="instructor")
        ida.await_text("roster", pilot="c1", instructor="c2")
        ann.order("fault", kind="thruster_lost", thruster="t1")
        assert "instructor" in ann.await_text("refused", order="fault")["text"]
        ida.order("fault", kind="thruster_lost", thruster="t1")
        ida.await_text("event", kind="order", text="fault")
        names = [name for _, name, _ in served.sources[0].orders]
        assert names == ["message", "fault"]


def test_what_the_source_refuses_is_told_to_who_asked_only(served):
    with Page(served) as ann, Page(served) as bob:
        ann.order("hold", hold="depth", on=True)
        assert ann.await_text("refused")["text"] == "a buoy holds nothing"
        bob.say(type="ping", t=1)
        bob.await_text("pong")
        assert not [text for text in bob.texts if text["type"] == "refused"]


BROKEN = [
    "", "nonsense", "[]", "null", '{"type":"order"}', '{"type":"order","name":"explode"}',
    '{"type":"input","seq":1,"t":0,"sticks":{"surge":2}}', '{"type":"input","seq":1,"t":0,"sticks":{"surge":NaN}}',
    '{"type":"order","name":"lights","level":"full"}', '{"type":"order","name":"lights","level":0.5,"extra":1}',
    '{"type":"lease","do":"take"}', '{"type":"name"}', b"\x00\xff", "[" * 4000,
]  # fmt: skip


def test_broken_messages_never_reach_the_source(served):
    (source,) = served.sources
    with Page(served) as page:
        for raw in BROKEN:
            page.socket.send(raw)
            assert page.await_text("refused")["text"]
        page.order("lights", level=0.5)  # in order: all before it have been looked at
        page.await_text("event", kind="order")
        assert [name for _, name, _ in source.orders] == ["lights"] and source.inputs == []


def test_who_sends_nothing_but_nonsense_is_sent_away(served):
    with Page(served) as page:
        for _ in range(clients.MOST_MISTAKES):
            page.socket.send("nonsense")
        code, reason = closed(page)
    assert code == 1008 and "could not be read" in reason
    assert served.sources[0].orders == [] and served.sources[0].inputs == []


@pytest.mark.slow
@pytest.mark.parametrize("size", [5000, 70_000])
def test_a_message_that_is_too_long_ends_the_connection(served, size):
    with Page(served) as page, Page(served) as other:
        page.say(type="name", name="x" * size)
        code, _ = closed(page)
        assert code == 1009
        other.await_snapshot()


FLOODS = [
    {"type": "input", "seq": 1, "t": 0, "sticks": {}}, {"type": "ping", "t": 1}, {"type": "name", "name": "Eve"},
    {"type": "lease", "do": "request", "role": "pilot"}, {"type": "order", "name": "trim_reset"},
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("message", FLOODS, ids=[message["type"] for message in FLOODS])
def test_a_flood_ends_the_connection_and_others_fly_on(served, message):
    with Page(served) as other, Page(served) as page:
        other.await_text("roster")
        with pytest.raises(ConnectionClosed):
            for _ in range(50_000):
                page.say(**message)
        code, reason = closed(page)
        assert code == 1008 and "200 messages a second" in reason
        other.stick(surge=1.0)
        other.await_snapshot(lambda snapshot: snapshot.values[1] == 1.0)
        assert [sticks.surge for _, sticks in served.sources[0].inputs][-1] == 1.0


def test_too_many_orders_are_refused_without_ending_the_connection(served):
    with Page(served) as page:
        for _ in range(150):
            page.order("trim_reset")
        assert "orders a second" in page.await_text("refused", order="trim_reset")["text"]
        page.say(type="ping", t=3)
        page.await_text("pong")
        assert len(served.sources[0].orders) < 150


def test_there_is_room_for_sixteen(served):
    pages = [Page(served) for _ in range(clients.MOST_CLIENTS)]
    try:
        with Page(served) as late:
            code, reason = closed(late)
        assert code == 1013 and "too many" in reason
        pages.pop().close()
        until(lambda: len(served.clients.all) == clients.MOST_CLIENTS - 1)
        with Page(served) as page:
            page.await_snapshot(lambda snapshot: snapshot.values[3 + COLUMNS.index("clients")] == clients.MOST_CLIENTS)
    finally:
        for page in pages:
            page.close()


@pytest.mark.slow
def test_a_page_that_stops_reading_is_dropped_and_the_others_do_not_notice(served, monkeypatch):
    monkeypatch.setattr(server, "SEND_S", 2.0)  # a busy machine may keep even a page that reads waiting for long
    with Page(served, "Ann") as ann, _deaf(served) as deaf:
        ann.await_text("roster")
        until(lambda: len(served.clients.all) == 2)
        big = {"type": "event", "time_s": 0.0, "kind": "message", "text": "x" * 200_000}
        for _ in range(20):  # more than the kernel keeps for it: then its writer waits
            served.clients.publish_message(big)
        until(lambda: len(served.clients.all) == 1)
        assert "nothing was read" in served.dropped[-1] or "too slow" in served.dropped[-1]
        ann.stick(surge=0.5)
        ann.await_snapshot(lambda snapshot: snapshot.values[1] == 0.5)
        until(lambda: _is_cut(deaf))  # not left half open


def test_a_page_whose_texts_pile_up_is_dropped(served):
    with Page(served, "Ann") as ann, _deaf(served):
        ann.await_text("roster")
        until(lambda: len(served.clients.all) == 2)
        big = {"type": "event", "time_s": 0.0, "kind": "message", "text": "x" * 100_000}
        for _ in range(300):
            served.clients.publish_message(big)
            ann.await_text("event", kind="message")
        until(lambda: len(served.clients.all) == 1)
        assert "too slow" in served.dropped[-1]


@contextlib.contextmanager
def _deaf(served):
    """A page that shakes hands and then never reads, with little room before it."""
    with socket.socket() as line:
        yield _shaken(line, served)


def _shaken(line, served):
    line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    line.connect(("127.0.0.1", served.port))
    line.sendall(
        f"GET /ws?token={served.token} HTTP/1.1\r\nHost: 127.0.0.1:{served.port}\r\nOrigin: {served.origin}\r\n"
        "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
        "Sec-WebSocket-Version: 13\r\n\r\n".encode()
    )
    return line


def _is_cut(line):
    """Whether the other side has cut the line: writing to it fails."""
    try:
        line.sendall(struct.pack("!BB4s", 0x8A, 0x80, b"\0\0\0\0"))  # an empty pong, masked
    except OSError:
        return True
    return False


def test_names_are_fit_to_be_shown_and_can_be_changed(served):
    with Page(served, "%3Cb%3E%0A%0Aeve%00") as page:
        assert page.await_text("roster")["clients"][0]["name"] == "<b> eve"
        page.say(type="name", name="Ann " * 30)
        assert len(page.await_text("roster")["clients"][0]["name"]) <= 32


@pytest.mark.slow
def test_a_failure_is_shown_to_all_and_the_server_stays_up():
    with console(lambda: Buoy(diverges_at=25)) as served, Page(served) as page:
        assert "diverged" in page.await_text("status", phase="failed")["text"]
        with Page(served) as late:
            assert "diverged" in late.await_text("status", phase="failed")["text"]
        page.order("reset")
        page.await_text("status", phase="ready")
        page.await_snapshot()
        assert len(served.sources) == 2 and served.sources[0].closed == 1


def test_stopping_closes_the_source_and_the_port():
    with console() as served:
        port = served.port
        with Page(served) as page:
            page.await_snapshot()
    assert served.sources[0].closed == 1
    listen_at("127.0.0.1", port).close()  # it is free again


def test_a_port_that_is_taken_is_a_sentence():
    taken = listen_at("127.0.0.1", 0)
    taken.listen()
    port = taken.getsockname()[1]
    with pytest.raises(CommandError, match=rf'{port}": cannot listen there \(Address already in use\)'):
        Console(Buoy, port=port)
    with pytest.raises(CommandError, match=r'the console: address = "203\.0\.113\.7:\d+": cannot listen there'):
        Console(Buoy, host="203.0.113.7")  # an address of documentation, on no machine
    with pytest.raises(CommandError, match=r"127\.0\.0\.1:99999"):
        Console(Buoy, port=99999)
    taken.close()


def test_the_address_carries_the_token_and_the_messages_are_json():
    server = Console(Buoy, token="abc")
    assert server.address == f"http://127.0.0.1:{server.port}/?token=abc"
    server.socket.close()
    assert json.loads(clients._addressed('{"type":"hello","a":1}', "c7")) == {"you": "c7", "type": "hello", "a": 1}
