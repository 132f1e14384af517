"""The seabed's description: depth and normal of each kind, packed fields, and error messages."""

import math

import numpy as np
import pytest

from pelagos.engine.water.sea import GRID_BOTTOM, NO_BOTTOM, PLANE_BOTTOM, SEA
from pelagos.errors import ScenarioError
from pelagos.world.seabed.seabed import Seabed, pack_seabed, seabed_from_array, with_origin
from pelagos.world.writer import SeaWriter


def packed(seabed):
    writer = SeaWriter()
    pack_seabed(seabed, writer)
    sea = writer.finish()
    return sea, sea[: SEA.size].view(SEA.dtype)[0]


def test_flat():
    bottom = Seabed(depth_m=12.5)
    assert bottom.z(3.0, -4.0) == 12.5
    np.testing.assert_array_equal(bottom.normal(0.0, 0.0), (0.0, 0.0, -1.0))
    _, header = packed(bottom)
    assert header["bottom"] == PLANE_BOTTOM and header["highest"] == 12.5
    assert header["plane"].tolist() == [12.5, 0.0, 0.0]
    assert (header["friction"], header["stiffness"], header["damping"]) == (0.5, 1e6, 2e4)


@pytest.mark.parametrize("to", [0.0, 90.0, 210.0])
def test_slope_gets_deeper_the_way_it_says(to):
    bottom = Seabed(kind="slope", depth_m=20.0, slope_deg=10.0, down_to_deg=to)
    away = np.array([math.cos(math.radians(to)), math.sin(math.radians(to))])
    assert bottom.z(*(100.0 * away)) == pytest.approx(20.0 + 100.0 * math.tan(math.radians(10.0)), rel=1e-13)
    assert bottom.z(-away[1], away[0]) == pytest.approx(20.0, rel=1e-13)  # along its contour
    normal = bottom.normal(0.0, 0.0)
    assert normal[2] == pytest.approx(-math.cos(math.radians(10.0)), rel=1e-13)
    np.testing.assert_allclose(normal[:2], math.sin(math.radians(10.0)) * away, atol=1e-14)  # leans downhill
    assert packed(bottom)[1]["highest"] < -1e8  # it comes up without end the other way


def test_grid_is_bilinear_and_north_comes_first():
    bottom = seabed_from_array([[10.0, 11.0, 12.0], [14.0, 15.0, 20.0]], spacing_m=2.0, origin_m=(100.0, 50.0))
    assert bottom.z(100.0, 50.0) == 10.0
    assert bottom.z(102.0, 50.0) == 14.0  # second row: 2 m north
    assert bottom.z(100.0, 54.0) == 12.0  # third column: 4 m east
    assert bottom.z(101.0, 53.0) == pytest.approx((11.0 + 12.0 + 15.0 + 20.0) / 4.0)
    north, east = np.meshgrid([90.0, 103.5], [0.0, 60.0], indexing="ij")
    np.testing.assert_array_equal(bottom.z(north, east), [[10.0, 12.0], [14.0, 20.0]])  # the edge continues
    np.testing.assert_array_equal(bottom.normal(90.0, 0.0), (0.0, 0.0, -1.0))


def test_normal_is_the_slope_of_z():
    rng = np.random.default_rng(2)
    bottom = seabed_from_array(30.0 + rng.normal(size=(6, 7)), spacing_m=1.7, origin_m=(-3.0, 2.0))
    north, east = rng.uniform(-2.9, 5.4, 50), rng.uniform(2.1, 12.0, 50)
    h = 1e-7
    along = (bottom.z(north + h, east) - bottom.z(north - h, east)) / (2.0 * h)
    across = (bottom.z(north, east + h) - bottom.z(north, east - h)) / (2.0 * h)
    wanted = np.stack([along, across, -np.ones(50)], axis=-1)
    wanted /= np.linalg.norm(wanted, axis=1, keepdims=True)
    np.testing.assert_allclose(bottom.normal(north, east), wanted, atol=1e-6)  # of the difference quotient


def test_grid_is_packed_row_by_row():
    depths = np.arange(10.0, 22.0).reshape(3, 4)
    bottom = Seabed(kind="grid", depths_m=tuple(map(tuple, depths)), spacing_m=1.5, spacing_east_m=0.5, friction=0.3)
    sea, header = packed(bottom)
    assert header["bottom"] == GRID_BOTTOM and header["highest"] == 10.0 and header["friction"] == 0.3
    assert header["grid_count"].tolist() == [3, 4] and header["grid_step"].tolist() == [1.5, 0.5]
    at = int(header["grid_at"])
    np.testing.assert_array_equal(sea[at : at + 12], depths.ravel())


def test_no_seabed_is_packed_as_none():
    header = packed(None)[1]
    assert header["bottom"] == NO_BOTTOM and header["highest"] > 1e8


def test_scale_and_offset():
    bottom = Seabed(kind="grid", depths_m=((1.0, 2.0), (3.0, 4.0)), spacing_m=1.0, depth_scale=2.0, depth_offset_m=5.0)
    np.testing.assert_array_equal(bottom.map.z_m, [[7.0, 9.0], [11.0, 13.0]])


def test_equal_keys_make_equal_seabeds():
    array = np.full((3, 3), 9.0)
    assert seabed_from_array(array, spacing_m=1.0) == seabed_from_array(array.copy(), spacing_m=1.0)
    assert seabed_from_array(array, spacing_m=1.0) != seabed_from_array(array + 1.0, spacing_m=1.0)
    assert Seabed(depth_m=3.0) != Seabed(depth_m=4.0) and Seabed(depth_m=3.0) != "a seabed"
    assert hash(Seabed(depth_m=3.0)) == hash(Seabed(depth_m=3.0))
    with pytest.raises(ValueError, match="read-only"):
        seabed_from_array(array, spacing_m=1.0).map.z_m[0, 0] = 1.0


def test_the_origin_of_the_world_reaches_only_charts():
    flat = Seabed(depth_m=3.0)
    assert with_origin(flat, 60.0, 5.0) is flat
    assert with_origin(None, 60.0, 5.0) is None


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ({"kind": "flatt", "depth_m": 5.0}, 'seabed: kind = "flatt": expected one of .*; did you mean "flat"'),
        ({"kind": 3}, "seabed: kind = 3"),
        ({}, "seabed: depth_m: is missing"),
        ({"depth_m": -3.0}, "seabed: depth_m = -3.0: expected a number above 0"),
        ({"depth_m": math.nan}, "seabed: depth_m = nan: expected a finite number"),
        ({"depth_m": "deep"}, 'seabed: depth_m = "deep": expected a finite number'),
        ({"depth_m": 5.0, "slope_deg": 3.0}, 'seabed: slope_deg = 3.0: not a key of kind "flat"'),
        (
            {"kind": "slope", "depth_m": 5.0, "slope_deg": 90.0},
            "seabed: slope_deg = 90.0: expected a number from 0 to below 89",
        ),
        ({"depth_m": 5.0, "friction": -0.1}, "seabed: friction = -0.1: expected a number of at least 0"),
        ({"depth_m": 5.0, "stiffness_n_m": 0.0}, "seabed: stiffness_n_m = 0.0: expected a number above 0"),
        ({"kind": "grid"}, "expected either file or depths_m"),
        ({"kind": "profile"}, "expected either file or rows_m"),
        ({"kind": "grid", "depths_m": ((1.0, 2.0), (3.0, 4.0))}, "seabed: spacing_m: is missing"),
        (
            {"kind": "grid", "depths_m": ((1.0, 2.0),), "spacing_m": 1.0},
            r"has shape \(1, 2\); expected at least 2 by 2",
        ),
        ({"kind": "grid", "depths_m": ((1, 2), (3, 4)), "spacing_m": -1.0}, "seabed: spacing_m = -1.0"),
        ({"kind": "grid", "depths_m": ((1, 2), (3, 4)), "spacing_m": 1.0, "fill": "zero"}, 'seabed: fill = "zero"'),
        ({"kind": "grid", "depths_m": ((1, 2), (3, 4)), "spacing_m": 1.0, "origin_m": (1.0,)}, "seabed: origin_m"),
        (
            {"kind": "grid", "file": "none.png", "origin_lat_deg": 91.0},
            "seabed: origin_lat_deg = 91.0: expected a number above -90 and below 90",
        ),
        ({"kind": "grid", "file": "none.png", "positive": "left"}, 'seabed: positive = "left"'),
        ({"kind": "grid", "file": "none.png"}, 'seabed: file = "none.png": no such file'),
    ],
)
def test_mistakes_get_a_sentence(keys, message):
    with pytest.raises(ScenarioError, match=message):
        Seabed(**keys)
