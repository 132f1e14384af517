"""Separation of convex shapes against a constrained minimiser and against closed forms."""

import itertools

import numpy as np
import pytest
from scipy.optimize import minimize

from pelagos.engine.contact.convex import separation
from pelagos.engine.water.sea import BOX, CAPSULE, CYLINDER, SPHERE
from tests.engine.contact_scene import rotation

KINDS = (BOX, CYLINDER, SPHERE, CAPSULE)
NAMES = {BOX: "box", CYLINDER: "cylinder", SPHERE: "ellipsoid", CAPSULE: "capsule"}


def shape(kind, center, half, axes=None):
    return np.array([kind, *center, *np.ravel(np.eye(3) if axes is None else axes), *half], dtype=float)


def apart(a, b, margin=10.0):
    best = np.zeros(6)
    return separation(a, b, margin, np.zeros((13, 4)), best), best


def limits(row):
    """Functions of a point of the shape's own axes that are all >= 0 inside, and the radius around that core."""
    hx, hy, hz = row[13:16]
    if row[0] == BOX:
        return [lambda p, i=i, s=s, h=h: h - s * p[i] for i, h in enumerate((hx, hy, hz)) for s in (1, -1)], 0.0
    ends = [lambda p: hx - p[0], lambda p: hx + p[0]]
    if row[0] == CYLINDER:
        return [*ends, lambda p: hy**2 - p[1] ** 2 - p[2] ** 2], 0.0
    if row[0] == SPHERE:
        return [lambda p: 1.0 - (p[0] / hx) ** 2 - (p[1] / hy) ** 2 - (p[2] / hz) ** 2], 0.0
    return [*ends, lambda p: p[1], lambda p: -p[1], lambda p: p[2], lambda p: -p[2]], hy


def distance_by_minimiser(a, b):
    """Least distance of a point of each, found by SLSQP; both in their own axes. Convex: one minimum."""
    (la, ra), (lb, rb) = limits(a), limits(b)
    pa, pb = a[4:13].reshape(3, 3), b[4:13].reshape(3, 3)

    def difference(p):
        return a[1:4] + pa @ p[:3] - b[1:4] - pb @ p[3:]

    def gradient(p):
        d = difference(p)
        return 2.0 * np.concatenate([pa.T @ d, -pb.T @ d])

    bounds = [{"type": "ineq", "fun": lambda p, f=f: f(p[:3])} for f in la]
    bounds += [{"type": "ineq", "fun": lambda p, f=f: f(p[3:])} for f in lb]
    touches = minimize(
        lambda p: np.sum(difference(p) ** 2),
        np.full(6, 1e-3),
        jac=gradient,
        constraints=bounds,
        method="SLSQP",
        options={"maxiter": 300, "ftol": 1e-15},
    )
    return np.sqrt(max(touches.fun, 0.0)) - ra - rb


def random_shape(rng, kind, spread):
    return shape(kind, rng.normal(size=3) * spread, rng.uniform(0.2, 1.5, 3), rotation(rng))


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "other"), list(itertools.product(KINDS, (BOX, CYLINDER, SPHERE))))
def test_distance_equals_that_of_a_minimiser(kind, other):
    rng = np.random.default_rng(kind * 10 + other)
    compared = 0
    for _ in range(40):
        a, b = random_shape(rng, kind, 1.2), random_shape(rng, other, 1.2)
        gap, best = apart(a, b)
        want = distance_by_minimiser(a, b)
        assert np.linalg.norm(best[:3]) == pytest.approx(1.0, abs=1e-12)
        if want > 1e-3:
            compared += 1
            # SLSQP ends when the squared distance changes by less than 1e-15; curved limits are met to about 1e-7
            assert gap == pytest.approx(want, abs=2e-6), (NAMES[kind], NAMES[other])
        elif want < -1e-3 or kind != CAPSULE:
            assert gap < 1e-5
    assert compared > 5


def overlap_depth(a, b, samples):
    """Least of the widths of overlap over a fine set of directions: an upper bound of how far they must be moved."""

    def reach(row, n):
        local = n @ row[4:13].reshape(3, 3)
        hx, hy, hz = row[13:16]
        if row[0] == BOX:
            return n @ row[1:4] + np.abs(local) @ row[13:16]
        if row[0] == CYLINDER:
            return n @ row[1:4] + np.abs(local[:, 0]) * hx + np.hypot(local[:, 1], local[:, 2]) * hy
        return n @ row[1:4] + np.linalg.norm(local * [hx, hy, hz], axis=1)

    return np.min(reach(b, samples) + reach(a, -samples))


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "other"), list(itertools.product((BOX, CYLINDER, SPHERE), repeat=2)))
def test_shallow_overlap_is_the_least_width_over_all_directions(kind, other):
    rng = np.random.default_rng(100 + kind * 10 + other)
    samples = rng.normal(size=(20000, 3))
    samples /= np.linalg.norm(samples, axis=1, keepdims=True)
    depths = []
    for _ in range(20):
        a, b = random_shape(rng, kind, 1.5), random_shape(rng, other, 0.0)
        for _again in range(8):  # to an overlap of 1 cm
            gap, best = apart(a, b)
            a[1:4] -= best[:3] * (gap + 0.01)
        gap, best = apart(a, b)
        fine = best[:3] + 0.1 * samples  # and finely around the direction that was found
        fine /= np.linalg.norm(fine, axis=1, keepdims=True)
        least = min(overlap_depth(a, b, samples), overlap_depth(a, b, fine))
        depths.append((-gap, least))
    depth, least = np.array(depths).T
    # 20000 directions leave 0.02 rad, the fine ones 2e-3 rad: at 1.5 m that is 1e-4 m of depth
    assert np.all(depth > 0.0)
    assert np.sum(depth <= least * 1.01 + 1e-4) >= 19  # corners in the rim of a cylinder may find a second best way
    assert np.all(depth <= least * 1.35)


def test_boxes_edge_to_edge():
    """Two unit cubes turned by 45 deg about x and about y meet with their edges, one above the other."""
    c = np.sqrt(0.5)
    about_x = np.array([[1, 0, 0], [0, c, -c], [0, c, c]])
    about_y = np.array([[c, 0, c], [0, 1, 0], [-c, 0, c]])
    for gap in (0.3, 0.01, -0.01, -0.1):
        a = shape(BOX, (0.1, -0.2, -(2 * c + gap)), (0.5, 0.5, 0.5), about_x)
        b = shape(BOX, (0, 0, 0), (0.5, 0.5, 0.5), about_y)
        a[3] = -(2 * 0.5 * np.sqrt(2) + gap)
        touches, best = apart(a, b)
        assert touches == pytest.approx(gap, abs=1e-12)
        assert best[:3] == pytest.approx((0.0, 0.0, -1.0), abs=1e-12)


def test_touching_is_seen_to_a_nanometre():
    """A turned square corner against an upright round column: distance of the corner to the axis, less the radius."""
    rng = np.random.default_rng(3)
    upright = np.array([[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]])  # its x along down
    for _ in range(200):
        angle = rng.uniform(0.2, 1.3)
        turned = np.array([[np.cos(angle), -np.sin(angle), 0], [np.sin(angle), np.cos(angle), 0], [0, 0, 1.0]])
        corner = turned @ np.array([-1.5, 0.8, 0.0])
        outward = turned @ np.array([1.0, -1.0, 0.0]) / np.sqrt(2.0)
        for gap in (1e-9, -1e-9):
            column = shape(CYLINDER, (0.0, 0.0, 0.3), (2.0, 0.4, 0.0), upright)
            center = outward * (0.4 + gap) - corner
            box = shape(BOX, center, (1.5, 0.8, 0.4), turned)
            touches, best = apart(box, column, 0.1)
            assert touches == pytest.approx(gap, abs=2e-10)  # directions must win by 1e-10 to replace another
            assert best[:3] == pytest.approx(outward, abs=1e-4)  # 1e-10 m of 0.4 m (angle^2)/2: 2e-5 rad


def test_one_inside_the_other():
    small, large = shape(BOX, (0.2, 0.0, 0.0), (0.1, 0.1, 0.1)), shape(CYLINDER, (0, 0, 0), (0.5, 3.0, 0.0))
    gap, best = apart(small, large)
    assert gap == pytest.approx(-(0.5 - 0.2 + 0.1))  # out through the near end
    assert best[:3] == pytest.approx((1.0, 0.0, 0.0))


def test_search_ends_early_beyond_the_margin():
    a, b = shape(BOX, (0, 0, -9.0), (1, 1, 1)), shape(BOX, (5.0, 0, 0), (1, 1, 1))
    gap, _ = apart(a, b, 0.5)
    assert 0.5 < gap <= np.hypot(3.0, 7.0)
