"""The example of figure 3: what settles and what grows."""

from dataclasses import replace

import numpy as np
import pytest

from pelagos.reproduce.claim import Verdict
from pelagos.reproduce.gavia import open_loop
from tests.reproduce.checked import check_rows


@pytest.fixture(scope="module")
def runs():
    return open_loop.compute(lambda done: None)


def test_rows(runs):
    findings = open_loop.Findings(
        tuple(open_loop.claims(runs)), (open_loop.growth_figure(runs), open_loop.speed_figure(runs))
    )
    check_rows("gavia", findings)
    assert {"G2", "G3", "G5", "G14", "G19"} <= {key for claim in findings.claims for key in claim.proof.errata}


def test_the_runs_are_those_of_the_example(runs):
    assert runs.theirs.shape == (50_001, 12)
    assert runs.theirs[0, 0] == runs.ours[0, 0] == 0.5
    assert runs.theirs[-1, 0] == pytest.approx(0.528, abs=5e-4)
    assert runs.ours[-1, 0] == pytest.approx(0.854, abs=1e-3)
    assert np.abs(runs.theirs[:, [1, 3, 5, 9]]).max() == 0.0  # nothing sideways, so that the example shows no growth


def test_growth_by_another_way(runs):
    """The largest eigenvalue by power iteration on the exponential of the sideways block, not by eigvals."""
    a, _ = open_loop.printed.frozen_system(
        open_loop.printed.mass(open_loop.printed.DIAGONAL), open_loop.printed.restoring(45.35)
    )
    block = a[np.ix_(open_loop.printed.SIDEWAYS, open_loop.printed.SIDEWAYS)]
    step = np.eye(4)
    for _ in range(20):
        step = step @ (np.eye(4) + block * 1e-4)
    x = np.ones(4)
    for _ in range(4000):
        x = step @ x
        x /= np.linalg.norm(x)
    grown = np.log(np.linalg.norm(step @ x)) / 20e-4
    assert grown == pytest.approx(runs.growth["the notes' numbers"], rel=1e-3)  # Euler steps of 1e-4 s: 10.4^2 h/2


def test_a_set_that_grows_is_noticed(runs):
    bad = replace(runs, growth={**runs.growth, "our set": 0.1}, ours=runs.ours * 1.01)
    rows = {claim.key: claim.verdict for claim in open_loop.claims(bad)}
    assert rows["our-set-stable"] is rows["settled-speed"] is Verdict.FAILED
    assert open_loop.time_to(runs.touched["our set"], 1e-8) == float("inf")
