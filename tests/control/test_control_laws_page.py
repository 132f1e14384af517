"""The code of docs/control-laws.md runs and does what the page says."""

import re
from pathlib import Path

import numpy as np
import pytest

PAGE = Path(__file__).parents[2] / "docs" / "control-laws.md"


def test_the_code_of_the_page_runs(capsys):
    names = {}
    allocation, sliding, hold, own = re.findall(r"^```python\n(.*?)^```", PAGE.read_text(), re.M | re.S)
    exec(compile(allocation, str(PAGE), "exec"), names)
    assert np.abs(names["share"].thrusts[:2]).sum() == pytest.approx(653.0, rel=1e-9)
    assert "rank 5 of 6" in capsys.readouterr().out
    exec(compile(sliding, str(PAGE), "exec"), names)
    assert names["log"]["depth_m"][-1] == pytest.approx(8.0, abs=0.1)
    assert names["log"]["heading_deg"][-1] == pytest.approx(40.0, abs=1.0)
    exec(compile(hold, str(PAGE), "exec"), names)
    assert names["plant"].position_n[2] == 20.0 and names["plant"].position_n[0] > 1.0
    exec(compile(own, str(PAGE), "exec"), names)
    # m: a proportional law holds 5 m less what the net weight of 2 N bends it, 2 / 80
    assert names["log"]["depth_m"][-1] == pytest.approx(5.0, abs=0.1)
