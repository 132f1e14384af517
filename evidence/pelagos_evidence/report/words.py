"""Sentences that the report and the pages share, and the conversion of texts to HTML and Markdown."""

from __future__ import annotations

import re
from html import escape

from pelagos_evidence.claim import ClaimVerdict
from pelagos_evidence.documents import DOCUMENTS
from pelagos_evidence.outcome import Outcome

CODE = re.compile(r"(`[^`]+`)")
START = re.compile(r"^((?!- |  ).+)\n(?=- )", re.M)  # the line before a list
LINK = re.compile(r"\[([^\]]+)\]\(([^)\s]+)\)")
FEW = 9  # rows with numbers: of fewer there is nothing to sum up
OTHERS = "equations, tables, limits, signs and orderings"
LARGE = 0.01  # a difference above this share is listed
INCOMPLETE = "This run was interrupted: what follows is what was computed until then."
METHOD = """\
A row is one claim that can be checked: a number, a table, a figure, an equation, or a statement that is true or
false. It names the place in the document, the published value, the value that Pelagos computes, and the difference.
The published value is what the document prints, or what its erratum says where the print is wrong. It comes from
Pelagos only where a row shows what the printed numbers do when flown, and such a row is never counted as reproduced.
The documents print few results. Where they give an equation and no number, the row sets our simulation
against the closed form of that equation, or the engine against the printed formula, typed in anew, at random states;
it then states that, and shows that the equation is solved correctly, not that a number was measured. The tolerance
comes from the digits that the document prints, from the accuracy of its method or of ours, or, where there is neither,
from a limit that the row states as a choice; each row says which.

Whether a row holds follows from its numbers and is never entered by hand. What it means if it does not hold is our
judgement, for which the row gives the reason.

- **reproduced**: our value lies within the tolerance.
- **reproduced with a stated assumption**: so does ours, but the document leaves something out (a lost figure, an
  unknown position, a program that was never published) and the row says what was assumed in its place.
- **refuted**: computed, and the print is wrong: it contradicts itself, another part of the document or mechanics by
  more than the row allows. What is used in its place is tested beside it.
- **not met**: computed, and ours does not show what is claimed; the print may be right all the same.
- **no data**: nothing is published to compute with or to compare with.
- **failed**: our value should lie within the tolerance and does not, or contradicts what is claimed. Such a row makes
  the command end with exit code 1, unless it gives the reason why it is known and yet not mended.

A row that only reads back a number that was typed in shows that it was typed in right, and nothing of the model. Such
rows are listed apart, as **read back**, and not counted.

A misprint is listed with what is printed, what is right, how that is known and what Pelagos uses; rows that it
affects link to it by its key, such as B16.
"""
LIMITS = """\
- The claims were chosen by those who wrote the simulator, by reading. That none is missing is not proven.
- Rows are not independent of each other. Many rest on the same coefficients and the same kernel, so that their number
  is a measure of coverage, not of probability.
- A row that sets the engine against a printed equation shows that the engine computes what is printed. Whether the
  equation describes a vehicle in water is another question, for measurements; what is known of that for each vehicle
  stands under [accuracy](../../docs/accuracy.md).
- No measured curve of the five documents was at hand. Where a document compares itself with an experiment, the row
  says that this cannot be repeated.
- The documents were read in scans, some without their figures. A value that stands in a figure alone is taken as
  lost.
- Tolerances were set by us, knowing the documents. Each row states the reason, so that a reader may disagree with it;
  published value, ours and the tolerance are in the JSON as numbers.
- An assumption is one of several that would have been possible. A row that rests on one shows that the claim can be
  met, not that the author did it in this way.
- Simulated pilots stand in for people; they show what a model of an operator does, not what a person would do.
- Rates and delays that are measured on the machine of the run differ from machine to machine.
"""
COLUMNS = ("place", "claim", "published", "ours", "error", "tolerance and why", "verdict")
CHIEF_COLUMNS = ("place", "claim", "published", "ours", "tolerance", "verdict")
UNLIKE = {
    ClaimVerdict.REFUTED: "Refuted: computed, and the print is wrong.",
    ClaimVerdict.NOT_MET: "Not met: computed, and ours does not show it; the print may be right.",
    ClaimVerdict.NO_DATA: "No data: nothing is published to compute with or to compare with.",
    ClaimVerdict.FAILED: "Failed: ours contradicts what is claimed.",
}


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


def _link(match: re.Match[str]) -> str:
    text, target = match[1], match[2]
    if target.startswith("https://"):
        return f'<a href="{escape(target)}">{text}</a>'
    if target.startswith("#"):
        return text
    page = target.partition("#")[0]
    path = page.removeprefix("../../") if page.startswith("../../") else f"evidence/docs/{page}"
    return f"{text} <small>({escape(path)})</small>"


def title(outcome: Outcome) -> str:
    """Title of the report and of the page."""
    whole = len(outcome.documents) == len(DOCUMENTS)
    return f"{'Five documents' if whole else _these(outcome)}, reproduced"


def abstract(outcome: Outcome) -> str:
    """The opening paragraph, with the figures of this run."""
    counts = outcome.counts
    assumed, wrong, unmet, lost, failed = (
        counts[v]
        for v in (
            ClaimVerdict.ASSUMED,
            ClaimVerdict.REFUTED,
            ClaimVerdict.NOT_MET,
            ClaimVerdict.NO_DATA,
            ClaimVerdict.FAILED,
        )
    )
    sentences = [
        "Pelagos grew from five documents on the simulation of underwater vehicles. Here the claims of "
        f"{_these(outcome)} that can be checked are recomputed, one row each. Of {counts.total()} rows, "
        f"{counts[ClaimVerdict.REPRODUCED]} are reproduced within a tolerance that the row justifies, {assumed} "
        f"{_verb(assumed)} reproduced with a stated assumption where the document is silent, {wrong or 'none'} "
        f"{_verb(wrong)} refuted, as the print is wrong, {unmet or 'none'} {_verb(unmet)} not met, for "
        f"{lost or 'none'} there are no data, and {failed or 'none'} {'fails' if failed == 1 else 'fail'}."
    ]
    if outcome.read_back:
        sentences.append(f"{outcome.read_back} more only read back numbers that were typed in, and are not counted.")
    sentences += _differences(outcome)
    if len(outcome.documents) == len(DOCUMENTS):
        sentences.append(
            "No measured curve was available, so that agreement is with what the documents print and with what their "
            "equations give, not with nature."
        )
    return " ".join(sentences)


def _differences(outcome: Outcome) -> list[str]:
    """Sentences on the relative errors of rows that hold; no average, which closed forms would dominate."""
    errors = [error for _, claim in outcome.rows if (error := claim.relative_error) is not None]
    if len(errors) <= FEW:
        return []
    far = sum(error > LARGE for error in errors)
    ratios = [ratio for _, claim in outcome.rows if (ratio := claim.estimate_ratio) is not None]
    others = outcome.counts[ClaimVerdict.REPRODUCED] + outcome.counts[ClaimVerdict.ASSUMED] - len(errors)
    sentences = [
        f"{len(errors)} of the rows that hold compare our number with one of the document, which is printed there or "
        f"follows from its equations in closed form; {far} of them {'differs' if far == 1 else 'differ'} by more than "
        f"{percent(LARGE)}, at most by {percent(max(errors))}."
    ]
    if others:
        sentences.append(f"The other {others} that hold are {OTHERS}.")
    if ratios:
        sentences.append(
            f"{len(ratios)} rows also compare an estimate from length, radius and mass with the vehicle: "
            f"{min(ratios):.2g} to {max(ratios):.2g} times the number published for the vehicle."
        )
    return sentences


def _verb(count: int) -> str:
    return "is" if count == 1 else "are"


def _these(outcome: Outcome) -> str:
    names = [entry.document.short for entry in outcome.documents]
    return f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else "".join(names)


def percent(share: float) -> str:
    """Two digits, never with an exponent; what is below a millionth is rounding."""
    return f"{float(f'{100.0 * share:.2g}'):.10g} %" if share >= 1e-6 else "rounding"
