"""The sentences of docs/reproduction.md that no run changes: opening, the command, how to repeat and to cite it."""

OPENING = """\
This page is written by the command `pelagos reproduce`, as are its figures; only the sentences that lead in are typed
by hand. It gives the chief results of each document, the figures, and all that differs or had to be assumed. Every
row, with tolerance, reason, code and tests, stands on a page for each document, to which the places in the tables
lead; misprints of the documents have [a page of their own](errata.md)."""

REPEAT = """\
`pelagos reproduce` recomputes everything on this page, in minutes, and writes `reproduction.html`, one file with all
rows, figures and errata that opens in any browser without a network, and `reproduction.json` for programs. It needs
`pip install ".[full]"`."""

COMMAND = """\
```sh
pelagos reproduce --list                    # the documents and their parts
pelagos reproduce                           # all of them
pelagos reproduce royer                     # one
pelagos reproduce hunt gavia --jobs 1       # two, one after the other in this process
pelagos reproduce --out r.html --json r.json
```

The parts of the documents are computed side by side in as many processes as the machine has processors; `--jobs`
says how many. A part that cannot be computed becomes a failed row and the others go on; Ctrl-C
writes a report of what is done, marked as incomplete. The exit code is 0 if no row failed, 1 if one did, 2 for an
order that cannot be followed and 130 after Ctrl-C.

In the HTML report buttons show the rows of one verdict and a box finds rows by words. The JSON holds the same:
`counts` by verdict, `documents`, their `parts`, their `claims` (`key`, `place`, `what`, `published`, `ours`, `error`,
`tolerance`, `why`, `verdict`, `assumption`, `numbers`, `unit`, `errata`, `code`, `tests`, `figures`), `errata`,
`sources` and `made_with`; `numbers` has the same figures without words, in `unit`.
`pelagos.reproduce.report_json.report_schema()` is its JSON Schema, in which every field has a sentence. In Python:

```python
from pelagos.reproduce.documents import documents
from pelagos.reproduce.run import run

outcome = run(documents(["nav"]))
for document, claim in outcome.rows:
    print(document.key, claim.place, claim.published, claim.ours, claim.verdict)
```

`python scripts/reproduction_page.py` in a clone writes this page, the pages of rows, the figures, the errata and the
table of the README anew. The tests compare the rows of these pages with fresh runs: which there are, their places,
published values and verdicts."""

CITE = """\
Pelagos contributors, *Pelagos {version}: an open simulator of underwater vehicles*, "Five documents, reproduced",
docs/reproduction.md. A single row is cited by its anchor, such as `docs/{row}`. The documents:"""
