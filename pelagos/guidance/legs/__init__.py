"""Mission legs, one kind a file."""
