"""Implicit time step of the tether chain, by Newton's method."""

from __future__ import annotations

from math import inf, sqrt

from pelagos.engine.cable.chain import assemble, eliminate, end_forces, end_stiffness, move, node, scratch, stretch
from pelagos.engine.cable.contact import add_touches, find_touches, keep_touches, touches_changed
from pelagos.engine.cable.layout import as_chain
from pelagos.engine.cable.water import sample_along
from pelagos.engine.cable.winch import reel
from pelagos.engine.compiled import compiled, compiled_apart

FORESEEN = 1e-5  # of an element's length: error of the predicted lengths below which the iterations end
ACCEPTED = 1e-4  # the same when the iterations are used up: a larger error is no solution
NEARLY = 1e-3  # the same when the winch is first checked against its speed
MARGIN = 0.01  # m, beyond the way of a step, in which obstacles are looked for


@compiled_apart
def begin_step(chain, work, n, dt):
    """Store the positions at the start of a step, and predict those of the inner nodes at its end."""
    for j in range(n + 1):
        p, s = node(chain, j), scratch(work, j)
        if j < n:
            _, _, _, l = stretch(chain, j)
            s.strain = l / p.length - 1.0
        s.before = p.tension
        for k in range(3):
            s.start[k] = p.r[k]
    for j in range(1, n):
        p = node(chain, j)
        for k in range(3):
            p.r[k] += dt * p.v[k]


@compiled_apart
def step_in_time(line, chain, work, sea, n, dt, time, current, current_dot):
    """Solve one implicit step after `begin_step`, with both ends at their new positions. True if it converged."""
    head = as_chain(chain)
    sample_along(chain, work, sea, n, time, current, current_dot)
    margin = MARGIN  # every obstacle within twice the way of any node in this step
    for j in range(n + 1):
        p, s = node(chain, j), scratch(work, j)
        x, y, z = p.r[0] - s.start[0], p.r[1] - s.start[1], p.r[2] - s.start[2]
        margin = max(margin, MARGIN + 2.0 * sqrt(x * x + y * y + z * z))
    swap(chain, work, n)  # contacts are found at the positions of the start: none can be jumped over
    count = find_touches(line, chain, work, sea, n, margin)
    swap(chain, work, n)
    per_dt, worst, used = 1.0 / dt, inf, 0
    while used < line.iterations:
        assemble(line, chain, work, n, per_dt, 0.0, 0.0, used == 0)
        add_touches(chain, work, n, count, True, used == 0)
        eliminate(chain, work, n)
        worst = move(chain, work, n, 1.0)
        used += 1
        # a winch that is too slow changes the equations: iterate again with a prescribed length
        if head.drum > 0.0 and worst < NEARLY and reel(line, head, chain, dt, False):
            continue
        if worst < FORESEEN and not touches_changed(chain, work, n, count):
            break
        if not worst < 1e6:  # diverged, or NaN
            break
    if head.drum > 0.0:
        reel(line, head, chain, dt, True)
    end_stiffness(head, chain, work, n)
    end_forces(head, work, n, True)
    head.used, head.residual = used, worst
    for j in range(n + 1):
        p, s = node(chain, j), scratch(work, j)
        for k in range(3):
            p.v[k] = per_dt * (p.r[k] - s.start[k])
    keep_touches(head, chain, work, n, count)
    head.aground /= line.ground
    return worst < ACCEPTED


@compiled
def swap(chain, work, n):
    """Exchange the positions of the nodes with those at the start of the step."""
    for j in range(n + 1):
        r, s = node(chain, j).r, scratch(work, j).start
        for k in range(3):
            r[k], s[k] = s[k], r[k]


@compiled_apart
def follow_end(line, chain, n, dx, dy, dz, per_dt):
    """Move the vehicle's end by (dx, dy, dz) after the step; all nodes follow by the linearised solution."""
    tx, ty, tz, _ = stretch(chain, n - 1)
    p = node(chain, n)
    p.r[0] += dx
    p.r[1] += dy
    p.r[2] += dz
    for j in range(n - 1, -1, -1):
        p, x, y, z = node(chain, j), dx, dy, dz
        b = p.back
        dx = -(b[0] * x + b[1] * y + b[2] * z)
        dy = -(b[3] * x + b[4] * y + b[5] * z)
        dz = -(b[6] * x + b[7] * y + b[8] * z)
        grown = tx * (x - dx) + ty * (y - dy) + tz * (z - dz)
        # a slack element stays slack, and the tension of a winch does not follow the length
        if p.tension > 0.0 and not (j == 0 and as_chain(chain).drum > 0.0):
            p.tension += (line.stiffness + line.damping * per_dt) / p.length * grown
        if j > 0:
            tx, ty, tz, _ = stretch(chain, j - 1)
        p.r[0] += dx
        p.r[1] += dy
        p.r[2] += dz
        p.v[0] += per_dt * dx
        p.v[1] += per_dt * dy
        p.v[2] += per_dt * dz


@compiled_apart
def undo(chain, work, n):
    """Return to the start of the step, at rest."""
    for j in range(n + 1):
        p, s = node(chain, j), scratch(work, j)
        p.tension = s.before
        for k in range(3):
            p.r[k], p.v[k] = s.start[k], 0.0


@compiled
def keep_ends(chain, n, head):
    """Set both ends to the positions of ship and vehicle."""
    first, last = node(chain, 0).r, node(chain, n).r
    for k in range(3):
        first[k], last[k] = head.ship[k], head.end[k]
