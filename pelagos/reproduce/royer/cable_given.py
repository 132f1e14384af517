"""The cable of chapter 3: its numbers, its equations as printed, and a cable in space to hold them against."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache

import numpy as np
from numpy.typing import NDArray

from pelagos.engine.royer_plane import Line as PlaneLine
from pelagos.reproduce.royer.given import sea_grant
from pelagos.tether.cable import Cable

Array = NDArray[np.float64]

LENGTH_M, SPEED_M_S, DENSITY = 150.0, 0.75, 1025.0
DIAMETER_M, C_N, C_F = 0.035, 1.2, 0.05 * math.pi
START_N, START_DEG = 200.0, -20.0  # of figure 3.5
# Section 3.6: XA - XB, YA - YB, tension
TENSIONS = ((0.0, 100.0, 450.0), (-70.0, 70.0, 350.0), (-95.0, -10.0, 200.0), (95.0, -10.0, 45.0))
SAME_START = "The start of figure 3.5 (200 N, -20°) and the length of section 3.6 (150 m): the text names neither here."
DENSITY_SAID = "Density of the water, not given: 1025 kg/m³."


@cache
def umbilical() -> Cable:
    """The cable of the vehicle file."""
    tether = sea_grant().tether
    assert tether is not None
    return tether.cable


def plane_line(length_m: float = LENGTH_M, weight_N_m: float = 0.0, steps: int = 50) -> PlaneLine:
    """The cable in its plane, as the engine takes it."""
    load = 0.5 * DENSITY * DIAMETER_M * SPEED_M_S**2
    return PlaneLine(length_m, load * C_N, load * C_F, weight_N_m, steps)


def printed_rates(tension: float, angle: float, weight: float, V: float) -> tuple[float, float]:
    """dT/ds and d alpha/ds of section 3.2."""
    Vt, Vn = V * math.cos(angle), -V * math.sin(angle)
    return (
        weight * math.sin(angle) - 0.5 * DENSITY * C_F * DIAMETER_M * abs(Vt) * Vt,
        (weight * math.cos(angle) - 0.5 * DENSITY * C_N * DIAMETER_M * abs(Vn) * Vn) / tension,
    )


def walk_in_plane(tension: float, angle: float, weight: float, length_m: float, steps: int) -> Array:
    """x, y, T, alpha at the end of the printed equations, by Runge-Kutta 4."""

    def rate(state: Array) -> Array:
        dT, da = printed_rates(state[2], state[3], weight, SPEED_M_S)
        return np.array([math.cos(state[3]), math.sin(state[3]), dT, da])

    return _marched(rate, np.array([0.0, 0.0, tension, angle]), length_m, steps)


def walk_in_space(force_n: Array, current_n: Array, length_m: float, steps: int) -> Array:
    """Where a neutral cable ends that leaves A with this tension vector: d(T t)/ds + drag = 0 as vectors, NED.

    No plane is assumed: the drag across is along the part of the current across the cable, wherever that points.
    """

    def rate(state: Array) -> Array:
        along = state[3:] / np.linalg.norm(state[3:])
        tangential = current_n @ along
        across = current_n - tangential * along
        drag = C_N * np.linalg.norm(across) * across + C_F * abs(tangential) * tangential * along
        return np.concatenate([along, -0.5 * DENSITY * DIAMETER_M * drag])

    return _marched(rate, np.concatenate([np.zeros(3), force_n]), length_m, steps)[:3]


def _marched(rate: Callable[[Array], Array], state: Array, length_m: float, steps: int) -> Array:
    """Runge-Kutta 4 along the cable."""
    h = length_m / steps
    for _ in range(steps):
        a = rate(state)
        b = rate(state + 0.5 * h * a)
        c = rate(state + 0.5 * h * b)
        d = rate(state + h * c)
        state = state + h / 6.0 * (a + 2.0 * b + 2.0 * c + d)
    return state
