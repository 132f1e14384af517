"""Access to the tether's kernel for tests: entry points for single functions, and records by name."""

from __future__ import annotations

import numpy as np

from pelagos.engine.cable import layout as rec
from pelagos.engine.cable.chain import assemble, eliminate, end_forces, end_stiffness, move, node
from pelagos.engine.cable.layout import as_chain, as_line
from pelagos.engine.cable.load import drag, uniaxial
from pelagos.engine.cable.newton import begin_step, keep_ends, step_in_time
from pelagos.engine.cable.start import hang
from pelagos.engine.cable.water import sample_along
from pelagos.engine.compiled import entry
from pelagos.engine.core.views import as_numbers


@entry
def ask_drag(cn, ct, u, t, force, by_u, by_t):
    """Drag and its derivatives into arrays of 3, 9 and 9."""
    force[0], force[1], force[2], m, n = drag(cn, ct, u[0], u[1], u[2], t[0], t[1], t[2])
    by_u[0], by_u[1], by_u[2], by_u[3], by_u[4], by_u[5], by_u[6], by_u[7], by_u[8] = m
    by_t[0], by_t[1], by_t[2], by_t[3], by_t[4], by_t[5], by_t[6], by_t[7], by_t[8] = n


@entry
def ask_uniaxial(t, along, across, out):
    """`uniaxial` into nine numbers."""
    out[0], out[1], out[2], out[3], out[4], out[5], out[6], out[7], out[8] = uniaxial(t[0], t[1], t[2], along, across)


@entry
def ask_assemble(line, chain, work, n, per_dt, hold, least):
    """Assemble the equations."""
    assemble(as_line(line), as_numbers(chain), as_numbers(work), n, per_dt, hold, least, False)


@entry
def ask_eliminate(chain, work, n):
    """Solve them."""
    eliminate(as_numbers(chain), as_numbers(work), n)


@entry
def ask_move(chain, work, n):
    """Take the moves, and the forces and stiffness at the ends; returns what was not foreseen."""
    state = as_numbers(chain)
    head = as_chain(state)
    worst = move(state, as_numbers(work), n, 1.0)
    end_stiffness(head, state, as_numbers(work), n)
    end_forces(head, as_numbers(work), n, True)
    return worst


@entry
def ask_hang(line, chain, n, length, a, b, q):
    """The first guess."""
    hang(as_line(line), as_numbers(chain), n, length, a[0], a[1], a[2], b[0], b[1], b[2], q[0], q[1], q[2])


@entry
def ask_water(chain, work, sea, n, time, current, rate):
    """The water at the nodes."""
    sample_along(as_numbers(chain), as_numbers(work), as_numbers(sea), n, time, as_numbers(current), as_numbers(rate))


@entry
def ask_step(line, chain, work, sea, current, dt, end, velocity, new):
    """One step of time in which the vehicle's end goes from `end`, where it has `velocity`, to `new`; no drum."""
    state, scr = as_numbers(chain), as_numbers(work)
    head = as_chain(state)
    n = int(head.n)
    last = node(state, n)
    for k in range(3):
        last.r[k], last.v[k], head.end[k] = end[k], velocity[k], new[k]
    begin_step(state, scr, n, dt)
    keep_ends(state, n, head)
    sound = step_in_time(
        as_line(line), state, scr, as_numbers(sea), n, dt, head.time + dt, as_numbers(current), (0.0, 0.0, 0.0)
    )
    for k in range(3):
        head.pull[k] = head.force_b[k]
    head.pieces = 1.0
    return sound


class Bare:
    """The arrays of a tether of n elements, with names."""

    def __init__(self, n, **settings):
        self.n = n
        self.line = rec.LINE.flat(rec.LINE.record())
        self.chain = np.zeros(rec.chain_size(n))
        self.work = np.zeros(rec.scratch_size(n))
        given = {"elements": n, "capacity": n, "stiffness": 1e5, "mass": 0.4, "diameter": 0.02, **settings}
        for name, value in given.items():
            self.settings[name] = value

    @property
    def settings(self):
        return self.line.view(rec.LINE.dtype)[0]

    @property
    def head(self):
        return self.chain[: rec.N_CHAIN].view(rec.CHAIN.dtype)[0]

    @property
    def nodes(self):
        return self.chain[rec.N_CHAIN :].view(rec.NODE.dtype)

    @property
    def scratch(self):
        return self.work[: (self.n + 1) * rec.N_SCRATCH].view(rec.SCRATCH.dtype)

    def matrix(self):
        """The assembled blocks as one matrix: minus the derivative of the forces by the places."""
        n = self.n
        full = np.zeros((3 * n + 3, 3 * n + 3))
        for j, s in enumerate(self.scratch):
            here, after = slice(3 * j, 3 * j + 3), slice(3 * j + 3, 3 * j + 6)
            full[here, here] = s["diag"].reshape(3, 3)
            if j < n:
                full[here, after], full[after, here] = s["up"].reshape(3, 3), s["low"].reshape(3, 3)
        return full
