"""The progress line of a campaign, and the estimate of its duration."""

import io

import pytest

from pelagos.campaign.progress import CampaignProgress, estimate, line
from pelagos.errors import CommandError
from tests.campaign.test_run import DIVE, METRICS, VARY
from tests.campaign.tiny import tiny


def test_a_line_says_how_far_how_fast_and_how_long():
    assert line(50, 100, 2, 25, 10.0) == (
        "[############------------]  50 %  50 of 100 runs, 2 failed, 2.5 runs/s, 20 s left"
    )
    assert line(100, 100, 0, 0, 0.0) == "[########################] 100 %  100 of 100 runs"


def test_nothing_is_printed_at_first_and_then_at_intervals():
    times = iter([0.0, 1.0, 9.0, 12.0, 13.0, 30.0])
    stream = io.StringIO()
    with CampaignProgress(stream, now=lambda: next(times)) as progress:
        for done in (0, 10, 20, 30, 40):
            progress(done, 100, 0)
    assert [text.split(",")[0].split("%  ")[1] for text in stream.getvalue().splitlines()] == [
        "20 of 100 runs",
        "40 of 100 runs",
    ]


def test_of_single_runs():
    planned = estimate(tiny(runs=100), workers=4)
    assert (planned.engine, planned.tried, planned.workers, planned.simulated_s) == ("single", 1, 4, 1.0)
    assert planned.wall_s == planned.run_s * 25 > 0.0


def test_of_batches():
    planned = estimate(tiny(runs=100, engine="auto", scenario=DIVE, vary=VARY, metric=METRICS), workers=1)
    assert (planned.engine, planned.tried, planned.why) == ("batch", 32, "")
    assert "the batch engine" in str(planned) and "tried   32 runs of 3 s simulated" in str(planned)


def test_a_failed_run_is_reported(tmp_path):
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
    with pytest.raises(CommandError, match=r"run 0: failed in a trial: .*ValueError: too late"):
        estimate(tiny(scenario={**DIVE, "control": control}, vary=[], metric=metric), workers=1)
