"""The default autopilot: setpoints, station keeping, bottom following and bumpless switching."""
