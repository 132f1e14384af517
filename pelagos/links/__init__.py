"""Links to programs outside: robots, DIS exercises, autopilots, ground stations, ROS tools; one package each."""
