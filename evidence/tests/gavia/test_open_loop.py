"""The example of figure 3: what settles and what grows."""

from dataclasses import replace

import numpy as np
import pytest

from evidence.tests.checked import check_part, joined
from pelagos_evidence.claim import ClaimVerdict
from pelagos_evidence.gavia import open_loop


@pytest.fixture(scope="module")
def runs():
    return open_loop.compute(lambda done: None)


@pytest.mark.slow
def test_rows(runs):
    findings = open_loop.Findings(
        tuple(joined(open_loop, open_loop.values(runs))), (open_loop.growth_figure(runs), open_loop.speed_figure(runs))
    )
    check_part("gavia", "open-loop", findings)
    assert {"G2", "G3", "G5", "G14", "G19"} <= {key for claim in findings.claims for key in claim.proof.errata}


@pytest.mark.slow
def test_the_runs_are_those_of_the_example(runs):
    assert runs.theirs.shape == (50_001, 12)
    assert runs.theirs[0, 0] == runs.ours[0, 0] == 0.5
    assert runs.theirs[-1, 0] == pytest.approx(3.8 / 7.2, rel=1e-12)  # a linear system keeps its fixed point
    assert runs.ours[-1, 0] == pytest.approx(0.854, abs=1e-3)
    assert runs.author == pytest.approx(3.8 / 7.2, rel=0.02)  # flown: 1 N of buoyancy on 1 cm of GM pitches it
    assert np.abs(runs.theirs[:, [1, 3, 5, 9]]).max() == 0.0  # nothing sideways, so that the example shows no growth


def test_growth_in_the_run_is_that_of_the_eigenvalue(runs):
    """RK4 at 0.1 s multiplies by 1 + z + z2/2 + z3/6 + z4/24 a step, once the other motions have died out."""
    for name, first, last in ((open_loop.THEIRS, 1.0, 2.0), (open_loop.AS_PRINTED, 5.0, 8.0)):
        curve, z = runs.touched[name], 0.1 * runs.growth[name]
        i, j = round(first / 0.1), round(last / 0.1)
        measured = np.log(abs(curve[j, 1] / curve[i, 1])) / (last - first)
        assert measured == pytest.approx(np.log(1.0 + z + z**2 / 2.0 + z**3 / 6.0 + z**4 / 24.0) / 0.1, rel=1e-3)


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
    assert grown == pytest.approx(runs.growth[open_loop.THEIRS], rel=1e-3)  # Euler steps of 1e-4 s: 10.4^2 h/2


def test_a_set_that_grows_is_noticed(runs):
    bad = replace(runs, growth={**runs.growth, open_loop.OURS: 0.1}, level=runs.level * (1.0 + 1e-8))
    rows = {claim.key: claim.verdict for claim in joined(open_loop, open_loop.values(bad))}
    assert rows["our-set-stable"] is rows["settled-speed"] is ClaimVerdict.FAILED
    assert rows["stable"] is ClaimVerdict.REFUTED and rows["speed-for-rpm"] is ClaimVerdict.ASSUMED
    calm = replace(runs, growth={**runs.growth, open_loop.THEIRS: -0.1}, author=runs.ours[-1, 0])
    rows = {claim.key: claim.verdict for claim in joined(open_loop, open_loop.values(calm))}
    assert rows["stable"] is ClaimVerdict.REPRODUCED and rows["speed-for-rpm"] is ClaimVerdict.FAILED
    assert open_loop.time_to(runs.touched[open_loop.OURS], 1e-8) == float("inf")
