"""Placeholder of a user-defined force: zero here; `engine/core/extend.py` replaces it with the user's function."""

from __future__ import annotations

from pelagos.engine.compiled import compiled
from pelagos.engine.core.algebra import Wrench


@compiled
def user(model, structure, kin, water, actuators):
    """Zero wrench."""
    zero = 0.0 * kin.depth
    return Wrench(zero, zero, zero, zero, zero, zero)
