"""Ray marching over a height map, eight rays at a time; a ray that has finished makes room for the next.

A ray that stays clear of the shallowest point of a block of cells leaps over the block and tries a larger one; else it
tries the four smaller ones (A. Tevs, I. Ihrke, H.-P. Seidel, "Maximum mipmaps for fast, accurate, and scalable dynamic
height field rendering", I3D 2008). All of that is arithmetic without branches. A ray that comes near a single cell
leaves the march for the exact test (`bottom.py`), and continues if it passes.

The state of the rays is one array of fields, each of SLOTS numbers, because `load` and `store` take eight neighbouring
numbers: the constants below are the first index of each field.
"""

from __future__ import annotations

import math

from pelagos.engine.compiled import compiled, compiled_apart
from pelagos.engine.core.lanes import sqrt, where_less
from pelagos.engine.core.views import as_numbers
from pelagos.engine.rays.bottom import as_pyramid, bilinear, first_root
from pelagos.engine.rays.lanes import first_bit, floor, gather, higher, how_many, less, load, lower, spread, store
from pelagos.engine.water.sea import SEABED, as_sea

INF = math.inf
FAR = 1e30  # m, an end for rays without one: 0 x FAR is a number
NOTHING = -2  # number of the hit of a ray that hits nothing
SLOTS = 32  # rays on the march; slot k of field f is number f x SLOTS + k of the state
ENOUGH = 6  # rays of eight that wait at a cell before cells are tested: the test costs the same for one and for eight
START = 8.0  # cells, size of the first block tried
# position in cells, counted in the ring, and its rate (1/m); height towards the bottom (m) and its rate
U, V, DU, DV, W, DW = 0, SLOTS, 2 * SLOTS, 3 * SLOTS, 4 * SLOTS, 5 * SLOTS
# one over the rates (m); 1 if they are positive; end of the ray (m); start of its half of the bounds; +1 from above
PER_U, PER_V, TO_U, TO_V, END, HALF, SIGN = (f * SLOTS for f in range(6, 13))
# range so far (m), cell, size of the block and one over it
T, I, J, SIZE, PART = (f * SLOTS for f in range(13, 18))
FIELDS = 18  # U to PART
# results of the exact test behind the state: range, normal north, east, down of eight rays each
HIT_RANGE, HIT_NORTH, HIT_EAST, HIT_DOWN = 0, 8, 16, 24
HITS = 32  # numbers of these results
NO_RATE = 1e-200  # 1/m, below which a rate counts as 0 and its inverse as 1 / NO_RATE: a product with it is never NaN


@compiled
def leap(bounds, shape, rows, columns, state, k):
    """One step of the eight rays from slot k on: bits of those that are near a cell, and of those at their end."""
    p = as_pyramid(shape)
    row, column, end, largest = p.row, p.column, p.end, p.largest
    u, v, to_u, to_v = load(state, U + k), load(state, V + k), load(state, TO_U + k), load(state, TO_V + k)
    t, t_end, i, j = load(state, T + k), load(state, END + k), load(state, I + k), load(state, J + k)
    w, dw, size, part = load(state, W + k), load(state, DW + k), load(state, SIZE + k), load(state, PART + k)
    block_i, block_j = floor(i * part), floor(j * part)
    near = gather(bounds, load(state, HALF + k) + block_i * row + block_j * column + (end - end * part))
    next_i, next_j = block_i + to_u, block_j + to_v
    edge_i, edge_j = next_i * size, next_j * size
    half_u, half_v = 0.5 * (rows + 1.0), 0.5 * (columns + 1.0)  # the ring has no outer edge
    t_u = where_less(abs(edge_i - half_u), half_u, (edge_i - u) * load(state, PER_U + k), INF)
    t_v = where_less(abs(edge_j - half_v), half_v, (edge_j - v) * load(state, PER_V + k), INF)
    out = higher(lower(lower(t_u, t_v), t_end), t)  # range where the ray leaves the block; rounding may put it before t
    deepest = higher(w + out * dw, w + t * dw)  # of the ray in the block: at one of its ends

    low_i, low_j = block_i * size, block_j * size
    along_i = higher(lower(floor(u + out * load(state, DU + k)), lower(low_i + size - 1.0, spread(rows))), low_i)
    along_j = higher(lower(floor(v + out * load(state, DV + k)), lower(low_j + size - 1.0, spread(columns))), low_j)
    new_i = where_less(t_v, t_u, along_i, edge_i + to_u - 1.0)
    new_j = where_less(t_v, t_u, edge_j + to_v - 1.0, along_j)
    # where the ray enters a block twice as large at its edge, it may try that one next
    pair = 0.5 * where_less(t_v, t_u, next_j, next_i)
    pair = where_less(size, largest, pair, 0.5)
    up, part_up = where_less(floor(pair), pair, 1.0, 2.0), where_less(floor(pair), pair, 1.0, 0.5)
    down, part_down = where_less(spread(1.0), size, 0.5, 1.0), where_less(spread(1.0), size, 2.0, 1.0)
    store(state, T + k, where_less(deepest, near, out, t))
    store(state, I + k, where_less(deepest, near, new_i, i))
    store(state, J + k, where_less(deepest, near, new_j, j))
    store(state, SIZE + k, size * where_less(deepest, near, up, down))
    store(state, PART + k, part * where_less(deepest, near, part_up, part_down))
    clear = less(deepest, near)
    at_cell = where_less(deepest, near, 0.0, where_less(size, 1.5, 1.0, 0.0))
    return less(size, spread(1.5)) & ~clear, clear & ~less(out, t_end), (at_cell, t, i, j, t_u, t_v, out)


@compiled
def test_cells(sea, h, rows, columns, state, k, step, hits):
    """Exact test of the cells that rays from slot k on have come to: bits of those that hit, and of those at their end.

    `step` are the last numbers of `leap`. Ranges and normals go to `hits`; a ray that passes its cell goes on.
    """
    at_cell, t, i, j, t_u, t_v, out = step
    u, v, du, dv = load(state, U + k), load(state, V + k), load(state, DU + k), load(state, DV + k)
    dw, sign = load(state, DW + k), load(state, SIGN + k)
    row0, row1 = h.grid_at + higher(i - 1.0, spread(0.0)) * columns, h.grid_at + lower(i, spread(rows - 1.0)) * columns
    j0, j1 = higher(j - 1.0, spread(0.0)), lower(j, spread(columns - 1.0))
    z00, z01 = sign * gather(sea, row0 + j0), sign * gather(sea, row0 + j1)
    z10, z11 = sign * gather(sea, row1 + j0), sign * gather(sea, row1 + j1)
    a, b, c = z10 - z00, z01 - z00, (z11 - z10) - (z01 - z00)
    p, q = u + t * du - i, v + t * dv - j
    height = load(state, W + k) + t * dw - (z00 + a * p + (b + c * p) * q)
    s = first_root(height, dw - a * du - b * dv - c * (p * dv + q * du), -c * du * dv, out - t)
    s = where_less(height, 0.0, lower(s, spread(FAR)), 0.0)
    north, east = (a + c * (q + s * dv)) / h.grid_step[0], (b + c * (p + s * du)) / h.grid_step[1]
    scale = 1.0 / sqrt(1.0 + north * north + east * east)
    store(hits, HIT_RANGE, t + s)
    store(hits, HIT_NORTH, north * scale)
    store(hits, HIT_EAST, east * scale)
    store(hits, HIT_DOWN, -sign * scale)

    passed = where_less(s, FAR, 0.0, at_cell)
    edge_i, edge_j = i + load(state, TO_U + k), j + load(state, TO_V + k)
    next_i, next_j = edge_i + load(state, TO_U + k) - 1.0, edge_j + load(state, TO_V + k) - 1.0
    pair = 0.5 * where_less(t_v, t_u, edge_j, edge_i)
    size, part = where_less(floor(pair), pair, 1.0, 2.0), where_less(floor(pair), pair, 1.0, 0.5)
    none = spread(0.0)
    store(state, T + k, where_less(none, passed, out, load(state, T + k)))
    store(state, I + k, where_less(none, passed, where_less(t_v, t_u, i, next_i), load(state, I + k)))
    store(state, J + k, where_less(none, passed, where_less(t_v, t_u, next_j, j), load(state, J + k)))
    store(state, SIZE + k, where_less(none, passed, size, load(state, SIZE + k)))
    store(state, PART + k, where_less(none, passed, part, load(state, PART + k)))
    gone = less(none, passed)
    return less(none, at_cell) & ~gone, gone & ~less(out, load(state, END + k))


@compiled
def set_out(sea, h, shape, rows, columns, state, k, ox, oy, oz, dx, dy, dz, limit):
    """Start a ray in slot k where it comes near the bottom; 0 if it does not."""
    u, v = (ox - h.grid_origin[0]) / h.grid_step[0] + 1.0, (oy - h.grid_origin[1]) / h.grid_step[1] + 1.0
    du, dv = dx / h.grid_step[0], dy / h.grid_step[1]
    p = as_pyramid(shape)
    sign, half, peak = 1.0, 0.0, p.peak
    if oz >= peak and oz > bilinear(sea, int(h.grid_at), rows, columns, u - 1.0, v - 1.0):
        sign, half, peak = -1.0, p.half, p.trough
    w, dw = sign * oz, sign * dz
    # the part of the ray between the level of the nearest point of the bottom and the end
    t, t_end = 0.0, min(limit, FAR)
    if w < peak:
        if dw <= 0.0:
            return 0
        t = (peak - w) / dw
        t = max(t - 1e-6 * (1.0 + t), 0.0)  # rounding must not start the ray below the bottom
    elif dw < 0.0:
        leaves = (peak - w) / dw
        t_end = min(t_end, leaves + 1e-6 * (1.0 + leaves))
    if t >= t_end:
        return 0
    per_u = 1.0 / du if abs(du) > NO_RATE else 1e200
    per_v = 1.0 / dv if abs(dv) > NO_RATE else 1e200
    size = min(START, p.largest)
    state[U + k], state[V + k], state[DU + k], state[DV + k] = u, v, du, dv
    state[W + k], state[DW + k], state[PER_U + k], state[PER_V + k] = w, dw, per_u, per_v
    state[TO_U + k], state[TO_V + k] = 1.0 if per_u > 0.0 else 0.0, 1.0 if per_v > 0.0 else 0.0
    state[END + k], state[HALF + k], state[SIGN + k], state[T + k] = t_end, half, sign, t
    state[I + k] = min(max(math.floor(u + t * du), 0.0), float(rows))
    state[J + k] = min(max(math.floor(v + t * dv), 0.0), float(columns))
    state[SIZE + k], state[PART + k] = size, 1.0 / size
    return 1


@compiled
def park(state, k):
    """Make slot k a ray that stays where it is."""
    for f in range(FIELDS):
        state[f * SLOTS + k] = 0.0
    state[W + k], state[SIZE + k], state[PART + k] = FAR, 1.0, 1.0


@compiled_apart
def march(sea, bounds, shape, state, places, origins, directions, limit, first, last, ranges, normals, obstacles):
    """Nearest hit of the rays from first to last with the height map; misses are left as they are.

    Scratch: `state` of FIELDS x SLOTS + HITS numbers, `places` of 2 SLOTS: the ray in each slot, and the bits of active
    slots of each eight.
    """
    state, places = as_numbers(state), as_numbers(places)  # their owner waits for the end
    results, on_at = state[FIELDS * SLOTS :], places[SLOTS:]
    h = as_sea(sea)
    rows, columns = int(h.grid_count[0]), int(h.grid_count[1])
    for k in range(0, SLOTS, 8):
        on_at[k] = 0
    ray, left = first, 1
    while left > 0:
        left = 0
        for k in range(0, SLOTS, 8):
            on = on_at[k]
            vacant = on if on != 0 else 255  # slots whose ray ends in this round, or all at the start
            if on != 0:
                cells, ends, step = leap(bounds, shape, float(rows), float(columns), state, k)
                on &= ~ends
                cells &= on
                if how_many(cells) >= ENOUGH or (cells != 0 and cells == on):
                    hits, ends = test_cells(sea, h, float(rows), float(columns), state, k, step, results)
                    hits &= cells
                    on &= ~(hits | (ends & cells))
                    while hits != 0:
                        lane = first_bit(hits)
                        hits &= hits - 1
                        if results[HIT_RANGE + lane] < limit:
                            r = places[k + lane]
                            ranges[r], obstacles[r] = results[HIT_RANGE + lane], SEABED
                            normals[3 * r], normals[3 * r + 1] = results[HIT_NORTH + lane], results[HIT_EAST + lane]
                            normals[3 * r + 2] = results[HIT_DOWN + lane]
            while on != 255 and ray < last:
                lane, o = first_bit(~on), 3 * ray
                x, y, z = origins[o], origins[o + 1], origins[o + 2]
                dx, dy, dz = directions[o], directions[o + 1], directions[o + 2]
                size = 1.0 / math.sqrt(dx * dx + dy * dy + dz * dz)
                dx, dy, dz = dx * size, dy * size, dz * size
                if set_out(sea, h, shape, rows, columns, state, k + lane, x, y, z, dx, dy, dz, limit):
                    on |= 1 << lane
                    places[k + lane] = ray
                ray += 1
            vacant &= ~on
            while on != 0 and vacant != 0:  # a slot without a ray must not read beyond the table
                park(state, k + first_bit(vacant))
                vacant &= vacant - 1
            on_at[k] = on
            left |= on
