"""Distributed Interactive Simulation (IEEE 1278.1), versions 6 and 7, by `struct` alone."""
