"""Figures of a run, one module a page."""
