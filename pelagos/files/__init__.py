"""Input files: TOML to frozen dataclasses and back, JSON Schema, NetCDF, file locks."""
