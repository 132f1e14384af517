"""Kinematics of the body in moving water: velocities, attitude and depth, computed once per evaluation."""

from __future__ import annotations

from typing import Any, NamedTuple

from pelagos.engine.compiled import compiled
from pelagos.engine.core.algebra import Vec3, cross
from pelagos.engine.core.attitude import (
    Attitude,
    Rotation,
    euler_rate,
    quaternion_rate,
    rotation_from_euler,
    rotation_from_quaternion,
)
from pelagos.engine.core.lanes import constant
from pelagos.engine.water.flow import flow
from pelagos.engine.water.sea import as_hull, as_sea
from pelagos.engine.water.waves import WaterMotion, following, waves
from pelagos.engine.water.wet import is_deep


class Motion(NamedTuple):
    """Rigid-body state: position NED (m), attitude, velocity over ground in body axes (m/s, rad/s)."""

    x: Any
    y: Any
    z: Any
    a: Any  # a to d: quaternion, or roll, pitch, yaw and an unused number
    b: Any
    c: Any
    d: Any
    u: Any
    v: Any
    w: Any
    p: Any
    q: Any
    r: Any


class Kin(NamedTuple):
    """Kinematic quantities of one instant. "Water" means relative to the moving water: current and waves."""

    R_nb: Rotation
    down: Vec3  # unit vector, body axes
    ground: Vec3  # velocity of O over ground, body axes, m/s
    water: Vec3  # velocity of O through the water, m/s
    omega: Vec3  # rad/s
    current: Vec3  # body axes, m/s
    current_rate: Vec3  # in the moving, turning body: d(R^T c)/dt = R^T c_dot - omega x R^T c, m/s^2
    fluid_acceleration: Vec3  # of the water itself, R^T Dc/Dt, body axes, m/s^2
    position: Vec3  # of O, NED, m
    velocity: Vec3  # of O over ground, NED, m/s
    depth: Any  # of O, m, below the still surface
    time: Any  # simulated time, s
    below: Any  # depth of O below the moving surface, m
    below_slope: Vec3  # how that depth grows along the body axes: "down" where the sea is flat
    at_surface: Any  # whether some part of the hull (of any vehicle of a block) may be dry


@compiled
def to_body(R, vector):
    """Body components of a NED vector: R_nb^T v_n."""
    return Vec3(
        R.xx * vector.x + R.yx * vector.y + R.zx * vector.z,
        R.xy * vector.x + R.yy * vector.y + R.zy * vector.z,
        R.xz * vector.x + R.yz * vector.y + R.zz * vector.z,
    )


@compiled
def to_world(R, vector):
    """NED components of a body vector: R_nb v_b."""
    return Vec3(
        R.xx * vector.x + R.xy * vector.y + R.xz * vector.z,
        R.yx * vector.x + R.yy * vector.y + R.yz * vector.z,
        R.zx * vector.x + R.zy * vector.y + R.zz * vector.z,
    )


@compiled
def rotation_of(m, euler):
    """R_nb of the motion, from its quaternion or Euler angles."""
    if euler:
        return rotation_from_euler(m.a, m.b, m.c)
    return rotation_from_quaternion(Attitude(m.a, m.b, m.c, m.d))


@compiled
def _plus(a, b):
    return Vec3(a.x + b.x, a.y + b.y, a.z + b.z)


@compiled
def water_motion(water, stream, swell, elapsed):
    """Velocity of the water and its derivatives: uniform current of the call, currents of the sea, waves."""
    c, c_dot = water.current, water.current_dot
    uniform = Vec3(c[0] + elapsed * c_dot[0], c[1] + elapsed * c_dot[1], c[2] + elapsed * c_dot[2])
    return WaterMotion(
        _plus(uniform, _plus(stream.value, swell.value)),
        _plus(Vec3(c_dot[0], c_dot[1], c_dot[2]), _plus(stream.time, swell.time)),
        _plus(stream.north, swell.north),
        _plus(stream.east, swell.east),
        _plus(stream.down, swell.down),
    )


@compiled
def kinematics(m, records, elapsed):
    """Kinematics of a motion, `elapsed` seconds after the call began; the water is sampled at O."""
    water, sea, hull = records.water, records.sea, records.hull
    R = rotation_of(m, records.structure.euler_angles)
    omega = Vec3(m.p, m.q, m.r)
    position = Vec3(m.x, m.y, m.z)
    velocity = to_world(R, Vec3(m.u, m.v, m.w))
    time = water.time + elapsed
    swell = waves(sea, position, time)
    motion = water_motion(water, flow(sea, position, time), swell.motion, elapsed)
    rate, acceleration = motion.time, motion.time
    h = as_sea(sea)
    if h.n_knots + h.n_fields + h.n_waves > 0.0:  # else the velocity does not change in space
        rate, acceleration = following(motion, velocity), following(motion, motion.value)
    current, rate, acceleration = to_body(R, motion.value), to_body(R, rate), to_body(R, acceleration)
    turning = cross(omega, current)  # the axes turn under a current that does not
    below = m.z - swell.level
    below_slope = to_body(R, Vec3(-swell.slope_north, -swell.slope_east, constant(1.0, m.z)))
    at_surface = False
    if h.surface > 0.0 and as_hull(hull).n_points > 0.0:
        at_surface = not is_deep(hull, below, below_slope)
    return Kin(
        R,
        Vec3(R.zx, R.zy, R.zz),
        Vec3(m.u, m.v, m.w),
        Vec3(m.u - current.x, m.v - current.y, m.w - current.z),
        omega,
        current,
        Vec3(rate.x - turning.x, rate.y - turning.y, rate.z - turning.z),
        acceleration,
        position,
        velocity,
        m.z,
        time,
        below,
        below_slope,
        at_surface,
    )


@compiled
def attitude_rate(m, euler):
    """Rate of the four attitude numbers."""
    att = Attitude(m.a, m.b, m.c, m.d)
    if euler:
        return euler_rate(att, m.p, m.q, m.r)
    return quaternion_rate(att, m.p, m.q, m.r)
