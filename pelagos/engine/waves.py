"""Waves: the moving surface and the motion of the water under it, as a sum of linear (Airy) waves.

One component, with theta = k . x - omega t + phase and s the depth below the moving surface:

    elevation   a cos(theta)                                           level = -elevation, z is down
    along k     a omega cosh k(d - s)/sinh kd cos(theta)
    down       -a omega sinh k(d - s)/sinh kd sin(theta)
    head        a cosh k(d - s)/cosh kd cos(theta)                     dynamic pressure / (rho g), m

Dean & Dalrymple (1991), ch. 3. With echo = exp(-2kd) the ratios become (exp(-ks) + echo exp(ks))/(1 -+ echo), which
never overflow. Wheeler (1970) stretches the depth so that s is 0 at the moving surface and d at the bottom:
s = d (z - level)/(d - level). Above the surface s stays 0, below the bottom it stays d.

`rate` is the exact derivative of `velocity` along the path of the vehicle, stretching included. `acceleration` is that
of the unstretched field at the stretched depth: the linear pressure gradient, -grad p / rho. What it leaves out is of
second order in the steepness, as everything that linear theory leaves out (mean drift, sharp crests, breaking).

One vehicle is always computed with plain floats: the loop over the components is what the compiler turns into vector
code. That is why sine, cosine and the exponential are series here, without branches and calls.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from pelagos.engine.algebra import Vec3
from pelagos.engine.compiled import compiled, compiled_apart, entry
from pelagos.engine.lanes import constant, pick, put, width
from pelagos.engine.sea import WAVE, as_sea, as_wave

N_WAVE = WAVE.size
K_AT = WAVE.offset("number")[0]
DEEP = 40.0  # k s beyond which a component does not reach: exp(-40) = 4e-18
S = tuple((-1.0) ** i / math.factorial(2 * i + 1) for i in range(11))
C = tuple((-1.0) ** i / math.factorial(2 * i) for i in range(12))
E = tuple(1.0 / math.factorial(i) for i in range(16))


class WaveState(NamedTuple):
    """Surface above (or below) a point and water at the point, NED."""

    level: Any  # m, z of the surface
    slope_north: Any  # d level / d north
    slope_east: Any  # d level / d east
    velocity: Vec3  # m/s, of the water
    rate: Vec3  # m/s^2, of `velocity` as a moving vehicle meets it
    acceleration: Vec3  # m/s^2, at a fixed point: -grad p / rho


class Surface(NamedTuple):
    """Level of the surface with its slopes (1) and its rate at a fixed point (m/s)."""

    level: Any
    north: Any
    east: Any
    rate: Any


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
    """Exp(-ks) and echo exp(ks), each divided by `scale`; both 0 beyond DEEP.

    exp(x) = (exp(x/64))^64 with a Taylor series, good to 64 roundings; one division serves both.
    """
    x = min(ks, DEEP) * (-1.0 / 64.0)
    e = E[10] + x * (E[11] + x * (E[12] + x * (E[13] + x * (E[14] + x * E[15]))))
    e = E[5] + x * (E[6] + x * (E[7] + x * (E[8] + x * (E[9] + x * e))))
    e = E[0] + x * (E[1] + x * (E[2] + x * (E[3] + x * (E[4] + x * e))))
    e = e * e
    e = e * e
    e = e * e
    e = e * e
    e = e * e
    e = e * e
    inverse = 1.0 / (e * scale) if ks < DEEP else 0.0
    return e * e * inverse, echo * inverse


@compiled
def surface_of(sea, at, n, north, east, time):
    """Sum of the components' surfaces."""
    level = slope_north = slope_east = rate = 0.0
    for i in range(n):
        w = as_wave(sea[at + i * N_WAVE :])
        sine, cosine = sine_cosine(w.north * north + w.east * east - w.omega * time + w.phase)
        along = w.amplitude * sine
        level -= w.amplitude * cosine
        slope_north += w.north * along
        slope_east += w.east * along
        rate -= w.omega * along
    return Surface(level, slope_north, slope_east, rate)


@compiled
def stretched(level, depth, down):
    """Wheeler's depth below the moving surface, between 0 and the depth of the water, and the room d - level."""
    room = max(depth - level, 0.1 * depth)  # no trough of a wave that has not broken is so low
    return min(max(depth * (down - level) / room, 0.0), depth), room


@compiled_apart
def waves_at(sea, at, n, depth, north, east, down, time, v_north, v_east, v_down):
    """WaveState of one vehicle, as floats."""
    top = surface_of(sea, at, n, north, east, time)
    s, room = stretched(top.level, depth, down)
    top_rate = top.rate + v_north * top.north + v_east * top.east
    s_rate = depth / room * (v_down - top_rate * (1.0 - s / depth)) if 0.0 < s < depth else 0.0
    while n > 0 and sea[at + (n - 1) * N_WAVE + K_AT] * s > DEEP:
        n -= 1
    x = y = z = ax = ay = az = rx = ry = rz = 0.0
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
        along = w.omega * level * sine
        ax += along * w.north
        ay += along * w.east
        az += w.omega * upright * cosine
        turn = w.north * v_north + w.east * v_east - w.omega
        along = -turn * level * sine - s_rate * upright * cosine
        rx += along * w.north
        ry += along * w.east
        rz += s_rate * w.number * w.number * level * sine - turn * upright * cosine
    return WaveState(top.level, top.north, top.east, Vec3(x, y, z), Vec3(rx, ry, rz), Vec3(ax, ay, az))


@compiled
def waves(sea, position, time, velocity):
    """WaveState at a position (NED, m) and time (s) of a vehicle that moves at `velocity` (NED, m/s)."""
    h = as_sea(sea)
    at, n, depth = int(h.waves_at), int(h.n_waves), h.depth
    zero = constant(0.0, position.z)
    level, north, east = zero, zero, zero
    x, y, z, rx, ry, rz, ax, ay, az = zero, zero, zero, zero, zero, zero, zero, zero, zero
    for i in range(width(position.z) if n > 0 else 0):
        here = waves_at(
            sea,
            at,
            n,
            depth,
            pick(position.x, i),
            pick(position.y, i),
            pick(position.z, i),
            pick(time, i),
            pick(velocity.x, i),
            pick(velocity.y, i),
            pick(velocity.z, i),
        )
        level, north, east = put(level, i, here.level), put(north, i, here.slope_north), put(east, i, here.slope_east)
        x, y, z = put(x, i, here.velocity.x), put(y, i, here.velocity.y), put(z, i, here.velocity.z)
        rx, ry, rz = put(rx, i, here.rate.x), put(ry, i, here.rate.y), put(rz, i, here.rate.z)
        a = here.acceleration
        ax, ay, az = put(ax, i, a.x), put(ay, i, a.y), put(az, i, a.z)
    return WaveState(level, north, east, Vec3(x, y, z), Vec3(rx, ry, rz), Vec3(ax, ay, az))


@compiled_apart
def head_at(sea, at, n, depth, north, east, down, time):
    """Dynamic pressure head of one point, m."""
    top = surface_of(sea, at, n, north, east, time)
    s, _ = stretched(top.level, depth, down)
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
    h = as_sea(sea)
    at, n, depth = int(h.waves_at), int(h.n_waves), h.depth
    head = constant(0.0, position.z)
    for i in range(width(position.z) if n > 0 else 0):
        x, y, z = pick(position.x, i), pick(position.y, i), pick(position.z, i)
        head = put(head, i, head_at(sea, at, n, depth, x, y, z, pick(time, i)))
    return head


@entry
def sample_waves(sea, positions, times, out):
    """Fill rows of `out` (n, 9) for rows of `positions` (n, 3) and `times` (n).

    Columns: level, slope north, slope east, velocity north east down, acceleration north east down.
    """
    still = Vec3(0.0, 0.0, 0.0)
    for i in range(len(times)):
        here = waves(sea, Vec3(positions[i, 0], positions[i, 1], positions[i, 2]), times[i], still)
        v, a = here.velocity, here.acceleration
        out[i, 0], out[i, 1], out[i, 2] = here.level, here.slope_north, here.slope_east
        out[i, 3], out[i, 4], out[i, 5] = v.x, v.y, v.z
        out[i, 6], out[i, 7], out[i, 8] = a.x, a.y, a.z


@entry
def sample_wave_head(sea, positions, times, out):
    """Fill `out` (n) with the dynamic pressure head (m) at rows of `positions` (n, 3) and `times` (n)."""
    for i in range(len(times)):
        out[i] = wave_pressure_head(sea, Vec3(positions[i, 0], positions[i, 1], positions[i, 2]), times[i])
