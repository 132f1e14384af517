"""MAVLink 2 link: ground stations such as QGroundControl control a flight as they control ArduSub."""
