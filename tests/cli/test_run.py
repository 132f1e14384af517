"""`pelagos run`, `pelagos scenario` and `pelagos cable`: options, files, tethers and mistakes."""

import json
import re
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import pelagos
from pelagos.cli.main import main
from pelagos.errors import MissingExtraError
from pelagos.files.library import SCENARIOS
from pelagos.sim.log.load import load_log
from pelagos.sim.log.log import Log
from pelagos.vehicle.load.tether import load_cable
from tests.analysis.pages.test_tether import tethered_log
from tests.command import made_ready, mistake

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.usefixtures("in_an_empty_folder")
CABLES = ["fathom_7_6mm", "neutral_35mm", "work_umbilical"]
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
    sentence = capsys.readouterr().err
    assert "cannot hold depth at 0.8 m/s" in sentence and "expected a speed_m_s of at least 1.1" in sentence
    assert not list(Path().glob("*.csv"))


def test_scenario_lists_all_with_a_summary(capsys):
    assert main(["scenario"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == SCENARIOS.names()
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
    err = capsys.readouterr().err
    main(["check", "mine.toml"])
    (line,) = [line for line in capsys.readouterr().out.splitlines() if "X_uu = -2.4" in line]
    assert f"pelagos: warning: mine {line.split(maxsplit=1)[1]}" in err and "perhaps X_u|u|" in err


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


@pytest.mark.slow
def test_several_vehicles_have_a_log_each(capsys):
    Path("pair.toml").write_text(TWO)
    assert main(["run", "pair.toml", "--no-figure"]) == 0
    out = capsys.readouterr().out
    assert "pair-a.csv" in out and "pair-b.csv" in out
    assert pelagos.load_log("pair-b")["east_m"][0] == 20.0


def test_the_summary_tells_the_speed_of_the_run(capsys):
    assert main(["run", "first-dive", *SHORT]) == 0
    match = re.search(r"took +\d+\.\d s, loading and compiling included; it flew (\d+) times", capsys.readouterr().out)
    assert match and len(match[1].rstrip("0")) <= 2  # digits that mean something


@pytest.mark.slow
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


@pytest.mark.slow
def test_a_mistake_of_several_names_every_log(capsys):
    Path("bad.py").write_text(
        "class Bad:\n    def __init__(self, vehicle): ...\n    def reset(self): ...\n"
        "    def update(self, truth, dt):\n        raise ValueError('no')\n"
    )
    Path("pair.toml").write_text(TWO + '[vehicle.control]\nkind = "python"\nclass_name = "bad.py:Bad"\n')
    sentence = mistake(capsys, "run", "pair.toml", "--no-figure")
    assert "the log up to then is in pair-a.csv and pair-b.csv" in sentence
    assert not pelagos.load_log("pair-a").complete


def test_an_event_of_one_of_several_is_refused_before_the_run(capsys):
    Path("pair.toml").write_text(TWO + "[[vehicle.event]]\nat_s = 0.2\nnorth_m = 3.0\neast_m = 3.0\n")
    sentence = mistake(capsys, "run", "pair.toml", "--no-figure")  # a torpedo cannot keep a place
    assert (
        "vehicle[1].event[0].north_m = 3.0: LAUV Light AUV cannot hold a place" in sentence
        and not Path("pair-a.csv").exists()
    )


def test_cable_without_a_name_lists_them(capsys):
    assert main(["cable"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == CABLES
    assert all(len(line.split()) > 4 for line in lines)  # each with a summary


def test_cable_shows_the_numbers_of_one(capsys):
    assert main(["cable", "work_umbilical"]) == 0
    out = capsys.readouterr().out
    weight = (2.0 - 1025.0 * np.pi * 0.015**2) * 9.80665  # of the file: 2 kg/m, 30 mm
    assert f"{weight:.3g} N/m in sea water" in out
    assert "1.2e+05 N" in out and "30 mm" in out
    assert main(["cable", "neutral_35mm"]) == 0
    assert "neutral in any water" in capsys.readouterr().out


def test_a_cable_of_ones_own(capsys):
    Path("rope.toml").write_text('kind = "cable"\nname = "rope"\ndiameter_mm = 8\nmass_per_length_g_m = 32\n')
    assert main(["cable", "rope.toml"]) == 0
    assert "8 mm" in capsys.readouterr().out
    sim, _ = made_ready("bluerov2_heavy", cable="rope.toml")
    assert sim.tether is not None and sim.tether.cable.diameter_m == 0.008


@pytest.mark.slow
def test_listing_does_not_load_numba_or_matplotlib():
    code = (
        "import sys; from pelagos.cli.main import main; main(['cable']); main(['cable', 'fathom_7_6mm']); "
        "sys.exit(bool({'numba', 'matplotlib'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], check=False, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--tether", "dynamc"], 'did you mean "dynamic"'),
        (["--tether-ratio", "0.5"], "from 1 to 100: the cable must reach"),
        (["--tether-length-m", "-3"], "length_m = -3.0: expected a number from 0.001"),
        (["--tether-length-m", "20", "--tether-ratio", "2"], "expected one of them"),
        (["--ship", "folow"], 'did you mean "follow"'),
        (["--cable", "fathom"], 'did you mean "fathom_7_6mm"'),
    ],
)
def test_a_bad_word_is_one_sentence(capsys, words, sentence):
    assert sentence in mistake(capsys, "run", "bluerov2_heavy", *words)


def test_a_vehicle_without_a_tether_needs_a_cable(capsys):
    assert "remus100 has no tether in its file" in mistake(capsys, "run", "remus100", "--tether")
    sim, _ = made_ready("remus100", cable="fathom_7_6mm")
    assert sim.tether is not None and sim.tether.cable == load_cable("fathom_7_6mm")


def test_the_options_reach_the_simulation():
    assert made_ready("bluerov2_heavy")[0].tether is None
    sim, _ = made_ready("bluerov2_heavy", tether="static", tether_length_m=42.0, cable="neutral_35mm")
    assert sim.tether is not None
    assert (sim.tether.tether.mode, sim.tether.tether.length_m, sim.tether.cable.key) == (
        "static",
        42.0,
        "neutral_35mm",
    )
    ratio, _ = made_ready("bluerov2_heavy", tether_ratio=1.3, ship="follow")
    assert ratio.tether is not None
    rigged = ratio.tether.tether
    assert (rigged.payout, rigged.ratio, rigged.ship, rigged.mode) == ("ratio", 1.3, "follow", "dynamic")


@pytest.mark.slow
def test_a_run_with_a_tether_tells_and_draws_it(capsys):
    words = ["--depth-m", "5", "--current-m-s", "0.3", "--seconds", "5", "--out", "towed"]
    assert main(["run", "bluerov2_heavy", "--tether", "--tether-ratio", "1.5", *words]) == 0
    out = capsys.readouterr().out
    assert "largest tension" in out and "towed-tether.png" in out
    assert Path("towed-tether.png").stat().st_size > 20_000
    log = Log.from_csv("towed.csv")
    assert "payout='ratio'" in log.meta["tether"]
    assert np.isfinite(log["tether_tension_N"]).all()
    # the drum is as quick as it must be; the ratio of a step lags the vehicle by the way of that step
    inside = log["tether_length_m"] > 1.0
    np.testing.assert_allclose(log["tether_ratio"][inside], 1.5, rtol=0.05)


@pytest.mark.slow
def test_plot_draws_the_tether_beside_the_mission(capsys):
    tethered_log(seconds=5.0).to_csv("dive.csv")
    assert main(["plot", "dive.csv"]) == 0
    assert capsys.readouterr().out == "dive.png\ndive-tether.png\n"
    assert main(["plot", "dive.csv", "tether", "--out", "alone.svg", "--world", "royer_field"]) == 0
    assert capsys.readouterr().out == "alone.svg\n"
    assert "<svg" in Path("alone.svg").read_text()


@pytest.mark.slow
def test_two_runs_do_not_write_one_out(tmp_path, capsys):
    words = ["run", "first-dive", "--out", str(tmp_path / "dive"), "--no-figure"]
    slow = [sys.executable, "-m", "pelagos", *words, "--speed", "0.5", "--duration", "600"]
    first = subprocess.Popen(slow, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        log = tmp_path / "dive.csv"
        while not (log.exists() and b"\n0.0," in log.read_bytes()) and first.poll() is None:
            time.sleep(0.05)
        for form in ("csv", "parquet"):  # they would share figures and report
            assert main([*words, "--duration", "2", "--format", form]) == 2
            sentence = f"{tmp_path / 'dive'}: another run is writing files of this name; expected another --out"
            assert capsys.readouterr().err == f"pelagos: {sentence}\n"
    finally:
        first.kill()
        first.wait()
    left = load_log(tmp_path / "dive.csv")
    assert not left.complete and len(left) > 0  # untouched
    assert main([*words, "--duration", "2"]) == 0  # a run that is gone keeps nobody out
    assert load_log(tmp_path / "dive.csv").complete
    assert sorted(item.name for item in tmp_path.iterdir()) == ["dive.csv", "dive.json"]
