"""Commands, PING, TIMESYNC and file transfer over a real socket: accepted, denied, unsupported, from which station."""

import math
import struct

import pymap3d
import pytest

from pelagos.links.mavlink.modes import ALT_HOLD, GUIDED, MANUAL, POSHOLD, STABILIZE

ACCEPTED, DENIED, UNSUPPORTED, FAILED = 0, 2, 3, 4


@pytest.fixture(autouse=True)
def anew(deck):
    deck.flight.order("reset", {})
    deck.link.begin(deck.flight)
    deck.station.heard.clear()
    deck.station.texts.clear()


def test_arming_by_both_forms_and_by_force(deck):
    assert deck.command(400, 0) == ACCEPTED and not deck.flight.armed
    assert deck.command(400, 1, 21196) == ACCEPTED and deck.flight.armed
    ack = deck.answer("COMMAND_ACK", "command_int", 1, 1, 0, 400, 0, 0, 0.0, 0.0, 0.0, 0.0, 0, 0, 0.0)
    assert ack.result == ACCEPTED and not deck.flight.armed
    assert (ack.target_system, ack.target_component) == (255, 190)
    assert deck.command(400, 2) == DENIED
    assert deck.command(400, math.nan) == DENIED


def test_disarmed_nothing_turns_and_armed_it_goes_on(deck):
    deck.command(176, 1, MANUAL)
    deck.command(400, 0)
    deck.arrives(("manual_control", 1, 1000, 0, 500, 0, 0))
    deck.turn(20)
    assert not any(deck.link.telemetry.thrust_shares())
    deck.command(400, 1)
    deck.arrives(("manual_control", 1, 900, 0, 500, 0, 0))
    deck.turn(20)
    assert max(map(abs, deck.link.telemetry.thrust_shares())) > 0.05


def test_modes_by_command_and_by_the_old_message(deck):
    assert deck.command(176, 1, ALT_HOLD) == ACCEPTED and deck.mode == ALT_HOLD
    deck.arrives(("set_mode", 1, 1, POSHOLD))
    assert deck.mode == POSHOLD
    assert deck.command(176, 1, 7) == DENIED  # CIRCLE
    assert deck.command(176, 0, ALT_HOLD) == DENIED  # the base mode alone
    deck.until(lambda: any("CIRCLE" in text for text in deck.texts()))
    assert deck.mode == POSHOLD


@pytest.mark.parametrize(
    ("number", "kind"),
    [(0, "HEARTBEAT"), (30, "ATTITUDE"), (31, "ATTITUDE_QUATERNION"), (148, "AUTOPILOT_VERSION"),
     (242, "HOME_POSITION"), (49, "GPS_GLOBAL_ORIGIN"), (24, "GPS_RAW_INT"), (147, "BATTERY_STATUS")],
)  # fmt: skip
def test_a_message_on_request(deck, number, kind):
    assert deck.answer(kind, "command_long", 1, 1, 512, 0, number, 0, 0, 0, 0, 0, 0).get_type() == kind


def test_what_cannot_be_requested(deck):
    assert deck.command(512, 132) == FAILED  # no bottom in sight
    assert deck.command(512, 65000) == UNSUPPORTED
    assert deck.command(512, math.nan) == UNSUPPORTED


def test_old_requests(deck):
    assert deck.answer("AUTOPILOT_VERSION", "command_long", 1, 1, 520, 0, 1, 0, 0, 0, 0, 0, 0).capabilities
    assert deck.answer("HOME_POSITION", "command_long", 1, 1, 410, 0, 0, 0, 0, 0, 0, 0, 0).latitude == 368000000


def test_intervals(deck):
    assert deck.command(511, 31, 100000) == ACCEPTED
    deck.station.heard.clear()
    deck.turn(100)  # two seconds of the link's clock
    deck.until(lambda: len(deck.station.of("ATTITUDE_QUATERNION")) >= 19)
    reply = deck.answer("MESSAGE_INTERVAL", "command_long", 1, 1, 510, 0, 31, 0, 0, 0, 0, 0, 0)
    assert (reply.message_id, reply.interval_us) == (31, 100000)
    assert deck.command(511, 31, -1) == ACCEPTED
    assert deck.command(511, 31, 10) == DENIED
    assert deck.command(511, 65000, 1e5) == UNSUPPORTED


def test_home_stays_and_what_nobody_knows_is_unsupported(deck):
    assert deck.command(179, 1) == DENIED
    for number in (20, 21, 22, 241, 246, 2500, 40000):
        assert deck.command(number) == UNSUPPORTED


def test_a_place_to_go_to(deck):
    lat, lon, _ = pymap3d.ned2geodetic(3.0, -2.0, 0.0, 36.8, -121.9, 0.0)
    where = round(lat * 1e7), round(lon * 1e7), -6.0
    there = "command_int", 1, 1, 6, 192, 0, 0
    deck.command(176, 1, ALT_HOLD)
    assert deck.answer("COMMAND_ACK", *there, -1.0, 0.0, 0.0, math.nan, *where).result == DENIED  # not in GUIDED
    assert deck.answer("COMMAND_ACK", *there, -1.0, 1.0, 0.0, math.pi / 2, *where).result == ACCEPTED
    assert deck.mode == GUIDED
    held = deck.flight.helm.setpoint
    assert (held.north_m, held.east_m) == pytest.approx((3.0, -2.0), abs=0.02)  # 1e-7 deg are 11 mm
    assert held.depth_m == 6.0 and held.heading_deg == pytest.approx(90.0, abs=1e-4)
    assert deck.answer("COMMAND_ACK", *there, -1.0, 1.0, 0.0, 0.0, *where[:2], 2.0).result == DENIED  # in the air
    assert deck.answer("COMMAND_ACK", *there, -1.0, 1.0, 0.0, 0.0, *where[:2], math.nan).result == DENIED


def test_only_one_system_controls_and_the_others_read(deck):
    other = deck.call(254)
    for number, params in ((400, (0,)), (176, (1, MANUAL)), (511, (30, 20000)), (300, ())):
        assert deck.command(number, *params, caller=other) == DENIED
    assert deck.flight.armed and deck.mode == STABILIZE
    assert deck.command(512, 148, caller=other) == ACCEPTED
    assert deck.link.counts()["dropped_stranger"] >= 4
    assert any("SYSID_MYGCS" in text for text in deck.messages)
    deck.arrives(("param_set", 1, 1, b"SYSID_MYGCS", 254.0, 9))
    assert deck.command(400, 0, caller=other) == ACCEPTED and not deck.flight.armed
    assert deck.command(400, 1) == DENIED
    deck.arrives(("param_set", 1, 1, b"SYSID_MYGCS", 255.0, 9), caller=other)
    assert deck.command(400, 1) == ACCEPTED


def test_pause_without_a_mission(deck):
    assert deck.command(193, 0) == ACCEPTED and deck.mode == POSHOLD
    assert deck.command(193, 1) == DENIED  # nothing to go on with
    assert deck.mode == POSHOLD


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
    before = deck.answer("TIMESYNC", "timesync", 0, 776).tc1
    deck.turn(250)
    sync = deck.answer("TIMESYNC", "timesync", 0, 777)
    # 1 s: the deck also ticks while it waits for an answer
    assert sync.ts1 == 777 and 1e-9 * (sync.tc1 - before) == pytest.approx(5.0, abs=1.0)
    assert 1e-9 * sync.tc1 == pytest.approx(deck.now_s - 1000.0, abs=1.0)  # the link began at 1000 s
