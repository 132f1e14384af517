"""The place of a user's own compiled force. Here it is nothing; `engine/core/extend.py` puts yours in its stead."""

from __future__ import annotations

from pelagos.engine.compiled import compiled
from pelagos.engine.core.algebra import Wrench


@compiled
def user(model, structure, kin, water, actuators):
    """No force."""
    zero = 0.0 * kin.depth
    return Wrench(zero, zero, zero, zero, zero, zero)
