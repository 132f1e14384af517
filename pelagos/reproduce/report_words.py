"""The sentences that the report and the page share: title, what the figures say, how rows are judged."""

from __future__ import annotations

from pelagos.reproduce.claim import Verdict
from pelagos.reproduce.documents import DOCUMENTS
from pelagos.reproduce.outcome import Outcome, relative_errors

FEW = 9  # rows with numbers: fewer have no distribution to speak of
INCOMPLETE = "This run was interrupted: what follows is what was computed until then."
METHOD = """\
A row is one claim that can be checked: a number, a table, a figure, an equation, or a statement that is true or
false. It names the place in the document, the published value, the value that Pelagos computes, and the difference.
The published value is what the document prints, or what its erratum says where the print is wrong; it never comes
from Pelagos. Where a row cites a closed form of the document's own equations instead of a printed value, it says so.
The tolerance is fixed before the comparison by the digits the document prints or by the accuracy of its method, and
each row says why.

The verdict follows from the numbers; nobody writes it by hand.

- **reproduced**: our value lies within the tolerance.
- **reproduced with a stated assumption**: so does ours, but the document leaves something out (a lost figure, an
  unknown position, a program that was never published) and the row says what was assumed in its place.
- **not reproducible**: nobody can check the claim with what is published, or a correct model does not meet it; the
  row says which, and gives our number where there is one.
- **failed**: our value should lie within the tolerance and does not. One such row makes the command end with exit
  code 1.

A misprint is listed with what is printed, what is right, how that is known and what Pelagos uses; rows that it bears
on lead to it by its key, such as B16.
"""


def title(outcome: Outcome) -> str:
    """What the report and the page are called."""
    whole = len(outcome.documents) == len(DOCUMENTS)
    return f"{'Five documents' if whole else _these(outcome)}, reproduced"


def abstract(outcome: Outcome) -> str:
    """The opening paragraph, with the figures of this run."""
    counts = outcome.counts
    given, cannot, failed = (counts[v] for v in (Verdict.ASSUMED, Verdict.NOT_REPRODUCIBLE, Verdict.FAILED))
    said = [
        "Pelagos grew from five documents on the simulation of underwater vehicles. Here the claims of "
        f"{_these(outcome)} that can be checked are recomputed, one row each. Of {counts.total()} rows, "
        f"{counts[Verdict.REPRODUCED]} are reproduced within a tolerance that the row justifies, {given} "
        f"{_verb(given)} reproduced with a stated assumption where the document is silent, {cannot or 'none'} "
        f"{_verb(cannot)} not reproducible for a reason that the row gives, and {failed or 'none'} "
        f"{'fails' if failed == 1 else 'fail'}."
    ]
    errors = relative_errors(outcome)
    if len(errors) > FEW:
        half, most = errors[len(errors) // 2], errors[min(len(errors) - 1, int(0.9 * len(errors)))]
        said.append(
            f"{len(errors)} of the rows that hold set our number against one of the document, printed or from a closed "
            f"form of its equations; half of them differ by at most {percent(half)}, nine tenths by at most "
            f"{percent(most)}."
        )
    return " ".join(said)


def _verb(count: int) -> str:
    return "is" if count == 1 else "are"


def _these(outcome: Outcome) -> str:
    names = [one.document.short for one in outcome.documents]
    return f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else "".join(names)


def percent(share: float) -> str:
    """Two digits, never with an exponent; what is below a millionth is rounding."""
    return f"{float(f'{100.0 * share:.2g}'):.10g} %" if share >= 1e-6 else "rounding"
