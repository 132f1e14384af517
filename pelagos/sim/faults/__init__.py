"""Fault injection: kinds of fault, conditions, effects."""
