"""Numbers of section 6.1.a as printed, a body with the centre of gravity anywhere, and rows of equations."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np

from pelagos.vehicle.load.vehicle import load_vehicle
from pelagos.vehicle.plant import Plant
from pelagos.vehicle.spec import Vehicle
from pelagos_evidence.claim import Claim, Row, statement
from pelagos_evidence.rows import Array

MASS_KG = 400.0
INERTIA = np.array([30.0, 100.0, 100.0])  # about P, kg m^2
BG_M = 0.2
ADDED = np.array([250.0, 400.0, 400.0, 20.0, 100.0, 100.0])  # m11 ... I66
DRAG = np.array([150.0, 200.0, 200.0, 450.0, 700.0, 800.0])  # C1 and C2 alike, of u v w p q r
THRUST_N = 500.0  # of each of five thrusters
SIZE_M = (3.0, 1.6, 0.8)
LIMIT_KN = 3.2
STATES = 200  # random states for each equation: a wrong term shows at almost every one
ROUNDING = 1e-10  # of the largest value
WHY_ROUNDING = (
    "Both sides add the same products in double precision: a few 1e-16 of each, which leaves five decades to 1e-10."
)


@cache
def sea_grant() -> Vehicle:
    """The vehicle of the thesis, from the library."""
    return load_vehicle("seagrant1")


def body_with(G: Array) -> Plant:
    """Sea Grant 1 with its centre of gravity at G: I about P on the diagonal as printed, products by Huyghens."""
    tensor = np.diag(INERTIA - MASS_KG * (G @ G - G * G)) + MASS_KG * ((G @ G) * np.eye(3) - np.outer(G, G))
    vehicle = sea_grant()
    x, y, z = G.tolist()
    return Plant(replace(vehicle, body=replace(vehicle.body, cg_b=(x, y, z), inertia_o=tensor)))


def worst(computed: list[Array], expected: list[Array]) -> float:
    """Largest difference of two lists of vectors, as a share of the largest component."""
    a, b = np.array(computed), np.array(expected)
    return float(np.abs(a - b).max() / np.abs(b).max())


def equation(
    row: Row,
    published: str,
    difference: float,
    *,
    misprint: str = "",
    limit: float = ROUNDING,
    why: str = WHY_ROUNDING,
    states: int = STATES,
) -> Claim:
    """A row of an equation: the largest relative difference between the print and the engine.

    `misprint` is what the form on the page gives where it differs; `states` 0: no random states are involved.
    """
    over = f", {states} random states" if states else ""
    text = f"differs by at most {difference:.1e} of the largest value{over}" if difference else f"equal{over}"
    return statement(
        row, published, f"{text}. {misprint}" if misprint else text, difference <= limit,
        tolerance=f"{limit:.0e} of the largest value", why=why,
        numbers={"ours": difference, "tolerance": limit}, unit="share of the largest",
    )  # fmt: skip
