"""Drag of the water on a piece of cable, along and across it, with its derivatives.

    f = cn |Un| Un + ct |Ut| Ut t,    Ut = U . t,  Un = U - Ut t

per metre, with U the velocity of the water past the cable, t the unit vector along it, cn = rho/2 D Cn and
ct = rho/2 D pi Ct (Royer (1985) 3.2 with Ct = Cf/pi; Morison's form with independent directions). With it come its
derivatives by U and, through the turning of t, by the vector d from one end of the piece to the other: Newton's method
needs both. Frames: any. Units: SI.
"""

from __future__ import annotations

from math import sqrt
from typing import Any, NamedTuple

from pelagos.engine.compiled import compiled

TINY = 1e-12  # m/s: without flow across the cable the derivative is 0 instead of 0/0


class Mat3(NamedTuple):
    """A 3 x 3 matrix, row by row."""

    xx: Any
    xy: Any
    xz: Any
    yx: Any
    yy: Any
    yz: Any
    zx: Any
    zy: Any
    zz: Any


@compiled
def drag(cn, ct, ux, uy, uz, tx, ty, tz):
    """Drag per metre, its derivative by U, and its derivative by t as t turns: (fx, fy, fz, by_u, by_t)."""
    along = ux * tx + uy * ty + uz * tz
    nx, ny, nz = ux - along * tx, uy - along * ty, uz - along * tz
    across = sqrt(nx * nx + ny * ny + nz * nz)
    normal, skin = cn * across, ct * abs(along)
    fx = normal * nx + skin * along * tx
    fy = normal * ny + skin * along * ty
    fz = normal * nz + skin * along * tz
    e = cn / (across + TINY)
    m = 2.0 * skin - normal
    by_u = Mat3(
        normal + m * tx * tx + e * nx * nx, m * tx * ty + e * nx * ny, m * tx * tz + e * nx * nz,
        m * ty * tx + e * ny * nx, normal + m * ty * ty + e * ny * ny, m * ty * tz + e * ny * nz,
        m * tz * tx + e * nz * nx, m * tz * ty + e * nz * ny, normal + m * tz * tz + e * nz * nz,
    )  # fmt: skip
    p = (skin - normal) * along
    q = -e * along
    by_t = Mat3(
        p * (1.0 - tx * tx) + (m * tx + q * nx) * nx, -p * tx * ty + (m * tx + q * nx) * ny,
        -p * tx * tz + (m * tx + q * nx) * nz,
        -p * ty * tx + (m * ty + q * ny) * nx, p * (1.0 - ty * ty) + (m * ty + q * ny) * ny,
        -p * ty * tz + (m * ty + q * ny) * nz,
        -p * tz * tx + (m * tz + q * nz) * nx, -p * tz * ty + (m * tz + q * nz) * ny,
        p * (1.0 - tz * tz) + (m * tz + q * nz) * nz,
    )  # fmt: skip
    return fx, fy, fz, by_u, by_t


@compiled
def add_to(block, scale, m):
    """Add scale m to a block of nine numbers."""
    block[0] += scale * m.xx
    block[1] += scale * m.xy
    block[2] += scale * m.xz
    block[3] += scale * m.yx
    block[4] += scale * m.yy
    block[5] += scale * m.yz
    block[6] += scale * m.zx
    block[7] += scale * m.zy
    block[8] += scale * m.zz


@compiled
def uniaxial(x, y, z, along, across):
    """Uniaxial matrix along t t^T + across (I - t t^T), for the unit vector t = (x, y, z)."""
    d = along - across
    return Mat3(
        across + d * x * x, d * x * y, d * x * z,
        d * y * x, across + d * y * y, d * y * z,
        d * z * x, d * z * y, across + d * z * z,
    )  # fmt: skip
