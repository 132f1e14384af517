"""Remeshing of the tether as cable is paid out or hauled in at the ship; the deployed cable stays where it is.

Paying out lengthens the first element. When it is half as long again as the others it is divided; when little of it is
left it is joined with the next. So no node slides through the water with the drum. When there are too many elements,
neighbours are joined in pairs, but not where they touch a structure: a chord would cut through it; when there are too
few, all are halved. Two elements that meet at an angle are longer than the one that replaces them, by which a stiff
cable would lose its tension: `make_room` moves the nodes.
"""

from __future__ import annotations

from math import sqrt

from pelagos.engine.cable.chain import node, scratch, stretch
from pelagos.engine.cable.layout import N_CHAIN, N_NODE, as_chain
from pelagos.engine.compiled import compiled, compiled_apart

SPLIT, JOIN = 1.5, 0.3  # of the length of the other elements; far enough apart that none is split and joined in turn
LEFT = 0.02  # of it, when the first element or the next touches a structure
ROUNDS = 3  # of Newton's method in `make_room`
STRAIGHT = 1e-9  # rad^2, bend below which a cable cannot make room
FARTHEST = 0.1  # of an element, move of a node in a round


@compiled_apart
def pay_out(line, chain, work, more):
    """Pay out `more` metres of cable at the ship (negative hauls in), and split or join elements."""
    head = as_chain(chain)
    head.length += more
    first = node(chain, 0)
    first.length += more
    few = max(int(line.elements) // 2, 2)
    while True:
        n = int(head.n)
        if first.length > SPLIT * head.element:
            if n < int(line.capacity):
                _split(chain, n)
            elif not _join_pairs(chain, work, n):
                break
        elif first.length < JOIN * head.element:
            if n <= few and 2 * n <= int(line.capacity):
                _halve(chain, n)
            elif n <= 2:
                break
            else:
                if _touches(chain, 0, 3) and first.length > LEFT * head.element:
                    break
                _join_first(chain, work, n)
        else:
            break


@compiled
def _touches(chain, first, end):
    """Whether a node from the first to before the end, or its element, touches a structure."""
    push = 0.0
    for j in range(first, end):
        push += node(chain, j).pressed[0] + node(chain, j).pressed[1]
    return push > 0.0


@compiled
def _copy_node(chain, source, to):
    for i in range(N_NODE):
        chain[N_CHAIN + to * N_NODE + i] = chain[N_CHAIN + source * N_NODE + i]


@compiled_apart
def _split(chain, n):
    """Divide the first element: the part at its lower end gets the common length."""
    head = as_chain(chain)
    for j in range(n, -1, -1):  # from the end: no node is overwritten before it is copied
        _copy_node(chain, j, j + 1)
    a, new, b = node(chain, 0), node(chain, 1), node(chain, 2)
    share = head.element / a.length  # from the lower end
    a.length, new.length = a.length - head.element, head.element
    head.n = n + 1.0
    tx, ty, tz, _ = stretch(chain, 1)  # from the ship on: the new node is still there
    t = (tx, ty, tz)
    for k in range(3):
        new.r[k] = b.r[k] + share * (a.r[k] - b.r[k])
        leaving = head.ship_velocity[k] + head.length_rate * t[k]  # what comes off the drum has this velocity
        new.v[k] = b.v[k] + share * (leaving - b.v[k])
        new.grip[k], a.grip[k] = 0.0, 0.0


@compiled_apart
def _halve(chain, n):
    """Divide every element in two; the shape stays."""
    head = as_chain(chain)
    for j in range(n, -1, -1):
        _copy_node(chain, j, 2 * j)
    for j in range(n):
        a, new, b = node(chain, 2 * j), node(chain, 2 * j + 1), node(chain, 2 * j + 2)
        a.length *= 0.5
        new.length, new.tension = a.length, a.tension
        new.pressed[0], new.pressed[1] = 0.0, a.pressed[1]
        for k in range(3):
            new.r[k], new.v[k] = 0.5 * (a.r[k] + b.r[k]), 0.5 * (a.v[k] + b.v[k])
            new.grip[k], new.hold[k] = 0.0, a.hold[k]
    head.n, head.element = 2.0 * n, 0.5 * head.element


@compiled
def _join(chain, e):
    """Let element e take over the next one; its node is still there."""
    a, b = node(chain, e), node(chain, e + 1)
    length = a.length + b.length
    # mean by length; a first element hauled in completely has none
    a.tension = b.tension if a.length <= 0.0 else (a.length * a.tension + b.length * b.tension) / length
    a.length = length
    a.pressed[1] = max(a.pressed[1], b.pressed[1])
    if abs(b.hold[0]) + abs(b.hold[1]) + abs(b.hold[2]) > 0.0:
        for k in range(3):
            a.hold[k] = b.hold[k]


@compiled_apart
def _join_first(chain, work, n):
    """Join the first two elements."""
    head = as_chain(chain)
    for e in range(n):
        scratch(work, max(e - 1, 0)).l = stretch(chain, e)[3] + (scratch(work, 0).l if e == 1 else 0.0)
    _join(chain, 0)
    for j in range(2, n + 1):
        _copy_node(chain, j, j - 1)
    head.n = n - 1.0
    make_room(chain, work, n - 1)


@compiled_apart
def _join_pairs(chain, work, n):
    """Join neighbours from the second element on, but not where a structure is touched; False if there are none."""
    head = as_chain(chain)
    most = 2.02 * head.element  # an element that was left out of the pairing before is twice as long and stays
    scratch(work, 0).l = stretch(chain, 0)[3]
    e, to = 1, 1
    while e < n:
        a, b = node(chain, e), node(chain, e + 1)
        long = stretch(chain, e)[3]
        pair = e + 1 < n and a.length + b.length <= most and not _touches(chain, e - 1, e + 3)
        if pair:
            long += stretch(chain, e + 1)[3]
            _join(chain, e)
        _copy_node(chain, e, to)
        scratch(work, to).l = long
        e += 2 if pair else 1
        to += 1
    _copy_node(chain, n, to)
    if to == n:
        return False
    head.n, head.element = to, 2.0 * head.element
    make_room(chain, work, to)
    return True


@compiled_apart
def make_room(chain, work, n):
    """Move inner nodes as little as possible until every element has the length `l` of its scratch record, m.

    The least sum of squares of the displacements under t . (dr_next - dr) = l - |element|: one multiplier an element,
    coupled to its neighbours only, so the system is tridiagonal.
    """
    for _ in range(ROUNDS):
        for e in range(n):
            s = scratch(work, e)
            tx, ty, tz, l = stretch(chain, e)
            s.t[0], s.t[1], s.t[2], s.law = tx, ty, tz, s.l - l
        above, before = 0.0, 0.0  # of the row before: its upper entry and its right side, both over the pivot
        for e in range(n):
            s = scratch(work, e)
            pivot = (2.0 if 0 < e < n - 1 else 1.0) * (1.0 + STRAIGHT)  # an end node does not move
            side = 0.0
            if e > 0:
                side = -_dot(scratch(work, e - 1).t, s.t)
            pivot -= side * above
            s.law = (s.law - side * before) / pivot
            s.k = -_dot(s.t, scratch(work, e + 1).t) / pivot if e < n - 1 else 0.0
            above, before = s.k, s.law
        for e in range(n - 2, -1, -1):
            s = scratch(work, e)
            s.law -= s.k * scratch(work, e + 1).law
        for j in range(1, n):
            a, b, r = scratch(work, j - 1), scratch(work, j), node(chain, j).r
            x = a.law * a.t[0] - b.law * b.t[0]
            y = a.law * a.t[1] - b.law * b.t[1]
            z = a.law * a.t[2] - b.law * b.t[2]
            far = sqrt(x * x + y * y + z * z)
            most = FARTHEST * b.l
            share = most / far if far > most else 1.0
            r[0] += share * x
            r[1] += share * y
            r[2] += share * z


@compiled
def _dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@compiled_apart
def divide_anew(line, chain, work, n):
    """Divide the cable into n equal elements; positions, velocities and tensions are interpolated along it."""
    head = as_chain(chain)
    old = int(head.n)
    for j in range(old + 1):
        p, s = node(chain, j), scratch(work, j)
        for k in range(3):
            s.u[k], s.a[k] = p.r[k], p.v[k]
        s.law, s.l = p.tension, p.length
    head.element = head.length / n
    e, passed = 0, 0.0
    for j in range(n + 1):
        at = j * head.element
        while e < old - 1 and passed + scratch(work, e).l < at:
            passed += scratch(work, e).l
            e += 1
        s, after, p = scratch(work, e), scratch(work, e + 1), node(chain, j)
        share = min(max((at - passed) / s.l, 0.0), 1.0)
        for k in range(3):
            p.r[k] = s.u[k] + share * (after.u[k] - s.u[k])
            p.v[k] = s.a[k] + share * (after.a[k] - s.a[k])
            p.grip[k], p.hold[k] = 0.0, 0.0
        p.length, p.tension, p.pressed[0], p.pressed[1] = head.element, s.law, 0.0, 0.0
    last = node(chain, n)
    last.length, last.tension = 0.0, 0.0
    head.n = n
