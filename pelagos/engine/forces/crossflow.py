"""Cross-flow drag of the hull, strip by strip.

At station x the hull meets a = v + x r from the side and b = w - x q from below:

    dF_y = -(D_y a^2 + D_z b^2) a / U,  dF_z = -(D_y a^2 + D_z b^2) b / U,  U = sqrt(a^2 + b^2)
    Y, Z = sums;  M = -sum x dF_z;  N = sum x dF_y,   D_y = rho/2 Cd_y height length, D_z likewise with breadth

Reference: Healey & Lienard (1993); Brutzman (6.48)-(6.53) with errata B22 (h is the height), B52, B54, B57.
`independent` takes the two planes apart (D_y a|a|, D_z b|b|: Faltinsen 1990, ch. 6; MSS crossFlowDrag).
Frames: body axes, velocity through the water. Units: D in N/(m/s)^2. Limits: no force on rolling, none along x;
the station weights are the vehicle file's quadrature. At rest the force is 0 (the limit of 0/0), without an
epsilon in the denominator. Never gives energy: each strip's force opposes its velocity.
"""

from __future__ import annotations

from pelagos.engine.compiled import compiled
from pelagos.engine.core.algebra import Wrench, interpolate
from pelagos.engine.core.lanes import constant, inverse_sqrt, sqrt, where_less

COUPLED, INDEPENDENT, GUARDED = 0, 1, 2  # values of `crossflow` in the structure
AT_REST = 1e-24  # (m/s)^2: below 1e-12 m/s there is no flow


@compiled
def crossflow(model, structure, kin):
    """Cross-flow drag wrench, summed over the strips."""
    v, o = kin.water, kin.omega
    zero = constant(0.0, v.x)
    y, z, m, n = zero, zero, zero, zero
    if structure.crossflow == COUPLED:
        for i in range(structure.n_stations):
            strip = model.stations[i]
            a = v.y + strip.x * o.z
            b = v.z - strip.x * o.y
            aa, bb = a * a, b * b
            flow = aa + bb
            moving = where_less(flow, AT_REST, 1.0, flow)  # inverse_sqrt is computed also where its result is dropped
            f = where_less(flow, AT_REST, 0.0, (strip.drag_y * aa + strip.drag_z * bb) * inverse_sqrt(moving))
            y, z = y - f * a, z - f * b
            n, m = n - strip.x * f * a, m + strip.x * f * b
    elif structure.crossflow == INDEPENDENT:
        for i in range(structure.n_stations):
            strip = model.stations[i]
            a = v.y + strip.x * o.z
            b = v.z - strip.x * o.y
            fa = strip.drag_y * abs(a) * a
            fb = strip.drag_z * abs(b) * b
            y, z = y - fa, z - fb
            n, m = n - strip.x * fa, m + strip.x * fb
    else:
        for i in range(structure.n_stations):
            strip = model.stations[i]
            a = v.y + strip.x * o.z
            b = v.z - strip.x * o.y
            aa, bb = a * a, b * b
            f = (strip.drag_y * aa + strip.drag_z * bb) / (sqrt(aa + bb) + model.crossflow_guard)
            y, z = y - f * a, z - f * b
            n, m = n - strip.x * f * a, m + strip.x * f * b
    if structure.n_curve > 0:
        k = interpolate(model.curve, structure.n_curve, sqrt(v.y * v.y + v.z * v.z))
        y, z, m, n = k * y, k * z, k * m, k * n
    return Wrench(zero, y, z, zero, m, n)
