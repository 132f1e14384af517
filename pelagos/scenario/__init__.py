"""Scenarios: read the file, build the simulations, apply events and end conditions."""
