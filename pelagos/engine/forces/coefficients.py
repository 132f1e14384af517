"""Hydrodynamic coefficients: the polynomial of published coefficients, velocities and control surface angles.

    tau_axis = sum of value * factor * factor ...   for Y_uv, N_r|r|, Z_uuds, X_u|u|dpbdpb, ...

Factors: u v w p q r through the water, their absolute values, surface angles (rad), n (propeller race, Healey's
epsilon), phi and theta (rad), fade = exp(-k U). Names are turned into factors by `vehicle/load/coefficient_names.py`,
where the rule of errata B58 also makes Y_uv multiply |u| v, so that lift resists when going astern; `u_rule = "signed"`
keeps u.

Reference: Gertler & Hagen (1967); Healey & Lienard (1993); Prestero (2001); Brutzman (6.48)-(6.53).
Frames: body axes, velocity through the water. Units: SI; dimensionless sets were scaled by pack. Valid: as far as
each published set is. Damping is passive only if the published numbers are: see `pelagos check`. Where a surface whose
place the file gives leaves the water, its angle counts by its wet share.
"""

from __future__ import annotations

from pelagos.engine.compiled import compiled
from pelagos.engine.core.algebra import Wrench, largest
from pelagos.engine.core.lanes import atan2, constant, exp, sqrt, where_less
from pelagos.engine.core.layout import (
    FACTOR_FADE,
    FACTOR_ONE,
    FACTOR_PHI,
    FACTOR_PRODUCT,
    FACTOR_RACE,
    FACTOR_SPEED,
    FACTOR_SURFACE,
    FACTOR_THETA,
    FACTOR_VELOCITY,
)


@compiled
def race_factor(model, n, u):
    """Healey's factor epsilon of the propeller race at the tail: 0 at the self-propulsion point.

    epsilon = -1 + sign(n)/sign(u) (sqrt(C_t + 1) - 1)/(sqrt(C_t1 + 1) - 1), C_t = C_t1 eta|eta|, eta = a n/u;
    Healey & Lienard (1993), (A.7)-(A.9). Undefined at u = 0: 0 below 1e-9 m/s.
    """
    speed = abs(u)
    eta = model.race_advance * n / where_less(speed, 1e-9, 1e-9, u)
    ct = largest(model.race_ct * eta * abs(eta), constant(-1.0, u))
    sign = where_less(n, 0.0, -1.0, 1.0) * where_less(u, 0.0, -1.0, 1.0)
    epsilon = -1.0 + sign * (sqrt(ct + 1.0) - 1.0) / (sqrt(model.race_ct + 1.0) - 1.0)
    return where_less(speed, 1e-9, constant(0.0, u), epsilon)


@compiled
def coefficients(model, structure, kin, actuators, factors, shares):
    """Wrench of the coefficients; `factors` is scratch space for the table of factors."""
    v, o = kin.water, kin.omega
    factors[FACTOR_ONE] = constant(1.0, v.x)
    factors[FACTOR_VELOCITY] = v.x
    factors[FACTOR_VELOCITY + 1] = v.y
    factors[FACTOR_VELOCITY + 2] = v.z
    factors[FACTOR_VELOCITY + 3] = o.x
    factors[FACTOR_VELOCITY + 4] = o.y
    factors[FACTOR_VELOCITY + 5] = o.z
    factors[FACTOR_SPEED] = abs(v.x)
    factors[FACTOR_SPEED + 1] = abs(v.y)
    factors[FACTOR_SPEED + 2] = abs(v.z)
    factors[FACTOR_SPEED + 3] = abs(o.x)
    factors[FACTOR_SPEED + 4] = abs(o.y)
    factors[FACTOR_SPEED + 5] = abs(o.z)
    for i in range(structure.n_surfaces):
        factors[FACTOR_SURFACE + i] = shares.surface[i] * actuators.surface[i]
    if structure.uses_race:
        factors[FACTOR_RACE] = race_factor(model, actuators.thruster[structure.race_thruster], v.x)
    if structure.uses_angles:
        d = kin.down
        factors[FACTOR_PHI] = atan2(d.y, d.z)
        factors[FACTOR_THETA] = atan2(-d.x, sqrt(d.y * d.y + d.z * d.z))
    if structure.uses_fade == 1:
        factors[FACTOR_FADE] = exp(-model.fade * sqrt(v.x * v.x + v.y * v.y + v.z * v.z))
    elif structure.uses_fade == 2:  # as published: sqrt(u + v^2), for comparison with that program
        g = kin.ground
        factors[FACTOR_FADE] = exp(-model.fade * sqrt(largest(g.x + g.y * g.y, constant(0.0, g.x))))
    # products of two factors are formed once: many coefficients share them, and later ones multiply earlier products
    for i in range(structure.n_products):
        factors[FACTOR_PRODUCT + i] = factors[structure.product_a[i]] * factors[structure.product_b[i]]
    return Wrench(
        _axis(model, structure, factors, 0),
        _axis(model, structure, factors, 1),
        _axis(model, structure, factors, 2),
        _axis(model, structure, factors, 3),
        _axis(model, structure, factors, 4),
        _axis(model, structure, factors, 5),
    )


@compiled
def _axis(model, structure, factors, axis):
    total = constant(0.0, factors[0])
    for i in range(structure.axis_start[axis], structure.axis_start[axis + 1]):
        total = total + model.coefficients[i] * factors[structure.term_a[i]] * factors[structure.term_b[i]]
    return total
