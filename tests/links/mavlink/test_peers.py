"""Ground stations on real sockets: known stations, answers, limits and counters."""

import time

import pymavlink.dialects.v20.ardupilotmega as mavlink
import pytest

from pelagos.errors import CommandError
from pelagos.links.counts import Counts
from pelagos.links.mavlink.peers import (
    BURST,
    GONE_S,
    MOST_PEERS,
    OF_ALL_PER_S,
    OF_ONE_PER_S,
    SENT_PER_S,
    SILENT_S,
    PeerAddress,
    Peers,
)
from tests.links.mavlink.deck import Caller

HEARTBEAT = mavlink.MAVLink_heartbeat_message(12, 3, 81, 19, 4, 3)
PATIENCE_S = 60.0


class Clock:
    now_s = 100.0

    def __call__(self):
        return self.now_s


@pytest.fixture
def made():
    clock, counts, opened = Clock(), Counts("mavlink"), []
    peers = Peers(mavlink, "udpin:127.0.0.1:0", 1, False, counts, clock)

    def caller(system=255):
        opened.append(Caller(peers.port, system))
        return opened[-1]

    yield peers, clock, counts, caller
    peers.close()
    for sender in opened:
        sender.close()


def wait(fits):
    until = time.monotonic() + PATIENCE_S
    while not fits():
        assert time.monotonic() < until
        time.sleep(0.002)


def heard(peers, n):
    received = []
    wait(lambda: received.extend(peers.take()) or len(received) >= n)
    return received


def test_who_speaks_to_us_is_answered_until_it_is_silent_for_long(made):
    peers, clock, _, caller = made
    station = caller()
    assert peers.addresses == []
    station.send("heartbeat", 6, 8, 0, 0, 4, 3)
    (message,) = heard(peers, 1)
    assert (message.kind, message.system, message.component) == ("HEARTBEAT", 255, 190)
    assert peers.addresses == [station.socket.getsockname()]
    assert peers.send(HEARTBEAT)
    wait(lambda: station.listen() or station.heard)
    assert station.heard[0].custom_mode == 19
    clock.now_s += GONE_S + 0.1
    assert list(peers.take()) == [] and peers.addresses == []


def test_a_station_that_listens_is_spoken_to_first():
    listener = Caller(1)
    host, port = listener.socket.getsockname()
    peers = Peers(mavlink, f"udpout:{host}:{port}", 1, False, Counts("mavlink"))
    try:
        peers.send(HEARTBEAT)
        wait(lambda: listener.listen() or listener.heard)
        listener.there = (host, peers.port)
        listener.send("heartbeat", 6, 8, 0, 0, 4, 3)
        heard(peers, 1)
        assert peers.addresses == [(host, port)]  # once, not twice
    finally:
        peers.close()
        listener.close()


def test_what_is_for_others_or_from_ourselves_is_left(made):
    peers, _, counts, caller = made
    station, ourselves = caller(), caller(1)
    ourselves.codec.srcComponent = 1
    station.send("param_request_list", 2, 1)
    station.send("param_request_list", 1, 100)
    ourselves.send("heartbeat", 12, 3, 81, 0, 4, 3)
    station.send("param_request_list", 1, 1)
    station.send("param_request_list", 0, 0)
    assert [message.message.target_system for message in heard(peers, 2)] == [1, 0]
    wait(lambda: counts["dropped_loop"] == 1)
    assert counts["for_others"] == 2


def test_rubbish_is_counted_and_the_next_message_is_heard(made):
    peers, _, counts, caller = made
    station = caller()
    for data in (b"", b"rubbish", b"\xfd" * 300, bytes(9000)):
        station.socket.sendto(data, station.there)
    station.send("heartbeat", 6, 8, 0, 0, 4, 3)
    assert len(heard(peers, 1)) == 1
    assert counts["dropped_malformed"] == 3  # an empty datagram holds nothing, and nothing wrong


def test_one_station_too_many_is_turned_away(made):
    peers, _, counts, caller = made
    for _ in range(MOST_PEERS + 1):
        caller().send("heartbeat", 6, 8, 0, 0, 4, 3)
    assert len(heard(peers, MOST_PEERS)) == MOST_PEERS
    wait(lambda: list(peers.take()) or counts["dropped_stranger"] == 1)
    assert len(peers.addresses) == MOST_PEERS


def test_sending_keeps_to_its_budget(made):
    peers, clock, counts, caller = made
    caller().send("heartbeat", 6, 8, 0, 0, 4, 3)
    heard(peers, 1)
    sent = sum(peers.send(HEARTBEAT) for _ in range(3 * int(BURST)))
    assert sent == BURST
    clock.now_s += 0.1
    assert sum(peers.send(HEARTBEAT) for _ in range(3 * int(BURST))) == pytest.approx(0.1 * SENT_PER_S, abs=1)
    assert counts["dropped_budget"] > 0


@pytest.mark.parametrize("text", ["", "udp:1.2.3.4:5", "127.0.0.1", "udpout:127.0.0.1:0", "127.0.0.1:70000", "a:b"])
def test_what_is_no_address_is_refused(text):
    with pytest.raises(CommandError, match="expected"):
        PeerAddress.of(text)


def test_addresses_beyond_this_machine_need_to_be_allowed():
    for where in ("udpin:0.0.0.0:0", "udpout:192.0.2.1:14550"):
        with pytest.raises(CommandError, match="no authentication"):
            Peers(mavlink, where, 1, False, Counts("mavlink"))
    peers = Peers(mavlink, "udpin:0.0.0.0:0", 1, True, Counts("mavlink"))
    peers.close()
    with pytest.raises(CommandError, match=r'host = "no-such-host\.invalid": the name cannot be resolved'):
        Peers(mavlink, "udpout:no-such-host.invalid:14550", 1, True, Counts("mavlink"))


def test_one_that_floods_does_not_crowd_out_the_others(made):
    peers, clock, counts, caller = made
    flood, station = caller(7), caller()
    packed = flood.pack(mavlink.MAVLink_heartbeat_message(6, 8, 0, 0, 4, 3)) * 30
    for _ in range(40):
        flood.socket.sendto(packed, flood.there)
    wait(lambda: counts["received"] == 40)
    station.send("heartbeat", 6, 8, 0, 0, 4, 3)
    received = heard(peers, OF_ONE_PER_S + 1)
    assert sum(message.system == 7 for message in received) == OF_ONE_PER_S and received[-1].system == 255
    assert counts["dropped_flood"] == 40 * 30 - OF_ONE_PER_S
    clock.now_s += 1.0
    flood.send("heartbeat", 6, 8, 0, 0, 4, 3)
    assert heard(peers, 1)[0].system == 7  # in the next second it is heard again


def test_what_is_one_too_many_is_not_even_decoded(made):
    peers, _, counts, caller = made
    flood = caller()
    sound = flood.pack(mavlink.MAVLink_heartbeat_message(6, 8, 0, 0, 4, 3))
    broken = sound[:-1] + bytes([sound[-1] ^ 0xFF])  # a wrong checksum: only the decoder detects it
    for _ in range(OF_ONE_PER_S // 30):
        flood.socket.sendto(sound * 30, flood.there)
    heard(peers, OF_ONE_PER_S)
    flood.socket.sendto(broken * 30, flood.there)
    wait(lambda: counts["dropped_flood"] == 30)
    assert counts["dropped_malformed"] == 0


def test_many_senders_together_have_a_limit_too(made):
    peers, clock, counts, caller = made
    senders = [caller() for _ in range(MOST_PEERS)]
    each, received = OF_ONE_PER_S // 30, []
    assert len(senders) * OF_ONE_PER_S > OF_ALL_PER_S
    for n, sender in enumerate(senders, 1):
        for _ in range(each):
            sender.socket.sendto(sender.pack(HEARTBEAT) * 30, sender.there)
        wait(lambda n=n: received.extend(peers.take()) or len(received) + counts["dropped_flood"] == n * each * 30)
    assert len(received) == OF_ALL_PER_S
    clock.now_s += 1.0
    senders[-1].send("heartbeat", 6, 8, 0, 0, 4, 3)
    assert len(heard(peers, 1)) == 1


def test_a_silent_station_makes_room_for_a_new_one(made):
    peers, clock, counts, caller = made
    stations = [caller() for _ in range(MOST_PEERS)]
    for station in stations:
        station.send("heartbeat", 6, 8, 0, 0, 4, 3)
    heard(peers, MOST_PEERS)
    clock.now_s += SILENT_S + 1.0
    for station in stations[1:]:
        station.send("heartbeat", 6, 8, 0, 0, 4, 3)
    heard(peers, MOST_PEERS - 1)
    late = caller()
    late.send("heartbeat", 6, 8, 0, 0, 4, 3)
    heard(peers, 1)
    there = {station.socket.getsockname() for station in (*stations[1:], late)}
    assert set(peers.addresses) == there and counts["dropped_stranger"] == 0
