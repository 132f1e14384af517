"""Message definitions of ROS 2 (Humble) that we write, as data: the names and types of their fields.

`definition(name)` is the text that MCAP and Foxglove call `ros2msg`: the fields of a message, then of each message
inside it, behind a line of equal signs. Constants are left out: they are no part of what is sent.
"""

from __future__ import annotations

from functools import cache

from pelagos.errors import CommandError, nearest

LINE = "=" * 80
HEADER = "std_msgs/Header header\n"

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
    """(type, name) of each field of a message, in order."""
    if name not in DEFINITIONS:
        close = nearest(name, list(DEFINITIONS))
        raise CommandError(f"there is no message {name}{f'; did you mean {close}?' if close else ''}")
    return [(kind, field) for kind, field in (line.split() for line in DEFINITIONS[name].splitlines())]


@cache
def definition(name: str) -> str:
    """Text of a message with those inside it, each once, in the order in which they are met."""
    inside: dict[str, None] = {}

    def visit(message: str) -> None:
        for kind, _ in fields(message):
            base = kind.partition("[")[0]
            if "/" in base and base not in inside:
                inside[base] = None
                visit(base)

    visit(name)
    parts = [DEFINITIONS[name], *(f"MSG: {one}\n{DEFINITIONS[one]}" for one in inside)]
    return f"{LINE}\n".join(parts)


def full_name(name: str) -> str:
    """The name as ROS 2 writes it in full: nav_msgs/Odometry is nav_msgs/msg/Odometry."""
    package, _, message = name.partition("/")
    return f"{package}/msg/{message}"


def short_name(name: str) -> str:
    """The name without `msg`, which ROS 1 and some clients leave out."""
    return name.replace("/msg/", "/")
