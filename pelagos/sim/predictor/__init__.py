"""Predict the motion from a state and commands, without a simulation."""
