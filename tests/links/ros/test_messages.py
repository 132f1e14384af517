"""Our definitions against those that rosbags carries from ROS 2 itself."""

import pytest
from rosbags.typesys import Stores, get_types_from_msg, get_typestore

from pelagos.errors import CommandError
from pelagos.links.ros.messages import DEFINITIONS, definition, fields, full_name, short_name

HUMBLE = get_typestore(Stores.ROS2_HUMBLE)


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
