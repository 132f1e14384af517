"""Simulated sensors of a vehicle, with the errors, rates and delays of real instruments."""
