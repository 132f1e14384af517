"""Kinds of mission legs."""
