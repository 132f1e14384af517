"""The engine asked for what an equation says: rates by one explicit step, forces and accelerations at a state.

Everything goes through `Plant`, that is through the compiled kernel that flies the vehicle; numbers in ft, lb, s, rad.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np

from pelagos.reproduce.brutzman.equations_rows import NU_FT, WRENCH_LB, Array
from pelagos.units import FOOT
from pelagos.vehicle.load import load_vehicle
from pelagos.vehicle.plant import Plant
from pelagos.vehicle.spec import Vehicle

STEP_S = 1.0  # of the step whose difference is a rate: from zero and with a step of one nothing is rounded away


@cache
def phoenix(key: str = "phoenix") -> Vehicle:
    """The vehicle of the chapter, from the library."""
    return load_vehicle(key)


def world_rates(
    plant: Plant, angles: Sequence[float] | Array, nu_ft: Array, current_ft: Sequence[float] = (0, 0, 0)
) -> Array:
    """Rates of x, y, z (ft/s) and of the attitude numbers in the kernel, from one explicit Euler step.

    A plant with Euler angles gives the rates of roll, pitch, yaw; one with a quaternion those of its four parameters.
    `current_ft` is the velocity of the water, NED; nu is over ground.
    """
    plant.reset()
    plant.water["current"] = np.array(current_ft, dtype=float) * FOOT
    plant.place(
        position_n=(0.0, 0.0, 0.0), euler=(float(angles[0]), float(angles[1]), float(angles[2])), nu=nu_ft * NU_FT
    )
    n = 3 if plant.euler_angles else 4
    before = np.array(plant.state["attitude"][:n])
    if plant.advance(STEP_S, 1, "euler") != 1:
        return np.full(3 + n, np.nan)
    after = np.array(plant.state["attitude"][:n])
    if n == 4:  # the kernel makes it a unit quaternion again; the rate is at right angles to Q, so its length is known
        after = after / float(after @ before)
    return np.concatenate([plant.position_n / (FOOT * STEP_S), (after - before) / STEP_S])


def put(
    plant: Plant, angles: Array, nu_ft: Array, fins: Sequence[float] | Array = (), drives: Sequence[float] | Array = ()
) -> Plant:
    """The plant at a state, fins (rad) and drives (rad/s, V) where they are said to be."""
    plant.place(
        position_n=(0.0, 0.0, 30.0), euler=(float(angles[0]), float(angles[1]), float(angles[2])), nu=nu_ft * NU_FT
    )
    actuators = plant.state["actuators"]
    actuators["surface"][: len(fins)], actuators["thruster"][: len(drives)] = fins, drives
    return plant


def forces_lb(plant: Plant, names: Sequence[str] = ()) -> Array:
    """Sum of the named force terms (all of them without names) at the plant's state, lb and ft lb."""
    every = plant.forces()
    return sum((every[name] for name in names or every), np.zeros(6)) / WRENCH_LB


def acceleration_ft(plant: Plant) -> Array:
    """Rates of u v w p q r at the plant's state, ft/s2 and rad/s2."""
    return plant.acceleration() / NU_FT
