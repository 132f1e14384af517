"""Instruments of many vehicles: sensors that measure for arrays of vehicles."""
