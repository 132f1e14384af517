"""Command line of Pelagos: each module adds its commands to the parser of `pelagos`."""
