"""tshark, an independent decoder, reads every field of every PDU in both versions."""

import math
import random
from dataclasses import replace

import pytest

from pelagos.links.dis.wire.collision import CollisionPdu
from pelagos.links.dis.wire.entity_state import EntityState
from pelagos.links.dis.wire.header import ClockTime, Header, stamp
from pelagos.links.dis.wire.management import Acknowledge, RemoveEntity, StartResume, StopFreeze
from pelagos.links.dis.wire.pdu import encode
from pelagos.links.dis.wire.records import Articulation, Attachment, DeadReckoning, EntityId, EntityType
from tests.links.dis.tshark import dissect, needs_tshark

pytestmark = needs_tshark
A, B = EntityId(101, 202, 303), EntityId(404, 505, 606)
# 900 s past the hour is a quarter of 2^31 units; the last bit says that the clock is set
QUARTER_HOUR, HALF_HOUR = 0x40000001, 0x80000000
HEADER = Header(exercise=9, timestamp=QUARTER_HOUR, status=0)
IDS = {"site": "dis.entity_id_site", "application": "dis.entity_id_application", "entity": "dis.entity_id_entity"}


def xyz(name, values, axes="xyz"):
    return [(f"{name}.{axis}", value) for axis, value in zip(axes, values, strict=True)]


def ident(record):
    return [(name, getattr(record, part)) for part, name in IDS.items()]


def kind(record):
    category = "dis.category.subsurface" if (record.kind, record.domain) == (1, 4) else "dis.category"
    names = ("dis.entityKind", "dis.entityDomain", "dis.country", category)
    values = (record.kind, record.domain, record.country, record.category)
    rest = (("dis.subcategory", record.subcategory), ("dis.specific", record.specific), ("dis.extra", record.extra))
    return [*zip(names, values, strict=True), *rest]


def part(record):
    if isinstance(record, Articulation):
        layout = [("dis.vp.change", record.change), ("dis.vp.part_attached_to_id", record.attached_to)]
        layout += [
            ("dis.vp.artic_param_type", record.kind),
            ("dis.vp.parameter_value", record.value),
            ("dis.vp.padding", 0),
        ]
        return [("dis.variable_parameter_type", 0), *layout]
    layout = [("dis.vp.attached_indicator", record.detached), ("dis.vp.part_attached_to_id", record.attached_to)]
    return [
        ("dis.variable_parameter_type", 1),
        *layout,
        ("dis.vp.artic_param_type", record.station),
        *kind(record.type),
    ]


def header(version, number, family, length, seconds, header=HEADER):
    layout = [("dis.proto_ver", version), ("dis.exer_id", header.exercise), ("dis.pdu_type", number)]
    layout += [("dis.proto_fam", family), ("dis.timestamp", seconds), ("dis.pdu_length", length)]
    status = [("dis.pdu_status", header.status), ("dis.padding", "00")] if version == 7 else [("dis.padding", "00:00")]
    return layout + status


def state_fields(pdu, version, seconds):
    r = pdu.reckoning
    layout = header(version, 1, 1, 144 + 16 * len(pdu.parts), seconds, pdu.header) + ident(pdu.entity)
    layout += [("dis.force_id", pdu.force), ("dis.num_articulation_params", len(pdu.parts))]
    layout += kind(pdu.type) + kind(pdu.alternative) + xyz("dis.entity_linear_velocity", pdu.velocity)
    layout += xyz("dis.entity_location", pdu.location)
    layout += xyz("dis.entity_orientation", pdu.orientation, ("psi", "theta", "phi"))
    layout += [("dis.appearance", pdu.appearance), ("dis.entity_marking_character_set", r.algorithm)]
    layout += [("dis.dead_reckoning_other_parameters", ":".join(f"{byte:02x}" for byte in r.other))]
    layout += xyz("dis.entity_linear_acceleration", r.acceleration)
    layout += xyz("dis.entity_angular_velocity", r.angular_velocity)
    layout += [("dis.entity_marking_character_set", 1), ("dis.entity_marking", pdu.marking)]
    layout += [("dis.capabilities", pdu.capabilities)]
    return layout + [field for record in pdu.parts for field in part(record)]


STATE = EntityState(
    A,
    EntityType(1, 4, 225, 8, 1, 2, 3),
    (-2707331.0625, -4353456.25, 3799741.5),
    (1.5, -2.25, 0.125),
    (0.5, -1.25, 3.0),
    DeadReckoning(4, (0.25, -0.5, 0.75), (1.0, -1.5, 2.0), bytes(range(15))),
    2,
    "NPS Phoenix",
    0x00A01008,
    0x12345678,
    EntityType(2, 6, 98, 11, 12, 13, 14),
    (Articulation(1296, -40.5, 7, 0), Attachment(513, EntityType(1, 4, 98, 8, 7, 6, 5), 1, 2)),
    HEADER,
)
COLLISION = CollisionPdu(A, B, EntityId(101, 202, 77), 1, (1.5, -2.25, 0.125), 412.5, (0.5, -0.75, 1.0), HEADER)
TWO_IDS = ident(A) + ident(B)
MANAGEMENT = {
    # clock times: 3 h and a quarter (set), 2 h and a half
    13: (
        StartResume(A, B, ClockTime(3, QUARTER_HOUR), ClockTime(2, HALF_HOUR), 4000000001, HEADER),
        44,
        [("dis.clocktime", 3 * 3600 + 900), ("dis.clocktime", 2 * 3600 + 1800)],
    ),
    14: (
        StopFreeze(A, B, ClockTime(3, QUARTER_HOUR), 6, 5, 4000000001, HEADER),
        40,
        [("dis.clocktime", 3 * 3600 + 900), ("dis.reason", 6), ("dis.frozen_behavior", 5), ("dis.padding", "00:00")],
    ),
    15: (
        Acknowledge(A, B, 4, 2, 4000000001, HEADER),
        32,
        [("dis.acknowledge_flag", 4), ("dis.response_flag", 2)],
    ),
    12: (RemoveEntity(A, B, 4000000001, HEADER), 28, []),
}


def expected(version):
    """Bytes of one PDU of each kind, and what must be read in them."""
    yield encode(STATE, version), state_fields(STATE, version, 900.0)
    c = COLLISION
    layout = header(version, 4, 1, 60, 900.0) + TWO_IDS
    layout += [("dis.site", 101), ("dis.application", 202), ("dis.event_number", 77), ("dis.collision.type", c.type)]
    layout += [("dis.padding", "00"), *xyz("dis.linear_velocity", c.velocity), ("dis.collision.mass", c.mass_kg)]
    yield encode(c, version), layout + xyz("dis.collision.location", c.location)
    for number, (pdu, length, middle) in MANAGEMENT.items():
        layout = header(version, number, 5, length, 900.0) + TWO_IDS + middle + [("dis.request_id", 4000000001)]
        yield encode(pdu, version), layout


def compare(fields, layout, rel):
    assert [f.name for f in fields] == [name for name, _ in layout]
    for dissected, (name, value) in zip(fields, layout, strict=True):
        if isinstance(value, str):
            assert dissected.show == value, name
        elif isinstance(value, float):
            assert float(dissected.show) == pytest.approx(value, rel=rel, abs=1e-30), name
        else:
            shown = int(dissected.show, 0) if name != "dis.clocktime" else float(dissected.show)
            assert shown == value, name


def covers(fields, size):
    """Whether the fields lie side by side over all the bytes."""
    at = 0
    for dissected in fields:
        assert dissected.start == at, dissected
        at += dissected.size
    assert at == size


@pytest.mark.slow
@pytest.mark.parametrize("version", [6, 7])
def test_every_field_of_every_pdu_is_read_right(version, tmp_path):
    pairs = list(expected(version))
    assert {data[2] for data, _ in pairs} == {1, 4, 12, 13, 14, 15}
    for fields, (data, layout) in zip(dissect([data for data, _ in pairs], tmp_path), pairs, strict=True):
        compare(fields, layout, rel=0.0)  # all the numbers are short in decimals and in bits
        covers(fields, len(data))


@pytest.mark.slow
def test_random_entity_states_are_read_right(tmp_path):
    rng = random.Random(4)
    pdus = []
    for number in range(60):
        parts = tuple(
            Articulation(rng.randrange(1 << 32), rng.uniform(-1e3, 1e3), rng.randrange(256), rng.randrange(65536))
            for _ in range(rng.randrange(9))
        )
        pdus.append(
            replace(
                STATE,
                entity=EntityId(*(rng.randrange(65536) for _ in range(3))),
                type=EntityType(1, 4, 225, *(rng.randrange(17) for _ in range(4))),
                location=tuple(rng.uniform(-7e6, 7e6) for _ in range(3)),
                velocity=tuple(rng.uniform(-30, 30) for _ in range(3)),
                orientation=tuple(rng.uniform(-math.pi, math.pi) for _ in range(3)),
                reckoning=DeadReckoning(number % 10, (rng.random(),) * 3, (rng.random(),) * 3, rng.randbytes(15)),
                marking=f"auv {number}",
                appearance=rng.randrange(1 << 32),
                capabilities=rng.randrange(1 << 32),
                parts=parts,
            )
        )
    versions = [6 + number % 2 for number in range(60)]
    data = [encode(pdu, version) for pdu, version in zip(pdus, versions, strict=True)]
    for fields, pdu, version, sent in zip(dissect(data, tmp_path), pdus, versions, data, strict=True):
        compare(fields, state_fields(pdu, version, 900.0), rel=1e-5)  # tshark shows six digits of single numbers
        covers(fields, len(sent))


def test_timestamps_are_read_as_the_time_they_were_made_of(tmp_path):
    times = [(second, absolute) for second in (0.0, 1.0 / 3.0, 1234.5, 3599.9999) for absolute in (False, True)]
    stamps = [stamp(7 * 3600 + second, absolute) for second, absolute in times]
    data = [encode(replace(COLLISION, header=Header(timestamp=record))) for record in stamps]
    for fields, (second, _) in zip(dissect(data, tmp_path), times, strict=True):
        shown = next(float(f.show) for f in fields if f.name == "dis.timestamp")
        assert shown == pytest.approx(second, abs=2e-6)  # a unit is 1.7 us, and it is cut down
