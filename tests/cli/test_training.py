"""`pelagos training`: the list, the briefing, the results of a pilot, and a sentence for every mistake."""

import subprocess
import sys
from pathlib import Path

import pytest

from pelagos.cli.main import main
from pelagos.files.library import TASKS
from pelagos.training.results import ResultStore
from tests.command import mistake
from tests.training.test_figures import hovering
from tests.training.test_results import make_result

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def kept_here(tmp_path, monkeypatch):
    monkeypatch.setenv("PELAGOS_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)


def test_without_a_word_it_lists_the_tasks_and_the_pilots(capsys):
    assert main(["training"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == list(TASKS.first)
    ResultStore().keep(make_result(pilot="Zoë"))
    assert main(["training"]) == 0
    assert "Zoë" in capsys.readouterr().out


def test_listing_does_not_load_numba_or_matplotlib():
    ResultStore().keep(make_result())
    code = (
        "import sys; from pelagos.cli.main import main; main(['training']); "
        "sys.exit(bool({'numba', 'matplotlib'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], stdout=subprocess.DEVNULL, check=False, cwd=ROOT)
    assert done.returncode == 0


@pytest.mark.parametrize("name", TASKS.first)
def test_the_briefing_of_a_task(capsys, name):
    assert main(["training", name]) == 0
    out = capsys.readouterr().out
    assert "weight" in out and "collision" in out and "time limit" in out
    assert max(len(line) for line in out.splitlines()) <= 120


def test_the_results_of_a_pilot(capsys):
    for score in (20.0, 40.0, 90.0):
        path = ResultStore().keep(make_result(score=score))
    with path.open("ab") as file:
        file.write(b"broken\n")
    assert main(["training", "--pilot", "Ann"]) == 0
    out = capsys.readouterr().out
    head, row, _, note = out.splitlines()
    cells = dict(zip(head.split()[:8], row.split()[:8], strict=True))
    assert cells == {
        "task": "hover",
        "vehicle": "seagrant1",
        "attempts": "3",
        "completed": "3",
        "median": "40.0",
        "best": "90.0",
        "latest": "90.0",
        "trend": "+35.0",
    }  # fmt: skip  slopes: 20, 50, 35
    assert note.startswith("1 of the lines")


@pytest.mark.slow
def test_figures_of_progress_and_of_an_attempt(capsys, tmp_path):
    ResultStore().keep(hovering())
    assert main(["training", "--pilot", "Ann", "--figure", "all.png"]) == 0
    assert main(["training", "hover", "--pilot", "Ann", "--figure", "hover.svg"]) == 0
    assert (tmp_path / "all.png").stat().st_size > 10_000
    assert "altitude deviation" in (tmp_path / "hover.svg").read_text()
    assert "hover.svg" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["training", "hovver"], 'did you mean "hover"'),
        (["training", "--figure", "x.png"], "--pilot"),
        (["training", "--pilot", "Anne"], 'did you mean "Ann"'),
        (
            ["training", "search", "--pilot", "Ann"],
            "task is 'search'; \"Ann\" has not tried this task yet; expected",
        ),
        (["training", "nowhere.toml"], "no such file"),
        (["training", "hover", "--pilot", "Ann", "--figure", "x.png"], "too short"),
    ],
)
def test_mistakes_are_one_sentence(capsys, words, sentence):
    ResultStore().keep(make_result(curve={}))
    assert sentence in mistake(capsys, *words)
