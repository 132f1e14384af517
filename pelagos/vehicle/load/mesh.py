"""Hull meshes, for numbers that a vehicle file omits: volume, centre of buoyancy, inertia, length, added mass."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pelagos.errors import PelagosError
from pelagos.files.reader import Table
from pelagos.vehicle.derive.inertia import about_cg, steiner
from pelagos.vehicle.load.ledger import Ledger
from pelagos.vehicle.spec import Matrix, Vec3

if TYPE_CHECKING:
    from pelagos.vehicle.derive.mesh import Mesh


@dataclass(frozen=True)
class HullMesh:
    """The closed hull mesh of a vehicle and its volume, centre and inertia, in body axes about O."""

    row: Table
    file: str
    volume_m3: float
    center_b: Vec3
    inertia_per_density: Matrix
    length_m: float

    def inertia(self, mass: float, cg: Vec3) -> tuple[Matrix, str]:
        """Inertia tensor about O of a homogeneous body in the mesh, moved to the centre of mass, and its origin."""
        homogeneous = about_cg(self.inertia_per_density * (mass / self.volume_m3), mass, self.center_b)
        return steiner(homogeneous, mass, cg), f"{self.file} filled evenly, moved to the centre of mass"

    def added_mass(self, density: float) -> tuple[Matrix, str]:
        """Added mass by the panel method (optional extra `bem`), and its origin."""
        from pelagos.vehicle.derive.added_mass import added_mass_of_mesh

        return added_mass_of_mesh(_read(self.row), density)


def hull_mesh(root: Table, ledger: Ledger) -> HullMesh | None:
    """The first mesh among the shapes, with its volume, centre and inertia; None if the file has no mesh."""
    row = next((row for row in root.lists.get("shape", []) if row.get("kind") == "mesh"), None)
    if row is None:
        return None
    from pelagos.vehicle.derive.mesh import mesh_form

    try:
        form = mesh_form(_read(row))
    except PelagosError as problem:
        row.fail_because("file", problem)
    name = Path(row.get("file")).name
    for key, value, unit in (
        ("wetted_area_m2", form.wetted_area_m2, "m2"),
        ("frontal_area_m2", form.frontal_area_m2, "m2"),
        ("side_area_m2", form.side_area_m2, "m2"),
        ("plan_area_m2", form.plan_area_m2, "m2"),
        ("volume_m3", form.volume_m3, "m3"),
    ):
        ledger.derived(f"geometry.{key}", value, unit, f"from {name}")
    return HullMesh(row, name, form.volume_m3, form.center_b, form.inertia_per_density, form.size_m[0])


def _read(row: Table) -> Mesh:
    from pelagos.vehicle.derive.mesh import placed_mesh

    return placed_mesh(row.get("file"), row.get("scale", 1.0), row.get("center", (0.0, 0.0, 0.0)))
