"""`pelagos run` and `pelagos scenario`: any key can be changed, files are where they are said to be."""

import json
import re
from pathlib import Path

import pytest

import pelagos
from pelagos.cli.main import main
from pelagos.errors import MissingExtraError
from pelagos.scenario.build import prepare
from pelagos.scenario.read import load_scenario, scenario_names
from tests.command import mistake

pytestmark = pytest.mark.usefixtures("in_an_empty_folder")
SHORT = ("--duration", "0.5", "--no-figure")
TWO = """
name = "pair"
duration_s = 0.5
[[vehicle]]
use = "lauv"
name = "a"
[[vehicle]]
use = "lauv"
name = "b"
[vehicle.start]
east_m = 20.0
"""


def test_a_depth_that_cannot_be_held_is_refused(capsys):
    assert main(["run", "remus100", "--depth-m", "23", "--speed-m-s", "0.8", "--no-figure"]) == 2
    said = capsys.readouterr().err
    assert "cannot hold depth at 0.8 m/s" in said and "ask for at least 1.1" in said
    assert not list(Path().glob("*.csv"))


def test_scenario_lists_all_with_a_summary(capsys):
    assert main(["scenario"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == scenario_names()
    assert all(len(line.split()) > 3 for line in lines)


def test_a_printed_scenario_is_a_file_that_runs(capsys):
    assert main(["scenario", "first-dive"]) == 0
    Path("mine.toml").write_text(capsys.readouterr().out)
    assert main(["run", "mine.toml", *SHORT, "--out", "mine"]) == 0
    assert main(["run", "first-dive", *SHORT, "--out", "theirs"]) == 0
    mine, theirs = pelagos.load_log("mine"), pelagos.load_log("theirs")
    assert (mine["depth_m"] == theirs["depth_m"]).all()


def test_every_key_can_be_changed():
    changes = ("world.current_m_s=0.5", "start.depth_m=7", "seed=4", "log_rate_hz=2.0", "control.heading_deg=33")
    words = [word for change in changes for word in ("--set", change)]
    assert main(["run", "first-dive", *SHORT, *words]) == 0
    log = pelagos.load_log("first-dive.csv")
    assert log["current_east_m_s"][0] == pytest.approx(0.5)
    assert log["depth_m"][0] == 7.0
    assert log["cmd_heading_deg"][0] == 33.0
    assert list(log.time_s) == [0.0, 0.5]
    assert log.meta["seed"] == 4 and json.loads(Path("first-dive.json").read_text())


def test_options_win_over_the_file_and_set_over_options():
    assert main(["run", "first-dive", *SHORT, "--seed", "3", "--set", "seed=9"]) == 0
    assert pelagos.load_log("first-dive").meta["seed"] == 9


@pytest.mark.parametrize(
    ("out", "file"), [("kept/", "kept/first-dive.csv"), ("kept", "kept/first-dive.csv"), ("x", "x.csv")]
)
def test_out_is_a_name_or_a_folder(out, file):
    Path("kept").mkdir()
    assert main(["run", "first-dive", *SHORT, "--out", out]) == 0
    assert Path(file).is_file()


def test_a_square_without_a_sign_is_told_as_check_tells_it(capsys):
    Path("mine.toml").write_text(
        'extends = "lauv"\nname = "Mine"\n[hydro.coefficients]\nX_uu = -2.4\n"X_u|u|" = "remove"\n'
    )
    assert main(["run", "mine.toml", *SHORT]) == 0
    told = capsys.readouterr().err
    main(["check", "mine.toml"])
    (line,) = [line for line in capsys.readouterr().out.splitlines() if "X_uu = -2.4" in line]
    assert f"pelagos: warning: mine {line.split(maxsplit=1)[1]}" in told and "perhaps X_u|u|" in told


def test_a_folder_is_made_before_the_run(capsys):
    assert main(["run", "first-dive", *SHORT, "--out", "new/deep/x"]) == 0
    assert Path("new/deep/x.csv").is_file() and "new/deep is made" in capsys.readouterr().err
    Path("file").write_text("")
    assert "the folder file/x cannot be made" in mistake(capsys, "run", "first-dive", *SHORT, "--out", "file/x/y")


def test_an_ending_of_out_is_taken_off():
    assert main(["run", "first-dive", *SHORT, "--out", "dive.csv"]) == 0
    assert Path("dive.csv").is_file() and Path("dive.json").is_file() and not Path("dive.csv.csv").exists()


def test_a_report_that_cannot_be_made_is_a_failure(monkeypatch, capsys):
    def missing(*_, **__):
        raise MissingExtraError("matplotlib", "figures", "plot")

    monkeypatch.setattr("pelagos.analysis.plots.draw_pages", missing)
    assert main(["run", "first-dive", "--duration", "0.5"]) == 0
    assert "  figure  none: " in capsys.readouterr().out
    assert main(["run", "first-dive", "--duration", "0.5", "--report"]) == 2
    assert "  report  none: " in capsys.readouterr().out


def test_parquet_and_forces(capsys):
    pytest.importorskip("pyarrow")
    assert main(["run", "first-dive", *SHORT, "--format", "parquet", "--forces"]) == 0
    assert "first-dive.parquet" in capsys.readouterr().out
    assert pelagos.load_log("first-dive.parquet").forces.terms


def test_several_vehicles_have_a_log_each(capsys):
    Path("pair.toml").write_text(TWO)
    assert main(["run", "pair.toml", "--no-figure"]) == 0
    out = capsys.readouterr().out
    assert "pair-a.csv" in out and "pair-b.csv" in out
    assert pelagos.load_log("pair-b")["east_m"][0] == 20.0


def test_the_summary_tells_the_speed_of_the_run(capsys):
    assert main(["run", "first-dive", *SHORT]) == 0
    found = re.search(r"took +\d+\.\d s, loading and compiling included; it flew (\d+) times", capsys.readouterr().out)
    assert found and len(found[1].rstrip("0")) <= 2  # digits that mean something


def test_the_speed_is_that_of_the_flight_alone(monkeypatch):
    """By a clock on which the first interval ends at 1000 s and four more of 0.1 s take 4 ms."""
    now = [0.0]
    monkeypatch.setattr("pelagos.scenario.build.time.perf_counter", lambda: now[0])
    ready = prepare(load_scenario("first-dive"))
    assert ready.times_real() == 0.0
    for now[0] in (1000.0, 1000.001, 1000.002, 1000.003, 1000.004):
        ready.fleet.sims[0].tick()
        ready.each()
    assert ready.times_real() == pytest.approx(0.4 / 0.004)


def test_a_report_is_written_on_request():
    pytest.importorskip("matplotlib")
    assert main(["run", "first-dive", *SHORT, "--report"]) == 0
    assert "<html" in Path("first-dive.html").read_text()[:500].lower()


def test_mistakes_in_words(capsys):
    assert 'did you mean "first-dive"' in mistake(capsys, "run", "first-dve")
    assert "no scenario of this name" in mistake(capsys, "scenario", "nonsense")
    assert "no scenario of this name" in mistake(capsys, "scenario", "")
    assert "expected KEY=VALUE" in mistake(capsys, "run", "first-dive", "--set", "nonsense")
    assert "there is no entry 3" in mistake(capsys, "run", "remus-lawnmower", "--set", "mission[3].speed_m_s=1")
    assert "--duration and --seconds" in mistake(capsys, "run", "first-dive", "--duration", "3", "--seconds", "3")


def test_a_mistake_of_several_names_every_log(capsys):
    Path("bad.py").write_text(
        "class Bad:\n    def __init__(self, vehicle): ...\n    def reset(self): ...\n"
        "    def update(self, truth, dt):\n        raise ValueError('no')\n"
    )
    Path("pair.toml").write_text(TWO + '[vehicle.control]\nkind = "python"\nclass_name = "bad.py:Bad"\n')
    said = mistake(capsys, "run", "pair.toml", "--no-figure")
    assert "the log up to then is in pair-a.csv and pair-b.csv" in said
    assert not pelagos.load_log("pair-a").complete


def test_an_event_of_one_of_several_is_refused_before_the_run(capsys):
    Path("pair.toml").write_text(TWO + "[[vehicle.event]]\nat_s = 0.2\nnorth_m = 3.0\neast_m = 3.0\n")
    said = mistake(capsys, "run", "pair.toml", "--no-figure")  # a torpedo cannot keep a place
    assert "vehicle[1].event[0]: LAUV Light AUV cannot hold a place" in said and not Path("pair-a.csv").exists()
