"""Motions that the chapter describes, simulated."""
