"""The style sheet asks for nothing from outside and knows light, dark and paper."""

import re

from pelagos.analysis.report import SHEET


def test_it_is_balanced_and_needs_no_network():
    assert SHEET.count("{") == SHEET.count("}")
    assert "url(" not in SHEET and "@import" not in SHEET
    assert "prefers-color-scheme: dark" in SHEET and "@media print" in SHEET


def test_every_colour_that_is_used_is_set():
    used, given = set(re.findall(r"var\((--\w+)\)", SHEET)), set(re.findall(r"(--\w+):", SHEET))
    assert used <= given
