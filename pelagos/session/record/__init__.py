"""Recordings of flights: writing, exact rerun from the recorded orders, playback."""
