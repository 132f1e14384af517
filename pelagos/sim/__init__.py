"""A run: simulation, recorder, log."""
