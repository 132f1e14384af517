"""The default autopilot on arrays: many vehicles of one type, with the numbers of the scalar autopilot."""
