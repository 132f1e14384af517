"""Distances to solids and the bottom, and the quick estimate, which never misses an obstacle."""

import math

import numpy as np
import pytest
from numba import njit

from pelagos.engine.compiled import JIT
from pelagos.engine.contact.obstacles import bottom_at, near, solid_distance
from pelagos.engine.contact.shapes import distance
from pelagos.engine.water.sea import BOX, CYLINDER, HALF_SPACE, SEA, SOLID, SPHERE, as_sea
from pelagos.geometry.forms import Form
from pelagos.world.writer import SeaWriter
from tests.engine.contact_scene import contacts, hull_of, rotation, sea_of, solid

HULL = hull_of(Form("box", (0.2, 0.0, 0.0), (1.0, 0.5, 0.3)))


@njit
def is_near(sea, x, y, z, margin, hull):
    return near(sea, hull, x, y, z, margin)


@njit
def depth_and_slopes(sea, north, east):
    return bottom_at(sea, north, east)


def first_solid(sea):
    return int(as_sea(sea).solids_at) if not JIT else int(sea[SEA.offset("solids_at")[0]])


@pytest.mark.slow
def test_solids_are_where_their_record_says():
    rng = np.random.default_rng(0)
    axes, center = rotation(rng), rng.normal(size=3)
    for kind in (BOX, CYLINDER, SPHERE, HALF_SPACE):
        half = (0.7, 0.7, 0.7) if kind == SPHERE else (1.0, 0.5, 0.2)
        sea = sea_of([solid(kind, center, (half[0], 0.0, 0.0) if kind == SPHERE else half, axes)])
        row = np.array([kind, *center, *axes.ravel(), *half])
        for point in rng.normal(size=(20, 3)):
            assert solid_distance(sea, first_solid(sea), *point) == pytest.approx(distance(row, *point), abs=1e-12)


def grid_world(function, count=(9, 8, 7), step=0.5, origin=(-2.0, -1.5, -1.0)):
    nodes = np.stack(np.meshgrid(*[np.arange(n) for n in count], indexing="ij"), axis=-1) * step + np.array(origin)
    writer = SeaWriter()
    record = solid(4, (10.0, 0.0, 0.0), (0.0, 0.0, 0.0), bound=9.0) | {"grid_origin": origin, "grid_step": step}
    record |= {"grid_count": count, "grid_at": writer.append(function(nodes))}
    writer.header["n_solids"] = 1
    writer.header["solids_at"] = writer.append_records(SOLID, [record])
    return writer.finish()


def test_trilinear_grid_is_exact_for_a_plane_also_outside():
    normal = np.array([2.0, -1.0, 2.0]) / 3.0
    sea = grid_world(lambda p: p @ normal - 0.1)
    for local in np.random.default_rng(1).uniform(-6.0, 6.0, (50, 3)):
        d, *n = solid_distance(sea, first_solid(sea), local[0] + 10.0, local[1], local[2])
        inside = np.clip(local, (-2.0, -1.5, -1.0), (2.0, 2.0, 2.0))
        assert d == pytest.approx(max(local @ normal - 0.1, np.linalg.norm(local - inside) or -99.0), abs=1e-12)
        assert n == pytest.approx(normal, abs=1e-12)


def test_trilinear_value_and_gradient():
    """Between the nodes of x y z the interpolant is x y z itself; its gradient is (yz, xz, xy)."""
    sea = grid_world(lambda p: p[..., 0] * p[..., 1] * p[..., 2])
    for x, y, z in np.random.default_rng(2).uniform(0.1, 1.9, (20, 3)):
        d, *n = solid_distance(sea, first_solid(sea), x + 10.0, y, z)
        slope = np.array([y * z, x * z, x * y])
        assert d == pytest.approx(x * y * z, abs=1e-12)
        assert n == pytest.approx(slope / np.linalg.norm(slope), abs=1e-12)


@pytest.mark.slow
def test_bottom_plane_and_bilinear_grid():
    sea = sea_of(bottom=None) * 0.0
    sea[SEA.offset("bottom")[0]] = 1
    at = SEA.offset("plane")[0]
    sea[at : at + 3] = (20.0, 0.1, -0.2)
    assert depth_and_slopes(sea, 3.0, 5.0) == pytest.approx((19.3, 0.1, -0.2))
    i, j = np.meshgrid(np.arange(5), np.arange(4), indexing="ij")
    north, east = -4.0 + 2.0 * i, 1.0 + 3.0 * j
    sea = sea_of(bottom=((-4.0, 1.0), (2.0, 3.0), 10.0 + north + 2.0 * east + 0.5 * north * east))
    for x, y in np.random.default_rng(3).uniform((-4.0, 1.0), (4.0, 10.0), (30, 2)):
        want = (10.0 + x + 2.0 * y + 0.5 * x * y, 1.0 + 0.5 * y, 2.0 + 0.5 * x)  # bilinear: exact
        assert depth_and_slopes(sea, x, y) == pytest.approx(want, abs=1e-12)
    z, along, across = depth_and_slopes(sea, 50.0, 4.0)  # the edge goes on
    assert (z, along, across) == pytest.approx((10.0 + 4.0 + 8.0 + 8.0, 0.0, 4.0))


@pytest.mark.slow
def test_near_never_misses_a_contact():
    rng = np.random.default_rng(4)
    heights = 6.0 + rng.uniform(-2.0, 2.0, (12, 12))
    solids = [solid(BOX, rng.uniform(-8, 8, 3), rng.uniform(0.2, 2.0, 3), rotation(rng)) for _ in range(4)]
    solids += [solid(CYLINDER, rng.uniform(-8, 8, 3), (4.0, 0.3, 0.0), rotation(rng)) for _ in range(3)]
    solids += [solid(SPHERE, (3.0, 3.0, -3.0), (1.0, 0.0, 0.0)), solid(HALF_SPACE, (0, 0, 9.0), (0, 0, 0), bound=1e9)]
    sea = sea_of(solids, bottom=((-8.0, -8.0), (1.5, 1.5), heights))
    met = missed = clear = 0
    for _ in range(1500):
        position, q = rng.uniform(-9, 9, 3), rng.normal(size=4)
        q /= np.linalg.norm(q)
        says = is_near(sea, *position, 0.2, HULL)
        touches = len(contacts(sea, HULL, position, q, 0.2))
        met += touches > 0
        missed += touches > 0 and not says
        clear += not says
    assert missed == 0
    assert met > 200 and clear > 100


def test_near_is_exact_for_a_wall_and_a_slope():
    sea = sea_of([solid(BOX, (50.0, 0.0, 0.0), (40.0, 40.0, 40.0))])  # its sphere reaches far beyond its face
    reach = math.hypot(1.2, 0.5, 0.3)
    assert not is_near(sea, 10.0 - reach - 0.11, 0.0, 0.0, 0.1, HULL)
    assert is_near(sea, 10.0 - reach - 0.09, 0.0, 0.0, 0.1, HULL)
    sea = sea_of(bottom=None, plane=(10.0, 1.0, 0.0))
    sea[SEA.offset("bottom")[0]] = 1
    assert not is_near(sea, 0.0, 0.0, 10.0 - math.sqrt(2.0) * (reach + 0.11), 0.1, HULL)
    assert is_near(sea, 0.0, 0.0, 10.0 - math.sqrt(2.0) * (reach + 0.09), 0.1, HULL)


def test_a_position_that_is_not_a_number_is_answered_by_none():
    sea = sea_of(bottom=((0.0, 0.0), (1.0, 1.0), np.full((3, 3), 5.0)))
    assert math.isnan(depth_and_slopes(sea, math.nan, 1.0)[0]) and math.isnan(depth_and_slopes(sea, 1.0, math.nan)[0])
    sea = grid_world(lambda p: p[..., 2])
    assert math.isnan(solid_distance(sea, first_solid(sea), math.nan, 0.0, 0.0)[0])
