"""The row of a printed equation."""

import math

import pytest

from pelagos_evidence.claim import ClaimVerdict, agreed


@pytest.mark.parametrize(
    ("difference", "verdict"),
    [
        (1e-13, ClaimVerdict.REPRODUCED),
        (1e-12, ClaimVerdict.REPRODUCED),
        (-2e-12, ClaimVerdict.FAILED),
        (math.nan, ClaimVerdict.FAILED),
    ],
)
def test_the_difference_alone_decides(difference, verdict):
    row = agreed("a", "equation 1", "b", "F = m a", difference, 1e-12, "N")
    assert row.verdict is verdict
    assert row.published == "F = m a"  # a limit of ours is never told as published
    assert row.tolerance == "1.00e-12 N" and row.numbers["tolerance"] == 1e-12
