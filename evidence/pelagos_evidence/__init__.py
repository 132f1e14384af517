"""Recompute the claims of the five documents Pelagos grew from: published value, ours, error and verdict."""
