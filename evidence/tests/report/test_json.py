"""The JSON holds what the report holds, in the shape that its schema describes."""

import hashlib
import json

import jsonschema
import pytest

from evidence.tests.made_up import BAD, SMALL
from pelagos_evidence.claim import Row, number
from pelagos_evidence.document import Document, Findings, Part
from pelagos_evidence.outcome import DocumentOutcome, Outcome, PartOutcome
from pelagos_evidence.report.json import report_json, report_schema
from pelagos_evidence.run import run


@pytest.fixture(scope="module")
def outcome():
    return run([SMALL, BAD], jobs=1)


@pytest.fixture(scope="module")
def data(outcome):
    return json.loads(report_json(outcome))


@pytest.mark.slow
def test_it_meets_its_schema(data):
    schema = report_schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(data, schema, jsonschema.Draft202012Validator)
    data_without = {key: value for key, value in data.items() if key != "counts"}
    for wrong in (data_without, data | {"more": 1}, data | {"format": 0}):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(wrong, schema, jsonschema.Draft202012Validator)


def test_every_field_of_the_schema_is_explained():
    def visit(node, name):
        for key, inner in node.get("properties", {}).items():
            plain = inner.get("type") in ("integer", "string") and name in ("rows by verdict", "what reasons appeal to")
            assert plain or inner.get("description"), (name, key)
            visit(inner, inner.get("description", key))
            visit(inner.get("items", {}), inner.get("items", {}).get("description", key))

    visit(report_schema(), "whole")


def test_rows_and_numbers_are_those_of_the_run(data, outcome):
    claims = [claim for document in data["documents"] for part in document["parts"] for claim in part["claims"]]
    rows = list(outcome.rows)
    assert len(claims) == len(rows)
    for there, (_, claim) in zip(claims, rows, strict=True):
        assert there["verdict"] == claim.verdict
        assert there["numbers"] == claim.numbers
        for name in ("key", "place", "what", "published", "ours", "error", "tolerance", "why", "assumption", "unit"):
            assert there[name] == getattr(claim, name)
    assert data["counts"]["failed"] == 3
    assert claims[0]["errata"] == ["B16", "B24"]
    (figure,) = data["documents"][0]["parts"][0]["figures"]
    assert figure["png_sha256"] == hashlib.sha256(outcome.documents[0].drawings[0].png).hexdigest()
    assert (figure["width_px"], figure["height_px"]) == (880, 330)
    assert data["complete"] is True


def lost(progress):
    claim = number(Row("a", "p", "a"), 1.0, float("nan"), "m", absolute=1.0, why="x")
    return Findings((claim,))


def test_what_is_not_finite_is_null():
    outcome = run([Document("d", "D", "c", "a", (Part("p", "P", "", lost),))])
    (claim,) = json.loads(report_json(outcome))["documents"][0]["parts"][0]["claims"]
    assert claim["numbers"]["ours"] is None and claim["verdict"] == "failed"


def test_an_interrupted_run_says_so(outcome):
    cut = Outcome((DocumentOutcome(SMALL, (outcome.documents[0].parts[0], PartOutcome(SMALL.parts[1]))),))
    data = json.loads(report_json(cut))
    jsonschema.validate(data, report_schema(), jsonschema.Draft202012Validator)
    assert data["complete"] is False
    assert [part["reached"] for part in data["documents"][0]["parts"]] == [True, False]
