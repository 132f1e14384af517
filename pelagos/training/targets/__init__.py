"""Targets of training tasks, one kind a file, each with its scoring."""
