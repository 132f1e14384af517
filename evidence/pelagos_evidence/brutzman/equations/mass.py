"""Equations 6.54-6.60: the mass matrix, whether it can be one, and moments of inertia as sums."""

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
from pelagos_evidence.brutzman.equations.rows import MASS_SLUG, agreed, largest, listed, phoenix
from pelagos_evidence.claim import Claim, Proof, contested, statement
from pelagos_evidence.document import Findings, Tell

TESTS = ("tests/analytic/test_structure.py", "tests/engine/core/test_mass.py", "tests/vehicle/pack/test_records.py")
CODE = ("pelagos.vehicle.pack.records.mass_matrix", "pelagos.engine.core.mass.mass_now")
BODIES = 40  # random bodies of components
# the added masses that the left sides of (6.48)-(6.53) have; (6.54) has all 36
LEFT_SIDES = frozenset(
    "X_udot Y_vdot Y_pdot Y_rdot Z_wdot Z_qdot K_vdot K_pdot K_rdot M_wdot M_qdot N_vdot N_pdot N_rdot".split()
)


def run(tell: Tell) -> Findings:
    """All rows of section D.10."""
    claims = [*_matrix(), *_printed_y_rdot()]
    tell(0.6)
    claims += _inertia()
    tell(1.0)
    return Findings(tuple(claims))


def _matrix() -> list[Claim]:
    """(6.54) with Phoenix's numbers and with all 36 added masses."""
    table, every = printed_tables.corrected(), coefficients()
    ours = mass_matrix(phoenix()) / MASS_SLUG
    general = mass_matrix(vehicle(every)) / MASS_SLUG
    eigenvalues = np.linalg.eigvalsh(ours)
    record = Plant(phoenix()).packed.model
    kept = record[lay.MODEL.offset("mass_inverse")[0] :][:36].reshape(6, 6) * MASS_SLUG
    proof = Proof(("B56",), CODE, TESTS)
    both = {name: value for name, value in every.items() if not name.endswith("dot") or name in LEFT_SIDES}
    as_printed = printed.left_hand_sides(both, frozenset())
    apart = [f"({i + 1},{j + 1})" for i, j in np.argwhere(~np.isclose(as_printed, printed.mass_matrix(both)))]
    return [
        agreed(
            "eq-mass-matrix", "equation 6.54", "mass matrix of Phoenix, 36 entries: table 6.2 typed into "
            "the printed matrix against the matrix of the vehicle file", "[M]", largest(ours,
            printed.mass_matrix(table)),
            states="36 entries", assumption="Y_rdot = -1.78 E-3 and Z_wdot = -9.34 E-2 for the printed values",
            proof=Proof(("B16", "B20", "B56"), CODE, TESTS),
        ),
        agreed(
            "eq-mass-matrix-every-term", "equation 6.54", "the same with all 36 added mass terms non-zero, the centre "
            "of gravity off the axes and all products of inertia", "[M]", largest(general,
            printed.mass_matrix(every)),
            states="36 entries", assumption="L^4 for the printed L^3 before K_wdot", proof=proof,
        ),
        agreed(
            "eq-left-sides", "equations 6.48-6.53", "left sides of the six equations, all terms they have non-zero, "
            "are the rows of 6.54", "M is determined from the coefficients of the left-hand sides",
            largest(printed.left_hand_sides(both), printed.mass_matrix(both)), states="36 entries",
            assumption="read with -m z_G v-dot in 6.51, -m y_G u-dot in 6.53, M_wdot and M_qdot in 6.52",
            proof=Proof(("B47", "B49", "B53"), CODE, TESTS),
        ),
        contested(
            "eq-left-sides-printed", "equations 6.48-6.53", "the same with the left sides as printed",
            "M is determined from the coefficients of the left-hand sides",
            "6.51 has +m z_G v-dot and 6.53 +m y_G u-dot where 6.54 has minus, 6.52 has M_w and M_q where 6.54 has "
            "M_wdot and M_qdot; the mass matrix of a body is symmetric, so 6.54 is right.",
            ours=f"they differ from 6.54 in {len(apart)} of 36 entries: {listed(apart)}",
            numbers={"ours": float(len(apart))}, unit="entries", proof=Proof(("B47", "B49", "B53"), CODE, TESTS),
            off=float(len(apart)), limit=0.0,
        ),
        statement(
            "eq-mass-positive", "equation 6.54", "kinetic energy is positive for any motion: the corrected matrix is "
            "symmetric and positive definite", "no word of it; required by mechanics",
            f"eigenvalues {eigenvalues[0]:.3f} to {eigenvalues[-1]:.2f} slug, slug ft2",
            bool(eigenvalues[0] > 0.0 and np.allclose(ours, ours.T, rtol=1e-12, atol=1e-12)), why="a sign",
            numbers={"ours": float(eigenvalues[0])}, unit="slug", proof=Proof(("B16",), CODE, TESTS),
        ),
        agreed(
            "eq-mass-inverse", "section D.10", "the matrix does not change with time, so its inverse is found once: "
            "the one in the engine's record against M of 6.54", "the inverse does not have to be determined repeatedly",
            largest(kept @ printed.mass_matrix(table), np.eye(6)), states="36 entries",
            proof=Proof((), ("pelagos.vehicle.pack.records.pack",), TESTS),
        ),
    ]  # fmt: skip


def _printed_y_rdot() -> list[Claim]:
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
    return [
        contested(
            "eq-mass-printed", "equation 6.54 with table 6.2", "the mass matrix with the printed Y_rdot",
            "Y_rdot = -1.78 E-1",
            "Added mass is symmetric, Y_rdot = N_vdot = -1.78 E-3; the author's program has that value. With the "
            "printed one the matrix is neither symmetric nor positive definite (a motion with negative kinetic "
            "energy); the file is refused.",
            ours=f"M26 = {M[1, 5]:.1f}, M62 = {M[5, 1]:.2f} slug ft, determinant of the sway-yaw block "
            f"{np.linalg.det(block):.0f}, lowest eigenvalue {lowest:.1f}; the file is {verdict}",
            numbers={"published": -1.78e-1, "ours": -1.78e-3}, unit="1", proof=Proof(("B16",), CODE, TESTS),
            off=abs(float(M[1, 5] - M[5, 1])), limit=1e-9, right=lowest < 0.0 and verdict == "refused",
        )
    ]  # fmt: skip


def _inertia() -> list[Claim]:
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
    proof = Proof((), ("pelagos.vehicle.derive.inertia.combine",), ("tests/vehicle/derive/test_inertia.py",))
    body = phoenix().body
    about = np.diag(about_cg(body.inertia_o, body.mass_kg, body.cg_b)) / (SLUG * FOOT**2)
    deficit = rigid_body_deficit(about_cg(body.inertia_o, body.mass_kg, body.cg_b))
    return [
        agreed(
            "eq-moments-of-inertia", "equations 6.55-6.57", "moments of inertia as weighted sums over components, "
            "measured from the vehicle's origin", "I_x = int (y^2 + z^2) dm, ...", largest(a[:, :3], b[:, :3]),
            states=f"{BODIES} random bodies",
            proof=proof,
        ),
        agreed(
            "eq-products-of-inertia", "equations 6.58-6.60", "products of inertia, + int x y dm (a tensor element is "
            "minus that)",
            "I_xy = I_yx = int x y dm, ...", largest(a[:, 3:], b[:, 3:]), states=f"{BODIES} random bodies", proof=proof,
        ),
        contested(
            "eq-printed-inertia", "table 6.2 with 6.55-6.57", "the printed moments as integrals over a mass",
            "I_x = 2.7, I_y = 42.0, I_z = 45.0 slug ft2",
            "By 6.55-6.57 I_x + I_y - I_z = 2 int z^2 dm, which cannot be negative. The printed values are kept: they "
            "are rounded, and the mass matrix with them is positive definite; `pelagos check phoenix` warns.",
            ours=f"I_x + I_y - I_z = {2.7 + 42.0 - 45.0:.1f} slug ft2; about the centre of gravity the largest exceeds "
            f"the sum of the others by {100.0 * deficit:.2g} %",
            numbers={"ours": float(about[0] + about[1] - about[2])}, unit="slug ft2",
            proof=Proof(("B28",), ("pelagos.vehicle.derive.inertia.rigid_body_deficit",),
                        ("tests/vehicle/derive/test_inertia.py",)), off=max(45.0 - 2.7 - 42.0, 0.0), limit=0.15,
        ),
    ]  # fmt: skip
