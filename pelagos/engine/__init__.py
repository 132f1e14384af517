"""Compiled physics engine: floats and arrays in, floats and arrays out."""
