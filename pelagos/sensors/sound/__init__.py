"""Acoustic sensors: altimeter, Doppler velocity log, sonars and acoustic positioning."""
