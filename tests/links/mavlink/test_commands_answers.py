"""PING, TIMESYNC and file transfer over a real socket, by the layout in the MAVLink description."""

import struct

import pytest

LIST, OPEN, TERMINATE, ACK, NAK = 3, 4, 1, 128, 129  # opcodes of the MAVLink file transfer protocol


def request(seq, opcode, path=b"@PARAM/param.pck", session=7):
    head = struct.pack("<HBBBBBBI", seq, session, opcode, len(path), 0, 0, 0, 0)
    return 0, 1, 1, list((head + path).ljust(251, b"\0"))


@pytest.mark.parametrize("opcode", [OPEN, LIST, TERMINATE])
def test_there_are_no_files_and_it_is_said(deck, opcode):
    reply = deck.answer("FILE_TRANSFER_PROTOCOL", "file_transfer_protocol", *request(65535, opcode))
    seq, session, answer, size, requested, _, _, _ = struct.unpack("<HBBBBBBI", bytes(reply.payload[:12]))
    assert (seq, session, answer, size, requested) == (0, 7, NAK, 1, opcode)  # the number after ours
    assert reply.payload[12] == 7  # no such command
    assert (reply.target_system, reply.target_component) == (255, 190)


@pytest.mark.parametrize("opcode", [ACK, NAK])
def test_answers_are_not_answered(deck, opcode):
    deck.station.heard.clear()
    deck.arrives(("file_transfer_protocol", *request(3, opcode)))
    deck.answer("COMMAND_ACK", "command_long", 1, 1, 512, 0, 148, 0, 0, 0, 0, 0, 0)
    assert not deck.station.of("FILE_TRANSFER_PROTOCOL")


def test_ping_and_time(deck):
    back = deck.answer("PING", "ping", 99, 5, 0, 0)
    assert (back.time_usec, back.seq, back.target_system, back.target_component) == (99, 5, 255, 190)
    deck.station.heard.clear()
    deck.arrives(("ping", 99, 6, 1, 1))  # an answer to somebody's ping
    assert not deck.station.of("PING")
    deck.turn(50)
    now_s = deck.flight.time_s
    sync = deck.answer("TIMESYNC", "timesync", 0, 777)
    assert sync.ts1 == 777 and 1e-9 * sync.tc1 == pytest.approx(now_s, abs=1.0)
