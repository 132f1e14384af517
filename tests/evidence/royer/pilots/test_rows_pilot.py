"""Rows of chapter 7, and that they fail when the pilots are exchanged."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from pelagos_evidence.claim import Claim, Verdict
from pelagos_evidence.royer.pilots.experiments import Flight
from pelagos_evidence.royer.pilots.orderings import Comparison
from pelagos_evidence.royer.pilots.rows import Attempts, cable_rows, depth_rows, hover_rows, ordering, pipe_rows


def many(flights: list[Flight], size_m: float) -> list[Flight]:
    """Six attempts about a size."""
    first = flights[0]
    return [
        replace(
            first,
            measures=first.measures | {"distance_rms_m": size_m + 0.001 * k},
            curve=first.curve | {"distance_m": np.full(len(first.curve["time_s"]), size_m)},
        )
        for k in range(6)
    ]


def test_an_ordering_that_is_turned_round_fails(flown: Attempts) -> None:
    right = {key: many(list(flights), 0.3) for key, flights in flown.hovering.items()}
    right |= {"4": many(right["4"], 0.5), "5": many(right["5"], 0.8)}
    rows = {row.key: row for row in hover_rows(right)}
    assert rows["hover-depth-top"].holds
    assert rows["hover-camera"].holds
    wrong = right | {"4": right["6"], "5": right["4"], "6": right["5"]}
    rows = {row.key: row for row in hover_rows(wrong)}
    assert rows["hover-depth-top"].verdict is Verdict.FAILED
    turned = right | {"4": right["5"], "5": right["4"]}
    assert {row.key: row for row in hover_rows(turned)}["hover-camera"].verdict is Verdict.FAILED


def test_a_drastic_change_fails(flown: Attempts) -> None:
    wrong = {key: many(list(flights), 0.3) for key, flights in flown.hovering.items()}
    wrong["8"] = many(wrong["8"], 0.9)
    assert {row.key: row for row in hover_rows(wrong)}["hover-current"].verdict is Verdict.FAILED


def test_depth_that_is_not_held_fails(flown: Attempts) -> None:
    assert all(row.holds for row in depth_rows(flown.hovering))
    wrong = dict(flown.hovering) | {"6": flown.hovering["4"]}
    assert not depth_rows(wrong)[0].holds


def test_a_pull_across_the_current_fails(flown: Attempts) -> None:
    assert all(row.holds for row in cable_rows(flown.pull, flown.pull_aside))
    across = flown.pull[:, [1, 0, 2, 3]]
    parallel, _, yaw = cable_rows(across, flown.pull)  # straight against the current there is no yaw moment
    assert not parallel.holds
    assert not yaw.holds


def test_the_way_back_is_at_135_degrees(flown: Attempts) -> None:
    rows = {row.key: row for row in pipe_rows(flown.following)}
    assert rows["pipe-135"].holds
    assert rows["pipe-camera-back"].holds
    out = dict(flown.following) | {"14": flown.following["13"]}
    assert not {row.key: row for row in pipe_rows(out)}["pipe-135"].holds


def test_an_ordering_says_what_it_found() -> None:
    """Larger and not by luck, luck, smaller and not by luck."""

    def row(worse: tuple[float, ...], better: tuple[float, ...]) -> Claim:
        return ordering("k", "p", "w", "larger", Comparison(worse, better), (), "He is a model.")

    large, small, mixed = (2.0,) * 6, (1.0,) * 6, (0.9, 1.1, 0.8, 1.2, 0.95, 1.3)
    assert row(large, small).verdict is Verdict.ASSUMED and "model" not in row(large, small).why
    assert row(large, small).numbers["ratio"] == pytest.approx(2.0)
    assert row(mixed, small).verdict is Verdict.NOT_MET and "He is a model." in row(mixed, small).why
    contrary = row(small, large)
    assert contrary.verdict is Verdict.FAILED and contrary.known == "He is a model."
