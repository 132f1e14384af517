"""The whole equation of motion in matrix form: the independent twin of the compiled engine.

    (M_RB + M_A) nu-dot = -C_RB(nu) nu - C_A(nu_r) nu_r + M_A nu_c-dot + rho V R^T c-dot
                          + tau_coefficients + tau_crossflow + tau_lift_drag - g(eta) + tau_fins + tau_thrusters
    eta-dot = J(eta) nu,   nu_r = nu - nu_c

T. I. Fossen, Handbook of Marine Craft Hydrodynamics and Motion Control, Wiley 2011, chapters 2, 3, 6 and 8.
Everything is recomputed at every call from the `Vehicle` itself; nothing here is fast and nothing is shared
with the engine. SNAME body axes, NED, SI.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from pelagos.vehicle.spec import Vehicle

from . import actuators, hull
from .kinematics import Array, jacobian, rotation
from .rigid_body import m2c, mass_matrix_rb, point_inertia

TERMS = ("rigid_body", "added_mass", "coefficients", "crossflow", "lift_drag", "restoring", "fins", "thrusters")


@dataclass(frozen=True)
class State:
    """Twelve states of the body and those of its actuators. Angles are zyx Euler angles in rad."""

    nu: Array  # u v w p q r over ground, body axes
    position_n: Array  # north, east, down of the origin
    euler: Array  # phi, theta, psi
    thrusters: Array  # lagged drive, or lagged thrust where lag_on = "thrust"
    surfaces: Array  # rad
    ballast: Array  # units of each item


@dataclass(frozen=True)
class Commands:
    """Constant commands and water for a run: drives, surface angles (rad), ballast settings."""

    thrusters: Array
    surfaces: Array
    ballast: Array
    current_n: Sequence[float] = (0.0, 0.0, 0.0)


@dataclass(frozen=True)
class MassProperties:
    """Rigid body with its ballast: weighted sums of its parts (Brutzman 1994, 6.55-6.60)."""

    mass: float
    cg_b: Array
    inertia_o: Array
    volume: float  # at the surface
    cb_b: Array


class Textbook:
    """One vehicle in one water. Density and gravity default to the vehicle's reference water."""

    def __init__(self, vehicle: Vehicle, density: float | None = None, gravity: float | None = None) -> None:
        self.vehicle = vehicle
        self.density = vehicle.water.density_kg_m3 if density is None else density
        self.gravity = vehicle.water.gravity_m_s2 if gravity is None else gravity
        self.scale = self.density / vehicle.water.density_kg_m3  # hydrodynamic numbers hold at reference density
        self.added = self.scale * np.asarray(vehicle.added_mass, float)

    def mass_properties(self, ballast: ArrayLike = ()) -> MassProperties:
        """Mass, CG, inertia about O and volume with every ballast item added as a point."""
        body = self.vehicle.body
        mass, volume = body.mass_kg, body.volume_m3
        moment = body.mass_kg * np.asarray(body.cg_b, float)
        inertia = np.array(body.inertia_o, float)
        volume_moment = body.volume_m3 * np.asarray(body.cb_b, float)
        for item, s in zip(self.vehicle.ballast, np.asarray(ballast, float), strict=True):
            item_mass, item_volume, place = actuators.ballast_mass(item, float(s))
            mass, volume = mass + item_mass, volume + item_volume
            moment = moment + item_mass * place
            volume_moment = volume_moment + item_volume * place
            inertia = inertia + point_inertia(item_mass, place)
        return MassProperties(mass, moment / mass, inertia, volume, volume_moment / volume)

    def mass_matrix(self, ballast: ArrayLike = ()) -> Array:
        """M = M_RB + M_A, 6x6."""
        rigid = self.mass_properties(ballast)
        return mass_matrix_rb(rigid.mass, rigid.cg_b, rigid.inertia_o) + self.added

    def forces(
        self,
        nu: ArrayLike,
        euler: ArrayLike,
        depth: float,
        thruster_states: ArrayLike,
        fin_angles: ArrayLike,
        ballast: ArrayLike,
        current_n: ArrayLike = (0.0, 0.0, 0.0),
        current_dot_n: ArrayLike = (0.0, 0.0, 0.0),
    ) -> dict[str, Array]:
        """Every right-hand side term by name, each (X, Y, Z, K, M, N) at the origin."""
        vehicle = self.vehicle
        nu, angles = np.asarray(nu, float), np.asarray(fin_angles, float)
        states = np.asarray(thruster_states, float)
        c, c_dot = np.asarray(current_n, float), np.asarray(current_dot_n, float)
        phi, theta, psi = np.asarray(euler, float)
        r_nb = rotation(phi, theta, psi)
        nu_r = nu - hull.body_current(r_nb, c)
        nu_c_dot = hull.body_current_rate(r_nb, nu[3:], c, c_dot)

        thrusts = self._thrusts(states, nu_r)
        zero = np.zeros(6)
        return {
            "rigid_body": self._rigid_body(nu, ballast),
            "added_mass": hull.added_mass_force(self.added, nu_r, nu_c_dot, vehicle.coriolis),
            "coefficients": self._coefficients(nu, nu_r, phi, theta, states, angles),
            "crossflow": hull.crossflow_drag(vehicle.crossflow, self.density, nu_r) if vehicle.crossflow else zero,
            "lift_drag": self.scale * hull.lift_drag(vehicle.lift_drag, nu_r) if vehicle.lift_drag else zero,
            "restoring": self._restoring(r_nb, depth, ballast, c_dot),
            "fins": self._fins(nu_r, states, thrusts, angles),
            "thrusters": self._thrusters(thrusts),
        }

    def acceleration(
        self,
        nu: ArrayLike,
        euler: ArrayLike,
        depth: float,
        thruster_states: ArrayLike,
        fin_angles: ArrayLike,
        ballast: ArrayLike,
        current_n: ArrayLike = (0.0, 0.0, 0.0),
        current_dot_n: ArrayLike = (0.0, 0.0, 0.0),
    ) -> Array:
        """nu-dot over ground. Held degrees of freedom keep their velocity through the water: nu-dot = nu_c-dot."""
        terms = self.forces(nu, euler, depth, thruster_states, fin_angles, ballast, current_n, current_dot_n)
        total = sum(terms.values(), np.zeros(6))
        free = np.flatnonzero(self.vehicle.free)
        mass = self.mass_matrix(ballast)
        r_nb = rotation(*np.asarray(euler, float))
        c, c_dot = np.asarray(current_n, float), np.asarray(current_dot_n, float)
        nu_dot = hull.body_current_rate(r_nb, np.asarray(nu, float)[3:], c, c_dot)
        nu_dot[free] = 0.0
        nu_dot[free] = np.linalg.solve(mass[np.ix_(free, free)], (total - mass @ nu_dot)[free])
        return nu_dot

    def rk4(self, state: State, commands: Commands, dt: float, n: int) -> State:
        """n classic Runge-Kutta steps on the twelve states; actuators follow their exact lag inside each step."""
        state = self.actuated(state, commands, 0.0)  # actuators without a lag follow at once
        for _ in range(n):
            middle = self.actuated(state, commands, dt / 2.0)
            end = self.actuated(state, commands, dt)
            x = _pack(state)
            k1 = self._slope(x, state, commands)
            k2 = self._slope(x + dt / 2.0 * k1, middle, commands)
            k3 = self._slope(x + dt / 2.0 * k2, middle, commands)
            k4 = self._slope(x + dt * k3, end, commands)
            x = x + dt / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4)
            state = replace(end, nu=x[:6], position_n=x[6:9], euler=x[9:])
        return state

    def actuated(self, state: State, commands: Commands, dt: float) -> State:
        """The state with its actuators moved on by dt: limits on the command, then the lag."""
        targets = actuators.thruster_targets(
            self.vehicle.thrusters, self.vehicle.supplies, commands.thrusters, self.scale
        )
        thrusters = [
            actuators.lag(x, target, dt, item.time_constant_s)
            for item, x, target in zip(self.vehicle.thrusters, state.thrusters, targets, strict=True)
        ]
        surfaces = []
        for item, x, command in zip(self.vehicle.surfaces, state.surfaces, commands.surfaces, strict=True):
            target = min(item.limit_rad, max(-item.limit_rad, command))
            surfaces.append(actuators.lag(x, target, dt, item.time_constant_s, item.rate_rad_s))
        ballast = []
        for item, x, command in zip(self.vehicle.ballast, state.ballast, commands.ballast, strict=True):
            target = min(item.maximum, max(item.minimum, command))
            ballast.append(actuators.lag(x, target, dt, 0.0, item.rate))
        return replace(state, thrusters=np.array(thrusters), surfaces=np.array(surfaces), ballast=np.array(ballast))

    def start(self, nu: ArrayLike = (0.0,) * 6, euler: ArrayLike = (0.0,) * 3, depth: float = 0.0) -> State:
        """A state at rest in its actuators, ballast at its initial value."""
        return State(
            np.array(nu, float),
            np.array([0.0, 0.0, depth]),
            np.array(euler, float),
            np.zeros(len(self.vehicle.thrusters)),
            np.zeros(len(self.vehicle.surfaces)),
            np.array([item.initial for item in self.vehicle.ballast]),
        )

    def _slope(self, x: Array, actuated: State, commands: Commands) -> Array:
        nu, position, euler = x[:6], x[6:9], x[9:]
        nu_dot = self.acceleration(
            nu,
            euler,
            float(position[2]),
            actuated.thrusters,
            actuated.surfaces,
            actuated.ballast,
            commands.current_n,
        )
        return np.concatenate([nu_dot, jacobian(euler) @ nu])

    def _rigid_body(self, nu: Array, ballast: ArrayLike) -> Array:
        if not self.vehicle.legacy.rigid_body_coriolis:
            return np.zeros(6)
        rigid = self.mass_properties(ballast)
        return -m2c(mass_matrix_rb(rigid.mass, rigid.cg_b, rigid.inertia_o), nu) @ nu

    def _coefficients(self, nu: Array, nu_r: Array, phi: float, theta: float, states: Array, angles: Array) -> Array:
        vehicle = self.vehicle
        letters = hull.letters_of(nu_r, phi, theta)
        letters |= {item.symbol: float(angle) for item, angle in zip(vehicle.surfaces, angles, strict=True)}
        if vehicle.race is not None:
            letters["n"] = hull.race_factor(vehicle.race, float(states[vehicle.race.thruster]), nu_r[0])
        if vehicle.fade is not None:
            letters["fade"] = hull.fade_factor(vehicle.fade, nu, nu_r)
        return self.scale * hull.polynomial(vehicle.coefficients, letters)

    def _restoring(self, r_nb: Array, depth: float, ballast: ArrayLike, current_dot_n: Array) -> Array:
        """-g(eta), and the pressure gradient of accelerating water, which acts where buoyancy acts."""
        rigid = self.mass_properties(ballast)
        compressibility = self.vehicle.body.compressibility_1_pa
        buoyancy = hull.buoyancy_of(self.density, self.gravity, rigid.volume, compressibility, depth)
        volume = buoyancy / (self.density * self.gravity)
        floating = hull.restoring(rigid.mass * self.gravity, rigid.cg_b, buoyancy, rigid.cb_b, r_nb)
        return floating + hull.froude_krylov(self.density, volume, rigid.cb_b, r_nb, current_dot_n)

    def _thrusts(self, states: Array, nu_r: Array) -> list[tuple[float, float]]:
        """Thrust and torque of each thruster."""
        pairs = zip(self.vehicle.thrusters, states, strict=True)
        return [actuators.thrust_and_torque(item, float(s), nu_r, self.scale) for item, s in pairs]

    def _thrusters(self, thrusts: list[tuple[float, float]]) -> Array:
        total = np.zeros(6)
        for item, (thrust, torque) in zip(self.vehicle.thrusters, thrusts, strict=True):
            total = total + actuators.thruster_wrench(item, thrust, torque)
        return total

    def _fins(self, nu_r: Array, states: Array, thrusts: list[tuple[float, float]], angles: Array) -> Array:
        total = np.zeros(6)
        for fin in self.vehicle.fins:
            washed = fin.wash_thruster >= 0
            shaft_rate = float(states[fin.wash_thruster]) if washed else 0.0
            thrust = thrusts[fin.wash_thruster][0] / self.scale if washed else 0.0
            total = total + actuators.fin_wrench(fin, self.density, angles, nu_r, shaft_rate, thrust)
        return total


def _pack(state: State) -> Array:
    return np.concatenate([state.nu, state.position_n, state.euler])
