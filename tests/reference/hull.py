"""Forces of the water on the hull, one textbook equation per function.

[F] T. I. Fossen, Handbook of Marine Craft Hydrodynamics and Motion Control, Wiley 2011.
[B] D. P. Brutzman, A Virtual World for an AUV, dissertation, NPS 1994, chapter VI (corrected).
[H] A. J. Healey, D. Lienard, IEEE J. Oceanic Eng. 18(3), 1993: the coefficient form and the race factor.
[G] J. G. Graver, Underwater Gliders: Dynamics, Control and Design, dissertation, Princeton 2005.

All vectors in body axes at the body origin, SI; nu_r is the velocity through the water (m/s, rad/s).
Forces are (X, Y, Z, K, M, N), N and N m.
"""

from __future__ import annotations

from itertools import pairwise
from math import asin, atan2, cos, exp, sin, sqrt

import numpy as np

from pelagos.vehicle.spec import VELOCITIES, Coefficient, Crossflow, Fade, LiftDrag, Race

from .kinematics import Array, skew
from .rigid_body import m2c

# Below this cross-flow speed (m/s) a strip makes no force: the integrand is cubic over linear, its limit is 0.
STILL_M_S = 1e-12


def wrench_at(point_b: Array, force_b: Array) -> Array:
    """(F, r x F): a force moved from a point to the origin."""
    return np.concatenate([force_b, np.cross(point_b, force_b)])


def body_current(rotation_nb: Array, current_n: Array) -> Array:
    """nu_c = (R^T c, 0): an irrotational current in body axes. [F] 8.3."""
    return np.concatenate([rotation_nb.T @ current_n, np.zeros(3)])


def body_current_rate(rotation_nb: Array, omega_b: Array, current_n: Array, current_dot_n: Array) -> Array:
    """nu_c-dot = (R^T c-dot - S(omega) R^T c, 0): the body axes turn under a steady current. [F] 8.3."""
    turning = -skew(omega_b) @ (rotation_nb.T @ current_n)
    return np.concatenate([rotation_nb.T @ current_dot_n + turning, np.zeros(3)])


def added_mass_force(added: Array, nu_r: Array, nu_c_dot: Array, coriolis: str) -> Array:
    """-C_A(nu_r) nu_r + M_A nu_c-dot; the part M_A nu-dot is on the left-hand side. [F] 6.3 and 8.3.

    With coriolis = "none" only the first part is left out (as [B] does): M_A nu_c-dot belongs to nu_r-dot.
    """
    force = added @ nu_c_dot
    if coriolis == "full":
        force = force - m2c(added, nu_r) @ nu_r
    return force


def froude_krylov(density: float, volume: float, cb_b: Array, rotation_nb: Array, current_dot_n: Array) -> Array:
    """rho V R^T c-dot at the centre of buoyancy: the pressure gradient that accelerates the current itself.

    With M_A nu_c-dot it gives a neutrally buoyant particle of water the acceleration of the water.
    """
    return wrench_at(cb_b, density * volume * (rotation_nb.T @ current_dot_n))


def restoring(weight: float, cg_b: Array, buoyancy: float, cb_b: Array, rotation_nb: Array) -> Array:
    """-g(eta): weight at CG and buoyancy at CB along the vertical, third column of R^T. [F] 4.1, [B] (6.48)-(6.53)."""
    down_b = rotation_nb.T @ np.array([0.0, 0.0, 1.0])
    return wrench_at(cg_b, weight * down_b) + wrench_at(cb_b, -buoyancy * down_b)


def restoring_written_out(weight: float, cg_b: Array, buoyancy: float, cb_b: Array, phi: float, theta: float) -> Array:
    """The same from the printed lines of [B] (6.48)-(6.53), for cross-checks."""
    (xg, yg, zg), (xb, yb, zb) = cg_b, cb_b
    w, b = weight, buoyancy
    return np.array(
        [
            -(w - b) * sin(theta),
            (w - b) * cos(theta) * sin(phi),
            (w - b) * cos(theta) * cos(phi),
            (yg * w - yb * b) * cos(theta) * cos(phi) - (zg * w - zb * b) * cos(theta) * sin(phi),
            -(xg * w - xb * b) * cos(theta) * cos(phi) - (zg * w - zb * b) * sin(theta),
            (xg * w - xb * b) * cos(theta) * sin(phi) + (yg * w - yb * b) * sin(theta),
        ]
    )


def buoyancy_of(density: float, gravity: float, volume: float, compressibility_1_pa: float, depth: float) -> float:
    """rho g V (1 - compressibility p) with the gauge pressure p = rho g depth, N; no pressure above the surface."""
    pressure = density * gravity * max(0.0, depth)
    return density * gravity * volume * (1.0 - compressibility_1_pa * pressure)


def race_factor(race: Race, shaft_rate: float, u: float) -> float:
    """epsilon(eta) of [H]: how much faster than at self-propulsion (eta = 1) the race flows, minus one.

    epsilon = -1 + sign(n)/sign(u) (sqrt(ct eta|eta| + 1) - 1) / (sqrt(ct + 1) - 1), eta = advance n / u.
    It does not exist at u = 0; 0 there. A race against the motion is at most stopped (root of 0).
    """
    if abs(u) < 1e-9:
        return 0.0
    eta = race.advance_m * shaft_rate / u
    inside = max(0.0, race.ct * eta * abs(eta) + 1.0)
    ratio = (sqrt(inside) - 1.0) / (sqrt(race.ct + 1.0) - 1.0)
    return -1.0 + np.sign(shaft_rate) / np.sign(u) * ratio


def fade_factor(fade: Fade, nu: Array, nu_r: Array) -> float:
    """exp(-rate U) with U the speed through the water.

    `published_slip`: U = sqrt(u + v^2) over ground, the misprinted exponent of a published program; it exists
    ahead only, astern U = 0 where the root would be imaginary.
    """
    if fade.published_slip:
        return exp(-fade.rate_s_m * sqrt(max(0.0, nu[0] + nu[1] ** 2)))
    return exp(-fade.rate_s_m * float(np.linalg.norm(nu_r[:3])))


def polynomial(coefficients: tuple[Coefficient, ...], letters: dict[str, float]) -> Array:
    """The force polynomial: each term is its value times its factors, looked up by letter. [B] (6.48)-(6.53)."""
    force = np.zeros(6)
    for term in coefficients:
        product = term.value
        for factor in term.factors:
            letter = factor.strip("|")
            product *= abs(letters[letter]) if factor.startswith("|") else letters[letter]
        force[term.axis] += product
    return force


def letters_of(nu_r: Array, phi: float, theta: float) -> dict[str, float]:
    """The letters a coefficient name may use, without surfaces, race and fade."""
    letters = {name: float(value) for name, value in zip(VELOCITIES, nu_r, strict=True)}
    return letters | {"phi": phi, "theta": theta}


def curve_value(curve: tuple[tuple[float, float], ...], x: float) -> float:
    """Linear between the points, constant outside; of two points at one abscissa the later holds from there on."""
    if x < curve[0][0]:
        return curve[0][1]
    for (x0, y0), (x1, y1) in pairwise(curve):
        if x0 <= x < x1:
            return y0 + (y1 - y0) * (x - x0) / (x1 - x0)
    return curve[-1][1]


def crossflow_drag(hull: Crossflow, density: float, nu_r: Array) -> Array:
    """Strip-wise cross-flow drag, integrals of [B] (6.49)-(6.53) as weighted sums over the stations.

    Coupled: dF = -rho/2 [Cdy h (v + x r)^2 + Cdz b (w - x q)^2] / (U_cf + guard) (v + x r, w - x q) dx,
    U_cf = sqrt((v + x r)^2 + (w - x q)^2). Independent: each plane with its own |velocity| velocity.
    Moments M = -x dZ, N = x dY.
    """
    _, v, w, _, q, r = nu_r
    factor = curve_value(hull.curve, sqrt(v * v + w * w)) if hull.curve else 1.0
    force = np.zeros(6)
    strips = zip(hull.x_m, hull.height_m, hull.breadth_m, hull.weight_m, hull.cd_y, hull.cd_z, strict=True)
    for x, height, breadth, dx, cd_y, cd_z in strips:
        side, down = v + x * r, w - x * q
        speed = sqrt(side * side + down * down)
        if hull.flow == "independent":
            d_y = -cd_y * height * abs(side) * side
            d_z = -cd_z * breadth * abs(down) * down
        elif speed < STILL_M_S:
            continue
        else:
            drag = (cd_y * height * side**2 + cd_z * breadth * down**2) / (speed + hull.guard_m_s)
            d_y, d_z = -drag * side, -drag * down
        strip = 0.5 * density * factor * dx * np.array([0.0, d_y, d_z, 0.0, -x * d_z, x * d_y])
        force += strip
    return force


def lift_drag(hull: LiftDrag, nu_r: Array) -> Array:
    """Lift, drag and side force of the whole hull, flow axes turned to body axes [G]..

    F = R (-D, S, -L) U^2 with R = Ry(-alpha) Rz(beta); moments are about the body axes, also per U^2.
    Without sideslip beta is 0 in R, in S and in the moments; U is the whole speed all the same.
    """
    u, v, w, p, q, r = nu_r
    speed = sqrt(u * u + v * v + w * w)
    if speed == 0.0:
        return np.zeros(6)
    a = atan2(w, u)
    b = asin(min(1.0, max(-1.0, v / speed))) if hull.sideslip else 0.0
    drag = hull.drag_0 + hull.drag_aa * a * a
    lift = hull.lift_0 + hull.lift_a * a
    side = hull.side_b * b
    flow_to_body = np.array(
        [
            [cos(a) * cos(b), -cos(a) * sin(b), -sin(a)],
            [sin(b), cos(b), 0.0],
            [sin(a) * cos(b), -sin(a) * sin(b), cos(a)],
        ]
    )
    force = flow_to_body @ np.array([-drag, side, -lift])
    moment = np.array(
        [
            hull.roll_b * b + hull.roll_p * p,
            hull.pitch_0 + hull.pitch_a * a + hull.pitch_q * q,
            hull.yaw_b * b + hull.yaw_r * r,
        ]
    )
    return speed * speed * np.concatenate([force, moment])
