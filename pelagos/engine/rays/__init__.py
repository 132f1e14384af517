"""Ray casting against the seabed and structures, for sonars, altimeters and cameras."""
