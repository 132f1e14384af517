"""Currents: velocity of the water at a point and a time, and its derivatives; tides, profiles, gusts, gridded fields.

    c = harmonics(t) + profile(z) + series(t) + fields(t, z, x, y)

with its derivatives by time and place. `kinematics` adds those of the waves and the uniform current and forms, with c
the sum of all,

    rate         = c_t + (v . grad) c    what a vehicle that moves with velocity v meets; multiplies its added mass
    acceleration = c_t + (c . grad) c    of a parcel of water (Du/Dt): rho V times it is the Froude-Krylov force

A vehicle that drifts with the water meets the acceleration of its parcel: both are then the same. In a current that
does not change in space both are c_t.

The added-mass force M_A (rate - v_dot) is the derivative of the momentum of the relative motion (errata B15; Fossen
(2011), 8.3). For a sphere, inviscid theory gives (1/2) rho V (Du/Dt - v_dot + w x curl c), w = c - v (Auton, Hunt &
Prud'homme 1988: C_M = C_L = 1/2), which is (1/2) rho V (rate - v_dot) and the gradient of w . c at constant w. The
last part, a lift across a shear of the size C_M rho V w |grad c|, is neglected here.

Profiles are straight between their knots and constant outside; fields are straight between their nodes (multilinear);
evenly spaced series are monotone cubics: their rate does not jump, and so a drifting vehicle follows them exactly.
All are held at the edges, where the derivative across the edge is 0. Derivatives are those of the interpolant; those of
profiles and fields jump at knots, and at a knot the next interval counts.
Frames: NED. Units: m/s, m/s^2, kg/m^3.
"""

from __future__ import annotations

from pelagos.engine.compiled import compiled, compiled_apart, entry
from pelagos.engine.core.algebra import Vec3
from pelagos.engine.core.lanes import constant, pick, put, where_less, width
from pelagos.engine.water.sea import (
    DENSITY,
    FLOW_FIELD,
    HARMONIC,
    KNOT,
    SERIES,
    as_density,
    as_flow_field,
    as_harmonic,
    as_knot,
    as_sea,
    as_series,
)
from pelagos.engine.water.waves import WaterMotion, sine_cosine

N_HARMONIC, N_KNOT, N_SERIES, N_FIELD, N_DENSITY = HARMONIC.size, KNOT.size, SERIES.size, FLOW_FIELD.size, DENSITY.size


@compiled
def flow(sea, position, time):
    """Velocity of the currents and its derivatives at a position (NED, m) and time (s)."""
    h = as_sea(sea)
    zero = constant(0.0, position.x + time)
    none = Vec3(zero, zero, zero)
    if h.n_harmonics + h.n_knots + h.n_series + h.n_fields == 0.0:
        return WaterMotion(none, none, none, none, none)
    c, by_time = _harmonics(sea, int(h.n_harmonics), int(h.harmonics_at), zero + time, none)
    k, by_depth = _profile(sea, int(h.n_knots), int(h.knots_at), zero + position.z, none)
    g = WaterMotion(Vec3(c.x + k.x, c.y + k.y, c.z + k.z), by_time, none, none, by_depth)
    if h.n_series + h.n_fields > 0.0:
        g = _add_tables(g, sea, zero + position.x, zero + position.y, zero + position.z, zero + time)
    return g


@compiled
def _harmonics(sea, n, at, time, none):
    """Sum of a cos(omega t) + b sin(omega t), and its rate; one vehicle after another."""
    value, rate = none, none
    for i in range(width(time) if n > 0 else 0):
        c, r = harmonics_at(sea, n, at, pick(time, i))
        value, rate = _put(value, i, c), _put(rate, i, r)
    return value, rate


@compiled_apart
def harmonics_at(sea, n, at, time):
    """Sum of the harmonics for one vehicle, as floats: a loop without calls, which LLVM turns into vector code."""
    cx = cy = cz = rx = ry = rz = 0.0
    for i in range(n):
        r = as_harmonic(sea[at + i * N_HARMONIC :])
        s, c = sine_cosine(r.omega * time)
        cx += r.cosine[0] * c + r.sine[0] * s
        cy += r.cosine[1] * c + r.sine[1] * s
        cz += r.cosine[2] * c + r.sine[2] * s
        rx += r.omega * (r.sine[0] * c - r.cosine[0] * s)
        ry += r.omega * (r.sine[1] * c - r.cosine[1] * s)
        rz += r.omega * (r.sine[2] * c - r.cosine[2] * s)
    return Vec3(cx, cy, cz), Vec3(rx, ry, rz)


@compiled
def _profile(sea, n, at, z, none):
    """Velocity at a depth and its derivative by depth; each knot takes over from the one above."""
    cx, cy, cz = none.x, none.y, none.z
    sx, sy, sz = none.x, none.y, none.z
    for i in range(n):
        k = as_knot(sea[at + i * N_KNOT :])
        if i == 0:
            cx, cy, cz = none.x + k.value[0], none.y + k.value[1], none.z + k.value[2]
        below = z - k.depth
        cx = where_less(z, k.depth, cx, k.value[0] + k.slope[0] * below)
        cy = where_less(z, k.depth, cy, k.value[1] + k.slope[1] * below)
        cz = where_less(z, k.depth, cz, k.value[2] + k.slope[2] * below)
        sx = where_less(z, k.depth, sx, k.slope[0])
        sy = where_less(z, k.depth, sy, k.slope[1])
        sz = where_less(z, k.depth, sz, k.slope[2])
    return Vec3(cx, cy, cz), Vec3(sx, sy, sz)


@compiled
def _add_tables(g, sea, x, y, z, t):
    """Series and fields, looked up for one vehicle after another, added to g."""
    value, time, north, east, down = g.value, g.time, g.north, g.east, g.down
    for i in range(width(x)):
        c = tables(sea, pick(x, i), pick(y, i), pick(z, i), pick(t, i))
        value = _put(value, i, c.value)
        time = _put(time, i, c.time)
        north = _put(north, i, c.north)
        east = _put(east, i, c.east)
        down = _put(down, i, c.down)
    return WaterMotion(value, time, north, east, down)


@compiled
def _put(sum_, i, part):
    """A vector with `part` added for vehicle i."""
    return Vec3(
        put(sum_.x, i, pick(sum_.x, i) + part.x),
        put(sum_.y, i, pick(sum_.y, i) + part.y),
        put(sum_.z, i, pick(sum_.z, i) + part.z),
    )


@compiled_apart
def tables(sea, x, y, z, t):
    """Sum of all series and fields at one point, as floats."""
    h = as_sea(sea)
    none = Vec3(0.0, 0.0, 0.0)
    total = WaterMotion(none, none, none, none, none)
    for i in range(int(h.n_series)):
        total = _add_series(total, sea, as_series(sea[int(h.series_at) + i * N_SERIES :]), t)
    for i in range(int(h.n_fields)):
        total = _add_field(total, sea, as_flow_field(sea[int(h.fields_at) + i * N_FIELD :]), x, y, z, t)
    return total


@compiled
def _plus(a, factor, sea, at):
    """a + factor times the three numbers at `at`."""
    return Vec3(a.x + factor * sea[at], a.y + factor * sea[at + 1], a.z + factor * sea[at + 2])


@compiled
def _add_series(total, sea, r, t):
    """One evenly spaced series, added to the total."""
    place = (t - r.start) / r.step
    last = int(r.count) - 1
    low, share, per_second = 0, place, 1.0 / r.step
    if place < 0.0:
        share, per_second = 0.0, 0.0
    elif place >= last:
        low, share, per_second = last, 0.0, 0.0
    elif place == place:  # a time that is NaN reads the first row and stays visible as NaN
        low = int(place)
        share = place - low
    at = int(r.at)
    # two rows on either side; at the ends the outermost counts twice, which makes the slope there 0
    rows = (at + 3 * max(low - 1, 0), at + 3 * low, at + 3 * min(low + 1, last), at + 3 * min(low + 2, last))
    x, x_rate = _monotone(sea, rows, 0, share)
    y, y_rate = _monotone(sea, rows, 1, share)
    z, z_rate = _monotone(sea, rows, 2, share)
    value, time = total.value, total.time
    return WaterMotion(
        Vec3(value.x + x, value.y + y, value.z + z),
        Vec3(time.x + per_second * x_rate, time.y + per_second * y_rate, time.z + per_second * z_rate),
        total.north,
        total.east,
        total.down,
    )


@compiled
def _monotone(sea, rows, axis, s):
    """Cubic between the second and the third of four even rows, and its slope per interval.

    The slope at a row is the harmonic mean of those on its two sides, 0 where they differ in sign (Fritsch & Butland
    1984): it does not jump, and the curve never leaves the range of its rows.
    """
    p, q = sea[rows[1] + axis], sea[rows[2] + axis]
    before, here, after = p - sea[rows[0] + axis], q - p, sea[rows[3] + axis] - q
    m0 = 2.0 * before * here / (before + here) if before * here > 0.0 else 0.0
    m1 = 2.0 * here * after / (here + after) if here * after > 0.0 else 0.0
    curve, twist = 3.0 * here - 2.0 * m0 - m1, m0 + m1 - 2.0 * here
    return p + s * (m0 + s * (curve + s * twist)), m0 + s * (2.0 * curve + 3.0 * s * twist)


@compiled
def _cell(sea, at, n, x):
    """Interval of an ascending axis that holds x: its number, the share of it passed, 1/length (0 beyond the ends)."""
    if n == 1:
        return 0, 0.0, 0.0
    if x < sea[at]:
        return 0, 0.0, 0.0
    if x > sea[at + n - 1]:
        return n - 2, 1.0, 0.0
    low, high = 0, n - 1
    while high - low > 1:
        middle = (low + high) // 2
        if sea[at + middle] <= x:
            low = middle
        else:
            high = middle
    start = sea[at + low]
    inverse = 1.0 / (sea[at + low + 1] - start)
    return low, (x - start) * inverse, inverse


@compiled
def _add_field(total, sea, r, x, y, z, t):
    """One gridded field, added to the total: multilinear, with the derivatives of the interpolant."""
    nt, nd, nn, ne = int(r.times), int(r.depths), int(r.norths), int(r.easts)
    at = int(r.at)
    it, ft, dt = _cell(sea, at, nt, t)
    iz, fz, dz = _cell(sea, at + nt, nd, z)
    ix, fx, dx = _cell(sea, at + nt + nd, nn, x)
    iy, fy, dy = _cell(sea, at + nt + nd + nn, ne, y)
    start = at + nt + nd + nn + ne
    value, time, north, east, down = total.value, total.time, total.north, total.east, total.down
    # weight w and derivative s of each of the two nodes along an axis; an axis of one node has weight 1, derivative 0
    for a in range(min(nt, 2)):
        wt, st = (ft, dt) if a else (1.0 - ft, -dt)
        for b in range(min(nd, 2)):
            wz, sz = (fz, dz) if b else (1.0 - fz, -dz)
            for c in range(min(nn, 2)):
                wx, sx = (fx, dx) if c else (1.0 - fx, -dx)
                for d in range(min(ne, 2)):
                    wy, sy = (fy, dy) if d else (1.0 - fy, -dy)
                    node = start + 3 * ((((it + a) * nd + iz + b) * nn + ix + c) * ne + iy + d)
                    value = _plus(value, wt * wz * wx * wy, sea, node)
                    time = _plus(time, st * wz * wx * wy, sea, node)
                    down = _plus(down, wt * sz * wx * wy, sea, node)
                    north = _plus(north, wt * wz * sx * wy, sea, node)
                    east = _plus(east, wt * wz * wx * sy, sea, node)
    return WaterMotion(value, time, north, east, down)


@compiled
def density_above(sea, depth):
    """Excess density over the water record at a depth, kg/m^3, and its integral from 0 to the depth, kg/m^2.

    Straight between knots, constant above the first and below the last. Gravity times the integral is the pressure
    that the stratification adds.
    """
    h = as_sea(sea)
    at = int(h.density_at)
    extra = constant(0.0, depth)
    integral = constant(0.0, depth)
    to_knot = 0.0  # integral down to the knot
    for i in range(int(h.n_density)):
        k = as_density(sea[at + i * N_DENSITY :])
        if i == 0:
            to_knot = k.value * k.depth
            extra = extra + k.value
            integral = k.value * depth
        else:
            above = as_density(sea[at + (i - 1) * N_DENSITY :])
            gap = k.depth - above.depth
            to_knot = to_knot + gap * (above.value + 0.5 * above.slope * gap)
        below = depth - k.depth
        extra = where_less(depth, k.depth, extra, k.value + k.slope * below)
        integral = where_less(depth, k.depth, integral, to_knot + below * (k.value + 0.5 * k.slope * below))
    return extra, integral


@entry
def sample_flow(sea, positions, times, out):
    """Sample the currents at rows of `positions`: out[i, :3] velocity, out[i, 3:6] its rate at a fixed point (NED)."""
    for i in range(positions.shape[0]):
        c = flow(sea, Vec3(positions[i, 0], positions[i, 1], positions[i, 2]), times[i])
        out[i, 0], out[i, 1], out[i, 2] = c.value.x, c.value.y, c.value.z
        out[i, 3], out[i, 4], out[i, 5] = c.time.x, c.time.y, c.time.z


@entry
def sample_density(sea, depths, out):
    """Sample the stratification at `depths`: out[i, 0] the excess density, out[i, 1] its integral from the surface."""
    for i in range(depths.shape[0]):
        out[i, 0], out[i, 1] = density_above(sea, depths[i])
