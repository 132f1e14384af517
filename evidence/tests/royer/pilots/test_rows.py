"""Rows of chapter 7: the numbers of section 7.1, and rows that fail when the pilots are exchanged."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from evidence.tests.checked import joined
from pelagos_evidence.claim import Claim, ClaimVerdict, Row
from pelagos_evidence.royer.pilots import rows as pilot_rows
from pelagos_evidence.royer.pilots.experiments import PilotFlight
from pelagos_evidence.royer.pilots.orderings import Comparison
from pelagos_evidence.royer.pilots.rows import Attempts


def test_all_of_it_is_reproduced() -> None:
    rows = {row.key: row for row in joined(pilot_rows, pilot_rows.setup_values())}
    assert {"six-conditions", "recorded-data", "complete-fit", "negative-in-cube", "spot"} == set(rows)
    typed = {"six-conditions", "recorded-data", "spot"}  # numbers and names that were typed in
    assert all(
        row.verdict is (ClaimVerdict.READ_BACK if row.key in typed else ClaimVerdict.ASSUMED) for row in rows.values()
    )
    assert rows["negative-in-cube"].ours == "-2.00 m"


def many(flights: list[PilotFlight], size_m: float) -> list[PilotFlight]:
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


@pytest.mark.slow
def test_an_ordering_that_is_turned_round_fails(flown: Attempts) -> None:
    right = {key: many(list(flights), 0.3) for key, flights in flown.hovering.items()}
    right |= {"4": many(right["4"], 0.5), "5": many(right["5"], 0.8)}
    rows = {row.key: row for row in joined(pilot_rows, pilot_rows.hover_values(right))}
    assert rows["hover-depth-top"].holds
    assert rows["hover-camera"].holds
    wrong = right | {"4": right["6"], "5": right["4"], "6": right["5"]}
    rows = {row.key: row for row in joined(pilot_rows, pilot_rows.hover_values(wrong))}
    assert rows["hover-depth-top"].verdict is ClaimVerdict.FAILED
    turned = right | {"4": right["5"], "5": right["4"]}
    assert {row.key: row for row in joined(pilot_rows, pilot_rows.hover_values(turned))}[
        "hover-camera"
    ].verdict is ClaimVerdict.FAILED


@pytest.mark.slow
def test_a_drastic_change_fails(flown: Attempts) -> None:
    wrong = {key: many(list(flights), 0.3) for key, flights in flown.hovering.items()}
    wrong["8"] = many(wrong["8"], 0.9)
    assert {row.key: row for row in joined(pilot_rows, pilot_rows.hover_values(wrong))}[
        "hover-current"
    ].verdict is ClaimVerdict.FAILED


@pytest.mark.slow
def test_depth_that_is_not_held_fails(flown: Attempts) -> None:
    assert all(row.holds for row in joined(pilot_rows, pilot_rows.depth_values(flown.hovering)))
    wrong = dict(flown.hovering) | {"6": flown.hovering["4"]}
    assert not joined(pilot_rows, pilot_rows.depth_values(wrong))[0].holds


def test_a_pull_across_the_current_fails(flown: Attempts) -> None:
    assert all(row.holds for row in joined(pilot_rows, pilot_rows.cable_values(flown.pull, flown.pull_aside)))
    across = flown.pull[:, [1, 0, 2, 3]]
    parallel, _, yaw = joined(
        pilot_rows, pilot_rows.cable_values(across, flown.pull)
    )  # straight against the current there is no yaw moment
    assert not parallel.holds
    assert not yaw.holds


def test_the_way_back_is_at_135_degrees(flown: Attempts) -> None:
    rows = {row.key: row for row in joined(pilot_rows, pilot_rows.pipe_values(flown.following))}
    assert rows["pipe-135"].holds
    assert rows["pipe-camera-back"].holds
    out = dict(flown.following) | {"14": flown.following["13"]}
    assert not {row.key: row for row in joined(pilot_rows, pilot_rows.pipe_values(out))}["pipe-135"].holds


def test_an_ordering_says_what_it_found() -> None:
    """Larger and not by luck, luck, smaller and not by luck."""

    def row(worse: tuple[float, ...], better: tuple[float, ...]) -> Claim:
        comparison = Comparison(worse, better)
        return pilot_rows.ordering(Row("k", "p", "w", "a"), "larger", comparison, why="y", reason="He is a model.")

    large, small, mixed = (2.0,) * 6, (1.0,) * 6, (0.9, 1.1, 0.8, 1.2, 0.95, 1.3)
    assert row(large, small).verdict is ClaimVerdict.ASSUMED and "model" not in row(large, small).why
    assert row(large, small).numbers["ratio"] == pytest.approx(2.0)
    assert row(mixed, small).verdict is ClaimVerdict.NOT_MET and "He is a model." in row(mixed, small).why
    contrary = row(small, large)
    assert contrary.verdict is ClaimVerdict.FAILED and contrary.known == "He is a model."
