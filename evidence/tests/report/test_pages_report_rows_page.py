"""The page of rows says what the run found, can be read back, and its links meet."""

import re

import pytest

from evidence.tests.made_up import BAD, OTHER, SMALL
from evidence.tests.page_rows import page_rows
from pelagos_evidence.outcome import figure_numbers
from pelagos_evidence.report.pages import errata_page, rows_page
from pelagos_evidence.report.words import markdown_text
from pelagos_evidence.run import run


@pytest.fixture(scope="module")
def outcome():
    return run([SMALL, OTHER, BAD], jobs=1)


@pytest.fixture(scope="module")
def texts(outcome):
    return [rows_page(one, figure_numbers(outcome)) for one in outcome.documents]


def test_every_row_can_be_read_back(texts, outcome):
    for text, one in zip(texts, outcome.documents, strict=True):
        rows = page_rows(text)
        assert [(row.document, row.key) for row in rows] == [(one.document.key, claim.key) for claim in one.claims]
        for row, claim in zip(rows, one.claims, strict=True):
            assert row.place == markdown_text(claim.place)
            assert row.published == markdown_text(claim.published)
            assert row.verdict == claim.verdict
        assert {row.part for row in rows} == {part.key for part in one.document.parts}


def test_tables_have_as_many_cells_as_heads(texts):
    for text in texts:
        for table in re.findall(r"(?:^\|.*\n)+", text, re.M):
            widths = {len(re.split(r"(?<!\\)\|", line)) for line in table.splitlines()}
            assert len(widths) == 1, table[:200]


def test_links_and_anchors_meet(texts):
    for text in texts:
        anchors = re.findall(r'<a id="([^"]+)">', text)
        assert len(anchors) == len(set(anchors))
        assert set(re.findall(r"\]\(#([^)]+)\)", text)) <= set(anchors)
        assert set(re.findall(r"\]\(reproduction-\w+\.md#([^)]+)\)", text)) <= set(anchors)
        for key in re.findall(r"errata\.md#([^)]+)\)", text):
            assert f'<a id="{key}"></a>' in errata_page()


def test_it_says_all_of_a_row(texts):
    for said in (
        "# Small 2001, row by row\n",
        "> S. Small, A small document, 2001.",
        "7 rows: 3 reproduced, 1 with a stated assumption, 1 refuted, 1 not met, 1 no data. 1 more only read back",
        "\n\nOnly read back, numbers that were typed in; not counted:\n\n| place |",
        "| read back |",
        "*Assumed:* the hull is a \\*spheroid\\* of `k_1` = 0.1",
        "See [B16](errata.md#b16), [B24](errata.md#b24)",
        "See [figure 1](reproduction.md#figure-small-curve)",
        "(reproduction-small.md#small-top) | `pelagos.engine.core.motion` | `tests/engine/core/test_motion.py` |",
        "the curve is lost in the scan",
        "| 1 %<br>two digits | reproduced |",
    ):
        assert said in texts[0], said
    assert "**failed**" in texts[2]
    assert all("\n\n\n" not in text for text in texts)
