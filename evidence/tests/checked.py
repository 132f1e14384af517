"""Common checks of every part of every document, after a run: sound rows, and a page with the same contents."""

import re
from importlib import import_module

import pytest

from evidence.tests.page_rows import PAGE, ROOT, page_rows, rows_text
from pelagos_evidence.claim import ClaimVerdict
from pelagos_evidence.errata import errata
from pelagos_evidence.report.words import markdown_text

STALE = "evidence/docs/reproduction*.md are out of date, run python scripts/reproduction_page.py"
MOST_PNG_BYTES = 250_000
NUMBER = re.compile(r"[-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?")


def check_part(document, part, findings):
    """Sound in itself, and shown on the page of its document.

    Args:
        document: its word, such as "royer".
        part: key of the part.
        findings: what a fresh run of it gave.
    """
    check_rows(document, findings)
    check_page(document, part, findings)


def joined(module, values):
    """The claims of some rows of a module, from the values that one of its functions computes."""
    return [module.ROWS.claim(key, value) for key, value in values.items()]


def check_rows(document, findings):
    keys = [claim.key for claim in findings.claims]
    assert len(keys) == len(set(keys))
    names = {drawing.name for drawing in findings.drawings}
    for drawing in findings.drawings:
        assert drawing.name.startswith(f"{document}-") and drawing.caption
        assert len(drawing.png) < MOST_PNG_BYTES, drawing.name
    for claim in findings.claims:
        assert claim.verdict is not ClaimVerdict.FAILED or claim.known, (
            f"{claim.key}: {claim.published} against {claim.ours}"
        )
        assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", claim.key), claim.key
        assert claim.place and claim.what and claim.published and claim.why, claim.key
        assert claim.ours or claim.holds is None, claim.key
        if claim.verdict in (ClaimVerdict.REFUTED, ClaimVerdict.NOT_MET):  # by a number, which would have to be another
            assert claim.numbers and claim.numbers.get("off", 1.0) > claim.numbers.get("limit", 0.0), claim.key
        assert claim.verdict is not ClaimVerdict.NO_DATA or "published" not in claim.numbers, claim.key
        assert set(claim.proof.errata) <= set(errata()), claim.key
        assert set(claim.proof.figures) <= names, claim.key
        assert all((ROOT / name.partition("::")[0]).exists() for name in claim.proof.tests), claim.key
        for name in claim.proof.code:
            assert exists(name), (claim.key, name)


def exists(name):
    """Whether there is such a module, function, class or file."""
    if "/" in name:
        return (ROOT / name).exists()
    words = name.split(".")
    for k in range(len(words), 0, -1):
        try:
            value = import_module(".".join(words[:k]))
        except ModuleNotFoundError:
            continue
        for word in words[k:]:
            value = getattr(value, word, None)
        return value is not None
    return False


def check_page(document, part, findings, text=None, pictures=True, judged=True):
    """After a change: python scripts/reproduction_page.py.

    Args:
        document: its word.
        part: key of the part.
        findings: what a fresh run of it gave.
        text: the page; that of evidence/docs if not given.
        pictures: whether its figures must be there too.
        judged: false for a run with fewer repetitions than the page, whose verdicts may be others.
    """
    rows = page_rows(rows_text(document) if text is None else text)
    printed = [row for row in rows if (row.document, row.part) == (document, part)]
    computed = findings.listed
    before, after = [row.key for row in printed], [claim.key for claim in computed]
    assert before == after, f"{STALE}: {sorted(set(before) ^ set(after)) or 'another order'}"
    for row, claim in zip(printed, computed, strict=True):
        now = markdown_text(claim.published)
        assert row.place == markdown_text(claim.place), f"{STALE}: {row.key}: {row.place} is now {claim.place}"
        assert row.verdict == claim.verdict or not judged, f"{STALE}: {row.key}: {row.verdict} is now {claim.verdict}"
        changed = f"{STALE}: {row.key}: {row.published} is now {now}"
        assert NUMBER.sub("#", row.published) == NUMBER.sub("#", now), changed
        # 1e-3: a closed form of the document's equations may differ in its last digit on another machine
        for old, new in zip(NUMBER.findall(row.published), NUMBER.findall(now), strict=True):
            assert float(old) == pytest.approx(float(new), rel=1e-3), changed
    for drawing in findings.drawings if pictures else ():
        assert (PAGE.parent / "images" / "reproduction" / f"{drawing.name}.png").exists(), drawing.name
