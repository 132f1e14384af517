"""Tethers and water for the tests, and the reference cases of tests/data/tether with their z axis turned down."""

from __future__ import annotations

import csv
import math
from functools import cache
from itertools import pairwise
from pathlib import Path

import numpy as np

from pelagos.engine.water.sea import KNOT, PLANE_BOTTOM, SEA
from pelagos.tether.line import Line
from pelagos.tether.spec import Cable, Tether

DATA = Path(__file__).parents[1] / "data" / "tether"
RHO, G = 1025.0, 9.81


@cache
def rows(name):
    with (DATA / name).open() as file:
        return tuple(csv.DictReader(file))


def ned(x, y, z):
    """The reference data have x, y across and z up; here x is east, y is north, z is down."""
    return np.array([y, x, -z], dtype=float)


def of(row, what, unit="_N"):
    return ned(*(float(row[f"{what}_{axis}{unit}"]) for axis in "xyz"))


def water(profile=(), bottom_m=None, friction=0.0, surface=False):
    """A packed sea with currents (depth, north, east, down) and a flat bottom."""
    head = SEA.record()
    head["depth"], head["surface"] = 1e9, float(surface)
    knots = np.zeros(len(profile), KNOT.dtype)
    for knot, (depth, *velocity) in zip(knots, sorted(profile), strict=True):
        knot["depth"], knot["value"] = depth, velocity
    if len(knots) > 1:
        knots["slope"][:-1] = np.diff(knots["value"], axis=0) / np.diff(knots["depth"])[:, None]
    head["n_knots"], head["knots_at"] = len(knots), SEA.size
    if bottom_m is not None:
        head["bottom"], head["plane"], head["highest"] = PLANE_BOTTOM, (bottom_m, 0.0, 0.0), bottom_m
        head["friction"] = friction
    return np.concatenate([SEA.flat(head), knots.view(float).ravel()])


def cable(weight_N_m=0.0, diameter_m=0.02, **parts):
    """A cable of a given weight in water of density RHO."""
    area = 0.25 * math.pi * diameter_m**2
    return Cable(diameter_m=diameter_m, mass_kg_m=RHO * area + weight_N_m / G, **parts)


def still(weight_N_m=0.0, length_m=100.0, elements=50, mode="static", sea=None, current_n=(0.0, 0.0, 0.0), **parts):
    """A tether of a given weight in water of density RHO; `parts` are those of the cable."""
    rig = Tether(mode=mode, length_m=length_m, elements=elements, shortest_m=1e-3)
    return Line(cable(weight_N_m, **parts), rig, sea=sea, density_kg_m3=RHO, gravity_m_s2=G, current_n=current_n)


def case_rows():
    return {row["case"]: row for row in rows("cases.csv")}


def oracle_line(name, elements, mode="static"):
    """The tether of a reference case, with the places of its ends."""
    case = case_rows()[name]
    diameter = float(case["diameter_m"])
    profile = [
        (-float(row["z_m"]), *ned(*(float(row[f"u_{axis}_m_s"]) for axis in "xyz")))
        for row in rows("current_profiles.csv")
        if row["case"] == name
    ]
    grounded = case["seabed_z_m"] != ""
    # the bottom pushes at half a diameter's height; in the reference data at the axis
    sea = water(profile, -float(case["seabed_z_m"]) + 0.5 * diameter if grounded else None)
    rig = Tether(
        mode=mode,
        elements=elements,
        length_m=float(case["L_unstretched_m"]),
        bottom_stiffness_N_m2=float(case["seabed_stiffness_N_per_m2"]) if grounded else 1e4,
    )
    made = cable(
        float(case["submerged_weight_N_per_m"]),
        diameter,
        stiffness_N=float(case["EA_N"]),
        normal_drag=float(case["Cd_normal"]),
        tangential_drag=float(case["Cd_tangential_on_piD"]),
    )
    line = Line(made, rig, sea=sea, density_kg_m3=float(case["rho_kg_m3"]), gravity_m_s2=float(case["g_m_s2"]))
    return line, of(case, "rA", "_m"), of(case, "rB", "_m")


def loads(line, current_n=(0.0, 0.0, 0.0)):
    """Weight and drag on all of a cable at rest in a uniform current, summed over its elements as the textbook says."""
    total = np.zeros(3)
    c, rho, nodes = line.cable, line.density_kg_m3, line.nodes
    u = np.asarray(current_n, dtype=float)
    for a, b in pairwise(nodes):
        t = (b["r"] - a["r"]) / np.linalg.norm(b["r"] - a["r"])
        along = (u @ t) * t
        across = u - along
        drag = c.normal_drag * np.linalg.norm(across) * across
        drag = drag + math.pi * c.tangential_drag * np.linalg.norm(along) * along
        weight = np.array([0.0, 0.0, c.weight_in(rho, line.gravity_m_s2)])
        total += a["length"] * (0.5 * rho * c.diameter_m * drag + weight)
    return total
