"""Hulls of one shape for tests: packed with any method and number of points, and their wet part."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numba
import numpy as np

from pelagos.engine.compiled import OPTIONS
from pelagos.engine.core.algebra import Vec3
from pelagos.engine.water.wet import wet
from pelagos.vehicle.load.vehicle import loads
from pelagos.vehicle.pack.hull import hull_table
from pelagos.vehicle.spec import FreeSurfaceModel, Shape
from tests.reference import wet_volume

BARE = """
name = "float"
class = "float"
[body]
mass_kg = 1.0
neutral = true
inertia_kg_m2 = [1.0, 1.0, 1.0]
[geometry]
length_m = 2.0
[added_mass]
diagonal = [0, 0, 0, 0, 0, 0]
"""


@numba.njit(**OPTIONS)
def _parts(hull, depths, normals, out):
    for i in range(len(depths)):
        part = wet(hull, depths[i], Vec3(normals[i, 0], normals[i, 1], normals[i, 2]))
        out[i, 0], out[i, 1], out[i, 2], out[i, 3] = part.share, part.x, part.y, part.z


def parts(hull, cases):
    """Wet share and first moment in many cases of (depth, normal), (n, 4)."""
    out = np.zeros((len(cases), 4))
    _parts(hull, np.array([case[0] for case in cases]), np.array([case[1] for case in cases]), out)
    return out


def table(*shapes: Shape, method="quadrature", points=512, seed=0, cb=(0.0, 0.0, 0.0)):
    """The packed hull, its mean at `cb`."""
    vehicle = loads(BARE)
    body = replace(vehicle.body, cb_b=cb)
    return hull_table(replace(vehicle, shapes=shapes, body=body, free_surface=FreeSurfaceModel(method, points, seed)))


LENGTH, RADIUS = 1.9, 0.0735
CYLINDER = Shape("cylinder", size_m=(LENGTH, RADIUS))
EXTENT = np.array([LENGTH / 2, RADIUS, RADIUS])


@cache
def cylinder_cases(count=1500, seed=11):
    """Cases and exact answers: any roll and pitch, plus both aligned ones at many depths."""
    cases = wet_volume.attitudes(count, EXTENT, seed)
    cases += [(depth, np.array([1.0, 0.0, 0.0])) for depth in np.linspace(-0.96, 0.96, 193)]
    cases += [(depth, np.array([0.0, 0.6, 0.8])) for depth in np.linspace(-0.075, 0.075, 151)]
    exact = np.array([wet_volume.cylinder(LENGTH, RADIUS, depth, n) for depth, n in cases])
    return cases, exact
