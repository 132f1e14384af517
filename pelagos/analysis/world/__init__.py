"""Drawings of a world: plan, section and profiles."""
