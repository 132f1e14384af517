"""The parts of the hand-written notes."""

from pelagos_evidence.nav import DOCUMENT
from pelagos_evidence.nav.parts import PARTS


def test_every_module_of_rows_is_a_part_once():
    assert DOCUMENT.parts == PARTS
    assert [part.key for part in PARTS] == ["equations", "estimates", "drag", "vehicle"]
    assert len({part.run for part in PARTS}) == len(PARTS)
