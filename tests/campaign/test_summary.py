"""The summary of a campaign, as text and as JSON."""

import json
import math

import numpy as np
import pytest

from pelagos.campaign import load_results, run_campaign
from pelagos.campaign.report.numbers import metric_reports, report_data
from pelagos.campaign.report.report import report_numbers
from pelagos.campaign.summary import summary_text
from tests.campaign import made_results
from tests.campaign.tiny import SURGE, tiny


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    """Some runs of which fail."""
    campaign = tiny(runs=12, vary=[{**SURGE, "low": 0.0, "high": 2.0}])
    return run_campaign(campaign, tmp_path_factory.mktemp("summary") / "out", workers=1)


def test_the_numbers_are_those_of_the_table(results):
    summary = json.loads((results.folder / "summary.json").read_text())
    assert summary == results.summary
    assert (summary["planned"], summary["finished"], summary["failed"]) == (
        12,
        12,
        results.failed,
    ) and results.failed > 0
    north, known = summary["metrics"]["north_m"], results["north_m"][results.done]
    assert (
        north["runs"] == len(known)
        and north["max"] == known.max()
        and north["std"] == pytest.approx(np.std(known, ddof=1))
    )
    assert north["low"] < north["mean"] < north["high"] and not north["probability"]
    assert summary["metrics"]["slow"]["probability"]
    assert sum(failure["runs"] for failure in summary["failures"]) == results.failed


def test_the_text_has_names_values_and_intervals(results):
    text = summary_text(results)
    assert text.startswith("tiny: 12 of 12 runs, complete\n") and f"{results.failed} failed:" in text
    assert "12 one by one" in text and "95% interval" in text


GRID = [{"key": key, "low": 0.5, "high": 2.0, "points": 3} for key in made_results.KEYS]
LOOK = {"metric": "off_m", "half_width": 1e-9, "confidence": 0.8}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("given", "counted"),
    [
        ({"method": "saltelli", "runs": 80}, 32),  # the rows A and B of 16 blocks of 5
        ({"method": "saltelli", "runs": 64, "second_order": True}, 16),
        ({"method": "grid", "runs": None, "vary": GRID}, 27),
        ({"method": "morris", "runs": 24, "vary": GRID}, 24),
        ({"method": "random", "runs": 24, "stop": LOOK}, 24),
    ],
    ids=["saltelli", "second-order", "grid", "morris", "stop"],
)
def test_all_outputs_show_the_same_interval_or_none(tmp_path, given, counted):
    made_results.write(tmp_path, made_results.campaign(**given))
    results = load_results(tmp_path)
    data = report_data(results)
    level = results.summary["confidence"]
    report = report_numbers(data, metric_reports(data, confidence=level), level)
    console = summary_text(results).splitlines()
    chosen = given["method"] in ("grid", "morris")
    assert level == (0.8 if "stop" in given else 0.95)
    for name in results.metrics:
        mean, kept, page = results.interval(name), results.summary["metrics"][name], report["metrics"][name]
        ends = [mean.low if math.isfinite(mean.low) else None, mean.high if math.isfinite(mean.high) else None]
        assert [kept["low"], kept["high"]] == page["interval"] == ends
        assert (ends == [None, None]) == chosen
        assert mean.n == kept["runs"] == page["runs"] == counted
        assert mean.mean == kept["mean"] == page["mean"]
        assert mean.why == kept["no_interval"] == page["no_interval"] and bool(mean.why) == chosen
        shown = "-" if chosen else f"{mean.low:.4g} to {mean.high:.4g}"
        assert any(line.startswith(f"  {name} ") and f" {shown} " in line for line in console)
    assert any("no interval: " in line for line in console) == chosen
    assert data.confidence == level  # of the report, unless it is given another
