"""Equations 6.54-6.60: the mass matrix, its positive definiteness, and moments of inertia as sums."""

from __future__ import annotations

import numpy as np

from pelagos.engine.core import layout as lay
from pelagos.errors import VehicleFileError
from pelagos.units import FOOT, SLUG
from pelagos.vehicle.derive.inertia import Component, about_cg, combine, rigid_body_deficit
from pelagos.vehicle.load.vehicle import loads
from pelagos.vehicle.pack.records import mass_matrix, pack
from pelagos.vehicle.plant import Plant
from pelagos_evidence.brutzman import printed, printed_tables
from pelagos_evidence.brutzman.equations.general import coefficients, vehicle
from pelagos_evidence.brutzman.equations.rows import MASS_SLUG, equation, largest, listed, phoenix
from pelagos_evidence.document import Findings, Progress
from pelagos_evidence.rows import Rows, Values

BODIES = 40  # random bodies of components
# the added masses that the left sides of (6.48)-(6.53) have; (6.54) has all 36
LEFT_SIDES = frozenset(
    "X_udot Y_vdot Y_pdot Y_rdot Z_wdot Z_qdot K_vdot K_pdot K_rdot M_wdot M_qdot N_vdot N_pdot N_rdot".split()
)


ROWS = Rows(__file__, kinds=(equation,), BODIES=BODIES)


def run(progress: Progress) -> Findings:
    """All rows of section D.10."""
    values = {**_matrix(), **_printed_y_rdot()}
    progress(0.6)
    values |= _inertia()
    return Findings(ROWS.claims(values))


def _matrix() -> Values:
    """(6.54) with Phoenix's numbers and with all 36 added masses."""
    table, every = printed_tables.corrected(), coefficients()
    ours = mass_matrix(phoenix()) / MASS_SLUG
    general = mass_matrix(vehicle(every)) / MASS_SLUG
    eigenvalues = np.linalg.eigvalsh(ours)
    record = Plant(phoenix()).packed.model
    kept = record[lay.MODEL.offset("mass_inverse")[0] :][:36].reshape(6, 6) * MASS_SLUG
    both = {name: value for name, value in every.items() if not name.endswith("dot") or name in LEFT_SIDES}
    as_printed = printed.left_hand_sides(both, frozenset())
    apart = [f"({i + 1},{j + 1})" for i, j in np.argwhere(~np.isclose(as_printed, printed.mass_matrix(both)))]
    return {
        "eq-mass-matrix": largest(ours, printed.mass_matrix(table)),
        "eq-mass-matrix-every-term": largest(general, printed.mass_matrix(every)),
        "eq-left-sides": largest(printed.left_hand_sides(both), printed.mass_matrix(both)),
        "eq-left-sides-printed": {"off": float(len(apart)), "entries": len(apart), "entry_names": listed(apart)},
        "eq-mass-positive": {
            "holds": bool(eigenvalues[0] > 0.0 and np.allclose(ours, ours.T, rtol=1e-12, atol=1e-12)),
            "eigenvalues": eigenvalues,
            "largest_eigenvalue": eigenvalues[-1],
        },
        "eq-mass-inverse": largest(kept @ printed.mass_matrix(table), np.eye(6)),
    }


def _printed_y_rdot() -> Values:
    """Table 6.2's Y_rdot in (6.54)."""
    M = printed.mass_matrix(printed_tables.corrected() | {"Y_rdot": -1.78e-1})
    block = M[np.ix_([1, 5], [1, 5])]
    refused = ""
    try:
        pack(loads('extends = "phoenix_published"\n[hydro.coefficients]\nY_rdot = -1.78e-1\n', "printed Y_rdot"))
    except VehicleFileError as problem:
        refused = str(problem)
    verdict = "refused" if refused else "accepted"
    lowest = float(np.linalg.eigvals(M).real.min())
    return {
        "eq-mass-printed": {
            "off": abs(float(M[1, 5] - M[5, 1])),
            "right": lowest < 0.0 and verdict == "refused",
            "m26": M[1, 5],
            "m62": M[5, 1],
            "determinant_block": np.linalg.det(block),
            "lowest": lowest,
            "verdict": verdict,
        },
    }


def _inertia() -> Values:
    """(6.55)-(6.60) as sums over components, and the printed moments."""
    rng = np.random.default_rng(550)
    ours: list[list[float]] = []
    sums: list[list[float]] = []
    for _ in range(BODIES):
        mass, place = rng.uniform(0.5, 20.0, 12), rng.uniform(-1.0, 1.0, (12, 3))
        parts = [
            Component(str(i), m, (float(p[0]), float(p[1]), float(p[2])))
            for i, (m, p) in enumerate(zip(mass, place, strict=True))
        ]
        tensor = combine(parts)[2]
        x, y, z = place.T
        ours.append([tensor[0, 0], tensor[1, 1], tensor[2, 2], -tensor[0, 1], -tensor[0, 2], -tensor[1, 2]])
        sums.append(
            [
                mass @ (y**2 + z**2),
                mass @ (x**2 + z**2),
                mass @ (x**2 + y**2),
                mass @ (x * y),
                mass @ (x * z),
                mass @ (y * z),
            ]
        )
    a, b = np.array(ours), np.array(sums)
    body = phoenix().body
    about = np.diag(about_cg(body.inertia_o, body.mass_kg, body.cg_b)) / (SLUG * FOOT**2)
    deficit = rigid_body_deficit(about_cg(body.inertia_o, body.mass_kg, body.cg_b))
    return {
        "eq-moments-of-inertia": largest(a[:, :3], b[:, :3]),
        "eq-products-of-inertia": largest(a[:, 3:], b[:, 3:]),
        "eq-printed-inertia": {
            "off": max(45.0 - 2.7 - 42.0, 0.0),
            "value": 2.7 + 42.0 - 45.0,
            "deficit": 100.0 * deficit,
            "about": about[0] + about[1] - about[2],
        },
    }
