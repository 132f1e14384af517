"""Meshes: file formats, closed and outward surfaces, refused files, triangles of simple solids, winding number."""

import json
import math
import os
import struct

import numpy as np
import pytest

from pelagos.errors import CommandError, FileError
from pelagos.geometry.mesh import Mesh, enclosed_volume, open_edges, outward, read_mesh, solid_triangles, weld, winding

QUADS = [(0, 3, 2, 1), (4, 5, 6, 7), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7)]  # outward


def box(size, center=(0.0, 0.0, 0.0)):
    corners = np.array(
        [(-1, -1, -1), (1, -1, -1), (1, 1, -1), (-1, 1, -1), (-1, -1, 1), (1, -1, 1), (1, 1, 1), (-1, 1, 1)]
    )
    faces = [triangle for a, b, c, d in QUADS for triangle in ((a, b, c), (a, c, d))]
    return Mesh(corners * np.asarray(size) / 2.0 + np.asarray(center), np.array(faces), "box.stl")


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


def write_glb(path, mesh):
    """A binary glTF 2.0 file with one mesh in one node, by its specification."""
    points, faces = mesh.vertices.astype("<f4").tobytes(), mesh.faces.astype("<u4").tobytes()
    scene = {
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": [{"mesh": 0, "translation": [10.0, 0.0, 0.0]}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
        "buffers": [{"byteLength": len(points) + len(faces)}],
        "bufferViews": [
            {"buffer": 0, "byteOffset": 0, "byteLength": len(points)},
            {"buffer": 0, "byteOffset": len(points), "byteLength": len(faces)},
        ],
        "accessors": [
            {
                "bufferView": 0,
                "componentType": 5126,
                "count": len(mesh.vertices),
                "type": "VEC3",
                "min": mesh.vertices.min(axis=0).tolist(),
                "max": mesh.vertices.max(axis=0).tolist(),
            },
            {"bufferView": 1, "componentType": 5125, "count": mesh.faces.size, "type": "SCALAR"},
        ],
    }
    text = json.dumps(scene).encode()
    text += b" " * (-len(text) % 4)
    body = struct.pack("<II", len(text), 0x4E4F534A) + text
    body += struct.pack("<II", len(points) + len(faces), 0x004E4942) + points + faces
    path.write_bytes(struct.pack("<4sII", b"glTF", 2, 12 + len(body)) + body)


def test_formats_agree(tmp_path):
    mesh = box((2.0, 1.0, 0.4), (0.3, -5.0, 7.0))
    write_binary(tmp_path / "a.stl", mesh)
    write_binary(tmp_path / "b.STL", mesh, b"solid but binary")
    write_text(tmp_path / "c.stl", mesh)
    obj = [f"v {x!r} {y!r} {z!r}" for x, y, z in mesh.vertices.tolist()]
    obj += [f"f {a + 1}/1/1 {b + 1}//2 {c + 1}" for a, b, c in mesh.faces.tolist()]
    (tmp_path / "d.obj").write_text("# hull\n" + "\n".join(obj))
    for name in ("a.stl", "b.STL", "c.stl", "d.obj"):
        read = read_mesh(tmp_path / name)
        assert len(read.vertices) == 8 and len(read.faces) == 12, name  # welded
        assert enclosed_volume(outward(read)) == pytest.approx(0.8, rel=1e-5), name  # STL: 24 bits at 7 m, 0.4 m thick
        assert read.vertices.mean(axis=0) == pytest.approx((0.3, -5.0, 7.0), rel=1e-6)


def test_glb_is_read_where_its_scene_puts_it(tmp_path):
    pytest.importorskip("trimesh")
    write_glb(tmp_path / "cube.glb", box((1.0, 2.0, 3.0)))
    read = read_mesh(tmp_path / "cube.glb", scale=2.0)
    assert enclosed_volume(outward(read)) == pytest.approx(48.0, rel=1e-6)  # 24 bits
    assert read.vertices.mean(axis=0) == pytest.approx((20.0, 0.0, 0.0), abs=1e-5)
    (tmp_path / "bad.glb").write_bytes(b"nonsense")
    with pytest.raises(FileError, match=r"bad\.glb: expected a binary glTF file"):
        read_mesh(tmp_path / "bad.glb")


def test_obj_with_squares_and_negative_numbers(tmp_path):
    lines = [f"v {x} {y} {z}" for x, y, z in box((1000.0, 500.0, 200.0)).vertices.tolist()]
    lines += ["f " + " ".join(str(i - 8) for i in quad) for quad in QUADS]
    (tmp_path / "box.obj").write_text("\n".join(lines))
    mesh = read_mesh(tmp_path / "box.obj", scale=0.001)  # millimetres
    assert enclosed_volume(mesh) == pytest.approx(0.1, rel=1e-12)


def test_inside_out_is_refused():
    good = box((1.0, 1.0, 1.0))
    assert outward(good) is good
    bad = Mesh(good.vertices, good.faces[:, ::-1], "pier.obj")
    with pytest.raises(FileError, match=r"^pier\.obj: volume = -1\.0: is inside out"):
        outward(bad)


def test_open_mesh_names_file_and_edges(tmp_path):
    whole = box((1.0, 1.0, 1.0))
    assert open_edges(whole) == 0
    write_binary(tmp_path / "holed.stl", Mesh(whole.vertices, whole.faces[2:], "x"))
    with pytest.raises(FileError, match=r"^holed\.stl: open edges = 4: expected a closed surface"):
        outward(read_mesh(tmp_path / "holed.stl"))
    flipped = whole.faces.copy()
    flipped[0] = flipped[0][::-1]
    assert open_edges(Mesh(whole.vertices, flipped, "x")) == 3  # the three sides of the turned triangle


def test_flat_mesh_has_no_volume():
    flat = Mesh(np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0]]), np.array([[0, 1, 2], [0, 2, 1]]), "flat.obj")
    with pytest.raises(FileError, match=r"flat\.obj: volume"):
        outward(flat)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("hull.ply", b"ply", r"hull\.ply: expected a mesh file ending in \.stl, \.obj or \.glb"),
        ("hull.stl", b"nonsense", r"hull\.stl: expected an STL file"),
        ("hull.stl", b"solid x\nendsolid x", r"hull\.stl: expected triangles, found none"),
        ("hull.stl", b"solid x\nvertex 0 0 zero", r"hull\.stl: line 2 = \"0 0 zero\": expected three numbers"),
        ("hull.stl", b"solid x\nvertex 0 0 0", r"hull\.stl: expected three vertices per facet, found 1"),
        ("hull.obj", b"v 0 0 0\nf 1 2", r"hull\.obj: line 2 = \"f 1 2\": expected a face of three"),
        ("hull.obj", b"v 0 0 0\nf 1 2 3", r"hull\.obj: vertex of a face = 3: expected at most 1, "),
        ("hull.obj", b"v 0 0 0\nf 0 1 1", r"hull\.obj: line 2 = \"0\": expected a vertex number"),
        ("hull.obj", b"v nan 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3", r"hull\.obj: expected finite coordinates"),
    ],
)
def test_bad_files_get_one_sentence(tmp_path, name, content, message):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(FileError, match=message):
        read_mesh(tmp_path / name)


def test_missing_file():
    with pytest.raises(FileError, match="no such file"):
        read_mesh("no_such_hull.stl")


def test_a_pipe_and_coordinates_beyond_any_size_are_refused(tmp_path):
    os.mkfifo(tmp_path / "pipe.stl")
    with pytest.raises(FileError, match=r"pipe\.stl: is a pipe, a socket or a device"):
        read_mesh(tmp_path / "pipe.stl")
    (tmp_path / "far.obj").write_text("v 0 0 0\nv 1e308 0 0\nv 0 -1e308 0\nf 1 2 3\n")
    with pytest.raises(FileError, match=r"far\.obj: coordinate = 1e\+308: expected at most 1e\+06 m"):
        read_mesh(tmp_path / "far.obj")
    with pytest.raises(FileError, match="expected a binary glTF file"):
        (tmp_path / "bad.glb").write_bytes(b"glTF" + b"\xff" * 40)
        read_mesh(tmp_path / "bad.glb")


def closed(corners):
    return weld(Mesh(corners.reshape(-1, 3), np.arange(corners.size // 3).reshape(-1, 3)))


@pytest.mark.parametrize(
    ("kind", "half", "volume"),
    [
        ("box", (1.0, 2.0, 3.0), 48.0),
        ("cylinder", (1.0, 0.5, 0.5), 2.0 * math.pi * 0.25),
        ("sphere", (2.0, 2.0, 2.0), 4.0 / 3.0 * math.pi * 8.0),
    ],
)
def test_skin_is_closed_and_faces_outward(kind, half, volume):
    mesh = closed(solid_triangles(kind, half, 0.0))
    assert open_edges(mesh) == 0
    # 32 corners around: an inscribed polygon lacks (2 pi/32)^2/6 = 0.64 % of the circle, a sphere as much along too
    assert 0.98 * volume < enclosed_volume(mesh) <= volume * (1 + 1e-12)


def test_plane_looks_into_the_water():
    corners = solid_triangles("plane", (0.0, 0.0, 0.0), 10.0)
    normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    assert normal == pytest.approx(np.array([[0, 0, -100.0], [0, 0, -100.0]]))  # two halves of 10 x 10 m, doubled
    with pytest.raises(CommandError, match="expected one of box"):
        solid_triangles("mesh", (0, 0, 0), 1.0)


def test_winding_is_one_inside_and_zero_outside():
    corners = solid_triangles("box", (1.0, 2.0, 3.0), 0.0)
    points = np.array([(0.9, -1.9, 2.9), (1.1, 0.0, 0.0), (0.0, 0.0, 0.0), (9.0, 9.0, 9.0)])
    assert winding(corners, points) == pytest.approx((1.0, 0.0, 1.0, 0.0), abs=1e-12)
