"""Water along a tether: velocity, its change with depth, acceleration, and the submerged share of each node."""

from __future__ import annotations

from pelagos.engine.cable.chain import node, scratch
from pelagos.engine.compiled import compiled_apart
from pelagos.engine.core.algebra import Vec3
from pelagos.engine.water.flow import flow
from pelagos.engine.water.sea import as_sea
from pelagos.engine.water.waves import following, waves


@compiled_apart
def sample_along(chain, work, sea, n, time, current, current_dot):
    """Sample the water at all nodes; `current` (m/s, NED) is uniform and adds to that of the sea."""
    h = as_sea(sea)
    for j in range(n + 1):
        p, s = node(chain, j), scratch(work, j)
        for k in range(3):
            s.u[k], s.u_down[k], s.a[k] = current[k], 0.0, current_dot[k]
        s.wet, s.wet_down = 1.0, 0.0
        below = p.r[2]
        where = Vec3(p.r[0], p.r[1], p.r[2])
        if h.n_harmonics + h.n_knots + h.n_series + h.n_fields > 0.0:
            c = flow(sea, where, time)
            a = following(c, c.value)
            _add(s, c.value, c.down, a)
        if h.n_waves > 0.0:
            w = waves(sea, where, time)
            a = following(w.motion, w.motion.value)
            _add(s, w.motion.value, w.motion.down, a)
            below -= w.level
        if h.surface > 0.0:
            # a node stands for half of the elements beside it, taken as upright at the surface
            around = 0.5 * (p.length + (node(chain, j - 1).length if j > 0 else 0.0))
            s.wet = min(1.0, max(0.0, 0.5 + below / around))
            if 0.0 < s.wet < 1.0:
                s.wet_down = 1.0 / around


@compiled_apart
def _add(s, value, down, a):
    s.u[0] += value.x
    s.u[1] += value.y
    s.u[2] += value.z
    s.u_down[0] += down.x
    s.u_down[1] += down.y
    s.u_down[2] += down.z
    s.a[0] += a.x
    s.a[1] += a.y
    s.a[2] += a.z
