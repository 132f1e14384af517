"""Speed of Pelagos on this machine; `pelagos bench` runs it from a clone."""
