"""Waves: free surface and motion of the water below it, as a sum of linear (Airy) waves.

One component, with theta = k . x - omega t + phase and s the depth below the moving surface:

    elevation   a cos(theta)                                           level = -elevation, z is down
    along k     a omega cosh k(d - s)/sinh kd cos(theta)
    down       -a omega sinh k(d - s)/sinh kd sin(theta)
    head        a cosh k(d - s)/cosh kd cos(theta)                     dynamic pressure / (rho g), m

Dean & Dalrymple (1991), ch. 3. With echo = exp(-2kd) the ratios become (exp(-ks) + echo exp(ks))/(1 -+ echo), which
never overflow. Wheeler (1970) stretches the depth so that s is 0 at the moving surface. Here that is done in a layer of
thickness D below the still surface, two wave heights or all of the water if that is less:

    s = D (z - level)/(D - level)    for z < D, and 0 above the surface
    s = z                            below, down to the bottom, and d beneath it

Stretched down to a far bottom, all of the column would bob with the surface, and the mean of the velocity at a fixed
point, -a^2 omega k exp(-kz)/2, would take away the Stokes drift. So it is 0 below the layer, and inside it to second
order -a^2 omega k exp(-kz) (1 - z/D)/2.

All derivatives are those of the velocity field itself, stretching included. At z = D the velocity and its derivatives
by time, north and east are continuous; that by depth jumps there by the factor D/(D - level), and at the surface to 0.

One vehicle is always computed with plain floats: LLVM vectorises the loop over the components. For that, sine, cosine
and the exponential are series here, without branches and calls.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from pelagos.engine.compiled import compiled, compiled_apart, entry
from pelagos.engine.core.algebra import Vec3
from pelagos.engine.core.lanes import constant, pick, put, width
from pelagos.engine.water.sea import WAVE, as_sea, as_wave

N_WAVE = WAVE.size
DEEP = 40.0  # k s beyond which a component does not reach: exp(-40) = 4e-18
# Taylor coefficients of sine, cosine and exponential
S = tuple((-1.0) ** i / math.factorial(2 * i + 1) for i in range(11))
C = tuple((-1.0) ** i / math.factorial(2 * i) for i in range(12))
E = tuple(1.0 / math.factorial(i) for i in range(16))


class WaterMotion(NamedTuple):
    """Velocity of the water (m/s) and its derivatives by time (m/s^2) and along north, east, down (1/s)."""

    value: Vec3
    time: Vec3
    north: Vec3
    east: Vec3
    down: Vec3


class WaveState(NamedTuple):
    """Free surface above (or below) a point, and motion of the water at the point, NED."""

    level: Any  # m, z of the surface
    slope_north: Any  # d level / d north
    slope_east: Any  # d level / d east
    motion: WaterMotion  # of the water


class StretchedDepth(NamedTuple):
    """Stretched depth, where linear theory is evaluated (m), and its derivatives by depth and by surface level (1)."""

    depth: Any
    by_down: Any
    by_level: Any


class FreeSurface(NamedTuple):
    """Level of the free surface (m, z down), its slopes (1) and its rate at a fixed point (m/s)."""

    level: Any
    north: Any
    east: Any
    rate: Any


@compiled
def following(g, v):
    """Rate of change of the velocity g at a point that moves with the velocity v: c_t + (v . grad) c."""
    return Vec3(
        g.time.x + v.x * g.north.x + v.y * g.east.x + v.z * g.down.x,
        g.time.y + v.x * g.north.y + v.y * g.east.y + v.z * g.down.y,
        g.time.z + v.x * g.north.z + v.y * g.east.z + v.z * g.down.z,
    )


@compiled
def sine_cosine(angle):
    """Sine and cosine of an angle, Taylor series on a half turn: the first terms left out are below 1e-16."""
    turns = angle * 0.3183098861837907  # 1/pi; half turns
    whole = np.floor(turns + 0.5)
    sign = 1.0 - 2.0 * (whole - 2.0 * np.floor(0.5 * whole))
    r = 3.141592653589793 * (turns - whole)
    q = r * r
    s = S[6] + q * (S[7] + q * (S[8] + q * (S[9] + q * S[10])))
    s = S[0] + q * (S[1] + q * (S[2] + q * (S[3] + q * (S[4] + q * (S[5] + q * s)))))
    c = C[6] + q * (C[7] + q * (C[8] + q * (C[9] + q * (C[10] + q * C[11]))))
    c = C[0] + q * (C[1] + q * (C[2] + q * (C[3] + q * (C[4] + q * (C[5] + q * c)))))
    return sign * r * s, sign * c


@compiled
def decay(ks, echo, scale):
    """Decay with depth, exp(-ks) and echo exp(ks), each divided by `scale`; both 0 beyond DEEP.

    exp(x) = (exp(x/64))^64 with a Taylor series, good to 64 roundings; one division serves both.
    """
    x = min(ks, DEEP) * (-1.0 / 64.0)
    e = E[10] + x * (E[11] + x * (E[12] + x * (E[13] + x * (E[14] + x * E[15]))))
    e = E[5] + x * (E[6] + x * (E[7] + x * (E[8] + x * (E[9] + x * e))))
    e = E[0] + x * (E[1] + x * (E[2] + x * (E[3] + x * (E[4] + x * e))))
    e = e * e  # six squarings, written out: a loop here would keep the outer loop from being vectorised
    e = e * e
    e = e * e
    e = e * e
    e = e * e
    e = e * e
    inverse = 1.0 / (e * scale) if ks < DEEP else 0.0
    return e * e * inverse, echo * inverse


@compiled
def surface_of(sea, at, n, north, east, time):
    """Free surface at a point: sum over the components."""
    level = slope_north = slope_east = rate = 0.0
    for i in range(n):
        w = as_wave(sea[at + i * N_WAVE :])
        sine, cosine = sine_cosine(w.north * north + w.east * east - w.omega * time + w.phase)
        along = w.amplitude * sine
        level -= w.amplitude * cosine
        slope_north += w.north * along
        slope_east += w.east * along
        rate -= w.omega * along
    return FreeSurface(level, slope_north, slope_east, rate)


@compiled
def stretched(level, layer, depth, down):
    """Stretched depth of a point at depth `down`; `layer` is D of the module's docstring."""
    if down >= layer:
        return StretchedDepth(min(down, depth), 1.0 if down < depth else 0.0, 0.0)
    top = min(level, 0.9 * layer)  # no trough of a wave that has not broken is so low
    if down <= top:
        return StretchedDepth(0.0, 0.0, 0.0)
    scale = layer / (layer - top)
    s = scale * (down - top)
    return StretchedDepth(s, scale, scale * (s / layer - 1.0) if level == top else 0.0)


@compiled_apart
def waves_at(sea, north, east, down, time):
    """Wave motion at one vehicle, as floats.

    At a constant s the field of linear theory has neither divergence nor rotation: five sums are its nine derivatives.
    """
    h = as_sea(sea)
    at, n = int(h.waves_at), int(h.n_waves)
    top = surface_of(sea, at, n, north, east, time)
    place = stretched(top.level, h.stretch, h.depth, down)
    s = place.depth
    # components are sorted by wave number: the shortest do not reach this deep
    while n > 0 and as_wave(sea[at + (n - 1) * N_WAVE :]).number * s > DEEP:
        n -= 1
    x = y = z = tx = ty = tz = xx = xy = yy = xz = yz = 0.0
    for i in range(n):
        w = as_wave(sea[at + i * N_WAVE :])
        sine, cosine = sine_cosine(w.north * north + w.east * east - w.omega * time + w.phase)
        near, far = decay(w.number * s, w.echo, w.number * (1.0 - w.echo))
        speed = w.amplitude * w.omega
        level, upright = speed * (near + far), speed * w.number * (near - far)  # level: per rad/m of wave number
        along = level * cosine
        x += along * w.north
        y += along * w.east
        z -= upright * sine
        across = level * sine
        tx += w.omega * across * w.north
        ty += w.omega * across * w.east
        tz += w.omega * upright * cosine
        xx -= across * w.north * w.north
        xy -= across * w.north * w.east
        yy -= across * w.east * w.east
        xz -= upright * cosine * w.north
        yz -= upright * cosine * w.east
    zz = -xx - yy
    t, a, b, c = place.by_level * top.rate, place.by_level * top.north, place.by_level * top.east, place.by_down
    motion = WaterMotion(
        Vec3(x, y, z),
        Vec3(tx + t * xz, ty + t * yz, tz + t * zz),
        Vec3(xx + a * xz, xy + a * yz, xz + a * zz),
        Vec3(xy + b * xz, yy + b * yz, yz + b * zz),
        Vec3(c * xz, c * yz, c * zz),
    )
    return WaveState(top.level, top.north, top.east, motion)


@compiled
def waves(sea, position, time):
    """Wave motion at a position (NED, m) and time (s), for one vehicle or a block."""
    zero = constant(0.0, position.z)
    none = Vec3(zero, zero, zero)
    level, north, east = zero, zero, zero
    g = WaterMotion(none, none, none, none, none)
    for i in range(width(position.z) if as_sea(sea).n_waves > 0.0 else 0):
        here = waves_at(sea, pick(position.x, i), pick(position.y, i), pick(position.z, i), pick(time, i))
        level, north, east = put(level, i, here.level), put(north, i, here.slope_north), put(east, i, here.slope_east)
        m = here.motion
        g = WaterMotion(
            _put(g.value, i, m.value),
            _put(g.time, i, m.time),
            _put(g.north, i, m.north),
            _put(g.east, i, m.east),
            _put(g.down, i, m.down),
        )
    return WaveState(level, north, east, g)


@compiled
def _put(vector, i, part):
    """A vector with `part` for vehicle i."""
    return Vec3(put(vector.x, i, part.x), put(vector.y, i, part.y), put(vector.z, i, part.z))


@compiled_apart
def head_at(sea, north, east, down, time):
    """Dynamic pressure head of the waves at one point, m."""
    h = as_sea(sea)
    at, n = int(h.waves_at), int(h.n_waves)
    s = stretched(surface_of(sea, at, n, north, east, time).level, h.stretch, h.depth, down).depth
    head = 0.0
    for i in range(n):
        w = as_wave(sea[at + i * N_WAVE :])
        _, cosine = sine_cosine(w.north * north + w.east * east - w.omega * time + w.phase)
        near, far = decay(w.number * s, w.echo, 1.0 + w.echo)
        head += w.amplitude * cosine * (near + far)
    return head


@compiled
def wave_pressure_head(sea, position, time):
    """Dynamic pressure over rho g (m) at a position (NED, m): the pressure is rho g (z + head), 0 at the surface."""
    head = constant(0.0, position.z)
    for i in range(width(position.z) if as_sea(sea).n_waves > 0.0 else 0):
        head = put(head, i, head_at(sea, pick(position.x, i), pick(position.y, i), pick(position.z, i), pick(time, i)))
    return head


@entry
def sample_waves(sea, positions, times, out):
    """Sample the waves: fill rows of `out` (n, 9) for rows of `positions` (n, 3) and `times` (n).

    Columns: level, slope north, slope east, velocity north east down, acceleration north east down. The acceleration
    is Du/Dt of a particle that only the waves move.
    """
    for i in range(len(times)):
        here = waves(sea, Vec3(positions[i, 0], positions[i, 1], positions[i, 2]), times[i])
        v, a = here.motion.value, following(here.motion, here.motion.value)
        out[i, 0], out[i, 1], out[i, 2] = here.level, here.slope_north, here.slope_east
        out[i, 3], out[i, 4], out[i, 5] = v.x, v.y, v.z
        out[i, 6], out[i, 7], out[i, 8] = a.x, a.y, a.z


@entry
def sample_wave_head(sea, positions, times, out):
    """Sample the dynamic pressure head (m) into `out` (n) at rows of `positions` (n, 3) and `times` (n)."""
    for i in range(len(times)):
        out[i] = wave_pressure_head(sea, Vec3(positions[i, 0], positions[i, 1], positions[i, 2]), times[i])
