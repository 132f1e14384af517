"""Steady level runs along the surface: which depth goes with which pitch, whatever controller flies the vehicle.

At a given speed and pitch a level run needs the moment about y and the force along z to vanish. The stern planes see to
the first, so the second settles the depth: the steady states are one curve, and a controller only picks its point.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from pelagos.reproduce.hunt import printed
from pelagos.vehicle.plant import Plant
from pelagos.vehicle.spec import Body, Shape, SurfaceModel, Vehicle
from pelagos.world.spec import World

Array = NDArray[np.float64]

SPEED_M_S = 1.3
LENGTHS_M = (1.5, 1.7, 1.9, 2.1)  # hulls of the maker's range and somewhat beyond
REST_M = 0.13
RESTS_M = (0.115, 0.12, 0.13, 0.14, 0.15)  # depths at rest to solve the mast from
DEEP_M = 1.0  # all wet: deeper changes nothing
HALVINGS = 20  # a depth to 1 µm


class SteadyRun:
    """A vehicle held in straight, level flight at 1.3 m/s, its stern planes set so that it does not pitch."""

    def __init__(self, of: Vehicle) -> None:
        self.plant = Plant(of, sea=World().packed())

    def wrench(self, depth_m: float, pitch: float, plane: float) -> Array:
        """Sum of all forces and moments but the thrust, which pushes through the centre of mass along x."""
        speed = (SPEED_M_S * math.cos(pitch), 0.0, SPEED_M_S * math.sin(pitch), 0.0, 0.0, 0.0)
        self.plant.place(position_n=(0.0, 0.0, depth_m), euler=(0.0, pitch, 0.0), nu=speed)
        self.plant.set_actuators(surfaces=[0.0, plane], at_once=True)
        return sum(self.plant.forces().values(), np.zeros(6))

    def plane(self, depth_m: float, pitch: float) -> float:
        """Angle of the stern planes that leaves no moment about y, rad; the moment is linear in it."""
        free, turned = (float(self.wrench(depth_m, pitch, plane)[4]) for plane in (0.0, 0.1))
        return 0.1 * free / (free - turned)

    def sinking(self, depth_m: float, pitch: float) -> float:
        """Force along z, N, with the moment balanced."""
        return float(self.wrench(depth_m, pitch, self.plane(depth_m, pitch))[2])

    def depth(self, pitch: float) -> float:
        """Depth of the centre of mass, m, at which this pitch keeps it level; infinite if it dives at any depth."""
        low, high = 0.0, DEEP_M
        if self.sinking(high, pitch) > 0.0:
            return math.inf
        for _ in range(HALVINGS):
            middle = 0.5 * (low + high)
            low, high = (middle, high) if self.sinking(middle, pitch) > 0.0 else (low, middle)
        return 0.5 * (low + high)

    def nose_up_at(self, depth_m: float) -> float:
        """Pitch, rad, between 0 and 6 deg, of the level run at a depth; there a steeper pitch runs deeper."""
        low, high = 0.0, math.radians(6.0)
        for _ in range(HALVINGS - 6):
            middle = 0.5 * (low + high)
            low, high = (middle, high) if self.depth(middle) < depth_m else (low, middle)
        return 0.5 * (low + high)

    def submerged_pitch(self) -> float:
        """Pitch, rad, of level flight with the whole hull under water."""
        low, high = math.radians(-10.0), math.radians(10.0)
        for _ in range(2 * HALVINGS):
            middle = 0.5 * (low + high)
            low, high = (middle, high) if self.sinking(DEEP_M, middle) > 0.0 else (low, middle)
        return 0.5 * (low + high)


def without_lift(of: Vehicle) -> Vehicle:
    """Stern planes that turn the vehicle without pushing it up or down."""
    kept = tuple(c for c in of.coefficients if not (c.axis == 2 and "ds" in c.factors))
    return replace(of, coefficients=kept)


def submerged(of: Vehicle) -> Vehicle:
    """The document's submerged model of it."""
    return replace(of, surface=SurfaceModel("submerged"))


def awash_depth(of: Vehicle, length_m: float) -> float:
    """Depth of the centre of mass, m, with the top of a level hull just at the surface.

    From table I (12.5 N m) and the diameter of the hull alone: the buoyancy of a hull of this length stands
    12.5 N m/(rho g V) above the centre of mass. The mast, 1 % of the volume, is left out, and so is the printed 0.13 m.
    """
    radius = of.shapes[0].size_m[1]
    buoyancy = of.water.density_kg_m3 * of.water.gravity_m_s2 * math.pi * radius**2 * length_m
    return -float(printed.RIGHTING_N_M[2]) / buoyancy + radius


def with_length(of: Vehicle, length_m: float, rest_m: float = REST_M) -> Vehicle:
    """A hull of another length, its mast solved once more from table I, the depth at rest and the nose that touches.

    Level but for the nose; the vehicle file has the solution for 1.9 m and 0.13 m (erratum H11).
    """
    weight_per_m3 = of.water.density_kg_m3 * of.water.gravity_m_s2
    radius, thin = (shape.size_m[1] for shape in of.shapes)
    hull, section = math.pi * radius**2 * length_m, math.pi * thin**2
    dry = printed.NET_BUOYANCY_N / weight_per_m3 / section
    mast, axis, center = dry, 0.0, 0.0
    for _ in range(50):  # its wet foot and the height of the hull's axis depend on one another
        volume = hull + section * mast
        center = float(printed.RIGHTING_N_M[2]) / (weight_per_m3 * volume)
        axis = center + section * mast * (radius + 0.5 * mast) / volume
        mast = dry + rest_m + axis - radius
    pitch = 2.0 * (rest_m + axis - radius) / length_m
    aft = float(printed.RIGHTING_N_M[2]) * pitch / printed.NET_BUOYANCY_N
    volume = hull + section * mast
    mass = volume * of.water.density_kg_m3 - printed.NET_BUOYANCY_N / of.water.gravity_m_s2
    body = Body(mass, volume, (0.0, 0.0, 0.0), (0.0, 0.0, center), of.body.inertia_o)
    rigid = np.diag([mass] * 3 + list(np.diag(of.body.inertia_o)))
    shapes = (
        Shape("cylinder", (0.0, 0.0, axis), (length_m, radius)),
        Shape("cylinder", (aft, 0.0, axis - radius - 0.5 * mast), (mast, thin), axis="z"),
    )
    return replace(of, body=body, added_mass=printed.MASS - rigid, shapes=shapes, length_m=length_m)
