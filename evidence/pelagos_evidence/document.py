"""A document, its parts, and the claims and figures of a part."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pelagos.analysis.page import METADATA, settle
from pelagos.errors import FileError
from pelagos.files.source import read_toml
from pelagos_evidence.claim import Claim, ClaimVerdict

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Progress = Callable[[float], None]  # a part calls it with the share of it that is done, 0 to 1
DOCUMENT_KEYS = ("short", "citation", "about", "chief")
PART_KEYS = ("key", "title", "about", "run")


@dataclass(frozen=True)
class Drawing:
    """A picture of the report.

    Args:
        name: unique among all documents, kebab-case, begins with the document's key ("royer-shapes").
        caption: what is to be seen, with the figure of the document it answers to.
        png: the picture.
        width_px: its width.
        height_px: its height.
    """

    name: str
    caption: str
    png: bytes
    width_px: int
    height_px: int


@dataclass(frozen=True)
class Findings:
    """Claims and figures computed by a part, in the order of reading."""

    claims: tuple[Claim, ...] = ()
    drawings: tuple[Drawing, ...] = ()

    @property
    def listed(self) -> list[Claim]:
        """The rows in the order of the page, those with the verdict "read back" last."""
        return sorted(self.claims, key=lambda claim: claim.verdict is ClaimVerdict.READ_BACK)


@dataclass(frozen=True)
class Part:
    """One section of a document's chapter in the report.

    Args:
        key: unique within the document, kebab-case ("tether").
        title: heading.
        about: two to five sentences that lead in: what the document did, what we did, what to look at. Markdown
            without headings, links to pages of docs/ as [text](../../docs/page.md).
        run: computes it; a function of a module, so that another process can be given it.
    """

    key: str
    title: str
    about: str
    run: Callable[[Progress], Findings]


@dataclass(frozen=True)
class Document:
    """One of the five reproduced documents.

    Args:
        key: word of the command line ("royer").
        short: name in tables ("Royer 1985").
        citation: full reference.
        about: the lead paragraph, as `Part.about`.
        parts: its parts.
        chief: keys of the claims a reader asks for first, of any part; they open the document's chapter.
    """

    key: str
    short: str
    citation: str
    about: str
    parts: tuple[Part, ...]
    chief: tuple[str, ...] = ()

    def row_id(self, claim: Claim) -> str:
        """Anchor of a row, in the report and in the page."""
        return f"{self.key}-{claim.key}"

    def part_id(self, part: Part) -> str:
        """Anchor of a part; two hyphens, so that it is never that of a row."""
        return f"{self.key}--{part.key}"


def read_document(package: str, file: str) -> Document:
    """The document of a package, by the document.toml in its folder; its key is the name of the package.

    Args:
        package: `__name__` of the package.
        file: its `__file__`.
    """
    path = Path(file).with_name("document.toml")
    name = f"{path.parent.name}/{path.name}"
    document = read_toml(path, FileError)
    parts: list[dict[str, Any]] = document.pop("part", [])
    tables = [
        ("", document, DOCUMENT_KEYS),
        *((f"part {n}.", part, PART_KEYS) for n, part in enumerate(parts, start=1)),
    ]
    for where, table, keys in tables:
        for key in table:
            if key not in keys:
                raise FileError("no such key", file=name, key=where + key, names=keys, misspelt=key)
        for key in keys:
            if key not in table:
                raise FileError("is missing", file=name, key=where + key)
    return Document(
        key=path.parent.name,
        parts=tuple(Part(part["key"], part["title"], part["about"], _run(package, part["run"])) for part in parts),
        **{**document, "chief": tuple(document["chief"])},
    )


def _run(package: str, function: str) -> Callable[[Progress], Findings]:
    """The function of a part, by module and name within the package."""
    module, _, name = function.rpartition(".")
    return getattr(import_module(f"{package}.{module}"), name)


def drawn(figure: Figure, name: str, caption: str, dpi: int = 110) -> Drawing:
    """The finished matplotlib figure as a drawing; equal figures give equal bytes."""
    settle(figure)
    sheet = io.BytesIO()
    figure.savefig(sheet, format="png", dpi=dpi, metadata=METADATA[".png"])
    png = sheet.getvalue()
    # bytes 16 to 24 of every PNG: its size, which matplotlib rounds in a way of its own
    return Drawing(name, caption, png, int.from_bytes(png[16:20]), int.from_bytes(png[20:24]))
