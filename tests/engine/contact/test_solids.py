"""Contacts of whole vehicles: consistent points, normals and gaps; bottom, meshes, and the same without the JIT."""

import numpy as np
import pytest

from pelagos.engine.contact.obstacles import solid_distance
from pelagos.engine.contact.shapes import distance
from pelagos.engine.water.sea import BOX, CYLINDER, HALF_SPACE, SEA, SEABED, SPHERE
from pelagos.geometry.forms import KINDS, Form, feelers
from tests.engine.contact.test_obstacles import grid_world
from tests.engine.contact_scene import contacts, heading, hull_of, matrix, rotation, sea_of, solid
from tests.jit_off import needs_jit, without_jit

FORMS = [
    Form("box", (0.1, 0.0, 0.0), (0.8, 0.4, 0.2)),
    Form("capsule", (0.0, 0.1, 0.0), (0.6, 0.15, 0.0)),
    Form("cylinder", (0.0, 0.0, 0.1), (0.7, 0.2, 0.0)),
    Form("ellipsoid", (0.0, 0.0, 0.0), (0.9, 0.3, 0.2)),
]


def around(rng, kind):
    half = {BOX: (0.6, 0.5, 0.4), CYLINDER: (1.5, 0.2, 0.0), SPHERE: (0.5, 0.0, 0.0), HALF_SPACE: (0, 0, 0)}[kind]
    return solid(kind, rng.uniform(-0.8, 0.8, 3), half, rotation(rng), 1e9 if kind == HALF_SPACE else None)


def placed(form, position, q):
    """The form as the engine's row in NED."""
    R = matrix(q)
    return np.array(
        [KINDS[form.kind], *(position + R @ form.center_b), *(R @ np.array(form.axes_b)).ravel(), *form.half_m], float
    )


@pytest.mark.slow
@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.kind)
@pytest.mark.parametrize("kind", [BOX, CYLINDER, SPHERE, HALF_SPACE])
def test_moving_by_the_gap_along_the_normal_just_touches(form, kind):
    rng = np.random.default_rng(kind)
    hull, shallow = hull_of(form), 0
    for _ in range(150):
        position, q = rng.uniform(-1.2, 1.2, 3), rng.normal(size=4)
        q /= np.linalg.norm(q)
        sea = sea_of([around(rng, kind)])
        touches = contacts(sea, hull, position, q, 0.1)
        if not len(touches):
            continue
        assert np.linalg.norm(touches["normal"], axis=1) == pytest.approx(1.0, abs=1e-12)
        assert np.all(touches["gap"] < 0.1) and np.all(touches["obstacle"] == 0)
        deepest = touches[np.argmin(touches["gap"])]
        if deepest["gap"] < -0.02:
            continue
        shallow += 1
        assert abs(distance(placed(form, position, q), *deepest["point"])[0]) < 5e-3  # on the skin
        for more in (1e-5, -1e-5):
            moved = contacts(sea, hull, position - (deepest["gap"] - more) * deepest["normal"], q, 0.1)
            # Half a hundredth of a millimetre deeper another pair of edges may be the nearest; and edges in the rim of
            # a cylinder may turn their normal as they come out of a deeper overlap.
            least = moved["gap"].min()
            assert least == pytest.approx(more, abs=1e-5 if deepest["gap"] > 0 else 2e-3)
            assert (least > 0.0) == (more > 0.0) or deepest["gap"] < 0.0
    assert shallow >= 3


@pytest.mark.slow
def test_gap_of_separated_forms_is_the_distance_of_skin_points():
    """No point of the skin is nearer to the solid than the least gap says, and one is as near (sampled)."""
    rng = np.random.default_rng(8)
    form = FORMS[0]
    fine = np.concatenate([form.to_body(p) for p in _box_surface(form.half_m)])
    compared = 0
    for _ in range(80):
        position, q = rng.uniform(-1.5, 1.5, 3), rng.normal(size=4)
        q /= np.linalg.norm(q)
        sea = sea_of([around(rng, CYLINDER)])
        touches = contacts(sea, hull_of(form), position, q, 0.5)
        if not len(touches) or touches["gap"].min() < 0.01:
            continue
        compared += 1
        skin = fine @ matrix(q).T + position
        least = min(solid_distance(sea, SEA.size, *p)[0] for p in skin)
        gap = touches["gap"].min()
        assert gap - 1e-9 <= least <= np.hypot(gap, 0.08)  # samples are 0.1 m apart at most
    assert compared > 5


def _box_surface(half):
    s, t = (grid.ravel() for grid in np.meshgrid(np.linspace(-1, 1, 17), np.linspace(-1, 1, 17)))
    ones = np.ones_like(s)
    for axis in range(3):
        for sign in (-1.0, 1.0):
            yield np.roll(np.column_stack([sign * ones, s, t]), axis, axis=1) * half


def test_plane_bottom_on_a_slope():
    slope = np.radians(20.0)
    sea = sea_of(bottom=None, plane=(10.0, np.tan(slope), 0.0), friction=0.3, stiffness=5.0, damping=7.0)
    sea[SEA.offset("bottom")[0]] = 1
    form = Form("box", (0, 0, 0), (0.8, 0.4, 0.2))
    q = np.array([np.cos(slope / 2), 0.0, -np.sin(slope / 2), 0.0])  # bow down along the slope
    up = np.array([np.sin(slope), 0.0, -np.cos(slope)])
    touches = contacts(sea, hull_of(form), np.array([0.0, 0.0, 10.0]) + 0.199 * up, q)
    assert len(touches) == 4
    assert touches["gap"] == pytest.approx(-0.001, abs=1e-12)
    assert touches["normal"] == pytest.approx(np.tile(up, (4, 1)), abs=1e-12)
    assert np.all(touches["obstacle"] == SEABED)
    assert (
        np.all(touches["friction"] == 0.3) and np.all(touches["stiffness"] == 5.0) and np.all(touches["damping"] == 7.0)
    )


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.kind)
def test_grid_bottom_of_a_plane_equals_the_plane(form):
    rng = np.random.default_rng(9)
    plane = (5.0, 0.2, -0.1)
    i, j = np.meshgrid(np.arange(30), np.arange(30), indexing="ij")
    heights = plane[0] + plane[1] * (i - 15.0) * 0.7 + plane[2] * (j - 15.0) * 0.7
    grid = sea_of(bottom=((-10.5, -10.5), (0.7, 0.7), heights))
    flat = sea_of(bottom=None, plane=plane)
    flat[SEA.offset("bottom")[0]] = 1
    hull = hull_of(form, feelers=feelers([form]))
    compared = 0
    for _ in range(200):
        position, q = np.array([*rng.uniform(-3, 3, 2), rng.uniform(4.1, 4.9)]), rng.normal(size=4)
        position[2] += plane[1] * position[0] + plane[2] * position[1]
        q /= np.linalg.norm(q)
        by_plane, by_grid = contacts(flat, hull, position, q, 0.03), contacts(grid, hull, position, q, 0.03)
        assert len(by_grid) == 0 or by_grid["gap"].min() > 0.02 or len(by_plane) > 0
        if len(by_plane) and -0.05 < by_plane["gap"].min() < 0.02:
            compared += 1
            # round ends are felt by feelers 30 deg apart: up to r (1 - cos 15 deg) = 0.007 m of 0.2 m is not felt
            assert by_grid["gap"].min() == pytest.approx(
                by_plane["gap"].min(), abs=1e-9 if form.kind == "box" else 0.01
            )
    assert compared > 5


def test_peak_and_ridge_between_feelers_are_felt():
    form = Form("box", (0, 0, 0), (0.8, 0.4, 0.2))
    hull = hull_of(form, feelers=feelers([form]))
    heights = np.full((9, 9), 5.0)
    heights[4, 4] = 0.19  # a spike 1 cm into the floor of the box, between its feelers
    touches = contacts(sea_of(bottom=((-0.47, -0.42), (0.13, 0.11), heights)), hull, margin=0.001)
    spike = touches[np.argmin(touches["gap"])]
    assert spike["gap"] == pytest.approx(-0.01, abs=1e-9)
    assert spike["point"] == pytest.approx((0.05, 0.02, 0.2), abs=1e-9)
    assert spike["normal"] == pytest.approx((0.0, 0.0, -1.0), abs=1e-9)
    ridge = np.array([[5.0, 5.0], [0.195, 0.195], [5.0, 5.0]])  # a wall along east, its ends far outside the box
    touches = contacts(sea_of(bottom=((-9.9, -10.0), (10.0, 20.0), ridge)), hull, margin=0.001)
    assert touches["gap"].min() == pytest.approx(-0.005, abs=1e-9)
    assert np.max(np.abs(touches["point"][:, 0] - 0.1)) < 0.01


def test_distance_grid_feels_a_sphere_under_a_face():
    """A sphere sampled on a grid, below the middle of a face, where there is no feeler nearer than 0.2 m."""
    sea = grid_world(lambda p: np.linalg.norm(p, axis=-1) - 0.5, (41, 41, 41), 0.04, (-0.8, -0.8, -0.8))
    form = Form("box", (0, 0, 0), (0.9, 0.5, 0.2))
    touches = contacts(sea, hull_of(form, feelers=feelers([form])), (10.0 - 0.31, 0.13, -0.69), margin=0.05)
    deepest = touches[np.argmin(touches["gap"])]
    assert deepest["gap"] == pytest.approx(-0.01, abs=1e-3)  # trilinear: step^2 / (8 r) = 4e-4 in each direction
    assert deepest["point"] == pytest.approx((10.0, 0.0, -0.49), abs=0.03)
    assert deepest["normal"] == pytest.approx((0.0, 0.0, -1.0), abs=0.06)


def test_hull_without_forms_is_felt_by_its_points():
    points = feelers([Form("box", (0, 0, 0), (0.8, 0.4, 0.2))])
    sea = sea_of([solid(BOX, (0.0, 0.0, 1.19), (2.0, 2.0, 1.0))])
    touches = contacts(sea, hull_of(feelers=points), margin=0.001)
    assert touches["gap"].min() == pytest.approx(-0.01)
    assert len(touches) >= 8


def test_nothing_far_away():
    sea = sea_of([solid(BOX, (9.0, 0.0, 0.0), (1.0, 1.0, 1.0))])
    assert len(contacts(sea, hull_of(FORMS[0]))) == 0


def figures():
    """Contacts of one busy scene, as lists."""
    rng = np.random.default_rng(11)
    heights = 0.5 + rng.uniform(-0.2, 0.2, (6, 6))
    solids = [around(rng, kind) for kind in (BOX, CYLINDER, SPHERE, HALF_SPACE)]
    sea = sea_of(solids, bottom=((-2.0, -2.0), (0.8, 0.8), heights))
    forms = FORMS[:3]
    hull = hull_of(*forms, feelers=feelers(forms))
    touches = []
    for angle in (0.3, 1.1):
        rows = contacts(sea, hull, (-0.3, 0.5, -0.2), heading(angle))
        touches.append(np.column_stack([rows["gap"], rows["point"], rows["normal"], rows["obstacle"]]).tolist())
    return touches


@pytest.mark.slow
@needs_jit
def test_same_contacts_without_the_jit():
    plain = without_jit("tests.engine.contact.test_solids", "figures()")
    for here, there in zip(figures(), plain, strict=True):
        assert len(here) == len(there) > 10
        # the compiler reorders sums: 1e-9 for gaps; normals found by search follow with its square root
        assert np.sort(np.array(here)[:, 0]) == pytest.approx(np.sort(np.array(there)[:, 0]), abs=1e-6)
