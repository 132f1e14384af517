"""A published claim, the value that Pelagos computes, the tolerance with its reason, and the verdict.

The functions below make claims of each kind: a number, a limit, a statement, a claim that our value contradicts, one
without data, and a printed equation whose transcription is compared with the engine at the same states.
"""

from __future__ import annotations

import math
import operator
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal

Otherwise = Literal["failed", "refuted", "not met"]  # what it means if ours is not what is claimed
ROUNDING = "the same products added in another order: rounding"


class ClaimVerdict(StrEnum):
    """Verdict on a claim."""

    REPRODUCED = "reproduced"
    ASSUMED = "reproduced with a stated assumption"
    REFUTED = "refuted"  # computed, and the print is wrong
    NOT_MET = "not met"  # computed, and ours does not show it; the print may be right
    NO_DATA = "no data"  # nothing published to compute with or to compare with
    FAILED = "failed"
    READ_BACK = "read back"  # a number that was typed in, read again: not counted


@dataclass(frozen=True)
class Proof:
    """Errata, code, tests and figures that support a claim.

    Args:
        errata: keys of misprints that bear on the claim ("B11"), see `errata`.
        code: modules or functions that implement it ("pelagos.engine.core.attitude.euler_rate").
        tests: test files that hold it ("tests/engine/core/test_attitude.py").
        figures: names of drawings of the same part that show it.
    """

    errata: tuple[str, ...] = ()
    code: tuple[str, ...] = ()
    tests: tuple[str, ...] = ()
    figures: tuple[str, ...] = ()


NO_PROOF = Proof()


@dataclass(frozen=True)
class Row:
    """Fields shared by all kinds of claims.

    Args:
        key: unique within its document, kebab-case ("terminal-speed").
        place: where it stands in the document ("equation 6.37", "table I", "figure 5", "section 3.6").
        what: what is claimed, in words.
        assumption: what had to be assumed because the document is silent.
        proof: errata, code, tests and figures that support it.
    """

    key: str
    place: str
    what: str
    assumption: str = ""
    proof: Proof = NO_PROOF


@dataclass(frozen=True, kw_only=True)
class Claim(Row):
    """One row of the report; made by the functions below.

    Args:
        published: the published value, as text with its unit.
        ours: our value, as text with its unit.
        error: ours minus published, as text; empty where there is nothing to subtract.
        tolerance: what the error may be, as text.
        why: why this tolerance; for a claim that is not met, refuted or without data, why.
        holds: whether what is claimed is what we compute, within the tolerance; None where there are no data.
        numbers: the same as numbers, for programs: published, ours, error, tolerance.
        unit: the unit of these numbers.
        otherwise: verdict if it does not hold.
        read_back: whether it only reads back a number that was typed in.
        known: reason why a failing row is accepted; the run then ends without an error.
    """

    published: str
    ours: str
    error: str = ""
    tolerance: str = ""
    why: str
    holds: bool | None
    numbers: dict[str, float] = field(default_factory=dict)
    unit: str = ""
    otherwise: Otherwise = "failed"
    read_back: bool = False
    known: str = ""

    @property
    def verdict(self) -> ClaimVerdict:
        """The verdict by `holds`, which is computed, and the fields that interpret it."""
        if self.holds is None:
            return ClaimVerdict.NO_DATA
        if not self.holds:
            return ClaimVerdict(self.otherwise)
        if self.read_back:
            return ClaimVerdict.READ_BACK
        return ClaimVerdict.ASSUMED if self.assumption else ClaimVerdict.REPRODUCED

    @property
    def relative_error(self) -> float | None:
        """Size of the error of a claim that holds and compares two numbers, as a share of the published one."""
        published, error = self.numbers.get("published"), self.numbers.get("error")
        comparable = self.holds and not self.read_back and published and error is not None
        return abs(error / published) if comparable and published and error is not None else None

    @property
    def estimate_ratio(self) -> float | None:
        """An estimate as a multiple of the number published for the vehicle, where there is one; it is not judged."""
        return self.numbers.get("ratio") if "vehicle" in self.numbers else None

    @property
    def brief_tolerance(self) -> str:
        """The tolerance for a table that already shows the published limit."""
        return "the limit" if self.tolerance.startswith("the limit itself") else self.tolerance


def number(
    row: Row,
    published: float,
    ours: float,
    unit: str,
    *,
    absolute: float | None = None,
    relative: float | None = None,
    why: str,
    read_back: bool = False,
    remark: str = "",
) -> Claim:
    """A published number; ours must lie within an absolute or a relative tolerance of it.

    `remark` follows the published number, with its punctuation: ", solved from the equations".
    """
    if (absolute is None) == (relative is None):
        raise ValueError(f"claim {row.key}: expected either absolute or relative as its tolerance")
    allowed = absolute if absolute is not None else (relative or 0.0) * abs(published)
    error = ours - published
    significant = published != 0.0 and abs(error) > 1e-8 * abs(published)  # more than rounding
    share = f" ({100.0 * error / abs(published):+.2g} %)" if significant else ""
    return Claim(
        **vars(row),
        published=f"{quantity(published)} {unit}".strip() + remark,
        ours=f"{quantity(ours)} {unit}".strip(),
        error=f"{error:+.2g} {unit}".strip() + share,
        tolerance=f"{100.0 * relative:.3g} %" if relative is not None else f"{quantity(allowed)} {unit}".strip(),
        why=why,
        holds=bool(math.isfinite(error) and abs(error) <= allowed),
        numbers={"published": published, "ours": ours, "error": error, "tolerance": allowed},
        unit=unit,
        read_back=read_back,
    )


def bound(row: Row, side: Literal["below", "above"], limit: float, ours: float, unit: str, *, why: str) -> Claim:
    """A published limit ("differ by no more than 1e-11"): ours must lie on its right side."""
    allowed = f"{quantity(limit)} {unit}".strip()
    return Claim(
        **vars(row),
        published=f"{'at most' if side == 'below' else 'at least'} {allowed}",
        ours=f"{quantity(ours)} {unit}".strip(),
        tolerance=f"the limit itself, {allowed}",
        why=why,
        holds=bool(math.isfinite(ours) and (ours <= limit if side == "below" else ours >= limit)),
        numbers={"published": limit, "ours": ours},
        unit=unit,
    )


def statement(
    row: Row,
    published: str,
    ours: str,
    holds: bool,
    *,
    tolerance: str = "as stated",
    why: str,
    numbers: dict[str, float] | None = None,
    unit: str = "",
    otherwise: Otherwise = "failed",
    read_back: bool = False,
    known: str = "",
) -> Claim:
    """A published statement that is true or false: a sign, an order of magnitude, which of two is larger."""
    return Claim(
        **vars(row), published=published, ours=ours, tolerance=tolerance, why=why, holds=bool(holds),
        numbers=numbers or {}, unit=unit, otherwise=otherwise, read_back=read_back, known=known,
    )  # fmt: skip


def threshold(
    row: Row,
    published: str,
    ours: str,
    value: float,
    *,
    above: float | None = None,
    below: float | None = None,
    least: float | None = None,
    most: float | None = None,
    tolerance: str = "as stated",
    why: str,
    numbers: dict[str, float] | None = None,
    unit: str = "",
    read_back: bool = False,
) -> Claim:
    """A published statement that holds where a computed number lies within the limits of the row.

    Args:
        row: the fields of all claims.
        published: as in `Claim`.
        ours: as in `Claim`.
        value: the computed number.
        above: `value` must be larger.
        below: `value` must be smaller.
        least: `value` must not be smaller.
        most: `value` must not be larger.
        tolerance: the limits in words.
        why: why these limits.
        numbers: as in `Claim`.
        unit: as in `Claim`.
        read_back: as in `Claim`.
    """
    limits = ((operator.gt, above), (operator.lt, below), (operator.ge, least), (operator.le, most))
    tests = [compare(value, limit) for compare, limit in limits if limit is not None]
    if not tests:
        raise ValueError(f"claim {row.key}: expected above, below, least or most")
    return statement(
        row, published, ours, all(tests), tolerance=tolerance, why=why,
        numbers=numbers, unit=unit, read_back=read_back,
    )  # fmt: skip


def contested(
    row: Row,
    published: str,
    why: str,
    *,
    off: float,
    limit: float,
    unit: str = "",
    otherwise: Literal["refuted", "not met"] = "refuted",
    right: bool = True,
    ours: str = "",
    numbers: dict[str, float] | None = None,
) -> Claim:
    """A claim that our computation contradicts, with the size of the contradiction.

    Args:
        row: the fields of all claims.
        published: as in `Claim`.
        why: what is wrong with the print, or why ours does not show it.
        off: difference of the published from the computed value, 0 or more.
        limit: largest difference for the verdict "reproduced".
        unit: of both.
        otherwise: "refuted" if it is off because the print is wrong, "not met" if the print may be right.
        right: whether the correction used in place of the print passes its own test; if not, the row fails.
        ours: our value, in words.
        numbers: as in `Claim`; `off` and `limit` are added.
    """
    sound, named = math.isfinite(off) and right, "" if unit == "1" else unit
    return Claim(
        **vars(row),
        published=published,
        ours=ours,
        error=f"{off:.2g} {named}".strip(),
        tolerance=f"{quantity(limit)} {named}".strip(),
        why=why,
        holds=bool(sound and off <= limit),
        numbers={**(numbers or {}), "off": float(off), "limit": float(limit)},
        unit=unit,
        otherwise=otherwise if sound else "failed",
    )


def no_data(
    row: Row, published: str, why: str, *, ours: str = "", numbers: dict[str, float] | None = None, unit: str = ""
) -> Claim:
    """A claim with nothing to compute from or to compare with; `why` names what is missing."""
    if numbers and "published" in numbers:
        raise ValueError(f"claim {row.key}: a published number can be compared with")
    return Claim(
        **vars(row), published=published, ours=ours, why=why, holds=None, numbers=numbers or {}, unit=unit
    )  # fmt: skip


def quantity(value: float) -> str:
    """A number as people write it: five digits, an exponent only for the very small and the very large."""
    if value == 0.0 or not math.isfinite(value):
        return f"{value:g}"
    return f"{value:.5g}" if 1e-3 <= abs(value) < 1e6 else f"{value:.2e}"


def agreed(
    row: Row,
    published: str,
    difference: float,
    limit: float,
    unit: str,
    *,
    ours: str = "the same",
    measure: str = "largest difference",
    why: str = ROUNDING,
    read_back: bool = False,
) -> Claim:
    """The document prints an equation, not a number: its transcription and ours may differ by a limit that we choose.

    Args:
        row: the fields of all claims; `what` includes the states at which the two are compared.
        published: what is printed (or, where an erratum of the proof corrects it, what is meant).
        difference: between the transcription and ours.
        limit: the largest difference allowed.
        unit: of both.
        ours: our value, in words; the difference follows it.
        measure: what `difference` is.
        why: why this limit.
        read_back: as in `Claim`.
    """
    shown = f"{difference:.1e} {unit}".strip()
    return Claim(
        **vars(row),
        published=published,
        ours=f"{ours}; {measure} {shown}",
        error=shown,
        tolerance=f"{quantity(limit)} {unit}".strip(),
        why=why,
        holds=bool(math.isfinite(difference) and abs(difference) <= limit),
        numbers={"published": 0.0, "ours": difference, "error": difference, "tolerance": limit},
        unit=unit,
        read_back=read_back,
    )
