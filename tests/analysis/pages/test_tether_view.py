"""The page of the tether draws what the log holds, in words, and the world about it where that is known."""

import importlib.util

import numpy as np
import pytest

from pelagos.analysis.pages.tether import INSTANTS, plot_tether, shapes
from pelagos.analysis.plots import draw_pages, plot_columns
from pelagos.errors import PelagosError
from pelagos.tether.spec import Status
from pelagos.world.spec import World
from pelagos.world.structure import Structure
from tests.analysis.pages.test_tether import tethered_log
from tests.sim.synthetic import synthetic_log

pytestmark = pytest.mark.skipif(importlib.util.find_spec("matplotlib") is None, reason="matplotlib is optional")
PNG = b"\x89PNG\r\n\x1a\n"
COLUMN = Structure(kind="cylinder", name="column", from_m=(1.0, 1.0, 0.0), to_m=(1.0, 1.0, 9.0), radius_m=0.5)


def panels(figure):
    return {ax.get_title(loc="left").split(",")[0].split(" [")[0]: ax for ax in figure.axes}


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


def test_the_elevation_is_seen_across_the_longest_spread(tmp_path):
    """A cable in one vertical plane keeps its whole horizontal length there."""
    log = tethered_log()
    for i in range(21):
        log.columns[f"tether_{i:02d}_north_m"] = 0.75 * log[f"tether_{i:02d}_east_m"]
    ax = panels(plot_tether(log, tmp_path / "t.png"))["elevation"]
    end = next(line for line in ax.lines if line.get_label() == "10 s").get_xdata()[-1]
    assert end == pytest.approx(1.25 * log["tether_20_east_m"][-1], rel=1e-9)
    assert "towards 53°" in ax.get_xlabel()  # atan2(1, 0.75)


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


def test_pages_of_a_run_with_a_tether_are_two(tmp_path):
    path = str(tmp_path / "run.png")
    assert draw_pages(tethered_log(), path) == [path, str(tmp_path / "run-tether.png")]
    assert draw_pages(synthetic_log(5.0), path) == [path]
    assert draw_pages(tethered_log(), path, ["depth_m"]) == [path]
    assert len(plot_columns(tethered_log(), ["tether"], path).axes) == 6
    assert draw_pages(tethered_log(), path, ["tether"], world=World()) == [path]


def test_a_log_without_a_tether_is_refused_in_one_sentence(tmp_path):
    with pytest.raises(PelagosError, match="no tether to draw") as caught:
        plot_tether(synthetic_log(1.0), tmp_path / "t.png")
    assert "\n" not in str(caught.value)


def test_a_vehicle_at_the_ship_and_one_sample_are_drawn(tmp_path):
    """No spread and an endless ratio: nothing fails."""
    log = tethered_log().between(0.0, 0.0)
    assert not np.isfinite(log["tether_ratio"]).any()
    assert len(plot_tether(log, tmp_path / "t.png").axes) == 6


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
