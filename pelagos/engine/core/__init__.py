"""Kernel of the engine: record layouts, algebra, mass, equation of motion, integrators."""
