"""The part of chapter 7 as a whole."""

from __future__ import annotations

import pytest

from evidence.tests.checked import check_part
from pelagos_evidence.royer import DOCUMENT
from pelagos_evidence.royer.pilots.parts import HOVER_ATTEMPTS, PIPE_ATTEMPTS, WAY_ATTEMPTS, findings, run, seeds
from pelagos_evidence.royer.pilots.rows import Attempts

pytestmark = pytest.mark.slow  # whichever test comes first waits for the fixture


def test_rows_and_figures(flown: Attempts) -> None:
    results = findings(flown)
    keys = [row.key for row in results.claims]
    assert len(keys) == len(set(keys))
    places = " ".join(row.place for row in results.claims)
    assert all(f"section 7.{k}" in places for k in range(1, 8))
    assert all(f"7.{k}" in places for k in range(4, 15))
    names = {drawing.name for drawing in results.drawings}
    assert all(name.startswith("royer-pilot-") for name in names)
    assert {name for row in results.claims for name in row.proof.figures} <= names


def test_there_are_attempts_enough_to_tell_luck() -> None:
    assert {*HOVER_ATTEMPTS.values(), *PIPE_ATTEMPTS.values(), WAY_ATTEMPTS} == {60}
    assert seeds(3) == range(901, 904)  # those before served to work the model out


def test_the_orderings_are_reproduced_and_on_the_page() -> None:
    """Every attempt of the page is flown: fewer would not tell an ordering from luck."""
    assert DOCUMENT.parts[-1].run is run
    check_part("royer", "pilots", run(lambda done: None))
