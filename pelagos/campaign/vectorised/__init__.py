"""Simulate many runs of a campaign together with `Batch`."""
