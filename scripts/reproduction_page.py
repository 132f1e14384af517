"""Write the pages of evidence/docs with figures, and the README's table, from a fresh run of everything.

python scripts/reproduction_page.py            runs the five documents and writes
python scripts/reproduction_page.py errata     writes errata.md alone, without a run
"""

from __future__ import annotations

import sys
from pathlib import Path

from pelagos_evidence.documents import documents
from pelagos_evidence.outcome import summary
from pelagos_evidence.report.pages import errata_page, write_page, write_readme
from pelagos_evidence.run import RunProgress, run

ROOT = Path(__file__).parents[1]


def main() -> int:
    """Returns 1 if a row failed that is not known to; nothing is written then."""
    if sys.argv[1:] == ["errata"]:
        (ROOT / "evidence/docs/errata.md").write_text(errata_page(), encoding="utf-8")
        return 0
    chosen = documents()
    with RunProgress(chosen) as progress:
        outcome = run(chosen, watcher=progress)
    print(summary(outcome))
    for document, claim in outcome.failed:
        print(f"FAILED  {document.key}  {claim.place}: {claim.what}: {claim.published}, ours {claim.ours}")
    if outcome.unexpected or not outcome.complete:
        return 1
    write_page(outcome, ROOT / "evidence/docs")
    write_readme(outcome, ROOT / "README.md")
    return 0


if __name__ == "__main__":  # the processes of a run import this file
    sys.exit(main())
