"""Displays of chapter 6: missing or reversed controls and wrong rates are caught; the page's top view in node."""

import json
import shutil
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest

from evidence.tests.checked import joined
from pelagos_evidence.royer import displays

ROOT = Path(__file__).parents[3]
NODE = shutil.which("node", path=str(Path(sys.executable).parent)) or shutil.which("node")
PAGE = """
import { Projection } from "./pelagos/console/static/js/plan/projection.js";
import { readFileSync } from "node:fs";
const out = JSON.parse(readFileSync(0, "utf8")).map(({ form, north, east, heading, at }) =>
  new Projection({ form, north, east, heading, scale: 1, x: 0, y: 0 }).screen(...at));
console.log(JSON.stringify(out));
"""


@pytest.fixture(scope="module")
def flight():
    flight = displays.tethered()
    yield flight
    flight.close()


@pytest.mark.skipif(NODE is None, reason="node is not installed")
def test_the_top_view_of_the_page_is_the_same():
    asked, expected = [], []
    for form in ("heading-up", "north-up"):
        for heading in (0.0, 0.7, 2.9, -1.2):
            asked.append(
                {"form": form, "north": 3.0, "east": 4.0, "heading": heading * 57.29577951308232, "at": [11.0, -5.0]}
            )
            right, above = displays.screen(form, (3.0, 4.0, heading), 11.0, -5.0)
            expected.append([right, -above])  # the screen's y is down
    done = subprocess.run(
        [str(NODE), "--input-type=module", "-e", PAGE], input=json.dumps(asked), capture_output=True, text=True,
        timeout=120, cwd=ROOT,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    for got, wanted in zip(json.loads(done.stdout), expected, strict=True):
        assert got == pytest.approx(wanted, abs=1e-9)


def test_the_sticks_first_then_an_instrument_that_is_not_there(flight, monkeypatch):
    assert all(row.holds for row in joined(displays, displays.stick_values(flight)))
    monkeypatch.setitem(displays.INSTRUMENTS, "periscope", ("periscope_deg",))
    monkeypatch.setitem(displays.KEYS, "eject", "eject_pilot")
    rows = {row.key: row for row in joined(displays, displays.instrument_values(flight))}
    assert not rows["instruments"].holds and rows["instruments"].ours.endswith("not periscope")
    assert not rows["keys"].holds and "eject" in rows["keys"].ours
    assert rows["crash-lines"].holds


def test_a_column_that_the_page_does_not_read_is_caught():
    page = displays.page_text()
    assert displays.read_by(page, "tether_tension_N") and not displays.read_by(page, "periscope_deg")


GATE = """
import { FrameGate } from "./pelagos/console/static/js/frame_rate.js";
const gate = new FrameGate(), limit = Number(process.argv[1]), passed = [];
for (let n = 0; n < 480; n += 1) if (gate.passes(1000 * n / 60, limit)) passed.push(1000 * n / 60);
console.log(JSON.stringify(passed));
"""


@pytest.mark.skipif(NODE is None, reason="node is not installed")
@pytest.mark.parametrize(("delay", "rate"), [(0.5, 3.0), (1.2, 1.0)])
def test_the_page_lets_as_many_pictures_through(delay, rate):
    done = subprocess.run(
        [str(NODE), "--input-type=module", "-e", GATE, str(rate)],
        capture_output=True, text=True, timeout=120, cwd=ROOT,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    passed = json.loads(done.stdout)  # ms
    least, most, a_second = displays.picture_ages(delay, rate)
    assert len(passed) / 8.0 == a_second
    assert max(b - a for a, b in pairwise(passed)) == pytest.approx(1000.0 * (most - delay) + 1000.0 / 60.0, abs=0.01)
    assert least == pytest.approx(delay)


def test_pictures_at_another_rate_are_caught(monkeypatch):
    right = displays.picture_ages
    assert joined(displays, displays.late_pictures())[0].holds
    monkeypatch.setattr(displays, "picture_ages", lambda delay, rate: right(delay, 2.0 * rate))
    assert not joined(displays, displays.late_pictures())[0].holds


def test_a_false_control_that_does_not_hold_is_caught(monkeypatch):
    monkeypatch.setattr(displays, "NumericalHold", lambda **held: None)
    assert not joined(displays, displays.false_control())[0].holds
