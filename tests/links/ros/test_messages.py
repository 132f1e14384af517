"""Definitions against those of ROS 2 in rosbags, and bytes against the decoders of rosbags and mcap-ros2-support."""

import dataclasses
import math
import struct

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mcap_ros2._dynamic import generate_dynamic
from rosbags.typesys import Stores, get_types_from_msg, get_typestore

from pelagos.errors import CommandError
from pelagos.links.ros.messages import DEFINITIONS, LETTERS, definition, encoder, fields, full_name, short_name

HUMBLE = get_typestore(Stores.ROS2_HUMBLE)
text = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=9)
WHOLE = {"B": (0, 255), "b": (-128, 127), "H": (0, 65535), "I": (0, 2**32 - 1), "i": (0, 2**31 - 1)}
# seconds are the only int32, and one of the decoders takes them as never negative


@pytest.mark.parametrize("name", DEFINITIONS)
def test_a_definition_is_that_of_ros(name):
    """The hash (REP 2016) covers the names and types of all fields, of messages inside as well."""
    ours = get_typestore(Stores.EMPTY)
    ours.register(get_types_from_msg(definition(name), full_name(name)))
    assert ours.hash_rihs01(full_name(name)) == HUMBLE.hash_rihs01(full_name(name))


def test_a_message_inside_stands_once():
    text = definition("nav_msgs/Odometry")
    assert text.count("MSG: geometry_msgs/Vector3\n") == 1
    assert text.startswith("std_msgs/Header header\n")


def test_names_with_and_without_msg():
    assert full_name("nav_msgs/Odometry") == "nav_msgs/msg/Odometry"
    assert short_name("nav_msgs/msg/Odometry") == short_name("nav_msgs/Odometry") == "nav_msgs/Odometry"


def test_an_unknown_message_is_refused_with_the_nearest_name():
    with pytest.raises(CommandError, match='did you mean "nav_msgs/Odometry'):
        fields("nav_msgs/Odomety")


def number(base):
    letter = LETTERS[base]
    if letter == "?":
        return st.booleans()
    return (
        st.floats(width=32 if letter == "f" else 64, allow_nan=False) if letter in "fd" else st.integers(*WHOLE[letter])
    )


def values(name):
    """Any values of a message."""
    return st.fixed_dictionaries({field: value(kind) for kind, field in fields(name)})


def value(kind):
    base, _, size = kind.partition("[")
    element = text if base == "string" else number(base) if base in LETTERS else values(base)
    if not size:
        return element
    n = size.rstrip("]")
    return st.lists(element, min_size=int(n), max_size=int(n)) if n else st.lists(element, max_size=5)


def plain(read):
    """What a decoder made, as nested dictionaries."""
    if isinstance(read, np.ndarray):
        return read.tolist()
    if isinstance(read, bytes | bytearray):
        return list(read)
    if isinstance(read, list | tuple):
        return [plain(item) for item in read]
    if dataclasses.is_dataclass(read):
        names = [f.name for f in dataclasses.fields(read) if not f.name.startswith("__") and not f.name.isupper()]
        return {name: plain(getattr(read, name)) for name in names}  # without constants
    if hasattr(read, "__slots__"):
        return {name: plain(getattr(read, name)) for name in read.__slots__}
    return read


@pytest.mark.parametrize("name", DEFINITIONS)
@settings(max_examples=8)
@given(data=st.data())
def test_two_decoders_read_what_was_written(name, data):
    original = data.draw(values(name))
    written = encoder(name)(original)
    assert plain(HUMBLE.deserialize_cdr(written, full_name(name))) == original
    if name != "builtin_interfaces/Time":  # built into that decoder
        assert plain(generate_dynamic(full_name(name), definition(name))[full_name(name)](written)) == original


def test_the_second_decoder_reads_a_stamped_message_too():
    head = {"stamp": {"sec": 12, "nanosec": 345}, "frame_id": "imu"}
    original = {"header": head, "name": ["a", "long name"], "position": [], "velocity": [1.5, math.pi], "effort": []}
    read = generate_dynamic("sensor_msgs/msg/JointState", definition("sensor_msgs/JointState"))
    got = plain(read["sensor_msgs/msg/JointState"](encoder("sensor_msgs/JointState")(original)))
    assert got == original


def test_numbers_stand_at_multiples_of_their_size():
    """Bool behind a header whose text is 3 letters: 4 + (8 stamp, 4 length, 4 text) = 20; a double begins at 28."""
    original = {
        "header": {"stamp": {"sec": 1, "nanosec": 2}, "frame_id": "abcd"},
        "fluid_pressure": 7.0,
        "variance": 8.0,
    }
    data = encoder("sensor_msgs/FluidPressure")(original)
    assert data[:4] == b"\x00\x01\x00\x00"
    assert struct.unpack_from("<iiI5s", data, 4) == (1, 2, 5, b"abcd\0")
    assert struct.unpack_from("<dd", data, 4 + 24) == (7.0, 8.0)  # 17 bytes, then the next multiple of 8
    assert len(data) == 4 + 24 + 16


def test_not_a_number_and_infinity_stay():
    data = encoder("std_msgs/Float64MultiArray")(
        {"layout": {"dim": [], "data_offset": 0}, "data": [math.nan, math.inf, -math.inf]}
    )
    read = HUMBLE.deserialize_cdr(data, "std_msgs/msg/Float64MultiArray").data
    assert math.isnan(read[0]) and read[1:].tolist() == [math.inf, -math.inf]
