"""Attempts for the tests of rows and figures of chapter 7: a few that were flown stand for all cases."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pelagos_evidence.royer.pilots import experiments
from pelagos_evidence.royer.pilots.experiments import BACK, CASES, HOVERED, OUT, follow, hover
from pelagos_evidence.royer.pilots.rows import Attempts


@pytest.fixture(scope="session")
def flown() -> Attempts:
    """One attempt by the top view with depth control stands for the cases that no test looks at."""
    by_key = {case.key: case for case in CASES}
    hovered, followed = hover(by_key["6"], 1), follow(by_key["6"], 1)
    hovering = {case.key: [replace(hovered, case=case)] * 2 for case in HOVERED}
    following = {case.key: [replace(followed, case=case)] for case in (*CASES, OUT)}
    hovering |= {case.key: [hover(case, 1)] for case in (by_key["4"], experiments.REAL_CONTROL)}
    following |= {case.key: [follow(case, 1)] for case in (by_key["7"], BACK, experiments.BACK_CAMERA)}
    return Attempts(hovering, following, *experiments.pulls())
