"""Markdown pages: tables, links, pictures, the paper, the rows and misprints; the commands on them run."""

import re
import runpy
import shlex

import pytest

from evidence.tests.made_up import BAD, OTHER, SMALL, speeds
from evidence.tests.page_rows import ROOT, page_rows, readme_counts
from pelagos.cli.main import _parser
from pelagos.errors import CommandError
from pelagos_evidence.claim import Row, contested, number, statement
from pelagos_evidence.command import REPRODUCE_EXAMPLES
from pelagos_evidence.document import Document, Findings, Part
from pelagos_evidence.documents import documents
from pelagos_evidence.errata import errata, sources
from pelagos_evidence.outcome import DocumentOutcome, Outcome, PartOutcome
from pelagos_evidence.report.json import report_schema
from pelagos_evidence.report.pages import (
    BEGIN,
    COMMAND,
    END,
    MOST,
    REPEAT,
    errata_page,
    joined,
    proof_links,
    reproduction_page,
    row_link,
    rows_file,
    rows_page,
    summary_table,
    table,
    write_page,
    write_readme,
)
from pelagos_evidence.report.words import markdown_text
from pelagos_evidence.run import run


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


def test_every_misprint_has_an_anchor_and_every_source_a_line():
    text = errata_page()
    assert re.findall(r'^\| <a id="([^"]+)"></a>', text, re.M) == [key.lower() for key in errata()]
    assert all(f"| {key} |" in text for key in sources())
    for block in re.findall(r"(?:^\|.*\n)+", text, re.M):
        assert len({len(re.split(r"(?<!\\)\|", line)) for line in block.splitlines()}) == 1, block[:200]


@pytest.fixture(scope="module")
def outcome():
    return run([SMALL, OTHER, BAD], jobs=1)


def test_files_are_written_and_old_pictures_go(outcome, tmp_path):
    images = tmp_path / "images" / "reproduction"
    images.mkdir(parents=True)
    for name in ("small-old.png", "foreign.png"):
        (images / name).write_bytes(b"old")
    files = write_page(outcome, tmp_path)
    assert sorted(path.name for path in images.iterdir()) == ["foreign.png", "small-curve.png"]
    assert all(path.exists() for path in files)
    pages = {"reproduction.md", "errata.md", *(f"reproduction-{key}.md" for key in ("small", "other", "bad"))}
    assert {path.name for path in files} == {*pages, "small-curve.png"}
    written = {path: path.read_bytes() for path in files}
    assert {path: path.read_bytes() for path in write_page(outcome, tmp_path)} == written
    (tmp_path / "R.md").write_text(f"a\n{BEGIN}\nold\n{END}\nb\n")
    write_readme(outcome, tmp_path / "R.md")
    write_readme(outcome, tmp_path / "R.md")
    page = (tmp_path / "R.md").read_text()
    assert page == f"a\n{BEGIN}\n{summary_table(outcome, 'evidence/docs/reproduction.md')}{END}\nb\n"
    assert readme_counts(page)["[Small 2001](evidence/docs/reproduction.md#small)"] == [7, 3, 1, 1, 1, 1, 0]


def test_what_cannot_be_written_gets_a_sentence(outcome, tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(CommandError, match=r"the page cannot be written"):
        write_page(outcome, tmp_path / "file")
    with pytest.raises(CommandError, match="expected the marks"):
        write_readme(outcome, tmp_path / "file")
    cut = DocumentOutcome(SMALL, (outcome.documents[0].parts[0], PartOutcome(SMALL.parts[1])))
    with pytest.raises(CommandError, match="interrupted"):
        write_page(Outcome((cut,)), tmp_path)


@pytest.mark.slow
def test_the_script_writes_page_readme_and_errata(tmp_path, monkeypatch):
    script = runpy.run_path(str(ROOT / "scripts/reproduction_page.py"))
    (tmp_path / "evidence/docs").mkdir(parents=True)
    (tmp_path / "README.md").write_text(f"{BEGIN}{END}")
    parts = {"ROOT": tmp_path, "documents": lambda: (SMALL, OTHER)}
    monkeypatch.setattr("sys.argv", ["reproduction_page.py"])
    script["main"].__globals__.update(parts)
    assert script["main"]() == 0
    assert len(page_rows((tmp_path / "evidence/docs/reproduction-small.md").read_text())) == 8
    assert "**all**" in readme_counts((tmp_path / "README.md").read_text())
    script["main"].__globals__["documents"] = lambda: (BAD,)
    assert script["main"]() == 1  # a failed row is not published
    assert not (tmp_path / "evidence/docs/reproduction-bad.md").exists()


@pytest.fixture(scope="module")
def text(outcome):
    return reproduction_page(outcome)


def test_links_and_anchors_meet(text, outcome):
    anchors = re.findall(r'<a id="([^"]+)">', text)
    assert len(anchors) == len(set(anchors))
    headings = {line.lower().replace(" ", "-") for line in re.findall(r"^## (.*)$", text, re.M)}
    assert set(re.findall(r"\]\(#([^)]+)\)", text)) <= {*anchors, *headings}
    for entry in outcome.documents:
        rows = rows_page(entry, outcome.figure_numbers)
        for name in re.findall(rf"\(reproduction-{entry.document.key}\.md#([^)]+)\)", text):
            assert f'<a id="{name}"></a>' in rows, name
        for name in re.findall(r"\(reproduction\.md#([^)]+)\)", rows):
            assert name in anchors, name


def test_tables_have_as_many_cells_as_heads(text):
    for block in re.findall(r"(?:^\|.*\n)+", text, re.M):
        widths = {len(re.split(r"(?<!\\)\|", line)) for line in block.splitlines()}
        assert len(widths) == 1, block[:200]


def test_it_reads_as_a_paper(text):
    assert text.count("\n# ") == 0 and text.startswith("# Small 2001, Other 2002 and Bad 2003, reproduced\n")
    order = (
        "**Abstract.** ",
        "\n## Method\n",
        "> S. Small, A small document, 2001.",
        "### Small 2001: key results",
        "| [table 1](reproduction-small.md#small-drag) | drag",
        "| [equation 6.37](reproduction-small.md#small-top) | top speed | 2 ft/s | 2.01 ft/s | 1 % | reproduced |",
        "#### Part speeds\n\nIt leads in. ([6 rows](reproduction-small.md#small--speeds))",
        "*Figure 1.* Speed against time, as in figure 7 of a document that has &lt;none&gt; of it",
        "### Small 2001: largest differences",
        "| +0.1 N (+2.5 %) | 0.2 N |",
        "### Small 2001: what is not reproduced, and why\n\n"
        "The reasons are shortened; each place links to the row with the full reason.\n\n"
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
    places = [text.index(heading) for heading in order]
    assert places == sorted(places)
    assert "\n\n\n" not in text
    assert "Of 14 rows, 5 are reproduced" in " ".join(text.split())


def wide(progress):
    numbers = [
        number(Row(f"k{k}", "p", "w", "it floats"), 10.0, 10.0 + 0.1 * k, "m", absolute=9.0, why="x") for k in range(20)
    ]
    return Findings((*numbers, statement(Row("s", "p", "w"), "a", "b", True, why="x")))


def test_only_the_farthest_are_listed_and_an_assumption_names_a_few_rows():
    text = reproduction_page(run([Document("d", "D", "c", "a", (Part("p", "P", "a", wide),))], jobs=1))
    listed = text.split("largest differences")[1].split("###")[0]
    assert re.findall(r"#d-k(\d+)\)", listed) == [str(k) for k in range(19, 19 - MOST, -1)]
    assert "18 rows differ by more than 1 %" in listed
    assert "- it floats ([p](reproduction-d.md#d-k0) and 19 more)" in text


def unmet(progress):
    why = "First, 0.5 m too long. Second. Third."
    off = {"off": 1.0, "limit": 0.0}
    return Findings(tuple(contested(Row(key, "p", "w"), "1 m", why, ours="2 m", **off) for key in ("other", "chief")))


def test_a_reason_is_shortened_and_values_are_shown_once():
    text = reproduction_page(run([Document("d", "D", "c", "a", (Part("p", "P", "a", unmet),), ("chief",))], jobs=1))
    assert "Refuted: computed, and the print is wrong." in text
    assert "#d-other): w. Published: 1 m; ours: 2 m. First, 0.5 m too long. Second.\n" in text
    assert "#d-chief): w. First, 0.5 m too long. Second.\n" in text
    assert "Third" not in text


def test_the_summary_leads_to_the_chapters(outcome):
    assert "| [Small 2001](page.md#small) | 7 | 3 | 1 | 1 | 1 | 1 | 0 |" in summary_table(outcome, "page.md")


@pytest.fixture(scope="module")
def texts(outcome):
    return [rows_page(entry, outcome.figure_numbers) for entry in outcome.documents]


def test_every_row_can_be_read_back(texts, outcome):
    for text, entry in zip(texts, outcome.documents, strict=True):
        rows = page_rows(text)
        assert [(row.document, row.key) for row in rows] == [(entry.document.key, claim.key) for claim in entry.claims]
        for row, claim in zip(rows, entry.claims, strict=True):
            assert row.place == markdown_text(claim.place)
            assert row.published == markdown_text(claim.published)
            assert row.verdict == claim.verdict
        assert {row.part for row in rows} == {part.key for part in entry.document.parts}


def test_tables_of_rows_have_as_many_cells_as_heads(texts):
    for text in texts:
        for block in re.findall(r"(?:^\|.*\n)+", text, re.M):
            widths = {len(re.split(r"(?<!\\)\|", line)) for line in block.splitlines()}
            assert len(widths) == 1, block[:200]


def test_links_of_rows_meet(texts):
    for text in texts:
        anchors = re.findall(r'<a id="([^"]+)">', text)
        assert len(anchors) == len(set(anchors))
        assert set(re.findall(r"\]\(#([^)]+)\)", text)) <= set(anchors)
        assert set(re.findall(r"\]\(reproduction-\w+\.md#([^)]+)\)", text)) <= set(anchors)
        for key in re.findall(r"errata\.md#([^)]+)\)", text):
            assert f'<a id="{key}"></a>' in errata_page()


def test_it_says_all_of_a_row(texts):
    for heading in (
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
        assert heading in texts[0], heading
    assert "**failed**" in texts[2]
    assert all("\n\n\n" not in text for text in texts)


@pytest.mark.parametrize("text", [REPRODUCE_EXAMPLES, COMMAND], ids=["help", "page"])
def test_orders_are_understood(text):
    lines = [line.strip() for line in text.splitlines()]
    orders = [re.split(r"  +", line)[0] for line in lines if line.startswith("pelagos reproduce")]
    assert len(orders) == 5
    for order in orders:
        words = _parser().parse_args(shlex.split(order)[1:])
        assert words.command.__name__ == "reproduce"
        documents(words.document)  # all are there


def test_files_are_those_of_the_command():
    words = _parser().parse_args(["reproduce"])
    assert f"`{words.out}`" in REPEAT and f"`{words.json}`" in REPEAT


def test_fields_are_those_of_the_schema():
    document = report_schema()["properties"]["documents"]["items"]
    part = document["properties"]["parts"]["items"]
    listed = re.search(r"their `claims`\s\(([^)]*)\)", COMMAND)[1]
    assert re.findall(r"`(\w+)`", listed) == list(part["properties"]["claims"]["items"]["properties"])
    for name in ("counts", "errata", "sources", "made_with"):
        assert f"`{name}`" in COMMAND and name in report_schema()["properties"]


def test_the_python_runs(capsys):
    (code,) = re.findall(r"^```python\n(.*?)^```", COMMAND, re.M | re.S)
    assert 'documents(["nav"])' in code
    small = code.replace('documents(["nav"])', "chosen")
    exec(compile(small, "evidence/docs/reproduction.md", "exec"), {"chosen": [OTHER]})
    assert capsys.readouterr().out.splitlines()[0] == "other figure 5 positive +1.2 deg reproduced"
