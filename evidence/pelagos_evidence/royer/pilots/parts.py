"""Parts of Royer's chapter 7: the experiments, flown by a simulated pilot."""

from __future__ import annotations

from collections.abc import Mapping

from pelagos_evidence.document import Findings, Progress
from pelagos_evidence.royer.pilots import experiments, rows
from pelagos_evidence.royer.pilots.curves import example, hover_curves, out_and_back, pipe_curves, summary
from pelagos_evidence.royer.pilots.experiments import BACK, BACK_CAMERA, CASES, HOVERED, OUT, REAL_CONTROL

# Seeds below 800 served to work the model out, 801 to 824 to see how many attempts a comparison needs; those reported
# are others, and count as they came.
FIRST_SEED = 901
ATTEMPTS = 60  # of each case of a comparison
HOVER_ATTEMPTS = {case.key: ATTEMPTS for case in HOVERED}
PIPE_ATTEMPTS = {case.key: ATTEMPTS for case in CASES}
WAY_ATTEMPTS = ATTEMPTS


def seeds(count: int) -> range:
    """The first `count` of the reported seeds."""
    return range(FIRST_SEED, FIRST_SEED + count)


def attempts(hovers: Mapping[str, int], pipes: Mapping[str, int], ways: int, progress: Progress) -> rows.Attempts:
    """All flights: hovering and along the pipe, so many of each case, and so many out and back."""
    hovering = experiments.fly(
        experiments.hover,
        {case: seeds(hovers[case.key]) for case in HOVERED} | {REAL_CONTROL: seeds(1)},
        lambda done: progress(0.55 * done),
    )
    following = experiments.fly(
        experiments.follow,
        {case: seeds(pipes[case.key]) for case in CASES} | {OUT: seeds(ways), BACK: seeds(ways), BACK_CAMERA: seeds(1)},
        lambda done: progress(0.55 + 0.43 * done),
    )
    return rows.Attempts(hovering, following, *experiments.pulls())


def findings(flown: rows.Attempts) -> Findings:
    """Rows and figures of what was flown."""
    hovering, following = flown.hovering, flown.following
    return Findings(
        rows.claims(flown),
        (
            example(hovering), hover_curves(hovering), pipe_curves(following), out_and_back(following),
            summary(hovering, following, (*HOVERED[len(CASES) :], OUT, BACK)),
        ),
    )  # fmt: skip


def run(progress: Progress) -> Findings:
    """Fly, judge and draw; the same seeds every time."""
    flown = attempts(HOVER_ATTEMPTS, PIPE_ATTEMPTS, WAY_ATTEMPTS, progress)
    progress(0.98)
    return findings(flown)
