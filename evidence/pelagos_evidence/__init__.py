"""Recompute the claims of the five documents Pelagos grew from: published value, ours, error and verdict.

Random states come from fixed seeds, whose values are arbitrary, so that every run gives the same rows.
"""
