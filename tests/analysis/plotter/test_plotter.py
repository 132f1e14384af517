"""The format of the Gavia notes is read and written, and its first two cases are drawn."""

import numpy as np
import pytest

from pelagos.analysis.plotter.plotter import (
    beam_angles,
    draw_against_x,
    draw_all,
    plot_case,
    plotter_columns,
    read_plotter,
    write_plotter,
)
from pelagos.errors import PelagosError
from pelagos.sim.log.log import Log
from tests.analysis.measured import sounded_log
from tests.sim.synthetic import synthetic_log

pytest.importorskip("matplotlib")
# as the notes print it: commas at the ends of lines, an empty line between them
PRINTED = "pitch, depth, range, pitch_rate, x_pos,\n\n0.0, 5.0, 50, 0.1, 0.0,\n\n-1.5,5.5,4.2e1,0.0,0.5\n"


@pytest.fixture
def data(tmp_path):
    (tmp_path / "data.txt").write_text(PRINTED)
    return tmp_path / "data.txt"


def test_the_printed_format_is_read(data):
    table = read_plotter(data)
    assert table.titles == ("pitch", "depth", "range", "pitch_rate", "x_pos")
    assert table.x_pos.tolist() == [0.0, 0.5]
    assert table["range"].tolist() == [50.0, 42.0]
    assert len(table) == 2


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("pitch, depth\n1, 2\n", "no column is called x_pos"),
        ("pitch, x_position\n1, 2\n", 'did you mean "x_position"'),
        ("x_pos, a\n1, 2\n\n1, 2, 3\n", "line 4: number of values = 3: expected 2"),
        ("x_pos, a\n1, 2\n1,\n", "line 3: number of values = 1: expected 2"),
        ("x_pos, a\n1, nan\n2, inf\n", 'line 3: column a = "inf": expected a finite number'),
        ("x_pos, a\n1, two\n", 'line 2: column a = "two": expected a finite number'),
        ("x_pos, a, a\n1, 2, 3\n", 'line 1: title = "a": expected titles that differ'),
        ("x_pos, , a\n1, 2, 3\n", 'line 1: title = "": expected titles that differ, none empty'),
        ("x_pos, a\n", "has titles but no data"),
        ("", "is empty; expected a line of titles"),
    ],
)
def test_bad_files_get_one_sentence(tmp_path, text, message):
    (tmp_path / "bad.txt").write_text(text)
    with pytest.raises(PelagosError, match=message) as caught:
        read_plotter(tmp_path / "bad.txt")
    assert "\n" not in str(caught.value) and "bad.txt" in str(caught.value)


def test_missing_and_unreadable_files_get_one_sentence(tmp_path):
    with pytest.raises(PelagosError, match="no such file"):
        read_plotter(tmp_path / "nowhere.txt")
    (tmp_path / "picture.txt").write_bytes(b"\xff\xd8\xff\xe0\x00")
    with pytest.raises(PelagosError, match="cannot be read as a table"):
        read_plotter(tmp_path / "picture.txt")


@pytest.mark.parametrize("case", [0, 4, "x", 1.5])
def test_there_are_three_cases(data, case):
    with pytest.raises(PelagosError, match="expected 1, 2 or 3"):
        plot_case(data, case)


@pytest.mark.slow
def test_case_one_has_a_panel_for_every_column(data, tmp_path):
    assert plot_case(data, 1) == [str(tmp_path / "data-1.png")]
    figure = draw_all(read_plotter(data), tmp_path / "a.png")
    shown = {ax.get_title(loc="left"): ax for ax in figure.axes if ax.axison}
    assert set(shown) == {"pitch", "depth", "range", "pitch_rate", "x_pos [m]"}
    assert shown["range"].lines[0].get_ydata().tolist() == [50.0, 42.0]
    assert shown["range"].lines[0].get_xdata().tolist() == [0.0, 1.0]  # the number of the sample
    assert shown["depth"].get_ylim()[0] > shown["depth"].get_ylim()[1]  # down is down


@pytest.mark.slow
def test_case_two_is_a_figure_of_each_column_against_x_pos(data, tmp_path):
    files = plot_case(data, "2", tmp_path / "fig.svg")
    assert [file.rpartition("/")[2] for file in files] == [
        "fig-pitch.svg",
        "fig-depth.svg",
        "fig-range.svg",
        "fig-pitch_rate.svg",
    ]
    (ax,) = draw_against_x(read_plotter(data), "range", tmp_path / "a.png").axes
    assert ax.get_xlabel() == "x_pos [m]"
    assert ax.lines[0].get_xdata().tolist() == [0.0, 0.5]
    with pytest.raises(PelagosError, match=r"frames is .*; only case 3 of the plotter has this option"):
        plot_case(data, 2, frames=3)


def test_a_run_is_written_in_the_format_and_reads_back(tmp_path):
    log = sounded_log()
    write_plotter(log, tmp_path / "run.txt", tilt_deg=30.0)
    first, second = (tmp_path / "run.txt").read_text().splitlines()[:2]
    assert first.startswith("time_s, x_pos, depth_m, pitch_deg, ") and first.endswith(",")
    assert second.count(",") == first.count(",")
    table = read_plotter(tmp_path / "run.txt")
    np.testing.assert_allclose(table.x_pos, 5.0 * log.time_s)  # 3 north and 4 east a second
    np.testing.assert_array_equal(table["bottom_m"], 20.0)
    assert [title for title in table.titles if title.startswith("beam")] == [
        "beam_-25.00_deg_m",  # the highest first, as the sonar numbers them
        "beam_-28.33_deg_m",
        "beam_-31.67_deg_m",
        "beam_-35.00_deg_m",
    ]
    for title in ("beam_-25.00_deg_m", "beam_-35.00_deg_m"):
        angle = np.radians(float(title.split("_")[1]))
        np.testing.assert_allclose(table[title], 10.0 / np.sin(-angle))  # held where nothing came
    np.testing.assert_array_equal(table["sonar_range_m"], table["beam_-35.00_deg_m"])  # the nearest


def test_x_pos_is_the_way_gone_where_a_run_comes_back():
    log = sounded_log(samples=41)
    there_and_back = np.concatenate([np.arange(21.0), np.arange(19.0, -1.0, -1.0)])
    log.columns["north_m"], log.columns["east_m"] = there_and_back, np.zeros(41)
    np.testing.assert_allclose(plotter_columns(log)["x_pos"], np.arange(41.0))


def test_a_log_of_ours_can_be_given_in_place_of_a_table(tmp_path):
    log = synthetic_log(5.0)
    log.to_csv(tmp_path / "run.csv")
    table = read_plotter(tmp_path / "run.csv")
    np.testing.assert_array_equal(table["depth_m"], log["depth_m"])
    assert not any(title.startswith("beam") for title in table.titles)  # it has no sonar
    with pytest.raises(PelagosError, match="empty"):
        write_plotter(Log({"time_s": np.zeros(0)}), tmp_path / "x.txt")
    with pytest.raises(PelagosError, match="cannot be written"):
        write_plotter(log, tmp_path / "nowhere" / "x.txt")


def test_the_beams_of_the_notes_are_spread_over_ten_degrees():
    np.testing.assert_allclose(beam_angles(4), [-5.0, -5.0 / 3.0, 5.0 / 3.0, 5.0])
    assert beam_angles(1).tolist() == [0.0]


def test_a_mark_at_the_beginning_of_the_file_is_no_part_of_the_title(tmp_path):
    (tmp_path / "bom.txt").write_bytes(b"\xef\xbb\xbfx_pos,depth\n1,2\n")
    assert read_plotter(tmp_path / "bom.txt").titles == ("x_pos", "depth")


@pytest.mark.slow
def test_a_single_sample_is_drawn_as_a_dot(tmp_path):
    (tmp_path / "one.txt").write_text("x_pos,depth\n1,2\n")
    assert all(len(plot_case(tmp_path / "one.txt", case)) >= 1 for case in (1, 2, 3))
    table = read_plotter(tmp_path / "one.txt")
    for figure in (draw_all(table, tmp_path / "a.png"), draw_against_x(table, "depth", tmp_path / "b.png")):
        assert figure.axes[0].lines[0].get_marker() == "o"
