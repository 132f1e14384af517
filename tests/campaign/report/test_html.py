"""The HTML page of a report is complete and escaped, with a dash for unknown numbers."""

import math

import numpy as np
import pytest

from pelagos.campaign.report.html import MOST_FAILED, campaign_html, number
from pelagos.campaign.report.numbers import ReportData, metric_reports
from tests.analysis.test_report import Page

pytest.importorskip("SALib")


def page_of(**more):
    x = np.random.default_rng(1).random(64)
    fields = {
        "name": "a & b", "design": "random", "keys": ("<key>",), "metrics": ("y",), "plan": {"<key>": x},
        "values": {"y": 2.0 * x}, "failed": np.zeros(64, bool), "finished": np.ones(64, bool),
    }  # fmt: skip
    data = ReportData(**{**fields, **more})
    reports = metric_reports(data, resamples=10)
    return Page(campaign_html(data, reports, {report.metric: b"png" for report in reports}, 0.95))


def test_the_page_closes_its_tags_and_escapes_its_words():
    page = page_of(text='name = "<x>"')
    words = "".join(page.words)
    assert "a & b" in words and "<key>" in words and 'name = "<x>"' in words
    assert {"answers", "m-y", "keys", "file"} <= set(page.ids) and "failed" not in page.ids


def test_missing_numbers_are_shown():
    half = np.arange(64) < 32
    page = page_of(finished=half, values={"y": np.where(half, 1.0 + np.arange(64), np.nan)})
    assert "32 of 64 planned runs have not been made" in "".join(page.words)
    same = page_of(values={"y": np.full(64, 3.0)})
    assert "No influence can be told: it is 3 in every run." in "".join(same.words)


def test_the_first_of_many_failed_runs_are_listed():
    gone = np.arange(64) < MOST_FAILED + 7
    page = page_of(failed=gone, values={"y": np.where(gone, np.nan, np.arange(64.0))}, messages={0: "it <sank>"})
    words = "".join(page.words)
    assert "it <sank>" in words and "and 7 more." in words


def test_numbers_have_four_digits():
    assert [number(value) for value in (0.123456, 12345.6, math.nan, math.inf)] == ["0.1235", "1.235e+04", "-", "-"]
