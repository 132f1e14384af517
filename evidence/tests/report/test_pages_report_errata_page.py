"""The page of misprints is made of errata.toml alone."""

import re

from pelagos_evidence.errata import errata, sources
from pelagos_evidence.report.pages import errata_page


def test_every_misprint_has_an_anchor_and_every_source_a_line():
    text = errata_page()
    assert re.findall(r'^\| <a id="([^"]+)"></a>', text, re.M) == [key.lower() for key in errata()]
    assert all(f"| {key} |" in text for key in sources())
    for table in re.findall(r"(?:^\|.*\n)+", text, re.M):
        assert len({len(re.split(r"(?<!\\)\|", line)) for line in table.splitlines()}) == 1, table[:200]
