"""Static shape of the tether: Newton's method from a shape nearby, from a catenary, or after sinking in time steps."""

from __future__ import annotations

from math import inf, sqrt

from pelagos.engine.cable.chain import assemble, eliminate, end_forces, end_stiffness, move, node, scratch
from pelagos.engine.cable.contact import add_touches, find_touches, keep_touches, touches_changed
from pelagos.engine.cable.layout import as_chain
from pelagos.engine.cable.newton import begin_step, follow_end, keep_ends, step_in_time, undo
from pelagos.engine.cable.remesh import divide_anew
from pelagos.engine.cable.start import hang
from pelagos.engine.cable.water import sample_along
from pelagos.engine.compiled import compiled, compiled_apart
from pelagos.engine.contact.obstacles import N_SOLID, bottom_at, solid_distance
from pelagos.engine.water.sea import NO_BOTTOM, as_sea

FITS = 1e-8  # of an element's length: the error that is left adds up from one solution to the next
AT_REST = 1e-7  # of the largest tension: residual force of a static solution
CLOSE = 1e-6  # of an element's length: a warm solution whose next displacement would be shorter is accepted unchecked
PRESSED = 0.01  # of the largest tension: compression of an element beyond which another shape is searched
STATIC_ITERATIONS = 40  # of Newton's method from a shape nearby, at most; twice as many from a catenary
LIGHT = 0.01  # of the weight in air: least load in the geometric stiffness, where there is none
MANY = 64  # elements: a finer shape is refined from a coarser one
RESCUE_STEPS, RESCUE_STEP = 80, 1.0  # s, the first: when Newton's method fails, let it sink to rest in the water
LONGER, SHORTER = 1.25, 0.25  # next step after one that converged, after one that did not
LIFTS = 100  # displacements out of a structure, each as far as the node is deep
SIDEWAYS = 20.0  # times that depth: a longer way out against the load is not taken
STILL = 1e-6  # m/s: no node is faster in a cable that has come to rest


@compiled_apart
def solve_static(line, chain, work, sea, n, time, current, hold, iterations, moved):
    """Newton's method for the static shape from the present one; `hold` (N/m) slows the first iterations down.

    `moved` (m, negative if cold) is how far the nodes were moved just before. Displacements shrink by a factor that
    falls from one to the next: a warm solution whose next one would be tiny needs no check of the residual forces.
    Returns whether it converged; head.residual is the largest residual force, N.
    """
    head = as_chain(chain)
    converged, eliminated, taken, count = False, False, False, 0
    head.used = 0.0
    for _ in range(iterations):
        sample_along(chain, work, sea, n, time, current, (0.0, 0.0, 0.0))
        load = max(abs(line.weight), LIGHT * line.weight_in_air)
        for j in range(n + 1):
            s = scratch(work, j)
            load = max(load, line.normal * (s.u[0] * s.u[0] + s.u[1] * s.u[1] + s.u[2] * s.u[2]))
            for k in range(3):
                s.a[k] = 0.0
        count = find_touches(line, chain, work, sea, n, 0.0)
        # a tenth of the load of an element in place of less tension: a slack cable has next to no geometric stiffness
        assemble(line, chain, work, n, 0.0, hold, 0.1 * load * head.length / n, False)
        add_touches(chain, work, n, count, False, False)
        head.residual, largest, off = _residuals(chain, work, n)
        converged = off < FITS and head.residual < AT_REST * largest
        if converged and eliminated:
            break
        eliminate(chain, work, n)
        end_stiffness(head, chain, work, n)
        eliminated = True  # also a shape that converged at once needs its end stiffness
        if converged:
            break
        worst = move(chain, work, n, 1.0)
        hold *= 0.5
        head.used += 1.0
        if not worst < 1e9:
            break
        if moved >= 0.0:
            far = _farthest(work, n)
            if far * far < CLOSE * head.element * moved and far < 0.1 * moved and worst < FITS:
                converged = taken = not touches_changed(chain, work, n, count)
                if converged:
                    head.residual = largest * far * far / (moved * head.element)
                    break
            moved = far
    end_forces(head, work, n, taken)
    for j in range(n + 1):
        s, p = scratch(work, j), node(chain, j)
        for k in range(3):
            s.dr[k] = 0.0
            p.v[k] = 0.0
    keep_touches(head, chain, work, n, count)
    head.aground /= line.ground
    return converged


@compiled
def _residuals(chain, work, n):
    """Residuals of an assembled chain: largest force at an inner node (N), largest tension (N), worst length (1)."""
    most, largest, off, total = 0.0, 0.0, 0.0, 0.0
    for j in range(n):
        p, s = node(chain, j), scratch(work, j)
        f = s.miss
        if j > 0:
            most = max(most, f[0] * f[0] + f[1] * f[1] + f[2] * f[2])
        largest = max(largest, abs(p.tension))
        wrong = abs(s.law - p.tension) / (s.k * p.length)
        off = max(off, wrong)
        total += wrong + abs(f[0]) + abs(f[1]) + abs(f[2])  # a maximum drops NaN
    return sqrt(most), largest, off if total < inf else inf


@compiled
def _farthest(work, n):
    """Longest displacement of the iteration, m."""
    most = 0.0
    for j in range(1, n):
        d = scratch(work, j).dr
        most = max(most, d[0] * d[0] + d[1] * d[1] + d[2] * d[2])
    return sqrt(most)


@compiled_apart
def settle(line, chain, work, sea, n, time, current, warm):
    """Find the static shape of n elements: from the present one if `warm`, else from a catenary.

    A shape of many elements is refined from one of few. Where Newton's method fails: two slower tries, then sinking in
    time steps.
    """
    head = as_chain(chain)
    if warm:
        r = node(chain, n).r
        x, y, z = head.end[0] - r[0], head.end[1] - r[1], head.end[2] - r[2]
        moved = sqrt(x * x + y * y + z * z)
        if moved < head.element:
            follow_end(line, chain, n, x, y, z, 0.0)
        keep_ends(chain, n, head)
        if solve_static(line, chain, work, sea, n, time, current, 0.0, STATIC_ITERATIONS, moved):
            return True
    m = n
    while m > MANY:
        m = (m + 1) // 2
    converged = _from_catenary(line, chain, work, sea, m, time, current)
    while converged and m < n:
        m = min(2 * m, n)
        divide_anew(line, chain, work, m)
        converged = solve_static(line, chain, work, sea, m, time, current, 0.0, 2 * STATIC_ITERATIONS, -1.0)
    return converged if m == n else _from_catenary(line, chain, work, sea, n, time, current)


@compiled_apart
def _from_catenary(line, chain, work, sea, n, time, current):
    """Four tries, each from a catenary; a shape with compressed elements is taken only if no try gives a better one."""
    pressed = -1
    for k in range(5):
        attempt = k if k < 4 else pressed
        if attempt < 0:
            break
        scale = _hang_in_water(line, chain, work, sea, n, time, current)
        hold = (0.0, 1.0, 30.0, 0.0)[attempt] * scale
        if attempt == 3:
            _sink(line, chain, work, sea, n, time, current)
        if solve_static(line, chain, work, sea, n, time, current, hold, 2 * STATIC_ITERATIONS, -1.0):
            if k == 4 or not _is_pressed(chain, n):
                return True
            pressed = attempt
    _hang_in_water(line, chain, work, sea, n, time, current)
    return _sink(line, chain, work, sea, n, time, current)


@compiled_apart
def _sink(line, chain, work, sea, n, time, current):
    """Let it move towards rest in steps of time that grow as long as they converge; True if it lies still then.

    This finds a cable that lies on a structure, through which Newton's method alone would jump.
    """
    dt, head, still = RESCUE_STEP, as_chain(chain), False
    for _ in range(RESCUE_STEPS):
        begin_step(chain, work, n, 0.0)
        keep_ends(chain, n, head)
        if step_in_time(line, chain, work, sea, n, dt, time, current, (0.0, 0.0, 0.0)):
            dt *= LONGER
        else:
            undo(chain, work, n)
            dt *= SHORTER
            still = False
            continue
        fastest = 0.0
        for j in range(1, n):
            v = node(chain, j).v
            fastest = max(fastest, abs(v[0]) + abs(v[1]) + abs(v[2]))
        still = fastest < STILL
    return still


@compiled
def _is_pressed(chain, n):
    """Whether an element is compressed by more than PRESSED of the largest tension."""
    least, largest = inf, 0.0
    for e in range(n):
        tension = node(chain, e).tension
        least, largest = min(least, tension), max(largest, tension)
    return least < -PRESSED * largest


@compiled
def _hang_in_water(line, chain, work, sea, n, time, current):
    """First guess: hanging under its weight and half the drag of the mean flow between its ends.

    Returns the largest load there, N/m.
    """
    head = as_chain(chain)
    a, b = head.ship, head.end
    for j in range(n + 1):
        r, share = node(chain, j).r, j / n
        for k in range(3):
            r[k] = a[k] + share * (b[k] - a[k])
        node(chain, j).length = head.length / n
    head.n, head.element = n, head.length / n
    sample_along(chain, work, sea, n, time, current, (0.0, 0.0, 0.0))
    ux, uy, uz, most = 0.0, 0.0, 0.0, 0.0
    for j in range(n + 1):
        u = scratch(work, j).u
        most = max(most, u[0] * u[0] + u[1] * u[1] + u[2] * u[2])
        ux, uy, uz = ux + u[0] / (n + 1), uy + u[1] / (n + 1), uz + u[2] / (n + 1)
    half = 0.5 * line.normal * sqrt(ux * ux + uy * uy + uz * uz)
    hang(
        line, chain, n, head.length, a[0], a[1], a[2], b[0], b[1], b[2],
        half * ux, half * uy, half * uz + line.weight,
    )  # fmt: skip
    if as_sea(sea).bottom != NO_BOTTOM:
        for j in range(1, n):
            r = node(chain, j).r
            r[2] = min(r[2], bottom_at(sea, r[0], r[1])[0] - 0.5 * line.diameter)
    if as_sea(sea).n_solids > 0.0:
        lift_out(line, chain, sea, n, half * ux, half * uy, half * uz + line.weight)
    return line.normal * most + abs(line.weight) + 1e-6  # never 0: `hold` is a multiple of it


@compiled_apart
def lift_out(line, chain, sea, n, qx, qy, qz):
    """Move nodes that lie in a structure out of it: against the load q, or sideways where that is much shorter.

    Against the load the cable then rests on the structure; sideways it leaves a post instead of climbing it.
    """
    q = sqrt(qx * qx + qy * qy + qz * qz)
    ex, ey, ez = (-qx / q, -qy / q, -qz / q) if q > 0.0 else (0.0, 0.0, -1.0)
    for j in range(1, n):
        r = node(chain, j).r
        deepest, _, _, _ = _deepest(line, sea, r[0], r[1], r[2])
        if deepest == 0.0:
            continue
        way, deep = 0.0, deepest
        for _ in range(LIFTS):
            way += deep + 0.01 * line.diameter  # a little beyond the skin, where rounding does not put it inside again
            deep, _, _, _ = _deepest(line, sea, r[0] + way * ex, r[1] + way * ey, r[2] + way * ez)
            if deep == 0.0:
                break
        if deep == 0.0 and way < SIDEWAYS * deepest:
            r[0], r[1], r[2] = r[0] + way * ex, r[1] + way * ey, r[2] + way * ez
            continue
        for _ in range(LIFTS):
            deep, x, y, z = _deepest(line, sea, r[0], r[1], r[2])
            if deep == 0.0:
                break
            way = deep + 0.01 * line.diameter
            r[0], r[1], r[2] = r[0] + way * x, r[1] + way * y, r[2] + way * z


@compiled_apart
def _deepest(line, sea, x, y, z):
    """Depth of a point of the cable in the structure it is deepest in, m, and the direction out of it."""
    h = as_sea(sea)
    deepest, nx, ny, nz = 0.0, 0.0, 0.0, -1.0
    for i in range(int(h.n_solids)):
        d, a, b, c = solid_distance(sea, int(h.solids_at) + i * N_SOLID, x, y, z)
        if 0.5 * line.diameter - d > deepest:
            deepest, nx, ny, nz = 0.5 * line.diameter - d, a, b, c
    return deepest, nx, ny, nz
