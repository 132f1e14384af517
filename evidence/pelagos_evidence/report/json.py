"""Write a run as JSON, and the schema of its fields."""

from __future__ import annotations

import hashlib
import json
import math
from typing import Any

from pelagos_evidence.claim import Claim, ClaimVerdict
from pelagos_evidence.document import Drawing
from pelagos_evidence.errata import WEIGHTS, errata, sources
from pelagos_evidence.outcome import HEADS, DocumentOutcome, Outcome, PartOutcome, made_with

FORMAT = 2  # grows when a field changes its meaning
TEXT: dict[str, Any] = {"type": "string"}
CLAIM_TEXTS = (
    "key", "place", "what", "published", "ours", "error", "tolerance", "why", "verdict", "known", "assumption",
)  # fmt: skip


def report_json(outcome: Outcome) -> str:
    """The report as JSON text."""
    return json.dumps(report_data(outcome), indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def report_data(outcome: Outcome) -> dict[str, Any]:
    """The report as plain values, as `report_schema` describes them."""
    return {
        "format": FORMAT,
        "complete": outcome.complete,
        "counts": _counts(outcome.counts),
        "read_back": outcome.read_back,
        "documents": [_document(item) for item in outcome.documents],
        "errata": [vars(entry) for entry in errata().values()],
        "sources": [vars(entry) for entry in sources().values()],
        "made_with": made_with(),
        "processes": outcome.jobs,
        "took_s": round(outcome.seconds, 3),
    }


def _counts(counted: Any) -> dict[str, int]:
    return {str(verdict): counted[verdict] for verdict in HEADS}


def _document(entry: DocumentOutcome) -> dict[str, Any]:
    document = entry.document
    return {
        "key": document.key,
        "short": document.short,
        "citation": document.citation,
        "about": document.about,
        "chief": [claim.key for claim in entry.chief_claims],
        "counts": _counts(entry.counts),
        "took_s": round(entry.seconds, 3),
        "parts": [_part(part) for part in entry.parts],
    }


def _part(part: PartOutcome) -> dict[str, Any]:
    findings = part.findings
    return {
        "key": part.part.key,
        "title": part.part.title,
        "about": part.part.about,
        "reached": findings is not None,
        "took_s": round(part.seconds, 3),
        "claims": [_claim(claim) for claim in findings.claims] if findings else [],
        "figures": [_figure(drawing) for drawing in findings.drawings] if findings else [],
    }


def _claim(claim: Claim) -> dict[str, Any]:
    return {
        **{name: str(getattr(claim, name)) for name in CLAIM_TEXTS},
        "numbers": {name: _finite(value) for name, value in claim.numbers.items()},
        "unit": claim.unit,
        **{name: list(entries) for name, entries in vars(claim.proof).items()},
    }


def _finite(value: float) -> float | None:
    """The number, or None if it is not finite, which JSON cannot express."""
    return float(value) if math.isfinite(value) else None


def _figure(drawing: Drawing) -> dict[str, Any]:
    return {
        "name": drawing.name,
        "caption": drawing.caption,
        "width_px": drawing.width_px,
        "height_px": drawing.height_px,
        "png_sha256": hashlib.sha256(drawing.png).hexdigest(),
    }


def _object(about: str, fields: dict[str, dict[str, Any]]) -> dict[str, Any]:
    return {
        "type": "object",
        "description": about,
        "properties": fields,
        "required": list(fields),
        "additionalProperties": False,
    }


def _described(about: str, kind: dict[str, Any] | None = None) -> dict[str, Any]:
    return {**(TEXT if kind is None else kind), "description": about}


def _list(of: dict[str, Any], about: str) -> dict[str, Any]:
    return {"type": "array", "items": of, "description": about}


def report_schema() -> dict[str, Any]:
    """JSON Schema (draft 2020-12) of the report."""
    count, span = {"type": "integer", "minimum": 0}, {"type": "number", "minimum": 0}
    verdict = {"type": "string", "enum": [str(verdict) for verdict in ClaimVerdict]}
    flag = {"type": "boolean"}
    numbers = {"type": "object", "additionalProperties": {"type": ["number", "null"]}}
    counts = _object("rows by verdict", {str(verdict): dict(count) for verdict in HEADS})
    claim = _object(
        "one claim",
        {
            "key": _described("unique within its document"),
            "place": _described("where it stands in the document"),
            "what": _described("what is claimed"),
            "published": _described("the published value with its unit"),
            "ours": _described("our value with its unit"),
            "error": _described("ours minus published; empty where there is nothing to subtract"),
            "tolerance": _described("what the error may be"),
            "why": _described("why this tolerance; of a claim that is refuted, not met or without data, why"),
            "verdict": _described("what became of it", verdict),
            "known": _described("of a row that fails: why that is known and not mended; empty otherwise"),
            "assumption": _described("what was assumed because the document is silent; empty if nothing"),
            "numbers": _described("published, ours, error, tolerance and others; null if not finite", numbers),
            "unit": _described("unit of these numbers"),
            "errata": _list(TEXT, "keys of misprints that bear on it"),
            "code": _list(TEXT, "modules or functions that implement it"),
            "tests": _list(TEXT, "test files that hold it"),
            "figures": _list(TEXT, "names of figures that show it"),
        },
    )
    figure = _object(
        "one picture; the picture itself is in the HTML report",
        {
            "name": _described("unique in the report"),
            "caption": _described("what is to be seen"),
            "width_px": _described("its width", count),
            "height_px": _described("its height", count),
            "png_sha256": _described("SHA-256 of the PNG file", {"type": "string", "pattern": "^[0-9a-f]{64}$"}),
        },
    )
    part = _object(
        "one part of a document",
        {
            "key": _described("unique within its document"),
            "title": _described("heading"),
            "about": _described("lead text, Markdown"),
            "reached": _described("false if the run was interrupted before it was computed", flag),
            "took_s": _described("computing time", span),
            "claims": _list(claim, "its rows"),
            "figures": _list(figure, "its pictures"),
        },
    )
    document = _object(
        "one document",
        {
            "key": _described("word of the command line"),
            "short": _described("name in tables"),
            "citation": _described("full reference"),
            "about": _described("lead text, Markdown"),
            "chief": _list(TEXT, "keys of the claims a reader asks for first"),
            "counts": counts,
            "took_s": _described("computing time of its parts", span),
            "parts": _list(part, "in the order of reading"),
        },
    )
    erratum = _object(
        "one misprint or gap",
        {
            "key": _described("by which rows cite it"),
            "document": _described("word of the document"),
            "place": _described("where it stands"),
            "printed": _described("what the document prints"),
            "right": _described("what is right"),
            "reason": _described("how that is known"),
            "used": _described("what Pelagos does"),
            "weight": _described("how much it matters", {"type": "string", "enum": list(WEIGHTS)}),
        },
    )
    source = _object("what reasons appeal to", {name: dict(TEXT) for name in ("key", "what", "where")})
    whole = _object(
        "a run of `pelagos reproduce`",
        {
            "format": {"const": FORMAT, "description": "grows when a field changes its meaning"},
            "complete": _described("false if the run was interrupted", flag),
            "counts": counts,
            "read_back": _described("rows that only read back numbers that were typed in, not counted", count),
            "documents": _list(document, "in the order of the report"),
            "errata": _list(erratum, "misprints and gaps of the documents"),
            "sources": _list(source, "what the errata appeal to"),
            "made_with": _described("versions and class of machine", {"type": "object", "additionalProperties": TEXT}),
            "processes": _described("that shared the work", count),
            "took_s": _described("wall time", span),
        },
    )
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "Pelagos reproduction report", **whole}
