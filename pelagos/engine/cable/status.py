"""Status of a tether after a solution: tensions, strain, warnings, and the limited pull on the bodies.

A pull is never larger than the breaking load (or than EA, which would double the length); where there is no solution it
is the last good one, or, if the ends are farther apart than the cable is long, that of a straight cable. A failed
solution is never reported as no pull.
"""

from __future__ import annotations

from math import inf, sqrt

from pelagos.engine.cable.chain import node, scratch, stretch
from pelagos.engine.cable.layout import (
    AGROUND,
    NOT_CONVERGED,
    OVERLOAD,
    PARTED,
    SLACK,
    SNAGGED,
    TAUT,
    UNDER_RESOLVED,
    UNLOADED,
)
from pelagos.engine.compiled import compiled, compiled_apart

LEAST_LOAD = 1e-6  # N/m; below it nothing gives the cable a shape
FEW = 1e-3  # of the largest tension: slack


@compiled
def chord_of(head):
    """From the ship to the vehicle, m: vector and length."""
    x, y, z = head.end[0] - head.ship[0], head.end[1] - head.ship[1], head.end[2] - head.ship[2]
    return x, y, z, sqrt(x * x + y * y + z * z)


@compiled
def forces_now(head):
    """Present forces on ship and vehicle."""
    a, b = head.force_a, head.pull
    return a[0], a[1], a[2], b[0], b[1], b[2]


@compiled_apart
def report(lin, head, chain, work, n, sound, good):
    """Set status and forces after a solution; `sound` is whether it converged, `good` the forces before it."""
    largest, least, strain, load, bend = -inf, inf, 0.0, 0.0, 0.0
    for e in range(n):
        a, s = node(chain, e), scratch(work, e)
        _, _, _, l = stretch(chain, e)
        largest, least, strain = max(largest, a.tension), min(least, a.tension), max(strain, l / a.length - 1.0)
        x, y, z = s.u[0] - a.v[0], s.u[1] - a.v[1], s.u[2] - a.v[2]
        across = lin.normal * (x * x + y * y + z * z)
        dry = 1.0 - s.wet if e > 0 else 0.0  # the end may hang from a ship at the surface
        weight = (1.0 - dry) * lin.weight + dry * lin.weight_in_air
        load = max(load, sqrt(across * across + weight * weight))
        bend = max(bend, across * a.length)  # N: with less tension the element turns by more than a radian
    x, y, z, chord = chord_of(head)
    status = TAUT if chord > head.length else 0
    fa, fb = head.force_a, head.force_b
    total = abs(largest) + abs(least)  # NaN anywhere makes the sum NaN, and the solution is refused
    for k in range(3):
        total += abs(fa[k]) + abs(fb[k])
    for k in range(9):
        total += abs(head.end_stiffness[k])
    if not (sound and total < inf):
        _hold_on(lin, head, good, chord)
        head.status = float(status | NOT_CONVERGED)
        return
    # a number held as a float: below -1.5 it is -2, no obstacle; the seabed is -1
    if load < LEAST_LOAD and chord < head.length and head.obstacle < -1.5:
        status |= UNLOADED
    elif least < FEW * largest:
        status |= SLACK  # then no number of elements resolves the shape: UNDER_RESOLVED would mislead
    elif load > LEAST_LOAD and least < bend:
        status |= UNDER_RESOLVED
    if head.crowded > 0.0:  # some contacts were left out
        status |= UNDER_RESOLVED
    if head.aground > 0.0:
        status |= AGROUND
    if head.obstacle > -1.5:
        status |= SNAGGED
    head.largest, head.least, head.strain, head.status = largest, least, strain, float(status)
    for k in range(3):
        head.pull[k] = fb[k]
    limit(lin, head)


@compiled
def _hold_on(lin, head, good, chord):
    """Set the forces where there is no solution."""
    x, y, z, _ = chord_of(head)
    if chord > head.length:
        t = min(lin.stiffness * (chord / head.length - 1.0), lin.breaking) / chord
        good = (t * x, t * y, t * z, -t * x, -t * y, -t * z)
    for k in range(3):
        head.force_a[k], head.pull[k], head.force_b[k] = good[k], good[3 + k], good[3 + k]
    for k in range(9):
        head.end_stiffness[k] = 0.0
    head.tension_a, head.tension_b = limit_force(lin, head.force_a), limit_force(lin, head.force_b)


@compiled_apart
def limit(lin, head):
    """Set force_b from the pull; OVERLOAD if it or the largest tension is above the breaking load."""
    for k in range(3):
        head.force_b[k] = head.pull[k]
    x, y, z = head.pull[0], head.pull[1], head.pull[2]
    head.tension_a, head.tension_b = limit_force(lin, head.force_a), limit_force(lin, head.force_b)
    over = max(head.largest, sqrt(x * x + y * y + z * z)) > lin.breaking
    status = int(head.status)
    head.status = float(status | OVERLOAD if over else status & ~OVERLOAD)


@compiled_apart
def part(head):
    """Part the tether: no pull from now on."""
    for k in range(3):
        head.force_a[k], head.force_b[k], head.pull[k] = 0.0, 0.0, 0.0
    for k in range(9):
        head.end_stiffness[k] = 0.0
    head.tension_a, head.tension_b, head.largest, head.least = 0.0, 0.0, 0.0, 0.0
    head.length_rate, head.wrap, head.obstacle, head.aground, head.touching = 0.0, 0.0, -2.0, 0.0, 0.0
    head.status = float(PARTED | OVERLOAD)


@compiled
def limit_force(lin, f):
    """Limit a force in place; returns its magnitude, N."""
    size = sqrt(f[0] * f[0] + f[1] * f[1] + f[2] * f[2])
    most = min(lin.breaking, lin.stiffness)
    if size > most:
        for k in range(3):
            f[k] *= most / size
        size = most
    return size
