"""`pelagos run --tether` and `pelagos cable`: they answer, teach, and turn mistakes into one sentence."""

import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from pelagos.cli.main import main
from pelagos.sim.log.load import load_log
from pelagos.sim.log.log import Log
from pelagos.vehicle.load.tether import load_cable
from tests.analysis.pages.test_tether import tethered_log
from tests.command import made_ready, mistake

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.usefixtures("in_an_empty_folder")
CABLES = ["fathom_7_6mm", "neutral_35mm", "work_umbilical"]


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


def test_listing_does_not_load_numba_or_matplotlib():
    code = (
        "import sys; from pelagos.cli.main import main; main(['cable']); main(['cable', 'fathom_7_6mm']); "
        "sys.exit(bool({'numba', 'matplotlib'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], check=False, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--tether", "dynamc"], 'did you mean "dynamic"'),
        (["--tether-ratio", "0.5"], "from 1 to 100: the cable must reach"),
        (["--tether-length-m", "-3"], "length_m = -3.0: expected a number from 0.001"),
        (["--tether-length-m", "20", "--tether-ratio", "2"], "expected one of them"),
        (["--ship", "folow"], 'did you mean "follow"'),
        (["--cable", "fathom"], 'did you mean "fathom_7_6mm"'),
    ],
)
def test_a_bad_word_is_one_sentence(capsys, words, said):
    assert said in mistake(capsys, "run", "bluerov2_heavy", *words)


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


def test_plot_draws_the_tether_beside_the_mission(capsys):
    tethered_log(seconds=5.0).to_csv("dive.csv")
    assert main(["plot", "dive.csv"]) == 0
    assert capsys.readouterr().out == "dive.png\ndive-tether.png\n"
    assert main(["plot", "dive.csv", "tether", "--out", "alone.svg", "--world", "royer_field"]) == 0
    assert capsys.readouterr().out == "alone.svg\n"
    assert "<svg" in Path("alone.svg").read_text()


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
            said = f"--out {tmp_path / 'dive'}: another run is writing files of this name; expected another --out"
            assert capsys.readouterr().err == f"pelagos: {said}\n"
    finally:
        first.kill()
        first.wait()
    left = load_log(tmp_path / "dive.csv")
    assert not left.complete and len(left) > 0  # untouched
    assert main([*words, "--duration", "2"]) == 0  # a run that is gone keeps nobody out
    assert load_log(tmp_path / "dive.csv").complete
    assert sorted(item.name for item in tmp_path.iterdir()) == ["dive.csv", "dive.json"]
