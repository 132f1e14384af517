"""A submarine to a ground station: MAVLink 2 over UDP, with the modes, messages and parameters of ArduSub."""
