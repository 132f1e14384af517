"""Scenarios: read a file, build its simulations, run them with events and end conditions."""
