"""Seabed profiles: depth along and across the line, profiles read from pictures, and the file bottom.txt."""

import math
import sys

import numpy as np
import pytest
from PIL import Image, ImageDraw

from pelagos.errors import MissingExtraError, ScenarioError
from pelagos.world.seabed.profile import BottomProfile, bottom_from_image, read_bottom, write_bottom
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


WIDTH, HEIGHT = 300, 100  # as figure 5 of the Gavia document


def line(columns):
    """A bottom with a hill, a slope and ripples, in rows."""
    return 60.0 - 25.0 * np.exp(-(((columns - 150.0) / 30.0) ** 2)) + 0.05 * columns + 3.0 * np.sin(columns / 7.0)


def drawn(width=1, ink=0, paper=255, gaps=()):
    picture = Image.new("L", (WIDTH, HEIGHT), paper)
    columns = np.arange(WIDTH)
    ImageDraw.Draw(picture).line([(int(x), round(z)) for x, z in zip(columns, line(columns), strict=True)], ink, width)
    pixels = np.array(picture)
    for first, last in gaps:
        pixels[:, first:last] = paper
    return Image.fromarray(pixels)


def rms(profile):
    return float(np.sqrt(np.mean((profile.depth_m - line(profile.distance_m)) ** 2)))


def test_a_clean_picture_is_read_to_the_pixel(tmp_path):
    drawn().save(tmp_path / "bottom.png")
    profile = bottom_from_image(tmp_path / "bottom.png")
    np.testing.assert_array_equal(profile.distance_m, np.arange(WIDTH))
    assert np.abs(profile.depth_m - line(profile.distance_m)).max() < 1.3  # half a pixel, more where the hill is steep
    assert profile.gaps == 0


@pytest.mark.parametrize("quality", [95, 50, 20])
def test_jpeg_noise(tmp_path, quality):
    drawn().save(tmp_path / "bottom.jpg", quality=quality)
    pixels = np.asarray(Image.open(tmp_path / "bottom.jpg").convert("L"))
    assert (pixels == 0).any(axis=0).mean() < 0.9  # the document's own test for black would miss columns
    profile = bottom_from_image(tmp_path / "bottom.jpg")
    assert profile.gaps <= 0.03 * WIDTH
    assert rms(profile) < 1.0  # pixel


def test_grain_a_grey_line_and_yellowed_paper(tmp_path):
    rng = np.random.default_rng(1)
    pixels = np.asarray(drawn(width=3, ink=70, paper=230), dtype=float) + rng.normal(0.0, 8.0, (HEIGHT, WIDTH))
    Image.fromarray(np.clip(pixels, 0, 255).astype(np.uint8)).save(tmp_path / "scan.jpg", quality=60)
    assert rms(bottom_from_image(tmp_path / "scan.jpg")) < 1.0


def test_gaps_are_bridged_and_counted(tmp_path):
    drawn(gaps=[(0, 4), (60, 72), (200, 201)]).save(tmp_path / "bottom.png")
    profile = bottom_from_image(tmp_path / "bottom.png")
    assert profile.gaps == 17
    assert len(profile.depth_m) == WIDTH  # nothing shifts
    inside = profile.depth_m[59:73]
    np.testing.assert_allclose(np.diff(inside), inside[1] - inside[0], atol=1e-12)  # straight from side to side
    assert (profile.depth_m[:4] == profile.depth_m[4]).all()
    drawn(gaps=[(60, 72), (200, 201)]).save(tmp_path / "bottom.jpg", quality=60)
    assert rms(bottom_from_image(tmp_path / "bottom.jpg")) < 1.0


def test_scale_of_both_axes_and_threshold(tmp_path):
    drawn(ink=100).save(tmp_path / "bottom.png")
    plain = bottom_from_image(tmp_path / "bottom.png")
    profile = bottom_from_image(tmp_path / "bottom.png", metres_per_pixel=2.0, depth_per_pixel_m=0.25)
    np.testing.assert_allclose(profile.distance_m, 2.0 * plain.distance_m)
    np.testing.assert_allclose(profile.depth_m, 0.25 * plain.depth_m)
    with pytest.raises(ScenarioError, match="columns without a dark line = 300: expected at most 150 of 300"):
        bottom_from_image(tmp_path / "bottom.png", threshold=90)


def test_a_soft_line_lies_between_its_rows(tmp_path):
    pixels = np.full((HEIGHT, WIDTH), 255.0)
    pixels[40, :] -= 0.75 * 240.0
    pixels[41, :] -= 0.25 * 240.0
    Image.fromarray(pixels.astype(np.uint8)).save(tmp_path / "bottom.png")
    np.testing.assert_allclose(bottom_from_image(tmp_path / "bottom.png").depth_m, 40.25, rtol=1e-12)


def test_colour_and_transparent_paper(tmp_path):
    pixels = np.zeros((HEIGHT, WIDTH, 4), np.uint8)
    pixels[40, :] = (0, 0, 120, 255)  # dark blue on nothing
    Image.fromarray(pixels).save(tmp_path / "bottom.png")
    np.testing.assert_allclose(bottom_from_image(tmp_path / "bottom.png").depth_m, 40.0)


def test_bottom_file_is_that_of_the_document(tmp_path):
    path = tmp_path / "bottom.txt"
    write_bottom(path, BottomProfile(np.array([0.0, 1.0, 2.0]), np.array([10.0, 12.0, 8.0])))
    assert path.read_text() == "0 10\n1 12\n2 8\n"  # column and row of the picture, as its program writes them


def test_bottom_file_round_trip(tmp_path):
    rng = np.random.default_rng(3)
    written = BottomProfile(np.cumsum(rng.uniform(0.1, 2.0, 50)), rng.uniform(5.0, 80.0, 50))
    write_bottom(tmp_path / "bottom.txt", written)
    read = read_bottom(tmp_path / "bottom.txt")
    np.testing.assert_allclose(read.distance_m, written.distance_m, rtol=1e-11)  # 12 digits are written
    np.testing.assert_allclose(read.depth_m, written.depth_m, rtol=1e-11)
    (tmp_path / "other.txt").write_text("# a comment\n0, 10\n\n0.5\t11.5  # hill\n")
    np.testing.assert_array_equal(read_bottom(tmp_path / "other.txt").depth_m, [10.0, 11.5])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("0 10\n1 deep\n", 'line 2 = "1 deep": expected distance and depth'),
        ("0 10 3\n", 'line 1 = "0 10 3"'),
        ("0 10\n1 nan\n", "line 2"),
        ("0 10\n0 11\n", 'line 2 = "0 11": expected a larger distance'),
        ("0 10\n", "number of points = 1: expected 2 or more"),
        ("", "number of points = 0: expected 2 or more"),
    ],
)
def test_bad_bottom_files(tmp_path, text, message):
    (tmp_path / "bottom.txt").write_text(text)
    with pytest.raises(ScenarioError, match=message):
        read_bottom(tmp_path / "bottom.txt")


def test_bad_pictures(tmp_path):
    with pytest.raises(ScenarioError, match="no such file"):
        bottom_from_image(tmp_path / "none.jpg")
    (tmp_path / "text.jpg").write_text("not a picture")
    with pytest.raises(ScenarioError, match="is no picture that can be read"):
        bottom_from_image(tmp_path / "text.jpg")
    Image.new("L", (50, 20), 255).save(tmp_path / "white.png")
    with pytest.raises(ScenarioError, match="has no dark line on white paper"):
        bottom_from_image(tmp_path / "white.png")
    drawn(gaps=[(0, 200)]).save(tmp_path / "half.png")
    with pytest.raises(ScenarioError, match="columns without a dark line = 200"):
        bottom_from_image(tmp_path / "half.png")
    drawn().save(tmp_path / "bottom.png")
    with pytest.raises(ScenarioError, match=r"metres_per_pixel = 0.0: expected a number above 0"):
        bottom_from_image(tmp_path / "bottom.png", metres_per_pixel=0.0)
    with pytest.raises(ScenarioError, match="threshold = 300"):
        bottom_from_image(tmp_path / "bottom.png", threshold=300)
    with pytest.raises(ScenarioError, match="no such file"):
        read_bottom(tmp_path / "none.txt")
    with pytest.raises(ScenarioError, match="cannot be written"):
        write_bottom(tmp_path / "none" / "bottom.txt", BottomProfile(np.arange(2.0), np.ones(2)))


def test_without_pillow_there_is_a_sentence(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "PIL", None)
    with pytest.raises(MissingExtraError, match="a bottom from a picture needs the package pillow"):
        bottom_from_image(tmp_path / "bottom.png")
