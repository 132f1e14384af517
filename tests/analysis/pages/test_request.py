"""A plot request draws plotter cases, pages, columns or a report."""

import pytest

from pelagos.analysis.pages.request import draw_request
from pelagos.analysis.plotter.plotter import write_plotter
from pelagos.errors import PelagosError
from tests.analysis.measured import measured_log, sounded_log
from tests.analysis.pages.test_tether import tethered_log

pytest.importorskip("matplotlib")


@pytest.fixture
def run(tmp_path):
    measured_log(5.0).to_csv(tmp_path / "run.csv")
    return tmp_path / "run.csv"


def names(files):
    return [file.rpartition("/")[2] for file in files]


@pytest.mark.slow
def test_without_arguments_the_mission_page_and_the_tether_are_drawn(run, tmp_path):
    assert names(draw_request(run)) == ["run.png"]
    tethered_log().to_csv(tmp_path / "rov.csv")
    assert names(draw_request(tmp_path / "rov.csv", form="svg")) == ["rov.svg", "rov-tether.svg"]


@pytest.mark.slow
def test_arguments_are_pages_or_columns(run, tmp_path):
    assert names(draw_request(run, ["plan"])) == ["run.png"]
    assert names(draw_request(run, ["plan", "depth"], form="svg")) == ["run-plan.svg", "run-depth.svg"]
    assert names(draw_request(run, ["depth_m", "heading_deg"], out=tmp_path / "two.pdf")) == ["two.pdf"]
    assert (tmp_path / "two.pdf").read_bytes().startswith(b"%PDF")


@pytest.mark.slow
def test_a_number_is_a_case_of_the_plotter(tmp_path):
    write_plotter(sounded_log(samples=5), tmp_path / "data.txt")
    assert names(draw_request(tmp_path / "data.txt", ["1"])) == ["data-1.png"]
    files = draw_request(tmp_path / "data.txt", ["3"], out=tmp_path / "f.png", frames=2, movie_frames=0)
    assert names(files) == ["f-01.png", "f-02.png"]


@pytest.mark.slow
def test_a_report_stands_alone_or_beside_figures(run):
    assert names(draw_request(run, report=True)) == ["run.html"]
    assert names(draw_request(run, ["speed"], report=True)) == ["run.html", "run.png"]


@pytest.mark.parametrize(
    ("words", "how", "message"),
    [
        (["4"], {}, "case is '4'; expected 1, 2 or 3"),
        (["-1"], {}, "case is '-1'; expected 1, 2 or 3"),
        (["plan", "depth_m"], {}, "'depth_m' is no page and 'plan' is one"),
        (["dept_m"], {}, 'did you mean "depth_m"'),
        (["plan"], {"form": "bmp"}, "format is 'bmp'"),
        (["1"], {"report": True}, "a report is made of a log"),
        (["plan"], {"frames": 3}, "frames is 3; only case 3 of the plotter has this option"),
    ],
)
def test_bad_requests_get_one_sentence(run, words, how, message):
    with pytest.raises(PelagosError, match=message) as caught:
        draw_request(run, words, **how)
    assert "\n" not in str(caught.value)


def test_a_table_without_its_case_is_refused(tmp_path):
    write_plotter(sounded_log(samples=5), tmp_path / "data.txt")
    with pytest.raises(PelagosError, match="expected its case as well: 1, 2 or 3"):
        draw_request(tmp_path / "data.txt")
    with pytest.raises(PelagosError, match="nowhere"):
        draw_request(tmp_path / "nowhere.csv")
