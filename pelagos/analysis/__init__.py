"""What to make of a run: figures, trim, modes."""
