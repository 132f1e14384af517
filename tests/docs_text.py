"""Fenced blocks of the pages, and commands in blocks and in running text."""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
FENCE = re.compile(r"^```(\w*)\n(.*?)^```", re.M | re.S)
COMMAND = re.compile(r"\s*(?:\$ )?(pelagos(?: .*)?)")
BESIDE = re.compile(r"\s+#")  # the rest of the line is a shell comment


@dataclass(frozen=True)
class Block:
    """A fenced block of a page."""

    page: str  # from the root of the clone, docs/tether.md
    language: str
    text: str


def pages() -> list[str]:
    """Every page of the clone's root, of docs/ and of evidence/."""
    folders = (ROOT, ROOT / "docs", ROOT / "evidence", ROOT / "evidence/docs")
    return sorted(str(path.relative_to(ROOT)) for folder in folders for path in folder.glob("*.md"))


def read(page: str) -> str:
    """The text of a page."""
    return (ROOT / page).read_text(encoding="utf-8")


def blocks(page: str, language: str | None = None) -> list[Block]:
    """The fenced blocks of a page, those of one language if it is given."""
    fenced = [Block(page, *parts) for parts in FENCE.findall(read(page))]
    return [block for block in fenced if language in (None, block.language)]


def code(page: str, language: str) -> list[str]:
    """The texts of the blocks of one language."""
    return [block.text for block in blocks(page, language)]


def run_python(page: str, names: dict | None = None) -> dict:
    """Run the Python of a page from top to bottom in one namespace, as a reader would; return the names it defines."""
    names = {} if names is None else names
    for text in code(page, "python"):
        exec(compile(text, page, "exec"), names)
    return names


def indented(page: str) -> list[str]:
    """The lines of indented blocks: commands and formulas."""
    return [line.strip() for line in FENCE.sub("", read(page)).splitlines() if re.match(r"    \S", line)]


def quoted(page: str) -> list[str]:
    """Everything between single backquotes in running text, on one line."""
    bare = "\n".join(line for line in FENCE.sub("", read(page)).splitlines() if not re.match(r"    \S", line))
    return [" ".join(text.split()) for text in re.findall(r"(?<!`)`([^`]+)`(?!`)", bare)]


def commands(page: str) -> list[str]:
    """The lines `pelagos ...` of a page in order, without comments; no line twice."""
    lines = [line for block in blocks(page) if block.language in ("", "sh", "text") for line in block.text.splitlines()]
    lines = [line.rpartition(" && ")[2] for line in [*lines, *indented(page)]] + quoted(page)
    command_lines = [match[1] for line in lines if (match := COMMAND.fullmatch(BESIDE.split(line.strip())[0]))]
    return list(dict.fromkeys(command_lines))


def words(command: str) -> list[str]:
    """A command as the shell would give it to the program, without its first word."""
    return shlex.split(command)[1:]
