"""Closed-form results of the document's equations, from tables 6.1 and 6.2 (ft, lb, slug, s, rad).

Evidence, not a model: each function is one line of algebra on (6.48)-(6.54), so that a reader can repeat it with a
pocket calculator. `rounding` is how far such a value may move because the length L is printed to four digits.
"""

from __future__ import annotations

from collections.abc import Callable
from math import asin, cosh, degrees, log, pi, sqrt, tanh

import numpy as np

# Typed in apart from `printed_tables`, which the vehicle is compared with: a slip in one of the two shows
RHO, G, W, L = 1.94, 32.174, 435.0, 7.302
Z_G, X_G = 1.07 / 12.0, 0.125 / 12.0
MASS = W / G
I_X, I_Y, I_Z = 2.7, 42.0, 45.0
X_UDOT, Y_VDOT, Z_WDOT, K_PDOT = -2.82e-3, -3.43e-2, -9.34e-2, -2.4e-4  # Z_wdot: erratum B20
Y_RDOT, Z_QDOT, M_QDOT, N_RDOT = -1.78e-3, -2.53e-3, -6.25e-3, -4.7e-4  # Y_rdot: erratum B16
C_D0, C_DY, C_DZ = 0.00778, 0.5, 0.6  # C_dy: erratum B17
N_RR = -5.48e-3
X_FIN, Z_FIN = -1.018e-2, -2.11e-2
ARMS = (0.283, 0.377)  # of bow and stern fins, in lengths; without the second L, erratum B24
SPEED_PER_RPM = 2.0 / 700.0
TUNNEL_LB, TUNNEL_X = 2.0, 1.92  # lateral: at 24 V; ft
HALF_DIGIT_L = 0.0005  # L is printed as 7.302 ft

# Erratum B23: inches from mid-length, heights h(x) and breadths b(x). Not in the document; from the author's program.
STATIONS = (
    np.array([-43.9, -39.2, -35.2, -31.2, -27.2, -10.0, 0.0, 10.0, 26.8, 32.0, 37.8, 40.8, 42.3, 43.3, 43.7]) / 12
)
HEIGHTS = np.array([0.0, 2.7, 5.2, 7.6, 10.1, 10.1, 10.1, 10.1, 10.1, 9.6, 7.6, 5.6, 4.2, 2.3, 0.0]) / 12
BREADTHS = np.array([16.5] * 9 + [15.5, 12.4, 9.5, 7.0, 4.0, 0.0]) / 12


def rounding(value: Callable[[float], float]) -> float:
    """Half the range of a value of the length while L goes over what 7.302 ft may stand for."""
    return 0.5 * abs(value(L + HALF_DIGIT_L) - value(L - HALF_DIGIT_L))


def along(width: np.ndarray, power: int) -> float:
    """Integral of width x^power over the hull by the trapezoid rule; |x| for odd powers from 3 on."""
    x = np.abs(STATIONS) if power >= 3 else STATIONS
    return float(np.trapezoid(width * x**power, STATIONS))


def surge_mass(length: float = L) -> float:
    """(6.54), row 1: m - rho/2 L^3 X_udot, slug."""
    return MASS - 0.5 * RHO * length**3 * X_UDOT


def drag(length: float = L) -> float:
    """(6.43): rho/2 L^2 C_d0, lb/(ft/s)^2."""
    return 0.5 * RHO * length**2 * C_D0


def time_scale(length: float = L) -> float:
    """Time scale of the run-up to 2 ft/s: M11 / (drag 2 ft/s), s."""
    return surge_mass(length) / (drag(length) * 2.0)


def run_up_speed(t: float, length: float = L) -> float:
    """u of (6.48) from rest at 700 rpm, surge alone: M11 udot = drag (4 - u^2), so u = 2 tanh(t/T), ft/s."""
    return 2.0 * tanh(t / time_scale(length))


def run_up_distance(t: float, length: float = L) -> float:
    """Distance of the run-up, 2 T ln cosh(t/T), ft."""
    scale = time_scale(length)
    return 2.0 * scale * log(cosh(t / scale))


def coast_speed(t: float, u0: float = 2.0, length: float = L) -> float:
    """Screws stopped: M11 udot = -drag u^2, so u = u0 / (1 + u0 drag t / M11), ft/s."""
    return u0 / (1.0 + u0 * drag(length) * t / surge_mass(length))


def heave_speed() -> float:
    """(6.50), both vertical tunnels at 24 V against the cross-flow: 4 lb = rho/2 C_dz (plan area) w^2, ft/s."""
    return sqrt(2.0 * TUNNEL_LB / (0.5 * RHO * C_DZ * along(BREADTHS, 0)))


def sway_speed() -> float:
    """(6.49), both lateral tunnels at 24 V, yaw held, ft/s."""
    return sqrt(2.0 * TUNNEL_LB / (0.5 * RHO * C_DY * along(HEIGHTS, 0)))


def yaw_rate(length: float = L, strips: bool = True) -> float:
    """(6.53), lateral tunnels opposed at 24 V, sway held: 2 F x = rho/2 L^5 (-N_rr r^2 - N_r r) + strips r^2, deg/s."""
    scale = 0.5 * RHO * length**5
    square = -scale * N_RR + (0.5 * RHO * C_DY * along(HEIGHTS, 3) if strips else 0.0)
    linear = -scale * N_RR * pi / 180.0
    return degrees((-linear + sqrt(linear**2 + 8.0 * square * TUNNEL_LB * TUNNEL_X)) / (2.0 * square))


def period(axis: str, coupled: bool, length: float = L) -> float:
    """Undamped period of roll or pitch, 2 pi sqrt(inertia / (z_G W)); coupled: other motions follow by (6.54), s."""
    half = 0.5 * RHO
    if axis == "roll":  # with sway and yaw
        block = np.array(
            [
                [I_X - half * length**5 * K_PDOT, -MASS * Z_G, 0.0],
                [-MASS * Z_G, MASS - half * length**3 * Y_VDOT, MASS * X_G - half * length**4 * Y_RDOT],
                [0.0, MASS * X_G - half * length**4 * Y_RDOT, I_Z - half * length**5 * N_RDOT],
            ]
        )
    else:  # with surge and heave
        block = np.array(
            [
                [I_Y - half * length**5 * M_QDOT, MASS * Z_G, -MASS * X_G - half * length**4 * Z_QDOT],
                [MASS * Z_G, surge_mass(length), 0.0],
                [-MASS * X_G - half * length**4 * Z_QDOT, 0.0, MASS - half * length**3 * Z_WDOT],
            ]
        )
    inertia = 1.0 / np.linalg.inv(block)[0, 0] if coupled else block[0, 0]
    return 2.0 * pi * sqrt(float(inertia) / (Z_G * W))


def speed_with_fins(total_squares: float) -> float:
    """Steady surge at 700 rpm with fins set: drag 4 = (drag - rho/2 L^2 X_dd sum of delta^2) u^2, ft/s; L cancels."""
    return 2.0 * sqrt(C_D0 / (C_D0 - X_FIN * total_squares))


def dive_pitch(bow_rad: float, stern_rad: float, length: float = L) -> float:
    """Steady pitch under planes at 700 rpm, straight flight, heave small: z_G W sin(theta) = M of the planes, deg."""
    u = speed_with_fins(bow_rad**2 + stern_rad**2)
    moment = 0.5 * RHO * length**3 * Z_FIN * u**2 * (-ARMS[0] * bow_rad + ARMS[1] * stern_rad)
    return degrees(asin(moment / (Z_G * W)))
