"""Status texts arrive complete when joined by the protocol, at a limited rate."""

import pymavlink.dialects.v20.ardupilotmega as mavlink

from pelagos.links.mavlink.texts import BURST, LONGEST, MOST_WAITING, PER_S, StatusTexts


class Clock:
    s = 0.0

    def __call__(self):
        return self.s


def made():
    clock, sent = Clock(), []
    return StatusTexts(mavlink, sent.append, clock), sent, clock


def joined(messages):
    """As a station puts parts together: in order, until a part that is not full."""
    if messages[0].id == 0:
        return messages[0].text
    assert [message.chunk_seq for message in messages] == list(range(len(messages)))
    assert len({message.id for message in messages}) == 1
    return "".join(message.text for message in messages)


def over_the_wire(messages):
    codec, parser = mavlink.MAVLink(None, 1, 1), mavlink.MAVLink(None)
    return [parser.parse_char(bytes(message.pack(codec))) for message in messages]


def test_sentences_of_all_lengths_come_through():
    texts, _, _ = made()
    for length in (1, 49, 50, 51, 99, 100, 101, 150, 199, LONGEST):
        text = "".join(chr(97 + i % 26) for i in range(length))
        parts = over_the_wire(texts.pieces(6, text))
        assert joined(parts) == text
        if length > 50 and length < LONGEST:
            assert len(parts[-1].text) < 50  # a part that is not full ends it
    assert len(joined(texts.pieces(6, "x" * 1000))) == LONGEST
    assert joined(over_the_wire(texts.pieces(6, "10° über\nNull"))) == "10? ?ber Null"


def test_events_have_the_severity_that_fits():
    texts, sent, _ = made()
    for kind in ("fault", "collision", "mode", "link"):
        texts.event({"time_s": 1.0, "kind": kind, "text": kind})
    texts.event({"type": "status"})
    texts.send()
    assert [(message.text, message.severity) for message in over_the_wire(sent)] == [
        ("fault", 2),
        ("collision", 4),
        ("mode", 6),
    ]


def test_a_flood_of_sentences_is_thinned():
    texts, sent, clock = made()
    for i in range(1000):
        texts.report(f"{i}")
        texts.send()
    assert len(sent) == BURST
    clock.s += 1.0
    texts.send()
    assert len(sent) == BURST + PER_S


def test_the_same_is_not_said_twice_and_what_matters_is_not_crowded_out():
    texts, sent, clock = made()
    clock.s = -100.0
    texts.send()  # from here on there is no more than the burst
    for i in range(MOST_WAITING):
        texts.report(f"refused {i}", "warning")
        texts.report(f"refused {i}", "warning")
    texts.report("no heartbeat", "critical")
    texts.report("one more", "info")
    while len(sent) < MOST_WAITING:
        clock.s += 1.0
        texts.send()
    arrived = [message.text for message in over_the_wire(sent)]
    assert "no heartbeat" in arrived and "one more" not in arrived
    assert len(arrived) == len(set(arrived)) == MOST_WAITING
