"""Attitude kinematics: unit quaternion (scalar first, body to NED), rotation matrix, Euler angles zyx.

R_nb takes body vectors to NED: v_n = R_nb v_b. Angles: roll phi about x, pitch theta about y, yaw psi about z,
R_nb = Rz(psi) Ry(theta) Rx(phi). Brutzman (6.4)-(6.23), (6.62)-(6.68) with errata B9-B14.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from pelagos.engine.compiled import compiled
from pelagos.engine.core.lanes import cos, sin


class Rotation(NamedTuple):
    """Rotation matrix R_nb, row by row; the third row is the direction "down" in body axes."""

    xx: Any
    xy: Any
    xz: Any
    yx: Any
    yy: Any
    yz: Any
    zx: Any
    zy: Any
    zz: Any


class Attitude(NamedTuple):
    """Attitude as four numbers: a quaternion, or roll, pitch, yaw and an unused one."""

    a: Any
    b: Any
    c: Any
    d: Any


@compiled
def rotation_from_quaternion(q):
    """Rotation matrix R_nb of a unit quaternion: nine products, no trigonometry."""
    w, x, y, z = q.a, q.b, q.c, q.d
    return Rotation(
        1.0 - 2.0 * (y * y + z * z),
        2.0 * (x * y - w * z),
        2.0 * (x * z + w * y),
        2.0 * (x * y + w * z),
        1.0 - 2.0 * (x * x + z * z),
        2.0 * (y * z - w * x),
        2.0 * (x * z - w * y),
        2.0 * (y * z + w * x),
        1.0 - 2.0 * (x * x + y * y),
    )


@compiled
def rotation_from_euler(phi, theta, psi):
    """Rotation matrix R_nb = Rz(psi) Ry(theta) Rx(phi) of Euler angles, (6.5)."""
    cf, sf, ct, st, cp, sp = cos(phi), sin(phi), cos(theta), sin(theta), cos(psi), sin(psi)
    return Rotation(
        cp * ct,
        cp * st * sf - sp * cf,
        cp * st * cf + sp * sf,
        sp * ct,
        sp * st * sf + cp * cf,
        sp * st * cf - cp * sf,
        -st,
        ct * sf,
        ct * cf,
    )


@compiled
def quaternion_rate(att, p, q, r):
    """Quaternion rate dQ/dt = Q (0, p, q, r) / 2, (6.65). Never singular."""
    w, x, y, z = att.a, att.b, att.c, att.d
    return Attitude(
        -0.5 * (x * p + y * q + z * r),
        0.5 * (w * p + y * r - z * q),
        0.5 * (w * q + z * p - x * r),
        0.5 * (w * r + x * q - y * p),
    )


@compiled
def euler_rate(att, p, q, r):
    """Euler angle rates d(phi, theta, psi)/dt, (6.9)-(6.11). Singular at theta = +-90 deg: no loop is possible."""
    sf, cf, st, ct = sin(att.a), cos(att.a), sin(att.b), cos(att.b)
    psi_rate = (q * sf + r * cf) / ct
    return Attitude(p + psi_rate * st, q * cf - r * sf, psi_rate, 0.0 * p)
