"""Executors of a campaign: local processes or a Dask cluster."""
