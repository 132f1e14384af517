"""The NPS AUV II Phoenix typed in by hand, without loader or library: a second path to the same vehicle.

D. P. Brutzman, A Virtual World for an AUV, dissertation, NPS 1994, Tables 6.1 and 6.2 with their misprints
corrected (Y_rdot, Z_wdot, C_dy, fin arms without the extra L, |u| in the lift and damping terms).
"""

from __future__ import annotations

from math import pi

import numpy as np

from pelagos.vehicle.spec import (
    AXES,
    Body,
    Coefficient,
    ControlSurface,
    Crossflow,
    ReferenceWater,
    Thruster,
    Vehicle,
)

FT = 0.3048
LBF = 4.4482216152605
SLUG = LBF / FT
INCH = FT / 12.0
RPM = pi / 30.0

LENGTH = 87.625 * INCH
DENSITY = 1.94 * SLUG / FT**3
GRAVITY = 32.174 * FT
C_D0 = 0.00778  # axial drag on rho/2 L^2
FORCE_TO_LBF = np.array([1 / LBF] * 3 + [1 / (LBF * FT)] * 3)
NU_FROM_FT = np.array([FT] * 3 + [1.0] * 3)

X_IN = (-43.9, -39.2, -35.2, -31.2, -27.2, -10.0, 0.0, 10.0, 26.8, 32.0, 37.8, 40.8, 42.3, 43.3, 43.7)
HEIGHT_IN = (0.0, 2.7, 5.2, 7.6, 10.1, 10.1, 10.1, 10.1, 10.1, 9.6, 7.6, 5.6, 4.2, 2.3, 0.0)
BREADTH_IN = (16.5,) * 9 + (15.5, 12.4, 9.5, 7.0, 4.0, 0.0)

Y_FIN, Z_FIN, X_FIN = 1.18e-2, -2.11e-2, -1.018e-2
ARM_BOW, ARM_STERN = 0.283, 0.377
PER_DEGREE = pi / 180.0  # linear damping equals the quadratic one at 1 deg/s, so it carries rad/s

# (name, factors, power of L with rho/2, value)
TERMS = (
    ("X_u|u|", "u |u|", 2, -C_D0),
    ("X_u|u|dpbdpb", "u |u| dpb dpb", 2, X_FIN),
    ("X_u|u|dpsdps", "u |u| dps dps", 2, X_FIN),
    ("X_u|u|drbdrb", "u |u| drb drb", 2, X_FIN),
    ("X_u|u|drsdrs", "u |u| drs drs", 2, X_FIN),
    ("Y_|u|v", "|u| v", 2, -0.107),
    ("Y_u|u|drb", "u |u| drb", 2, Y_FIN),
    ("Y_u|u|drs", "u |u| drs", 2, Y_FIN),
    ("Z_|u|w", "|u| w", 2, -0.7844),
    ("Z_|u|q", "|u| q", 3, -0.07013),
    ("Z_u|u|dpb", "u |u| dpb", 2, Z_FIN),
    ("Z_u|u|dps", "u |u| dps", 2, Z_FIN),
    ("K_|u|p", "|u| p", 4, -5.4e-3),
    ("K_p|p|", "p |p|", 5, -2.02e-2),
    ("K_p", "p", 5, -2.02e-2 * PER_DEGREE),
    ("M_|u|q", "|u| q", 4, -1.53e-2),
    ("M_q|q|", "q |q|", 5, -7.0e-3),
    ("M_q", "q", 5, -7.0e-3 * PER_DEGREE),
    ("M_u|u|dpb", "u |u| dpb", 3, -ARM_BOW * Z_FIN),
    ("M_u|u|dps", "u |u| dps", 3, ARM_STERN * Z_FIN),
    ("N_|u|r", "|u| r", 4, -3.9e-3),
    ("N_r|r|", "r |r|", 5, -5.48e-3),
    ("N_r", "r", 5, -5.48e-3 * PER_DEGREE),
    ("N_u|u|drb", "u |u| drb", 3, ARM_BOW * Y_FIN),
    ("N_u|u|drs", "u |u| drs", 3, -ARM_STERN * Y_FIN),
)

# (axis, axis, power of L, value) of the added mass derivatives
ADDED = (
    (0, 0, 3, -2.82e-3),
    (1, 1, 3, -3.43e-2),
    (2, 2, 3, -9.34e-2),
    (3, 3, 5, -2.4e-4),
    (4, 4, 5, -6.25e-3),
    (5, 5, 5, -4.7e-4),
    (1, 5, 4, -1.78e-3),
    (2, 4, 4, -2.53e-3),
)


def prime(power: int) -> float:
    """rho/2 L^power, SI."""
    return 0.5 * DENSITY * LENGTH**power


def trapezoid_weights(x: np.ndarray) -> np.ndarray:
    """Length each station stands for."""
    step = np.diff(x)
    return 0.5 * (np.append(step, 0.0) + np.insert(step, 0, 0.0))


def _thrusters() -> tuple[Thruster, ...]:
    y = 3.75 * INCH
    screw = prime(2) * C_D0 * (2.0 * FT / (700.0 * RPM)) ** 2 / 2.0
    tunnel = 2.0 * LBF / 24.0**2
    rows = (
        ("port screw", (0.0, -y, 0.0), (1.0, 0.0, 0.0), "rate", screw),
        ("starboard screw", (0.0, y, 0.0), (1.0, 0.0, 0.0), "rate", screw),
        ("bow vertical", (1.41 * FT, 0.0, 0.0), (0.0, 0.0, 1.0), "voltage", tunnel),
        ("stern vertical", (-1.41 * FT, 0.0, 0.0), (0.0, 0.0, 1.0), "voltage", tunnel),
        ("bow lateral", (1.92 * FT, 0.0, 0.0), (0.0, 1.0, 0.0), "voltage", tunnel),
        ("stern lateral", (-1.92 * FT, 0.0, 0.0), (0.0, 1.0, 0.0), "voltage", tunnel),
    )
    limits = {"rate": 700.0 * RPM, "voltage": 24.0}
    return tuple(
        Thruster(name, position, direction, drive, -limits[drive], limits[drive], k_forward=k, k_reverse=k)
        for name, position, direction, drive, k in rows
    )


def hand_built_phoenix() -> Vehicle:
    """Phoenix, default set, SI."""
    mass = 435.0 * LBF / GRAVITY
    added = np.zeros((6, 6))
    for i, j, power, value in ADDED:
        added[i, j] = added[j, i] = -prime(power) * value
    x = np.array(X_IN) * INCH
    n = len(X_IN)
    crossflow = Crossflow(
        x_m=tuple(x),
        height_m=tuple(np.array(HEIGHT_IN) * INCH),
        breadth_m=tuple(np.array(BREADTH_IN) * INCH),
        weight_m=tuple(trapezoid_weights(x)),
        cd_y=(0.5,) * n,
        cd_z=(0.6,) * n,
    )
    surfaces = (("bow rudder", "drb"), ("stern rudder", "drs"), ("bow planes", "dpb"), ("stern planes", "dps"))
    inertia = np.diag([2.7, 42.0, 45.0]) * SLUG * FT**2
    return Vehicle(
        key="phoenix_by_hand",
        name="NPS AUV II Phoenix",
        vehicle_class="hovering AUV",
        summary="typed in from the tables",
        water=ReferenceWater(DENSITY, GRAVITY),
        body=Body(
            mass_kg=mass,
            volume_m3=mass / DENSITY,
            cg_b=(0.125 * INCH, 0.0, 1.07 * INCH),
            cb_b=(0.125 * INCH, 0.0, 0.0),
            inertia_o=inertia,
        ),
        length_m=LENGTH,
        added_mass=added,
        coriolis="none",
        coefficients=tuple(
            Coefficient(name, AXES.index(name[0]), tuple(factors.split()), prime(power) * value, value)
            for name, factors, power, value in TERMS
        ),
        crossflow=crossflow,
        surfaces=tuple(ControlSurface(name, symbol, 0.4) for name, symbol in surfaces),
        thrusters=_thrusters(),
    )
