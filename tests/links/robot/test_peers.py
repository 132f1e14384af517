"""Clients over TCP and UDP: lines in any pieces, too long lines, and clients that do not read or leave."""

import socket

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pelagos.links.robot.messages import LARGEST_LINE
from pelagos.links.robot.peers import MOST_UNSENT, TcpPeer, UdpPeer


@pytest.fixture
def pair():
    """A peer and the socket at its other end."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen(1)
        far = socket.create_connection(listening.getsockname())
        near, address = listening.accept()
    far.settimeout(30.0)
    peer = TcpPeer(near, address, 0.0)
    with far:
        yield peer, far
    peer.close()


def lines_of(peer, count):
    """Read until so many lines have come."""
    lines = []
    while len(lines) < count and not peer.gone:
        lines += peer.read()
    return lines


def test_lines_come_whole_however_they_were_cut(pair):
    peer, far = pair
    sent = [b"one", b"", b"three " * 2000, b"four"]
    data = b"\n".join(sent) + b"\n"
    for k in range(0, len(data), 777):
        far.sendall(data[k : k + 777])
    assert lines_of(peer, 4) == sent
    far.sendall(b"half")
    assert peer.read() == []
    far.sendall(b" and half\nnext\n")
    assert lines_of(peer, 2) == [b"half and half", b"next"]


@settings(max_examples=50)
@given(st.lists(st.binary(max_size=30).filter(lambda line: b"\n" not in line), max_size=20), st.data())
def test_any_cut_gives_the_same_lines(sent, data):
    peer = object.__new__(TcpPeer)
    peer._inbox, peer._skipping = bytearray(), False
    text, lines = b"".join(line + b"\n" for line in sent), []
    while text:
        n = data.draw(st.integers(1, len(text)))
        lines += peer._cut(text[:n])
        text = text[n:]
    assert lines == sent


def test_a_line_that_is_too_long_is_left_out_once_and_the_next_is_read(pair):
    peer, far = pair
    far.setblocking(True)
    lines = []
    for piece in (b"x" * 50_000, b"x" * 50_000, b"x" * 50_000 + b"\n", b"sound\n"):
        far.sendall(piece)
        lines += peer.read()
    while b"sound" not in lines:
        lines += peer.read()
    assert lines == [None, b"sound"]
    far.sendall(b"y" * LARGEST_LINE + b"\n")
    assert lines_of(peer, 1) == [b"y" * LARGEST_LINE]  # the longest that is read


def test_one_that_reads_nothing_is_stalled_and_nobody_waits(pair):
    peer, _ = pair
    line = b"z" * 99_999 + b"\n"
    for _ in range(1000):  # far more than the kernel keeps
        peer.send(line)
        if peer.stalled:
            break
    assert peer.stalled and peer.waiting
    assert len(peer._outbox) <= MOST_UNSENT + len(line)


def test_what_waited_goes_when_there_is_room(pair):
    peer, far = pair
    sent = 0
    while not peer.waiting:
        peer.send(b"w" * 9_999 + b"\n")
        sent += 10_000
    got = 0
    while got < sent:
        got += len(far.recv(65536))
        peer.flush()
    assert got == sent and not peer.waiting


def test_one_that_has_left_is_gone(pair):
    peer, far = pair
    far.close()
    assert peer.read() == [] and peer.gone
    peer.send(b"nothing happens\n")


def test_a_last_line_comes_before_the_end(pair):
    peer, far = pair
    peer.close(b"bye\n")
    with far.makefile("rb") as lines:
        assert lines.read() == b"bye\n"


def test_datagrams_go_to_their_address():
    kind = socket.AF_INET, socket.SOCK_DGRAM
    with socket.socket(*kind) as near, socket.socket(*kind) as far:
        far.bind(("127.0.0.1", 0))
        far.settimeout(30.0)
        peer = UdpPeer(near, far.getsockname(), 0.0)
        peer.send(b"state\n")
        assert far.recv(100) == b"state\n"
        peer.send(b"x" * 70_000)  # no datagram is that long
        assert peer.lost == 1
        peer.close(b"bye\n")
        assert far.recv(100) == b"bye\n"
