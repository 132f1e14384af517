"""`pelagos reproduce`: report and JSON on disk, failed rows on the screen, exit codes, a sentence for every mistake."""

import json
import os
import signal
import subprocess
import sys
import threading

import pytest

import pelagos_evidence.documents
from evidence.tests.made_up import BAD, OTHER, SMALL
from evidence.tests.page_rows import ROOT
from pelagos.cli.main import main
from tests.command import mistake

pytestmark = pytest.mark.usefixtures("in_an_empty_folder")


@pytest.fixture
def made_up(monkeypatch):
    """The command finds small documents under the words of the real ones."""

    def put(*chosen):
        monkeypatch.setattr(pelagos_evidence.documents, "documents", lambda names=(): chosen)

    return put


def test_it_writes_report_and_json_and_sums_up(made_up, capsys, tmp_path):
    made_up(SMALL, OTHER)
    assert main(["reproduce", "--jobs", "1"]) == 0
    out, err = capsys.readouterr()
    assert ["Small", "2001", "7", "3", "1", "1", "1", "1", "0"] in map(str.split, out.splitlines())
    assert "report  reproduction.html" in out and "json    reproduction.json" in out
    assert "FAILED" not in out
    assert "3 of 3 parts" in err
    assert (tmp_path / "reproduction.html").read_text().startswith("<!DOCTYPE html>")
    assert json.loads((tmp_path / "reproduction.json").read_text())["complete"] is True


@pytest.mark.slow
def test_a_failed_row_is_reported_and_ends_in_one(made_up, capsys, tmp_path):
    made_up(SMALL, BAD)
    assert main(["reproduce", "--out", "a/r.html", "--json", "b/r.json", "--page", "docs"]) == 1
    out, err = capsys.readouterr()
    assert "FAILED  Bad 2003, page 3: a length\n  published  1 m\n  ours       2 m\n" in out
    assert "ValueError: the mass is negative" in out
    assert "the folder a is made" in err
    for name in (
        "a/r.html",
        "b/r.json",
        "docs/reproduction.md",
        "docs/reproduction-bad.md",
        "docs/errata.md",
        "docs/images/reproduction/small-curve.png",
    ):
        assert (tmp_path / name).stat().st_size > 100, name


def test_the_list_computes_nothing(made_up, capsys, tmp_path):
    made_up(BAD)
    assert main(["reproduce", "--list"]) == 0
    assert capsys.readouterr().out.splitlines()[:2] == ["bad       Bad 2003: B. Bad, 2003.", "            Part fails"]
    assert list(tmp_path.iterdir()) == []


def test_mistakes_get_one_sentence(capsys, tmp_path, monkeypatch, made_up):
    assert 'did you mean "royer"?' in mistake(capsys, "reproduce", "roier")
    assert "--jobs is 0; expected 1 or more" in mistake(capsys, "reproduce", "--jobs", "0")
    made_up(SMALL)
    (tmp_path / "file").write_text("kept")
    assert "--json is './a.html'; expected a file other than that of --out" in mistake(
        capsys, "reproduce", "--out", "a.html", "--json", "./a.html"
    )
    assert "--out is '.'; cannot be written (Is a directory)" in mistake(capsys, "reproduce", "--out", ".")
    assert "the folder cannot be made" in mistake(capsys, "reproduce", "--json", "file/r.json")
    assert "the folder cannot be made" in mistake(capsys, "reproduce", "--page", "file/docs")
    monkeypatch.setitem(sys.modules, "matplotlib", None)  # as if it were not there
    assert "matplotlib" in mistake(capsys, "reproduce", "--out", "file")
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
    assert (tmp_path / "file").read_text() == "kept"


INTERRUPTED = """
import sys
import pelagos_evidence.documents
from pelagos.cli.main import main
from evidence.tests.made_up import SLOW

if __name__ == "__main__":
    pelagos_evidence.documents.documents = lambda names=(): (SLOW,)
    sys.exit(main(["reproduce", "--page", "docs"]))
"""


@pytest.mark.slow
def test_ctrl_c_leaves_a_readable_report(tmp_path):
    place = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])}
    order = [sys.executable, "-c", INTERRUPTED]
    with subprocess.Popen(order, cwd=tmp_path, env=place, text=True, stdout=-1, stderr=-1) as process:
        watch = threading.Timer(100.0, process.kill)
        watch.start()
        assert process.stderr is not None
        for line in process.stderr:
            if "1 of 3 parts" in line:
                process.send_signal(signal.SIGINT)
                break
        out, err = process.communicate()
        watch.cancel()
    assert process.returncode == 130, err
    assert "interrupted: the report is incomplete" in out
    assert "page    none" in out
    assert "This run was interrupted" in (tmp_path / "reproduction.html").read_text()
    assert json.loads((tmp_path / "reproduction.json").read_text())["complete"] is False
