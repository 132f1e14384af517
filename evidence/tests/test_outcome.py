"""Rows are counted by verdict and summed up; nothing names the machine."""

import platform
from dataclasses import replace

import pytest

from evidence.tests.made_up import BAD, OTHER, SMALL
from pelagos_evidence.claim import ClaimVerdict, Row, statement
from pelagos_evidence.document import Findings
from pelagos_evidence.outcome import DocumentOutcome, Outcome, PartOutcome, counted, made_with, summary
from pelagos_evidence.run import run


@pytest.fixture(scope="module")
def outcome():
    return run([SMALL, OTHER], jobs=1)


def test_rows_are_counted(outcome):
    small, other = outcome.documents
    one_each = (ClaimVerdict.ASSUMED, ClaimVerdict.REFUTED, ClaimVerdict.NOT_MET, ClaimVerdict.NO_DATA)
    assert small.counts == {ClaimVerdict.REPRODUCED: 3, **dict.fromkeys(one_each, 1)}
    assert outcome.counts == small.counts + other.counts
    assert outcome.counts.total() == len(list(outcome.rows)) - outcome.read_back == 9
    assert (small.read_back, other.read_back) == (1, 0)
    assert outcome.failed == []
    assert [drawing.name for drawing in small.drawings] == ["small-curve"]


def test_the_summary_adds_up(outcome):
    head, *body = outcome.summary_rows
    assert head == (
        "document", "claims", "reproduced", "with a stated assumption", "refuted", "not met", "no data", "failed"
    )  # fmt: skip
    assert body == [
        ("Small 2001", "7", "3", "1", "1", "1", "1", "0"),
        ("Other 2002", "2", "1", "0", "0", "0", "1", "0"),
        ("all", "9", "4", "1", "1", "1", "2", "0"),
    ]
    lines = summary(outcome).splitlines()
    assert len({len(line) for line in lines}) == 1
    assert lines[1].split() == ["Small", "2001", "7", "3", "1", "1", "1", "1", "0"]
    assert len(run([OTHER]).summary_rows) == 2  # one document needs no sum


def test_errors_are_shares_of_the_published_value(outcome):
    errors = [error for _, claim in outcome.rows if (error := claim.relative_error) is not None]
    assert errors == pytest.approx([0.005, 0.025])
    # a row that fails is no agreement
    assert not any(claim.relative_error for claim in run([BAD], jobs=1).documents[0].claims)


def test_a_rule_of_thumb_is_reported_by_its_ratio():
    claim = statement(Row("k", "p", "w"), "1", "2", True, why="x", numbers={"vehicle": 1.0, "ours": 2.0, "ratio": 2.0})
    assert claim.estimate_ratio == 2.0 and claim.relative_error is None
    assert replace(claim, numbers={"ours": 2.0, "ratio": 2.0}).estimate_ratio is None


def test_a_limit_is_its_own_tolerance(outcome):
    tolerances = {claim.key: claim.brief_tolerance for claim in outcome.documents[0].claims}
    assert tolerances["gap"] == "the limit" and tolerances["top"] == "1 %"


def test_chief_rows_come_as_the_document_names_them(outcome):
    assert [claim.key for claim in outcome.documents[0].chief_claims] == ["drag", "top"]
    assert outcome.documents[1].chief_claims == []


def test_counts_in_words(outcome):
    assert counted(outcome.counts) == "4 reproduced, 1 with a stated assumption, 1 refuted, 1 not met, 2 no data"


def test_a_part_that_was_not_reached_makes_it_incomplete(outcome):
    cut = DocumentOutcome(SMALL, (outcome.documents[0].parts[0], PartOutcome(SMALL.parts[1])))
    assert outcome.complete and not Outcome((cut,)).complete
    assert cut.counts.total() == 5


def test_a_row_that_is_known_to_fail_fails_and_is_no_surprise():
    row = statement(Row("k", "p", "w"), "more", "less", False, why="x", known="the pilot is a model")
    part = PartOutcome(OTHER.parts[0], Findings((row,)))
    outcome = Outcome((DocumentOutcome(OTHER, (part,)),))
    assert [claim for _, claim in outcome.failed] == [row] and outcome.unexpected == []
    unexplained = replace(part, findings=Findings((replace(row, known=""),)))
    assert len(Outcome((DocumentOutcome(OTHER, (unexplained,)),)).unexpected) == 1


def test_anchors_of_rows_and_parts_differ(outcome):
    rows = {document.row_id(claim) for document, claim in outcome.rows}
    assert "small-top" in rows and len(rows) == 10
    assert rows.isdisjoint(entry.document.part_id(part) for entry in outcome.documents for part in entry.document.parts)


def test_the_machine_has_no_name():
    versions = made_with()
    assert versions["python"] == platform.python_version()
    assert {"pelagos", "numpy", "numba", "matplotlib", "machine"} <= set(versions)
    assert platform.node() not in " ".join(versions.values()) or len(platform.node()) < 4
