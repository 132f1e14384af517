"""Submerged part of a hull: its share of the volume and its centre.

The hull is a sum of pieces. Each gives a share of the volume and has a closed-form energy: with d the depth of a point
and n = grad d along body axes,

    U = rho g V sum w Phi,   share = sum w dPhi/dd,   first moment = sum w dPhi/dn

so that force -rho g V share n and moment (first moment) x (-rho g V n) are the exact gradient of U: afloat without
damping, nothing gains energy (analytic check B4). Kinds of piece:

- DISCS: thin elliptic sections (or round cells of a mesh) at points p_i, d_i = depth + n . p_i. Point i is blurred over
  h_i = size_i sqrt(n^T C n) along n and wet to F(d_i/h_i), F the area of a circle below a chord, made C2 by a
  polynomial (error 0.04 % of the area). Phi = h P(d/h), P' = F, dPhi/dn = p F + M dh/dn with M = P - s F.
  C = 0: a sharp point, wet when d > 0, the cloud of Hunt & Whitcomb (errata H2, H3, H15).
- STACK: discs on a line along x, y or z (STACK, STACK + 1, STACK + 2); the same with less work.
- TAPER: a stack whose section changes shape. It is cut into strands of equally many discs, each with its own C along
  body axes. The kernel takes eight strands side by side, a disc of each at a time, and so they are stored.
- BRICK: a box along body axes, exact: the cubic B-spline of its corner depths. Half widths along n are
  a_j^2 = (n_j e_j)^2 + EDGE^2 sum (n_k e_k)^2; the last term keeps a level box smooth (C2; error EDGE/6 of the volume).

Reference: Hunt & Whitcomb, (5)-(7), sect. III.B. Frames: body axes about O. Units: m; shares of the volume of the
vehicle. Valid: the surface is a plane over the length of the hull. Written by `vehicle/pack/hull.py`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from pelagos.engine.compiled import compiled, compiled_apart
from pelagos.engine.core.algebra import Vec3, clip
from pelagos.engine.core.lanes import constant, pick, put, sqrt, where_less, width
from pelagos.engine.core.neighbours import EIGHT, eight, sum_of_eight
from pelagos.engine.core.views import Layout, LayoutField, viewer
from pelagos.engine.water.sea import as_hull

DISCS, BRICK, STACK, TAPER = 0, 1, 2, 5  # kinds; the axis of a stack (2 to 4) or taper (5 to 7) is added to it
RUNS = 6  # x, y, z, share, share times size, 1/size of all points, one run after another
EDGE = 0.004  # 1: rounding of a brick's edges, smooth when level, with an error of EDGE/6 of the volume
SHARP = 1e-12  # m, narrowest blur

WET_PIECE = Layout(
    "WetPiece",
    (
        LayoutField("kind", "DISCS, BRICK, or STACK or TAPER plus the number of its axis"),
        LayoutField("first", "number of its first point"),
        LayoutField("count", "points; 1 for a brick, whole eights for a taper"),
        LayoutField("spread", "m^2: xx yy zz xy xz yz of C; brick: squares of its half lengths first", 6),
        LayoutField("middle", "m, of the box along body axes that holds it, blur included", 3),
        LayoutField("half", "m, half lengths of that box", 3),
        LayoutField("share", "of the volume, all of the piece"),
        LayoutField("moment", "m, its first moment", 3),
        LayoutField("eights", "taper: how many times eight strands"),
        LayoutField("first_eight", "taper: number of its first eight"),
    ),
)
as_wet_piece = viewer(WET_PIECE)
N_PIECE = WET_PIECE.size


def _ramp(density: tuple[float, ...]) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """From F' = sum k_j t^j, t = 1 - s^2, the polynomials A and B of F = 1/2 + s A(t) and M = t^3 B(t).

    F' = A - 2 (1 - t) dA/dt gives k_j = (1 + 2j) a_j - 2 (j + 1) a_(j+1); M' = -s F' gives dM/dt = F'/2. Scaled so that
    A(0) = 1/2: F ends at exactly 0 and 1. F' starts with t^2, so F is C2 where the ramp ends.
    """
    top = len(density) + 2
    k = (0.0, 0.0, *density)
    a = [0.0] * (top + 1)
    for j in range(top - 1, -1, -1):
        a[j] = (k[j] + 2.0 * (j + 1) * a[j + 1]) / (1.0 + 2.0 * j)
    scale = 0.5 / a[0]
    return tuple(scale * x for x in a[:top]), tuple(scale * k[j] / (2.0 * (j + 1)) for j in range(2, top))


# Least greatest error in F and 2 M against a circle of radius 1/(1 + OVERHANG), F' never negative (linear programming).
OVERHANG = 0.015
_A, _B = _ramp((51.0527, -537.2244, 2647.9159, -7311.6719, 11929.6242, -11416.1948, 5923.2725, -1286.1354))
A1, A2, A3, A4, A5, A6, A7, A8, A9 = _A[1:]
B0, B1, B2, B3, B4, B5, B6, B7 = _B


class Wet(NamedTuple):
    """Submerged part of a hull: its share of the volume, and the share's first moment about O (m)."""

    share: Any
    x: Any
    y: Any
    z: Any


@compiled
def ramp(s):
    """Submerged share F of a disc at s = d/h between -1 and 1, and its first moment M along n in units of h."""
    t = 1.0 - s * s
    f = A9
    f = ((((((((f * t + A8) * t + A7) * t + A6) * t + A5) * t + A4) * t + A3) * t + A2) * t + A1) * t + 0.5
    m = ((((((B7 * t + B6) * t + B5) * t + B4) * t + B3) * t + B2) * t + B1) * t + B0
    return 0.5 + s * f, t * t * t * m


@compiled
def is_deep(hull, depth, normal):
    """Whether the hull is fully submerged for every vehicle of a block; O lies `depth` below the surface."""
    head = as_hull(hull)
    if head.n_points == 0.0:
        return True
    room = room_above(hull, depth, normal)
    for i in range(width(room)):
        if not pick(room, i) >= 0.0:  # also for NaN
            return False
    return True


@compiled
def room_above(hull, depth, normal):
    """Depth of the highest point the hull can have in any attitude, m; below 0 some part may be dry."""
    n2 = normal.x * normal.x + normal.y * normal.y + normal.z * normal.z
    return depth - as_hull(hull).reach * sqrt(n2)


@compiled
def wet(hull, depth, normal):
    """Submerged part of the hull; `normal` is the gradient of depth along body axes."""
    head = as_hull(hull)
    total = int(head.n_points)
    points, pieces, strands = hull[int(head.points_at) :], hull[int(head.pieces_at) :], hull[int(head.strands_at) :]
    zero = constant(0.0, depth)
    result = Wet(zero, zero, zero, zero)
    n_others = int(head.n_pieces) - int(head.n_tapers)
    for j in range(n_others):
        piece = as_wet_piece(pieces[j * N_PIECE :])
        side = _side(piece, depth, normal)
        if side == 0:
            piece_points = points[int(piece.first) :]
            if piece.kind == BRICK:
                part = _brick(piece_points, total, piece, depth, normal)
            elif piece.kind == DISCS:
                part = _discs(piece_points, total, piece, depth, normal)
            else:
                part = _stack(piece_points, total, piece, depth, normal)
            result = _sum(result, _per_vehicle(piece, depth, normal, part))
        elif side > 0:
            result = _sum(result, _all_of(piece))
    for j in range(int(head.n_tapers)):  # a loop of its own: `_taper` is not inlined, the others are
        piece = as_wet_piece(pieces[(n_others + j) * N_PIECE :])
        side = _side(piece, depth, normal)
        if side == 0:
            piece_points = points[int(piece.first) :]
            part = _taper(piece_points, total, strands, piece, depth, normal)
            result = _sum(result, _per_vehicle(piece, depth, normal, part))
        elif side > 0:
            result = _sum(result, _all_of(piece))
    return result


@compiled
def _sum(a, b):
    return Wet(a.share + b.share, a.x + b.x, a.y + b.y, a.z + b.z)


@compiled
def _all_of(piece):
    """The whole piece."""
    m = piece.moment
    return Wet(piece.share, m[0], m[1], m[2])


@compiled
def _box(piece, depth, normal):
    """Depth of the middle of the box about the piece, and half its height."""
    n, c, half = normal, piece.middle, piece.half
    middle = depth + n.x * c[0] + n.y * c[1] + n.z * c[2]
    return middle, abs(n.x) * half[0] + abs(n.y) * half[1] + abs(n.z) * half[2]


@compiled
def _per_vehicle(piece, depth, normal, part):
    """`part` for the vehicles of a block whose box the surface cuts; the whole piece, or nothing of it, for others.

    So the result of a vehicle does not depend on its neighbours in the block, to the last bit.
    """
    middle, room = _box(piece, depth, normal)
    whole = _all_of(piece)
    return Wet(
        _between(middle, room, part.share, whole.share),
        _between(middle, room, part.x, whole.x),
        _between(middle, room, part.y, whole.y),
        _between(middle, room, part.z, whole.z),
    )


@compiled
def _between(middle, room, part, whole):
    return where_less(-room, middle, where_less(middle, room, part, whole), 0.0)


@compiled
def _side(piece, depth, normal):
    """1 if the box about the piece is under water for all vehicles of a block, -1 if out of it for all, else 0."""
    middle, room = _box(piece, depth, normal)
    under, out = 0, 0
    for i in range(width(middle)):
        d, r = pick(middle, i), pick(room, i)
        if d >= r:
            under += 1
        if d <= -r:
            out += 1
    if under == width(middle):
        return 1
    return -1 if out == width(middle) else 0


@compiled
def _blur(piece, n):
    """(C n / h, 1/h): how the half width along n changes with n, and one over it."""
    c = piece.spread
    cx = c[0] * n.x + c[3] * n.y + c[4] * n.z
    cy = c[3] * n.x + c[1] * n.y + c[5] * n.z
    cz = c[4] * n.x + c[5] * n.y + c[2] * n.z
    per_h = 1.0 / sqrt(cx * n.x + cy * n.y + cz * n.z + SHARP * SHARP)
    return Vec3(cx * per_h, cy * per_h, cz * per_h), per_h


@compiled
def _discs(points, total, piece, depth, normal):
    widen, per_h = _blur(piece, normal)
    # six runs of all points, see RUNS; the points of this piece come first in each
    xs, ys, zs = points, points[total:], points[2 * total :]
    shares, shares_sizes, per_sizes = points[3 * total :], points[4 * total :], points[5 * total :]
    d0, nx, ny, nz = depth * per_h, normal.x * per_h, normal.y * per_h, normal.z * per_h
    share = constant(0.0, per_h)
    x, y, z, moment = share, share, share, share
    for i in range(int(piece.count)):
        f, m = ramp(clip((d0 + nx * xs[i] + ny * ys[i] + nz * zs[i]) * per_sizes[i], 1.0))
        f = f * shares[i]
        share += f
        x += f * xs[i]
        y += f * ys[i]
        z += f * zs[i]
        moment += m * shares_sizes[i]
    return Wet(share, x + moment * widen.x, y + moment * widen.y, z + moment * widen.z)


@compiled
def _line(points, total, axis):
    """The point of the line of a stack that has 0 along the axis."""
    x = 0.0 if axis == 0 else points[0]
    y = 0.0 if axis == 1 else points[total]
    z = 0.0 if axis == 2 else points[2 * total]
    return x, y, z


@compiled
def _stack(points, total, piece, depth, normal):
    axis = int(piece.kind) - STACK
    widen, per_h = _blur(piece, normal)
    us = points[axis * total :]
    shares, shares_sizes, per_sizes = points[3 * total :], points[4 * total :], points[5 * total :]
    x0, y0, z0 = _line(points, total, axis)
    d0 = (depth + normal.x * x0 + normal.y * y0 + normal.z * z0) * per_h
    n = (normal.x if axis == 0 else normal.y if axis == 1 else normal.z) * per_h
    share = constant(0.0, per_h)
    along, moment = share, share
    for i in range(int(piece.count)):
        f, m = ramp(clip((d0 + n * us[i]) * per_sizes[i], 1.0))
        f = f * shares[i]
        share += f
        along += f * us[i]
        moment += m * shares_sizes[i]
    zero = constant(0.0, per_h)
    return Wet(
        share,
        share * x0 + (along if axis == 0 else zero) + moment * widen.x,
        share * y0 + (along if axis == 1 else zero) + moment * widen.y,
        share * z0 + (along if axis == 2 else zero) + moment * widen.z,
    )


@compiled_apart
def _taper(points, total, strands, piece, depth, normal):
    """Submerged part of a taper, one vehicle after another in double precision: the lanes are strands."""
    axis = int(piece.kind) - TAPER
    eights = int(piece.eights)
    each = int(piece.count) // eights
    us = points[axis * total :]
    shares, shares_sizes, per_sizes = points[3 * total :], points[4 * total :], points[5 * total :]
    x0, y0, z0 = _line(points, total, axis)
    none = eight(shares, 0) * 0.0  # eight zeros
    zero = constant(0.0, depth)
    share, x, y, z = zero, zero, zero, zero
    for i in range(width(depth)):
        nx, ny, nz = pick(normal.x, i), pick(normal.y, i), pick(normal.z, i)
        d0 = pick(depth, i) + nx * x0 + ny * y0 + nz * z0
        n = nx if axis == 0 else ny if axis == 1 else nz
        wet_shares, along, px, py, pz = none, none, none, none, none
        for k in range(eights):
            at = 3 * EIGHT * (int(piece.first_eight) + k)
            cx, cy, cz = eight(strands, at), eight(strands, at + EIGHT), eight(strands, at + 2 * EIGHT)
            per_h = 1.0 / sqrt(cx * (nx * nx) + cy * (ny * ny) + cz * (nz * nz) + SHARP * SHARP)
            s0, slope, moment = per_h * d0, per_h * n, none
            for j in range(k * each, (k + 1) * each, EIGHT):
                u = eight(us, j)
                f, m = ramp(clip((s0 + slope * u) * eight(per_sizes, j), 1.0))
                f = f * eight(shares, j)
                wet_shares, along = wet_shares + f, along + f * u
                moment = moment + m * eight(shares_sizes, j)
            moment = moment * per_h
            px, py, pz = px + moment * cx, py + moment * cy, pz + moment * cz
        total_share, line = sum_of_eight(wet_shares), sum_of_eight(along)
        share = put(share, i, total_share)
        x = put(x, i, total_share * x0 + (line if axis == 0 else 0.0) + nx * sum_of_eight(px))
        y = put(y, i, total_share * y0 + (line if axis == 1 else 0.0) + ny * sum_of_eight(py))
        z = put(z, i, total_share * z0 + (line if axis == 2 else 0.0) + nz * sum_of_eight(pz))
    return Wet(share, x, y, z)


@compiled
def _brick(points, total, piece, depth, normal):
    """Submerged part of a brick, one vehicle after another in double precision: the corners' cubes nearly cancel."""
    zero = constant(0.0, depth)
    share, x, y, z = zero, zero, zero, zero
    px, py, pz, w = points[0], points[total], points[2 * total], points[3 * total]
    e1, e2, e3 = piece.spread[0], piece.spread[1], piece.spread[2]
    for i in range(width(depth)):
        n1, n2, n3 = pick(normal.x, i), pick(normal.y, i), pick(normal.z, i)
        f, d1, d2, d3 = _cut(pick(depth, i) + n1 * px + n2 * py + n3 * pz, n1 * n1 * e1, n2 * n2 * e2, n3 * n3 * e3)
        share = put(share, i, w * f)
        x = put(x, i, w * (px * f + n1 * e1 * d1))
        y = put(y, i, w * (py * f + n2 * e2 * d2))
        z = put(z, i, w * (pz * f + n3 * e3 * d3))
    return Wet(share, x, y, z)


@compiled
def _cut(d, q1, q2, q3):
    """Wet share of a box whose middle is at depth d, and 2 dPhi/dq_j, q_j the squares of (n_j e_j).

    With half widths a_j and t = d + s1 a1 + s2 a2 + s3 a3 over all signs:
    F = sum s1 s2 s3 max(t, 0)^3 / (48 a1 a2 a3), Phi = sum s1 s2 s3 max(t, 0)^4 / (192 a1 a2 a3).
    """
    least = EDGE * EDGE * (q1 + q2 + q3)
    a1, a2, a3 = sqrt(q1 + least), sqrt(q2 + least), sqrt(q3 + least)
    if d >= a1 + a2 + a3:  # fully submerged: the sum below would lose digits
        return 1.0, 0.0, 0.0, 0.0
    f, energy, g1, g2, g3 = 0.0, 0.0, 0.0, 0.0, 0.0
    for corner in range(8):
        # the three bits of the corner number as signs
        s1, s2, s3 = 1.0 - 2.0 * (corner & 1), 1.0 - (corner & 2), 1.0 - 0.5 * (corner & 4)
        t = d + s1 * a1 + s2 * a2 + s3 * a3
        if t > 0.0:
            cube = s1 * s2 * s3 * t * t * t
            f += cube
            energy += cube * t
            g1 += s1 * cube
            g2 += s2 * cube
            g3 += s3 * cube
    scale = 1.0 / (48.0 * a1 * a2 * a3)
    energy = 0.25 * energy * scale
    # dPhi/da_j over a_j, and what the common term of all a_j adds
    g1 = (g1 * scale - energy / a1) / a1
    g2 = (g2 * scale - energy / a2) / a2
    g3 = (g3 * scale - energy / a3) / a3
    common = EDGE * EDGE * (g1 + g2 + g3)
    return f * scale, g1 + common, g2 + common, g3 + common
