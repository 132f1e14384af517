"""Distributed Interactive Simulation (DIS, IEEE 1278.1), versions 6 and 7, with the standard library only."""
