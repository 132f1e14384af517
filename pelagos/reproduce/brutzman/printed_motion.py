"""Transcription of equations 6.39-6.54: the six equations of motion in ft, lb, slug, s, with each misprint as a switch.

A misprint is mended where its number ("B44", see errata) is in `mended`; the empty set reads the print literally.
Evidence, not a second engine: nothing but the rows and tests of this chapter calls it. Coefficients are a table of
names as in vehicle files; one that is not there is zero, as in the document.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from pelagos.reproduce.brutzman.equations_rows import Array
from pelagos.reproduce.brutzman.printed_tables import BREADTH_IN, FEET_PER_INCH, HEIGHT_IN, STATIONS_IN

# what is mended in the vehicle file `phoenix`; numbers and names of Table 6.2 are mended in `printed_tables.corrected`
MENDED = frozenset(("B22", "B40", "B44", "B47", "B48", "B49", "B50", "B53", "B54", "B56", "B57", "B58"))


@dataclass(frozen=True)
class State:
    """Everything on the right-hand sides: ft/s, rad/s, rad, rpm, volts."""

    nu: Array
    angles: Array
    fins: Array = field(default_factory=lambda: np.zeros(4))  # bow rudders, stern rudders, bow planes, stern planes
    rpm: Array = field(default_factory=lambda: np.zeros(2))  # port, starboard
    volts: Array = field(default_factory=lambda: np.zeros(4))  # bow and stern vertical, bow and stern lateral


def crossflow_speed(x: Array | float, v: float, w: float, q: float, r: float) -> Array:
    """(6.47): U_cf(x)."""
    return np.sqrt((v + x * r) ** 2 + (w - x * q) ** 2)


def crossflow_integrals(state: State, c: Mapping[str, float], mended: frozenset[str] = MENDED) -> Array:
    """The four integrals of (6.49), (6.50), (6.52), (6.53) without rho/2 and sign, trapezoid rule on the stations."""
    x = np.array(STATIONS_IN) * FEET_PER_INCH
    h, b = np.array(HEIGHT_IN) * FEET_PER_INCH, np.array(BREADTH_IN) * FEET_PER_INCH
    if "B22" not in mended:
        h, b = b, h
    _, v, w, _, q, r = state.nu
    across, down, speed = v + x * r, w - x * q, crossflow_speed(x, v, w, q, r)
    with np.errstate(invalid="ignore"):
        ratio = [part / speed for part in (across, down)]
    if "B57" in mended:  # 0/0 at rest has the limit 0
        ratio = [np.where(speed > 0.0, each, 0.0) for each in ratio]
    push = c["C_dy"] * h * across**2 + c["C_dz"] * b * down**2
    in_yaw = push if "B54" in mended else c["C_dy"] * h * across**2 + c.get("C_dx", 0.0) * b * down**2
    parts = (push * ratio[0], push * ratio[1], push * ratio[1] * x, in_yaw * ratio[0] * x)
    return np.array([np.trapezoid(part, x) for part in parts])


def propeller_force(rpm: float, u: float, c: Mapping[str, float], mended: frozenset[str] = MENDED) -> float:
    """(6.44): force of one propeller of a pair, lb."""
    drag = 0.0 if "B40" in mended else u * abs(u)
    thrust = c["speed_per_rpm"] ** 2 * 0.5 * rpm * abs(rpm)
    return 0.5 * c["rho"] * c["L"] ** 2 * c["C_d0"] * (thrust - drag)


def propulsion(rpm: Array, u: float, c: Mapping[str, float]) -> float:
    """(6.43): thrust of both propellers less the drag of the hull, lb."""
    turning = c["speed_per_rpm"] ** 2 * 0.5 * float(rpm @ np.abs(rpm))
    return 0.5 * c["rho"] * c["L"] ** 2 * c["C_d0"] * (turning - u * abs(u))


def thruster_force(volts: Array | float) -> Array:
    """(6.45): lb."""
    return np.asarray(2.0 / 24.0**2 * np.asarray(volts) * np.abs(volts))


def right_hand_sides(state: State, c: Mapping[str, float], mended: frozenset[str] = MENDED) -> Array:
    """(6.48)-(6.53), right of the equals sign: X Y Z (lb), K M N (ft lb)."""
    k = _Coefficients(c)
    u, v, w, p, q, r = state.nu
    su, uu = abs(u) if "B58" in mended else u, u * abs(u)
    drb, drs, dpb, dps = state.fins
    L2, L3, L4, L5 = (0.5 * c["rho"] * c["L"] ** n for n in (2, 3, 4, 5))
    W, B, g = c["W"], c["B"], c["g"]
    m, half_rho = W / g, 0.5 * c["rho"]
    xG, yG, zG, xB, yB, zB = (c[name] for name in ("x_G", "y_G", "z_G", "x_B", "y_B", "z_B"))
    Ix, Iy, Iz, Ixy, Ixz, Iyz = (c[name] for name in ("I_x", "I_y", "I_z", "I_xy", "I_xz", "I_yz"))
    (sf, cf), (st, ct) = ((math.sin(a), math.cos(a)) for a in state.angles[:2])
    side, plan, plan_x, side_x = half_rho * crossflow_integrals(state, c, mended)
    bv, sv, bl, sl = thruster_force(state.volts)
    down = 1.0 if "B44" in mended else -1.0
    port, stbd = (propeller_force(n, u, c, mended) for n in state.rpm)
    planes = 1.0 if "B48" in mended else -1.0
    rr = r * r if "B50" in mended else r * abs(r)
    X = (
        m * (v * r - w * q + xG * (q**2 + r**2) - yG * p * q - zG * p * r)
        + L4 * (k.X_pp * p**2 + k.X_qq * q**2 + k.X_rr * r**2 + k.X_pr * p * r)
        + L3 * (k.X_wq * w * q + k.X_vp * v * p + k.X_vr * v * r + su * q * (k.X_uqdpb * dpb + k.X_uqdps * dps)
                + su * r * (k.X_urdrb * drb + k.X_urdrs * drs))
        + L2 * (k.X_vv * v**2 + k.X_ww * w**2 + su * v * k.X_uvdrs * drs + su * w * (k.X_uwdpb * dpb + k.X_uwdps * dps)
                + uu * (k["X_u|u|dpbdpb"] * dpb**2 + k["X_u|u|dpsdps"] * dps**2
                        + k["X_u|u|drbdrb"] * drb**2 + k["X_u|u|drsdrs"] * drs**2))
        - (W - B) * st
        + propulsion(state.rpm, u, c)
    )  # fmt: skip
    Y = (
        m * (-u * r + w * p - xG * p * q + yG * (p**2 + r**2) - zG * q * r)
        + L4 * (k.Y_pq * p * q + k.Y_qr * q * r)
        + L3 * (k.Y_up * su * p + k.Y_ur * su * r + k.Y_vq * v * q + k.Y_wp * w * p + k.Y_wr * w * r)
        + L2 * (k.Y_uv * su * v + k.Y_vw * v * w + uu * (k["Y_u|u|drb"] * drb + k["Y_u|u|drs"] * drs))
        - side + (W - B) * ct * sf + bl + sl
    )  # fmt: skip
    Z = (
        m * (u * q - v * p - xG * p * r - yG * q * r + zG * (p**2 + q**2))
        + L4 * (k.Z_pp * p**2 + k.Z_pr * p * r + k.Z_rr * r**2)
        + L3 * (k.Z_uq * su * q + k.Z_vp * v * p + k.Z_vr * v * r)
        + L2 * (k.Z_uw * su * w + k.Z_vv * v**2 + uu * (k["Z_u|u|dpb"] * dpb + k["Z_u|u|dps"] * dps))
        - plan + (W - B) * ct * cf + down * (bv + sv)
    )  # fmt: skip
    K = (
        -(Iz - Iy) * q * r - Ixy * p * r + Iyz * (q**2 - r**2) + Ixz * p * q
        - m * (yG * (-u * q + v * p) - zG * (u * r - w * p))
        + L5 * (k.K_pq * p * q + k.K_qr * q * r + k["K_p|p|"] * p * abs(p) + k.K_p * p)
        + L4 * (k["K_|u|p"] * abs(u) * p + k.K_ur * su * r + k.K_vq * v * q + k.K_wp * w * p + k.K_wr * w * r)
        + L3 * (k.K_uv * su * v + k.K_vw * v * w + planes * uu * (k["K_u|u|dpb"] * dpb + k["K_u|u|dps"] * dps))
        + (yG * W - yB * B) * ct * cf - (zG * W - zB * B) * ct * sf
    )  # fmt: skip
    M = (
        -(Ix - Iz) * p * r + Ixy * q * r - Iyz * p * q - Ixz * (p**2 - r**2)
        + m * (xG * (-u * q + v * p) - zG * (-v * r + w * q))
        + L5 * (k.M_pp * p**2 + k.M_pr * p * r + k.M_rr * rr + k["M_q|q|"] * q * abs(q) + k.M_q * q)
        + L4 * (k.M_uq * su * q + k.M_vp * v * p + k.M_vr * v * r)
        + L3 * (k.M_uw * su * w + k.M_vv * v**2 + uu * (k["M_u|u|dpb"] * dpb + k["M_u|u|dps"] * dps))
        + plan_x
        - (xG * W - xB * B) * ct * cf - (zG * W - zB * B) * st
        - (bv * c["x_bv"] + sv * c["x_sv"])
    )  # fmt: skip
    N = (
        -(Iy - Ix) * p * q + Ixy * (p**2 - q**2) + Iyz * p * r - Ixz * q * r
        - m * (xG * (u * r - w * p) - yG * (-v * r + w * q))
        + L5 * (k.N_pq * p * q + k.N_qr * q * r + k["N_r|r|"] * r * abs(r) + k.N_r * r)
        + L4 * (k.N_up * su * p + k.N_ur * su * r + k.N_vq * v * q + k.N_wp * w * p + k.N_wr * w * r)
        + L3 * (k.N_uv * su * v + k.N_vw * v * w + uu * (k["N_u|u|drb"] * drb - k["N_u|u|drs"] * drs))
        - side_x
        + (xG * W - xB * B) * ct * sf + (yG * W - yB * B) * st
        + bl * c["x_bl"] + sl * c["x_sl"]
        - port * c["y_port"] - stbd * c["y_stbd"]
    )  # fmt: skip
    return np.array([X, Y, Z, K, M, N])


class _Coefficients:
    """Coefficients by attribute or key; zero where the table has none."""

    def __init__(self, values: Mapping[str, float]) -> None:
        self._values = values

    def __getattr__(self, name: str) -> float:
        return self._values.get(name, 0.0)

    def __getitem__(self, name: str) -> float:
        return self._values.get(name, 0.0)
