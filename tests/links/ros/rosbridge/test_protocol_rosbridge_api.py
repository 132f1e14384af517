"""What clients ask before they do anything."""

import pytest

from pelagos.errors import MessageError
from pelagos.links.ros.rosbridge.protocol import RosbridgeRequest, answer


def ask(name, /, **values):
    request = RosbridgeRequest("call_service", name=name, values=values)
    return answer(request, {"/odom": "nav_msgs/Odometry"}, "/pelagos/a", 2.5)


def test_rosapi_knows_topics_types_and_services():
    listed = ask("/rosapi/topics")
    assert dict(zip(listed["topics"], listed["types"], strict=True))["/odom"] == "nav_msgs/msg/Odometry"
    assert "/cmd_vel" in listed["topics"] and "/pelagos/a/cmd_vel" in listed["topics"]
    assert ask("/rosapi/topic_type", topic="/odom") == {"type": "nav_msgs/msg/Odometry"}
    assert ask("/rosapi/topic_type", topic="/none") == {"type": ""}
    assert ask("/rosapi/topics_for_type", type="nav_msgs/msg/Odometry") == {"topics": ["/odom"]}
    assert "/pelagos/arm" in ask("/rosapi/services")["services"]
    assert ask("/rosapi/service_type", service="/pelagos/arm") == {"type": "std_srvs/SetBool"}
    assert ask("/rosapi/get_time") == {"time": {"sec": 2, "nanosec": 500_000_000}}
    assert ask("/rosapi/nodes") == {"nodes": ["/pelagos"]}


def test_a_service_that_is_not_there_is_refused_with_the_nearest_name():
    with pytest.raises(MessageError, match='did you mean "/rosapi/topics'):
        ask("/rosapi/topic")
    with pytest.raises(MessageError, match="steered by its own program"):
        ask("/pelagos/arm")
