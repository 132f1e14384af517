"""Tether between a ship and a vehicle: cable, winch and the forces on both ends."""
