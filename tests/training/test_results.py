"""Results kept: where, under which names, after a crash."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from pelagos.errors import CommandError
from pelagos.training.results import ResultStore, data_folder, safe_name
from tests.training.test_results_result import a_result


@pytest.mark.parametrize(
    ("environment", "platform", "folder"),
    [
        ({"PELAGOS_DATA_DIR": "/data/p", "HOME": "/home/ann"}, "linux", "/data/p"),
        ({"HOME": "/home/ann"}, "linux", "/home/ann/.local/share/pelagos"),
        ({"HOME": "/home/ann", "XDG_DATA_HOME": "/xdg"}, "linux", "/xdg/pelagos"),
        ({"HOME": "/home/ann", "XDG_DATA_HOME": "relative"}, "linux", "/home/ann/.local/share/pelagos"),
        ({"HOME": "/Users/ann"}, "darwin", "/Users/ann/Library/Application Support/pelagos"),
        ({"HOME": "/c/ann", "LOCALAPPDATA": "/c/ann/Local"}, "win32", "/c/ann/Local/pelagos"),
    ],
)
def test_the_folder_is_where_the_system_keeps_data(environment, platform, folder):
    # XDG base directory specification: a relative path is to be ignored
    assert data_folder(environment, platform) == Path(folder)


def test_names_become_files_and_different_names_different_files(tmp_path):
    names = [
        "Ann",
        "ann",
        "ANN",
        "Ann B.",
        "../../etc/passwd",
        "a/b",
        "a\\b",
        "",
        "...",
        "con",
        "Zoë",
        "Zoe",
        "名",
        "x" * 300,
    ]
    files = [safe_name(name) for name in names]
    assert len(set(files)) == len(names)
    for name in files:
        assert name.strip("abcdefghijklmnopqrstuvwxyz0123456789-") == "" and len(name) < 100
        assert (tmp_path / f"{name}.jsonl").resolve().parent == tmp_path.resolve()
    assert safe_name("con") != "con"  # a device on Windows
    assert safe_name(" Ann  B. ") == safe_name("Ann B.")


def test_what_is_kept_is_read_back_in_order(tmp_path):
    store = ResultStore(tmp_path / "new" / "folder")
    assert store.read("Ann").results == () and store.pilots() == []
    for score in (10.0, 30.0, 20.0):
        store.keep(a_result(score=score))
    store.keep(a_result(pilot="Bob", score=5.0))
    kept = store.read("Ann")
    assert [one.score for one in kept.results] == [10.0, 30.0, 20.0] and kept.broken == 0
    assert store.pilots() == ["Ann", "Bob"]


def test_a_line_cut_off_by_a_crash_costs_that_line_alone(tmp_path):
    store = ResultStore(tmp_path)
    for score in (10.0, 20.0):
        path = store.keep(a_result(score=score))
    whole = path.read_bytes()
    path.write_bytes(whole[:-40])
    assert [one.score for one in store.read("Ann").results] == [10.0]
    store.keep(a_result(score=30.0))
    kept = store.read("Ann")
    assert [one.score for one in kept.results] == [10.0, 30.0] and kept.broken == 1


def test_lines_of_something_else_are_counted(tmp_path):
    store = ResultStore(tmp_path)
    path = store.keep(a_result())
    with path.open("ab") as file:
        file.write(b'{"task": 3}\n[1, 2]\n\xff\xfe\n\nnull\n' + b"[" * 100_000 + b"\n")
    kept = store.read("Ann")
    assert len(kept.results) == 1 and kept.broken == 5  # an empty line is nothing lost


def test_two_programs_may_write_at_once(tmp_path):
    code = (
        "import sys\nfrom pelagos.training.results import ResultStore\n"
        "from tests.training.test_results_result import a_result\n"
        "for k in range(40): ResultStore(sys.argv[1]).keep(a_result(score=float(k), curve={'time_s': [0.0] * 2000}))"
    )
    root = Path(__file__).parents[2]
    writers = [subprocess.Popen([sys.executable, "-c", code, str(tmp_path)], cwd=root) for _ in range(2)]
    assert [writer.wait(60) for writer in writers] == [0, 0]
    kept = ResultStore(tmp_path).read("Ann")
    assert kept.broken == 0
    assert sorted(one.score for one in kept.results) == sorted([float(k) for k in range(40)] * 2)


def test_a_folder_that_cannot_be_written_is_one_sentence(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(CommandError, match="cannot be kept") as caught:
        ResultStore(tmp_path / "file").keep(a_result())
    assert "\n" not in str(caught.value)


def test_a_line_is_plain_json(tmp_path):
    path = ResultStore(tmp_path).keep(a_result(pilot="Zoë"))
    (line,) = path.read_text(encoding="utf-8").splitlines()
    assert json.loads(line)["pilot"] == "Zoë"


def test_without_a_home_there_is_a_sentence(monkeypatch):
    def homeless():
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(Path, "home", homeless)
    with pytest.raises(CommandError, match="there is no home directory to keep results in; set PELAGOS_DATA_DIR"):
        data_folder({}, "linux")
    assert data_folder({"PELAGOS_DATA_DIR": "~nobody-of-this-name/x"}, "linux").name == "x"
