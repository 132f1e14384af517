"""The seabed, and readers of bathymetry files."""
