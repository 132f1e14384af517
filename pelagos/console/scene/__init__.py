"""Geometry of vehicle and world as the browser page draws them."""
