"""Write a run of the documents as the Markdown pages of evidence/docs, and the README's table.

`reproduction.md` is the paper: what was done, the key results, the figures and a discussion. Each document has a page
with all its rows, and `errata.md` lists the misprints.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType

from pelagos.errors import CommandError
from pelagos_evidence.claim import Claim, ClaimVerdict
from pelagos_evidence.document import Document
from pelagos_evidence.documents import DOCUMENTS, document
from pelagos_evidence.errata import WEIGHTS, errata, sources
from pelagos_evidence.outcome import HEADS, DocumentOutcome, Outcome, PartOutcome, figure_id, made_with
from pelagos_evidence.report.words import (
    CHIEF_COLUMNS,
    COLUMNS,
    LARGE,
    LIMITS,
    METHOD,
    UNLIKE,
    abstract,
    markdown_text,
    percent,
    title,
)

PAPER = "reproduction.md"
IMAGES = "images/reproduction"
NONE: Mapping[str, int] = MappingProxyType({})
ERRATA_HEADS = ("key", "place", "printed", "right", "how it is known", "what Pelagos uses", "weight")
APART = "Only read back, numbers that were typed in; not counted:"
OPENING = """\
`pelagos reproduce` writes this page and its figures; only the introductions are typed by hand. It gives the key
results of each document, the figures, the discrepancies and the assumptions. Each document has a page with every row,
its tolerance, reason, code and tests; the places in the tables link to it. Misprints are listed under
[errata](errata.md)."""
REPEAT = """\
`pelagos reproduce` recomputes everything on this page, in minutes, and writes `reproduction.html`, one file with all
rows, figures and errata that opens in any browser without a network, and `reproduction.json` for programs. It is part
of `pip install ".[full,links]" ./evidence`."""
COMMAND = """\
```sh
pelagos reproduce --list                    # the documents and their parts
pelagos reproduce                           # all of them
pelagos reproduce royer                     # one
pelagos reproduce hunt gavia --jobs 1       # two, one after the other in this process
pelagos reproduce --out r.html --json r.json
```

The parts of the documents are computed in parallel, in as many processes as the machine has processors; `--jobs`
sets how many. A part that cannot be computed becomes a failed row and the others go on; Ctrl-C
writes a report of what is done, marked as incomplete. The exit code is 0 if no row failed except those with a
known reason, 1 if one did, 2 for a usage error and 130 after Ctrl-C.

In the HTML report, buttons select the rows of one verdict and a search box finds rows by words. The JSON holds the
same: `counts` by verdict, `documents`, their `parts`, their `claims` (`key`, `place`, `what`, `published`, `ours`,
`error`, `tolerance`, `why`, `verdict`, `known`, `assumption`, `numbers`, `unit`, `errata`, `code`, `tests`, `figures`),
`errata`, `sources` and `made_with`; `numbers` has the same figures without words, in `unit`.
`pelagos_evidence.report.json.report_schema()` is its JSON Schema, in which every field has a sentence. In Python:

```python
from pelagos_evidence.documents import documents
from pelagos_evidence.run import run

outcome = run(documents(["nav"]))
for document, claim in outcome.rows:
    print(document.key, claim.place, claim.published, claim.ours, claim.verdict)
```

`python scripts/reproduction_page.py` in a clone writes this page, the pages of rows, the figures, the errata and the
table of the README anew. The tests compare the rows of these pages with fresh runs: which there are, their places,
published values and verdicts."""
CITE = """\
Pelagos contributors, *Pelagos {version}: an open simulator of underwater vehicles*, "Five documents, reproduced",
evidence/docs/reproduction.md. A single row is cited by its anchor, such as `evidence/docs/{row}`. The documents:"""
WIDTH = 118  # of lines, as in the other pages
SENTENCE = re.compile(r"(?<=[.!?]) +(?=[A-Z0-9])")  # between two of them
SENTENCES = 2  # of a reason; the row has them all
MOST = 8  # differences listed for a document
FEW = 1  # rows that are named beside an assumption; the pages of rows name it in each
BEGIN, END = "<!-- reproduction -->", "<!-- /reproduction -->"


def rows_file(document: Document) -> str:
    """Name of the page with all rows of a document."""
    return f"reproduction-{document.key}.md"


def line(cells: Iterable[str]) -> str:
    """A line of a table."""
    return "| " + " | ".join(cells) + " |"


def table(heads: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """A table with its heads."""
    heads = list(heads)
    return "\n".join([line(heads), "|" + "---|" * len(heads), *map(line, rows)])


def row_link(document: Document, claim: Claim) -> str:
    """The place of a claim, leading to its row from any page."""
    return f"[{markdown_text(claim.place)}]({rows_file(document)}#{document.row_id(claim)})"


def proof_links(claim: Claim, figures: Mapping[str, int] = NONE) -> list[str]:
    """The misprints that bear on a claim, and the figures whose numbers are given."""
    known = errata()
    links = [f"[{key}](errata.md#{key.lower()})" for key in claim.proof.errata if key in known]
    named = [name for name in claim.proof.figures if name in figures]
    return links + [f"[figure {figures[name]}]({PAPER}#{figure_id(name)})" for name in named]


def joined(blocks: Iterable[str]) -> str:
    """Blocks of Markdown as a page."""
    return "\n\n".join(block.strip("\n") for block in blocks if block) + "\n"


def errata_page() -> str:
    """The page as Markdown."""
    weights = "\n".join(f"- *{name or 'none'}*: {text}." for name, text in WEIGHTS.items())
    blocks = [
        "# Errata of the five documents",
        "What is printed, what is right, how that is known, and what Pelagos uses. The rows of "
        f"[the reproduction]({PAPER}) lead here by these keys. The weight says how much an entry matters:",
        weights,
    ]
    for name in DOCUMENTS:
        rows = (
            [f'<a id="{key.lower()}"></a>{key}']
            + [markdown_text(text) for text in (e.place, e.printed, e.right, e.reason, e.used)]
            + [e.weight]
            for key, e in errata().items()
            if e.document == name
        )
        blocks += [f"## {document(name).short}", table(ERRATA_HEADS, rows)]
    listed = ([entry.key, markdown_text(entry.what), markdown_text(entry.where)] for entry in sources().values())
    blocks += ["## Sources", table(("key", "what", "where"), listed)]
    return joined(blocks)


def rows_page(entry: DocumentOutcome, figures: dict[str, int]) -> str:
    """The page as Markdown.

    Args:
        entry: a document and its results.
        figures: numbers of the figures on the page that these rows belong to.
    """
    document = entry.document
    blocks = [
        f"# {document.short}, row by row",
        f"> {document.citation}",
        f"{entry.rows_counted} [What they come to, with the figures]({PAPER}#{document.key}) "
        f"and [how rows are judged]({PAPER}#method) stand on the page they belong to; keys such as B16 or R3 lead to "
        "the [errata](errata.md).",
        "\n".join(f"- [{part.part.title}](#{document.part_id(part.part)})" for part in entry.parts if part.findings),
    ]
    for part in entry.parts:
        blocks += _part(document, part, figures)
    return joined(blocks)


def _part(document: Document, part: PartOutcome, figures: dict[str, int]) -> list[str]:
    findings = part.findings
    if findings is None:
        return []
    name = document.part_id(part.part)
    blocks = [f'<a id="{name}"></a>\n\n## {part.part.title}', f"[What was done]({PAPER}#{name}), with figures."]
    if not findings.drawings:
        blocks[-1] = f"[What was done]({PAPER}#{name})."
    apart = [claim for claim in findings.claims if claim.verdict is ClaimVerdict.READ_BACK]
    for claims, lead in ((findings.listed[: len(findings.claims) - len(apart)], ""), (apart, APART)):
        if claims:
            blocks += [lead, table(COLUMNS, (_row(document, claim, figures) for claim in claims))]
    where = [_where(document, claim) for claim in findings.claims if claim.proof.code or claim.proof.tests]
    if where:
        blocks.append("<details><summary>Where it is implemented and tested</summary>")
        blocks.append(table(("row", "code", "tests"), where))
        blocks.append("</details>")
    return blocks


def _row(document: Document, claim: Claim, figures: dict[str, int]) -> list[str]:
    words = markdown_text(claim.what)
    if claim.assumption:
        words += f"<br>*Assumed:* {markdown_text(claim.assumption)}"
    if links := proof_links(claim, figures):
        words += f"<br>See {', '.join(links)}"
    known = f"Known: {claim.known}" if claim.known and claim.known not in claim.why else ""
    why = "<br>".join(markdown_text(text) for text in (claim.tolerance, claim.why, known) if text)
    verdict = f"**{claim.verdict}**" if claim.verdict is ClaimVerdict.FAILED else str(claim.verdict)
    place = f'<a id="{document.row_id(claim)}"></a>{markdown_text(claim.place)}'
    return [place, words, *map(markdown_text, (claim.published, claim.ours, claim.error)), why, verdict]


def _where(document: Document, claim: Claim) -> list[str]:
    code, tests = (" ".join(f"`{name}`" for name in names) for names in (claim.proof.code, claim.proof.tests))
    return [row_link(document, claim), code, tests]


def summary_table(outcome: Outcome, page: str = "") -> str:
    """Document against verdict as Markdown, each document leading to its section."""
    head, *body = outcome.summary_rows
    lines = [line(head), "|---|" + "---:|" * (len(head) - 1)]
    for k, (name, *cells) in enumerate(body):
        words = f"[{name}]({page}#{outcome.documents[k].document.key})" if k < len(outcome.documents) else f"**{name}**"
        lines.append(line([words, *cells]))
    return "\n".join(lines) + "\n"


def reproduction_page(outcome: Outcome) -> str:
    """The page as Markdown."""
    blocks = [f"# {title(outcome)}", textwrap.fill(f"**Abstract.** {abstract(outcome)}", WIDTH)]
    blocks += [summary_table(outcome), _contents(outcome), OPENING, '<a id="method"></a>\n\n## Method', METHOD]
    figures = outcome.figure_numbers
    for entry in outcome.documents:
        blocks += _document(entry, figures)
    blocks += ['<a id="limits"></a>\n\n## Limits of the method', LIMITS]
    blocks += ["## Repeat it", REPEAT, COMMAND, _made(outcome), "## Cite it", _cite(outcome)]
    blocks.append("\n".join(f"- {entry.document.short}: {entry.document.citation}" for entry in outcome.documents))
    return joined(blocks)


def _contents(outcome: Outcome) -> str:
    there = [("method", "method")] + [(entry.document.key, entry.document.short) for entry in outcome.documents]
    there += [("limits", "limits of the method"), ("repeat-it", "repeat it"), ("cite-it", "cite it")]
    return "On this page: " + ", ".join(f"[{text}](#{key})" for key, text in there) + "."


def _document(entry: DocumentOutcome, figures: dict[str, int]) -> Iterator[str]:
    document = entry.document
    yield f'<a id="{document.key}"></a>\n\n## {document.short}'
    yield f"> {document.citation}"
    yield document.about
    yield (
        f"{entry.rows_counted} [Every row]({rows_file(document)}) "
        "with its tolerance, the reason for it, code and tests."
    )
    if rows := [_chief(document, claim) for claim in entry.chief_claims]:
        yield f'<a id="{document.key}--chief"></a>\n\n### {document.short}: key results'
        yield table(CHIEF_COLUMNS, rows)
    yield f"### {document.short}: what was computed"
    for part in entry.parts:
        yield from _part_section(document, part, figures)
    yield from _differences(entry)
    yield from _unreproduced(entry)
    yield from _assumptions(entry)


def _chief(document: Document, claim: Claim) -> list[str]:
    words = [markdown_text(text) or "-" for text in (claim.what, claim.published, claim.ours, claim.brief_tolerance)]
    return [row_link(document, claim), *words, _short(claim)]


def _short(claim: Claim) -> str:
    return f"**{HEADS[claim.verdict]}**" if claim.verdict is ClaimVerdict.FAILED else HEADS[claim.verdict]


def _part_section(document: Document, part: PartOutcome, figures: dict[str, int]) -> Iterator[str]:
    findings = part.findings
    if findings is None:
        return
    name = document.part_id(part.part)
    rows = f"{len(findings.claims)} {'row' if len(findings.claims) == 1 else 'rows'}"
    yield f'<a id="{name}"></a>\n\n#### {part.part.title}'
    yield f"{part.part.about.strip()} ([{rows}]({rows_file(document)}#{name}))"
    for drawing in findings.drawings:
        caption = markdown_text(drawing.caption)
        number = figures[drawing.name]
        yield f'<a id="{figure_id(drawing.name)}"></a>![Figure {number}]({IMAGES}/{drawing.name}.png)'
        yield f"*Figure {number}.* {caption}"


def _differences(entry: DocumentOutcome) -> Iterator[str]:
    """The rows that hold with the largest relative errors, largest first."""
    far = [(error, claim) for claim in entry.claims if (error := claim.relative_error) is not None and error > LARGE]
    if not far:
        return
    far.sort(key=lambda pair: -pair[0])
    yield f"### {entry.document.short}: largest differences among the rows that hold"
    more = f"; {len(far)} rows differ by more than {percent(LARGE)}, the {MOST} farthest stand here"
    yield (
        "Numbers that are within their tolerance and differ from the published value by more than "
        f"{percent(LARGE)}{more if len(far) > MOST else ''}."
    )
    rows = (
        [
            row_link(entry.document, claim),
            *map(markdown_text, (claim.what, claim.published, claim.ours, claim.error)),
            markdown_text(claim.tolerance),
        ]
        for _, claim in far[:MOST]
    )
    yield table(("place", "claim", "published", "ours", "error", "tolerance"), rows)


def _unreproduced(entry: DocumentOutcome) -> Iterator[str]:
    """The claims that are not reproduced, by verdict."""
    if not any(entry.counts[verdict] for verdict in UNLIKE):
        return
    yield f'<a id="{entry.document.key}--not"></a>\n\n### {entry.document.short}: what is not reproduced, and why'
    yield "The reasons are shortened; each place links to the row with the full reason."
    for verdict, heading in UNLIKE.items():
        if claims := [claim for claim in entry.claims if claim.verdict is verdict]:
            yield heading
            yield "\n".join(_lost(entry.document, claim) for claim in claims)


def _lost(document: Document, claim: Claim) -> str:
    links = ", ".join(proof_links(claim))
    line = f"- {row_link(document, claim)}{f' ({links})' if links else ''}: {_ended(claim.what)}"
    if claim.key not in document.chief:  # its values stand above
        line += f" Published: {markdown_text(claim.published)}"
        line += f"; ours: {_ended(claim.ours)}" if claim.ours else "."
    why = markdown_text(" ".join(SENTENCE.split(claim.why)[:SENTENCES]))
    return f"{line} {why[:1].upper()}{why[1:]}"


def _ended(text: str) -> str:
    text = markdown_text(text)
    return text if text.endswith((".", "?", "!")) else f"{text}."


def _assumptions(entry: DocumentOutcome) -> Iterator[str]:
    if entry.assumptions:
        yield f'<a id="{entry.document.key}--assumed"></a>\n\n### {entry.document.short}: what had to be assumed'
        yield "\n".join(
            f"- {markdown_text(text)} ({_some([row_link(entry.document, claim) for claim in claims])})"
            for text, claims in entry.assumptions.items()
        )


def _some(links: list[str]) -> str:
    more = len(links) - FEW
    return ", ".join(links[:FEW]) + (f" and {more} more" if more > 0 else "")


def _made(outcome: Outcome) -> str:
    """Versions, machine and computing time in one sentence."""
    made = made_with()
    versions = ", ".join(f"{name.capitalize()} {made[name]}" for name in ("python", "numpy", "numba", "matplotlib"))
    text = (
        f"This page was made with Pelagos {made['pelagos']}, {versions} on a machine of the class {made['machine']}, "
        f"by {outcome.jobs} processes in {outcome.seconds:.0f} s; it holds {len(outcome.figure_numbers)} figures."
    )
    return textwrap.fill(text, WIDTH)


def _cite(outcome: Outcome) -> str:
    rows = [f"{rows_file(document)}#{document.row_id(claim)}" for document, claim in outcome.rows]
    return CITE.format(version=made_with()["pelagos"], row=rows[0] if rows else "")


def write_page(outcome: Outcome, folder: Path, names: Iterable[str] = ()) -> list[Path]:
    """Write reproduction.md, a page of rows for each document, errata.md and the pictures; returns what was written.

    Args:
        outcome: a complete run.
        folder: such as docs; pictures go to images/reproduction in it.
        names: of all documents there are, whose old pictures may be removed; those of the run if not given.
    """
    if not outcome.complete:
        raise CommandError("the page is not written from a run that was interrupted")
    images, figures = folder / IMAGES, outcome.figure_numbers
    files = {folder / PAPER: reproduction_page(outcome).encode(), folder / "errata.md": errata_page().encode()}
    files |= {folder / rows_file(entry.document): rows_page(entry, figures).encode() for entry in outcome.documents}
    files |= {images / f"{d.name}.png": d.png for entry in outcome.documents for d in entry.drawings}
    keys = tuple(f"{name}-" for name in names or (entry.document.key for entry in outcome.documents))
    try:
        images.mkdir(parents=True, exist_ok=True)
        for old in images.glob("*.png"):
            if old not in files and old.name.startswith(keys):
                old.unlink()
        for path, content in files.items():
            path.write_bytes(content)
    except OSError as problem:
        raise CommandError(
            f"the page cannot be written ({problem.strerror})", file=problem.filename or folder
        ) from None
    return list(files)


def write_readme(outcome: Outcome, path: Path) -> None:
    """Put the summary between the two marks of the README."""
    text = path.read_text(encoding="utf-8")
    if BEGIN not in text or END not in text:
        raise CommandError(file=path, expected=f"the marks {BEGIN} and {END} around the table")
    before, rest = text.split(BEGIN, 1)
    after = rest.split(END, 1)[1]
    path.write_text(
        f"{before}{BEGIN}\n{summary_table(outcome, f'evidence/docs/{PAPER}')}{END}{after}", encoding="utf-8"
    )
