"""Displays of 1985: what they show, how late, and how well it is read."""

from __future__ import annotations

import math

import numpy as np
import pytest

from pelagos.training.observation import Observation, camera_pose
from pelagos_evidence.royer.pilots.view import (
    LATEST,
    MIDDLE,
    DisplayHistory,
    DisplayReader,
    Picture,
    compass,
    read_pipe,
    read_spot,
    top_view,
    turned,
)

DT = 0.125
SHARP = DisplayReader(1e-30, 0.5, np.random.default_rng(0))  # errs by its threshold only


def seen(
    time_s: float, north: float, east: float = 0.0, altitude: float = 2.5, heading: float = math.pi
) -> Observation:
    """A level vehicle with its camera 1.5 m ahead."""
    c, s = math.cos(heading), math.sin(heading)
    place, rotation = np.array([north, east, 100.0 - altitude]), np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
    camera, axes = camera_pose(place, rotation, (1.5, 0.0, 0.0))
    return Observation(
        time_s, DT, place, (0.0, 0.0, heading), np.zeros(6), altitude, camera_n=camera, camera_axes=axes, fov_deg=60.0
    )


def filmed(picture: Picture, speed: float = 0.0, seconds: float = 4.0) -> DisplayHistory:
    """A vehicle that goes north at a speed, from 5 m."""
    history = DisplayHistory(picture)
    for k in range(round(seconds / DT) + 1):
        history.record(seen(k * DT, 5.0 + speed * k * DT))
    return history


def test_noise_has_the_size_of_the_formula() -> None:
    reader = DisplayReader(0.01, 0.5, np.random.default_rng(3))
    errors = [reader.read(2.0, 0.3) - 2.0 for _ in range(20000)]
    wanted = math.sqrt(0.01 * math.pi / 0.5 * 4.0 + 0.09)
    assert np.std(errors) == pytest.approx(wanted, rel=0.03)  # 20000 draws: 0.5 %, six times that
    assert abs(np.mean(errors)) < 6.0 * wanted / math.sqrt(20000)


def test_the_top_view_threshold_is_the_arc_on_the_screen() -> None:
    # 0.05 deg seen from 0.6 m is 0.52 mm of screen, on which 0.2 m are 10 m of sea
    least, rate = top_view(0.3)
    assert least == pytest.approx(0.6 * math.radians(0.05) * 50.0, rel=1e-12)
    assert rate == pytest.approx(2.0 * least)
    assert top_view(8.0)[0] == pytest.approx(2.0 * least)  # zoomed out to 20 m


def test_frames_are_held_and_late() -> None:
    history = filmed(Picture(0.25, 0.5), speed=1.0, seconds=4.125)  # half a frame after the last one
    now, before, dt = history.frames()
    assert (now.time_s, before.time_s, dt) == (4.0, 3.75, 0.25)
    late, _, _ = history.frames(camera=True)
    assert late.time_s == 3.5
    for picture, shows in ((MIDDLE, 3.25), (LATEST, 2.75)):
        assert filmed(picture, speed=1.0, seconds=4.125).frames(camera=True)[0].time_s == shows
    slow, older, apart = filmed(Picture(1.0, 1.2), speed=1.0, seconds=4.125).frames(camera=True)
    assert slow.time_s == pytest.approx(2.75)  # 4 s less 1.2 s, at the tick before
    assert slow.time_s - older.time_s == apart == pytest.approx(1.0)


def test_figures_have_one_digit() -> None:
    history = DisplayHistory()
    history.record(seen(0.0, 5.0, altitude=2.54))
    history.record(seen(DT, 5.0, altitude=2.56))
    assert history.figure() == pytest.approx(2.6)
    assert history.figure(DT) == pytest.approx(2.5)


def test_a_turned_display() -> None:
    north, east = turned(np.array([1.0, 0.0]), math.radians(90.0))
    assert (north, east) == pytest.approx((0.0, -1.0), abs=1e-12)  # ship heading east: north is to port


def test_the_compass_shows_which_way_to_turn() -> None:
    history = DisplayHistory()
    for k in range(9):
        history.record(seen(k * DT, 5.0, heading=math.radians(170.0 + k)))
    errors = np.array([compass(history, SHARP, math.pi) for _ in range(400)])
    error, rate = errors.mean(axis=0)  # the dial's threshold averages out
    assert math.degrees(error) == pytest.approx(2.0, abs=0.2)
    assert math.degrees(rate) == pytest.approx(-8.0, abs=0.4)


def test_the_spot_shows_distance_and_side() -> None:
    spot = np.array([0.0, 0.4, 97.3])  # the camera looks south from 3.5 m: the spot is 0.4 m to its left, 0.2 m higher
    reads = [read_spot(filmed(Picture()), SHARP, spot, 0.25, 0.5) for _ in range(300)]
    ahead, aside, down = np.median([reading.error for reading in reads if reading], axis=0)
    assert ahead == pytest.approx(3.0, abs=0.15)  # 5 % of 3.5 m by size, less by the median of 300
    assert aside == pytest.approx(-0.4, abs=0.03)
    assert down == pytest.approx(-0.2, abs=0.02)


def test_the_spot_is_lost_beside_the_picture_and_behind() -> None:
    history = filmed(Picture())
    assert read_spot(history, SHARP, np.array([0.0, 2.2, 97.5]), 0.25, 0.5) is None  # its near side 30.6 deg aside
    assert read_spot(history, SHARP, np.array([0.0, 2.1, 97.5]), 0.25, 0.5) is not None  # 29.4 deg: a strip is left
    assert read_spot(history, SHARP, np.array([8.0, 0.0, 97.5]), 0.25, 0.5) is None


def near(away: float, east: float = 0.0) -> DisplayHistory:
    """A camera at rest so far north of the face of the spot, and so far east."""
    history = DisplayHistory(Picture())
    for k in range(9):
        history.record(seen(k * DT, 1.5 + away, east))
    return history


def test_a_misjudged_distance_moves_the_place_and_not_the_gain() -> None:
    spot = np.array([0.0, 0.0, 97.5])
    wrong = DisplayReader(1e-30, 0.5, np.random.default_rng(0), metre=0.74)
    reads = [read_spot(near(2.0), wrong, spot, 0.25, 0.5) for _ in range(300)]
    assert np.median([reading.error[0] for reading in reads if reading]) == pytest.approx(2.0 - 0.5 / 0.74, abs=0.03)


def test_a_spot_that_fills_the_picture_shows_only_that_it_is_near() -> None:
    reader = DisplayReader(1e-30, 0.5, np.random.default_rng(0))
    reading = read_spot(near(0.15), reader, np.array([0.0, 0.02, 97.5]), 0.25, 0.5)
    assert reading is not None
    assert reading.error == pytest.approx((0.125 / math.tan(math.radians(30.0)) - 0.5, 0.0, 0.0))
    assert reading.rate == (0.0, 0.0, 0.0)


def test_a_cut_spot_is_placed_by_the_side_that_is_left() -> None:
    spot = np.array([0.0, 0.0, 97.5])  # camera looks south, 0.5 m away: the picture reaches 0.29 m to each side
    reads = [read_spot(near(0.5, 0.25), SHARP, spot, 0.25, 0.5) for _ in range(200)]
    assert np.median([reading.error[1] for reading in reads if reading]) == pytest.approx(0.25, abs=0.02)


def test_speed_from_afar_comes_from_look_to_look() -> None:
    reader = DisplayReader(1e-30, 0.5, np.random.default_rng(5))
    reader.closing(0.0, 8.0, 0.0, 2.0)
    speeds = []
    for k in range(1, 2001):
        reader._before = (2.0 * k - 2.0, 9.0)
        speeds.append(reader.closing(2.0 * k, 8.0, 0.0, 2.0))
    assert np.mean(speeds) == pytest.approx(0.5, abs=0.04)
    assert np.std(speeds) == pytest.approx(math.sqrt(2.0) * 0.05 * 8.0 / 2.0, rel=0.1)


def test_the_pipe_is_seen_ahead_and_below() -> None:
    line = np.array([[5.0 - k, 0.3, 99.0] for k in range(20)])  # to the left of one who goes south
    reads = [read_pipe(filmed(Picture()), SHARP, line) for _ in range(100)]
    assert np.median([reading.error[1] for reading in reads if reading]) == pytest.approx(-0.3, abs=0.02)
    assert read_pipe(filmed(Picture()), SHARP, line + np.array([0.0, 40.0, 0.0])) is None
