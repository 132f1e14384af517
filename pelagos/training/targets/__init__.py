"""Targets of training tasks, one kind per module, each with its judge."""
