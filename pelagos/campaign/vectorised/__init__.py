"""Run many runs of a campaign together in a `Batch`."""
