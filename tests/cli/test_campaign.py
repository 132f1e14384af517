"""`pelagos campaign`: what it prints, writes and refuses."""

import os
import signal
import subprocess
import sys
import time

import pytest

from pelagos.campaign import load_results, run_campaign
from pelagos.campaign.store import parts
from pelagos.cli.main import main
from pelagos.files.writer import to_toml
from tests.campaign.tiny import NORTH, SURGE, same, tables, tiny
from tests.command import mistake


@pytest.fixture
def sweep(tmp_path, monkeypatch):
    """A file of a campaign in the working folder."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sweep.toml").write_text(to_toml(tables(runs=6)))
    return tmp_path


def test_it_runs_and_sums_up(sweep, capsys):
    assert main(["campaign", "sweep.toml", "--workers", "1"]) == 0
    out, _ = capsys.readouterr()
    results = load_results("tiny-campaign")
    assert len(results) == 6 and out.startswith("tiny: 6 of 6 runs, complete\n")
    assert f"{results['north_m'].mean():.4g}" in out and "pelagos campaign report tiny-campaign" in out


@pytest.mark.slow
def test_its_options(sweep, capsys):
    words = ["--out", "other", "--runs", "3", "--seed", "8", "--set", "duration_s=0.5", "--workers", "1"]
    assert main(["campaign", "sweep.toml", *words]) == 0
    results = load_results("other")
    assert len(results) == 3 and results.campaign.seed == 8 and set(results["simulated_s"]) == {0.5}
    capsys.readouterr()
    assert main(["campaign", "other", "--runs", "5", "--resume", "--workers", "1"]) == 0  # the folder says the rest
    again = load_results("other")
    assert len(again) == 5 and set(again["simulated_s"]) == {0.5}
    assert again["wall_s"][:3].tolist() == results["wall_s"].tolist()  # not flown again
    sentence = mistake(capsys_after(capsys), "campaign", "sweep.toml", "--out", "other")
    assert "other: holds runs of another campaign (seed, set differs)" in sentence
    assert main(["campaign", "sweep.toml", "--out", "other", "--fresh", "--workers", "1"]) == 0
    assert len(load_results("other")) == 6


def capsys_after(capsys):
    """With nothing left of what was printed before."""
    capsys.readouterr()
    return capsys


def test_a_dry_run_tells_the_plan_and_writes_nothing(sweep, capsys):
    assert main(["campaign", "sweep.toml", "--dry-run", "--workers", "2"]) == 0
    out, _ = capsys.readouterr()
    assert out.startswith("tiny: 6 runs, random\n")
    assert 'engine  single runs: engine = "single"' in out and "on 2 workers" in out
    assert "world.current_m_s" in out and "1 run of 1 s simulated" in out
    assert [path.name for path in sweep.iterdir()] == ["sweep.toml"]


def test_the_list(capsys):
    assert main(["campaign", "--list"]) == 0
    out, err = capsys.readouterr()
    assert not err and all("  " in line for line in out.splitlines())


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ([], "expected a campaign or a file; pelagos campaign --list shows the ready ones"),
        (["none.toml"], "none.toml: no such file"),
        (["sweep.toml", "extra"], "extra is one word too many; expected --out extra?"),
        (["sweep.toml", "--workers", "0"], "--workers is 0; expected a whole number, 1 or above"),
        (["sweep.toml", "--runs", "0"], "sweep.toml: runs = 0: expected a whole number from 1 to"),
        (["sweep.toml", "--resume"], "tiny-campaign: there is no campaign to resume"),
        (["sweep.toml", "--set", "world.dept_m=3"], "unknown key"),
        (["sweep.toml", "--set", "world.current_m_s=3"], "is set to one value; expected it either in [set] or in"),
        (["sweep.toml", "--out", "sweep.toml"], "sweep.toml: is a file; expected a folder for the results"),
        (["report"], "campaign report: expected the folder of a campaign"),
        (["report", "nowhere"], "is not the folder of a campaign"),
        (["bad.toml"], 'bad.toml: vary[0].key = "control.stics.surge": '),
    ],
)
def test_a_mistake_is_one_sentence(sweep, capsys, words, sentence):
    bad = tables(vary=[{**SURGE, "key": "control.stics.surge"}], metric=[NORTH])
    (sweep / "bad.toml").write_text(to_toml(bad))
    assert sentence in mistake(capsys, "campaign", *words)


@pytest.mark.slow
def test_ctrl_c_is_no_traceback_and_the_same_command_goes_on(sweep, capsys):
    """Two workers, which end with it."""
    (sweep / "slow.toml").write_text(to_toml(tables(runs=200, set={"speed": 5.0})))
    command = [sys.executable, "-m", "pelagos", "campaign", "slow.toml", "--workers", "2"]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    while not parts(sweep / "tiny-campaign") and process.poll() is None:
        time.sleep(0.02)
    os.kill(process.pid, signal.SIGINT)
    _, sentence = process.communicate(timeout=60)
    assert process.returncode == 130 and "Traceback" not in sentence
    assert sentence.endswith(
        "pelagos: interrupted; finished runs are in tiny-campaign, pelagos campaign tiny-campaign goes on\n"
    )
    left = load_results("tiny-campaign")
    assert left.summary["ended"] == "interrupted" and left.summary["finished"] == len(left) > 0
    upto = int(left["run"].max()) + 1
    alone = run_campaign(tiny(runs=upto), "alone", workers=1)  # what the clock allows is no matter of the numbers
    same(left.table, {name: column[left["run"]] for name, column in alone.table.items()})
    assert main(["campaign", "tiny-campaign", "--runs", str(upto + 1), "--workers", "1"]) == 0
    assert load_results("tiny-campaign")["run"].tolist() == list(range(upto + 1))


def test_the_help_teaches(capsys):
    with pytest.raises(SystemExit):
        main(["campaign", "--help"])
    out = capsys.readouterr().out
    assert "pelagos campaign sweep.toml --dry-run" in out and "--scheduler ADDRESS" in out
