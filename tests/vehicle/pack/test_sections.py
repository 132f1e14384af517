"""Sections of round bodies against exact volumes of the parts that a plane cuts off."""

from itertools import pairwise

import numpy as np
import pytest

from pelagos.engine.water.wet import STACK, TAPER
from pelagos.vehicle.derive.hull import hull_form, torpedo_stations
from pelagos.vehicle.load.vehicle import load_vehicle
from pelagos.vehicle.pack.sections import RUN, apportion, apportion_in_runs, brick, sections
from pelagos.vehicle.spec import Shape
from tests.reference import wet_volume
from tests.vehicle.wet_hull import CYLINDER, EXTENT, cylinder_cases, parts, table

TENTH_OF_A_PERCENT = 1e-3
ELLIPSOID = Shape("ellipsoid", size_m=(0.8, 0.2, 0.3))


def greatest_error(points):
    """Of volume (shares of the whole) and first moment (shares of the whole times half its extent)."""
    cases, exact = cylinder_cases()
    error = (parts(table(CYLINDER, points=points), cases) - exact) / np.array([1.0, *EXTENT])
    return np.max(np.abs(error), axis=0)


@pytest.mark.slow
def test_cylinder_at_512_sections_is_right_to_a_tenth_of_a_percent():
    assert np.all(greatest_error(512) < TENTH_OF_A_PERCENT)


@pytest.mark.slow
def test_error_falls_with_the_number_of_sections():
    """As 1/N, the end face lying level being the worst, until the 0.04 % of the disc's polynomial is left."""
    errors = [greatest_error(points)[0] for points in (16, 32, 64, 128, 256)]
    ratios = np.array(errors[:-1]) / np.array(errors[1:])
    assert np.all((ratios > 1.7) & (ratios < 2.5))
    assert greatest_error(1024)[0] < 4.5e-4


@pytest.mark.slow
def test_roll_of_a_cylinder_does_not_matter():
    """It is one disc after another: turning about x changes nothing but rounding."""
    hull = table(CYLINDER)
    for depth, pitch in ((0.02, 0.01), (-0.3, 0.7), (0.0, 0.3)):
        cases = [
            (depth, np.array([np.sin(pitch), np.cos(pitch) * np.sin(roll), np.cos(pitch) * np.cos(roll)]))
            for roll in (0.0, 0.4, 2.0, 3.9)
        ]
        wet = parts(hull, cases)
        assert np.ptp(wet[:, 0]) < 1e-14 and np.ptp(wet[:, 1]) < 1e-14


def test_standing_cylinder_is_the_lying_one_turned():
    """axis = "z" and "y": the same numbers with the axes exchanged, to rounding."""
    cases, _ = cylinder_cases(60)
    lying = parts(table(CYLINDER), cases)
    for axis, turn in (("y", [2, 0, 1]), ("z", [1, 2, 0])):
        turned = Shape("cylinder", size_m=CYLINDER.size_m, axis=axis)
        wet = parts(table(turned), [(depth, n[turn]) for depth, n in cases])
        assert wet[:, 0] == pytest.approx(lying[:, 0], abs=1e-13)
        assert wet[:, 1:] == pytest.approx(lying[:, 1:][:, turn], abs=1e-13)


def test_ellipsoid_against_the_cap_of_a_ball():
    cases = wet_volume.attitudes(1500, ELLIPSOID.size_m, seed=2)
    exact = np.array([wet_volume.ellipsoid(ELLIPSOID.size_m, depth, n) for depth, n in cases])
    error = (parts(table(ELLIPSOID), cases) - exact) / np.array([1.0, *ELLIPSOID.size_m])
    assert np.max(np.abs(error)) < TENTH_OF_A_PERCENT


def test_capsule_is_a_cylinder_and_a_ball():
    """Lying level, wet share = (cylinder's + ball's) by volume: symmetry takes the halves of the ball together."""
    length, radius = 1.2, 0.2
    tube, ball = np.pi * radius**2 * (length - 2 * radius), 4.0 / 3.0 * np.pi * radius**3
    cases = [(depth, np.array([0.0, 0.0, 1.0])) for depth in np.linspace(-0.2, 0.2, 41)]
    wet = parts(table(Shape("capsule", size_m=(length, radius))), cases)[:, 0]
    exact = [
        (tube * wet_volume.cylinder(1.0, radius, d, n)[0] + ball * wet_volume.ellipsoid([radius] * 3, d, n)[0])
        / (tube + ball)
        for d, n in cases
    ]
    assert wet == pytest.approx(exact, abs=TENTH_OF_A_PERCENT)


def test_stations_of_a_cylinder_are_the_cylinder():
    """Many stations, uneven, one aspect."""
    x = np.array([-0.95, -0.9, -0.2, 0.01, 0.5, 0.95])
    stations = tuple((float(value), 0.147, 0.147) for value in x)
    shape = Shape("stations", stations=stations)
    cases, exact = cylinder_cases(300)
    error = (parts(table(shape), cases) - exact) / np.array([1.0, *EXTENT])
    assert sections(shape, 512).kind == STACK
    assert np.max(np.abs(error)) < TENTH_OF_A_PERCENT


def test_flat_stations_are_an_ellipsoid_in_pieces():
    """Elliptic sections of one aspect, 161 stations along an ellipsoid; the table itself is 0.01 % off."""
    a, b, c = ELLIPSOID.size_m
    x = a * np.cos(np.linspace(np.pi, 0.0, 161))
    size = np.sqrt(np.maximum(1.0 - (x / a) ** 2, 0.0))
    stations = tuple((float(u), float(2 * c * r), float(2 * b * r)) for u, r in zip(x, size, strict=True))
    cases = wet_volume.attitudes(500, ELLIPSOID.size_m, seed=3)
    exact = np.array([wet_volume.ellipsoid(ELLIPSOID.size_m, depth, n) for depth, n in cases])
    error = (parts(table(Shape("stations", stations=stations)), cases) - exact) / np.array([1.0, a, b, c])
    assert np.max(np.abs(error)) < TENTH_OF_A_PERCENT


TABLES = {
    "phoenix": load_vehicle("phoenix").shapes[0].stations,  # a wedge aft, round forward
    "from standing to lying": ((-0.5, 0.4, 0.2), (0.5, 0.2, 0.5)),
    "fish": ((-1.0, 0.5, 0.02), (-0.5, 0.25, 0.2), (0.3, 0.4, 0.4), (1.0, 0.05, 0.2)),
}


def sliced(stations, depth, n, each=1500):
    """Wet share and first moment about the centre: exact ellipses, summed at 1500 places a segment."""
    table = np.array(stations)
    x = np.concatenate([a + (np.arange(each) + 0.5) / each * (b - a) for a, b in pairwise(table[:, 0])])
    width = np.repeat(np.diff(table[:, 0]) / each, each)
    c, b = (0.5 * np.interp(x, table[:, 0], table[:, k]) for k in (1, 2))
    volume = b * c * width / np.sum(b * c * width)
    x = x - volume @ x
    h = np.hypot(b * n[1], c * n[2])
    s = np.clip((depth + n[0] * x) / h, -1.0, 1.0)
    share = volume * (0.5 + (s * np.sqrt(1.0 - s * s) + np.arcsin(s)) / np.pi)
    lever = volume * 2.0 / (3.0 * np.pi) * (1.0 - s * s) ** 1.5 / h
    return [np.sum(share), share @ x, lever @ b**2 * n[1], lever @ c**2 * n[2]]


@pytest.mark.slow
@pytest.mark.parametrize("name", TABLES)
def test_sections_whose_aspect_changes(name):
    stations = TABLES[name]
    sizes = np.array(stations)
    half = np.array([0.5 * np.ptp(sizes[:, 0]), 0.5 * sizes[:, 2].max(), 0.5 * sizes[:, 1].max()])
    cases = wet_volume.attitudes(150, half, seed=4)
    cases += [
        (depth, np.array([0.0, np.sin(roll), np.cos(roll)])) for roll in (0.0, 0.5) for depth in (-0.05, 0.0, 0.1)
    ]
    exact = np.array([sliced(stations, depth, n) for depth, n in cases])
    error = (parts(table(Shape("stations", stations=stations)), cases) - exact) / np.array([1.0, *half])
    assert np.max(np.abs(error)) < TENTH_OF_A_PERCENT


def test_strands_of_a_taper_follow_each_other():
    """Eight at a time, one section of each; sections of a strand share C, and all keep the volume of the table."""
    stations = TABLES["from standing to lying"]
    piece = sections(Shape("stations", stations=stations), 512)
    assert piece.kind == TAPER and len(piece.volumes) == 512 and piece.spread.shape == (32, 3, 3)
    along = piece.places[:, 0].reshape(4, 16, 8).swapaxes(1, 2).ravel()
    assert np.all(np.diff(along) > 0.0)
    assert np.all(piece.spreads.reshape(4, 16, 8, 3, 3).swapaxes(1, 2) == piece.spread.reshape(4, 8, 1, 3, 3))
    assert np.all(np.diff(piece.spread[:, 1, 1] / piece.spread[:, 2, 2]) > 0.0)  # ever wider
    assert np.sum(piece.volumes) == pytest.approx(hull_form(stations).volume_m3, rel=1e-12)


@pytest.mark.parametrize("count", [3, 8, 20, 64, 100])
def test_few_sections_of_a_taper(count):
    stations = TABLES["fish"]
    piece = sections(Shape("stations", stations=stations), count)
    assert len(piece.volumes) % 8 == 0 and abs(len(piece.volumes) - count) <= 16
    assert np.sum(piece.volumes) == pytest.approx(hull_form(stations).volume_m3, rel=1e-12)


def test_box_and_reach_hold_every_section():
    """Of a taper by its own C: the corners of a flat stern are as far out as the table says, blur included."""
    piece = sections(Shape("stations", stations=((-1.0, 0.0, 0.4), (0.0, 0.3, 0.4), (1.0, 0.3, 0.3))), 512)
    low, high = piece.box_m
    assert np.all(low <= [-1.0, -0.2, -0.15]) and np.all(high >= [1.0, 0.2, 0.15])
    assert np.all(high - low < [2.1, 0.5, 0.35])  # at its tip the wedge is wider, with the mean aspect of a strand
    assert np.hypot(1.0, 0.2) < piece.reach_m < 1.25


def test_slices_keep_volume_and_centre():
    stations = tuple(torpedo_stations(2.0, 0.2, 0.25, 0.4))
    piece = sections(Shape("stations", center_b=(0.1, 0.0, -0.2), stations=stations), 200)
    form = hull_form(stations)
    assert np.sum(piece.volumes) == pytest.approx(form.volume_m3, rel=1e-12)  # both exact for the table
    centre = piece.volumes @ piece.places / np.sum(piece.volumes)
    assert centre == pytest.approx([form.centroid_x_m + 0.1, 0.0, -0.2], abs=1e-12)
    assert len(piece.volumes) == 200 and np.all(np.diff(piece.places[:, 0]) > 0.0)


def test_few_sections_of_many_stations():
    """More stations than sections: slices run across stations, and the volume stays right."""
    stations = tuple(torpedo_stations(2.0, 0.2, 0.25, 0.4))
    piece = sections(Shape("stations", stations=stations), 16)
    assert len(piece.volumes) == 16
    assert np.sum(piece.volumes) == pytest.approx(hull_form(stations).volume_m3, rel=1e-12)


def test_a_capsule_shorter_than_wide_is_a_squeezed_ball():
    piece = sections(Shape("capsule", size_m=(0.1, 0.2)), 64)
    assert np.sum(piece.volumes) == pytest.approx(4.0 / 3.0 * np.pi * 0.05 * 0.2**2, rel=1e-12)
    ball = sections(Shape("capsule", size_m=(0.4, 0.2)), 64)
    assert np.sum(ball.volumes) == pytest.approx(4.0 / 3.0 * np.pi * 0.2**3, rel=1e-12)


def test_brick_holds_the_box():
    piece = brick(Shape("box", center_b=(1.0, 0.0, 0.0), size_m=(0.6, 0.4, 0.2)))
    assert piece.volumes.tolist() == pytest.approx([0.048])
    assert piece.reach_m > np.linalg.norm([1.3, 0.2, 0.1])


def test_sharing_out():
    assert apportion(np.array([1.0, 1.0, 2.0]), 8).tolist() == [2, 2, 4]
    assert apportion(np.array([1.0, 1e-6]), 10, least=3).tolist() == [7, 3]
    assert apportion(np.array([1.0, 1.0, 1.0]), 10).sum() == 10
    assert apportion(np.array([1.0, 1.0, 1.0]), 2).tolist() == [1, 1, 1]


def test_sharing_out_in_runs():
    counts = apportion_in_runs(np.array([5.0, 1.0, 0.01]), 500)
    assert counts.sum() == 500 and np.all(counts[1:] % RUN == 0) and counts[2] == RUN
    assert apportion_in_runs(np.array([1.0, 1.0]), 9).tolist() == apportion(np.array([1.0, 1.0]), 9).tolist()
