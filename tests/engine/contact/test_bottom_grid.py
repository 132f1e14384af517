"""Contacts with a bottom grid: right and steady normals, no overlap missed, and a hull that rests stays where it is."""

from __future__ import annotations

import math

import numpy as np
import pytest

from pelagos.geometry.forms import Form, feelers
from pelagos.world.seabed.seabed import Seabed
from pelagos.world.spec import World
from tests.engine.contact.test_impulses import DRAG, crate, on
from tests.engine.contact_scene import contacts, heading, hull_of, matrix, sea_of

BOX = Form("box", (0.0, 0.0, 0.0), (0.8, 0.4, 0.2))
ROUND = [
    Form("capsule", (0.0, 0.0, 0.0), (0.5, 0.2, 0.0)),
    Form("cylinder", (0.0, 0.0, 0.0), (0.5, 0.2, 0.0)),
    Form("ellipsoid", (0.0, 0.0, 0.0), (0.3, 0.3, 0.3)),
]
SPAN = 3.0


def rough(rng, step):
    """A bottom of random heights, and a function that gives its depth at points."""
    count = round(2.0 * SPAN / step) + 1
    nodes = rng.uniform(-1.0, 1.0, (count, count)) * rng.choice([0.05, 0.2, 0.4]) * step

    def depth(points):
        u, v = np.clip((points[:, :2].T + SPAN) / step, 0.0, count - 1.0)
        i, j = np.minimum(u.astype(int), count - 2), np.minimum(v.astype(int), count - 2)
        f, g = u - i, v - j
        south, north = nodes[i, j] + g * (nodes[i, j + 1] - nodes[i, j]), nodes[i + 1, j]
        return south + f * (north + g * (nodes[i + 1, j + 1] - north) - south)

    return sea_of(bottom=((-SPAN, -SPAN), (step, step), nodes)), depth


def pose(rng):
    q = rng.normal(size=4)
    return rng.uniform(-1.5, 1.5, 2), q / np.linalg.norm(q)


def skin():
    """Points of the box's surface."""
    s = np.linspace(-1.0, 1.0, 33)
    a, b = (grid.ravel() for grid in np.meshgrid(s, s))
    sides = [np.column_stack([sign * np.ones_like(a), a, b]) for sign in (-1.0, 1.0)]
    return np.concatenate([np.roll(side, axis, axis=1) for axis in range(3) for side in sides]) * BOX.half_m


@pytest.mark.parametrize("step", [0.1, 0.3, 0.6, 1.0])
def test_no_overlap_is_missed(step):
    """The box is lowered until some sampled point of its skin is below the bottom."""
    rng, points, hull = np.random.default_rng(int(10 * step)), skin(), hull_of(BOX)
    for _ in range(60):
        sea, depth = rough(rng, step)
        place, q = pose(rng)
        there = points @ matrix(q).T + [*place, 0.0]
        touching = np.min(depth(there) - there[:, 2])
        for deeper in (1e-6, 2e-3, 0.05):
            assert contacts(sea, hull, (*place, touching + deeper), q, 1e-3)["gap"].min() < 0.0


def rest(sea, hull, place, q, overlap):
    """The place just so deep in the bottom that the deepest gap is -overlap."""
    low, high = 2.0, -3.0
    for _ in range(60):
        z = 0.5 * (low + high)
        touches = contacts(sea, hull, (*place, z), q, 1e-3)
        low, high = (z, high) if len(touches) and touches["gap"].min() < -overlap else (low, z)
    return np.array([*place, 0.5 * (low + high)])


def turned(q, by):
    """Attitude after a small turn, rad, about body axes."""
    w, x, y, z = q
    a, b, c = 0.5 * by
    new = q + np.array([-x * a - y * b - z * c, w * a + y * c - z * b, w * b + z * a - x * c, w * c + x * b - y * a])
    return new / np.linalg.norm(new)


@pytest.mark.slow
@pytest.mark.parametrize("form", [BOX, *ROUND], ids=lambda form: form.kind)
def test_gap_and_normal_are_steady(form):
    """A pose moved by a micrometre keeps its deepest gap to some micrometres, and the normal there to a milliradian."""
    rng, hull = np.random.default_rng(5), hull_of(form, feelers=feelers([form]))
    for _ in range(150):
        sea, _depth = rough(rng, rng.choice([0.3, 0.5, 0.8]))
        place, q = pose(rng)
        at = rest(sea, hull, place, q, 2e-5)
        here = contacts(sea, hull, at, q, 1e-3)
        deepest = here[np.argmin(here["gap"])]
        for _again in range(5):
            there = contacts(sea, hull, at + rng.uniform(-5e-7, 5e-7, 3), turned(q, rng.uniform(-5e-7, 5e-7, 3)), 1e-3)
            # no point moves by more than 0.9e-6 + 0.9 * 0.9e-6 m, and the slope of the bottom is 1.2 at most
            assert there["gap"].min() == pytest.approx(deepest["gap"], abs=4e-6)
            same = np.linalg.norm(there["point"] - deepest["point"], axis=1) < 1e-3
            # beside a ridge the normal turns by up to 1.5 rad in 4 mm: 1e-3 rad in 2e-6 m
            assert np.min(np.linalg.norm(there["normal"][same] - deepest["normal"], axis=1), initial=9.0) < 1e-3


def test_edge_across_a_ridge_has_the_normal_at_right_angles_to_both():
    """A box on its edge, 30 deg bow down, across a ridge that runs east: normal = edge x ridge, exact gap."""
    ridge = np.array([[1.0, 1.0], [0.0, 0.0], [1.0, 1.0]])  # slopes of 45 deg on both sides
    sea = sea_of(bottom=((-1.0, -5.0), (1.0, 10.0), ridge))
    roll, pitch = math.pi / 4, -math.radians(30.0)
    q = np.array([
        math.cos(roll / 2) * math.cos(pitch / 2), math.sin(roll / 2) * math.cos(pitch / 2),
        math.cos(roll / 2) * math.sin(pitch / 2), -math.sin(roll / 2) * math.sin(pitch / 2),
    ])  # fmt: skip
    cube = Form("box", (0.0, 0.0, 0.0), (0.8, 0.3, 0.3))
    up = np.array([-math.sin(pitch), 0.0, -math.cos(pitch)])  # from the edge to the middle, 0.3 sqrt 2
    touches = contacts(sea, hull_of(cube), (0.3 * math.sqrt(2.0) - 0.001) * up, q, 1e-3)
    deepest = touches[np.argmin(touches["gap"])]
    assert deepest["gap"] == pytest.approx(-0.001, abs=1e-9)
    assert deepest["normal"] == pytest.approx(up, abs=1e-9)


def test_corner_in_a_valley_touches_both_sides():
    """A ditch with sides of 30 deg: a corner of a box 1 mm beside its bottom is kept by both sides."""
    deep = 1.0 - math.tan(math.radians(30.0)) * np.abs(np.array([-1.0, 0.0, 1.0]))
    sea = sea_of(bottom=((-1.0, -5.0), (1.0, 10.0), np.column_stack([deep, deep])))
    cube = hull_of(Form("box", (0.0, 0.0, 0.0), (0.3, 0.3, 0.3)))
    half = 0.5 * math.acos(math.sqrt(1.0 / 3.0))  # on a corner: its edges rise by 35 deg
    q = np.array([math.cos(half), *(math.sin(half) * np.array([1.0, -1.0, 0.0]) / math.sqrt(2.0))])
    touches = contacts(sea, cube, (0.001, 0.0, 1.0 - 0.0005 - 0.3 * math.sqrt(3.0)), q, 1e-3)
    tilt = math.radians(30.0)
    for side in (-1.0, 1.0):  # gap to each plane: 0.5 mm cos 30 less or more 1 mm sin 30
        normal = np.array([-side * math.sin(tilt), 0.0, -math.cos(tilt)])
        matching = touches[np.linalg.norm(touches["normal"] - normal, axis=1) < 1e-9]
        assert matching["gap"].min() == pytest.approx(0.0005 * math.cos(tilt) - side * 0.001 * math.sin(tilt), abs=1e-9)


def test_corner_in_the_middle_of_a_cell_touches_only_this_cell():
    """One contact, with the normal of the cell, whatever the neighbours' slopes."""
    nodes = 0.1 * np.random.default_rng(2).uniform(-1.0, 1.0, (13, 13))
    half = 0.5 * math.acos(math.sqrt(1.0 / 3.0))
    q = np.array([math.cos(half), *(math.sin(half) * np.array([1.0, -1.0, 0.0]) / math.sqrt(2.0))])
    u, v = 0.57, 0.16
    z00, z01, z10, z11 = nodes[5:7, 6:8].ravel()
    deep = z00 * (1 - u) * (1 - v) + z01 * (1 - u) * v + z10 * u * (1 - v) + z11 * u * v
    slope = np.array([(z10 - z00) * (1 - v) + (z11 - z01) * v, (z01 - z00) * (1 - u) + (z11 - z10) * u]) / 0.5
    place = (-3.0 + 0.5 * (5 + u), -3.0 + 0.5 * (6 + v), deep - 0.3 * math.sqrt(3.0))
    sea = sea_of(bottom=((-3.0, -3.0), (0.5, 0.5), nodes))
    touches = contacts(sea, hull_of(Form("box", (0.0, 0.0, 0.0), (0.3, 0.3, 0.3))), place, q, 1e-3)
    assert len(touches) == 1
    assert touches["normal"][0] == pytest.approx(np.array([*slope, -1.0]) / math.hypot(1.0, *slope), abs=1e-9)


@pytest.mark.parametrize("form", ROUND, ids=lambda form: form.kind)
def test_round_form_lies_in_a_ditch_on_both_sides(form):
    """Along a ditch of 30 deg, 1 mm too deep: the middle is r / cos 30 above its bottom, both sides press."""
    deep = 1.0 - math.tan(math.radians(30.0)) * np.abs(np.array([-1.0, 0.0, 1.0]))
    sea = sea_of(bottom=((-1.0, -5.0), (1.0, 10.0), np.column_stack([deep, deep])))
    radius = form.half_m[1]
    z = 1.0 - radius / math.cos(math.radians(30.0)) + 0.001
    touches = contacts(sea, hull_of(form), (0.0, 0.0, z), heading(math.pi / 2), 1e-4)
    for side in (-1.0, 1.0):
        assert touches["gap"][touches["normal"][:, 0] * side > 0.4].min() == pytest.approx(
            -0.001 * math.cos(math.radians(30.0)), abs=1e-6
        )


def bumps(height):
    axis = np.arange(-6.0, 6.01, 0.5)
    north, east = np.meshgrid(axis, axis, indexing="ij")
    depths = 8.0 + height * np.sin(3.0 * north) * np.cos(2.5 * east)
    bed = Seabed(kind="grid", depths_m=tuple(map(tuple, depths.tolist())), spacing_m=0.5, origin_m=(-6.0, -6.0))
    return World(seabed=bed, surface=False)


PLACES = [
    ((0.3, 0.6), (0.0, 1.2, 0.3)), ((1.5, -2.0), (0.0, 0.0, 0.0)), ((-1.0, 2.0), (0.3, 0.3, 1.0)),
    ((2.2, 1.1), (0.8, 0.0, -1.0)), ((-2.6, -1.3), (0.1, -0.7, 2.0)), ((0.0, -3.1), (-0.4, 0.2, 0.7)),
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("height", [0.1, 0.2])
@pytest.mark.parametrize(("place", "euler"), PLACES)
def test_crate_rests_on_bumps(height, place, euler):
    """Dropped anyhow, a minute later it lies still: 1 mm in ten minutes is required, here 0.2 mm in two."""
    plant = on(bumps(height), crate(coefficients=DRAG), position_n=(*place, 7.0), euler=euler)
    plant.advance(0.05, 1200)
    start, attitude = plant.position_n.copy(), plant.euler.copy()
    plant.advance(0.05, 2400)
    assert np.linalg.norm(plant.position_n - start) < 2e-4
    assert np.abs(plant.euler - attitude).max() < 2e-4
    assert plant.state["touch"]["count"] >= 2  # two will do: its buoyancy keeps it upright


def test_box_on_a_very_fine_grid_keeps_the_spread_of_its_contacts():
    """5 cm cells under 3 m by 1.5 m: of 1800 nodes few are kept, but all corners and the deepest node."""
    rov = Form("box", (0.0, 0.0, 0.0), (1.5, 0.75, 0.5))
    nodes = np.full((121, 121), 5.0)
    nodes[63, 55] = 4.999  # a stone of 1 mm
    touches = contacts(sea_of(bottom=((-3.0, -3.0), (0.05, 0.05), nodes)), hull_of(rov), (0.01, 0.01, 4.5), margin=1e-3)
    assert len(touches) <= 48
    stone = touches[np.argmin(touches["gap"])]
    assert stone["point"] == pytest.approx((0.15, -0.25, 5.0), abs=1e-9)
    assert stone["gap"] == pytest.approx(-1e-3, abs=1e-12)
    for north in (-1.49, 1.51):
        for east in (-0.74, 0.76):
            assert np.min(np.linalg.norm(touches["point"] - (north, east, 5.0), axis=1)) < 1e-9
