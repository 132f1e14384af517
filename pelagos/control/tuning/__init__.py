"""Tune controller gains from the vehicle model."""
