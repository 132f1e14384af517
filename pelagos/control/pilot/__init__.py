"""Manual control: the mapping of sticks to actuators, and holds that combine sticks with the autopilot."""
