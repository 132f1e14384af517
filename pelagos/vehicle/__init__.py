"""Vehicles as files: load, derive, pack, check, describe."""
