"""The tables of docs/mavlink.md agree with the code, and its example runs."""

import re
import runpy
from pathlib import Path

import pytest

from pelagos.links.mavlink.modes import MODES
from pelagos.links.mavlink.parameters import TABLE
from pelagos.links.mavlink.streams import STREAMS
from tests.links.mavlink.deck import Deck
from tests.links.mavlink.lab import Lab

ROOT = Path(__file__).parents[3]
TEXT = (ROOT / "docs/mavlink.md").read_text(encoding="utf-8")


def test_the_tables_are_made_from_the_code():
    """After a change: python scripts/mavlink_tables.py."""
    assert runpy.run_path(str(ROOT / "scripts/mavlink_tables.py"))["page"](TEXT) == TEXT


def test_nothing_is_left_out():
    for name in STREAMS:
        assert f"`{name}`" in TEXT
    for parameter in TABLE:
        assert parameter.name.startswith("BTN") or f"`{parameter.name}`" in TEXT
    for mode in MODES.values():
        assert f"| {mode.name} | {mode.number} |" in TEXT


def test_the_commands_of_the_table_are_those_that_are_known():
    table = TEXT.split("<!-- commands -->")[1].split("<!-- end")[0]
    numbers = (
        {int(n) for row in table.splitlines()[3:] for n in re.findall(r"\b\d+\b", row.split("|")[2])} if table else {}
    )
    with Deck() as deck:
        assert numbers == set(deck.link.commands.numbers)


@pytest.mark.slow
def test_the_code_of_the_page_flies_a_vehicle(capsys, monkeypatch):
    (code,) = re.findall(r"^```python\n(.*?)^```", TEXT, re.M | re.S)
    with Lab() as lab:
        there = code.replace("udpin:127.0.0.1:14550", f"udpout:127.0.0.1:{lab.link.port}")
        assert there != code
        # a station that calls first has to say something before it is answered
        there = there.replace(
            "vehicle.wait_heartbeat()", "vehicle.mav.heartbeat_send(6, 8, 0, 0, 4)\nvehicle.wait_heartbeat()"
        )
        names = {}
        try:
            exec(compile(there, "docs/mavlink.md", "exec"), names)
            assert "LOCAL_POSITION_NED" in capsys.readouterr().out
            assert names["vehicle"].target_system == 1
        finally:
            names["vehicle"].close()
