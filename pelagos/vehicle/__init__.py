"""Vehicles: descriptions, vehicle files, derived numbers, engine records, checks and the plant."""
