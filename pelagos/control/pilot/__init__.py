"""Manual control: stick mapping, and holds that share control with the autopilot."""
