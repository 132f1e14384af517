"""Meshes: exact polyhedra, convergence to a sphere, the file formats."""

import math
import struct

import numpy as np
import pytest

from pelagos.errors import FileError
from pelagos.vehicle.derive.inertia import inertia_of_box, inertia_of_cylinder, steiner
from pelagos.vehicle.derive.mesh import Mesh, mesh_form, read_mesh, revolve
from tests.vehicle.spheroid import spheroid_stations

QUADS = [(0, 3, 2, 1), (4, 5, 6, 7), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7)]  # outward


def box(size, center=(0.0, 0.0, 0.0)):
    corners = np.array(
        [(-1, -1, -1), (1, -1, -1), (1, 1, -1), (-1, 1, -1), (-1, -1, 1), (1, -1, 1), (1, 1, 1), (-1, 1, 1)]
    )
    faces = [triangle for a, b, c, d in QUADS for triangle in ((a, b, c), (a, c, d))]
    return Mesh(corners * np.asarray(size) / 2.0 + np.asarray(center), np.array(faces), "box.stl")


def icosphere(level):
    """Unit sphere from an octahedron, each triangle cut in four, level times."""
    points = [np.array(p, float) for p in ((1, 0, 0), (0, 1, 0), (0, 0, 1), (-1, 0, 0), (0, -1, 0), (0, 0, -1))]
    faces = [(0, 1, 2), (1, 3, 2), (3, 4, 2), (4, 0, 2), (1, 0, 5), (3, 1, 5), (4, 3, 5), (0, 4, 5)]
    for _ in range(level):
        middle = {}

        def between(a, b, middle=middle):
            key = (min(a, b), max(a, b))
            if key not in middle:
                p = points[a] + points[b]
                points.append(p / np.linalg.norm(p))
                middle[key] = len(points) - 1
            return middle[key]

        cut = []
        for a, b, c in faces:
            ab, bc, ca = between(a, b), between(b, c), between(c, a)
            cut += [(a, ab, ca), (ab, b, bc), (ca, bc, c), (ab, bc, ca)]
        faces = cut
    return Mesh(np.array(points), np.array(faces), "sphere")


def write_binary(path, mesh, header=b""):
    with path.open("wb") as out:
        out.write(header.ljust(80, b"\0") + struct.pack("<I", len(mesh.faces)))
        for corners in mesh.corners():
            out.write(struct.pack("<12fH", 0, 0, 0, *corners.ravel(), 0))


def write_text(path, mesh):
    lines = ["solid hull"]
    for corners in mesh.corners():
        lines += ["  facet normal 0 0 0", "    outer loop"]
        lines += [f"      vertex {x!r} {y!r} {z!r}" for x, y, z in corners.tolist()]
        lines += ["    endloop", "  endfacet"]
    path.write_text("\n".join([*lines, "endsolid hull"]))


def test_box_is_exact():
    size, center = (2.0, 1.0, 0.4), (0.3, -5.0, 7.0)
    form = mesh_form(box(size, center))
    assert form.volume_m3 == pytest.approx(0.8, rel=1e-14)
    assert form.center_b == pytest.approx(center, rel=1e-14)
    # Steiner terms are 1000 times the box's own inertia here; rounding of those is what 1e-12 allows.
    np.testing.assert_allclose(form.inertia_per_density, steiner(inertia_of_box(0.8, size), 0.8, center), rtol=1e-12)
    assert form.wetted_area_m2 == pytest.approx(2 * (2.0 + 0.8 + 0.4), rel=1e-14)
    assert (form.frontal_area_m2, form.side_area_m2, form.plan_area_m2) == pytest.approx((0.4, 0.8, 2.0), rel=1e-14)
    assert form.size_m == pytest.approx(size)


def test_sphere_converges_at_second_order():
    errors = []
    for level in (2, 3, 4):
        form = mesh_form(icosphere(level))
        errors.append(
            [
                1 - form.volume_m3 / (4 / 3 * math.pi),
                1 - form.wetted_area_m2 / (4 * math.pi),
                1 - form.inertia_per_density[0, 0] / (8 / 15 * math.pi),
                1 - form.frontal_area_m2 / math.pi,
            ]
        )
    ratios = np.array(errors[:-1]) / np.array(errors[1:])
    np.testing.assert_allclose(ratios, 4.0, rtol=0.1)  # flat facets of a smooth surface: error as h^2
    assert max(errors[-1]) < 0.01


def test_cylinder_polygon_closed_form():
    """A prism over a regular n-gon has the volume and inertia of its polygon, exactly."""
    n, radius, length = 24, 0.1, 2.0
    form = mesh_form(revolve([(-1.0, 0.2, 0.2), (1.0, 0.2, 0.2)], n))
    area = 0.5 * n * radius**2 * math.sin(2 * math.pi / n)
    polar = 0.5 * n * radius**4 * math.sin(2 * math.pi / n) * (2 + math.cos(2 * math.pi / n)) / 6
    assert form.volume_m3 == pytest.approx(area * length, rel=1e-13)
    assert form.inertia_per_density[0, 0] == pytest.approx(polar * length, rel=1e-12)
    assert form.inertia_per_density[1, 1] == pytest.approx(polar * length / 2 + area * length**3 / 12, rel=1e-12)
    assert form.wetted_area_m2 == pytest.approx(2 * area + n * 2 * radius * math.sin(math.pi / n) * length, rel=1e-13)
    round_one = inertia_of_cylinder(math.pi * radius**2 * length, radius, length)
    assert form.inertia_per_density[1, 1] == pytest.approx(round_one[1, 1], rel=0.02)  # (2 pi/n)^2/6 = 1.1 % of area


def test_inside_out_is_refused():
    good = box((1.0, 1.0, 1.0))
    with pytest.raises(FileError, match="inside out"):
        mesh_form(Mesh(good.vertices, good.faces[:, ::-1], "box"))


def test_three_formats_agree(tmp_path):
    mesh = revolve(spheroid_stations(2.0, 0.4, 15), 12)
    write_binary(tmp_path / "a.stl", mesh)
    write_binary(tmp_path / "b.STL", mesh, b"solid but binary")
    write_text(tmp_path / "c.stl", mesh)
    obj = [f"v {x!r} {y!r} {z!r}" for x, y, z in mesh.vertices.tolist()]
    obj += [f"f {a + 1}/1/1 {b + 1}//2 {c + 1}" for a, b, c in mesh.faces.tolist()]
    (tmp_path / "d.obj").write_text("# hull\n" + "\n".join(obj))
    want = mesh_form(mesh)
    for name in ("a.stl", "b.STL", "c.stl", "d.obj"):
        form = mesh_form(read_mesh(tmp_path / name))
        assert form.volume_m3 == pytest.approx(want.volume_m3, rel=1e-6), name  # STL keeps 24 bits of each number
        np.testing.assert_allclose(form.inertia_per_density, want.inertia_per_density, atol=1e-6)


def test_open_mesh_is_refused():
    whole = box((1.0, 1.0, 1.0))
    with pytest.raises(FileError, match=r"^holed\.stl: open edges = 4: expected a closed surface"):
        mesh_form(Mesh(whole.vertices, whole.faces[2:], "holed.stl"))
