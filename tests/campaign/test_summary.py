"""The summary of a campaign, for people and for programs."""

import json

import numpy as np
import pytest

from pelagos.campaign import run_campaign
from pelagos.campaign.summary import told
from tests.campaign.tiny import SURGE, tiny


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    """Some runs of which fail."""
    campaign = tiny(runs=12, vary=[{**SURGE, "low": 0.0, "high": 2.0}])
    return run_campaign(campaign, tmp_path_factory.mktemp("summary") / "out", workers=1)


def test_the_numbers_are_those_of_the_table(results):
    said = json.loads((results.folder / "summary.json").read_text())
    assert said == results.summary
    assert (said["planned"], said["finished"], said["failed"]) == (12, 12, results.failed) and results.failed > 0
    north, known = said["metrics"]["north_m"], results["north_m"][results.done]
    assert (
        north["runs"] == len(known)
        and north["max"] == known.max()
        and north["std"] == pytest.approx(np.std(known, ddof=1))
    )
    assert north["low"] < north["mean"] < north["high"] and not north["probability"]
    assert said["metrics"]["slow"]["probability"]
    assert sum(one["runs"] for one in said["failures"]) == results.failed


def test_people_read_it(results):
    text = told(results)
    assert text.startswith("tiny: 12 of 12 runs, complete\n") and f"{results.failed} failed:" in text
    assert "12 one by one" in text and "95% interval" in text
