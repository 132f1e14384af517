"""The command line: start-up time, help with examples, and errors of one sentence."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

import pelagos
from pelagos.cli import main as cli
from pelagos.cli.main import main
from pelagos.sim.log.log import Log
from tests.command import mistake
from tests.sim.synthetic import synthetic_log

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.usefixtures("in_an_empty_folder")


def test_help_teaches_with_examples(capsys):
    for words in (["--help"], ["run", "--help"]):
        with pytest.raises(SystemExit) as end:
            main(words)
        assert end.value.code == 0
        assert "pelagos run first-dive" in capsys.readouterr().out


def test_every_command_of_the_readme_exists(capsys):
    used = set(re.findall(r"(?:^|`|bin/)pelagos ([a-z]+)", (ROOT / "README.md").read_text(), re.M))
    with pytest.raises(SystemExit):
        main(["--help"])
    known = set(re.findall(r"^    ([a-z]+)\b", capsys.readouterr().out, re.M))
    assert {"run", "list", "describe", "check"} <= used <= known | {"simulates"}


def test_no_command_prints_the_help(capsys):
    assert main([]) == 0
    assert "pelagos run first-dive" in capsys.readouterr().out


def test_list_shows_the_library(capsys):
    assert main(["list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    keys = {line.split()[0] for line in lines[1:]}
    assert {"bluerov2_heavy", "phoenix"} <= keys
    assert keys == {path.stem for path in (ROOT / "pelagos/vehicle/library").glob("*.toml")}
    assert not any(re.search(r"\de[+-]\d", line) for line in lines)  # no mass with an exponent


@pytest.mark.slow
def test_list_and_describe_do_not_load_numba_or_matplotlib():
    code = (
        "import sys; from pelagos.cli.main import main; "
        "assert main(['list']) == 0 and main(['describe', 'bluerov2_heavy']) == 0; "
        "sys.exit(bool({'numba', 'matplotlib'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], check=False, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_describe_shows_numbers_with_units(capsys):
    assert main(["describe", "bluerov2_heavy"]) == 0
    out = capsys.readouterr().out
    assert "BlueROV2" in out
    assert "kg" in out


@pytest.mark.slow
def test_schema_is_json_schema(capsys):
    assert main(["schema"]) == 0
    schema = json.loads(capsys.readouterr().out)
    assert schema["type"] == "object"
    assert {"body", "thrusters", "hydro"} <= set(schema["properties"])
    assert main(["schema", "--scenario"]) == 0
    assert {"vehicle", "mission", "sensor"} <= set(json.loads(capsys.readouterr().out)["properties"])


def test_an_unknown_vehicle_names_the_nearest(capsys):
    for words in (["describe", "bluerov2_heavi"], ["run", "bluerov2_heavi"]):
        assert "bluerov2_heavy" in mistake(capsys, *words)


def test_a_broken_vehicle_file_is_one_sentence(capsys, tmp_path):
    (tmp_path / "bad.toml").write_text('name = "Bad"\nclass = "ROV"\n[body]\nmas_kg = 3\n')
    sentence = mistake(capsys, "describe", "bad.toml")
    assert "bad.toml" in sentence
    assert "mass_kg" in sentence


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--seconds", "-1"], "duration_s = -1.0: expected a number above 0"),
        (["--seconds", "nan"], "duration_s = nan: expected a finite number"),
        (["--depth-m", "-5"], "depth_m"),
        (["--integrator", "rk5"], "rk4"),
        (["--step-s", "0"], "step_s"),
        (["--seed", "-1"], "seed = -1: expected a whole number, 0 or above"),
        (["--seconds", "0.01"], "expected at least one control interval, 0.1 s"),
        (["--current-m-s", "inf"], "current_m_s = inf"),
        (["--out", "/dev/null/a"], "the folder /dev/null cannot be made"),
    ],
)
def test_a_bad_number_is_one_sentence(capsys, words, sentence):
    assert sentence in mistake(capsys, "run", "bluerov2_heavy", *words)


IMPOSSIBLE = """
name = "Impossible"
class = "ROV"
extends = "bluerov2_heavy"
[added_mass]  # sway and yaw coupled far beyond their own inertia: some motion has negative energy
matrix = [
  [1, 0, 0, 0, 0, 0], [0, 1, 0, 0, 0, 99], [0, 0, 1, 0, 0, 0],
  [0, 0, 0, 1, 0, 0], [0, 0, 0, 0, 1, 0], [0, 99, 0, 0, 0, 1],
]
"""


@pytest.mark.slow
def test_check_passes_a_sound_vehicle_and_fails_an_impossible_one(capsys):
    assert main(["check", "bluerov2_heavy"]) == 0
    assert "bluerov2_heavy: passes" in capsys.readouterr().out
    Path("impossible.toml").write_text(IMPOSSIBLE)
    assert main(["check", "bluerov2_heavy", "impossible.toml"]) == 1
    out = capsys.readouterr().out
    assert "impossible.toml: FAILS" in out
    assert "positive definite" in out


@pytest.mark.slow
def test_plot_draws_a_log(capsys):
    synthetic_log(seconds=5.0).to_csv("dive.csv")
    assert main(["plot", "dive.csv"]) == 0
    assert main(["plot", "dive.csv", "depth_m", "--out", "depth.svg"]) == 0
    assert capsys.readouterr().out == "dive.png\ndepth.svg\n"
    assert Path("dive.png").stat().st_size > 10_000
    assert "<svg" in Path("depth.svg").read_text()


def test_plot_refuses_what_it_cannot_draw(capsys):
    synthetic_log(seconds=1.0).to_csv("dive.csv")
    assert 'did you mean "depth_m"' in mistake(capsys, "plot", "dive.csv", "dept_m")
    assert "no such file" in mistake(capsys, "plot", "gone.csv")


@pytest.mark.slow
def test_the_first_dive_reaches_its_depth_and_heading(capsys):
    """The promise of the README: a summary, a complete log, a figure."""
    assert main(["run", "first-dive"]) == 0
    out = capsys.readouterr().out
    assert "first-dive.csv" in out
    assert "first-dive.png" in out
    assert re.search(r"depth, m +5\.000 +\d\.\d{3} ", out)
    log = Log.from_csv("first-dive.csv")
    assert log.complete
    assert log.time_s[-1] == pytest.approx(60.0)
    assert (log.time_s[1:] > log.time_s[:-1]).all()
    assert {"vehicle", "seed", "integrator", "step_s"} <= set(log.meta)
    # five centimetres and one degree: well inside what a pilot would call "holding"
    assert abs(log["depth_m"][-100:] - 5.0).max() < 0.05
    assert abs(log["heading_deg"][-100:] - 90.0).max() < 1.0
    assert log["current_east_m_s"][-1] == pytest.approx(0.3)
    assert Path("first-dive.png").stat().st_size > 50_000


def test_same_seed_same_bytes_other_step_other_bytes():
    words = ["run", "bluerov2_heavy", "--seconds", "5", "--current-m-s", "0.2", "--no-figure"]
    assert main([*words, "--out", "a"]) == main([*words, "--out", "b"]) == 0
    assert main([*words, "--out", "c", "--step-s", "0.01"]) == 0
    assert Path("a.csv").read_bytes() == Path("b.csv").read_bytes()
    assert Path("a.csv").read_bytes() != Path("c.csv").read_bytes()
    assert not Path("a.png").exists()


def test_ctrl_c_leaves_a_readable_log(capsys, monkeypatch):
    def interrupt(_, done_s):
        if done_s >= 3.0:
            raise KeyboardInterrupt

    monkeypatch.setattr("pelagos.session.progress.Progress.__call__", interrupt)
    assert main(["run", "first-dive"]) == 130
    assert "first-dive.csv" in capsys.readouterr().err
    log = Log.from_csv("first-dive.csv")
    assert not log.complete
    assert log.time_s[-1] == pytest.approx(3.0)


def test_a_run_that_diverges_says_so_and_leaves_its_log(capsys):
    """Euler steps of 0.1 s in a current of 20 m/s: the drag overshoots from the first step on."""
    words = ["run", "bluerov2_heavy", "--integrator", "euler", "--step-s", "0.1", "--current-m-s", "20"]
    sentence = mistake(capsys, *words)
    assert "diverged" in sentence
    assert "bluerov2_heavy.csv" in sentence
    log = Log.from_csv("bluerov2_heavy.csv")
    assert not log.complete
    assert 1 <= len(log) < 100


def test_a_run_says_what_the_vehicle_cannot_hold(capsys):
    """A glider has no planes, no screw and no rudder that the autopilot could use."""
    assert main(["run", "slocum", "--seconds", "1", "--no-figure"]) == 0
    out = capsys.readouterr().out
    assert re.search(r"depth is not held: .* cannot hold depth: ", out)
    assert re.search(r"heading is not held: .* cannot hold heading: ", out)
    assert main(["run", "bluerov2_heavy", "--seconds", "1", "--no-figure"]) == 0
    assert "not held" not in capsys.readouterr().out


def test_derive_into_no_folder_is_one_sentence(capsys):
    words = ["derive", "--length-m", "2", "--radius-m", "0.1", "--mass-kg", "55", "--out", "nowhere/mine.toml"]
    assert "the vehicle cannot be written" in mistake(capsys, *words)


def test_commands_that_are_not_in_the_wheel_say_how_to_get_them(capsys, monkeypatch, tmp_path):
    monkeypatch.setattr(cli, "entry_points", lambda group: ())  # as without pelagos-evidence
    assert main(["reproduce", "--list", "royer"]) == 2
    assert (
        'not installed; in a clone of the repository: pip install ".[full,links]" ./evidence' in capsys.readouterr().err
    )
    monkeypatch.setattr(pelagos, "__file__", str(tmp_path / "site-packages" / "pelagos" / "__init__.py"))
    assert main(["bench", "--json"]) == 2
    assert "an installed Pelagos has no benchmarks; run `pelagos bench` in a clone" in capsys.readouterr().err


@pytest.mark.slow
def test_a_command_of_another_distribution_that_is_broken_costs_one_sentence(capsys, monkeypatch, tmp_path):
    (tmp_path / "pelagos_broken.py").write_text("import a_package_that_nobody_has\n")
    (tmp_path / "pelagos_quits.py").write_text("raise SystemExit(3)\n")
    (tmp_path / "pelagos_raises.py").write_text("def add(add):\n    raise ValueError('two\\nlines')\n")
    info = tmp_path / "pelagos_extras-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: pelagos-extras\nVersion: 1.0\n")
    points = "broken = pelagos_broken:add\nnowhere = pelagos.cli.main:nothing\nquits = pelagos_quits:add\n"
    (info / "entry_points.txt").write_text(f"[pelagos.commands]\n{points}raises = pelagos_raises:add\n")
    monkeypatch.syspath_prepend(tmp_path)
    assert main(["list"]) == 0
    printed = capsys.readouterr()
    assert "bluerov2_heavy" in printed.out
    assert [line for line in printed.err.splitlines() if "pelagos-extras" in line] == printed.err.splitlines()
    names = ("broken", "nowhere", "quits", "raises")
    reasons = ("ModuleNotFoundError: No module named", "AttributeError: ", "SystemExit: 3", "ValueError: two lines")
    for line, name, reason in zip(printed.err.splitlines(), names, reasons, strict=True):
        assert line.startswith(f"pelagos: the command '{name}' of pelagos-extras cannot be loaded ({reason}")


def test_a_word_that_no_command_knows_is_refused(capsys):
    with pytest.raises(SystemExit) as end:
        main(["list", "--fast"])
    assert end.value.code == 2 and "unrecognized arguments: --fast" in capsys.readouterr().err


def test_python_dash_m_is_the_same_command():
    done = subprocess.run([sys.executable, "-m", "pelagos", "--version"], check=False, capture_output=True, cwd=ROOT)
    assert done.returncode == 0
    assert re.fullmatch(rb"pelagos (\d+\.\d+\.\d+|not installed)\s*", done.stdout)


@pytest.mark.slow
def test_derive_writes_a_vehicle_that_flies(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    words = ["derive", "--length-m", "2", "--radius-m", "0.1", "--mass-kg", "55", "--out", "mine.toml"]
    assert main(words) == 0
    assert main(words) == 2  # never writes over a file
    assert "mine.toml: exists already" in capsys.readouterr().err
    assert main(["run", "mine.toml", "--seconds", "30", "--depth-m", "3", "--no-figure"]) == 0
    assert "mine" in capsys.readouterr().out
