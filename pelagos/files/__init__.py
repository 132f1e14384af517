"""Read and write TOML files: tables to frozen descriptions and back, JSON Schema, error messages."""
