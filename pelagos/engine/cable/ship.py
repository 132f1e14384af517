"""Ship at the upper end of the tether: moored, sailing along a path, or following the vehicle.

A ship that follows goes for the place above the vehicle with a time constant and a greatest speed (Royer 1985, 6.2 and
7.2: it stays nearly above). A ship that heaves carries the end up and down with the surface where it is.
Frames: NED. Units: m, m/s.
"""

from __future__ import annotations

from math import sqrt

from pelagos.engine.cable.layout import FOLLOWING, ON_A_PATH
from pelagos.engine.compiled import compiled_apart
from pelagos.engine.core.algebra import Vec3
from pelagos.engine.water.sea import as_sea
from pelagos.engine.water.waves import waves


@compiled_apart
def sail(line, way, head, sea, dt, time):
    """Advance the ship's end by dt to `time`; `way` is the flat array with the path."""
    calm = head.ship_calm
    if line.ship == ON_A_PATH:
        head.travelled += dt * line.ship_speed
        calm[0], calm[1] = _along(way, int(line.path), int(line.n_path), head.travelled)
    elif line.ship == FOLLOWING:
        x, y = head.end[0] - calm[0], head.end[1] - calm[1]
        share = dt / (line.ship_lag + dt)  # implicit Euler of the lag: stable for any step
        far = sqrt(x * x + y * y) * share
        if far > line.ship_speed * dt:
            share *= line.ship_speed * dt / far
        calm[0] += share * x
        calm[1] += share * y
    z = calm[2]
    if line.heaves > 0.0 and as_sea(sea).n_waves > 0.0:
        z += waves(sea, Vec3(calm[0], calm[1], 0.0), time).level
    new = (calm[0], calm[1], z)
    for k in range(3):
        head.ship_velocity[k] = (new[k] - head.ship[k]) / dt if dt > 0.0 else 0.0
        head.ship[k] = new[k]


@compiled_apart
def _along(way, at, n, travelled):
    """North and east of the point so far along the path; its last point beyond its end."""
    x, y = way[at], way[at + 1]
    for i in range(1, n):
        dx, dy = way[at + 2 * i] - x, way[at + 2 * i + 1] - y
        leg = sqrt(dx * dx + dy * dy)
        if travelled < leg:
            return x + dx * travelled / leg, y + dy * travelled / leg
        travelled -= leg
        x, y = x + dx, y + dy
    return x, y
