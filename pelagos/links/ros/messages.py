"""ROS 2 (Humble) message definitions that Pelagos writes, and their encoding to bytes.

`definition(name)` is the text that MCAP and Foxglove call `ros2msg`: the fields of a message, then those of each
message inside it, after a line of equal signs. Constants are omitted, because they are not transmitted.

`encoder(name)` returns a function from the values of a message, as nested dictionaries, to bytes. The encoding is CDR,
little-endian (OMG DDS-XTypes 1.3, 7.4.3, plain CDR version 1): after four bytes that state this (00 01 00 00), each
number is aligned to a multiple of its size; a text is its length with the closing zero (uint32), its bytes and that
zero; a list of variable length is preceded by its length. Consecutive numbers of one size are packed in one call.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Callable, Mapping
from functools import cache
from operator import itemgetter
from typing import Any

from pelagos.errors import CommandError

LINE = "=" * 80
HEADER = "std_msgs/Header header\n"
HEAD = b"\x00\x01\x00\x00"  # CDR_LE
LETTERS = {
    "bool": "?", "uint8": "B", "int8": "b", "uint16": "H", "int16": "h", "uint32": "I", "int32": "i",
    "uint64": "Q", "int64": "q", "float32": "f", "float64": "d",
}  # fmt: skip
ARRAY = re.compile(r"^([^\[]+)(?:\[(\d*)\])?$")
Values = Mapping[str, Any]
Write = Callable[[bytearray, Values], None]
Encoder = Callable[[Values], bytes]

DEFINITIONS: dict[str, str] = {
    "builtin_interfaces/Time": "int32 sec\nuint32 nanosec\n",
    "std_msgs/Header": "builtin_interfaces/Time stamp\nstring frame_id\n",
    "std_msgs/Bool": "bool data\n",
    "std_msgs/Float64": "float64 data\n",
    "std_msgs/MultiArrayDimension": "string label\nuint32 size\nuint32 stride\n",
    "std_msgs/MultiArrayLayout": "std_msgs/MultiArrayDimension[] dim\nuint32 data_offset\n",
    "std_msgs/Float64MultiArray": "std_msgs/MultiArrayLayout layout\nfloat64[] data\n",
    "rosgraph_msgs/Clock": "builtin_interfaces/Time clock\n",
    "rcl_interfaces/Log": (
        "builtin_interfaces/Time stamp\nuint8 level\nstring name\nstring msg\n"
        "string file\nstring function\nuint32 line\n"
    ),
    "geometry_msgs/Vector3": "float64 x\nfloat64 y\nfloat64 z\n",
    "geometry_msgs/Point": "float64 x\nfloat64 y\nfloat64 z\n",
    "geometry_msgs/Quaternion": "float64 x\nfloat64 y\nfloat64 z\nfloat64 w\n",
    "geometry_msgs/Pose": "geometry_msgs/Point position\ngeometry_msgs/Quaternion orientation\n",
    "geometry_msgs/Twist": "geometry_msgs/Vector3 linear\ngeometry_msgs/Vector3 angular\n",
    "geometry_msgs/Transform": "geometry_msgs/Vector3 translation\ngeometry_msgs/Quaternion rotation\n",
    "geometry_msgs/PoseWithCovariance": "geometry_msgs/Pose pose\nfloat64[36] covariance\n",
    "geometry_msgs/TwistWithCovariance": "geometry_msgs/Twist twist\nfloat64[36] covariance\n",
    "geometry_msgs/TransformStamped": HEADER + "string child_frame_id\ngeometry_msgs/Transform transform\n",
    "geometry_msgs/PoseWithCovarianceStamped": HEADER + "geometry_msgs/PoseWithCovariance pose\n",
    "geometry_msgs/TwistWithCovarianceStamped": HEADER + "geometry_msgs/TwistWithCovariance twist\n",
    "tf2_msgs/TFMessage": "geometry_msgs/TransformStamped[] transforms\n",
    "nav_msgs/Odometry": (
        HEADER + "string child_frame_id\n"
        "geometry_msgs/PoseWithCovariance pose\ngeometry_msgs/TwistWithCovariance twist\n"
    ),
    "sensor_msgs/Imu": (
        HEADER + "geometry_msgs/Quaternion orientation\nfloat64[9] orientation_covariance\n"
        "geometry_msgs/Vector3 angular_velocity\nfloat64[9] angular_velocity_covariance\n"
        "geometry_msgs/Vector3 linear_acceleration\nfloat64[9] linear_acceleration_covariance\n"
    ),
    "sensor_msgs/FluidPressure": HEADER + "float64 fluid_pressure\nfloat64 variance\n",
    "sensor_msgs/Range": (
        HEADER + "uint8 radiation_type\nfloat32 field_of_view\nfloat32 min_range\nfloat32 max_range\nfloat32 range\n"
    ),
    "sensor_msgs/LaserScan": (
        HEADER + "float32 angle_min\nfloat32 angle_max\nfloat32 angle_increment\nfloat32 time_increment\n"
        "float32 scan_time\nfloat32 range_min\nfloat32 range_max\nfloat32[] ranges\nfloat32[] intensities\n"
    ),
    "sensor_msgs/PointField": "string name\nuint32 offset\nuint8 datatype\nuint32 count\n",
    "sensor_msgs/PointCloud2": (
        HEADER + "uint32 height\nuint32 width\nsensor_msgs/PointField[] fields\nbool is_bigendian\n"
        "uint32 point_step\nuint32 row_step\nuint8[] data\nbool is_dense\n"
    ),
    "sensor_msgs/Image": (
        HEADER + "uint32 height\nuint32 width\nstring encoding\nuint8 is_bigendian\nuint32 step\nuint8[] data\n"
    ),
    "sensor_msgs/NavSatStatus": "int8 status\nuint16 service\n",
    "sensor_msgs/NavSatFix": (
        HEADER + "sensor_msgs/NavSatStatus status\nfloat64 latitude\nfloat64 longitude\nfloat64 altitude\n"
        "float64[9] position_covariance\nuint8 position_covariance_type\n"
    ),
    "sensor_msgs/BatteryState": (
        HEADER + "float32 voltage\nfloat32 temperature\nfloat32 current\nfloat32 charge\nfloat32 capacity\n"
        "float32 design_capacity\nfloat32 percentage\nuint8 power_supply_status\nuint8 power_supply_health\n"
        "uint8 power_supply_technology\nbool present\nfloat32[] cell_voltage\nfloat32[] cell_temperature\n"
        "string location\nstring serial_number\n"
    ),
    "sensor_msgs/JointState": HEADER + "string[] name\nfloat64[] position\nfloat64[] velocity\nfloat64[] effort\n",
}


def fields(name: str) -> list[tuple[str, str]]:
    """Return (type, name) of each field of a message, in order."""
    if name not in DEFINITIONS:
        raise CommandError("there is no message", value=name, names=DEFINITIONS)
    return [(kind, field) for kind, field in (line.split() for line in DEFINITIONS[name].splitlines())]


@cache
def definition(name: str) -> str:
    """Return the definition of a message and of those inside it, each once, in the order of first use."""
    inside: dict[str, None] = {}

    def visit(message: str) -> None:
        for kind, _ in fields(message):
            base = kind.partition("[")[0]
            if "/" in base and base not in inside:
                inside[base] = None
                visit(base)

    visit(name)
    parts = [DEFINITIONS[name], *(f"MSG: {message}\n{DEFINITIONS[message]}" for message in inside)]
    return f"{LINE}\n".join(parts)


def full_name(name: str) -> str:
    """Return the full ROS 2 name of a type: nav_msgs/msg/Odometry for nav_msgs/Odometry."""
    package, _, message = name.partition("/")
    return f"{package}/msg/{message}"


def short_name(name: str) -> str:
    """Return the name of a type without `msg`, as ROS 1 and some clients write it."""
    return name.replace("/msg/", "/")


@cache
def encoder(name: str) -> Encoder:
    """Return the function that encodes the values of a message."""
    write = _message(name)

    def encode(values: Values) -> bytes:
        out = bytearray(HEAD)
        write(out, values)
        return bytes(out)

    return encode


def align(out: bytearray, size: int) -> None:
    """Pad with zeros to a multiple of `size`, counted after the first four bytes."""
    out.extend(bytes(-(len(out) - 4) % size))


@cache
def _message(name: str) -> Write:
    """Return the writer of a message: its fields in order, consecutive numbers of one size together."""
    parts: list[Write] = []
    run: list[tuple[str, str]] = []  # letter and field of numbers that can be packed together

    def close() -> None:
        if run:
            parts.append(_numbers("".join(letter for letter, _ in run), [field for _, field in run]))
            run.clear()

    for kind, field in fields(name):
        base, size = _parsed(kind)
        if size is None and base in LETTERS:
            if run and struct.calcsize(run[0][0]) != struct.calcsize(LETTERS[base]):
                close()
            run.append((LETTERS[base], field))
            continue
        close()
        parts.append(_field(base, size, field))
    close()

    def write(out: bytearray, values: Values) -> None:
        for part in parts:
            part(out, values)

    return write


def _parsed(kind: str) -> tuple[str, int | None]:
    """Return base type and length of a field: None for a single value, 0 for a list of variable length."""
    match = ARRAY.match(kind)
    assert match is not None
    base, size = match.groups()
    return base, None if size is None else int(size or 0)


def _field(base: str, size: int | None, field: str) -> Write:
    if base in LETTERS:
        return _sequence(base, field) if size == 0 else _fixed(base, size or 0, field)
    item = _text if base == "string" else _message(base)
    if size is None:
        return lambda out, values: item(out, values[field])

    def write(out: bytearray, values: Values) -> None:
        many = values[field]
        _length(out, len(many))
        for value in many:
            item(out, value)

    return write


def _numbers(letters: str, names: list[str]) -> Write:
    packed = struct.Struct(f"<{letters}")
    size = struct.calcsize(letters[0])
    if len(names) == 1:
        (name,) = names

        def write_single(out: bytearray, values: Values) -> None:
            align(out, size)
            out.extend(packed.pack(values[name]))

        return write_single
    take = itemgetter(*names)

    def write(out: bytearray, values: Values) -> None:
        align(out, size)
        out.extend(packed.pack(*take(values)))

    return write


def _fixed(base: str, n: int, field: str) -> Write:
    packed = struct.Struct(f"<{n}{LETTERS[base]}")
    size = struct.calcsize(LETTERS[base])

    def write(out: bytearray, values: Values) -> None:
        align(out, size)
        out.extend(packed.pack(*values[field]))

    return write


def _sequence(base: str, field: str) -> Write:
    letter, size = LETTERS[base], struct.calcsize(LETTERS[base])

    def write(out: bytearray, values: Values) -> None:
        many = values[field]
        _length(out, len(many))
        if isinstance(many, bytes):
            out.extend(many)
        elif len(many):  # CDR has no padding before the elements of an empty list
            align(out, size)
            out.extend(struct.pack(f"<{len(many)}{letter}", *many))

    return write


def _length(out: bytearray, n: int) -> None:
    align(out, 4)
    out.extend(n.to_bytes(4, "little"))


def _text(out: bytearray, text: Any) -> None:
    data = text.encode("utf-8")
    _length(out, len(data) + 1)
    out.extend(data)
    out.append(0)
