"""Instruments: what a vehicle can know of itself and of the sea, with the errors of the real thing."""
