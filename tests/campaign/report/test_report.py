"""The report of a campaign: a complete page, numbers that follow from the runs, valid images."""

import io
import json

import numpy as np
import pytest
from pytest import approx

from pelagos.campaign.report.report import draw_report, report_summary
from pelagos.errors import CommandError
from tests.analysis.test_report import Page
from tests.campaign.made_results import KEYS, campaign, write

pytestmark = pytest.mark.slow  # the module makes its reports or runs every part once

pytest.importorskip("SALib")
pytest.importorskip("pyarrow")
Image = pytest.importorskip("PIL.Image")


@pytest.fixture(scope="module")
def reported(tmp_path_factory):
    """A campaign with two failed runs, reported with a limit and figures."""
    folder = tmp_path_factory.mktemp("made")
    plan = write(folder / "results", campaign(), failed=(3, 100))
    page = draw_report(folder / "results", folder / "out" / "made.html", figures=True, limits=["off_m > 5"])
    return plan, page


@pytest.fixture(scope="module")
def numbers(reported):
    return json.loads(reported[1].with_suffix(".json").read_text())


def test_the_page_is_complete_and_refers_to_nothing_outside(reported):
    text = reported[1].read_text()
    page = Page(text)
    assert len(page.ids) == len(set(page.ids))
    for target in page.refers:
        assert target.startswith("data:image/png;base64,") or target.removeprefix("#") in page.ids, target[:60]
    assert "http" not in text
    assert len(page.images) == 4  # two metrics, the limit, the failed runs
    assert "<the keys>" not in text and "run 3 <went>" not in text  # words are escaped
    assert "run 3 <went> wrong" in "".join(page.words)


def test_pictures_are_written_beside_the_page(reported):
    files = sorted((reported[1].parent / "figures").iterdir())
    assert [path.name for path in files] == ["failed.png", "hit.png", "off_m-above-5.png", "off_m.png"]
    for path in files:
        picture = Image.open(io.BytesIO(path.read_bytes()))
        assert picture.size == (1200, 760)
        assert len(np.unique(np.asarray(picture.convert("L")))) > 50  # something is drawn


def test_numbers_follow_from_the_runs(reported, numbers):
    plan, _ = reported
    kept = np.ones(128, bool)
    kept[[3, 100]] = False
    current, depth = (plan.columns[key][kept] for key in KEYS[:2])
    off = 4.0 * current + depth
    metric = numbers["metrics"]["off_m"]
    assert (numbers["planned"], numbers["finished"], numbers["failed"]) == (128, 128, 2)
    assert metric["kind"] == "number" and metric["runs"] == 126
    assert metric["mean"] == approx(off.mean()) and metric["quantiles"]["0.95"] == approx(np.quantile(off, 0.95))
    # the mean of the formula, 4, is inside: a Sobol sequence misses it by far less than draws would
    assert metric["interval"][0] < 4.0 < metric["interval"][1]
    hit = numbers["metrics"]["hit"]
    assert hit["kind"] == "probability" and hit["mean"] == approx((current > 0.75).mean())
    assert hit["interval"][0] < 0.25 < hit["interval"][1] and not hit["quantiles"]
    beyond = numbers["metrics"]["off_m > 5"]
    assert beyond["kind"] == "probability" and beyond["mean"] == approx((off > 5.0).mean())
    failed = numbers["metrics"]["failed"]
    assert failed["runs"] == 128 and failed["mean"] == approx(2.0 / 128.0)


def test_influence_follows_from_the_formula(numbers):
    metric = numbers["metrics"]["off_m"]["influence"]
    assert metric["order"][:2] == list(KEYS[:2])
    # variances 16/12 and 4/12; 2 / sqrt(126) is 0.18, and the runs are evenly spread
    assert metric["indices"]["S1"][KEYS[0]][0] == approx(0.8, abs=0.1)
    assert metric["indices"]["S1"][KEYS[1]][0] == approx(0.2, abs=0.1)
    assert metric["indices"]["rank"][KEYS[0]][0] == approx(np.sqrt(0.8), abs=0.05)
    assert metric["explained_by_ranks"] > 0.95
    assert numbers["metrics"]["hit"]["influence"]["order"][0] == KEYS[0]


def test_the_key_results_in_a_few_lines(reported, numbers):
    lines = report_summary(reported[1]).splitlines()
    assert [line.split("  ")[1] for line in lines] == list(numbers["metrics"])
    metric = numbers["metrics"]["hit"]
    assert f"probability {metric['mean']:.4g} ({metric['interval'][0]:.4g} to" in lines[1]
    assert f"depends most on {KEYS[0]}, {KEYS[1]}" in lines[0]


def test_a_report_is_the_same_twice(reported, tmp_path):
    results = reported[1].parents[1] / "results"
    again = draw_report(results, tmp_path, limits=["off_m > 5"])
    assert again == tmp_path / "report.html"
    assert again.read_text() == reported[1].read_text()
    assert not (tmp_path / "figures").exists()


def test_designs_for_sensitivity(tmp_path):
    uniform = [
        {"key": key, "low": low, "high": low + wide}
        for key, low, wide in zip(KEYS, (0, 1, 0.9), (1, 2, 0.2), strict=True)
    ]
    for method, runs in (("saltelli", 320), ("morris", 80)):
        write(tmp_path / method, campaign(method, runs, uniform))
        metric = json.loads(draw_report(tmp_path / method).with_suffix(".json").read_text())["metrics"]["off_m"]
        indices = metric["influence"]["indices"]
        if method == "saltelli":  # 64 blocks of five
            assert metric["runs"] == 128 and metric["influence"]["runs"] == 320  # A and B; all
            assert indices["ST"][KEYS[0]][0] == approx(0.8, abs=0.1)  # 1 / sqrt(64) is 0.12
            assert indices["ST"][KEYS[2]][0] == approx(0.0, abs=1e-12)  # it is not in the formula
        else:
            assert metric["interval"] == [None, None] and "trajectories" in metric["no_interval"]
            assert indices["mu_star"][KEYS[0]][0] == approx(4.0) and indices["mu_star"][KEYS[1]][0] == approx(2.0)


def test_a_grid_of_words_and_values(tmp_path):
    vary = [
        {"key": "control.kind", "values": ["autopilot", "sliding_mode"]},
        {"key": KEYS[0], "values": [0.0, 0.5, 1.0]},
    ]

    def metrics(values):
        slower = values["control.kind"] == "sliding_mode"
        return {"off_m": 1.0 + values[KEYS[0]] + 10.0 * slower, "hit": float(slower)}

    vary.append({"key": "seed", "values": [1, 2, 3]})
    write(tmp_path / "grid", campaign("grid", None, vary), metrics=metrics)
    page = draw_report(tmp_path / "grid")
    metric = json.loads(page.with_suffix(".json").read_text())["metrics"]
    assert metric["off_m"]["runs"] == 18 and metric["off_m"]["interval"] == [None, None]
    assert metric["off_m"]["influence"]["order"] == ["control.kind", KEYS[0]]  # the seed is no cause
    assert metric["hit"]["influence"]["indices"]["S1"]["control.kind"][0] == approx(1.0)
    assert "sliding_mode" in page.read_text()


def test_an_interrupted_campaign_is_reported_as_far_as_it_came(tmp_path):
    write(tmp_path / "cut", campaign(runs=64), upto=40)
    page = draw_report(tmp_path / "cut")
    assert "24 of 64 planned runs have not been made" in page.read_text()
    assert json.loads(page.with_suffix(".json").read_text())["metrics"]["off_m"]["runs"] == 40


def test_one_key_nothing_that_changes_and_few_runs(tmp_path):
    vary = [{"key": KEYS[0], "low": 0.0, "high": 0.5}]
    write(tmp_path / "one", campaign("random", 40, vary), metrics=lambda values: {"off_m": values[KEYS[0]], "hit": 0.0})
    metric = json.loads(draw_report(tmp_path / "one").with_suffix(".json").read_text())["metrics"]
    assert metric["hit"]["influence"]["reason"] == "it is 0 in every run"
    # Wilson's upper end of 0 of 40: z^2 / (n + z^2)
    assert metric["hit"]["interval"] == approx([0.0, 1.959964**2 / (40.0 + 1.959964**2)], abs=1e-6)
    write(tmp_path / "few", campaign("random", 3))
    few = json.loads(draw_report(tmp_path / "few").with_suffix(".json").read_text())["metrics"]["off_m"]
    assert few["influence"]["reason"].startswith("3 runs are finished")


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (
            {"limits": ["of_m > 5"]},
            "metric of the limit 'of_m > 5' is 'of_m'; expected one of off_m, hit; did you mean \"off_m\"?",
        ),
        ({"limits": ["off_m = 5"]}, "expected a metric, < or >, and a number"),
        ({"limits": ["off_m > deep"]}, "expected a metric, < or >, and a number"),
        ({"confidence": 95.0}, "confidence is 95; expected a number from 0.5 to below 1"),
    ],
)
def test_wrong_requests_are_refused_with_a_sentence(reported, more, message):
    with pytest.raises(CommandError) as problem:
        draw_report(reported[1].parents[1] / "results", **more)
    assert message in str(problem.value)


def test_a_folder_that_is_none_and_one_without_runs(tmp_path):
    with pytest.raises(CommandError, match="not the folder of a campaign"):
        draw_report(tmp_path)
    write(tmp_path / "none", campaign(), upto=0)
    with pytest.raises(CommandError, match="no run of this campaign is finished yet"):
        draw_report(tmp_path / "none")
