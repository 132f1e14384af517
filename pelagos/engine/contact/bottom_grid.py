"""Where a hull touches a bottom grid: contacts whose gap and normal change little when the pose changes little.

The surface is bilinear between its nodes. Which two features meet fixes the normal: a corner of a box on a cell, that
of the surface; an edge of a box across the side of a cell, the one at right angles to both; a node under a face, that
of the face. A pair counts only if its normal lies between the faces that meet at each of the two features: elsewhere a
neighbour of one of them is deeper. A saddle, as each cell is, never touches a face with its middle. Round forms: their
lowest point over each cell, and sides and nodes against their skin. Outside the grid its rim goes on level.
"""

from __future__ import annotations

from math import floor, sqrt

from pelagos.engine.compiled import compiled, compiled_apart
from pelagos.engine.contact.convex import least_along
from pelagos.engine.contact.obstacles import bottom_at
from pelagos.engine.contact.patch import add_contact
from pelagos.engine.contact.shapes import distance, farthest
from pelagos.engine.water.sea import BOX, CYLINDER, GRID_BOTTOM, SEA, SPHERE

BOTTOM, HEIGHTS = SEA.offset("bottom")[0], SEA.offset("grid_at")[0]  # single numbers of the header compile faster
ORIGIN, STEP, COUNT = SEA.offset("grid_origin")[0], SEA.offset("grid_step")[0], SEA.offset("grid_count")[0]
SLACK = 0.02  # rad by which a normal may lie outside what its features allow: faces that lie on each other count
STEEP = 0.05  # least share of the vertical in a normal
BESIDE = 0.01  # m: a point this near to a valley may touch both of its sides
RIDGE = 2e-3  # m: beside a ridge the normal turns over this way
ALONG = 0.05  # rad between an edge and a side below which they count, more and more, as parallel
MOST_CELLS = 1e7
FEW = 20  # nodes under a form that are all kept


@compiled_apart
def node_depth(sea, i, j):
    """z of the bottom at a node."""
    rows, columns = int(sea[COUNT]), int(sea[COUNT + 1])
    return sea[int(sea[HEIGHTS]) + min(max(i, 0), rows - 1) * columns + min(max(j, 0), columns - 1)]


@compiled_apart
def cell_at(sea, i, j, x, y):
    """Depth of the cell (i, j), continued beyond its sides, at a point, and its increase per metre north and east."""
    u, v = (x - sea[ORIGIN]) / sea[STEP] - i, (y - sea[ORIGIN + 1]) / sea[STEP + 1] - j
    z00, z01 = node_depth(sea, i, j), node_depth(sea, i, j + 1)
    z10, z11 = node_depth(sea, i + 1, j), node_depth(sea, i + 1, j + 1)
    z0, z1 = z00 + v * (z01 - z00), z10 + v * (z11 - z10)
    across = (z01 - z00 + u * ((z11 - z10) - (z01 - z00))) / sea[STEP + 1]
    return z0 + u * (z1 - z0), (z1 - z0) / sea[STEP], across


@compiled_apart
def add_over(px, py, pz, deep, along, across, margin, traits, found, n):
    """Contact of a point with a slope: the height above it times the cosine, exact over a plane."""
    up = 1.0 / sqrt(1.0 + along * along + across * across)
    gap = (deep - pz) * up
    if gap < margin:
        n = add_contact(found, n, px, py, pz, along * up, across * up, -up, gap, traits)
    return n


@compiled_apart
def add_above(sea, px, py, pz, margin, traits, found, n):
    """Contacts of one point of the skin with the bottom under it: in a valley with both of its sides."""
    if sea[BOTTOM] != GRID_BOTTOM:
        deep, along, across = bottom_at(sea, px, py)
        return add_over(px, py, pz, deep, along, across, margin, traits, found, n)
    u, v = (px - sea[ORIGIN]) / sea[STEP], (py - sea[ORIGIN + 1]) / sea[STEP + 1]
    if not abs(u) + abs(v) < MOST_CELLS:
        return n
    i, j = floor(u), floor(v)
    deep, along, across = cell_at(sea, i, j, px, py)
    own_along, own_across = along, across
    for side in range(4):
        to, share = (1 if side & 1 else -1), (v - j if side & 2 else u - i)
        aside = (1.0 - share if side & 1 else share) * sea[STEP + (side >> 1)]
        if aside < BESIDE:
            other, down, over = cell_at(sea, i if side & 2 else i + to, j + to if side & 2 else j, px, py)
            if other >= deep:
                n = add_over(px, py, pz, other, down, over, margin, traits, found, n)
            elif aside < RIDGE:
                turn = 0.5 - 0.5 * aside / RIDGE
                along, across = along + turn * (down - own_along), across + turn * (over - own_across)
    return add_over(px, py, pz, deep, along, across, margin, traits, found, n)


@compiled
def allowed(nx, ny, nz, dx, dy, dz):
    """Whether the surface falls away from the normal along d, or all but."""
    return nx * dx + ny * dy + nz * dz <= SLACK * sqrt(dx * dx + dy * dy + dz * dz)


@compiled_apart
def on_node(sea, i, j, nx, ny, nz):
    """Whether a normal can be that of a contact with a node: no side goes on beyond it."""
    z = node_depth(sea, i, j)
    a, b = sea[STEP], sea[STEP + 1]
    return (
        allowed(nx, ny, nz, a, 0.0, node_depth(sea, i + 1, j) - z)
        and allowed(nx, ny, nz, -a, 0.0, node_depth(sea, i - 1, j) - z)
        and allowed(nx, ny, nz, 0.0, b, node_depth(sea, i, j + 1) - z)
        and allowed(nx, ny, nz, 0.0, -b, node_depth(sea, i, j - 1) - z)
    )


@compiled_apart
def walk_edge(sea, box, k, su, sv, block, margin, traits, found, n):
    """One edge of a box, along its axis k, over the cells under it: where it crosses sides or bends nearest to one.

    Of every `block` crossings the deepest counts.
    """
    i, j = (k + 1) % 3, (k + 2) % 3
    s, t, r = su * box[13 + i], sv * box[13 + j], box[13 + k]
    fx, fy, fz = su * box[4 + i], su * box[7 + i], su * box[10 + i]  # the two faces that meet in it
    gx, gy, gz = sv * box[4 + j], sv * box[7 + j], sv * box[10 + j]
    ex, ey, ez = box[4 + k], box[7 + k], box[10 + k]
    ax = box[1] + s * box[4 + i] + t * box[4 + j] - r * ex
    ay = box[2] + s * box[7 + i] + t * box[7 + j] - r * ey
    az = box[3] + s * box[10 + i] + t * box[10 + j] - r * ez
    u, v = (ax - sea[ORIGIN]) / sea[STEP], (ay - sea[ORIGIN + 1]) / sea[STEP + 1]
    du, dv = 2.0 * r * ex / sea[STEP], 2.0 * r * ey / sea[STEP + 1]
    if not abs(u) + abs(v) + abs(du) + abs(dv) < MOST_CELLS:
        return n
    i, j = floor(u), floor(v)
    at, before = 0.0, cell_at(sea, i, j, ax, ay)[0] - az
    least, cx, cy, cz, mx, my, mz = margin, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for count in range(int(abs(du) + abs(dv)) + 4):
        to_u = (i + 1 - u) / du if du > 0.0 else ((i - u) / du if du < 0.0 else 2.0)
        to_v = (j + 1 - v) / dv if dv > 0.0 else ((j - v) / dv if dv < 0.0 else 2.0)
        end = max(at, min(1.0, min(to_u, to_v)))
        way = 2.0 * r * end
        px, py, pz = ax + way * ex, ay + way * ey, az + way * ez
        deep, along, across = cell_at(sea, i, j, px, py)
        after = deep - pz
        way = r * (at + end)
        middle = cell_at(sea, i, j, ax + way * ex, ay + way * ey)[0] - (az + way * ez)
        bend, slope = 2.0 * (before - 2.0 * middle + after), 4.0 * middle - 3.0 * before - after
        if bend > 1e-12 and -2.0 * bend < slope < 0.0 and middle - bend < 2.0 * margin:
            way = 2.0 * r * (at - 0.5 * slope / bend * (end - at))
            qx, qy, qz = ax + way * ex, ay + way * ey, az + way * ez
            low, down, over = cell_at(sea, i, j, qx, qy)
            bound = -SLACK * sqrt(1.0 + down * down + over * over)
            if fz - down * fx - over * fy >= bound and gz - down * gx - over * gy >= bound:
                n = add_over(qx, qy, qz, low, down, over, margin, traits, found, n)
        if end >= 1.0:
            break
        if to_u < to_v:
            i += 1 if du > 0.0 else -1
        else:
            j += 1 if dv > 0.0 else -1
        _deep, down, over = cell_at(sea, i, j, px, py)  # the cell beyond the side
        if to_u < to_v:  # a side along east
            sx, sy, sz, turn, here, there = 0.0, 1.0, across, (1.0 if du > 0.0 else -1.0), along, down
        else:
            sx, sy, sz, turn, here, there = 1.0, 0.0, along, (1.0 if dv > 0.0 else -1.0), across, over
        size = 1.0 / sqrt(1.0 + sz * sz)
        nx, ny, nz = (ey * sz - ez * sy) * size, (ez * sx - ex * sz) * size, (ex * sy - ey * sx) * size
        sine = sqrt(nx * nx + ny * ny + nz * nz)
        share = min(1.0, sine * sine / (ALONG * ALONG))
        size = 1.0 / sqrt(4.0 + (along + down) ** 2 + (across + over) ** 2)
        part = share / sine if sine > 0.0 else 0.0
        part, size = (-part if nz > 0.0 else part), (1.0 - share) * size
        nx, ny, nz = part * nx + (along + down) * size, part * ny + (across + over) * size, part * nz - 2.0 * size
        size = 1.0 / sqrt(nx * nx + ny * ny + nz * nz)
        nx, ny, nz = nx * size, ny * size, nz * size
        if (
            after * -nz < least
            and nz < -STEEP
            and nx * fx + ny * fy + nz * fz <= SLACK
            and nx * gx + ny * gy + nz * gz <= SLACK
            and allowed(nx, ny, nz, -turn * sy, -turn * sx, -turn * here)
            and allowed(nx, ny, nz, turn * sy, turn * sx, turn * there)
        ):
            least, cx, cy, cz, mx, my, mz = after * -nz, px, py, pz, nx, ny, nz
        if least < margin and count % block == block - 1:
            n = add_contact(found, n, cx, cy, cz, mx, my, mz, least, traits)
            least = margin
        at, before = end, after
    if least < margin:
        n = add_contact(found, n, cx, cy, cz, mx, my, mz, least, traits)
    return n


@compiled_apart
def meet_node(sea, form, i, j, px, py, pz, margin, out):
    """Gap of a node to a form, 1e300 if they do not meet. out: outward normal of the form there."""
    if form[0] != BOX:
        d, nx, ny, nz = distance(form, px, py, pz)
        if d >= margin or nz <= 0.0 or (form[0] == CYLINDER and not on_node(sea, i, j, -nx, -ny, -nz)):
            return 1e300
        out[0], out[1], out[2] = nx, ny, nz
        return d
    gap = -1e300
    dx, dy, dz = px - form[1], py - form[2], pz - form[3]
    for k in range(3):
        turn = 1.0 if form[10 + k] > 0.0 else -1.0
        nx, ny, nz = turn * form[4 + k], turn * form[7 + k], turn * form[10 + k]
        d = nx * dx + ny * dy + nz * dz - form[13 + k]
        if nz < STEEP or d >= margin or d <= gap or d < -2.0 * form[13 + k]:
            continue
        a, b = (k + 1) % 3, (k + 2) % 3
        if abs(form[4 + a] * dx + form[7 + a] * dy + form[10 + a] * dz) > form[13 + a] + 1e-9:
            continue
        if abs(form[4 + b] * dx + form[7 + b] * dy + form[10 + b] * dz) > form[13 + b] + 1e-9:
            continue
        if on_node(sea, i, j, -nx, -ny, -nz):
            gap = d
            out[0], out[1], out[2] = nx, ny, nz
    return gap if gap > -1e299 else 1e300


@compiled_apart
def add_side(form, ax, ay, az, bx, by, bz, margin, traits, found, n):
    """Contact of a side of a cell with a round form: its nearest point."""
    dx, dy, dz = bx - ax, by - ay, bz - az
    long = sqrt(dx * dx + dy * dy + dz * dz)
    if distance(form, 0.5 * (ax + bx), 0.5 * (ay + by), 0.5 * (az + bz))[0] > 0.5 * long + margin:
        return n
    s = least_along(form, ax, ay, az, bx, by, bz)[0]
    px, py, pz = ax + s * dx, ay + s * dy, az + s * dz
    d, nx, ny, nz = distance(form, px, py, pz)
    if form[0] == CYLINDER and d < 0.0 and abs(nx * dx + ny * dy + nz * dz) > 1e-3 * long and 1e-6 < s < 1.0 - 1e-6:
        x, y, z = px - form[1], py - form[2], pz - form[3]  # across its rim: at right angles to the side
        t = form[4] * x + form[7] * y + form[10] * z
        cap = 1.0 if t > 0.0 else -1.0
        x, y, z = x - t * form[4], y - t * form[7], z - t * form[10]
        rho = 1.0 / sqrt(x * x + y * y + z * z)
        x, y, z = x * rho, y * rho, z * rho
        a, b = x * dx + y * dy + z * dz, cap * (form[4] * dx + form[7] * dy + form[10] * dz)
        size = sqrt(a * a + b * b)
        a, b = abs(a) / size, abs(b) / size
        nx, ny, nz = a * cap * form[4] + b * x, a * cap * form[7] + b * y, a * cap * form[10] + b * z
        d *= a + b
    if d < margin and nz > 0.0:
        n = add_contact(found, n, px - d * nx, py - d * ny, pz - d * nz, -nx, -ny, -nz, d, traits)
    return n


@compiled_apart
def lowest_point(form, end, along, across, out):
    """Point of a round form deepest below a slope: of its end (-1 or 1) or its middle (0); of an ellipsoid, of all."""
    lx, ly, lz = -along, -across, 1.0
    if form[0] == SPHERE:
        out[0], out[1], out[2] = farthest(form, 0.0, lx, ly, lz)
        return
    t = end * form[13]
    part = lx * form[4] + ly * form[7] + lz * form[10]
    if form[0] == CYLINDER or part * end < 0.0 or end == 0:
        lx, ly, lz = lx - part * form[4], ly - part * form[7], lz - part * form[10]
    size = sqrt(lx * lx + ly * ly + lz * lz)
    size = form[14] / size if size > 1e-6 else 0.0
    out[0] = form[1] + t * form[4] + size * lx
    out[1] = form[2] + t * form[7] + size * ly
    out[2] = form[3] + t * form[10] + size * lz


@compiled_apart
def roll_over(sea, form, i, j, margin, traits, found, n, out):
    """Lowest points of a round form over one cell; those beyond its sides are the neighbours' or the sides'."""
    west, south = sea[ORIGIN + 1] + j * sea[STEP + 1], sea[ORIGIN] + i * sea[STEP]
    for end in range(-1, 2):
        if form[0] == SPHERE and end != 0:
            continue
        t = end * form[13] if form[0] != SPHERE else 0.0
        px, py = form[1] + t * form[4], form[2] + t * form[7]
        for _ in range(4):
            qx, qy = min(max(px, south), south + sea[STEP]), min(max(py, west), west + sea[STEP + 1])
            _deep, along, across = cell_at(sea, i, j, qx, qy)
            lowest_point(form, end, along, across, out)
            px, py = out[0], out[1]
        if south <= px <= south + sea[STEP] and west <= py <= west + sea[STEP + 1]:
            deep, along, across = cell_at(sea, i, j, px, py)
            n = add_over(px, py, out[2], deep, along, across, margin, traits, found, n)
    return n


@compiled_apart
def few_nodes(sea, form, i0, i1, j0, j1, low, margin, out):
    """Whether not more than FEW nodes meet a form."""
    count = 0
    for i in range(i0, i1 + 1):
        for j in range(j0, j1 + 1):
            z = node_depth(sea, i, j)
            if z < low:
                x, y = sea[ORIGIN] + i * sea[STEP], sea[ORIGIN + 1] + j * sea[STEP + 1]
                count += 1 if meet_node(sea, form, i, j, x, y, z, margin, out) < margin else 0
                if count > FEW:
                    return False
    return True


@compiled_apart
def touch_grid(sea, form, margin, reach, traits, found, n, out):
    """Contacts of one form with the bottom grid. reach: of the hull; out: three numbers of scratch.

    Of many nodes near it, only the deepest in each block of them counts.
    """
    ex, ey = farthest(form, 0.0, 1.0, 0.0, 0.0)[0] - form[1], farthest(form, 0.0, 0.0, 1.0, 0.0)[1] - form[2]
    low = farthest(form, 0.0, 0.0, 0.0, 1.0)[2] + margin
    a, b = sea[STEP], sea[STEP + 1]
    u, v = (form[1] - sea[ORIGIN]) / a, (form[2] - sea[ORIGIN + 1]) / b
    if not abs(u) + abs(v) + ex / a + ey / b + abs(low) < MOST_CELLS:
        return n
    i0, i1 = floor(u - (ex + margin) / a), floor(u + (ex + margin) / a) + 1
    j0, j1 = floor(v - (ey + margin) / b), floor(v + (ey + margin) / b) + 1
    block = max(1, int(reach / (1.5 * max(a, b))))
    short = block
    if block > 1 and few_nodes(sea, form, i0, i1, j0, j1, low, margin, out):
        block, short = 1, max(1, int(reach / (8.0 * max(a, b))))
    if form[0] == BOX:
        for c in range(8):
            x, y, z = (1.0 if c & 1 else -1.0), (1.0 if c & 2 else -1.0), (1.0 if c & 4 else -1.0)
            if x * form[10] > 0.0 or y * form[11] > 0.0 or z * form[12] > 0.0:
                x, y, z = x * form[13], y * form[14], z * form[15]
                px = form[1] + form[4] * x + form[5] * y + form[6] * z
                py = form[2] + form[7] * x + form[8] * y + form[9] * z
                pz = form[3] + form[10] * x + form[11] * y + form[12] * z
                n = add_above(sea, px, py, pz, margin, traits, found, n)
        for edge in range(12):
            k, su, sv = edge >> 2, (1.0 if edge & 1 else -1.0), (1.0 if edge & 2 else -1.0)
            if su * form[10 + (k + 1) % 3] > 0.0 or sv * form[10 + (k + 2) % 3] > 0.0:
                n = walk_edge(sea, form, k, su, sv, short, margin, traits, found, n)
    wide = form[0] != BOX and max(a, b) > 0.25 * reach
    for bi in range(i0 // block, i1 // block + 1):
        for bj in range(j0 // block, j1 // block + 1):
            least, px, py, pz, nx, ny, nz = 1e300, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
            for i in range(max(i0, bi * block), min(i1, bi * block + block - 1) + 1):
                for j in range(max(j0, bj * block), min(j1, bj * block + block - 1) + 1):
                    z, x, y = node_depth(sea, i, j), sea[ORIGIN] + i * a, sea[ORIGIN + 1] + j * b
                    if z < low:
                        gap = meet_node(sea, form, i, j, x, y, z, margin, out)
                        if gap < least:
                            least, px, py, pz, nx, ny, nz = gap, x, y, z, out[0], out[1], out[2]
                    if wide and i < i1 and j < j1:
                        north, east = node_depth(sea, i + 1, j), node_depth(sea, i, j + 1)
                        far = node_depth(sea, i + 1, j + 1)
                        if min(z, north) < low:
                            n = add_side(form, x, y, z, x + a, y, north, margin, traits, found, n)
                        if min(z, east) < low:
                            n = add_side(form, x, y, z, x, y + b, east, margin, traits, found, n)
                        if min(min(z, north), min(east, far)) < low:
                            n = roll_over(sea, form, i, j, margin, traits, found, n, out)
            if least < 1e299:
                px, py, pz = px - least * nx, py - least * ny, pz - least * nz
                n = add_contact(found, n, px, py, pz, -nx, -ny, -nz, least, traits)
    if form[0] != BOX and not wide:
        for end in range(-1, 2):
            t = end * form[13] if form[0] != SPHERE else 0.0
            _deep, along, across = bottom_at(sea, form[1] + t * form[4], form[2] + t * form[7])
            lowest_point(form, end, along, across, out)
            n = add_above(sea, out[0], out[1], out[2], margin, traits, found, n)
    return n
