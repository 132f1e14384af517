"""Tables and links of the Markdown pages."""

from evidence.tests.made_up import SMALL, speeds
from pelagos_evidence.report.pages import joined, proof_links, row_link, rows_file, table


def test_links_lead_to_the_page_of_rows_the_errata_and_the_figures():
    top, drag, *_ = speeds(lambda done: None).claims
    assert row_link(SMALL, top) == "[equation 6.37](reproduction-small.md#small-top)"
    assert rows_file(SMALL) == "reproduction-small.md"
    assert proof_links(top) == ["[B16](errata.md#b16)", "[B24](errata.md#b24)"]
    assert proof_links(drag) == []
    assert proof_links(drag, {"small-curve": 3}) == ["[figure 3](reproduction.md#figure-small-curve)"]


def test_tables_and_blocks():
    assert table(("a", "b"), [("1", "2")]) == "| a | b |\n|---|---|\n| 1 | 2 |"
    assert joined(["# a\n", "", "b"]) == "# a\n\nb\n"
