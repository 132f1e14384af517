"""Section 7.1 in numbers."""

from __future__ import annotations

from evidence.tests.checked import joined
from pelagos_evidence.claim import ClaimVerdict
from pelagos_evidence.royer.pilots import rows as pilot_rows
from pelagos_evidence.royer.pilots.rows import setup_values


def test_all_of_it_is_reproduced() -> None:
    rows = {row.key: row for row in joined(pilot_rows, setup_values())}
    assert {"six-conditions", "recorded-data", "complete-fit", "negative-in-cube", "spot"} == set(rows)
    read = {"six-conditions", "recorded-data", "spot"}  # numbers and names that were typed in
    assert all(
        row.verdict is (ClaimVerdict.READ_BACK if row.key in read else ClaimVerdict.ASSUMED) for row in rows.values()
    )
    assert rows["negative-in-cube"].ours == "-2.00 m"
