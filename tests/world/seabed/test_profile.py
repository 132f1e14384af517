"""A profile drawn out to both sides: exact along the axes, sampled along others."""

import math

import numpy as np
import pytest

from pelagos.errors import ScenarioError
from pelagos.world.seabed.profile import BottomProfile, write_bottom
from pelagos.world.seabed.seabed import Seabed

ROWS = ((0.0, 10.0), (1.0, 12.0), (2.0, 11.0), (3.0, 15.0))


@pytest.mark.parametrize("to", [0.0, 90.0, 180.0, 270.0, -90.0])
def test_along_an_axis_the_depth_is_that_of_the_line(to):
    bottom = Seabed(kind="profile", rows_m=ROWS, along_deg=to, origin_m=(5.0, -7.0))
    along = np.array([math.cos(math.radians(to)), math.sin(math.radians(to))])
    across = np.array([-along[1], along[0]])
    for distance in (-2.0, 0.0, 0.5, 1.0, 1.75, 3.0, 9.0):
        expected = np.interp(distance, *np.transpose(ROWS))  # held before the start and after the end
        for side in (-1e4, 0.0, 33.0):
            point = np.array([5.0, -7.0]) + distance * along + side * across
            assert bottom.z(*point) == pytest.approx(expected, rel=1e-9)  # 1e4 m to the side: 1e-12 of turning


def test_uneven_distances_keep_every_point():
    rows = ((0.0, 10.0), (0.5, 11.0), (2.0, 9.0), (7.25, 20.0))
    bottom = Seabed(kind="profile", rows_m=rows)
    assert bottom.map.step_m == (0.25, 0.25)  # the largest step that meets all points
    distance = np.linspace(0.0, 7.25, 100)
    np.testing.assert_allclose(bottom.z(distance, 0.0), np.interp(distance, *np.transpose(rows)), rtol=1e-12)


def test_oblique_profiles_are_sampled():
    distance = np.arange(0.0, 201.0, 5.0)
    rows = tuple(zip(distance.tolist(), (30.0 + 5.0 * np.sin(distance / 30.0)).tolist(), strict=True))
    bottom = Seabed(kind="profile", rows_m=rows, along_deg=30.0, width_m=80.0, spacing_m=1.0)
    to = math.radians(30.0)
    rng = np.random.default_rng(1)
    d, s = rng.uniform(2.0, 198.0, 300), rng.uniform(-39.0, 39.0, 300)
    z = bottom.z(d * math.cos(to) - s * math.sin(to), d * math.sin(to) + s * math.cos(to))
    # a kink of the line between nodes: at most the change of slope times a quarter of the step's diagonal
    assert np.abs(z - np.interp(d, *np.transpose(rows))).max() < 5.0 / 30.0**2 * 5.0 * 1.4 / 4.0 * 1.5


def test_from_bottom_txt_and_from_the_picture(tmp_path):
    from PIL import Image

    write_bottom(tmp_path / "bottom.txt", BottomProfile(np.arange(4.0), np.array([10.0, 12.0, 11.0, 15.0])))
    bottom = Seabed(kind="profile", file=str(tmp_path / "bottom.txt"), along_deg=90.0)
    assert bottom.z(123.0, 2.5) == pytest.approx(13.0)
    pixels = np.full((40, 30), 255, np.uint8)
    pixels[25, :] = 0
    Image.fromarray(pixels).save(tmp_path / "bottom.png")
    bottom = Seabed(kind="profile", file=str(tmp_path / "bottom.png"), metres_per_pixel=2.0, depth_per_pixel_m=0.5)
    assert bottom.z(17.0, 0.0) == pytest.approx(12.5)
    assert bottom.map.step_m == (2.0, 2.0)
    scaled = Seabed(kind="profile", rows_m=ROWS, depth_scale=2.0, depth_offset_m=1.0)
    assert scaled.z(1.0, 0.0) == pytest.approx(25.0)


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ({"rows_m": ((0.0, 10.0),)}, "at least two rows of distance and depth"),
        ({"rows_m": ((0.0, 10.0), (0.0, 11.0))}, "ascending"),
        ({"rows_m": ((0.0, 10.0, 1.0), (1.0, 11.0, 1.0))}, "seabed: rows_m"),
        ({"rows_m": ((0.0, 10.0), (1.0, math.nan))}, "seabed: rows_m"),
        ({"rows_m": ((0.0, 10.0), (1.0, 11.0), (math.pi, 12.0))}, "multiples of a common step"),
        ({"rows_m": ROWS, "along_deg": 45.0}, "seabed: width_m: is missing"),
        ({"rows_m": ROWS, "along_deg": 45.0, "width_m": 9e3, "spacing_m": 1e-2}, "too fine"),
        ({"file": "none.txt"}, "none.txt: no such file"),
    ],
)
def test_mistakes_get_a_sentence(keys, message):
    with pytest.raises(ScenarioError, match=message):
        Seabed(kind="profile", **keys)
