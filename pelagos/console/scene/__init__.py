"""Geometry of vehicle and world for the browser page."""
