"""The figure of a metric: contents and axes of each panel."""

import numpy as np
import pytest
from pytest import approx

from pelagos.campaign.report.figures import draw_sheet
from pelagos.campaign.report.numbers import ReportData, metric_reports

pytest.importorskip("matplotlib")
pytest.importorskip("SALib")
RUNS = 64


def data(metric, **more):
    rng = np.random.default_rng(1)
    plan = {"a": rng.random(RUNS), "b": 10.0 ** rng.uniform(-1.0, 1.0, RUNS)}
    gone = np.zeros(RUNS, bool)
    gone[5] = True
    values = {"y": np.where(gone, np.nan, metric(plan["a"], plan["b"]))}
    fields = {"name": "made", "design": "random", "keys": ("a", "b"), "metrics": ("y",), "plan": plan, "values": values}
    return ReportData(**{**fields, "failed": gone, "finished": np.ones(RUNS, bool), "logarithmic": ("b",), **more})


def sheet(made):
    figure = draw_sheet(made, metric_reports(made, resamples=20)[0])
    return {ax.get_title(loc="left").partition(" (")[0].partition(":")[0]: ax for ax in figure.axes}


def test_a_number_is_shown_with_its_distribution_and_its_map():
    made = data(lambda a, b: a + 0.01 * b)
    axes = sheet(made)
    assert sum(bar.get_height() for bar in axes["63 runs"].patches if hasattr(bar, "get_height")) >= 63.0
    assert axes["along a"].get_xlabel() == "a" and axes["along a"].get_ylabel() == "y"
    dots = axes["over the two keys that matter most"]
    assert dots.get_ylabel() == "b" and dots.get_yscale() == "log" and dots.get_xscale() == "linear"
    crosses = [line for line in dots.lines if line.get_marker() == "x"]
    assert crosses[0].get_xdata() == approx(made.plan["a"][5:6])  # the run that failed, at its place


def test_a_probability_is_shown_along_both_keys_and_where_it_happens():
    made = data(lambda a, b: (a > 0.7).astype(float))
    axes = sheet(made)
    assert {"along a", "along b"} <= axes.keys() and axes["along b"].get_xscale() == "log"
    known = np.isfinite(made.values["y"])
    hits = int(made.values["y"][known].sum())
    filled = {line.get_label(): len(line.get_xdata()) for line in axes["where it happens"].lines}
    assert filled == {f"no ({63 - hits})": 63 - hits, f"yes ({hits})": hits}


def test_orders_of_magnitude_are_shown_on_a_logarithmic_axis():
    axes = sheet(data(lambda a, b: 10.0 ** (6.0 * a - 3.0)))
    assert axes["63 runs"].get_xscale() == "log" and axes["along a"].get_yscale() == "log"


def test_points_that_are_not_drawn_get_no_intervals():
    grid = sheet(data(lambda a, b: a, design="grid"))["along a"]
    drawn = sheet(data(lambda a, b: a))["along a"]
    words = [[text.get_text() for text in ax.get_legend().get_texts()] for ax in (grid, drawn)]
    assert "mean of a slice" in words[0] and "mean of a slice, 95 % interval" in words[1]
