"""`pelagos reproduce`: recompute the published claims of the five documents and report the differences."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pelagos_evidence.claim import Claim
    from pelagos_evidence.document import Document
    from pelagos_evidence.outcome import Outcome

REPRODUCE_EXAMPLES = """\
examples:
  pelagos reproduce                            all five documents: reproduction.html and reproduction.json
  pelagos reproduce royer                      one of them
  pelagos reproduce hunt gavia --out few.html  some, and where the report goes
  pelagos reproduce --list                     the documents and their parts
  pelagos reproduce --page pages               the same as Markdown with figures, as evidence/docs/reproduction.md

Each published claim becomes a row: where it stands, the published value, ours, the error, what it may be and why, and a
verdict: reproduced, reproduced with a stated assumption (the document is silent; the row says what was assumed),
refuted (computed, and the print is wrong), not met (ours does not show it), no data (nothing to compare with), or
failed. Exit code 1 if a row fails and is not marked as known. Ctrl-C leaves a report of what is done.
How rows are judged, and the latest results: evidence/docs/reproduction.md.
"""
Add = Callable[..., argparse.ArgumentParser]


def add_reproduce(add: Add) -> None:
    """Add the command of this module to the parser."""
    about = "recompute the published results of five documents and report the differences"
    command = add("reproduce", reproduce, about, REPRODUCE_EXAMPLES)
    command.add_argument(
        "document", nargs="*", metavar="DOC", help="brutzman, hunt, nav, royer, gavia; without it: all"
    )
    command.add_argument("--list", action="store_true", help="list the documents and their parts, compute nothing")
    command.add_argument(
        "--out", metavar="FILE", default="reproduction.html", help="the report, default reproduction.html"
    )
    command.add_argument(
        "--json", metavar="FILE", default="reproduction.json", help="the same for programs, default reproduction.json"
    )
    command.add_argument("--jobs", type=int, metavar="N", help="parts computed at a time; default: the processors")
    command.add_argument(
        "--page",
        metavar="FOLDER",
        help="also write the pages of evidence/docs there: reproduction*.md, errata.md, images",
    )


def reproduce(arguments: argparse.Namespace) -> int:
    """Compute, write the reports, print a summary; returns 1 if a row fails unexpectedly, 130 if interrupted."""
    from pelagos.analysis.page import styled
    from pelagos.errors import CommandError
    from pelagos_evidence.documents import documents
    from pelagos_evidence.outcome import summary
    from pelagos_evidence.run import RunProgress, run

    if arguments.jobs is not None and arguments.jobs < 1:
        raise CommandError(key="--jobs", value=arguments.jobs, expected="1 or more")
    chosen = documents(arguments.document)
    if arguments.list:
        return _list(chosen)
    if Path(arguments.out).resolve() == Path(arguments.json).resolve():
        raise CommandError(key="--json", value=arguments.json, expected="a file other than that of --out")
    for flag, name in (("--out", arguments.out), ("--json", arguments.json)):
        _may_be_written(flag, Path(name))
    if arguments.page is not None:
        _folder("--page", Path(arguments.page))
    with styled():  # without matplotlib this fails now, not after minutes
        pass
    with RunProgress(chosen) as progress:
        outcome = run(chosen, arguments.jobs, progress)
    files = _write(outcome, arguments)
    print(summary(outcome))
    for document, claim in outcome.failed:
        print("\n" + _failure_text(document, claim))
    print()
    for kind, file in files:
        print(f"  {kind:<8}{file}")
    print(
        f"  took    {outcome.seconds:.0f} s" + ("" if outcome.complete else ", interrupted: the report is incomplete")
    )
    return 130 if not outcome.complete else 1 if outcome.unexpected else 0


def _list(chosen: tuple[Document, ...]) -> int:
    for document in chosen:
        print(f"{document.key:<10}{document.short}: {document.citation}")
        for part in document.parts:
            print(f"{'':<10}  {part.title}")
    return 0


def _failure_text(document: Document, claim: Claim) -> str:
    """A failed row as a paragraph."""
    lines = [f"FAILED  {document.short}, {claim.place}: {claim.what}"]
    for name in ("published", "ours", "error", "tolerance", "why", "known"):
        value = getattr(claim, name)
        lines += [f"  {name:<11}{value}"] if value else []
    return "\n".join(lines)


def _write(outcome: Outcome, arguments: argparse.Namespace) -> list[tuple[str, str]]:
    from pelagos_evidence.report.html import report_html
    from pelagos_evidence.report.json import report_json
    from pelagos_evidence.report.pages import write_page

    _text(arguments.out, report_html(outcome))
    _text(arguments.json, report_json(outcome))
    files = [("report", arguments.out), ("json", arguments.json)]
    if arguments.page is not None:
        if outcome.complete:
            write_page(outcome, Path(arguments.page))
            files.append(("page", str(Path(arguments.page) / "reproduction.md")))
        else:
            files.append(("page", "none: it is not written from a run that was interrupted"))
    return files


def _text(file: str, text: str) -> None:
    from pelagos.errors import CommandError

    try:
        Path(file).write_text(text, encoding="utf-8", newline="\n")
    except OSError as problem:
        raise CommandError(f"the report cannot be written ({problem.strerror})", file=file) from None


def _folder(flag: str, folder: Path) -> None:
    from pelagos.errors import CommandError

    if folder.is_dir():
        return
    try:
        folder.mkdir(parents=True)
    except OSError as problem:
        raise CommandError(f"the folder cannot be made ({problem.strerror})", key=flag, value=str(folder)) from None
    print(f"the folder {folder} is made", file=sys.stderr)


def _may_be_written(flag: str, path: Path) -> None:
    """Check that a file can be written, before anything is computed; leaves no file behind."""
    from pelagos.errors import CommandError

    _folder(flag, path.parent)
    new = not path.exists()
    try:
        path.open("ab").close()
    except OSError as problem:
        raise CommandError(f"cannot be written ({problem.strerror})", key=flag, value=str(path)) from None
    if new:
        path.unlink()
