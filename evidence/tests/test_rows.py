"""Rows and values become claims; a mistake in either is one sentence."""

import pytest

from pelagos.errors import FileError
from pelagos_evidence.claim import NO_PROOF, ClaimVerdict, Proof, Row, statement
from pelagos_evidence.rows import Rows

FILE = """
[default]
tests = ["tests/a.py"]

[text]
silent = "the print is silent on {thing}"

[claim.speed]
kind = "number"
place = "table I"
what = "speed at {rpm:g} rpm, of {runs:.1f} m/s, against {exact:q}"
published = 2
unit = "m/s"
absolute = 0.1
why = "{silent}"
errata = ["B1"]

[claim."drag-{hull}"]
kind = "statement"
place = "equation {{1}}"
what = "drag of {hull}"
published = "some"
ours = "{drag.size:.2f} N"
why = "a sign"
numbers = { ours = "drag.size", limit = 3.0 }
tests = []

[claim.lost]
kind = "no_data"
place = "figure 1"
what = "the curve"
published = "a curve"
why = "lost"
"""
SPEED = {"ours": 2.05, "rpm": 700.0, "runs": [1.0, 2.0], "exact": 1e-9, "thing": "water"}


class Drag:
    size = 1.234


VALUES = {"speed": SPEED, "drag-lauv": {"holds": True, "drag": Drag}, "lost": {}}


def rows(tmp_path, text=FILE, **options):
    (tmp_path / "part.toml").write_text(text)
    return Rows(str(tmp_path / "part.py"), **options)


def test_a_row_and_its_values_make_a_claim(tmp_path):
    speed, drag, lost = rows(tmp_path).claims(VALUES)
    assert speed.what == "speed at 700 rpm, of 1.0, 2.0 m/s, against 1.00e-09"
    assert (speed.published, speed.ours, speed.tolerance) == ("2 m/s", "2.05 m/s", "0.1 m/s")
    assert speed.why == "the print is silent on water" and speed.verdict is ClaimVerdict.REPRODUCED
    assert speed.proof == Proof(errata=("B1",), tests=("tests/a.py",))
    assert (drag.key, drag.place, drag.what, drag.ours) == ("drag-lauv", "equation {1}", "drag of lauv", "1.23 N")
    assert drag.numbers == {"ours": 1.234, "limit": 3.0} and drag.proof == NO_PROOF
    assert lost.verdict is ClaimVerdict.NO_DATA


def test_one_open_argument_needs_no_name(tmp_path):
    text = '[claim.a]\nkind = "statement"\nplace = "b"\nwhat = "c"\npublished = "d"\nours = "e"\nwhy = "f"\n'
    (claim,) = rows(tmp_path, text).claims({"a": False})
    assert claim.verdict is ClaimVerdict.FAILED


def test_a_module_has_kinds_and_shared_values_of_its_own(tmp_path):
    def sized(row: Row, size: float):
        return statement(row, "", "", size > 1.0, why="")

    text = '[claim.a]\nkind = "sized"\nplace = "b"\nwhat = "over {LIMIT}"\n'
    (claim,) = rows(tmp_path, text, kinds=(sized,), LIMIT=1.0).claims({"a": 2.0})
    assert claim.what == "over 1.0" and claim.holds


def test_the_most_specific_form_of_a_name_serves_a_key(tmp_path):
    row = '[claim.{}]\nkind = "no_data"\nplace = "{}"\nwhat = "a"\npublished = "b"\nwhy = "c"\n'
    text = row.format('"eq-{name}"', "short") + row.format('"eq-{name}-long"', "long")
    places = [claim.place for claim in rows(tmp_path, text).claims({"eq-a": {}, "eq-a-long": {}})]
    assert places == ["short", "long"]


@pytest.mark.parametrize(
    ("old", "new", "values", "words"),
    [
        ("[text]", "[texts]", VALUES, 'texts: no such table; did you mean "text"?'),
        ('kind = "number"', 'kind = "numbre"', VALUES, 'claim speed.kind = "numbre": expected one of number'),
        ("absolute = 0.1", "absolut = 0.1", VALUES, 'claim speed.absolut: no such key; did you mean "absolute"?'),
        ("published = 2\n", 'published = "2"\n', VALUES, 'claim speed.published = "2": expected a number'),
        ("", "", {**VALUES, "sped": 1.0}, 'claim sped: no row of this name; did you mean "speed"?'),
        ("", "", {"speed": SPEED, "lost": {}}, "claim drag-{hull}: no value is computed for this row"),
        ("", "", {**VALUES, "speed": 2.0}, "rpm"),
        ("", "", {**VALUES, "speed": {**SPEED, "rmp": 1.0}}, "claim speed.rmp: computed, but neither an argument"),
        ("published = 2\n", "", VALUES, "claim speed.published: neither the row nor its values have it"),
        ("published = 2\n", "", {**VALUES, "speed": 2.0}, "claim speed: expected values by name, for published, ours"),
    ],
)
def test_a_mistake_is_one_sentence(tmp_path, old, new, values, words):
    with pytest.raises(FileError) as problem:
        rows(tmp_path, FILE.replace(old, new, 1)).claims(values)
    assert str(problem.value).startswith("part.toml: ") and words in str(problem.value)
    assert "\n" not in str(problem.value)


def test_the_texts_of_a_threshold_use_its_limits(tmp_path):
    text = """
[claim.pull]
kind = "threshold"
place = "section 1"
what = "the pull"
published = "large"
above = 10.0
tolerance = "more than {above:g} N"
why = "two percent"
ours = "{value:.1f} N"
numbers = { ours = "value", limit = "above" }
"""
    (claim,) = rows(tmp_path, text).claims({"pull": 12.34})
    assert claim.holds and (claim.ours, claim.tolerance) == ("12.3 N", "more than 10 N")
    assert claim.numbers == {"ours": 12.34, "limit": 10.0}
    assert not rows(tmp_path, text).claims({"pull": 9.0})[0].holds
