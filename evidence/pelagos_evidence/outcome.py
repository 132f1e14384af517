"""Results of a run: the documents' parts with rows and figures, counts by verdict, versions and machine."""

from __future__ import annotations

import os
import platform
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version

import pelagos
from pelagos_evidence.claim import Claim, ClaimVerdict
from pelagos_evidence.document import Document, Drawing, Findings, Part

HEADS = {
    ClaimVerdict.REPRODUCED: "reproduced",
    ClaimVerdict.ASSUMED: "with a stated assumption",
    ClaimVerdict.REFUTED: "refuted",
    ClaimVerdict.NOT_MET: "not met",
    ClaimVerdict.NO_DATA: "no data",
    ClaimVerdict.FAILED: "failed",
}  # what is counted; rows that are read back are not
PACKAGES = ("numpy", "numba", "matplotlib")


@dataclass(frozen=True)
class PartOutcome:
    """A part and its findings; `findings` is None for one that was not reached."""

    part: Part
    findings: Findings | None = None
    seconds: float = 0.0


@dataclass(frozen=True)
class DocumentOutcome:
    """A document and the findings of its parts."""

    document: Document
    parts: tuple[PartOutcome, ...]

    @property
    def claims(self) -> tuple[Claim, ...]:
        """All rows in the order of reading."""
        return tuple(claim for part in self.parts if part.findings for claim in part.findings.claims)

    @property
    def drawings(self) -> tuple[Drawing, ...]:
        """All pictures in the order of reading."""
        return tuple(drawing for part in self.parts if part.findings for drawing in part.findings.drawings)

    @property
    def counts(self) -> Counter[ClaimVerdict]:
        """Rows by verdict, without those that are only read back."""
        return Counter(claim.verdict for claim in self.claims if claim.verdict in HEADS)

    @property
    def read_back(self) -> int:
        """Rows that only read back numbers that were typed in."""
        return sum(claim.verdict is ClaimVerdict.READ_BACK for claim in self.claims)

    @property
    def chief_claims(self) -> list[Claim]:
        """The key results, in the order of the document's `chief`."""
        by_key = {claim.key: claim for claim in self.claims if claim.verdict in HEADS}
        return [by_key[key] for key in self.document.chief if key in by_key]

    @property
    def assumptions(self) -> dict[str, list[Claim]]:
        """Each assumption once, with the rows that rest on it."""
        assumed: dict[str, list[Claim]] = {}
        for claim in self.claims:
            if claim.assumption:
                assumed.setdefault(claim.assumption, []).append(claim)
        return assumed

    @property
    def rows_counted(self) -> str:
        """Rows by verdict, with what is not counted: a sentence or two."""
        sentence = f"{self.counts.total()} rows: {counted(self.counts)}."
        apart = f" {self.read_back} more only read back numbers that were typed in, and are not counted."
        return sentence + (apart if self.read_back else "")

    @property
    def seconds(self) -> float:
        """Time of all parts, s."""
        return sum(part.seconds for part in self.parts)


@dataclass(frozen=True)
class Outcome:
    """Results of a run.

    Args:
        documents: in the order of the report.
        seconds: wall time of all, s.
        jobs: processes that shared the work.
    """

    documents: tuple[DocumentOutcome, ...]
    seconds: float = 0.0
    jobs: int = 1

    @property
    def complete(self) -> bool:
        """Whether every part was reached."""
        return all(part.findings is not None for document in self.documents for part in document.parts)

    @property
    def counts(self) -> Counter[ClaimVerdict]:
        """Rows by verdict."""
        return sum((document.counts for document in self.documents), Counter[ClaimVerdict]())

    @property
    def rows(self) -> Iterator[tuple[Document, Claim]]:
        """Every row with its document."""
        return ((entry.document, claim) for entry in self.documents for claim in entry.claims)

    @property
    def read_back(self) -> int:
        """Rows that only read back numbers that were typed in."""
        return sum(document.read_back for document in self.documents)

    @property
    def failed(self) -> list[tuple[Document, Claim]]:
        """Rows that should hold and do not."""
        return [(document, claim) for document, claim in self.rows if claim.verdict is ClaimVerdict.FAILED]

    @property
    def unexpected(self) -> list[tuple[Document, Claim]]:
        """The failed rows that are not marked as known."""
        return [(document, claim) for document, claim in self.failed if not claim.known]

    @property
    def figure_numbers(self) -> dict[str, int]:
        """Pictures by name, counted through the report."""
        names = (drawing.name for entry in self.documents for drawing in entry.drawings)
        return {name: number for number, name in enumerate(names, start=1)}

    @property
    def summary_rows(self) -> list[tuple[str, ...]]:
        """Document against verdict, with heads and sums, as words."""
        body = [(entry.document.short, entry.counts) for entry in self.documents]
        body += [("all", self.counts)] if len(body) > 1 else []
        rows = [("document", "claims", *HEADS.values())]
        return rows + [(name, *map(str, (counts.total(), *(counts[v] for v in HEADS)))) for name, counts in body]


def figure_id(name: str) -> str:
    """Anchor of a picture; a row may have its name."""
    return f"figure-{name}"


def counted(counts: Counter[ClaimVerdict]) -> str:
    """Rows by verdict in words, without zeros."""
    return ", ".join(f"{counts[verdict]} {head}" for verdict, head in HEADS.items() if counts[verdict])


def summary(outcome: Outcome) -> str:
    """`Outcome.summary_rows` as a table for a terminal."""
    rows = outcome.summary_rows
    widths = [max(len(row[k]) for row in rows) for k in range(len(rows[0]))]
    return "\n".join(
        "  ".join(cell.rjust(w) if k else cell.ljust(w) for k, (cell, w) in enumerate(zip(row, widths, strict=True)))
        for row in rows
    )


def made_with() -> dict[str, str]:
    """Versions and the class of machine, without its name."""
    versions = {"pelagos": pelagos.__version__, "python": platform.python_version()}
    for name in PACKAGES:
        try:
            versions[name] = version(name)
        except PackageNotFoundError:
            versions[name] = "not installed"
    versions["machine"] = f"{platform.system()} {platform.machine()}, {os.cpu_count()} processors"
    return versions
