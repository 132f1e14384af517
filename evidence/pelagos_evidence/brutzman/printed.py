"""Transcription of the equations of chapter VI in ft, lb, slug, s, with each misprint as a switch.

In this order: rotation matrix and rates of the Euler angles (6.4-6.23), the six equations of motion (6.43-6.53), their
left sides and the mass matrix (6.54), the earlier surge equation and its propulsion term (6.39-6.42), quaternions,
scalar first (6.61-6.68). A misprint is mended where its number ("B44", see errata) is in `mended`; the empty set reads
the print literally. Evidence, not a second engine: nothing but the rows and tests of this chapter calls it.
Coefficients are a table of names as in vehicle files; one that is not there is zero, as in the document.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from math import acos, asin, cos, sin, tan

import numpy as np

from pelagos.vehicle.spec import AXES, VELOCITIES
from pelagos_evidence.brutzman.printed_tables import BREADTH_IN, FEET_PER_INCH, HEIGHT_IN, STATIONS_IN
from pelagos_evidence.rows import Array


def rotation_product(phi: float, theta: float, psi: float) -> Array:
    """(6.4): R = R_z(psi) R_y(theta) R_x(phi), the three matrices as printed."""
    about_z = np.array([[cos(psi), -sin(psi), 0.0], [sin(psi), cos(psi), 0.0], [0.0, 0.0, 1.0]])
    about_y = np.array([[cos(theta), 0.0, sin(theta)], [0.0, 1.0, 0.0], [-sin(theta), 0.0, cos(theta)]])
    about_x = np.array([[1.0, 0.0, 0.0], [0.0, cos(phi), -sin(phi)], [0.0, sin(phi), cos(phi)]])
    return about_z @ about_y @ about_x


def rotation_entries(phi: float, theta: float, psi: float) -> Array:
    """(6.5): the nine entries as printed."""
    return np.array(
        [
            [
                cos(theta) * cos(psi),
                sin(phi) * sin(theta) * cos(psi) - cos(phi) * sin(psi),
                cos(phi) * sin(theta) * cos(psi) + sin(phi) * sin(psi),
            ],
            [
                cos(theta) * sin(psi),
                sin(phi) * sin(theta) * sin(psi) + cos(phi) * cos(psi),
                cos(phi) * sin(theta) * sin(psi) - sin(phi) * cos(psi),
            ],
            [-sin(theta), sin(phi) * cos(theta), cos(phi) * cos(theta)],
        ]
    )


def angle_rates(phi: float, theta: float, p: float, q: float, r: float) -> Array:
    """(6.9)-(6.11): rates of roll, pitch and yaw."""
    return np.array(
        [
            p + q * sin(phi) * tan(theta) + r * cos(phi) * tan(theta),
            q * cos(phi) - r * sin(phi),
            (q * sin(phi) + r * cos(phi)) / cos(theta),
        ]
    )


def rates_matrix(phi: float, theta: float) -> Array:
    """(6.13): T."""
    return np.array(
        [
            [1.0, sin(phi) * tan(theta), cos(phi) * tan(theta)],
            [0.0, cos(phi), -sin(phi)],
            [0.0, sin(phi) / cos(theta), cos(phi) / cos(theta)],
        ]
    )


def body_rates(phi: float, theta: float, phi_rate: float, theta_rate: float, psi_rate: float) -> Array:
    """(6.15)-(6.17): p, q, r."""
    return np.array(
        [
            phi_rate - psi_rate * sin(theta),
            theta_rate * cos(phi) + psi_rate * sin(phi) * cos(theta),
            -theta_rate * sin(phi) + psi_rate * cos(phi) * cos(theta),
        ]
    )


def inverse_rates_matrix(phi: float, theta: float) -> Array:
    """(6.19): the inverse of T."""
    return np.array(
        [
            [1.0, 0.0, -sin(theta)],
            [0.0, cos(phi), sin(phi) * cos(theta)],
            [0.0, -sin(phi), cos(phi) * cos(theta)],
        ]
    )


def body_to_world(phi: float, theta: float, psi: float) -> Array:
    """(6.22): the six by six matrix of R and T."""
    joint = np.zeros((6, 6))
    joint[:3, :3], joint[3:, 3:] = rotation_entries(phi, theta, psi), rates_matrix(phi, theta)
    return joint


def world_to_body(phi: float, theta: float, psi: float) -> Array:
    """(6.23): the six by six matrix of the transpose of R and the inverse of T."""
    joint = np.zeros((6, 6))
    joint[:3, :3], joint[3:, 3:] = rotation_entries(phi, theta, psi).T, inverse_rates_matrix(phi, theta)
    return joint


# what is mended in the vehicle file `phoenix`; numbers and names of Table 6.2 are mended in `printed_tables.corrected`
MENDED = frozenset(("B22", "B40", "B44", "B47", "B48", "B49", "B50", "B53", "B54", "B56", "B57", "B58"))


@dataclass(frozen=True)
class State:
    """Arguments of the right-hand sides: ft/s, rad/s, rad, rpm, volts."""

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
        for j, rate in enumerate(VELOCITIES):
            power = 3 + (i >= 3) + (j >= 3)
            if (axis, rate) == ("K", "w") and "B56" not in mended:
                power = 3
            rigid[i, j] -= 0.5 * c["rho"] * c["L"] ** power * c.get(f"{axis}_{rate}dot", 0.0)
    return rigid


def x_prop(n: float, u: float, c: Mapping[str, float]) -> float:
    """(6.40) with (6.41): C_d0 (eta|eta| - 1), eta = (2 ft/s / 700 rpm) n / u; does not exist at rest."""
    eta = c["speed_per_rpm"] * n / u
    return c["C_d0"] * (eta * abs(eta) - 1.0)


def expanded(n: float, u: float, c: Mapping[str, float]) -> float:
    """(6.42), last line: thrust less drag, lb."""
    return 0.5 * c["rho"] * c["L"] ** 2 * c["C_d0"] * (c["speed_per_rpm"] ** 2 * n * abs(n) - u * abs(u))


def previous_surge(state: State, rates: Array, c: Mapping[str, float], mended: frozenset[str]) -> float:
    """(6.39), left side less right side without the propulsion term, lb.

    Bow planes as a pair (the document's own simplification), its one rudder angle taken as the stern rudders, no
    epsilon(eta); the term of rudder and yaw rate once (B38). "B37" in `mended` turns the sign of (W - B) sin(theta).
    """
    u, v, w, p, q, r = state.nu
    _, drs, dpb, dps = state.fins
    L2, L3, L4 = (0.5 * c["rho"] * c["L"] ** n for n in (2, 3, 4))
    m = c["W"] / c["g"]
    k = {name: c.get(name, 0.0) for name in c}
    left = m * (
        rates[0] - v * r + w * q - c["x_G"] * (q**2 + r**2) + c["y_G"] * (p * q - rates[5])
        + c["z_G"] * (p * r + rates[4])
    )  # fmt: skip
    sign = -1.0 if "B37" in mended else 1.0
    right = (
        L4 * (k["X_pp"] * p**2 + k["X_qq"] * q**2 + k["X_rr"] * r**2 + k["X_pr"] * p * r)
        + L3 * (k["X_udot"] * rates[0] + k["X_wq"] * w * q + k["X_vp"] * v * p + k["X_vr"] * v * r
                + u * q * (k["X_uqdps"] * dps + k["X_uqdpb"] * dpb) + k["X_urdrs"] * u * r * drs)
        + L2 * (k["X_vv"] * v**2 + k["X_ww"] * w**2 + k["X_uvdrs"] * u * v * drs
                + u * w * (k["X_uwdps"] * dps + k["X_uwdpb"] * dpb)
                + u**2 * (k["X_u|u|dpsdps"] * dps**2 + k["X_u|u|dpbdpb"] * dpb**2 + k["X_u|u|drsdrs"] * drs**2))
        + sign * (c["W"] - c["B"]) * math.sin(state.angles[1])
    )  # fmt: skip
    return float(left - right)


def from_axis(A: float, B: float, C: float, D: float) -> Array:
    """(6.63): A, B, C are the angles of the rotation axis with the three axes, D the rotation about it."""
    return np.array([cos(D / 2.0), cos(A) * sin(D / 2.0), cos(B) * sin(D / 2.0), cos(C) * sin(D / 2.0)])


def product(a: Array, b: Array, mended: bool = True) -> Array:
    """(6.64): Q Q1; as printed two signs of the j line and two of the k line are wrong (B11)."""
    W, X, Y, Z = a
    W1, X1, Y1, Z1 = b
    s = 1.0 if mended else -1.0
    return np.array(
        [
            W * W1 - X * X1 - Y * Y1 - Z * Z1,
            X * W1 + W * X1 - Z * Y1 + Y * Z1,
            Y * W1 + Z * X1 + s * W * Y1 - s * X * Z1,
            Z * W1 - s * Y * X1 + s * X * Y1 + W * Z1,
        ]
    )


def rates(q0: float, q1: float, q2: float, q3: float, p: float, q: float, r: float) -> Array:
    """(6.65): rates of the four parameters."""
    return np.array(
        [
            -0.5 * (q1 * p + q2 * q + q3 * r),
            0.5 * (q0 * p + q2 * r - q3 * q),
            0.5 * (q0 * q + q3 * p - q1 * r),
            0.5 * (q0 * r + q1 * q - q2 * p),
        ]
    )


def extracted(q0: float, q1: float, q2: float, q3: float) -> Array:
    """(6.66)-(6.68): roll, pitch, yaw as printed, sign(0) = 0 included; not a number where arccos has no value."""
    theta = asin(-2.0 * (q1 * q3 - q0 * q2))
    try:
        psi = acos((q0**2 + q1**2 - q2**2 - q3**2) / cos(theta)) * np.sign(q1 * q2 + q0 * q3)
        phi = acos((q0**2 - q1**2 - q2**2 + q3**2) / cos(theta)) * np.sign(q2 * q3 + q0 * q1)
    except ValueError:  # a quotient of 1 + 1e-16
        return np.array([np.nan, theta, np.nan])
    return np.array([phi, theta, psi])
