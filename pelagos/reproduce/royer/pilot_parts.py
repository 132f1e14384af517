"""Parts of Royer's chapter 7: the experiments, flown by a simulated pilot."""

from __future__ import annotations

from collections.abc import Sequence

from pelagos.reproduce.document import Findings, Part, Tell
from pelagos.reproduce.royer.curves import example, hover_curves, out_and_back, pipe_curves, summary
from pelagos.reproduce.royer.experiments import (
    BACK,
    BACK_CAMERA,
    CASES,
    FULL,
    HOVER_NORTH_UP,
    OUT,
    REAL_CONTROL,
    cable_pull,
    fly,
    follow,
    hover,
)
from pelagos.reproduce.royer.pilot_rows import Attempts, cable_rows, depth_rows, hover_rows, pipe_rows
from pelagos.reproduce.royer.pilot_setup import setup_rows

# The model was worked out on seeds 1 to 10; what is reported was flown with others, and counts as it came.
HOVER_SEEDS, PIPE_SEEDS, WAY_SEEDS, FULL_SEEDS = range(101, 108), range(101, 106), range(101, 109), range(101, 105)


def attempts(
    hovers: Sequence[int], pipes: Sequence[int], ways: Sequence[int], late: Sequence[int], tell: Tell
) -> Attempts:
    """All flights: hovering, along the pipe, out and back, and by late pictures, each with its seeds."""
    hovering = fly(hover, (*CASES, HOVER_NORTH_UP), hovers, lambda done: tell(0.52 * done))
    hovering |= fly(hover, (FULL,), late, lambda done: tell(0.52 + 0.03 * done))
    hovering |= fly(hover, (REAL_CONTROL,), hovers[:1], lambda done: None)
    following = fly(follow, CASES, pipes, lambda done: tell(0.55 + 0.3 * done))
    following |= fly(follow, (OUT, BACK), ways, lambda done: tell(0.85 + 0.12 * done))
    following |= fly(follow, (BACK_CAMERA,), pipes[:1], lambda done: None)
    return Attempts(hovering, following, cable_pull())


def findings(flown: Attempts) -> Findings:
    """Rows and figures of what was flown."""
    hovering, following = flown.hovering, flown.following
    return Findings(
        (
            *setup_rows(), *depth_rows(hovering), *hover_rows(hovering), *pipe_rows(following), *cable_rows(flown.pull),
        ),
        (
            example(hovering), hover_curves(hovering), pipe_curves(following), out_and_back(following),
            summary(hovering, following, (HOVER_NORTH_UP, FULL, OUT, BACK)),
        ),
    )  # fmt: skip


def run(tell: Tell) -> Findings:
    """Fly, judge and draw; the same seeds every time."""
    flown = attempts(HOVER_SEEDS, PIPE_SEEDS, WAY_SEEDS, FULL_SEEDS, tell)
    tell(0.98)
    return findings(flown)


PARTS: tuple[Part, ...] = (
    Part(
        key="pilots",
        title="Chapter 7: pilots",
        about=(
            "Two people flew the simulator, one with hours and one with minutes of practice: hovering before a cube "
            "and "
            "following a pipe, with and without depth control, top view, current and cable. Here a model of a human "
            "operator flies the same [tasks](training.md) by the same sticks: the crossover law of manual control, a "
            "reaction delay, an arm, the noise of eye and hand, and one pair of eyes for two screens. Its values "
            "come from "
            "the literature or are stated as assumed; its rules were worked out on other seeds than those reported. "
            "Each "
            "condition is flown several times with other noise, and an ordering counts if luck would show it in less "
            "than "
            "one case of a hundred. Come out: worse without depth control (top "
            "view), with the cable (hovering), for the novice (three of four comparisons), and when the joystick is "
            "turned "
            "against the display. Does not come out: that the camera alone is worse than the top view. This pilot "
            "hovers "
            "closer by the camera as long as the spot is in the picture, and far worse once it is lost, which "
            "happens when "
            "the depth is kept by hand or the pictures come as late as those of the full scene."
        ),
        run=run,
    ),
)
