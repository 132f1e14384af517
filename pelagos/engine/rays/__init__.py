"""Ray casting against the seabed and structures."""
