"""Pilots flown once for all tests of chapter 7: few attempts, so that medians can be looked at but chances cannot."""

from __future__ import annotations

import pytest

from pelagos.reproduce.royer.pilot_parts import attempts
from pelagos.reproduce.royer.pilot_rows import Attempts


@pytest.fixture(scope="session")
def flown() -> Attempts:
    """Two attempts at each hovering, one at each pipe."""
    return attempts((101, 102), (101,), (101,), (101,), lambda done: None)
