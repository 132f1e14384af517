"""Added mass of a hull: formulas for a cylinder, a spheroid and slender strips, or a panel method for a mesh.

Results are 6x6 matrices in body axes about O, positive (kg, kg m, kg m^2): the kinetic energy of the water is
1/2 nu^T A nu, and X_udot = -A[0, 0]. Formulas: "cylinder" (document 002, errata N2-N4), "spheroid" (Lamb 1932, Imlay
1961) and "strips" (Newman 1977). The panel method is capytaine's (extra "bem"), for any closed mesh.

All of them hold in unbounded water, without free surface or bottom, so the added mass does not depend on a frequency.
"""

from __future__ import annotations

import importlib
import importlib.util
import logging
import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from pelagos.checks import Context, number
from pelagos.errors import MissingExtraError, PelagosError, VehicleFileError
from pelagos.vehicle.derive.hull import checked_stations, cylinder_stations, hull_form, lamb_factors, segment_points
from pelagos.vehicle.derive.mesh import Mesh, outward
from pelagos.vehicle.spec import Matrix, Vec3

KINDS = ("cylinder", "spheroid", "strips")
DOFS = ("Surge", "Sway", "Heave", "Roll", "Pitch", "Yaw")  # capytaine's names, in the order of the matrix
MAX_PANELS = 8000  # the dense complex matrices take 32 n^2 bytes: 2 GB here


def added_mass_from_hull(
    kind: str,
    *,
    length_m: float,
    diameter_m: float,
    density_kg_m3: float,
    mass_kg: float = 0.0,
    inertia_xx: float = 0.0,
    roll_factor: float = 0.0,
    stations: Sequence[Sequence[float]] | None = None,
    center_b: Vec3 = (0.0, 0.0, 0.0),
) -> tuple[Matrix, str]:
    """Added mass about O (6x6) by one of KINDS, and how.

    mass_kg is the water displaced (for a neutral vehicle its mass); 0: computed from the shape. Roll: a hull of
    revolution moves no water, so A44 = roll_factor * inertia_xx accounts for fins and fittings. center_b is the
    middle of a cylinder or spheroid; stations have their x, so only its y and z count.
    """
    if kind == "cylinder":
        matrix, how = cylinder_added_mass(length_m, diameter_m, density_kg_m3, mass_kg)
    elif kind == "spheroid":
        matrix, how = spheroid_added_mass(length_m, diameter_m, density_kg_m3, mass_kg)
    elif kind == "strips":
        if stations is None:
            stations = cylinder_stations(length_m, diameter_m)
        else:
            center_b = (0.0, center_b[1], center_b[2])
        matrix, how = strip_added_mass(stations, density_kg_m3)
    else:
        raise PelagosError(key="added_mass.from_hull", value=kind, names=KINDS)
    if any(center_b):
        matrix = shift_added_mass(matrix, center_b)
        how += f"; moved from ({center_b[0]:g}, {center_b[1]:g}, {center_b[2]:g}) m to O"
    if roll_factor != 0.0:
        matrix[3, 3] += roll_factor * inertia_xx
        how += f"; A44 {'=' if kind != 'strips' else '+='} {roll_factor:g} I_x"
    return matrix, how


def cylinder_added_mass(
    length_m: float, diameter_m: float, density_kg_m3: float, mass_kg: float = 0.0
) -> tuple[Matrix, str]:
    """Added mass of a slender cylinder about its middle, by the formulas of document 002.

    X_udot = -0.1 m, Y_vdot = -pi rho R^2 L, M_qdot = -pi rho R^2 L^3/12.
    """
    _positive(length_m, diameter_m, density_kg_m3)
    across = math.pi * density_kg_m3 * (diameter_m / 2.0) ** 2 * length_m
    turning = across * length_m**2 / 12.0
    mass = mass_kg if mass_kg > 0.0 else across
    how = "cylinder, document 002: A11 = 0.1 m, A22 = A33 = pi rho R^2 L, A55 = A66 = pi rho R^2 L^3/12, A44 = 0"
    return np.diag([0.1 * mass, across, across, 0.0, turning, turning]), how


def spheroid_added_mass(
    length_m: float, diameter_m: float, density_kg_m3: float, mass_kg: float = 0.0
) -> tuple[Matrix, str]:
    """Added mass of a prolate spheroid about its centre (Imlay 1961).

    A11 = k1 m, A22 = A33 = k2 m, A55 = A66 = k' m (a^2 + b^2)/5, with m the displaced mass: mass_kg if above 0 (a hull
    fuller or finer than its spheroid), else that of the spheroid.
    """
    _positive(length_m, diameter_m, density_kg_m3)
    a, b = length_m / 2.0, diameter_m / 2.0
    k1, k2, k_prime = lamb_factors(a, b)
    mass = mass_kg if mass_kg > 0.0 else 4.0 / 3.0 * math.pi * density_kg_m3 * a * b * b
    turning = k_prime * mass * (a * a + b * b) / 5.0
    how = (
        f"spheroid of L/D {a / b:.3g}, Lamb factors k1 = {k1:.5f}, k2 = {k2:.5f}, k' = {k_prime:.5f} "
        f"on {mass:.5g} kg of displaced water"
    )
    return np.diag([k1 * mass, k2 * mass, k2 * mass, 0.0, turning, turning]), how


def strip_added_mass(stations: Sequence[Sequence[float]], density_kg_m3: float) -> tuple[Matrix, str]:
    """Added mass of a slender body by strips of elliptic sections (Newman 1977, sect. 7.5), offset moments included.

    Per length: sway pi rho (h/2)^2, heave pi rho (b/2)^2, roll pi rho ((h^2 - b^2)/4)^2/8. With x the arm:
    A26 = int x a22, A35 = -int x a33, A66 = int x^2 a22, A55 = int x^2 a33. Strips have no surge: A11 is k1 of the
    spheroid with the same length and volume.
    """
    table = checked_stations(stations)
    _positive(float(table[-1, 0] - table[0, 0]), float(np.max(table[:, 1:])), density_kg_m3)
    x, height, breadth, weight = segment_points(table)
    sway = weight * math.pi * density_kg_m3 * (height / 2.0) ** 2
    heave = weight * math.pi * density_kg_m3 * (breadth / 2.0) ** 2
    roll = weight * math.pi * density_kg_m3 / 8.0 * ((height**2 - breadth**2) / 4.0) ** 2
    form = hull_form(stations)
    a = form.length_m / 2.0
    b = math.sqrt(form.volume_m3 * 3.0 / (4.0 * math.pi * a))
    k1, _, _ = lamb_factors(a, b)
    matrix = np.diag(
        [
            k1 * density_kg_m3 * form.volume_m3,
            float(np.sum(sway)),
            float(np.sum(heave)),
            float(np.sum(roll)),
            float(np.sum(heave * x * x)),
            float(np.sum(sway * x * x)),
        ]
    )
    matrix[1, 5] = matrix[5, 1] = float(np.sum(sway * x))
    matrix[2, 4] = matrix[4, 2] = -float(np.sum(heave * x))
    how = (
        f"strips of {len(table)} stations, pi rho (h/2)^2 and pi rho (b/2)^2 per length with their arms; "
        f"A11 = k1 = {k1:.4f} of the spheroid of equal length and volume"
    )
    return matrix, how


def shift_added_mass(matrix: Matrix, position_b: Vec3) -> Matrix:
    """Move an added-mass matrix about the point position_b to O.

    The point moves with v + omega x r = v - S(r) omega, so A_O = H^T A H, H = [[E, -S(r)], [0, E]].
    """
    x, y, z = position_b
    h = np.eye(6)
    h[:3, 3:] = -np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    return h.T @ np.asarray(matrix, dtype=float) @ h


def _positive(length_m: float, diameter_m: float, density_kg_m3: float) -> None:
    context = Context(PelagosError, "added mass from the hull")
    for name, value in (("length_m", length_m), ("diameter_m", diameter_m), ("density_kg_m3", density_kg_m3)):
        number(name, value, 0.0, above=True, context=context)


def available() -> bool:
    """Whether capytaine is installed."""
    return importlib.util.find_spec("capytaine") is not None


def added_mass_of_mesh(mesh: Mesh, density_kg_m3: float) -> tuple[Matrix, str]:
    """Added mass of a closed mesh about O by a panel method in unbounded water, and how.

    capytaine solves one radiation problem per degree of freedom with the Rankine kernel alone (free_surface = inf).
    Its direct method is of second order in the panel size; the indirect one is of first order and gave an error of 3 %
    on a sphere of 1656 triangles where the direct one gives 0.3 %. The result is symmetric only in the limit of small
    panels: the mean with the transpose is returned, and `how` states the largest difference as a measure of error.
    """
    if not available():
        raise MissingExtraError("capytaine", "added mass of a mesh", "bem")
    mesh = outward(mesh)
    if len(mesh.faces) > MAX_PANELS:
        raise VehicleFileError(
            file=mesh.file,
            key="triangles",
            value=len(mesh.faces),
            expected=f"at most {MAX_PANELS} for the panel method, make it coarser",
        )
    raw = _solve(mesh, density_kg_m3)
    symmetric = 0.5 * (raw + raw.T)
    scale = np.sqrt(np.outer(np.abs(np.diag(symmetric)), np.abs(np.diag(symmetric))))
    floor = 1e-9 * float(np.max(np.abs(raw)))  # a body of revolution has a zero on the diagonal
    skewness = float(np.max(np.abs(raw - raw.T) / np.maximum(scale, floor)))
    how = (
        f"panel method in unbounded water, capytaine {importlib.import_module('capytaine').__version__}, "
        f"{len(mesh.faces)} triangles of {mesh.file}, asymmetry {100.0 * skewness:.2g} % before averaging"
    )
    return symmetric, how


def _solve(mesh: Mesh, density: float) -> Matrix:
    cpt: Any = importlib.import_module("capytaine")
    # capytaine warns of panels above z = 0 and of the origin as centre of rotation; neither matters here.
    log = logging.getLogger("capytaine")
    level = log.level
    log.setLevel(logging.ERROR)
    try:
        body = cpt.FloatingBody(
            mesh=cpt.Mesh(vertices=mesh.vertices, faces=mesh.faces, name=mesh.file),
            dofs=cpt.rigid_body_dofs(rotation_center=(0.0, 0.0, 0.0)),
        )
        # The table of the free-surface kernel is not used here; the smallest one saves 20 s of computing.
        kernel = cpt.Delhommeau(
            tabulation_nr=4, tabulation_nz=4, tabulation_nb_integration_points=11, tabulation_cache_dir=None
        )
        solver = cpt.BEMSolver(green_function=kernel, method="direct")
        matrix = np.zeros((6, 6))
        for j, moving in enumerate(DOFS):
            problem = cpt.RadiationProblem(
                body=body, radiating_dof=moving, free_surface=np.inf, water_depth=np.inf, omega=1.0, rho=density
            )
            result = solver.solve(problem, keep_details=False)
            matrix[:, j] = [float(np.real(result.added_masses[influenced])) for influenced in DOFS]
    finally:
        log.setLevel(level)
    return matrix
