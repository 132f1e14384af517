"""Legs from the tables of a scenario file."""

import re
import tomllib
from pathlib import Path

import pytest

from pelagos.errors import ScenarioError
from pelagos.files.reader import Place, read_kind
from pelagos.guidance import KINDS, Waypoints

PAGE = Path(__file__).parents[3] / "docs" / "guidance.md"


def read(text):
    return [
        read_kind(KINDS, table, Place("dive.toml", Path("."), "mission")) for table in tomllib.loads(text)["mission"]
    ]


def test_every_kind_has_an_example_on_the_page_and_it_reads():
    tables = "\n".join(re.findall(r"^```toml\n(\[\[mission\]\].*?)^```", PAGE.read_text(), re.M | re.S))
    legs = read(tables)
    assert {leg.kind for leg in legs} == set(KINDS)


def test_keys_take_other_units():
    (leg,) = read('[[mission]]\nkind = "waypoints"\npoints_ft = [[100, 0], [100, 50]]\nspeed_kn = 2\n')
    assert isinstance(leg, Waypoints)
    assert leg.points_m[0] == pytest.approx((30.48, 0.0))
    assert leg.speed_m_s == pytest.approx(2 * 1852 / 3600)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('kind = "waypoint"\npoints_m = [[1, 2]]', 'did you mean "waypoints"'),
        ('kind = "waypoints"\npoints_m = [[1, 2, -3]]', "dive.toml: mission.points_m.*up is not a depth"),
        ('kind = "trackline"\nfrom_m = [0, 0]\nto_m = [9, 0]\nlaw = "lost"', 'did you mean "los"'),
        ('kind = "lawnmower"\ncorner_m = [0, 0]\nlenght_m = 3', 'did you mean "length_m"'),
    ],
)
def test_a_slip_is_one_sentence_with_file_and_key(text, message):
    with pytest.raises(ScenarioError, match=message):
        read(f"[[mission]]\n{text}\n")
