"""One force a file."""
