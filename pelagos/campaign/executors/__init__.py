"""Executors of a campaign: this process, local processes or a Dask cluster."""
