"""What every force needs to know of the motion, computed once per evaluation."""

from __future__ import annotations

from typing import Any, NamedTuple

from pelagos.engine.algebra import Vec3, cross
from pelagos.engine.attitude import (
    Attitude,
    Rotation,
    euler_rate,
    quaternion_rate,
    rotation_from_euler,
    rotation_from_quaternion,
)
from pelagos.engine.compiled import compiled


class Motion(NamedTuple):
    """The rigid-body state: position NED (m), attitude, velocity over ground in body axes (m/s, rad/s)."""

    x: Any
    y: Any
    z: Any
    a: Any
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
    """Motion seen from the body. "Water" means relative to the current."""

    R_nb: Rotation
    down: Vec3  # unit vector, body axes
    ground: Vec3  # velocity of O over ground, body axes, m/s
    water: Vec3  # velocity of O through the water, m/s
    omega: Vec3  # rad/s
    current: Vec3  # body axes, m/s
    current_rate: Vec3  # what a turning body sees: d(R^T c)/dt = R^T c_dot - omega x R^T c, m/s^2
    fluid_acceleration: Vec3  # R^T c_dot, body axes, m/s^2
    position: Vec3  # of O, NED, m
    depth: Any  # of O, m
    time: Any  # simulated time, s


@compiled
def to_body(R, vector):
    """R_nb^T v_n."""
    return Vec3(
        R.xx * vector.x + R.yx * vector.y + R.zx * vector.z,
        R.xy * vector.x + R.yy * vector.y + R.zy * vector.z,
        R.xz * vector.x + R.yz * vector.y + R.zz * vector.z,
    )


@compiled
def to_world(R, vector):
    """R_nb v_b."""
    return Vec3(
        R.xx * vector.x + R.xy * vector.y + R.xz * vector.z,
        R.yx * vector.x + R.yy * vector.y + R.yz * vector.z,
        R.zx * vector.x + R.zy * vector.y + R.zz * vector.z,
    )


@compiled
def rotation_of(m, euler):
    """R_nb of the motion, whichever way its attitude is kept."""
    if euler:
        return rotation_from_euler(m.a, m.b, m.c)
    return rotation_from_quaternion(Attitude(m.a, m.b, m.c, m.d))


@compiled
def kinematics(m, water, euler, elapsed):
    """Kin of a motion, `elapsed` seconds after the current record was written."""
    R = rotation_of(m, euler)
    c_dot = Vec3(water.current_dot[0], water.current_dot[1], water.current_dot[2])
    c = Vec3(
        water.current[0] + elapsed * c_dot.x,
        water.current[1] + elapsed * c_dot.y,
        water.current[2] + elapsed * c_dot.z,
    )
    current = to_body(R, c)
    acceleration = to_body(R, c_dot)
    omega = Vec3(m.p, m.q, m.r)
    turning = cross(omega, current)
    return Kin(
        R,
        Vec3(R.zx, R.zy, R.zz),
        Vec3(m.u, m.v, m.w),
        Vec3(m.u - current.x, m.v - current.y, m.w - current.z),
        omega,
        current,
        Vec3(acceleration.x - turning.x, acceleration.y - turning.y, acceleration.z - turning.z),
        acceleration,
        Vec3(m.x, m.y, m.z),
        m.z,
        water.time + elapsed,
    )


@compiled
def attitude_rate(m, euler):
    """Rate of the four attitude numbers."""
    att = Attitude(m.a, m.b, m.c, m.d)
    if euler:
        return euler_rate(att, m.p, m.q, m.r)
    return quaternion_rate(att, m.p, m.q, m.r)
