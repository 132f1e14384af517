"""Attempts for the tests of rows and figures of chapter 7: a few that were flown stand for all cases."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pelagos_evidence.royer.pilots.experiments import (
    BACK,
    BACK_CAMERA,
    CASES,
    HOVER_NORTH_UP,
    LATE,
    OUT,
    REAL_CONTROL,
    follow,
    held_on_cable,
    hover,
    hover_task,
    pipe_task,
)
from pelagos_evidence.royer.pilots.rows import Attempts


@pytest.fixture(scope="session")
def flown() -> Attempts:
    """One attempt by the top view with depth control stands for those that are not looked at by themselves."""
    by_key = {case.key: case for case in CASES}
    hovered, followed = hover(by_key["6"], 1), follow(by_key["6"], 1)
    hovering = {case.key: [replace(hovered, case=case)] * 2 for case in (*CASES, HOVER_NORTH_UP, *LATE)}
    following = {case.key: [replace(followed, case=case)] for case in (*CASES, OUT)}
    hovering |= {case.key: [hover(case, 1)] for case in (by_key["4"], REAL_CONTROL)}
    following |= {case.key: [follow(case, 1)] for case in (by_key["7"], BACK, BACK_CAMERA)}
    pull, aside = (held_on_cable(task.start)[1] for task in (hover_task(), pipe_task(back=False)))
    return Attempts(hovering, following, pull, aside)
