"""Transcription of the left sides of equations 6.48-6.53 and of the mass matrix 6.54, misprints as switches."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from pelagos.reproduce.brutzman.equations_rows import Array
from pelagos.reproduce.brutzman.printed_motion import MENDED

AXES, RATES = "XYZKMN", "uvwpqr"


def left_hand_sides(c: Mapping[str, float], mended: frozenset[str] = MENDED) -> Array:
    """(6.48)-(6.53), left of the equals sign: what stands before u-dot ... r-dot, slug, slug ft, slug ft2."""
    L3, L4, L5 = (0.5 * c["rho"] * c["L"] ** n for n in (3, 4, 5))
    m, x, y, z = c["W"] / c["g"], c["x_G"], c["y_G"], c["z_G"]
    g = c.get
    roll_sway = -m * z if "B47" in mended else m * z
    yaw_surge = -m * y if "B53" in mended else m * y
    m_w, m_q = ("M_wdot", "M_qdot") if "B49" in mended else ("M_w", "M_q")
    return np.array(
        [
            [m - L3 * g("X_udot", 0.0), 0.0, 0.0, 0.0, m * z, -m * y],
            [0.0, m - L3 * g("Y_vdot", 0.0), 0.0, -m * z - L4 * g("Y_pdot", 0.0), 0.0, m * x - L4 * g("Y_rdot", 0.0)],
            [0.0, 0.0, m - L3 * g("Z_wdot", 0.0), m * y, -m * x - L4 * g("Z_qdot", 0.0), 0.0],
            [0.0, roll_sway - L4 * g("K_vdot", 0.0), m * y, c["I_x"] - L5 * g("K_pdot", 0.0), -c["I_xy"],
             -c["I_xz"] - L5 * g("K_rdot", 0.0)],
            [m * z, 0.0, -m * x - L4 * g(m_w, 0.0), -c["I_xy"], c["I_y"] - L5 * g(m_q, 0.0), -c["I_yz"]],
            [yaw_surge, m * x - L4 * g("N_vdot", 0.0), 0.0, -c["I_xz"] - L5 * g("N_pdot", 0.0), -c["I_yz"],
             c["I_z"] - L5 * g("N_rdot", 0.0)],
        ]
    )  # fmt: skip


def mass_matrix(c: Mapping[str, float], mended: frozenset[str] = MENDED) -> Array:
    """(6.54), every added mass term."""
    m, x, y, z = c["W"] / c["g"], c["x_G"], c["y_G"], c["z_G"]
    rigid = np.array(
        [
            [m, 0.0, 0.0, 0.0, m * z, -m * y],
            [0.0, m, 0.0, -m * z, 0.0, m * x],
            [0.0, 0.0, m, m * y, -m * x, 0.0],
            [0.0, -m * z, m * y, c["I_x"], -c["I_xy"], -c["I_xz"]],
            [m * z, 0.0, -m * x, -c["I_xy"], c["I_y"], -c["I_yz"]],
            [-m * y, m * x, 0.0, -c["I_xz"], -c["I_yz"], c["I_z"]],
        ]
    )
    for i, axis in enumerate(AXES):
        for j, rate in enumerate(RATES):
            power = 3 + (i >= 3) + (j >= 3)
            if (axis, rate) == ("K", "w") and "B56" not in mended:
                power = 3
            rigid[i, j] -= 0.5 * c["rho"] * c["L"] ** power * c.get(f"{axis}_{rate}dot", 0.0)
    return rigid
