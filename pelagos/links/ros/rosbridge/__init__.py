"""rosbridge: a WebSocket server by which ROS clients such as roslibpy watch and control a flight."""
