"""The vehicle's own dynamics as an instrument: how fast it goes through the water, from what its actuators do.

The kernel that moves the simulated vehicle is run a second time, by the navigator, in still and endless water:

    nu_r' = M^-1 tau(nu_r, attitude, actuators)        u_r, v_r, w_r run free; attitude, p, q, r are the estimated ones
    z = nu_r = R^T (v - c) + w x l + b + noise

c is the current, a random walk, and b the error of the model, a Gauss-Markov process in body axes. While a DVL sees the
bottom c is found; when it is lost, z and c together still bound the velocity. Turning tells c from b: one keeps its
direction in the world, the other in the vehicle.

Reference: Hegrenaes and Hallingstad (2011), Model-aided INS with sea current estimation for robust underwater
navigation, IEEE J. Oceanic Eng. 36(2), 316-337. Limits: near the surface the model knows nothing of waves and wet
share; a fault of an actuator that the navigator is not told of is an error of the model.
"""

from __future__ import annotations

import copy
import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pelagos.messages import Actuation
from pelagos.vehicle.plant import Plant
from pelagos.vehicle.spec import Vehicle

Array = NDArray[np.float64]
STEP_S = 0.05  # longest step of the model


class ModelAid:
    """A plant that follows the estimated attitude and keeps its own velocity through the water."""

    def __init__(
        self, vehicle: Vehicle, *, gravity_m_s2: float | None = None, density_kg_m3: float | None = None
    ) -> None:
        self._plant = Plant(vehicle, gravity_m_s2=gravity_m_s2, density_kg_m3=density_kg_m3)
        self._first = np.zeros(3)

    def __deepcopy__(self, memo: dict[int, Any]) -> ModelAid:
        other = object.__new__(type(self))
        other._plant, other._first = copy.deepcopy(self._plant, memo), self._first.copy()
        memo[id(self)] = other
        return other

    def start(self, velocity_b: Array) -> None:
        """Begin with a velocity through the water, m/s."""
        self._plant.reset()
        self._first = np.asarray(velocity_b, float)
        self._plant.nu[:3] = self._first

    def advance(
        self, seconds: float, quaternion: Array, rates_b: Array, depth_m: float, applied: Actuation
    ) -> Array | None:
        """Velocity of O through the water after so many seconds with the actuators at work, body axes, m/s.

        None if the model left the finite numbers; it then begins again at rest.
        """
        plant = self._plant
        plant.position_n[2] = depth_m
        if plant.euler_angles:
            plant.place(quaternion=quaternion)
        else:
            plant.state["attitude"][:] = quaternion
        plant.nu[3:] = rates_b
        plant.set_actuators(thrusters=applied.thrusters, surfaces=applied.surfaces, ballast=applied.ballast)
        n = max(1, math.ceil(seconds / STEP_S - 1e-9))
        if plant.advance(seconds / n, n) < n:
            self.start(np.zeros(3))
            return None
        return plant.nu[:3].copy()
