"""The command `pelagos`."""
