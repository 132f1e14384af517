"""A running flight: control authority, links, recording, the real-time clock."""
