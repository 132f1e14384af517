"""Displays of 1985: what they show, how late, and how well it is read."""

from __future__ import annotations

import math

import numpy as np
import pytest

from pelagos.reproduce.royer.view import (
    FULL_SCENE,
    TOP_M,
    Eye,
    Picture,
    Screens,
    compass,
    pipe_sight,
    spot_sight,
    turned,
)
from pelagos.training.observation import Observation, camera_pose

DT = 0.125
SHARP = Eye(1e-30, 0.5, np.random.default_rng(0))  # errs by its threshold only


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


def filmed(picture: Picture, speed: float = 0.0, seconds: float = 4.0) -> Screens:
    """A vehicle that goes north at a speed, from 5 m."""
    screens = Screens(picture)
    for k in range(round(seconds / DT) + 1):
        screens.record(seen(k * DT, 5.0 + speed * k * DT))
    return screens


def test_noise_has_the_size_of_the_formula() -> None:
    eye = Eye(0.01, 0.5, np.random.default_rng(3))
    errors = [eye.read(2.0, 0.3) - 2.0 for _ in range(20000)]
    wanted = math.sqrt(0.01 * math.pi / 0.5 * 4.0 + 0.09)
    assert np.std(errors) == pytest.approx(wanted, rel=0.03)  # 20000 draws: 0.5 %, six times that
    assert abs(np.mean(errors)) < 6.0 * wanted / math.sqrt(20000)


def test_the_top_view_threshold_is_the_arc_on_the_screen() -> None:
    # 0.05 deg seen from 0.6 m is 0.52 mm of screen, on which 0.2 m are 20 m of sea
    assert pytest.approx(0.6 * math.radians(0.05) * 100.0, rel=1e-12) == TOP_M


def test_frames_are_held_and_late() -> None:
    screens = filmed(Picture(0.25, 0.5), speed=1.0, seconds=4.125)  # half a frame after the last one
    now, before, dt = screens.frames()
    assert (now.time_s, before.time_s, dt) == (4.0, 3.75, 0.25)
    late, _, _ = screens.frames(camera=True)
    assert late.time_s == 3.5
    slow, older, apart = filmed(FULL_SCENE, speed=1.0, seconds=4.125).frames(camera=True)
    assert slow.time_s == pytest.approx(2.75)  # 4 s less 1.2 s, at the tick before
    assert apart == pytest.approx(1.0)
    assert slow.time_s - older.time_s == apart


def test_figures_have_one_digit() -> None:
    screens = Screens()
    screens.record(seen(0.0, 5.0, altitude=2.54))
    screens.record(seen(DT, 5.0, altitude=2.56))
    assert screens.figure() == pytest.approx(2.6)
    assert screens.figure(DT) == pytest.approx(2.5)


def test_a_turned_display() -> None:
    north, east = turned(np.array([1.0, 0.0]), math.radians(90.0))
    assert (north, east) == pytest.approx((0.0, -1.0), abs=1e-12)  # ship heading east: north is to port


def test_the_compass_tells_which_way_to_turn() -> None:
    screens = Screens()
    for k in range(9):
        screens.record(seen(k * DT, 5.0, heading=math.radians(170.0 + k)))
    errors = np.array([compass(screens, SHARP, math.pi) for _ in range(400)])
    error, rate = errors.mean(axis=0)  # the dial's threshold averages out
    assert math.degrees(error) == pytest.approx(2.0, abs=0.2)
    assert math.degrees(rate) == pytest.approx(-8.0, abs=0.4)


def test_the_spot_tells_distance_and_side() -> None:
    spot = np.array([0.0, 0.4, 97.3])  # the camera looks south from 3.5 m: the spot is 0.4 m to its left, 0.2 m higher
    reads = [spot_sight(filmed(Picture()), SHARP, spot, 0.25, 0.5) for _ in range(300)]
    ahead, aside, down = np.median([sight.error for sight in reads if sight], axis=0)
    assert ahead == pytest.approx(3.0, abs=0.15)  # 5 % of 3.5 m by size, less by the median of 300
    assert aside == pytest.approx(-0.4, abs=0.03)
    assert down == pytest.approx(-0.2, abs=0.02)


def test_the_spot_is_lost_beside_the_picture_and_behind() -> None:
    screens = filmed(Picture())
    assert spot_sight(screens, SHARP, np.array([0.0, 2.2, 97.5]), 0.25, 0.5) is None  # 32 deg aside of 3.5 m
    assert spot_sight(screens, SHARP, np.array([8.0, 0.0, 97.5]), 0.25, 0.5) is None


def test_the_pipe_is_seen_ahead_and_below() -> None:
    line = np.array([[5.0 - k, 0.3, 99.0] for k in range(20)])  # to the left of one who goes south
    reads = [pipe_sight(filmed(Picture()), SHARP, line) for _ in range(100)]
    assert np.median([sight.error[1] for sight in reads if sight]) == pytest.approx(-0.3, abs=0.02)
    assert pipe_sight(filmed(Picture()), SHARP, line + np.array([0.0, 40.0, 0.0])) is None
