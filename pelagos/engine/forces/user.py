"""The place of a user's own compiled force. Here it is nothing; `engine/extend.py` puts yours in its stead."""

from __future__ import annotations

from pelagos.engine.algebra import Wrench
from pelagos.engine.compiled import compiled


@compiled
def user(model, structure, kin, water, actuators):
    """No force."""
    zero = 0.0 * kin.depth
    return Wrench(zero, zero, zero, zero, zero, zero)
