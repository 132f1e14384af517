"""Thrusters, fins, ballast and their lags, as equations of one actuator each.

[B] D. P. Brutzman, A Virtual World for an AUV, dissertation, NPS 1994, chapter VI: (6.43)-(6.46).
[Y] D. R. Yoerger, J. G. Cooke, J.-J. E. Slotine, IEEE J. Oceanic Eng. 15(3), 1990, and
    [F] T. I. Fossen, Handbook 2011, 12.2: bilinear thruster T = k s|s| - inflow |s| u_a.
[P] T. Prestero, MSc thesis, MIT/WHOI 2001: lift and drag of a fin from the local flow.

Body axes, SI. The state of a thruster is its lagged drive (rad/s, V, N or 1), or with lag_on = "thrust"
its lagged bollard thrust in N. `scale` is density over the vehicle's reference density.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import copysign, exp, hypot, inf, sqrt

import numpy as np

from pelagos.vehicle.spec import Ballast, Fin, Supply, Thruster

from .hull import curve_value, wrench_at
from .kinematics import Array

# Floor under the axial flow of a fin, m/s: makes the angle of attack finite at rest.
FIN_FLOOR_M_S = 1e-9


def point_velocity(nu_r: Array, position_b: Array) -> Array:
    """v + omega x r: velocity through the water of a point of the body."""
    return nu_r[:3] + np.cross(nu_r[3:], position_b)


def drive_of(thruster: Thruster, command: float) -> float:
    """The command within its limits, 0 inside the open interval (dead_low, dead_high)."""
    drive = min(thruster.maximum, max(thruster.minimum, command))
    return 0.0 if thruster.dead_low < drive < thruster.dead_high else drive


def density_effect(thruster: Thruster, scale: float) -> float:
    """Thrust follows the density, except where the command itself is in newtons."""
    return 1.0 if thruster.drive == "force" else scale


def bollard_thrust(thruster: Thruster, drive: float, scale: float = 1.0) -> float:
    """Thrust in still water, N: k s|s| + linear s, or the table; [B] (6.45)."""
    scale = density_effect(thruster, scale)
    if thruster.table:
        return scale * curve_value(thruster.table, drive)
    k = thruster.k_forward if drive >= 0.0 else thruster.k_reverse
    return scale * (k * drive * abs(drive) + thruster.linear * drive)


def inflow_speed(thruster: Thruster, nu_r: Array) -> float:
    """u_a = (1 - wake) times the velocity of the point along the axis, or times the hull's speed."""
    if thruster.inflow_from == "speed":
        velocity = float(np.linalg.norm(nu_r[:3]))
    else:
        point = point_velocity(nu_r, np.asarray(thruster.position_b, float))
        velocity = float(point @ np.asarray(thruster.direction_b, float))
    return (1.0 - thruster.wake) * velocity


def idle_advance(thruster: Thruster) -> float:
    """Inflow per drive J at which k - inflow J + inflow_square J^2 vanishes (the smaller positive root)."""
    a, b, c = thruster.inflow_square, -thruster.inflow_forward, thruster.k_forward
    square = b * b - 4.0 * a * c
    if square < 0.0:
        return inf
    roots = [(-b - sqrt(square)) / (2.0 * a), (-b + sqrt(square)) / (2.0 * a)]
    return min((root for root in roots if root > 0.0), default=inf)


def thrust_and_torque(thruster: Thruster, state: float, nu_r: Array, scale: float = 1.0) -> tuple[float, float]:
    """Thrust (N) and torque on the hull about the thruster's axis (N m).

    T = (k s|s| + linear s - inflow |s| u_a + inflow_square u_a|u_a|) exp(-tunnel_loss u^2), where with a square term
    u_a is held at the advance of no thrust; Q = torque s|s| + torque_inflow |s| u_a. k, inflow and torque take their
    forward or reverse value, torque_inflow acts ahead only. A stopped propeller (s = 0) has neither thrust nor drag.
    With a lagged thrust there is no shaft speed: the state is the thrust, without torque and inflow.
    """
    if state == 0.0:
        return 0.0, 0.0
    scale = density_effect(thruster, scale)
    u_a = inflow_speed(thruster, nu_r)
    loss = exp(-thruster.tunnel_loss_s2_m2 * nu_r[0] ** 2)
    if thruster.lag_on == "thrust":
        return state * loss, 0.0
    ahead = state > 0.0
    k = thruster.k_forward if ahead else thruster.k_reverse
    inflow = thruster.inflow_forward if ahead else thruster.inflow_reverse
    slipping = u_a
    if thruster.inflow_square != 0.0:  # beyond the advance of no thrust a propeller idles
        limit = idle_advance(thruster) * abs(state)
        slipping = min(max(u_a, -limit), limit)
    torque = thruster.torque_forward if ahead else thruster.torque_reverse
    torque_inflow = thruster.torque_inflow if ahead else 0.0
    thrust = (
        k * state * abs(state)
        + thruster.linear * state
        - inflow * abs(state) * slipping
        + thruster.inflow_square * slipping * abs(slipping)
    )
    return scale * thrust * loss, scale * (torque * state * abs(state) + torque_inflow * abs(state) * u_a)


def thruster_targets(
    thrusters: Sequence[Thruster], supplies: Sequence[Supply], commands: Sequence[float] | Array, scale: float = 1.0
) -> list[float]:
    """What each thruster's state tends to: its drive, or its bollard thrust where the thrust lags.

    Thrusts that share a supply are scaled so that the sum of their sizes stays below its limit.
    """
    targets = [drive_of(thruster, float(command)) for thruster, command in zip(thrusters, commands, strict=True)]
    for i, thruster in enumerate(thrusters):
        if thruster.lag_on == "thrust":
            targets[i] = bollard_thrust(thruster, targets[i], scale)
    for index, supply in enumerate(supplies):
        members = [i for i, item in enumerate(thrusters) if item.group == index and item.lag_on == "thrust"]
        total = sum(abs(targets[i]) for i in members)
        for i in members:
            targets[i] *= min(1.0, supply.limit_n / total) if total > 0.0 else 1.0
    return targets


def thruster_wrench(thruster: Thruster, thrust: float, torque: float) -> Array:
    """(T d, r x T d + Q d): push along the axis at the thruster and its reaction torque. [B] (6.46)."""
    direction = np.asarray(thruster.direction_b, float)
    wrench = wrench_at(np.asarray(thruster.position_b, float), thrust * direction)
    wrench[3:] += torque * direction
    return wrench


def lift_coefficient(fin: Fin, attack: float) -> float:
    """CL(a): linear up to stall, then on with the second slope, never below zero lift; odd in a. [P]."""
    size = abs(attack)
    if size <= fin.stall_rad:
        return fin.lift_slope_1_rad * attack
    cl = fin.lift_slope_1_rad * fin.stall_rad + fin.slope_after_stall_1_rad * (size - fin.stall_rad)
    return copysign(max(0.0, cl), attack)


def fin_wrench(fin: Fin, density: float, surface_angles: Array, nu_r: Array, shaft_rate: float, thrust: float) -> Array:
    """Lift across the local flow (in the plane of x and the fin's normal) and drag along -x. [P].

    u_f = hull_flow u_local + wash_m s, then u_f|u_f| += wash_momentum T; v_n = hull_flow v_local . normal;
    a = (u_f delta - v_n) / |u_f|; L = rho/2 S |u_f| V CL(a), V^2 = u_f^2 + v_n^2;
    D = rho/2 S u_f|u_f| (d0 + da|a| + daa a^2).
    T is the thrust at reference density: in the slipstream of momentum theory, 2T/(rho A), the density cancels.
    """
    position, normal = np.asarray(fin.position_b, float), np.asarray(fin.normal_b, float)
    local = point_velocity(nu_r, position)
    u_f = fin.hull_flow * local[0] + fin.wash_m * shaft_rate
    square = u_f * abs(u_f) + fin.wash_momentum * thrust
    u_f = copysign(sqrt(abs(square)), square)
    v_n = fin.hull_flow * float(local @ normal)
    delta = fin.gain * surface_angles[fin.surface] if fin.surface >= 0 else 0.0
    attack = (u_f * delta - v_n) / (abs(u_f) + FIN_FLOOR_M_S)
    attached = min(abs(attack), fin.stall_rad)
    cd = fin.drag_0 + fin.drag_a * attached + fin.drag_aa * attached * attached
    drag = 0.5 * density * fin.area_m2 * cd * u_f * abs(u_f)
    # Lift rho/2 S CL |u_f| V on the flow turned by 90 deg, towards the normal when going ahead
    speed, forward = hypot(u_f, v_n), np.array([1.0, 0.0, 0.0])
    across = (abs(u_f) * normal - copysign(1.0, u_f) * v_n * forward) / speed if speed > 0.0 else normal
    lift = 0.5 * density * fin.area_m2 * abs(u_f) * speed * lift_coefficient(fin, attack)
    return wrench_at(position, lift * across - drag * forward)


def ballast_mass(item: Ballast, s: float) -> tuple[float, float, Array]:
    """Mass (kg), volume (m^3) and place of a ballast item at its setting s."""
    place = np.asarray(item.position_b, float) + s * np.asarray(item.axis_b, float)
    return item.mass_kg + item.mass_per_unit * s, item.volume_per_unit * s, place


def lag(x: float, command: float, dt: float, time_constant: float, rate: float = inf) -> float:
    """Exact first-order lag under a constant command: x(t + h) = cmd + (x - cmd) exp(-h / tau).

    With a rate limit the state first moves at that rate until the lag itself is slower, then exponentially.
    """
    error = command - x
    knee = rate * time_constant  # distance at which the lag is as fast as the limit; inf or nan without one
    if rate == inf:
        return command - error * exp(-dt / time_constant) if time_constant > 0.0 else command
    if abs(error) > knee:
        fast = min(dt, (abs(error) - knee) / rate)
        x, dt = x + copysign(rate * fast, error), dt - fast
    if time_constant <= 0.0 or dt <= 0.0:
        return x
    return command + (x - command) * exp(-dt / time_constant)
