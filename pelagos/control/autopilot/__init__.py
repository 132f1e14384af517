"""The default autopilot and its modes."""
