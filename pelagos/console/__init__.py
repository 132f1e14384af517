"""The pilot's console: a browser page to fly a running simulation, watch it, or replay a log."""
