"""The plan page: heading ticks, goals in order, the world, and distances between vehicles."""

import numpy as np
import pytest

from pelagos.analysis.page import UNWRITTEN, styled
from pelagos.analysis.pages.plan import (
    distance_between,
    draw_plan,
    goal_points,
    heading_darts,
    plot_fleet,
    tick_indices,
)
from pelagos.errors import PelagosError
from pelagos.sim.log.log import Log
from pelagos.world.spec import World
from pelagos.world.structure import Structure
from tests.analysis.measured import measured_log

pytest.importorskip("matplotlib")


def line(ax, label):
    return next(item for item in ax.lines if item.get_label() == label)


def straight(speed, heading_deg, start=(0.0, 0.0), seconds=100, depth=5.0, crab_deg=0.0):
    t = np.arange(seconds + 1.0)
    to = np.radians(heading_deg)
    return Log(
        {
            "time_s": t,
            "north_m": start[0] + speed * t * np.cos(to),
            "east_m": start[1] + speed * t * np.sin(to),
            "depth_m": np.full(len(t), depth),
            "heading_deg": np.full(len(t), (heading_deg + crab_deg) % 360.0),
        },
        {"vehicle": "auv"},
    )


def test_darts_lie_on_the_track_and_point_where_the_bow_points():
    log = straight(1.0, 90.0, crab_deg=-30.0)  # goes east, points 60 deg
    darts = heading_darts(log, [0, 50], 2.0)
    tail = darts[:, 1:].mean(axis=1)
    np.testing.assert_allclose(darts[:, 0] - tail, [[2.0 * np.sin(np.pi / 3), 1.0]] * 2, atol=1e-12)
    np.testing.assert_allclose(tail + 0.4 * (darts[:, 0] - tail), [[0.0, 0.0], [50.0, 0.0]], atol=1e-12)


def test_ticks_are_even_along_the_way_and_in_time_for_one_that_stays():
    log = straight(1.0, 0.0)
    log.columns["north_m"] = np.minimum(log["north_m"], 50.0)  # stops half way
    assert np.diff(log["north_m"][tick_indices(log, 10)]).tolist() == pytest.approx([5.0] * 10)
    still = straight(0.0, 0.0)
    assert np.diff(tick_indices(still, 10)).tolist() == [10] * 10


def test_the_plan_draws_track_estimate_and_goals():
    log = measured_log()
    with styled():
        ax = draw_plan(log, UNWRITTEN).axes[0]
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("east [m]", "north [m]")
    np.testing.assert_array_equal(line(ax, "track").get_xdata(), log["east_m"])
    np.testing.assert_array_equal(line(ax, "track").get_ydata(), log["north_m"])
    np.testing.assert_array_equal(line(ax, "estimate").get_ydata(), log["est_north_m"])
    np.testing.assert_allclose(line(ax, "planned").get_xdata(), [log["east_m"][0], 8.0, 15.0])
    assert any(item.get_gid() == "heading ticks" for item in ax.collections)
    assert {"1", "2", "3"} <= {text.get_text() for text in ax.texts}  # events
    assert ax.get_aspect() == 1.0


def test_goals_are_kept_in_order_and_may_return():
    log = straight(1.0, 0.0, seconds=5)
    log.columns["goal_north_m"] = np.array([np.nan, 1.0, 1.0, 2.0, 1.0, 1.0])
    log.columns["goal_east_m"] = np.array([np.nan, 0.0, 0.0, 0.0, 0.0, 0.0])
    assert goal_points(log)[:, 0].tolist() == [1.0, 2.0, 1.0]
    assert goal_points(straight(1.0, 0.0)).shape == (0, 2)


def test_bottom_and_structures_of_the_world_are_drawn():
    pile = Structure(kind="cylinder", name="pile", from_m=(1.0, 4.0, 0.0), to_m=(1.0, 4.0, 9.0), radius_m=0.5)
    with styled():
        alone = draw_plan(measured_log(), UNWRITTEN).axes[0]
        ax = draw_plan(measured_log(), UNWRITTEN, World(depth_m=9.0, structures=(pile,))).axes[0]
    assert len(ax.collections) == len(alone.collections) + 1
    texts = [text.get_text() for text in ax.texts]
    assert "pile" in texts and "level bottom, 9 m" in texts


@pytest.mark.slow
def test_two_vehicles_that_cross_are_nearest_where_they_cross(tmp_path):
    """One north from (0, 0) at 1 m/s, one east from (50, -50) at 1 m/s, 3 m deeper: both at (50, 0) after 50 s."""
    logs = [straight(1.0, 0.0), straight(1.0, 90.0, (50.0, -50.0), depth=8.0)]
    t, away = distance_between(*logs)
    assert t[np.argmin(away)] == 50.0 and away.min() == pytest.approx(3.0, abs=1e-9)
    figure = plot_fleet(logs, tmp_path / "f.png")
    plan, distance = figure.axes
    assert line(plan, "auv 1") and line(plan, "auv 2")
    ring = next(item for item in plan.lines if str(item.get_label()).startswith("nearest"))
    np.testing.assert_allclose([ring.get_xdata()[0], ring.get_ydata()[0]], [0.0, 50.0], atol=1e-9)
    np.testing.assert_array_equal(distance.lines[0].get_ydata(), away)
    assert (tmp_path / "f.png").stat().st_size > 10_000


def test_a_fleet_of_one_is_a_plan_and_of_none_a_sentence(tmp_path):
    assert len(plot_fleet([straight(1.0, 0.0)], tmp_path / "f.png").axes) == 1
    with pytest.raises(PelagosError, match="at least one log"):
        plot_fleet([], tmp_path / "f.png")
