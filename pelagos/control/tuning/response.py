"""Forces, masses and derivatives of one vehicle, as the tuning of controllers needs them.

They come from the kernel (`vehicle.plant.Plant`), the same forces that act in a simulation, evaluated when gains are
computed and not at every tick. Derivatives are central differences. SI units, body axes about O, still water.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pelagos.control.base import HEAVE, PITCH, ROLL, SURGE, down_in_body
from pelagos.engine.laws import also_compiled
from pelagos.vehicle.plant import Plant
from pelagos.vehicle.spec import Vehicle

Array = NDArray[np.float64]

# Half width of the differences, m/s and rad/s: small motions about the setpoint, but not zero, so that quadratic drag
# counts a little. If larger, a hull with strong quadratic damping seems to need no damping by its controller.
WORKING = np.array([0.1, 0.1, 0.1, 0.05, 0.05, 0.05])


class VehicleResponse:
    """Forces on one vehicle in water of given density and gravity, with the initial ballast of its file."""

    def __init__(self, vehicle: Vehicle, density_kg_m3: float, gravity_m_s2: float) -> None:
        self._vehicle = vehicle
        self._plant = Plant(vehicle, density_kg_m3=density_kg_m3, gravity_m_s2=gravity_m_s2, euler_angles=False)
        self._tilt = (0.0, 0.0)
        self.mass = self._plant.packed.mass_matrix
        self.mass_a = vehicle.added_mass * density_kg_m3 / vehicle.water.density_kg_m3
        self.propulsion: tuple[Array, Array] | None = None  # thrusts and commands whose slipstream meets fins
        level, nose_up = self.restoring(0.0, 0.0), self.restoring(0.0, 0.5 * np.pi)
        self.net_weight_n = float(level[HEAVE])
        # r_G W - r_B B: its cross product with the down vector, (0, 0, 1) level and (-1, 0, 0) nose up, rights the body
        self.levers = (-float(level[PITCH]), float(level[ROLL]), -float(nose_up[PITCH]))
        # Some published models have the righting moment as a coefficient of theta or phi: its part beyond the levers.
        z = self.levers[2]
        self.extra_stiffness = tuple(k - z if abs(k - z) > 1e-6 * abs(k) else 0.0 for k in self.stiffness())

    def restoring(self, roll: float, pitch: float) -> Array:
        """Weight, buoyancy and righting moment at an attitude."""
        return self._forces(np.zeros(6), None, roll, pitch)["restoring"]

    def righting(self, roll: float, pitch: float) -> tuple[float, float]:
        """Roll and pitch moments of `restoring` and of coefficients of the angles, N m; fast, for every tick."""
        return righting_moments(roll, pitch, *self.levers, *self.extra_stiffness)

    def wrench(self, nu: Array, surfaces: Array | None = None, roll: float = 0.0, pitch: float = 0.0) -> Array:
        """Sum of all forces but thrust, in steady motion at nu with the surfaces at given angles."""
        forces = self._forces(nu, surfaces, roll, pitch)
        return np.sum([f for name, f in forces.items() if name != "thrusters"], axis=0)

    def _forces(self, nu: Array, surfaces: Array | None, roll: float, pitch: float) -> dict[str, Array]:
        plant, vehicle = self._plant, self._vehicle
        plant.state["nu"][:] = nu  # `place` would check them, which costs more than the forces
        if (roll, pitch) != self._tilt:
            self._tilt = (roll, pitch)
            plant.place(euler=(roll, pitch, 0.0))
        actuators = plant.state["actuators"]
        actuators["surface"][: len(vehicle.surfaces)] = 0.0 if surfaces is None else surfaces
        thrusters = np.zeros(len(vehicle.thrusters))
        if self.propulsion is not None:
            thrusts, drives = self.propulsion
            lagged = [t.lag_on == "thrust" for t in vehicle.thrusters]
            thrusters = np.where(lagged, thrusts, drives)
        elif vehicle.race is not None:  # at the self-propulsion point the race factor is zero
            thrusters[vehicle.race.thruster] = nu[0] / vehicle.race.advance_m
        actuators["thruster"][: len(thrusters)] = thrusters
        return plant.forces()

    def resistance(self, axis: int, rate: float) -> float:
        """Force or moment, N or N m, that keeps a level hull at a rate of one axis alone, propellers stopped."""
        nu = np.zeros(6)
        nu[axis] = rate
        propulsion, self.propulsion = self.propulsion, None
        needed = float(self.wrench(np.zeros(6))[axis] - self.wrench(nu)[axis])
        self.propulsion = propulsion
        return needed

    def slope(self, nu: Array) -> Array:
        """Derivative of the wrench by nu, 6 x 6, at nu, over the working range of each velocity."""
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
        roll = self.wrench(rest, roll=step)[ROLL] - self.wrench(rest, roll=-step)[ROLL]
        pitch = self.wrench(rest, pitch=step)[PITCH] - self.wrench(rest, pitch=-step)[PITCH]
        return -float(roll) / (2 * step), -float(pitch) / (2 * step)

    def surface_reach(self, speed: float) -> Array:
        """Derivative of the wrench by the deflections, 6 x n_surfaces, at a steady speed ahead, per radian."""
        nu = np.array([speed, 0.0, 0.0, 0.0, 0.0, 0.0])
        count = len(self._vehicle.surfaces)
        reach = np.zeros((6, count))
        for i in range(count):
            delta = np.zeros(count)
            delta[i] = 0.1  # rad, a working deflection
            reach[:, i] = (self.wrench(nu, delta) - self.wrench(nu, -delta)) / 0.2
        return reach

    def drag(self, speed: float) -> float:
        """Force against steady straight motion ahead at a speed, N (positive against positive speed)."""
        return -float(self.wrench(np.array([speed, 0.0, 0.0, 0.0, 0.0, 0.0]))[SURGE])


@also_compiled
def righting_moments(
    roll: float, pitch: float, x: float, y: float, z: float, more_roll: float, more_pitch: float
) -> tuple[float, float]:
    """Compute roll and pitch moments, N m, of the levers (x, y, z) and of coefficients of the angles."""
    dx, dy, dz = down_in_body(roll, pitch)
    return y * dz - z * dy - more_roll * roll, z * dx - x * dz - more_pitch * pitch


@also_compiled
def munk_moments(flow: Any, k: float, m: float, n: float, late_s: float) -> tuple[float, float, float]:
    """Compute the Munk moments k v w, m u w, n u v of the flow (u v w p q r), N m.

    Thrusters cancel them late, by their lag T and half an interval. That delay would be a negative damping of T times
    the moment per angle. So the flow is predicted by T, turned with the hull: v' = v - T omega x v.
    """
    u, v, w, p, q, r = flow[0], flow[1], flow[2], flow[3], flow[4], flow[5]
    u, v, w = u + late_s * (r * v - q * w), v + late_s * (p * w - r * u), w + late_s * (q * u - p * v)
    return k * v * w, m * u * w, n * u * v
