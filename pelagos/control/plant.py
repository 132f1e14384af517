"""What the autopilot knows of its vehicle: masses, damping, righting moments and the reach of its surfaces.

A plain model of the forces in still water, slow and small, evaluated when gains are made and not while flying:

    M nu_dot = -C_RB(nu) nu - C_A(nu) nu + coefficients(nu, delta) + hull(nu) + fins(nu, delta) + restoring(phi, theta)

Fossen, Handbook of Marine Craft Hydrodynamics and Motion Control, 2nd ed. 2021, chapters 3, 6 and 8.
It is there to choose gains by, so what gains do not need is left out: propeller race at other than steady speed
(the factor "n" is then zero), waves, contact. Its derivatives are central differences.

SI units, body axes about the body origin; nu through the water.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from pelagos.control.base import down_in_body
from pelagos.vehicle.spec import VELOCITIES, Fin, Vehicle

Array = NDArray[np.float64]

# Half width of the differences, m/s and rad/s: small motions about the setpoint, but not none, so that square-law drag
# counts a little. Taken larger, a hull with strong square-law damping seems to need no damping by its controller.
WORKING = np.array([0.1, 0.1, 0.1, 0.05, 0.05, 0.05])


class Plant:
    """Forces on one vehicle in water of given density and gravity; ballast as the file starts it."""

    def __init__(self, vehicle: Vehicle, density_kg_m3: float, gravity_m_s2: float) -> None:
        self._vehicle = vehicle
        self._scale = density_kg_m3 / vehicle.water.density_kg_m3
        body = vehicle.body
        mass, volume = body.mass_kg, body.volume_m3
        cg = mass * np.array(body.cg_b)
        cb = volume * np.array(body.cb_b)
        inertia = np.array(body.inertia_o, dtype=np.float64)
        for item in vehicle.ballast:
            at = np.array(item.position_b) + np.array(item.axis_b) * item.initial
            m = item.mass_kg + item.mass_per_unit * item.initial
            v = item.volume_per_unit * item.initial
            mass, volume = mass + m, volume + v
            cg, cb = cg + m * at, cb + v * at
            inertia = inertia + m * (float(at @ at) * np.eye(3) - np.outer(at, at))
        self.weight_n = mass * gravity_m_s2
        self.buoyancy_n = volume * density_kg_m3 * gravity_m_s2
        # (r_G W - r_B B): its cross product with the down vector is the righting moment.
        self._lever = gravity_m_s2 * (cg - density_kg_m3 * cb)
        self._levers: tuple[float, float, float] = tuple(self._lever.tolist())
        self.mass_rb = _rigid_body(mass, cg, inertia)
        self.mass_a = self._scale * np.array(vehicle.added_mass, dtype=np.float64)
        self.mass = self.mass_rb + self.mass_a
        self._mass_coriolis = self.mass_rb * (1.0 if vehicle.legacy.rigid_body_coriolis else 0.0)
        if vehicle.coriolis == "full":
            self._mass_coriolis = self._mass_coriolis + self.mass_a
        letters = [*VELOCITIES, *(f"|{x}|" for x in VELOCITIES), *(s.symbol for s in vehicle.surfaces)]
        index = {name: i for i, name in enumerate([*letters, "phi", "theta", "fade", "n"])}
        self._terms = [
            (c.axis, c.value * self._scale, tuple(index[f] for f in c.factors)) for c in vehicle.coefficients
        ]
        self._n_surfaces = len(vehicle.surfaces)
        self.propulsion: tuple[Array, Array] | None = None  # thrusts and drives whose slipstream meets the fins

    def restoring(self, roll: float, pitch: float) -> Array:
        """Weight, buoyancy and righting moment: ((W - B) d, (r_G W - r_B B) x d), d the down vector."""
        down = np.array(down_in_body(roll, pitch))
        return np.concatenate([(self.weight_n - self.buoyancy_n) * down, np.cross(self._lever, down)])

    def righting(self, roll: float, pitch: float) -> tuple[float, float]:
        """The roll and pitch moments of `restoring` alone, N m, quickly."""
        dx, dy, dz = down_in_body(roll, pitch)
        x, y, z = self._levers
        return y * dz - z * dy, z * dx - x * dz

    def wrench(self, nu: Array, surfaces: Array | None = None, roll: float = 0.0, pitch: float = 0.0) -> Array:
        """All forces but thrust on the vehicle moving steadily at nu with the surfaces at given angles."""
        delta = np.zeros(self._n_surfaces) if surfaces is None else surfaces
        tau = self.restoring(roll, pitch) - _coriolis(self._mass_coriolis, nu)
        self._add_coefficients(tau, nu, delta, roll, pitch)
        self._add_crossflow(tau, nu)
        self._add_lift_drag(tau, nu)
        self._add_fins(tau, nu, delta)
        return tau

    def _add_coefficients(self, tau: Array, nu: Array, delta: Array, roll: float, pitch: float) -> None:
        fade = self._vehicle.fade
        speed = float(np.linalg.norm(nu[:3]))
        faded = math.exp(-fade.rate_s_m * speed) if fade is not None else 1.0
        # The race factor n is zero when thrust and drag balance.
        x = [*nu.tolist(), *np.abs(nu).tolist(), *delta.tolist(), roll, pitch, faded, 0.0]
        for axis, value, factors in self._terms:
            for i in factors:
                value *= x[i]
            tau[axis] += value

    def _add_crossflow(self, tau: Array, nu: Array) -> None:
        c = self._vehicle.crossflow
        if c is None:
            return
        x = np.array(c.x_m)
        v = nu[1] + x * nu[5]
        w = nu[2] - x * nu[4]
        half = 0.5 * self._vehicle.water.density_kg_m3 * self._scale
        if c.curve:
            half *= float(np.interp(math.hypot(nu[1], nu[2]), [p[0] for p in c.curve], [p[1] for p in c.curve]))
        weight = half * np.array(c.weight_m)
        side, plan = np.array(c.cd_y) * np.array(c.height_m), np.array(c.cd_z) * np.array(c.breadth_m)
        if c.flow == "coupled":  # Healey & Lienard 1993: both planes share the cross-flow speed
            flow = np.sqrt(v * v + w * w) + c.guard_m_s
            drag = weight * (side * v * v + plan * w * w) / np.where(flow > 1e-12, flow, 1.0)
            y, z = -drag * v, -drag * w
        else:
            y, z = -weight * side * v * np.abs(v), -weight * plan * w * np.abs(w)
        tau[1] += y.sum()
        tau[2] += z.sum()
        tau[4] -= (x * z).sum()
        tau[5] += (x * y).sum()

    def _add_lift_drag(self, tau: Array, nu: Array) -> None:
        c = self._vehicle.lift_drag
        u, v, w, p, q, r = nu.tolist()
        square = u * u + v * v + w * w
        if c is None or square == 0.0:
            return
        a = math.atan2(w, u)
        b = math.asin(v / math.sqrt(square))
        square *= self._scale
        drag, lift, side = c.drag_0 + c.drag_aa * a * a, c.lift_0 + c.lift_a * a, c.side_b * b
        ca, sa = math.cos(a), math.sin(a)
        cb, sb = (math.cos(b), math.sin(b)) if c.sideslip else (1.0, 0.0)
        tau[0] += square * (-drag * ca * cb - side * ca * sb + lift * sa)
        tau[1] += square * (-drag * sb + side * cb)
        tau[2] += square * (-drag * sa * cb - side * sa * sb - lift * ca)
        tau[3] += square * (c.roll_b * b + c.roll_p * p)
        tau[4] += square * (c.pitch_0 + c.pitch_a * a + c.pitch_q * q)
        tau[5] += square * (c.yaw_b * b + c.yaw_r * r)

    def _add_fins(self, tau: Array, nu: Array, delta: Array) -> None:
        density = self._vehicle.water.density_kg_m3 * self._scale
        for fin in self._vehicle.fins:
            r, n = np.array(fin.position_b), np.array(fin.normal_b)
            flow = fin.hull_flow * (nu[:3] + np.cross(nu[3:], r))
            u, across = float(flow[0]), float(flow @ n)
            if fin.wash_thruster >= 0 and self.propulsion is not None:
                thrust, rate = (float(x[fin.wash_thruster]) for x in self.propulsion)
                u += fin.wash_m * rate
                u = u * abs(u) + fin.wash_momentum * thrust
                u = math.copysign(math.sqrt(abs(u)), u)
            angle = fin.gain * float(delta[fin.surface]) if fin.surface >= 0 else 0.0
            if abs(u) < 1e-9:
                continue
            square = u * u + across * across
            attack = math.copysign(1.0, u) * angle - across / abs(u)
            half = 0.5 * density * fin.area_m2
            force = half * square * _lift(fin, attack) * n
            force[0] -= half * u * abs(u) * (fin.drag_0 + fin.drag_a * abs(attack) + fin.drag_aa * attack**2)
            tau[:3] += force
            tau[3:] += np.cross(r, force)

    def slope(self, nu: Array) -> Array:
        """d wrench / d nu, 6 x 6, at nu, over the working range of each velocity."""
        columns = []
        for i in range(6):
            step = np.zeros(6)
            step[i] = WORKING[i]
            columns.append((self.wrench(nu + step) - self.wrench(nu - step)) / (2.0 * WORKING[i]))
        return np.array(columns).T

    def stiffness(self) -> tuple[float, float]:
        """Righting moment per radian of roll and of pitch when level, N m/rad; positive rights the vehicle."""
        step = 1e-3
        rest = np.zeros(6)
        roll = self.wrench(rest, roll=step)[3] - self.wrench(rest, roll=-step)[3]
        pitch = self.wrench(rest, pitch=step)[4] - self.wrench(rest, pitch=-step)[4]
        return -float(roll) / (2 * step), -float(pitch) / (2 * step)

    def surface_reach(self, speed: float) -> Array:
        """d wrench / d deflection, 6 x n_surfaces, going ahead at a steady speed, per radian."""
        nu = np.array([speed, 0.0, 0.0, 0.0, 0.0, 0.0])
        reach = np.zeros((6, self._n_surfaces))
        for i in range(self._n_surfaces):
            delta = np.zeros(self._n_surfaces)
            delta[i] = 0.1
            reach[:, i] = (self.wrench(nu, delta) - self.wrench(nu, -delta)) / 0.2
        return reach

    def drag(self, speed: float) -> float:
        """Force against steady straight motion ahead at a speed, N (positive against positive speed)."""
        return -float(self.wrench(np.array([speed, 0.0, 0.0, 0.0, 0.0, 0.0]))[0])


def _lift(fin: Fin, attack: float) -> float:
    """Lift coefficient: linear to the stall, then on with the second slope, not below zero."""
    size = abs(attack)
    if size <= fin.stall_rad:
        return fin.lift_slope_1_rad * attack
    lift = fin.lift_slope_1_rad * fin.stall_rad + fin.slope_after_stall_1_rad * (size - fin.stall_rad)
    return math.copysign(max(0.0, lift), attack)


def _rigid_body(mass: float, moment: Array, inertia: Array) -> Array:
    """M_RB = [[m I, -m S(r_G)], [m S(r_G), I_o]] with moment = m r_G (Fossen 2021, eq. 3.54)."""
    x, y, z = moment
    cross = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    return np.block([[mass * np.eye(3), -cross], [cross, inertia]])


def _coriolis(mass: Array, nu: Array) -> Array:
    """C(nu) nu of a mass matrix: (omega x p, v x p + omega x l) with momenta (p, l) = M nu."""
    momentum = mass @ nu
    linear, angular = momentum[:3], momentum[3:]
    return np.concatenate([np.cross(nu[3:], linear), np.cross(nu[:3], linear) + np.cross(nu[3:], angular)])
