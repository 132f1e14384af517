"""Entries of the tether: one step of winch, ship and chain, with coupling to the vehicle.

`step_line` predicts where the vehicle's end will be and computes the pull there and its stiffness; the vehicle then
advances with both (`forces/tether.py`), and `follow_line` moves the chain to where the end has really come. So neither
waits for the other, and a taut, stiff cable on a light vehicle does not ring.
"""

from __future__ import annotations

from math import inf

from pelagos.engine.cable.chain import node, scratch
from pelagos.engine.cable.layout import (
    DYNAMIC,
    MULTI_BRANCH,
    N_CHAIN,
    N_NODE,
    N_SCRATCH,
    N_TOUCHING,
    NOT_CONVERGED,
    OVERLOAD,
    PARTED,
    UNLOADED,
    as_chain,
    as_line,
)
from pelagos.engine.cable.newton import begin_step, follow_end, step_in_time
from pelagos.engine.cable.remesh import pay_out
from pelagos.engine.cable.rest import lift_out, settle
from pelagos.engine.cable.ship import sail
from pelagos.engine.cable.start import hang
from pelagos.engine.cable.status import LEAST_LOAD, forces_now, limit, part, report
from pelagos.engine.cable.water import sample_along
from pelagos.engine.cable.winch import length_rate
from pelagos.engine.compiled import compiled, compiled_apart, entry
from pelagos.engine.core.views import as_numbers
from pelagos.engine.water.sea import as_sea

MOST_PIECES = 64  # of a step that does not converge in one


@entry
def settle_line(line, chain, work, sea, current, warm):
    """Solve the static shape between the ship and head.end; `current` is m/s and m/s^2, NED. False if it failed."""
    lin, state, scr, water, flow_ = (
        as_line(line),
        as_numbers(chain),
        as_numbers(work),
        as_numbers(sea),
        as_numbers(current),
    )
    head = as_chain(state)
    if not warm:
        head.n, head.element = lin.elements, head.length / lin.elements
        sail(lin, as_numbers(line), head, water, 0.0, head.time)  # onto the wave it rides on
    return _settled(lin, head, state, scr, water, flow_, warm)


@compiled_apart
def _settled(lin, head, chain, work, sea, current, warm):
    """Static solution and its report; True if it converged."""
    n = int(head.n)
    if warm:  # equal elements again: a static cable has no memory of where it was paid out
        for j in range(n):
            node(chain, j).length = head.length / n
    if _lies_loose(lin, head, chain, work, sea, n, current, warm):
        return True
    good = forces_now(head)
    converged = settle(lin, chain, work, sea, n, head.time, current, warm)
    report(lin, head, chain, work, n, converged, good)
    if not _is_finite(chain, n):  # NaN in the state would stay in it
        _hang_loose(lin, head, chain, sea, n)
    if not warm and _reverses(work, n):
        head.status = float(int(head.status) | MULTI_BRANCH)
    converged = converged and not int(head.status) & NOT_CONVERGED
    head.settled = 1.0 if converged else 0.0
    return converged


@compiled
def _is_finite(chain, n):
    """Whether all places, velocities and tensions are numbers."""
    total = 0.0
    for j in range(n + 1):
        p = node(chain, j)
        total += abs(p.r[0]) + abs(p.r[1]) + abs(p.r[2]) + abs(p.v[0]) + abs(p.v[1]) + abs(p.v[2]) + abs(p.tension)
    return total < inf


@compiled_apart
def _hang_loose(lin, head, chain, sea, n):
    """Place an unloaded cable between its ends: a catenary of its length, without tension."""
    a, b = head.ship, head.end
    hang(lin, chain, n, head.length, a[0], a[1], a[2], b[0], b[1], b[2], 0.0, 0.0, 0.0)
    if as_sea(sea).n_solids > 0.0:
        lift_out(lin, chain, sea, n, 0.0, 0.0, 0.0)
    for j in range(n + 1):
        node(chain, j).tension = 0.0


@compiled_apart
def _lies_loose(lin, head, chain, work, sea, n, current, warm):
    """Whether neither weight nor water loads a cable that is long enough: it then has no pull and no definite shape."""
    x, y, z = head.end[0] - head.ship[0], head.end[1] - head.ship[1], head.end[2] - head.ship[2]
    if x * x + y * y + z * z >= head.length * head.length:
        return False
    if not warm:
        _hang_loose(lin, head, chain, sea, n)
    sample_along(chain, work, sea, n, head.time, current, (0.0, 0.0, 0.0))
    for j in range(1, n):
        s = scratch(work, j)
        weight = s.wet * lin.weight + (1.0 - s.wet) * lin.weight_in_air
        across = lin.normal * (s.u[0] * s.u[0] + s.u[1] * s.u[1] + s.u[2] * s.u[2])
        if abs(weight) + across >= LEAST_LOAD:
            return False
    if warm:
        _hang_loose(lin, head, chain, sea, n)
    for k in range(3):
        head.force_a[k], head.force_b[k], head.pull[k] = 0.0, 0.0, 0.0
    for k in range(9):
        head.end_stiffness[k] = 0.0
    head.tension_a, head.tension_b, head.largest, head.least, head.strain = 0.0, 0.0, 0.0, 0.0, 0.0
    head.residual, head.used, head.settled, head.status = 0.0, 0.0, 0.0, float(UNLOADED)
    head.touching, head.wrap, head.obstacle, head.aground = 0.0, 0.0, -2.0, 0.0
    return True


@entry
def step_line(line, chain, work, sea, current, dt, end, end_velocity):
    """Advance one tether by dt; `end`, `end_velocity` are those of the vehicle's fairlead now, NED."""
    _step(
        as_line(line), as_numbers(line), as_numbers(chain), as_numbers(work), as_numbers(sea), as_numbers(current),
        dt, as_numbers(end), as_numbers(end_velocity),
    )  # fmt: skip


@entry
def step_lines(which, lines, chains, work, sea, currents, dt, ends, end_velocities):
    """Advance many tethers in one sea, as `step_line`: the rows of `lines` and `chains` with the numbers `which`.

    `currents`, `ends` and `end_velocities` have one row for each of them.
    """
    for j in range(len(which)):
        i = which[j]
        _step(
            as_line(lines[i]), as_numbers(lines[i]), as_numbers(chains[i]), as_numbers(work), as_numbers(sea),
            as_numbers(currents[j]), dt, as_numbers(ends[j]), as_numbers(end_velocities[j]),
        )  # fmt: skip


@compiled_apart
def _step(lin, way, chain, work, sea, current, dt, end, velocity):
    head = as_chain(chain)
    for k in range(3):
        head.end[k], head.end_velocity[k] = end[k], velocity[k]
    if lin.parts > 0.0 and int(head.status) & OVERLOAD and not int(head.status) & PARTED:
        part(head)
    if int(head.status) & PARTED:
        head.time += dt
        return
    turned = head.length_rate
    head.length_rate = length_rate(lin, head, dt)
    if lin.mode != DYNAMIC:
        _drive(lin, way, head, sea, dt)
        _settled(lin, head, chain, work, sea, current, head.settled > 0.0)
        return
    more = dt * head.length_rate
    if head.drum > 0.0:  # the step itself solves for what a tension winch pays out; new cable moves as before
        head.length_rate = turned
    pay_out(lin, chain, work, more)
    n = int(head.n)
    sail(lin, way, head, sea, dt, head.time + dt)
    good = forces_now(head)
    sound = _through(lin, head, chain, work, sea, n, current, dt)
    head.time += dt
    report(lin, head, chain, work, n, sound, good)
    if int(head.status) & NOT_CONVERGED:  # move the old shape along with its ends: no single element is stretched
        for j in range(n + 1):
            p, share = node(chain, j), j / n
            for k in range(3):
                p.v[k] = (1.0 - share) * head.ship_velocity[k] + share * velocity[k]
                p.r[k] += dt * p.v[k]


@compiled_apart
def _through(lin, head, chain, work, sea, n, current, dt):
    """Solve the step in one piece or, where Newton's method does not converge, in 2, 4 and more; False if none does.

    Forces are their mean over the pieces.
    """
    first, last = node(chain, 0), node(chain, n)
    length, drum = head.length, head.drum
    old = (first.r[0], first.r[1], first.r[2])
    end = (head.end[0], head.end[1], head.end[2])
    v = head.end_velocity
    for k in range(3):
        last.r[k], last.v[k] = end[k], v[k]
    # the copy of the nodes lies behind SCRATCH and TOUCHING records, see `scratch_size`
    copy_at = (int(lin.capacity) + 1) * (N_SCRATCH + 3 * N_TOUCHING)
    for i in range((n + 1) * N_NODE):
        work[copy_at + i] = chain[N_CHAIN + i]
    pieces = 1
    while pieces <= MOST_PIECES:
        h, sound, used = dt / pieces, True, 0.0
        ax, ay, az, bx, by, bz = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
        for i in range(pieces):
            begin_step(chain, work, n, h)
            share = (i + 1.0) / pieces
            t = share * dt
            for k in range(3):
                head.end[k] = end[k] + t * v[k]
                first.r[k], last.r[k] = old[k] + share * (head.ship[k] - old[k]), head.end[k]
            later = (current[0] + t * current[3], current[1] + t * current[4], current[2] + t * current[5])
            rate = (current[3], current[4], current[5])
            head.drum = drum
            sound = step_in_time(lin, chain, work, sea, n, h, head.time + t, later, rate)
            used += head.used
            if not sound:
                break
            a, b = head.force_a, head.force_b
            ax, ay, az, bx, by, bz = ax + a[0], ay + a[1], az + a[2], bx + b[0], by + b[1], bz + b[2]
        if sound:
            mean = (ax / pieces, ay / pieces, az / pieces, bx / pieces, by / pieces, bz / pieces)
            for k in range(3):
                head.force_a[k], head.force_b[k] = mean[k], mean[3 + k]
            head.pieces, head.used = float(pieces), used
            return True
        for i in range((n + 1) * N_NODE):
            chain[N_CHAIN + i] = work[copy_at + i]
        head.length = length
        pieces *= 2
    for k in range(3):
        head.end[k] = end[k] + dt * v[k]
    return False


@entry
def drive_line(line, chain, sea, dt, end):
    """Advance winch and ship by dt, without the chain: for a cable that is solved elsewhere."""
    lin, head = as_line(line), as_chain(chain)
    for k in range(3):
        head.end[k] = end[k]
    head.length_rate = length_rate(lin, head, dt)
    _drive(lin, as_numbers(line), head, as_numbers(sea), dt)


@compiled_apart
def _drive(lin, way, head, sea, dt):
    head.length += dt * head.length_rate
    sail(lin, way, head, sea, dt, head.time + dt)
    head.time += dt


@entry
def follow_line(line, chain, end, dt):
    """Move the chain after the vehicle's step to its end `end`, by the linearised solution."""
    _follow(as_line(line), as_numbers(chain), as_numbers(end), dt)


@entry
def follow_lines(which, lines, chains, ends, dt):
    """Move many chains, as `follow_line`: the rows with the numbers `which`; `ends` has one row for each of them."""
    for j in range(len(which)):
        i = which[j]
        _follow(as_line(lines[i]), as_numbers(chains[i]), as_numbers(ends[j]), dt)


@compiled_apart
def _follow(lin, chain, end, dt):
    head = as_chain(chain)
    if int(head.status) & (PARTED | NOT_CONVERGED):
        return
    x, y, z = end[0] - head.end[0], end[1] - head.end[1], end[2] - head.end[2]
    if lin.mode == DYNAMIC:
        n = int(head.n)
        follow_end(lin, chain, n, x, y, z, head.pieces / dt)
        head.largest = 0.0
        for e in range(n):
            head.largest = max(head.largest, node(chain, e).tension)
    k, f = head.end_stiffness, head.pull
    f[0] -= k[0] * x + k[1] * y + k[2] * z
    f[1] -= k[3] * x + k[4] * y + k[5] * z
    f[2] -= k[6] * x + k[7] * y + k[8] * z
    limit(lin, head)
    if lin.parts > 0.0 and int(head.status) & OVERLOAD:
        part(head)
    for i in range(3):
        head.end[i] = end[i]


@compiled_apart
def _reverses(work, n):
    """Whether the current reverses along the cable: more than one static shape may exist."""
    first = scratch(work, 0).u
    for j in range(1, n + 1):
        u = scratch(work, j).u
        # (m/s)^2, as of 1 cm/s against 1 cm/s: far beyond rounding
        if u[0] * first[0] + u[1] * first[1] + u[2] * first[2] < -1e-4:
            return True
    return False
