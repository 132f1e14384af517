"""Simulation in control intervals: commands, sensors, tether, faults, fleets, prediction and logs."""
