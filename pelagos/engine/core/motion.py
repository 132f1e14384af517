"""Equation of motion of a rigid body in water, in six degrees of freedom.

    (M_RB + M_A) nu_dot = sum of Forces,    position_dot = R_nb v,    attitude_dot = quaternion or Euler kinematics

with nu over ground in body axes about O, nu_r = nu - nu_c through the water (Fossen 2011, (8.1)). Each entry of
`Forces` is one file in `forces/`; the log, the figure of forces and the tests use the same tuple.
"""

from __future__ import annotations

from typing import NamedTuple

from pelagos.engine.compiled import compiled, compiled_apart
from pelagos.engine.core.algebra import Wrench, add
from pelagos.engine.core.kinematics import Motion, attitude_rate, kinematics
from pelagos.engine.core.lanes import constant
from pelagos.engine.core.mass import acceleration, mass_now
from pelagos.engine.forces.added_mass import added_mass
from pelagos.engine.forces.coefficients import coefficients
from pelagos.engine.forces.crossflow import crossflow
from pelagos.engine.forces.fins import fins
from pelagos.engine.forces.lift_drag import lift_drag
from pelagos.engine.forces.restoring import restoring
from pelagos.engine.forces.rigid_body import rigid_body
from pelagos.engine.forces.tether import tether
from pelagos.engine.forces.thrusters import thrusters
from pelagos.engine.forces.user import user
from pelagos.engine.water.wet_parts import wet_parts


class Forces(NamedTuple):
    """The forces on the vehicle, one wrench for each cause."""

    rigid_body: Wrench  # -C_RB(nu) nu
    added_mass: Wrench  # -C_A(nu_r) nu_r + M_A nu_c_dot
    coefficients: Wrench  # published polynomial: damping, lift, control surfaces by coefficient
    crossflow: Wrench  # strips
    lift_drag: Wrench  # hull in flow axes
    restoring: Wrench  # weight, and buoyancy of the submerged part
    fins: Wrench  # control surfaces by geometry
    thrusters: Wrench
    contact: Wrench  # seabed and structures: impulses between steps, so zero inside a step, their mean in the log
    tether: Wrench  # pull at the fairlead
    external: Wrench  # a user's wrench, held during the control interval
    user: Wrench  # a user's compiled force


@compiled
def forces(kin, mass, actuators, records, contact):
    """All forces at one instant."""
    model, structure, water = records.model, records.structure, records.water
    e, wet = records.command.external, records.work.wet
    wet_parts(kin, records)
    return Forces(
        rigid_body(mass, structure, kin),
        added_mass(model, structure, kin),
        coefficients(model, structure, kin, actuators, records.work.factors, wet),
        crossflow(model, structure, kin),
        lift_drag(model, structure, kin),
        restoring(model, mass, kin, water, records.sea, records.hull),
        fins(model, structure, kin, actuators, wet),
        thrusters(model, structure, kin, actuators, wet),
        contact,
        tether(structure, kin, records.command.pull, water),
        Wrench(e[0], e[1], e[2], e[3], e[4], e[5]),
        user(model, structure, kin, water, actuators),
    )


@compiled
def total(f):
    """Sum of all forces."""
    hull = add(add(f.rigid_body, f.added_mass), add(f.coefficients, f.crossflow))
    body = add(add(f.lift_drag, f.restoring), add(f.fins, f.thrusters))
    return add(add(hull, body), add(add(f.contact, f.tether), add(f.external, f.user)))


@compiled_apart
def derivative(m, elapsed, actuators, records):
    """Rate of change of the motion m, `elapsed` seconds into the call, with the actuators at that instant."""
    kin = kinematics(m, records, elapsed)
    mass = mass_now(records.model, records.structure, actuators)
    none = constant(0.0, m.x)
    f = total(forces(kin, mass, actuators, records, Wrench(none, none, none, none, none, none)))
    nu_dot = acceleration(records.model, records.structure, mass, records.work, kin, f)
    turn = attitude_rate(m, records.structure.euler_angles)
    return Motion(
        kin.velocity.x, kin.velocity.y, kin.velocity.z, turn.a, turn.b, turn.c, turn.d,
        nu_dot.X, nu_dot.Y, nu_dot.Z, nu_dot.K, nu_dot.M, nu_dot.N,
    )  # fmt: skip
