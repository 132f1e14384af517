"""Words of documents and rows for a page: plain text to HTML or Markdown, and the little Markdown of leads to HTML."""

from __future__ import annotations

import re
from html import escape

CODE = re.compile(r"(`[^`]+`)")
START = re.compile(r"^((?!- |  ).+)\n(?=- )", re.M)  # the line before a list
LINK = re.compile(r"\[([^\]]+)\]\(([^)\s]+)\)")


def html_text(text: str) -> str:
    """Plain text as HTML; what stands between backticks is code."""
    return "".join(
        f"<code>{escape(piece[1:-1])}</code>" if CODE.fullmatch(piece) else escape(piece) for piece in CODE.split(text)
    )


def markdown_text(text: str) -> str:
    """Plain text as Markdown, also in a cell of a table: what would be taken for a mark is escaped, code is kept."""
    pieces = (piece if CODE.fullmatch(piece) else _marked(piece) for piece in CODE.split(" ".join(text.split())))
    return "".join(pieces).replace("|", r"\|")


def _marked(text: str) -> str:
    text = re.sub(r"([\\*\[\]`~$])", r"\\\1", text)
    text = re.sub(r"(?<!\w)_|_(?!\w)", r"\\_", text)  # inside a word it is no mark
    return text.replace("<", "&lt;").replace(">", "&gt;")


def markdown_to_html(text: str) -> str:
    """Paragraphs, bullet lists, bold, emphasis, code and links; a link to a page of docs/ becomes its name in brackets.

    The report is one file that may be read anywhere, so it must not lean on a page that is not beside it.
    """
    blocks: list[str] = []
    for block in re.split(r"\n\s*\n", START.sub(r"\1\n\n", text.strip())):
        lines = block.splitlines()
        if lines and all(line.startswith(("- ", "  ")) for line in lines):
            items = re.split(r"(?:^|\n)- ", block)[1:]
            blocks.append("<ul>" + "".join(f"<li>{_inline(' '.join(item.split()))}</li>" for item in items) + "</ul>")
        elif lines:
            blocks.append(f"<p>{_inline(' '.join(block.split()))}</p>")
    return "".join(blocks)


def _inline(text: str) -> str:
    made: list[str] = []
    for piece in CODE.split(text):
        if CODE.fullmatch(piece):
            made.append(f"<code>{escape(piece[1:-1])}</code>")
            continue
        piece = escape(piece, quote=False)
        piece = LINK.sub(_link, piece)
        piece = re.sub(r"\*\*(.+?)\*\*", r"<strong>\1</strong>", piece)
        made.append(re.sub(r"(?<![\w*\\])\*([^*\s][^*]*)\*(?!\w)", r"<em>\1</em>", piece))
    return "".join(made)


def _link(found: re.Match[str]) -> str:
    text, target = found[1], found[2]
    if target.startswith("https://"):
        return f'<a href="{escape(target)}">{text}</a>'
    if target.startswith("#"):
        return text
    return f"{text} <small>(docs/{escape(target.partition('#')[0])})</small>"
