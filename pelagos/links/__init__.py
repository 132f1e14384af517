"""Links to other programs, one package each: robots, DIS exercises, autopilots, ground stations, ROS tools."""
