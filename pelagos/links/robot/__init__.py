"""Robot in the loop: orders in, state and readings out, as lines of JSON over TCP or UDP (docs/robot-link.md)."""
