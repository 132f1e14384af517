"""The pull of Royer's static cable (1985, chapter 3) between two points of the sea: his reduction to a plane.

The current gives the heading beta of the axes (v, K x v, K), K down; the vehicle gives the turn gamma of the cable's
plane about v: tan(gamma) = y_r / Z_r. In that plane y is up, so the vehicle is at (x_r, -sqrt(y_r^2 + Z_r^2)); the
text prints the positive root and v x K (errata R28, R31). Vectors are NED; forces are by the cable on the body.
"""

from __future__ import annotations

import math

from pelagos.engine.compiled import compiled, entry
from pelagos.engine.royer_plane import REACHED_WITHIN, Line, integrate, solve

# How it ended; the code adds AT_FLOOR and AT_STOP of the plane.
REACHED, NEAREST, UNREACHABLE, UNLOADED = 0, 1, 2, 3
LOADED = 1e-6  # drag, N per metre, below which the model has no tension to speak of
N_PULL = 10  # what `royer_pull` gives: force on B, force on A, tension at A and at B, miss, integrations


@compiled
def lay_arc(ship, vehicle, length, shape):
    """A cable that the model does not shape: an arc of its length below the chord, or straight toward the vehicle."""
    dx, dy, dz = vehicle[0] - ship[0], vehicle[1] - ship[1], vehicle[2] - ship[2]
    chord, level = math.sqrt(dx * dx + dy * dy + dz * dz), math.hypot(dx, dy)
    share = min(chord / length, 1.0)
    low, high = 0.0, math.pi  # half the angle of the arc: sin(half) / half = share
    for _ in range(50):
        half = 0.5 * (low + high)
        if math.sin(half) > share * half:
            low = half
        else:
            high = half
    ux, uy, uz = (dx / chord, dy / chord, dz / chord) if chord > 0.0 else (1.0, 0.0, 0.0)
    nx, ny, nz = (-uz * dx / level, -uz * dy / level, level / chord) if level > 1e-9 * length else (0.0, 1.0, 0.0)
    last = shape.shape[0] - 1
    for i in range(last + 1):
        at = (2.0 * i / last - 1.0) * low
        along, below = i / last * min(chord, length), 0.0
        if low > 1e-6:
            radius = 0.5 * length / low
            along, below = radius * (math.sin(at) + math.sin(low)), radius * (math.cos(at) - math.cos(low))
        shape[i, 0] = ship[0] + along * ux + below * nx
        shape[i, 1] = ship[1] + along * uy + below * ny
        shape[i, 2] = ship[2] + along * uz + below * nz


@entry
def royer_pull(length, normal, tangential, most, ship, vehicle, current, warm, shape, pull, history):
    """The pull of his cable between two points of the sea; returns a code, see REACHED and after.

    length: m. normal, tangential: drag of a metre, N per (m/s)^2 (rho/2 D C_n, rho/2 D C_f). most: largest tension,
    N. ship, vehicle: A and B. current: its horizontal part is used. warm: (tension, angle, 1) of the last cable or
    zeros; overwritten. shape (steps + 1, 3), pull (N_PULL) and history (any, COLUMNS) are filled.
    """
    speed = math.hypot(current[0], current[1])
    rx, ry, rz = vehicle[0] - ship[0], vehicle[1] - ship[1], vehicle[2] - ship[2]
    distance = math.sqrt(rx * rx + ry * ry + rz * rz)
    pull[:] = 0.0
    if distance >= length:
        lay_arc(ship, vehicle, length, shape)
        pull[0], pull[1], pull[2] = -most * rx / distance, -most * ry / distance, -most * rz / distance
        pull[3], pull[4], pull[5] = -pull[0], -pull[1], -pull[2]
        pull[6], pull[7], pull[8] = most, most, distance - length
        warm[2] = 0.0
        return UNREACHABLE
    if normal * speed * speed < LOADED:
        lay_arc(ship, vehicle, length, shape)
        warm[2] = 0.0
        return UNLOADED
    # Axes of his plane: v along the current; e from v toward the vehicle, sin(gamma) K x v + cos(gamma) K. y is -e.
    cb, sb = current[0] / speed, current[1] / speed
    X, side = cb * rx + sb * ry, cb * ry - sb * rx
    away = math.hypot(side, rz)
    sg, cg = (side / away, rz / away) if away > 0.0 else (0.0, 1.0)
    ex, ey, ez = -sg * sb, sg * cb, cg
    line = Line(length, normal * speed * speed, tangential * speed * speed, 0.0, shape.shape[0] - 1)
    tension, angle, miss, count = solve(line, X, -away, most, warm, history)
    end = integrate(line, tension, angle, shape[:, :2])
    for i in range(shape.shape[0]):
        x, down = shape[i, 0], -shape[i, 1]
        shape[i, 0] = ship[0] + x * cb + down * ex
        shape[i, 1] = ship[1] + x * sb + down * ey
        shape[i, 2] = ship[2] + down * ez
    along, down = end.tension * math.cos(end.angle), -end.tension * math.sin(end.angle)
    pull[0], pull[1], pull[2] = -along * cb - down * ex, -along * sb - down * ey, -down * ez
    along, down = tension * math.cos(angle), -tension * math.sin(angle)
    pull[3], pull[4], pull[5] = along * cb + down * ex, along * sb + down * ey, down * ez
    pull[6], pull[7], pull[8], pull[9] = tension, end.tension, miss, count
    warm[0], warm[1], warm[2] = tension, angle, 1.0
    ended = REACHED if miss <= REACHED_WITHIN * length else NEAREST
    if ended == NEAREST and tension > 0.999999 * most:
        ended = UNREACHABLE
    return ended + end.floors
