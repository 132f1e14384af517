"""What is told before a campaign is run."""

import pytest

from pelagos.campaign.progress import estimate
from pelagos.errors import CommandError
from tests.campaign.test_run_engines import DIVE, METRICS, VARY
from tests.campaign.tiny import tiny


def test_of_single_runs():
    found = estimate(tiny(runs=100), workers=4)
    assert (found.engine, found.tried, found.workers, found.simulated_s) == ("single", 1, 4, 1.0)
    assert found.wall_s == found.run_s * 25 > 0.0


def test_of_batches():
    found = estimate(tiny(runs=100, engine="auto", scenario=DIVE, vary=VARY, metric=METRICS), workers=1)
    assert (found.engine, found.tried, found.why) == ("batch", 32, "")
    assert "the batch engine" in str(found) and "tried   32 runs of 3 s simulated" in str(found)


def test_a_run_that_fails_is_told(tmp_path):
    metric = [{"name": "m", "column": "north_m"}]
    (tmp_path / "late.py").write_text(
        "class Late:\n"
        "    def __init__(self, vehicle): pass\n"
        "    def reset(self): pass\n"
        "    def update(self, seen, dt):\n"
        "        from pelagos.messages import Actuation\n"
        "        if seen.time_s > 0.5: raise ValueError('too late')\n"
        "        return Actuation([0.0] * 8, [])\n"
    )
    control = {"kind": "python", "class_name": str(tmp_path / "late.py:Late")}
    with pytest.raises(CommandError, match=r"run 0 was tried and failed: .*ValueError: too late"):
        estimate(tiny(scenario={**DIVE, "control": control}, vary=[], metric=metric), workers=1)
