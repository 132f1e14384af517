"""The part of chapter 7 as a whole."""

from __future__ import annotations

from pelagos.reproduce.royer.pilot_parts import HOVER_SEEDS, PARTS, PIPE_SEEDS, WAY_SEEDS, findings, run
from pelagos.reproduce.royer.pilot_rows import Attempts
from tests.reproduce.checked import check_page


def test_rows_and_figures(flown: Attempts) -> None:
    found = findings(flown)
    keys = [row.key for row in found.claims]
    assert len(keys) == len(set(keys))
    told = " ".join(row.place for row in found.claims)
    assert all(f"section 7.{k}" in told for k in range(1, 8))
    assert all(f"7.{k}" in told for k in range(4, 15))
    names = {drawing.name for drawing in found.drawings}
    assert all(name.startswith("royer-pilot-") for name in names)
    assert {name for row in found.claims for name in row.proof.figures} <= names


def test_the_page_has_the_same_rows(flown: Attempts) -> None:
    check_page("royer", "pilots", findings(flown), judged=False)  # fewer attempts here: orderings may be luck


def test_there_are_attempts_enough_to_tell_luck() -> None:
    # the least chance that the exact tests can give must lie below the level: 5 and 5 give 1 in 252
    assert min(len(HOVER_SEEDS), len(PIPE_SEEDS)) >= 5
    assert len(WAY_SEEDS) >= 8
    assert not set(HOVER_SEEDS) & set(range(1, 11))  # those on which the model was worked out


def test_the_part_is_listed() -> None:
    assert PARTS[0].run is run
