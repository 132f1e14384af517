"""Acoustic sensors: altimeter, DVL, sonars, acoustic positioning."""
