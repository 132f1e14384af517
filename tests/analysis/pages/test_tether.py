"""The tether page and summary: recorded shapes, every status in words, durations that add up."""

import importlib.util

import numpy as np
import pytest

from pelagos.analysis.pages.tether import (
    INSTANTS,
    WORDS,
    has_tether,
    plot_tether,
    shapes,
    spans,
    status_masks,
    tether_summary,
)
from pelagos.analysis.plots import draw_pages, plot_columns
from pelagos.analysis.summary import summarise
from pelagos.errors import PelagosError
from pelagos.sim.log.log import Log
from pelagos.sim.tether import POINTS, TETHER_COLUMNS
from pelagos.tether.spec import Status
from pelagos.world.spec import World
from pelagos.world.structure import Structure
from tests.sim.synthetic import synthetic_log

needs_matplotlib = pytest.mark.skipif(importlib.util.find_spec("matplotlib") is None, reason="matplotlib is optional")
PNG = b"\x89PNG\r\n\x1a\n"
COLUMN = Structure(kind="cylinder", name="column", from_m=(1.0, 1.0, 0.0), to_m=(1.0, 1.0, 9.0), radius_m=0.5)


def tethered_log(seconds=10.0, status=0):
    """The synthetic dive on a straight cable from a ship at the origin; status may be one for all or one a sample."""
    log = synthetic_log(seconds)
    n = len(log)
    vehicle = np.column_stack([log["north_m"], log["east_m"], log["depth_m"]])
    share = np.linspace(0.0, 1.0, POINTS)
    points = share[np.newaxis, :, np.newaxis] * vehicle[:, np.newaxis, :]
    distance = np.linalg.norm(vehicle, axis=1)
    with np.errstate(divide="ignore"):
        first = {
            "tether_length_m": np.full(n, 30.0), "tether_ratio": 30.0 / distance, "tether_rate_m_s": np.zeros(n),
            "tether_tension_N": 10.0 + log.time_s, "tether_ship_tension_N": 5.0 + 0.5 * log.time_s,
            "tether_status": np.broadcast_to(status, n), "tether_wrap_deg": np.zeros(n),
            "tether_aground_m": np.zeros(n),
        }  # fmt: skip
    columns = dict(zip(TETHER_COLUMNS, [*first.values(), *points.reshape(n, -1).T], strict=True))
    assert set(first) <= set(columns)
    return Log({**log.columns, **columns}, {**log.meta, "water_depth_m": 12.0, "seabed": "flat"}, log.forces)


def test_every_status_has_a_word():
    assert set(WORDS) == {flag for flag in Status if flag}
    assert len(set(WORDS.values())) == len(WORDS)


def test_a_log_without_a_tether_has_no_summary():
    assert not has_tether(synthetic_log(1.0))
    assert tether_summary(synthetic_log(1.0)) == []
    assert "tether" not in summarise(synthetic_log(1.0))


def test_shapes_are_the_recorded_points():
    log = tethered_log()
    points = shapes(log)
    assert points.shape == (len(log), POINTS, 3)
    np.testing.assert_array_equal(points[:, -1, 2], log["tether_20_depth_m"])
    np.testing.assert_array_equal(points[:, 7, 1], log["tether_07_east_m"])


def test_bits_become_words_and_times():
    time = synthetic_log(10.0).time_s
    status = np.where(time > 4.95, float(Status.SLACK | Status.SNAGGED), float(Status.SNAGGED))
    masks = status_masks(tethered_log(status=status))
    assert set(masks) == {"slack", "snagged"}
    assert list(spans(time, masks["snagged"])) == [pytest.approx((0.0, 10.0))]
    assert list(spans(time, masks["slack"])) == [pytest.approx((4.9, 5.1))]  # the interval before its first sample too


def test_separate_times_stay_separate():
    time = np.arange(7.0)
    there = np.array([False, True, False, False, True, True, False])
    assert list(spans(time, there)) == [(0.0, 1.0), (3.0, 2.0)]
    assert list(spans(time, np.zeros(7, dtype=bool))) == []
    assert list(spans(time, np.arange(7) == 0)) == [(0.0, 0.0)]  # at the start: nothing before it


def test_the_summary_has_tension_status_and_wrap():
    log = tethered_log(status=float(Status.TAUT))
    log.columns["tether_wrap_deg"] = np.linspace(0.0, 95.0, len(log))
    text = summarise(log)
    assert "tether of 30 m: largest tension 20 N at the vehicle, 10 N at the ship, t = 10.0 s" in text
    assert "of the time it was taut 100 %" in text
    assert "turned round a structure by up to 95 deg, 95 deg at the end" in text
    few = tethered_log(status=np.where(np.arange(101) == 50, float(Status.OVERLOAD), 0.0))
    assert "overload below 1 %" in summarise(few)


def test_long_lines_are_broken():
    log = tethered_log(status=float(sum(flag for flag in Status)))
    assert max(len(line) for line in summarise(log).splitlines()) <= 100
    assert all(word in " ".join(" ".join(tether_summary(log)).split()) for word in WORDS.values())


def panels(figure):
    return {ax.get_title(loc="left").split(",")[0].split(" [")[0]: ax for ax in figure.axes}


@pytest.mark.slow
@needs_matplotlib
def test_the_page_draws_the_shapes_of_the_log(tmp_path):
    log = tethered_log()
    drawn = panels(plot_tether(log, tmp_path / "t.png"))
    assert (tmp_path / "t.png").read_bytes().startswith(PNG)
    assert set(drawn) == {"plan", "elevation", "tension", "status", "length paid out", "length over distance"}
    cables = [line for line in drawn["plan"].lines if str(line.get_label()).endswith(" s")]
    assert [line.get_label() for line in cables] == ["0 s", "2 s", "4 s", "6 s", "8 s", "10 s"]
    assert len(cables) == INSTANTS
    np.testing.assert_array_equal(cables[-1].get_xdata(), shapes(log)[-1, :, 1])  # east
    np.testing.assert_array_equal(cables[-1].get_ydata(), shapes(log)[-1, :, 0])  # north
    side = [line for line in drawn["elevation"].lines if str(line.get_label()).endswith(" s")]
    np.testing.assert_array_equal(side[2].get_ydata(), shapes(log)[40, :, 2])
    assert drawn["elevation"].get_ylim()[0] > drawn["elevation"].get_ylim()[1]  # down is down


@pytest.mark.slow
@needs_matplotlib
def test_the_elevation_is_seen_across_the_longest_spread(tmp_path):
    """A cable in one vertical plane keeps its whole horizontal length there."""
    log = tethered_log()
    for i in range(21):
        log.columns[f"tether_{i:02d}_north_m"] = 0.75 * log[f"tether_{i:02d}_east_m"]
    ax = panels(plot_tether(log, tmp_path / "t.png"))["elevation"]
    end = next(line for line in ax.lines if line.get_label() == "10 s").get_xdata()[-1]
    assert end == pytest.approx(1.25 * log["tether_20_east_m"][-1], rel=1e-9)
    assert "towards 53°" in ax.get_xlabel()  # atan2(1, 0.75)


@pytest.mark.slow
@needs_matplotlib
def test_tensions_and_status_are_drawn_in_words(tmp_path):
    log = tethered_log(status=np.where(np.arange(101) > 50, float(Status.SNAGGED | Status.OVERLOAD), 0.0))
    log.columns["tether_wrap_deg"] = np.linspace(0.0, 80.0, 101)
    drawn = panels(plot_tether(log, tmp_path / "t.png"))
    by_label = {line.get_label(): line for line in drawn["tension"].lines}
    np.testing.assert_array_equal(by_label["at the vehicle"].get_ydata(), log["tether_tension_N"])
    np.testing.assert_array_equal(by_label["at the ship"].get_ydata(), log["tether_ship_tension_N"])
    words = [label.get_text() for label in drawn["status"].get_yticklabels()]
    assert words == ["overload", "snagged,\nup to 80°"]
    calm = panels(plot_tether(tethered_log(), tmp_path / "c.png"))["status"]
    assert [text.get_text() for text in calm.texts] == ["nothing to report"]


@pytest.mark.slow
@needs_matplotlib
def test_bottom_and_structures_of_a_world_are_drawn(tmp_path):
    log = tethered_log()
    alone = panels(plot_tether(log, tmp_path / "a.png"))
    assert any(np.allclose(np.asarray(line.get_ydata()), 12.0) for line in alone["elevation"].lines)  # as the log says
    world = World(depth_m=9.0, structures=(COLUMN,))
    drawn = panels(plot_tether(log, tmp_path / "b.png", world=world))
    assert any(np.allclose(np.asarray(line.get_ydata()), 9.0) for line in drawn["elevation"].lines)
    assert len(drawn["plan"].collections) == len(alone["plan"].collections) + 1
    ring = drawn["plan"].collections[-1].get_paths()[0].vertices
    np.testing.assert_allclose(np.hypot(ring[:, 0] - 1.0, ring[:, 1] - 1.0), 0.5, rtol=1e-6)  # hull points are rounded


@pytest.mark.slow
@needs_matplotlib
def test_pages_of_a_run_with_a_tether_are_two(tmp_path):
    path = str(tmp_path / "run.png")
    assert draw_pages(tethered_log(), path) == [path, str(tmp_path / "run-tether.png")]
    assert draw_pages(synthetic_log(5.0), path) == [path]
    assert draw_pages(tethered_log(), path, ["depth_m"]) == [path]
    assert len(plot_columns(tethered_log(), ["tether"], path).axes) == 6
    assert draw_pages(tethered_log(), path, ["tether"], world=World()) == [path]


@needs_matplotlib
def test_a_log_without_a_tether_is_refused_in_one_sentence(tmp_path):
    with pytest.raises(PelagosError, match="no tether to draw") as caught:
        plot_tether(synthetic_log(1.0), tmp_path / "t.png")
    assert "\n" not in str(caught.value)


@pytest.mark.slow
@needs_matplotlib
def test_a_vehicle_at_the_ship_and_one_sample_are_drawn(tmp_path):
    """No spread and an endless ratio: nothing fails."""
    log = tethered_log().between(0.0, 0.0)
    assert not np.isfinite(log["tether_ratio"]).any()
    assert len(plot_tether(log, tmp_path / "t.png").axes) == 6


@pytest.mark.slow
@needs_matplotlib
def test_a_parted_tether_is_drawn_as_long_as_it_has_a_shape(tmp_path):
    log = tethered_log(status=np.where(np.arange(101) > 50, float(Status.PARTED), 0.0))
    for i in range(21):
        for axis in ("north", "east", "depth"):
            name = f"tether_{i:02d}_{axis}_m"
            log.columns[name] = np.where(np.arange(101) > 50, np.nan, log[name])
    drawn = panels(plot_tether(log, tmp_path / "t.png"))
    labels = [line.get_label() for line in drawn["plan"].lines if str(line.get_label()).endswith(" s")]
    assert labels == ["0 s", "1 s", "2 s", "3 s", "4 s", "5 s"]
    log.columns["tether_20_north_m"] = np.full(101, np.nan)
    with pytest.raises(PelagosError, match="no shape to draw"):
        plot_tether(log, tmp_path / "t.png")
