"""Sliding-mode control."""
