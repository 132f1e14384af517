"""Sensors on arrays of vehicles."""
