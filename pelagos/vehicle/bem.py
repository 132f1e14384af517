"""Added mass of an arbitrary closed mesh by a boundary element method, through capytaine (extra "bem").

The fluid is unbounded: no free surface, no bottom, so the added mass has no frequency and any right-handed frame will
do. Rotations are about O. 6x6, body axes, positive, kg .. kg m^2.
"""

from __future__ import annotations

import importlib
import importlib.util
import logging
from typing import Any

import numpy as np

from pelagos.errors import MissingExtraError, VehicleFileError
from pelagos.vehicle.mesh import Mesh, outward
from pelagos.vehicle.spec import Matrix

DOFS = ("Surge", "Sway", "Heave", "Roll", "Pitch", "Yaw")
MAX_PANELS = 8000  # the dense complex matrices take 32 n^2 bytes: 2 GB here


def available() -> bool:
    """Whether capytaine can be imported."""
    return importlib.util.find_spec("capytaine") is not None


def added_mass_of_mesh(mesh: Mesh, density_kg_m3: float) -> tuple[Matrix, str]:
    """Added mass of the mesh about O in unbounded water, and how.

    One radiation problem per degree of freedom with the Rankine kernel alone (free_surface = inf) and capytaine's
    direct method, whose error falls with the square of the panel size; the indirect one is of first order and gave
    3 % on a sphere of 1656 triangles where this gives 0.3 %. The result is symmetric only in the limit of small
    panels: the mean with the transpose is returned, and the largest difference is told as a measure of the panels.
    """
    if not available():
        raise MissingExtraError("capytaine", "added mass of a mesh", "bem")
    mesh = outward(mesh)
    if len(mesh.faces) > MAX_PANELS:
        raise VehicleFileError(
            mesh.file,
            "triangles",
            len(mesh.faces),
            f"expected at most {MAX_PANELS} for the panel method, make it coarser",
        )
    raw = _solve(mesh, density_kg_m3)
    symmetric = 0.5 * (raw + raw.T)
    scale = np.sqrt(np.outer(np.abs(np.diag(symmetric)), np.abs(np.diag(symmetric))))
    floor = 1e-9 * float(np.max(np.abs(raw)))
    skewness = float(np.max(np.abs(raw - raw.T) / np.maximum(scale, floor)))
    how = (
        f"panel method in unbounded water, capytaine {importlib.import_module('capytaine').__version__}, "
        f"{len(mesh.faces)} triangles of {mesh.file}, asymmetry {100.0 * skewness:.2g} % before averaging"
    )
    return symmetric, how


def _solve(mesh: Mesh, density: float) -> Matrix:
    cpt: Any = importlib.import_module("capytaine")
    # capytaine warns about panels above z = 0 and about the origin as centre of rotation: neither matters here.
    log = logging.getLogger("capytaine")
    level = log.level
    log.setLevel(logging.ERROR)
    try:
        body = cpt.FloatingBody(
            mesh=cpt.Mesh(vertices=mesh.vertices, faces=mesh.faces, name=mesh.file),
            dofs=cpt.rigid_body_dofs(rotation_center=(0.0, 0.0, 0.0)),
        )
        # The table of the free-surface kernel is never read here; the smallest one saves its 20 s of computing.
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
