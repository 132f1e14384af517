"""THE equation of motion.

    (M_RB + M_A) nu_dot = sum of Forces,    position_dot = R_nb v,    attitude_dot = quaternion or Euler kinematics

with nu over ground in body axes about O, nu_r = nu - nu_c through the water (Fossen 2011, (8.1)). Each entry of
`Forces` is one file in `forces/`; the log, the "which force did what" figure and the tests use the same tuple.
"""

from __future__ import annotations

from typing import NamedTuple

from pelagos.engine.algebra import Wrench, add
from pelagos.engine.compiled import compiled, compiled_apart
from pelagos.engine.forces.added_mass import added_mass
from pelagos.engine.forces.coefficients import coefficients
from pelagos.engine.forces.crossflow import crossflow
from pelagos.engine.forces.fins import fins
from pelagos.engine.forces.lift_drag import lift_drag
from pelagos.engine.forces.restoring import restoring
from pelagos.engine.forces.rigid_body import rigid_body
from pelagos.engine.forces.thrusters import thrusters
from pelagos.engine.forces.user import user
from pelagos.engine.kinematics import Motion, attitude_rate, kinematics, to_world
from pelagos.engine.mass import acceleration, mass_now


class Forces(NamedTuple):
    """Everything that pushes the vehicle, one wrench a cause."""

    rigid_body: Wrench  # -C_RB(nu) nu
    added_mass: Wrench  # -C_A(nu_r) nu_r + M_A nu_c_dot
    coefficients: Wrench  # published polynomial: damping, lift, control surfaces by coefficient
    crossflow: Wrench  # strips
    lift_drag: Wrench  # hull in flow axes
    restoring: Wrench  # weight and buoyancy
    fins: Wrench  # control surfaces by geometry
    thrusters: Wrench
    external: Wrench  # a user's wrench, held during the control interval
    user: Wrench  # a user's compiled force


@compiled
def forces(kin, mass, actuators, model, structure, water, command, work):
    """All forces at one instant."""
    e = command.external
    return Forces(
        rigid_body(mass, structure, kin),
        added_mass(model, structure, kin),
        coefficients(model, structure, kin, actuators, work.factors),
        crossflow(model, structure, kin),
        lift_drag(model, structure, kin),
        restoring(model, mass, kin, water),
        fins(model, structure, kin, actuators),
        thrusters(model, structure, kin, actuators),
        Wrench(e[0], e[1], e[2], e[3], e[4], e[5]),
        user(model, structure, kin, water, actuators),
    )


@compiled
def total(f):
    """Sum of all forces."""
    hull = add(add(f.rigid_body, f.added_mass), add(f.coefficients, f.crossflow))
    body = add(add(f.lift_drag, f.restoring), add(f.fins, f.thrusters))
    return add(add(hull, body), add(f.external, f.user))


@compiled_apart
def derivative(m, elapsed, actuators, model, structure, water, command, work):
    """Rate of the motion m, `elapsed` seconds into the call, with the actuators where they are then."""
    kin = kinematics(m, water, structure.euler_angles, elapsed)
    mass = mass_now(model, structure, actuators)
    f = total(forces(kin, mass, actuators, model, structure, water, command, work))
    nu_dot = acceleration(model, structure, mass, work, kin, f)
    velocity = to_world(kin.R_nb, kin.ground)
    turn = attitude_rate(m, structure.euler_angles)
    return Motion(
        velocity.x, velocity.y, velocity.z, turn.a, turn.b, turn.c, turn.d,
        nu_dot.X, nu_dot.Y, nu_dot.Z, nu_dot.K, nu_dot.M, nu_dot.N,
    )  # fmt: skip
