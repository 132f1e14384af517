"""Parts of Royer's chapter 7: the experiments, flown by a simulated pilot."""

from __future__ import annotations

from collections.abc import Mapping

from pelagos_evidence.document import Findings, Part, Tell
from pelagos_evidence.royer.pilots.curves import example, hover_curves, out_and_back, pipe_curves, summary
from pelagos_evidence.royer.pilots.experiments import (
    BACK,
    BACK_CAMERA,
    CASES,
    HOVER_NORTH_UP,
    LATE,
    OUT,
    REAL_CONTROL,
    fly,
    follow,
    held_on_cable,
    hover,
    hover_task,
    pipe_task,
)
from pelagos_evidence.royer.pilots.rows import Attempts, cable_rows, depth_rows, hover_rows, pipe_rows, setup_rows

# Seeds below 800 served to work the model out, 801 to 824 to see how many attempts a comparison needs; those reported
# are others, and count as they came.
FIRST_SEED = 901
ATTEMPTS = 60  # of each case of a comparison
HOVER_ATTEMPTS = {case.key: ATTEMPTS for case in (*CASES, HOVER_NORTH_UP, *LATE)}
PIPE_ATTEMPTS = {case.key: ATTEMPTS for case in CASES}
WAY_ATTEMPTS = ATTEMPTS


def seeds(count: int) -> range:
    """The first so many of those reported."""
    return range(FIRST_SEED, FIRST_SEED + count)


def attempts(hovers: Mapping[str, int], pipes: Mapping[str, int], ways: int, tell: Tell) -> Attempts:
    """All flights: hovering and along the pipe, so many of each case, and so many out and back."""
    hovering = fly(
        hover,
        {case: seeds(hovers[case.key]) for case in (*CASES, HOVER_NORTH_UP, *LATE)} | {REAL_CONTROL: seeds(1)},
        lambda done: tell(0.55 * done),
    )
    following = fly(
        follow,
        {case: seeds(pipes[case.key]) for case in CASES} | {OUT: seeds(ways), BACK: seeds(ways), BACK_CAMERA: seeds(1)},
        lambda done: tell(0.55 + 0.43 * done),
    )
    pull, aside = (held_on_cable(task.start)[1] for task in (hover_task(), pipe_task(back=False)))
    return Attempts(hovering, following, pull, aside)


def findings(flown: Attempts) -> Findings:
    """Rows and figures of what was flown."""
    hovering, following = flown.hovering, flown.following
    return Findings(
        (
            *setup_rows(), *depth_rows(hovering), *hover_rows(hovering), *pipe_rows(following),
            *cable_rows(flown.pull, flown.pull_aside),
        ),
        (
            example(hovering), hover_curves(hovering), pipe_curves(following), out_and_back(following),
            summary(hovering, following, (HOVER_NORTH_UP, *LATE, OUT, BACK)),
        ),
    )  # fmt: skip


def run(tell: Tell) -> Findings:
    """Fly, judge and draw; the same seeds every time."""
    flown = attempts(HOVER_ATTEMPTS, PIPE_ATTEMPTS, WAY_ATTEMPTS, tell)
    tell(0.98)
    return findings(flown)


PARTS: tuple[Part, ...] = (
    Part(
        key="pilots",
        title="Chapter 7: pilots",
        about=(
            "Two people flew the simulator, one with hours and one with minutes of practice: hovering before a "
            "cube and following a pipe, with and without depth control, top view, current and cable. Here a model "
            "of a human operator flies the same [tasks](training.md) by the same sticks: the crossover law of "
            "manual control, a reaction delay, an arm, the noise of eye and hand, one pair of eyes for two "
            "screens, and by the camera no more than the sides of a spot in a late picture. Its values come from "
            "the literature or are stated as assumed. They were fixed by argument, but not blind: a first "
            "version, by which the camera was the better display, was reviewed with that result known, and the "
            "review added among others that a hand sets a stick no finer than 2 % of its way, on which the "
            "ordering of camera and top view depends most (with 1 % it is not certain for hovering). After that "
            "no value of the pilot was changed; every case is flown 60 times with seeds that were not flown before. An "
            "ordering is reproduced if luck would show it in less than one case of a hundred, it fails if the "
            "contrary is as certain, and is not met if it may be luck."
        ),
        run=run,
    ),
)
