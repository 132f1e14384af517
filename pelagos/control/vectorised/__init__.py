"""The autopilot on arrays of vehicles."""
