"""Seabed models and readers of bathymetry files."""
