"""The code of docs/guidance.md runs and does what the page says."""

import re
from pathlib import Path

import pytest

from pelagos.guidance import KINDS
from tests.guidance.kinematic import fly

PAGE = Path(__file__).parents[2] / "docs" / "guidance.md"


@pytest.fixture
def names(capsys):
    made = {}
    for block in re.findall(r"^```python\n(.*?)^```", PAGE.read_text(), re.M | re.S):
        exec(compile(block, "docs/guidance.md", "exec"), made)
    made["printed"] = capsys.readouterr().out
    yield made
    del KINDS["zigzag"]


@pytest.mark.slow
def test_the_code_of_the_page_runs(names):
    assert names["mission"].done and "the last leg is over" in names["printed"]
    assert names["yo"].done
    assert names["glided"]["depth_m"].max() > 39.0  # m: it turns a metre before 40
    flight = fly(names["Zigzag"](course_deg=90.0), 200.0)
    assert set(flight.heading[1:]) == {70.0, 110.0}
    assert flight.over and flight.time[-1] == pytest.approx(6 * 15.0, abs=0.2)  # s, a tick
