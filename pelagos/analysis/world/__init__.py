"""Draw a world."""
