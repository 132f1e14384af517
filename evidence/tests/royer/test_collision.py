"""Collision detector: a box of another size or missing steps are caught; the flight at the cube and its figure."""

import math

import numpy as np
import pytest
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from matplotlib.patches import Polygon

from evidence.tests.checked import joined
from pelagos_evidence.royer import collision
from pelagos_evidence.royer import collision as figure


def by_key(rows):
    return {row.key: row for row in rows}


@pytest.fixture
def fresh():
    collision.trial.cache_clear()
    yield
    collision.trial.cache_clear()


@pytest.mark.slow
def test_a_smaller_box_misses_collisions(monkeypatch, fresh):
    monkeypatch.setattr(collision, "SIZE_M", (2.8, 1.4, 0.8))
    rows = by_key(joined(collision, collision._kind_values()))
    assert not any(row.holds for row in rows.values())


def test_a_detector_that_always_says_yes_is_caught(monkeypatch, fresh):
    monkeypatch.setattr(collision, "royer_collides", lambda *a, **k: True)
    rows = by_key(joined(collision, collision._kind_values()))
    assert not rows["collision-cube"].holds and not rows["collision-columns"].holds


def test_many_poses_are_hits_and_many_are_not():
    for kind in ("wellhead", "column", "bar", "pipeline"):
        trial = collision.trial(kind)
        assert 0.2 * trial.poses < trial.hits < 0.9 * trial.poses


def test_thin_bars_need_the_test_of_crossing_sides():
    missed, hits = collision.thin_bars()
    assert 0.1 * hits < missed < 0.5 * hits
    assert collision.thin_bars(1.0)[0] == 0


def test_the_flight_at_the_cube():
    through, stopped = collision.approach(False), collision.approach(True)
    before = through.gap_m > 0.1
    np.testing.assert_allclose(through.gap_m[before], stopped.gap_m[before], atol=1e-9)  # the same water until then
    assert stopped.gap_m.min() > -0.02 and through.gap_m[-1] < -1.0
    # his test and the face agree: signalled exactly while the bow is in
    assert ((through.gap_m < 0.0) == (through.signalled > 0.5)).all()


def test_the_cable_is_caught_by_the_bar_only_where_there_is_one():
    (wrap, pull, _), (free_wrap, free_pull, status) = collision.swept(True), collision.swept(False)
    assert wrap > 90.0 and free_wrap == 0.0 and not status
    assert pull > 2.0 * free_pull


def test_a_scene_without_a_bar_is_caught(monkeypatch):
    from dataclasses import replace

    world = collision.load_world("royer_field")
    less = replace(world, structures=tuple(s for s in world.structures if s.name != "bar 1-2"))
    monkeypatch.setattr(collision, "load_world", lambda name: less)
    assert not by_key(joined(collision, collision.environment_values()))["scene"].holds


def test_outline_is_a_rectangle_of_the_vehicle():
    corners = figure.outline(2.0, 3.0, math.radians(90.0))
    np.testing.assert_allclose(corners.mean(axis=0), (3.0, 2.0))  # east, north
    assert np.ptp(corners[:, 0]) == pytest.approx(3.0) and np.ptp(corners[:, 1]) == pytest.approx(1.6)


def test_vehicles_without_a_corner_near_the_cube_are_green():
    ax = Figure().subplots()
    figure._areas(ax)
    colours = set()
    for patch in ax.patches:
        if isinstance(patch, Polygon):
            corners = patch.get_xy()[:4]
            inside = (np.abs(corners) < 2.5).all(axis=1).any()
            colour = to_hex(patch.get_edgecolor()).upper()
            colours.add(colour)
            if inside:
                assert colour == figure.HIT
            if np.hypot(*corners.mean(axis=0)) > 2.5 * math.sqrt(2.0) + 1.7:
                assert colour == figure.FREE
    assert colours == {figure.HIT, figure.FREE}


def test_the_flown_panel_shows_one_vehicle_stopped_and_one_not():
    ax = Figure().subplots()
    figure._flown(ax)
    through, _, stopped, _ = (line.get_ydata() for line in ax.get_lines())
    assert through[-1] < -1.0 and abs(stopped[-1]) < 0.02
