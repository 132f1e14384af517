"""load_log: every form by whatever name, and a sentence for what is no log."""

import json
import os
import shutil

import numpy as np
import pytest

from pelagos.sim.log.load import load_log
from pelagos.sim.log.log import Log, LogError
from pelagos.sim.log.recorder import Recorder
from tests.sim.synthetic import same, synthetic_log

pytest.importorskip("pyarrow")


@pytest.fixture
def folder(tmp_path):
    log = synthetic_log(seconds=2.0)
    log.to_csv(tmp_path / "text.csv")
    log.to_parquet(tmp_path / "columns.parquet")
    log.save(tmp_path / "archive.npz")
    return tmp_path


FILES = ("text.csv", "columns.parquet", "archive.npz")


@pytest.mark.parametrize("name", [*FILES, "text", "columns", "archive", "text.json"])
def test_every_form_reads(folder, name):
    assert same(load_log(folder / name), synthetic_log(seconds=2.0))
    assert same(load_log(str(folder / name)), synthetic_log(seconds=2.0))


@pytest.mark.parametrize("name", FILES)
def test_the_content_decides_not_the_name(folder, name):
    shutil.copy(folder / name, folder / "data.txt")
    assert same(load_log(folder / "data.txt"), synthetic_log(seconds=2.0))


@pytest.mark.parametrize("ending", [".csv", ".parquet"])
def test_an_unfinished_run_reads_by_the_name_it_was_given(tmp_path, ending):
    recorder = Recorder(("time_s", "depth_m"), path=tmp_path / f"dive{ending}", flush_every_s=0.0)
    recorder.append([0.0, 2.0])
    for name in (f"dive{ending}", "dive"):
        log = load_log(tmp_path / name)
        assert log["depth_m"].tolist() == [2.0] and not log.complete
    recorder.close()
    assert load_log(tmp_path / "dive").complete


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("gone.csv", None, "there is no such file"),
        ("empty.csv", b"", "is empty, nothing of a log has been written to it"),
        ("text.parquet", b"time_s\n0.0\n", "is not what its ending .parquet says"),
        ("foreign.json", b'{"a": 1}', "is JSON but not the sidecar of a log"),
        ("broken.json", b"{", "cannot be read as a log"),
        ("lost.json", b'{"format": "pelagos log 1", "log": "lost.csv"}', "lost.csv: there is no such file"),
        ("self.json", b'{"format": "pelagos log 1", "log": "self.json"}', "names itself as the log"),
        ("noise.csv", np.random.default_rng(0).bytes(500), "cannot be read as a log"),
        ("cut.npz", b"PK\x03\x04", "is not a log written by Log.save"),
    ],
)
def test_what_is_no_log_is_one_sentence(tmp_path, name, content, said):
    if content is not None:
        (tmp_path / name).write_bytes(content)
    with pytest.raises(LogError) as caught:
        load_log(tmp_path / name)
    assert said in str(caught.value) and name.split(".")[0] in str(caught.value) and "\n" not in str(caught.value)


def test_a_folder_and_a_number_are_no_logs(tmp_path):
    with pytest.raises(LogError, match="is a folder; expected a file"):
        load_log(tmp_path)
    with pytest.raises(LogError, match="the file of the log is 3; expected its name"):
        load_log(3)


def test_damaged_logs_get_a_sentence(folder):
    """A line of the head nested deeper than Python reads, times that are none, events at impossible times."""
    lines = (folder / "text.csv").read_text().splitlines(keepends=True)
    whole = "".join(line for line in lines if not line.startswith(("#seal", "# complete")))  # a digest tells it sooner
    row = next(line for line in whole.splitlines() if line[0].isdigit())
    for old, new, said in (
        ("# pelagos log 1\n", "# pelagos log 1\n# x: " + "[" * 100_000 + "\n", "the value of 'x' is not JSON"),
        ("# pelagos log 1\n", "# pelagos log 1\n# x: " + "9" * 5000 + "\n", "the value of 'x' is not JSON"),
        (row, "nan," + row.partition(",")[2], "sample .* has time_s = nan; expected at most 1e\\+10 s"),
        (row, '# event: {"time_s": 1e300, "kind": "a", "text": "b"}\n' + row, "is not an event"),
        (row, '# event: {"time_s": ' + "9" * 400 + ', "kind": "a", "text": "b"}\n' + row, "is not an event"),
    ):
        (folder / "bad.csv").write_text(whole.replace(old, new, 1))
        with pytest.raises(LogError, match=said):
            load_log(folder / "bad.csv")


def test_sidecars_that_name_each_other_end(tmp_path):
    for name, other in (("a", "b"), ("b", "a")):
        (tmp_path / f"{name}.json").write_text(json.dumps({"format": "pelagos log 1", "log": f"{other}.json"}))
    with pytest.raises(LogError, match=r"a\.json: names b\.json as the log, which is a sidecar too"):
        load_log(tmp_path / "a.json")


@pytest.mark.parametrize("load", [load_log, Log.from_csv, Log.from_parquet, Log.load])
def test_a_pipe_and_names_that_no_file_has(tmp_path, load):
    os.mkfifo(tmp_path / "pipe.csv")
    for name in (tmp_path / "pipe.csv", "a\0b", "x" * 5000):
        with pytest.raises(LogError, match=r"pipe, a socket|no such file|File name too long"):
            load(name)
