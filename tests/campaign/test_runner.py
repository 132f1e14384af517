"""A whole campaign: rows independent of how it is run, continuation after a kill, early stop."""

import contextlib
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

from pelagos.campaign import load_results, run_campaign
from pelagos.campaign.runner import _CampaignRun
from pelagos.campaign.store import parts
from pelagos.cli.main import main
from pelagos.errors import CommandError
from pelagos.files.writer import to_toml
from tests.campaign.tiny import PUSH, SURGE, same, tables, tiny

STOP = {"metric": "north_m", "half_width": 0.2, "check_every": 4}


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """Twenty-four runs in one go."""
    return run_campaign(tiny(runs=24), tmp_path_factory.mktemp("whole") / "out", workers=1)


@pytest.mark.slow
def test_every_planned_run_is_a_row(whole):
    assert whole["run"].tolist() == list(range(24)) and set(whole["status"]) == {"done"}
    assert whole.summary["ended"] == "complete" and whole.summary["finished"] == 24
    calls = whole.summary["metrics"]["north_m"]
    assert calls["mean"] == pytest.approx(whole["north_m"].mean()) and calls["runs"] == 24
    # sticks ahead go ahead: the surge is the cause
    assert np.corrcoef(whole["control.sticks.surge"], whole["north_m"])[0, 1] > 0.9


def test_progress_is_reported(tmp_path):
    calls = []
    run_campaign(tiny(runs=3), tmp_path, workers=1, progress=lambda *state: calls.append(state))
    assert calls == [(0, 3, 0), (1, 3, 0), (2, 3, 0), (3, 3, 0)]


@pytest.mark.slow
def test_a_campaign_is_run_on_with_more_runs(whole, tmp_path):
    first = run_campaign(tiny(runs=10), tmp_path, workers=1)
    calls = []
    more = run_campaign(tiny(runs=24), tmp_path, workers=1, progress=lambda *state: calls.append(state))
    assert calls[0] == (10, 24, 0)  # none of the ten is flown again
    same(first.table, {name: column[:10] for name, column in whole.table.items()})
    same(more.table, whole.table)
    again = run_campaign(tiny(runs=24), tmp_path, workers=1, progress=lambda *state: calls.append(state))
    assert calls[-1] == (24, 24, 0) and len(calls) == 16  # nothing was left to do
    same(again.table, whole.table)


@pytest.mark.slow
def test_it_stops_early_at_the_same_run_whatever_came_first(whole, tmp_path):
    stopped = run_campaign(tiny(runs=24, stop=STOP), tmp_path / "one", workers=1)
    at = stopped.summary["stopped_at"]
    assert (
        4 < at < 24 and stopped.summary["ended"] == "stopped early" and "north_m is known to" in stopped.summary["why"]
    )
    assert stopped.interval("north_m").half_width <= 0.2
    same(stopped.table, {name: column[:at] for name, column in whole.table.items()})
    # the same with all of them finished already: what came later does not count
    run_campaign(tiny(runs=24), tmp_path / "late", workers=1)
    late = run_campaign(tiny(runs=24, stop=STOP), tmp_path / "late", workers=1)
    assert late.summary["stopped_at"] == at and late.summary["computed"] == 24
    same(late.table, stopped.table)


@pytest.mark.slow
def test_the_order_of_pieces_changes_nothing(whole, tmp_path, monkeypatch):
    """Runs handed out from the end, in pieces of three."""

    def backwards(self, workers):
        return tuple(self.plan.run(self.waiting.pop()) for _ in range(min(3, len(self.waiting))))

    monkeypatch.setattr(_CampaignRun, "_next_chunk", backwards)
    same(run_campaign(tiny(runs=24), tmp_path / "out", workers=1).table, whole.table)
    stopped = run_campaign(tiny(runs=24, stop=STOP), tmp_path / "stop", workers=1)
    monkeypatch.undo()
    forwards = run_campaign(tiny(runs=24, stop=STOP), tmp_path / "forwards", workers=1)
    assert stopped.summary["stopped_at"] == forwards.summary["stopped_at"]
    same(stopped.table, forwards.table)


def test_runs_that_fail_are_rows_and_not_the_end(tmp_path):
    results = run_campaign(tiny(runs=20, vary=[{**SURGE, "low": 0.0, "high": 2.0}]), tmp_path, workers=1)
    beyond = results["control.sticks.surge"] > 1.0
    assert 0 < beyond.sum() < 20
    assert ((results["status"] == "failed") == beyond).all() and np.isnan(results["north_m"][beyond]).all()
    assert np.isfinite(results["north_m"][~beyond]).all()
    assert all("surge" in message for message in results["message"][beyond])


def test_one_run_can_be_flown_again(whole):
    scenario = whole.scenario(7)
    assert scenario.seed == whole["seed"][7]
    (log,) = whole.rerun(7).values()
    assert log["north_m"][-1] == whole["north_m"][7]
    with pytest.raises(CommandError, match="run is 24; expected a whole number from 0 to 23"):
        whole.run(24)


def started(folder, runs=600):
    """A campaign in a process of its own, once it has finished a run: a tenth of a second each."""
    file = folder / "slow.toml"
    file.write_text(to_toml(tables(runs=runs, set={"speed": 10.0})))
    words = "import sys; from pelagos.campaign import run_campaign; run_campaign(sys.argv[1], sys.argv[2], workers=1)"
    process = subprocess.Popen(
        [sys.executable, "-c", words, str(file), str(folder / "out")], stderr=subprocess.PIPE, text=True
    )
    while not parts(folder / "out") and process.poll() is None:
        time.sleep(0.02)
    return process, file


@pytest.mark.slow
def test_after_a_kill_it_goes_on_without_repeating(whole, tmp_path):
    process, file = started(tmp_path)
    process.send_signal(signal.SIGKILL)
    process.communicate(timeout=60)
    before = load_results(tmp_path / "out")
    assert 0 < len(before) < 600 and before.summary == {}
    calls = []
    file.write_text(to_toml(tables(runs=len(before) + 2, set={"speed": 10.0})))
    after = run_campaign(file, tmp_path / "out", workers=1, progress=lambda *state: calls.append(state))
    assert calls[0][0] == len(before)
    few = min(len(after), len(whole))  # what the clock allows is no matter of the numbers
    same(*({name: column[:few] for name, column in table.items()} for table in (after.table, whole.table)))
    np.testing.assert_array_equal(after["wall_s"][: len(before)], before["wall_s"])  # the very same rows


def test_zero_workers_are_refused(tmp_path):
    with pytest.raises(CommandError, match="workers is 0; expected a whole number from 1 to 1024"):
        run_campaign(tiny(), tmp_path, workers=0)


OWN = """
from pathlib import Path
import numpy as np
from pelagos.messages import Actuation

class Own:
    columns = ()
    def __init__(self, vehicle):
        pass
    def reset(self):
        pass
    def update(self, seen, dt):
        if seen.time_s > 0.15:  # not when it is tried
            {line}
        return Actuation(np.zeros(8), np.zeros(0))
"""


def own(folder, line, **given):
    """The file of a campaign whose controller runs a line as it flies."""
    (folder / "own.py").write_text(OWN.format(line=line))
    scenario = {**PUSH, "duration_s": 0.5, "control": {"kind": "python", "class_name": str(folder / "own.py:Own")}}
    depth = {"key": "start.depth_m", "low": 3.0, "high": 7.0}
    (folder / "own.toml").write_text(to_toml(tables(scenario=scenario, vary=[depth], runs=6, **given)))
    return str(folder / "own.toml")


@contextlib.contextmanager
def files_of_at_most(size):
    """A disk that takes no larger files: a write beyond fails as on a full one."""
    resource = pytest.importorskip("resource", reason="no limits of files on this system")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.slow
@pytest.mark.parametrize(("logs", "workers"), [(True, "2"), (False, "1")], ids=["logs", "no-logs"])
def test_a_full_disk_leaves_the_campaign_incomplete(tmp_path, capsys, logs, workers):
    line = "pass" if logs else f"Path({str(tmp_path / 'notes')!r}).write_bytes(bytes(40_000))"
    words = ["campaign", own(tmp_path, line, output={"logs": logs}), "--workers", workers]
    words += ["--out", str(tmp_path / "out")]
    assert main([*words, "--dry-run"]) == 0  # the engine is compiled and on disk
    with files_of_at_most(30_000):  # the plan and the rows fit
        assert main(words) == 2
    errors = capsys.readouterr().err
    assert "cannot be written (File too large)" in errors and "Traceback" not in errors
    ended = load_results(tmp_path / "out")
    assert ended.failed == 0 and ended.summary.get("ended") != "complete"
    assert main(words) == 0  # there is room again
    results = load_results(tmp_path / "out")
    assert results.summary["ended"] == "complete" and len(results) == 6 and results.failed == 0
    assert len(list((tmp_path / "out").glob("logs/*.parquet"))) == (6 if logs else 0)


def test_failed_runs_are_flown_again_if_asked(tmp_path):
    here = tmp_path / "supply"
    file = own(tmp_path, f"assert seen.pos_n[2] < 5.0 or Path({str(here)!r}).exists()")
    out = str(tmp_path / "out")
    words = ["campaign", file, "--out", out, "--workers", "1"]
    assert main(words) == 0
    first = load_results(out)
    assert 0 < first.failed < 6
    here.touch()
    assert main(words) == 0 and load_results(out).failed == first.failed  # they are finished, failed or not
    assert main([*words, "--retry-failed"]) == 0
    again = load_results(out)
    assert again.failed == 0 and len(again) == 6 and again.summary["failed"] == 0
    np.testing.assert_array_equal(again["wall_s"][first.done], first["wall_s"][first.done])  # the others were not flown
    assert np.isfinite(again["north_m"]).all()
