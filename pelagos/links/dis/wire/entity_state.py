"""Entity State PDU: position, motion, appearance and articulated parts of one entity.

Layout (bytes, big-endian): header 12, entity id 6, force 1, number of variable parameters 1, entity type 8, alternative
type 8, velocity 3 f32, location 3 f64, orientation 3 f32, appearance u32, dead reckoning 40 (algorithm 1, other 15,
acceleration 3 f32, angular velocity 3 f32), marking 12, capabilities u32, then 16 for each variable parameter: 144 plus
16 for each part. Versions 6 and 7 differ only in the header and in the meaning of the variable parameters.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass

from pelagos.checks import LINK, whole
from pelagos.errors import MessageError
from pelagos.links.dis.wire.header import PLAIN, SIZE, Header
from pelagos.links.dis.wire.records import (
    ASCII,
    OTHER_PARAMETERS,
    RECORD,
    STATIC,
    UNTYPED,
    DeadReckoning,
    EntityId,
    EntityType,
    Part,
    Vector,
    check_finite,
    marking_bytes,
    marking_text,
    read_parts,
    write_parts,
)

BODY = struct.Struct(">HHHBB BBHBBBB BBHBBBB 3f 3d 3f I B15s3f3f B11s I")
# Places of the fields of BODY, in its order.
ENTITY, FORCE, N_PARTS, TYPE, ALTERNATIVE = slice(0, 3), 3, 4, slice(5, 12), slice(12, 19)
VELOCITY, LOCATION, ORIENTATION, APPEARANCE = slice(19, 22), slice(22, 25), slice(25, 28), 28
ALGORITHM, OTHER, ACCELERATION, ANGULAR_VELOCITY = 29, 30, slice(31, 34), slice(34, 37)
MARKING, CAPABILITIES = 38, 39  # 37 is the character set of the marking
FIXED = SIZE + BODY.size
# Beyond these limits a packet is damaged or from another kind of simulation; no vehicle reaches them.
FARTHEST_M, FASTEST_M_S, HARDEST_M_S2, QUICKEST_RAD_S, WIDEST_RAD = 1e9, 1e5, 1e6, 1e4, 100.0


@dataclass(frozen=True, slots=True)
class EntityState:
    """State of one entity at the timestamp of the header.

    entity       identifier
    type         entity type; `alternative` is the type that it pretends to have
    location     m, geocentric
    velocity     m/s, geocentric axes (algorithms 0..5) or body axes (6..9)
    orientation  psi, theta, phi of R_eb = Rz(psi) Ry(theta) Rx(phi), rad
    reckoning    dead reckoning parameters
    force        0 other, 1 friendly, 2 opposing, 3 neutral
    marking      up to 11 characters of ASCII
    appearance   32 bits, see `enumerations.py`
    capabilities 32 bits
    parts        articulated and attached parts; records of other kinds are skipped when read
    """

    entity: EntityId
    type: EntityType
    location: tuple[float, float, float]
    velocity: Vector = (0.0, 0.0, 0.0)
    orientation: Vector = (0.0, 0.0, 0.0)
    reckoning: DeadReckoning = STATIC
    force: int = 0
    marking: str = ""
    appearance: int = 0
    capabilities: int = 0
    alternative: EntityType = UNTYPED
    parts: tuple[Part, ...] = ()
    header: Header = PLAIN


def write_body(pdu: EntityState) -> bytes:
    """Encode everything after the header."""
    _check(pdu)
    r = pdu.reckoning
    fixed = BODY.pack(
        *pdu.entity, pdu.force, len(pdu.parts), *pdu.type, *pdu.alternative,
        *pdu.velocity, *pdu.location, *pdu.orientation, pdu.appearance,
        r.algorithm, r.other, *r.acceleration, *r.angular_velocity,
        ASCII, marking_bytes(pdu.marking), pdu.capabilities,
    )  # fmt: skip
    return fixed + write_parts(pdu.parts) if pdu.parts else fixed


def read(header: Header, data: bytes) -> EntityState:
    """Decode a PDU from all its bytes, including the header."""
    if len(data) < FIXED:
        raise MessageError(key="size of an Entity State PDU", value=len(data), expected=f"at least {FIXED} bytes")
    v = BODY.unpack_from(data, SIZE)
    count = v[N_PARTS]
    if len(data) != FIXED + count * RECORD:
        expected = f"{FIXED + count * RECORD} bytes with {count} parts"
        raise MessageError(key="size of an Entity State PDU", value=len(data), expected=expected)
    parts = read_parts(data, FIXED, count) if count else ()
    pdu = EntityState(
        EntityId(*v[ENTITY]), EntityType(*v[TYPE]), v[LOCATION], v[VELOCITY], v[ORIENTATION],
        DeadReckoning(v[ALGORITHM], v[ACCELERATION], v[ANGULAR_VELOCITY], v[OTHER]), v[FORCE], marking_text(v[MARKING]),
        v[APPEARANCE], v[CAPABILITIES], EntityType(*v[ALTERNATIVE]), parts, header,
    )  # fmt: skip
    _check(pdu)
    return pdu


def _check(pdu: EntityState) -> None:
    check_finite("location (m)", pdu.location, FARTHEST_M)
    check_finite("velocity (m/s)", pdu.velocity, FASTEST_M_S)
    check_finite("orientation (rad)", pdu.orientation, WIDEST_RAD)
    check_finite("acceleration (m/s2)", pdu.reckoning.acceleration, HARDEST_M_S2)
    check_finite("angular velocity (rad/s)", pdu.reckoning.angular_velocity, QUICKEST_RAD_S)
    whole("dead reckoning algorithm", pdu.reckoning.algorithm, 0, 9, context=LINK)
    size = len(pdu.reckoning.other)
    if size != OTHER_PARAMETERS:
        raise MessageError(key="size of the other parameters", value=size, expected=f"{OTHER_PARAMETERS} bytes")
