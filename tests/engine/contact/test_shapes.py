"""Signed distances, farthest points and faces of single shapes against sampled skins and closed forms."""

import numpy as np
import pytest

from pelagos.engine.contact.shapes import distance, face_towards, farthest
from pelagos.engine.water.sea import BOX, CAPSULE, CYLINDER, HALF_SPACE, SPHERE
from pelagos.geometry.forms import Form
from tests.engine.contact_scene import rotation

HALF = (0.7, 0.4, 0.3)
NAMES = {BOX: "box", CYLINDER: "cylinder", SPHERE: "ellipsoid", CAPSULE: "capsule"}


def shape(kind, rng, half=HALF):
    return np.array([kind, *rng.normal(size=3), *rotation(rng).ravel(), *half])


def to_world(row, points):
    return points @ row[4:13].reshape(3, 3).T + row[1:4]


def skin_of(kind, n, half=HALF):
    """About n^2 points on the skin in the shape's axes: the inside of a fine lattice, pushed out radially."""
    a, b, c = half
    s, t = np.meshgrid(np.linspace(-1, 1, n), np.linspace(-1, 1, n))
    s, t = s.ravel(), t.ravel()
    ones = np.ones_like(s)
    if kind == BOX:
        faces = [(ones, s, t), (-ones, s, t), (s, ones, t), (s, -ones, t), (s, t, ones), (s, t, -ones)]
        return np.concatenate([np.column_stack(face) for face in faces]) * half
    angle, r = np.pi * s, 0.5 * (t + 1.0)
    if kind == SPHERE:
        u = 0.5 * np.pi * t
        return np.column_stack([a * np.sin(u), b * np.cos(u) * np.cos(angle), c * np.cos(u) * np.sin(angle)])
    side = np.column_stack([a * t, b * np.cos(angle), b * np.sin(angle)])
    if kind == CYLINDER:
        ends = [np.column_stack([e * ones * a, b * r * np.cos(angle), b * r * np.sin(angle)]) for e in (-1, 1)]
    else:
        u = 0.5 * np.pi * r
        ends = [
            np.column_stack([e * (a + b * np.sin(u)), b * np.cos(u) * np.cos(angle), b * np.cos(u) * np.sin(angle)])
            for e in (-1, 1)
        ]
    return np.concatenate([side, *ends])


@pytest.mark.slow
@pytest.mark.parametrize("kind", [BOX, CYLINDER, CAPSULE])
def test_distance_is_that_to_the_nearest_point_of_the_skin(kind):
    rng = np.random.default_rng(kind)
    row = shape(kind, rng)
    form = Form(NAMES[kind], (0.0, 0.0, 0.0), HALF)
    skin = skin_of(kind, 200)
    for local in rng.uniform(-1.4, 1.4, (60, 3)):
        point = to_world(row, local)
        d, *normal = distance(row, *point)
        want = np.min(np.linalg.norm(skin - local, axis=1))
        # The nearest sample is at most s = 0.011 m beside the nearest point: sqrt(d^2 + (1 + d/r) s^2), d/r below 5.
        assert abs(d) <= want + 1e-12 and want <= np.hypot(abs(d), 0.027) + 1e-12
        assert (d < 0.0) == form.inside(local[None])[0]
        foot = point - d * np.array(normal)  # on the skin
        assert distance(row, *foot)[0] == pytest.approx(0.0, abs=1e-12)


def test_ellipsoid_has_the_exact_skin_and_slope_and_a_sphere_is_exact():
    rng = np.random.default_rng(5)
    row = shape(SPHERE, rng)
    for local in skin_of(SPHERE, 12)[5:60]:
        d, *normal = distance(row, *to_world(row, local))
        assert d == pytest.approx(0.0, abs=1e-12)
        for step in (1e-4, -1e-4):  # first order: the error is of the order step^2 / radius of curvature (0.13 m)
            moved = to_world(row, local) + step * np.array(normal)
            assert distance(row, *moved)[0] == pytest.approx(step, abs=2e-7)
    ball = shape(SPHERE, rng, (0.6, 0.6, 0.6))
    for local in rng.normal(size=(20, 3)):
        assert distance(ball, *to_world(ball, local))[0] == pytest.approx(np.linalg.norm(local) - 0.6, abs=1e-12)
    assert distance(ball, *ball[1:4])[0] == -0.6
    assert distance(row, *row[1:4])[0] == -0.3


def test_half_space_is_solid_where_its_z_is_positive():
    row = shape(HALF_SPACE, np.random.default_rng(2))
    down = row[4:13].reshape(3, 3)[:, 2]
    d, *normal = distance(row, *(row[1:4] + 0.7 * down))
    assert d == pytest.approx(-0.7)
    assert normal == pytest.approx(-down)


@pytest.mark.slow
@pytest.mark.parametrize("kind", [BOX, CYLINDER, SPHERE, CAPSULE])
def test_farthest_point_and_face(kind):
    rng = np.random.default_rng(10 + kind)
    row = shape(kind, rng)
    skin = to_world(row, skin_of(kind, 150))
    corners = np.zeros((16, 3))
    for _ in range(40):
        along = rng.normal(size=3)
        along /= np.linalg.norm(along)
        point = farthest(row, 0.0, *along)
        most = np.max(skin @ along)
        assert most - 1e-12 <= point @ along <= most + 1e-3  # lattice of 0.02 m on radii of 0.13 m and more
        thin = farthest(row, 0.05, *along)
        least = 0.04 if kind == SPHERE else 0.05 - 1e-9  # more at edges; the thinner ellipsoid is not parallel
        assert point @ along - thin @ along >= least
        count, *normal = face_towards(row, *along, corners)
        assert np.max(corners[:count] @ along) == pytest.approx(point @ along, abs=1e-12)
        assert all(abs(distance(row, *corner)[0]) < 1e-9 for corner in corners[:count])
        if count > 2:
            assert np.ptp(corners[:count] @ np.array(normal)) < 1e-12
            assert np.array(normal) @ along > 0.57  # 1 / sqrt(3)
