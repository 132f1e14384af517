"""Variable parameter records."""

import math

import pytest

from pelagos.errors import MessageError
from pelagos.links.dis.wire.records import Articulation, Attachment, EntityType, read_parts, write_parts

RUDDER = bytes.fromhex("00 05 0002 0000040B 3F000000 00000000")  # change 5, on part 2, 1024 + 11, 0.5
POD = bytes.fromhex("01 01 0000 00000201 08 04 00E1 01 02 03 04")  # detached, on the hull, station 513
OTHERS = [bytes([kind]) + bytes(range(1, 16)) for kind in (2, 3, 4, 20, 26, 200, 255)]


def test_records_laid_out_by_hand():
    parts = (Articulation(1035, 0.5, 5, 2), Attachment(513, EntityType(8, 4, 225, 1, 2, 3, 4), 1))
    assert write_parts(parts) == RUDDER + POD
    assert read_parts(RUDDER + POD, 0, 2) == parts


def test_a_type_is_a_class_and_a_metric():
    part = Articulation(2304 + 13, 0.1)
    assert (part.part_class, part.metric) == (2304, 13)


def test_records_of_other_kinds_are_skipped():
    data = b"head" + b"".join([OTHERS[0], RUDDER, *OTHERS[1:], POD])
    assert [type(part) for part in read_parts(data, 4, 9)] == [Articulation, Attachment]
    assert read_parts(b"".join(OTHERS), 0, len(OTHERS)) == ()


def test_padding_of_a_part_is_not_looked_at():
    assert read_parts(RUDDER[:12] + b"\xff" * 4, 0, 1) == read_parts(RUDDER, 0, 1)


def test_fewer_bytes_than_records_are_refused():
    with pytest.raises(MessageError, match="2 part records in 31 bytes"):
        read_parts((RUDDER + POD)[:-1], 0, 2)


@pytest.mark.parametrize("value", [math.nan, math.inf, 1e13])
def test_a_value_that_is_none_is_refused(value):
    with pytest.raises(MessageError, match="value"):
        write_parts((Articulation(1035, value),))
