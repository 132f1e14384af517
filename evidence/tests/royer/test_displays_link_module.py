"""False controls that do not hold and pictures at another rate are caught; the page's own rule for pictures by node."""

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
