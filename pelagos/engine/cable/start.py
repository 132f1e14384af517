"""First guess of the tether's shape: a catenary under one uniform load.

Newton's method for the chain converges from this shape in a few iterations, and from a straight line often not at all.
With the load q (N/m) uniform, the curve lies in the plane of q and the chord. Let h and v be the chord's parts
across and along q; then with x = h/2a

    sinh x / x = sqrt(L^2 - v^2)/h,    tanh m = v/L,    tension = |q| a sqrt(1 + (s/a - sinh(x + m))^2)

(Irvine 1981, ch. 1). A chord almost along q is opened to 2 % of the length, so that the two legs have a way to part.
Frames: NED. Units: SI.
"""

from __future__ import annotations

from math import asinh, atanh, cosh, inf, log, sinh, sqrt

from pelagos.engine.cable.chain import node
from pelagos.engine.compiled import compiled, compiled_apart

OPENED = 0.02  # of the length, least width
LEAST_LOAD = 1e-9  # N/m: below it, and for NaN, the load is taken straight down


@compiled
def _catenary_parameter(ratio):
    """x > 0 with sinh x / x = ratio > 1."""
    # start: the series sinh x / x = 1 + x^2/6, or the asymptote for a long cable
    x = sqrt(6.0 * (ratio - 1.0)) if ratio < 3.0 else log(2.0 * ratio) + log(log(2.0 * ratio))
    for _ in range(20):  # Newton's method doubles the digits: 3 to 6 are taken
        wrong = sinh(x) / x - ratio
        step = wrong / ((cosh(x) - sinh(x) / x) / x)
        x = max(x - step, 0.5 * x)  # never to 0, where sinh x / x has no slope
        if abs(step) < 1e-12 * x:
            break
    return x


@compiled_apart
def hang(line, chain, n, length, ax, ay, az, bx, by, bz, qx, qy, qz):
    """Place n equal elements, `length` long in all, as a catenary between A and B under the load q; at rest."""
    cx, cy, cz = bx - ax, by - ay, bz - az
    chord = sqrt(cx * cx + cy * cy + cz * cz)
    q = sqrt(qx * qx + qy * qy + qz * qz)
    if not LEAST_LOAD < q < inf:
        qx, qy, qz, q = 0.0, 0.0, LEAST_LOAD, LEAST_LOAD
    ex, ey, ez = qx / q, qy / q, qz / q
    v = cx * ex + cy * ey + cz * ez
    px, py, pz = cx - v * ex, cy - v * ey, cz - v * ez
    h = sqrt(px * px + py * py + pz * pz)
    if h < 1e-9 * length:  # any way across q
        px, py, pz = (-ey, ex, 0.0) if abs(ez) < 0.9 else (1.0 - ex * ex, -ex * ey, -ex * ez)
        h = sqrt(px * px + py * py + pz * pz)
        px, py, pz, h = px / h, py / h, pz / h, 0.0
    else:
        px, py, pz = px / h, py / h, pz / h
    wide = max(h, OPENED * length)
    taut = chord >= 0.9999 * length or v * v + wide * wide >= 0.9999 * length * length
    a, left = 1.0, 0.0
    if not taut:
        x = _catenary_parameter(sqrt(length * length - v * v) / wide)
        a, left = 0.5 * wide / x, x + atanh(v / length)
    for j in range(n + 1):
        p = node(chain, j)
        share = j / n
        s = share * length
        across, along = share * h, share * v
        tension = line.stiffness * max(chord / length - 1.0, 0.0) + 0.1 * q * length
        if not taut:
            u = s / a - sinh(left)
            across = a * (left + asinh(u)) - share * (wide - h)
            along = a * (cosh(left) - sqrt(1.0 + u * u))
            u += 0.5 * length / (n * a)  # in the middle of the element that follows
            tension = q * a * sqrt(1.0 + u * u)
        p.r[0] = ax + across * px + along * ex
        p.r[1] = ay + across * py + along * ey
        p.r[2] = az + across * pz + along * ez
        p.tension, p.length = tension, length / n
        for k in range(3):
            p.v[k], p.grip[k], p.hold[k] = 0.0, 0.0, 0.0
        for k in range(9):
            p.back[k] = 0.0
    p = node(chain, n)
    p.r[0], p.r[1], p.r[2], p.tension, p.length = bx, by, bz, 0.0, 0.0
