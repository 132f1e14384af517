"""The classic Runge-Kutta method for transcribed equations, independent of the engine's integrators."""

from __future__ import annotations

from collections.abc import Callable

from pelagos_evidence.rows import Array


def runge_kutta_4(rate: Callable[[Array], Array], state: Array, step: float, steps: int) -> Array:
    """The state after `steps` steps of a rate that depends on the state alone."""
    for _ in range(steps):
        a = rate(state)
        b = rate(state + 0.5 * step * a)
        c = rate(state + 0.5 * step * b)
        d = rate(state + step * c)
        state = state + step / 6.0 * (a + 2.0 * b + 2.0 * c + d)
    return state
