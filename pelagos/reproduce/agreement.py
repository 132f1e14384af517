"""A row about a printed equation: its transcription and the engine at the same states, and how far they are apart."""

from __future__ import annotations

import math

from pelagos.reproduce.claim import NO_PROOF, Claim, Proof, quantity

ROUNDING = "the same products added in another order: rounding"


def agreed(
    key: str,
    place: str,
    what: str,
    published: str,
    difference: float,
    limit: float,
    unit: str,
    *,
    ours: str = "the same",
    measure: str = "largest difference",
    why: str = ROUNDING,
    assumption: str = "",
    proof: Proof = NO_PROOF,
) -> Claim:
    """The document prints an equation, not a number: what may be left between it and ours is `limit`, and ours to say.

    Args:
        key: as in `Claim`.
        place: as in `Claim`.
        what: as in `Claim`, with the states at which the two are compared.
        published: what is printed (or, where an erratum of `proof` corrects it, what is meant).
        difference: between the transcription and ours.
        limit: what it may be.
        unit: of both.
        ours: what ours is, before the difference is told.
        measure: what `difference` is.
        why: why this limit.
        assumption: as in `Claim`.
        proof: as in `Claim`.
    """
    told = f"{difference:.1e} {unit}".strip()
    return Claim(
        key,
        place,
        what,
        published,
        f"{ours}; {measure} {told}",
        told,
        f"{quantity(limit)} {unit}".strip(),
        why,
        bool(math.isfinite(difference) and abs(difference) <= limit),
        assumption,
        {"published": 0.0, "ours": difference, "error": difference, "tolerance": limit},
        unit,
        proof,
    )
