"""The paper has what a reader asks for: chief results, figures, what differs, what was assumed; its links meet."""

import re

import pytest

from evidence.tests.made_up import BAD, OTHER, SMALL
from pelagos_evidence.claim import contested, number, statement
from pelagos_evidence.document import Document, Findings, Part
from pelagos_evidence.outcome import figure_numbers
from pelagos_evidence.report.pages import MOST, reproduction_page, rows_page, summary_table
from pelagos_evidence.run import run


@pytest.fixture(scope="module")
def outcome():
    return run([SMALL, OTHER, BAD], jobs=1)


@pytest.fixture(scope="module")
def text(outcome):
    return reproduction_page(outcome)


def test_links_and_anchors_meet(text, outcome):
    anchors = re.findall(r'<a id="([^"]+)">', text)
    assert len(anchors) == len(set(anchors))
    headings = {line.lower().replace(" ", "-") for line in re.findall(r"^## (.*)$", text, re.M)}
    assert set(re.findall(r"\]\(#([^)]+)\)", text)) <= {*anchors, *headings}
    for one in outcome.documents:
        rows = rows_page(one, figure_numbers(outcome))
        for name in re.findall(rf"\(reproduction-{one.document.key}\.md#([^)]+)\)", text):
            assert f'<a id="{name}"></a>' in rows, name
        for name in re.findall(r"\(reproduction\.md#([^)]+)\)", rows):
            assert name in anchors, name


def test_tables_have_as_many_cells_as_heads(text):
    for table in re.findall(r"(?:^\|.*\n)+", text, re.M):
        widths = {len(re.split(r"(?<!\\)\|", line)) for line in table.splitlines()}
        assert len(widths) == 1, table[:200]


def test_it_reads_as_a_paper(text):
    assert text.count("\n# ") == 0 and text.startswith("# Small 2001, Other 2002 and Bad 2003, reproduced\n")
    order = (
        "**Abstract.** ",
        "\n## Method\n",
        "> S. Small, A small document, 2001.",
        "### Small 2001: chief results",
        "| [table 1](reproduction-small.md#small-drag) | drag",
        "| [equation 6.37](reproduction-small.md#small-top) | top speed | 2 ft/s | 2.01 ft/s | 1 % | reproduced |",
        "#### Part speeds\n\nIt leads in. ([6 rows](reproduction-small.md#small--speeds))",
        "*Figure 1.* Speed against time, as in figure 7 of a document that has &lt;none&gt; of it",
        "### Small 2001: largest differences",
        "| +0.1 N (+2.5 %) | 0.2 N |",
        "### Small 2001: what is not reproduced, and why\n\n"
        "The reason in short; the row, to which the place leads, has the whole of it.\n\n"
        "Refuted: computed, and the print is wrong.\n\n- [page 2](",
        "Not met: computed, and ours does not show it; the print may be right.\n\n- [page 3](",
        "No data: nothing is published to compute with or to compare with.\n\n- [figure 9](",
        "measured track. Published: a curve. The curve is lost in the scan",
        "### Small 2001: what had to be assumed\n\n- the hull is a \\*spheroid\\* of `k_1` = 0.1 ([table 1](",
        "## Other 2002",
        "\n## Limits of the method\n",
        "\n## Repeat it\n",
        "\n## Cite it\n",
    )
    places = [text.index(said) for said in order]
    assert places == sorted(places)
    assert "\n\n\n" not in text
    assert "Of 14 rows, 5 are reproduced" in " ".join(text.split())


def wide(tell):
    numbers = [
        number(f"k{k}", "p", "w", 10.0, 10.0 + 0.1 * k, "m", absolute=9.0, why="x", assumption="it floats")
        for k in range(20)
    ]
    return Findings((*numbers, statement("s", "p", "w", "a", "b", True, why="x")))


def test_only_the_farthest_are_told_and_an_assumption_names_a_few_rows():
    text = reproduction_page(run([Document("d", "D", "c", "a", (Part("p", "P", "a", wide),))], jobs=1))
    listed = text.split("largest differences")[1].split("###")[0]
    assert re.findall(r"#d-k(\d+)\)", listed) == [str(k) for k in range(19, 19 - MOST, -1)]
    assert "18 rows differ by more than 1 %" in listed
    assert "- it floats ([p](reproduction-d.md#d-k0) and 19 more)" in text


def unmet(tell):
    why = "First, 0.5 m too long. Second. Third."
    off = {"off": 1.0, "limit": 0.0}
    return Findings(tuple(contested(key, "p", "w", "1 m", why, ours="2 m", **off) for key in ("told", "chief")))


def test_a_reason_is_told_in_short_and_values_are_told_once():
    text = reproduction_page(run([Document("d", "D", "c", "a", (Part("p", "P", "a", unmet),), ("chief",))], jobs=1))
    assert "Refuted: computed, and the print is wrong." in text
    assert "#d-told): w. Published: 1 m; ours: 2 m. First, 0.5 m too long. Second.\n" in text
    assert "#d-chief): w. First, 0.5 m too long. Second.\n" in text
    assert "Third" not in text


def test_the_summary_leads_to_the_chapters(outcome):
    assert "| [Small 2001](page.md#small) | 7 | 3 | 1 | 1 | 1 | 1 | 0 |" in summary_table(outcome, "page.md")
