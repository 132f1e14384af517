"""Contacts of a hull with a seabed grid; gap and normal change little when the pose changes little.

The surface is bilinear between its nodes. Which two features meet fixes the normal: a corner of a box on a cell, that
of the surface; an edge of a box across the side of a cell, the one at right angles to both; a node under a face, that
of the face. A pair counts only if its normal lies between the faces that meet at each of the two features: elsewhere a
neighbour of one of them is deeper. A saddle, as each cell is, never touches a face with its middle. Round forms: their
lowest point over each cell, and sides and nodes against their surface. Outside the grid the edge continues level.

Words: a side is the line between two neighbouring nodes of the grid, an edge belongs to a box; `along` and `across` are
the increase of the seabed's depth per metre north and east.
"""

from __future__ import annotations

from math import floor, sqrt

from pelagos.engine.compiled import compiled, compiled_apart
from pelagos.engine.contact.convex import least_along
from pelagos.engine.contact.obstacles import bottom_at
from pelagos.engine.contact.patch import add_contact
from pelagos.engine.contact.shapes import ROW_Y, ROW_Z, distance, farthest
from pelagos.engine.water.sea import BOX, CYLINDER, GRID_BOTTOM, SEA, SPHERE, as_shape

# Numbers of the SEA header by place: read so often here that views of the whole record would slow compiling down
BOTTOM, HEIGHTS = SEA.offset("bottom")[0], SEA.offset("grid_at")[0]
ORIGIN, STEP, COUNT = SEA.offset("grid_origin")[0], SEA.offset("grid_step")[0], SEA.offset("grid_count")[0]
ORIGIN_EAST, STEP_EAST, COUNT_EAST = ORIGIN + 1, STEP + 1, COUNT + 1  # the numbers above are along north
SLACK = 0.02  # rad by which a normal may lie outside what its features allow: faces that lie on each other count
STEEP = 0.05  # least share of the vertical in a normal
BESIDE = 0.01  # m: a point this near to a valley may touch both of its sides
RIDGE = 2e-3  # m: beside a ridge the normal turns over this way
ALONG = 0.05  # rad between an edge and a side below which they count, more and more, as parallel
MOST_CELLS = 1e7  # between a vehicle and the grid: beyond, and for NaN, there is no contact to look for
ABSENT = 1e300  # m, a gap that is none
FEW = 20  # nodes under a form that are all kept


@compiled_apart
def node_depth(sea, i, j):
    """Depth z of the seabed at a node of the grid, m; beyond the edge that of the edge."""
    rows, columns = int(sea[COUNT]), int(sea[COUNT_EAST])
    return sea[int(sea[HEIGHTS]) + min(max(i, 0), rows - 1) * columns + min(max(j, 0), columns - 1)]


@compiled_apart
def cell_at(sea, i, j, x, y):
    """Depth of the cell (i, j), continued beyond its sides, at a point, and its increase per metre north and east."""
    u, v = (x - sea[ORIGIN]) / sea[STEP] - i, (y - sea[ORIGIN_EAST]) / sea[STEP_EAST] - j
    z00, z01 = node_depth(sea, i, j), node_depth(sea, i, j + 1)
    z10, z11 = node_depth(sea, i + 1, j), node_depth(sea, i + 1, j + 1)
    z0, z1 = z00 + v * (z01 - z00), z10 + v * (z11 - z10)
    across = (z01 - z00 + u * ((z11 - z10) - (z01 - z00))) / sea[STEP_EAST]
    return z0 + u * (z1 - z0), (z1 - z0) / sea[STEP], across


@compiled_apart
def add_over(px, py, pz, deep, along, across, margin, traits, contacts, n):
    """Contact of a point with a slope: the height above it times the cosine, exact over a plane."""
    up = 1.0 / sqrt(1.0 + along * along + across * across)
    gap = (deep - pz) * up
    if gap < margin:
        n = add_contact(contacts, n, px, py, pz, along * up, across * up, -up, gap, traits)
    return n


@compiled_apart
def add_above(sea, px, py, pz, margin, traits, contacts, n):
    """Contacts of one point of the hull's surface with the seabed under it: in a valley with both of its sides."""
    if sea[BOTTOM] != GRID_BOTTOM:
        deep, along, across = bottom_at(sea, px, py)
        return add_over(px, py, pz, deep, along, across, margin, traits, contacts, n)
    u, v = (px - sea[ORIGIN]) / sea[STEP], (py - sea[ORIGIN_EAST]) / sea[STEP_EAST]
    if not abs(u) + abs(v) < MOST_CELLS:
        return n
    i, j = floor(u), floor(v)
    deep, along, across = cell_at(sea, i, j, px, py)
    cell_along, cell_across = along, across
    for side in range(4):
        to, share = (1 if side & 1 else -1), (v - j if side & 2 else u - i)
        # STEP + 1 is STEP_EAST, of the sides 2 and 3
        aside = (1.0 - share if side & 1 else share) * sea[STEP + (side >> 1)]
        if aside < BESIDE:
            other, down, over = cell_at(sea, i if side & 2 else i + to, j + to if side & 2 else j, px, py)
            if other >= deep:
                n = add_over(px, py, pz, other, down, over, margin, traits, contacts, n)
            elif aside < RIDGE:  # a normal that turned at once would make a resting hull jump
                turn = 0.5 - 0.5 * aside / RIDGE
                along, across = along + turn * (down - cell_along), across + turn * (over - cell_across)
    return add_over(px, py, pz, deep, along, across, margin, traits, contacts, n)


@compiled
def allowed(nx, ny, nz, dx, dy, dz):
    """Whether the surface falls away from the normal along d, within SLACK."""
    return nx * dx + ny * dy + nz * dz <= SLACK * sqrt(dx * dx + dy * dy + dz * dz)


@compiled_apart
def on_node(sea, i, j, nx, ny, nz):
    """Whether a normal can be that of a contact with a node: no side goes on beyond it."""
    z = node_depth(sea, i, j)
    a, b = sea[STEP], sea[STEP_EAST]
    return (
        allowed(nx, ny, nz, a, 0.0, node_depth(sea, i + 1, j) - z)
        and allowed(nx, ny, nz, -a, 0.0, node_depth(sea, i - 1, j) - z)
        and allowed(nx, ny, nz, 0.0, b, node_depth(sea, i, j + 1) - z)
        and allowed(nx, ny, nz, 0.0, -b, node_depth(sea, i, j - 1) - z)
    )


@compiled_apart
def walk_edge(sea, box, k, su, sv, block, margin, traits, contacts, n):
    """Contacts of one edge of a box, along its axis k, with the cells under it: at their sides and inside them.

    su, sv: on which side (+-1) of the other two axes the edge lies. Of every `block` crossings of sides the deepest
    counts.
    """
    shape = as_shape(box)
    center, axes, half = shape.center, shape.axes, shape.half
    i, j = (k + 1) % 3, (k + 2) % 3
    s, t, r = su * half[i], sv * half[j], half[k]
    # normals of the two faces that meet in the edge
    fx, fy, fz = su * axes[i], su * axes[ROW_Y + i], su * axes[ROW_Z + i]
    gx, gy, gz = sv * axes[j], sv * axes[ROW_Y + j], sv * axes[ROW_Z + j]
    ex, ey, ez = axes[k], axes[ROW_Y + k], axes[ROW_Z + k]
    ax = center[0] + s * axes[i] + t * axes[j] - r * ex
    ay = center[1] + s * axes[ROW_Y + i] + t * axes[ROW_Y + j] - r * ey
    az = center[2] + s * axes[ROW_Z + i] + t * axes[ROW_Z + j] - r * ez
    u, v = (ax - sea[ORIGIN]) / sea[STEP], (ay - sea[ORIGIN_EAST]) / sea[STEP_EAST]
    du, dv = 2.0 * r * ex / sea[STEP], 2.0 * r * ey / sea[STEP_EAST]
    if not abs(u) + abs(v) + abs(du) + abs(dv) < MOST_CELLS:
        return n
    i, j = floor(u), floor(v)
    at, before = 0.0, cell_at(sea, i, j, ax, ay)[0] - az
    least, cx, cy, cz, mx, my, mz = margin, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    # a side for each cell on the way, and some for rounding at both ends
    for count in range(int(abs(du) + abs(dv)) + 4):
        # share of the edge at which it leaves the cell; 2.0 lies beyond its end
        to_u = (i + 1 - u) / du if du > 0.0 else ((i - u) / du if du < 0.0 else 2.0)
        to_v = (j + 1 - v) / dv if dv > 0.0 else ((j - v) / dv if dv < 0.0 else 2.0)
        end = max(at, min(1.0, min(to_u, to_v)))
        way = 2.0 * r * end
        px, py, pz = ax + way * ex, ay + way * ey, az + way * ez
        deep, along, across = cell_at(sea, i, j, px, py)
        after = deep - pz
        way = r * (at + end)
        middle = cell_at(sea, i, j, ax + way * ex, ay + way * ey)[0] - (az + way * ez)
        # inside a cell the height along a straight edge is a parabola: three heights give it, and if its lowest point
        # is inside, it is above middle - bend
        bend, slope = 2.0 * (before - 2.0 * middle + after), 4.0 * middle - 3.0 * before - after
        if bend > 1e-12 and -2.0 * bend < slope < 0.0 and middle - bend < 2.0 * margin:
            way = 2.0 * r * (at - 0.5 * slope / bend * (end - at))
            qx, qy, qz = ax + way * ex, ay + way * ey, az + way * ez
            low, down, over = cell_at(sea, i, j, qx, qy)
            bound = -SLACK * sqrt(1.0 + down * down + over * over)
            if fz - down * fx - over * fy >= bound and gz - down * gx - over * gy >= bound:
                n = add_over(qx, qy, qz, low, down, over, margin, traits, contacts, n)
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
        # edge and side nearly parallel: their cross product is noise, so the mean normal of both cells takes over
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
            n = add_contact(contacts, n, cx, cy, cz, mx, my, mz, least, traits)
            least = margin
        at, before = end, after
    if least < margin:
        n = add_contact(contacts, n, cx, cy, cz, mx, my, mz, least, traits)
    return n


@compiled_apart
def meet_node(sea, form, i, j, px, py, pz, margin, out):
    """Gap of a node to a form, ABSENT if they do not meet. out: outward normal of the form there."""
    shape = as_shape(form)
    center, axes, half = shape.center, shape.axes, shape.half
    if shape.kind != BOX:
        d, nx, ny, nz = distance(form, px, py, pz)
        if d >= margin or nz <= 0.0 or (shape.kind == CYLINDER and not on_node(sea, i, j, -nx, -ny, -nz)):
            return ABSENT
        out[0], out[1], out[2] = nx, ny, nz
        return d
    gap = -ABSENT
    dx, dy, dz = px - center[0], py - center[1], pz - center[2]
    for k in range(3):  # the lower face along each axis, and no node beyond the opposite face
        turn = 1.0 if axes[ROW_Z + k] > 0.0 else -1.0
        nx, ny, nz = turn * axes[k], turn * axes[ROW_Y + k], turn * axes[ROW_Z + k]
        d = nx * dx + ny * dy + nz * dz - half[k]
        if nz < STEEP or d >= margin or d <= gap or d < -2.0 * half[k]:
            continue
        a, b = (k + 1) % 3, (k + 2) % 3
        if abs(axes[a] * dx + axes[ROW_Y + a] * dy + axes[ROW_Z + a] * dz) > half[a] + 1e-9:
            continue
        if abs(axes[b] * dx + axes[ROW_Y + b] * dy + axes[ROW_Z + b] * dz) > half[b] + 1e-9:
            continue
        if on_node(sea, i, j, -nx, -ny, -nz):
            gap = d
            out[0], out[1], out[2] = nx, ny, nz
    return gap if gap > -1e299 else ABSENT


@compiled_apart
def add_side(form, ax, ay, az, bx, by, bz, margin, traits, contacts, n):
    """Contact of a side of a cell with a round form: its nearest point."""
    dx, dy, dz = bx - ax, by - ay, bz - az
    long = sqrt(dx * dx + dy * dy + dz * dz)
    if distance(form, 0.5 * (ax + bx), 0.5 * (ay + by), 0.5 * (az + bz))[0] > 0.5 * long + margin:
        return n
    s = least_along(form, ax, ay, az, bx, by, bz)[0]
    px, py, pz = ax + s * dx, ay + s * dy, az + s * dz
    d, nx, ny, nz = distance(form, px, py, pz)
    shape = as_shape(form)
    inside = 1e-6 < s < 1.0 - 1e-6
    if shape.kind == CYLINDER and d < 0.0 and abs(nx * dx + ny * dy + nz * dz) > 1e-3 * long and inside:
        # the side crosses the rim of the cylinder: a normal at right angles to the side
        center, axes = shape.center, shape.axes
        x, y, z = px - center[0], py - center[1], pz - center[2]
        t = axes[0] * x + axes[3] * y + axes[6] * z
        cap = 1.0 if t > 0.0 else -1.0
        x, y, z = x - t * axes[0], y - t * axes[3], z - t * axes[6]
        rho = 1.0 / sqrt(x * x + y * y + z * z)
        x, y, z = x * rho, y * rho, z * rho
        a, b = x * dx + y * dy + z * dz, cap * (axes[0] * dx + axes[3] * dy + axes[6] * dz)
        size = sqrt(a * a + b * b)
        a, b = abs(a) / size, abs(b) / size
        nx, ny, nz = a * cap * axes[0] + b * x, a * cap * axes[3] + b * y, a * cap * axes[6] + b * z
        d *= a + b
    if d < margin and nz > 0.0:
        n = add_contact(contacts, n, px - d * nx, py - d * ny, pz - d * nz, -nx, -ny, -nz, d, traits)
    return n


@compiled_apart
def lowest_point(form, end, along, across, out):
    """Point of a round form deepest below a slope: of its end (-1 or 1) or its middle (0); of an ellipsoid, of all."""
    shape = as_shape(form)
    lx, ly, lz = -along, -across, 1.0
    if shape.kind == SPHERE:
        out[0], out[1], out[2] = farthest(form, 0.0, lx, ly, lz)
        return
    center, axes, half = shape.center, shape.axes, shape.half
    t = end * half[0]
    part = lx * axes[0] + ly * axes[3] + lz * axes[6]
    if shape.kind == CYLINDER or part * end < 0.0 or end == 0:
        lx, ly, lz = lx - part * axes[0], ly - part * axes[3], lz - part * axes[6]
    size = sqrt(lx * lx + ly * ly + lz * lz)
    size = half[1] / size if size > 1e-6 else 0.0
    out[0] = center[0] + t * axes[0] + size * lx
    out[1] = center[1] + t * axes[3] + size * ly
    out[2] = center[2] + t * axes[6] + size * lz


@compiled_apart
def roll_over(sea, form, i, j, margin, traits, contacts, n, out):
    """Contacts at the lowest points of a round form over one cell; points beyond its sides belong to the neighbours."""
    shape = as_shape(form)
    center, axes, half = shape.center, shape.axes, shape.half
    west, south = sea[ORIGIN_EAST] + j * sea[STEP_EAST], sea[ORIGIN] + i * sea[STEP]
    for end in range(-1, 2):
        if shape.kind == SPHERE and end != 0:
            continue
        t = end * half[0] if shape.kind != SPHERE else 0.0
        px, py = center[0] + t * axes[0], center[1] + t * axes[3]
        for _ in range(4):  # the slope under the lowest point and the lowest point over the slope, in turn
            qx, qy = min(max(px, south), south + sea[STEP]), min(max(py, west), west + sea[STEP_EAST])
            _deep, along, across = cell_at(sea, i, j, qx, qy)
            lowest_point(form, end, along, across, out)
            px, py = out[0], out[1]
        if south <= px <= south + sea[STEP] and west <= py <= west + sea[STEP_EAST]:
            deep, along, across = cell_at(sea, i, j, px, py)
            n = add_over(px, py, out[2], deep, along, across, margin, traits, contacts, n)
    return n


@compiled_apart
def few_nodes(sea, form, i0, i1, j0, j1, low, margin, out):
    """Whether not more than FEW nodes meet a form."""
    count = 0
    for i in range(i0, i1 + 1):
        for j in range(j0, j1 + 1):
            z = node_depth(sea, i, j)
            if z < low:
                x, y = sea[ORIGIN] + i * sea[STEP], sea[ORIGIN_EAST] + j * sea[STEP_EAST]
                count += 1 if meet_node(sea, form, i, j, x, y, z, margin, out) < margin else 0
                if count > FEW:
                    return False
    return True


@compiled_apart
def touch_grid(sea, form, margin, reach, traits, contacts, n, out):
    """Contacts of one form with the seabed grid. reach: of the hull; out: three numbers of scratch.

    Of many nodes near it, only the deepest in each block of them counts: a fine grid would fill the table of contacts.
    """
    shape = as_shape(form)
    center, axes, half = shape.center, shape.axes, shape.half
    ex, ey = farthest(form, 0.0, 1.0, 0.0, 0.0)[0] - center[0], farthest(form, 0.0, 0.0, 1.0, 0.0)[1] - center[1]
    low = farthest(form, 0.0, 0.0, 0.0, 1.0)[2] + margin
    a, b = sea[STEP], sea[STEP_EAST]
    u, v = (center[0] - sea[ORIGIN]) / a, (center[1] - sea[ORIGIN_EAST]) / b
    if not abs(u) + abs(v) + ex / a + ey / b + abs(low) < MOST_CELLS:
        return n
    i0, i1 = floor(u - (ex + margin) / a), floor(u + (ex + margin) / a) + 1
    j0, j1 = floor(v - (ey + margin) / b), floor(v + (ey + margin) / b) + 1
    block = max(1, int(reach / (1.5 * max(a, b))))
    short = block
    if block > 1 and few_nodes(sea, form, i0, i1, j0, j1, low, margin, out):
        block, short = 1, max(1, int(reach / (8.0 * max(a, b))))
    if shape.kind == BOX:  # axes[6:9] is "down" along the box's axes: only corners and edges of a lower face can touch
        for c in range(8):
            x, y, z = (1.0 if c & 1 else -1.0), (1.0 if c & 2 else -1.0), (1.0 if c & 4 else -1.0)
            if x * axes[6] > 0.0 or y * axes[7] > 0.0 or z * axes[8] > 0.0:
                x, y, z = x * half[0], y * half[1], z * half[2]
                px = center[0] + axes[0] * x + axes[1] * y + axes[2] * z
                py = center[1] + axes[3] * x + axes[4] * y + axes[5] * z
                pz = center[2] + axes[6] * x + axes[7] * y + axes[8] * z
                n = add_above(sea, px, py, pz, margin, traits, contacts, n)
        for edge in range(12):
            k, su, sv = edge >> 2, (1.0 if edge & 1 else -1.0), (1.0 if edge & 2 else -1.0)
            if su * axes[ROW_Z + (k + 1) % 3] > 0.0 or sv * axes[ROW_Z + (k + 2) % 3] > 0.0:
                n = walk_edge(sea, form, k, su, sv, short, margin, traits, contacts, n)
    wide = shape.kind != BOX and max(a, b) > 0.25 * reach  # cells so large that a round form fits between nodes
    for bi in range(i0 // block, i1 // block + 1):
        for bj in range(j0 // block, j1 // block + 1):
            least, px, py, pz, nx, ny, nz = ABSENT, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
            for i in range(max(i0, bi * block), min(i1, bi * block + block - 1) + 1):
                for j in range(max(j0, bj * block), min(j1, bj * block + block - 1) + 1):
                    z, x, y = node_depth(sea, i, j), sea[ORIGIN] + i * a, sea[ORIGIN_EAST] + j * b
                    if z < low:
                        gap = meet_node(sea, form, i, j, x, y, z, margin, out)
                        if gap < least:
                            least, px, py, pz, nx, ny, nz = gap, x, y, z, out[0], out[1], out[2]
                    if wide and i < i1 and j < j1:
                        north, east = node_depth(sea, i + 1, j), node_depth(sea, i, j + 1)
                        far = node_depth(sea, i + 1, j + 1)
                        if min(z, north) < low:
                            n = add_side(form, x, y, z, x + a, y, north, margin, traits, contacts, n)
                        if min(z, east) < low:
                            n = add_side(form, x, y, z, x, y + b, east, margin, traits, contacts, n)
                        if min(min(z, north), min(east, far)) < low:
                            n = roll_over(sea, form, i, j, margin, traits, contacts, n, out)
            if least < 1e299:
                px, py, pz = px - least * nx, py - least * ny, pz - least * nz
                n = add_contact(contacts, n, px, py, pz, -nx, -ny, -nz, least, traits)
    if shape.kind != BOX and not wide:
        for end in range(-1, 2):
            t = end * half[0] if shape.kind != SPHERE else 0.0
            _deep, along, across = bottom_at(sea, center[0] + t * axes[0], center[1] + t * axes[3])
            lowest_point(form, end, along, across, out)
            n = add_above(sea, out[0], out[1], out[2], margin, traits, contacts, n)
    return n
