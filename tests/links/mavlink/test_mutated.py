"""20,000 damaged and invalid datagrams only change the counters."""

import contextlib
import math
import random
import struct

import pymavlink.dialects.v20.ardupilotmega as mavlink
import pytest
from pymavlink.generator.mavcrc import x25crc

from tests.links.mavlink.deck import Deck

PACKETS = 20_000
ODD = (math.nan, math.inf, -math.inf, 0.0, -1.0, 1e38, -1e-40, 65535.0)
# What a station may send, with values that mean something; the odd ones come by mutation.
CORPUS = [
    ("heartbeat", 6, 8, 0, 0, 4, 3), ("ping", 1, 2, 0, 0), ("timesync", 0, 5), ("param_request_list", 1, 1),
    ("param_request_read", 1, 1, b"FS_GCS_TIMEOUT", -1), ("param_set", 1, 1, b"JS_GAIN_DEFAULT", 0.5, 9),
    ("command_long", 1, 1, 400, 0, 1, 0, 0, 0, 0, 0, 0), ("command_long", 1, 1, 176, 0, 1, 2, 0, 0, 0, 0, 0),
    ("command_long", 1, 1, 512, 0, 30, 0, 0, 0, 0, 0, 0), ("command_long", 1, 1, 511, 0, 30, 1e5, 0, 0, 0, 0, 0),
    ("command_long", 1, 1, 300, 0, 0, 0, 0, 0, 0, 0, 0), ("command_long", 1, 1, 224, 0, 1, 0, 0, 0, 0, 0, 0),
    ("command_int", 1, 1, 6, 192, 0, 0, -1, 1, 0, 0, 368000300, -1219000200, -5.0),
    ("set_mode", 1, 1, 16), ("request_data_stream", 1, 1, 0, 4, 1), ("manual_control", 1, 10, 20, 400, 30, 1),
    ("rc_channels_override", 1, 1, 1500, 1500, 1600, 1500, 1500, 1500, 0, 0),
    ("set_position_target_local_ned", 0, 1, 1, 1, 0xDF8, 1, 2, 5, 0, 0, 0, 0, 0, 0, 0, 0),
    ("set_position_target_global_int", 0, 1, 1, 6, 0xDF8, 368000300, -1219000200, -5.0, 0, 0, 0, 0, 0, 0, 0, 0),
    ("mission_request_list", 1, 1, 0), ("mission_request_int", 1, 1, 0, 0), ("mission_request", 1, 1, 1, 0),
    ("mission_count", 1, 1, 2, 0), ("mission_clear_all", 1, 1, 0), ("mission_ack", 1, 1, 0, 0),
    ("mission_item_int", 1, 1, 0, 6, 16, 0, 1, 0, 0, 0, 0, 368000300, -1219000200, -5.0, 0),
    ("mission_item_int", 1, 1, 1, 6, 16, 0, 1, 0, 0, 0, 0, 368000300, -1219000200, -5.0, 0),
    ("mission_item", 1, 1, 0, 3, 16, 2, 1, 0, 0, 0, 0, 36.80003, -121.90002, -5.0, 0),
    ("mission_set_current", 1, 1, 1),
]  # fmt: skip


def broken(rng, data):
    """Bytes flipped, cut, doubled, put together."""
    data = bytearray(data)
    for _ in range(rng.randint(1, 4)):
        kind = rng.randrange(4)
        at = rng.randrange(len(data)) if data else 0
        if kind == 0 and data:
            data[at] = rng.randrange(256)
        elif kind == 1:
            del data[at:]
        elif kind == 2:
            data[at:at] = rng.randbytes(rng.randint(1, 9))
        else:
            data += data[:at]
    return bytes(data)


def senseless(rng, data):
    """A sound frame, with a right checksum, whose payload is something else."""
    frame = bytearray(data)
    payload = frame[10:-2]
    for _ in range(rng.randint(1, 3)):
        if rng.random() < 0.5 and len(payload) >= 4:
            at = 4 * rng.randrange(len(payload) // 4)
            payload[at : at + 4] = struct.pack("<f", rng.choice(ODD))
        elif payload:
            payload[rng.randrange(len(payload))] = rng.randrange(256)
    frame[10:-2] = payload
    number = frame[7] | frame[8] << 8 | frame[9] << 16
    crc = x25crc(bytes(frame[1:-2]) + bytes([mavlink.mavlink_map[number].crc_extra])).crc
    frame[-2:] = struct.pack("<H", crc)
    return bytes(frame)


@pytest.mark.slow
def test_nothing_but_counts_comes_of_mutated_packets():
    rng = random.Random(7)
    with Deck() as deck:
        link, flight, me = deck.link, deck.flight, deck.station.socket.getsockname()
        sound = [deck.station.pack(getattr(mavlink, f"MAVLink_{name}_message")(*values)) for name, *values in CORPUS]
        for n in range(PACKETS):
            data = rng.choice(sound)
            change = rng.choice((broken, senseless, None))
            link.peers._take(change(rng, data) if change else data, me)  # what the thread of the socket calls
            if n % 4 == 0:
                deck.now_s += 0.02
                link.before(flight)
            if n % 400 == 0:
                flight.tick()
                link.after(flight, flight.take_events())
                deck.station.listen()
                deck.station.heard.clear()
        counts = link.counts()
        assert counts["dropped_malformed"] > PACKETS // 5  # broken ones, each counted
        assert "dropped_failed" not in counts
        flight.order("reset", {})
        link.begin(flight)
        with contextlib.suppress(AssertionError):  # a mutated PARAM_SET may have changed who controls
            deck.command(512, 148)
        assert deck.command(512, 148) == 0
        assert math.isfinite(float(flight.sim.plant.position_n[2]))
