"""The pages that a log has, and the files of a set."""

import xml.etree.ElementTree as ET

import numpy as np
import pytest

from pelagos.analysis.pages.pages import PAGES, draw_page, draw_set, pages
from pelagos.errors import PelagosError
from pelagos.sim.log.log import Log
from tests.analysis.measured import measured_log
from tests.analysis.pages.test_tether import tethered_log
from tests.sim.synthetic import synthetic_log

pytest.importorskip("matplotlib")


def test_a_log_has_the_pages_whose_columns_it_has():
    assert pages(measured_log(10.0)) == [name for name in PAGES if name != "tether"]
    assert pages(synthetic_log(5.0)) == ["mission", "plan", "depth", "attitude", "speed", "actuators", "forces"]
    assert "tether" in pages(tethered_log())
    assert pages(Log({"time_s": np.arange(3.0), "north_m": np.zeros(3), "east_m": np.zeros(3)})) == []
    assert pages(Log({"time_s": np.zeros(0)})) == []


def test_columns_of_nothing_but_nan_count_as_missing():
    log = measured_log(10.0)
    for name in ("cross_track_m", "goal_north_m", "est_north_m"):
        log.columns[name] = np.full(len(log), np.nan)
    assert {"guidance", "estimate"}.isdisjoint(pages(log))


@pytest.mark.slow
def test_a_set_is_a_file_for_each_page_and_format(tmp_path):
    log = measured_log(10.0)
    files = draw_set(log, tmp_path / "run", ("png", "svg"), names=("plan", "depth"))
    assert [file.rpartition("/")[2] for file in files] == [
        "run-plan.png",
        "run-plan.svg",
        "run-depth.png",
        "run-depth.svg",
    ]
    assert (tmp_path / "run-plan.png").read_bytes().startswith(b"\x89PNG")
    assert ET.parse(tmp_path / "run-depth.svg").getroot().tag.endswith("svg")


@pytest.mark.slow
def test_every_page_draws(tmp_path):
    files = draw_set(measured_log(20.0), tmp_path / "run")
    assert len(files) == len(PAGES) - 1
    assert all((tmp_path / name.rpartition("/")[2]).stat().st_size > 8_000 for name in files)


@pytest.mark.slow
def test_equal_logs_make_equal_svg(tmp_path):
    for name in ("a.svg", "b.svg"):
        draw_page(measured_log(10.0), "depth", tmp_path / name)
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()


@pytest.mark.slow
def test_a_long_run_draws_few_points(tmp_path):
    """An hour at 10 Hz: no line has more points than pixels can show, and the deepest sample is still there."""
    log = measured_log(3600.0)
    log.columns["depth_m"][17_171] = 77.0
    figure = draw_page(log, "depth", tmp_path / "d.svg")
    assert max(len(line.get_xdata()) for ax in figure.axes for line in ax.lines) < 2_500
    assert max(np.nanmax(line.get_ydata()) for line in figure.axes[1].lines) == 77.0
    assert (tmp_path / "d.svg").stat().st_size < 600_000


@pytest.mark.parametrize(
    ("name", "message"),
    [("plann", 'did you mean "plan"'), ("xyzzy", "expected one of mission"), ("tether", "no columns for the page")],
)
def test_pages_that_are_not_there_get_one_sentence(tmp_path, name, message):
    with pytest.raises(PelagosError, match=message) as caught:
        draw_page(measured_log(5.0), name, tmp_path / "a.png")
    assert "\n" not in str(caught.value)


def test_a_bad_format_and_an_empty_log_get_one_sentence(tmp_path):
    with pytest.raises(PelagosError, match="format is 'bmp'; expected one of png, svg, pdf"):
        draw_set(measured_log(5.0), tmp_path / "a", ("bmp",))
    with pytest.raises(PelagosError, match="empty"):
        draw_set(Log({"time_s": np.zeros(0)}), tmp_path / "a")
    with pytest.raises(PelagosError, match="empty"):
        draw_page(Log({"time_s": np.zeros(0)}), "plan", tmp_path / "a.png")
