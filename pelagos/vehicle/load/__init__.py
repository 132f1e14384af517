"""Load a vehicle file: keys, tables, and one module for each part of the file."""
