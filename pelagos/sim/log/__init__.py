"""Logs: columns over time, and the file formats they are stored in."""
