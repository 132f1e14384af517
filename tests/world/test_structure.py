"""Structures: positions, interior, packing, and refused values."""

import math

import numpy as np
import pytest

from pelagos.engine.contact.obstacles import solid_distance
from pelagos.engine.water.sea import DISTANCE_GRID, SEA, SOLID
from pelagos.errors import ScenarioError
from pelagos.geometry.mesh import solid_triangles
from pelagos.world.structure import Structure, pack_structures
from pelagos.world.writer import SeaWriter

BOX = Structure(
    kind="box",
    name="crate",
    center_m=(1.0, 2.0, 3.0),
    size_m=(4, 2, 1),
    heading_deg=30.0,
    pitch_deg=10.0,
    roll_deg=-20.0,
)
PIPE = Structure(kind="cylinder", name="pipe", from_m=(0.0, 1.0, 5.0), to_m=(6.0, -2.0, 7.0), diameter_m=0.8)
BALL = Structure(kind="sphere", name="mine", center_m=(1.0, -1.0, 4.0), radius_m=0.6)
WALL = Structure(kind="plane", name="wall", point_m=(5.0, 0.0, 0.0), normal=(-2.0, 0.0, -1.0))


def write_obj(path, corners):
    lines = [f"v {x!r} {y!r} {z!r}" for x, y, z in corners.reshape(-1, 3).tolist()]
    lines += [f"f {3 * i + 1} {3 * i + 2} {3 * i + 3}" for i in range(len(corners))]
    path.write_text("\n".join(lines))
    return str(path)


def packed(*structures):
    writer = SeaWriter()
    pack_structures(structures, writer)
    return writer.finish()


@pytest.fixture
def wreck(tmp_path):
    file = write_obj(tmp_path / "wreck.obj", solid_triangles("box", (2.0, 1.0, 0.5), 0.0))
    return Structure(kind="mesh", name="wreck", file=file, center_m=(10.0, 0.0, 20.0), heading_deg=90.0, scale=0.5)


def test_places_by_hand(wreck):
    assert BALL.contains([(1.0, -1.0, 4.59), (1.0, -1.0, 4.61)]).tolist() == [True, False]
    assert WALL.contains([(5.1, 3.0, 0.0), (4.9, 3.0, 0.0)]).tolist() == [True, False]
    assert PIPE.contains([(3.0, -0.5, 6.0), (6.1, -2.05, 7.03), (3.0, -0.5, 6.45)]).tolist() == [True, False, False]
    assert wreck.contains([(10.0, 0.9, 20.0), (10.9, 0.0, 20.0), (10.0, 0.0, 20.3)]).tolist() == [True, False, False]
    forward = BOX.axes_n()[:, 0]
    assert forward[2] == pytest.approx(-math.sin(math.radians(10.0)))  # bow up
    assert math.atan2(forward[1], forward[0]) == pytest.approx(math.radians(30.0))
    assert BOX.contains(np.array([1.0, 2.0, 3.0]) + 1.99 * forward)
    assert not BOX.contains(np.array([1.0, 2.0, 3.0]) + 2.01 * forward)


@pytest.mark.slow
@pytest.mark.parametrize("structure", [BOX, PIPE, BALL, WALL], ids=lambda item: item.name)
def test_packed_distance_agrees_with_contains_and_bound(structure):
    sea, rng = packed(structure), np.random.default_rng(0)
    points = structure.center_n() + rng.normal(size=(300, 3))
    inside = structure.contains(points)
    by_kernel = np.array([solid_distance(sea, SEA.size, *point)[0] < 0.0 for point in points])
    assert np.array_equal(inside, by_kernel)
    assert 5 < np.count_nonzero(inside) < 295
    corners = structure.triangles(extent_m=10.0).reshape(-1, 3)
    assert np.max(np.linalg.norm(corners - structure.center_n(), axis=1)) <= structure.bound_m() + 1e-9
    skin_distance = [solid_distance(sea, SEA.size, *corner)[0] for corner in corners]
    assert np.max(np.abs(skin_distance)) < 1e-9  # corners of the drawn skin are on the real one
    assert np.linalg.det(structure.axes_n()) == pytest.approx(1.0)


def test_mesh_is_packed_as_a_grid_in_its_own_axes(wreck):
    sea = packed(BALL, wreck)
    at = int(sea[SEA.offset("solids_at")[0]]) + SOLID.size
    assert sea[at] == DISTANCE_GRID
    assert sea[SEA.offset("n_solids")[0]] == 2
    box = Structure(kind="box", center_m=(10.0, 0.0, 20.0), size_m=(2.0, 1.0, 0.5), heading_deg=90.0)
    exact, rng = packed(box), np.random.default_rng(1)
    for point in rng.uniform((9.4, -1.05, 19.7), (10.6, 1.05, 20.3), (200, 3)):
        # trilinear between nodes 2/64 m apart: near edges and the middle planes up to a third of a step off
        want = solid_distance(exact, SEA.size, *point)[0]
        assert solid_distance(sea, at, *point)[0] == pytest.approx(want, abs=0.012)
    assert wreck.bound_m() == pytest.approx(math.hypot(1.0, 0.5, 0.25))
    assert wreck.triangles().shape == (12, 3, 3)
    assert np.ptp(wreck.triangles().reshape(-1, 3), axis=0) == pytest.approx((1.0, 2.0, 0.5))


def test_traits_are_packed():
    rock = Structure(kind="sphere", center_m=(0, 0, 9), radius_m=1, friction=0.7, stiffness_n_m=2e5, damping_n_s_m=3e3)
    record = packed(rock)[SEA.size :].view(SOLID.dtype)[0]
    assert (record["friction"], record["stiffness"], record["damping"]) == (0.7, 2e5, 3e3)
    assert (BALL.friction, BALL.stiffness_n_m, BALL.damping_n_s_m) == (0.4, 1e6, 2e4)


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ({"kind": "cilinder"}, '^structure: kind = "cilinder": expected one of .* did you mean "cylinder"'),
        ({"kind": "sphere", "radius_m": 1.0}, "^structure: center_m: is missing; a sphere needs center_m"),
        ({"kind": "sphere", "center_m": (0, 0), "radius_m": 1.0}, "center_m = .0, 0.: expected three finite numbers"),
        ({"kind": "sphere", "center_m": (0, 0, 1)}, "radius_m: expected either radius_m or diameter_m"),
        (
            {"kind": "sphere", "center_m": (0, 0, 1), "radius_m": -1.0},
            "radius_m = -1.0: expected a finite number above 0",
        ),
        ({"kind": "sphere", "center_m": (0, 0, 1), "radius_m": 1.0, "size_m": (1, 1, 1)}, "a sphere has no such key"),
        ({"kind": "box", "center_m": (0, 0, 1), "size_m": (1, 0, 1)}, "size_m = .*: expected three lengths above 0"),
        (
            {"kind": "box", "center_m": (0, 0, math.nan), "size_m": (1, 1, 1)},
            r"center_m\[2\] = nan: expected a finite number",
        ),
        (
            {"kind": "cylinder", "from_m": (0, 0, 1), "to_m": (0, 0, 1), "radius_m": 1},
            "expected another point than from",
        ),
        ({"kind": "plane", "point_m": (0, 0, 1), "normal": (0, 0, 0)}, "normal = .*: expected a direction"),
        ({"kind": "plane", "point_m": (0, 0, 1), "normal": (0, 0, -1), "friction": -0.1}, "friction = -0.1: expected"),
        ({"kind": "mesh", "file": "gone.stl"}, "file = .gone.stl.: gone.stl: no such file"),
    ],
)
def test_bad_structures_get_one_sentence(keys, message):
    with pytest.raises(ScenarioError, match=message):
        Structure(name="x", **keys)


def test_open_and_inside_out_meshes_get_one_sentence(tmp_path):
    whole = solid_triangles("box", (1.0, 1.0, 1.0), 0.0)
    for corners, message in ((whole[2:], "open edges = 4: expected a closed"), (whole[:, ::-1], "is inside out")):
        file = write_obj(tmp_path / "pier.obj", corners)
        with pytest.raises(ScenarioError, match=f"^structure: file = .*pier.obj.*{message}"):
            Structure(kind="mesh", name="pier", file=file)
        (tmp_path / "pier.obj").unlink()


def test_too_fine_a_grid_gets_one_sentence(tmp_path):
    file = write_obj(tmp_path / "pier.obj", solid_triangles("box", (1.0, 1.0, 1.0), 0.0))
    with pytest.raises(ScenarioError, match=r"grid_step_m = 0\.001: makes .* nodes; expected about 0\.01"):
        Structure(kind="mesh", name="pier", file=file, grid_step_m=0.001)
