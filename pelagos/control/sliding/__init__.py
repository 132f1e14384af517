"""Sliding-mode control of heading and depth."""
