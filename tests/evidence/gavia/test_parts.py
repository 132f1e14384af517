"""The parts of the Gavia notes."""

from pelagos_evidence.gavia import DOCUMENT
from pelagos_evidence.gavia.parts import PARTS


def test_every_module_of_rows_is_a_part_once():
    assert DOCUMENT.parts == PARTS
    assert [part.key for part in PARTS] == ["model", "open-loop", "bottom", "sonar", "plotter"]
    assert len({part.run for part in PARTS}) == len(PARTS)
