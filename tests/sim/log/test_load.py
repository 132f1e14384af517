"""load_log: every format by any name, one sentence for other files, damage is found and the rest salvaged."""

import json
import os
import shutil

import numpy as np
import pytest

from pelagos.messages import Event
from pelagos.sim.log.file import BlockFile
from pelagos.sim.log.load import load_log
from pelagos.sim.log.log import Log, LogError
from pelagos.sim.log.parquet import ROW_GROUP
from pelagos.sim.log.recorder import Recorder
from tests.sim.log.samples import append
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
    append(recorder, [0.0, 2.0])
    for name in (f"dive{ending}", "dive"):
        log = load_log(tmp_path / name)
        assert log["depth_m"].tolist() == [2.0] and not log.complete
    recorder.close()
    assert load_log(tmp_path / "dive").complete


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        ("gone.csv", None, "no such file"),
        ("empty.csv", b"", "is empty, nothing of a log has been written to it"),
        ("text.parquet", b"time_s\n0.0\n", "the content does not match the ending .parquet"),
        ("foreign.json", b'{"a": 1}', "is JSON but not the sidecar of a log"),
        ("broken.json", b"{", "cannot be read as a log"),
        ("lost.json", b'{"format": "pelagos log 1", "log": "lost.csv"}', "lost.csv: no such file"),
        ("self.json", b'{"format": "pelagos log 1", "log": "self.json"}', "names itself as the log"),
        ("noise.csv", np.random.default_rng(0).bytes(500), "cannot be read as a log"),
        ("cut.npz", b"PK\x03\x04", "is not a log written by Log.save"),
    ],
)
def test_what_is_no_log_is_one_sentence(tmp_path, name, content, sentence):
    if content is not None:
        (tmp_path / name).write_bytes(content)
    with pytest.raises(LogError) as caught:
        load_log(tmp_path / name)
    assert sentence in str(caught.value) and name.split(".")[0] in str(caught.value) and "\n" not in str(caught.value)


def test_a_folder_and_a_number_are_no_logs(tmp_path):
    with pytest.raises(LogError, match="is a folder; expected a file"):
        load_log(tmp_path)
    with pytest.raises(LogError, match="the file of the log is 3; expected its name"):
        load_log(3)


def test_damaged_logs_get_a_sentence(folder):
    """A line of the head nested deeper than Python reads, times that are none, events at impossible times."""
    lines = (folder / "text.csv").read_text().splitlines(keepends=True)
    whole = "".join(line for line in lines if not line.startswith(("#seal", "# complete")))  # the digest is first
    row = next(line for line in whole.splitlines() if line[0].isdigit())
    for old, new, sentence in (
        ("# pelagos log 1\n", "# pelagos log 1\n# x: " + "[" * 100_000 + "\n", r"line 2: x = .*: expected JSON"),
        ("# pelagos log 1\n", "# pelagos log 1\n# x: " + "9" * 5000 + "\n", r"line 2: x = .*: expected JSON"),
        (row, "nan," + row.partition(",")[2], "sample .*: time_s = nan: expected at most 1e\\+10 s"),
        (row, '# event: {"time_s": 1e300, "kind": "a", "text": "b"}\n' + row, "expected time_s, kind and"),
        (row, '# event: {"time_s": ' + "9" * 400 + ', "kind": "a", "text": "b"}\n' + row, "expected time_s, kind and"),
    ):
        (folder / "bad.csv").write_text(whole.replace(old, new, 1))
        with pytest.raises(LogError, match=sentence):
            load_log(folder / "bad.csv")


def test_sidecars_that_name_each_other_end(tmp_path):
    for name, other in (("a", "b"), ("b", "a")):
        (tmp_path / f"{name}.json").write_text(json.dumps({"format": "pelagos log 1", "log": f"{other}.json"}))
    with pytest.raises(LogError, match=r'a\.json: log = "b\.json": is a sidecar too'):
        load_log(tmp_path / "a.json")


@pytest.mark.parametrize("load", [load_log, Log.from_csv, Log.from_parquet, Log.load])
def test_a_pipe_and_names_that_no_file_has(tmp_path, load):
    os.mkfifo(tmp_path / "pipe.csv")
    for name in (tmp_path / "pipe.csv", "a\0b", "x" * 5000):
        with pytest.raises(LogError, match=r"pipe, a socket|no such file|File name too long"):
            load(name)


N = 600
WRITE = {".csv": Log.to_csv, ".parquet": Log.to_parquet, ".npz": Log.save}


def made(n=N):
    time_s = np.arange(n) * 0.1
    columns = {"time_s": time_s, "depth_m": np.sin(time_s), "range_m": np.full(n, np.nan)}
    forces = {"drag": np.random.default_rng(1).normal(size=(n, 6))}
    events = [Event(3.0, "mode", "dives"), Event(25.5, "mode", "turns")]
    return Log(columns, {"seed": 1, "vehicle": "remus100"}, forces, events=events)


def equal(first, other):
    return (
        first.names == other.names
        and first.meta == other.meta
        and first.events == other.events
        and same_rows(first, other)
    )


def same_rows(first, other):
    return np.array_equal(first.table(), other.table(), equal_nan=True)


@pytest.mark.slow
@pytest.mark.parametrize("ending", WRITE)
def test_every_changed_bit_is_detected(tmp_path, ending):
    log, path = made(), tmp_path / f"dive{ending}"
    WRITE[ending](log, path)
    (tmp_path / "dive.json").unlink(missing_ok=True)
    assert equal(load_log(path), log) and load_log(path).complete
    whole, rng = path.read_bytes(), np.random.default_rng(5)
    refused = 0
    for at in rng.integers(len(whole), size=120).tolist():
        changed = bytearray(whole)
        changed[at] ^= 1 << int(rng.integers(8))
        path.write_bytes(bytes(changed))
        try:
            loaded = load_log(path)
        except LogError:
            refused += 1
            continue
        assert equal(loaded, log) or not loaded.complete  # a byte of the container that no reader uses
    assert refused > 100


def test_of_a_damaged_csv_the_other_blocks_are_read(tmp_path):
    log, path = made(), tmp_path / "dive.csv"
    log.to_csv(path)
    lines = path.read_bytes().splitlines(keepends=True)
    first = next(k for k, line in enumerate(lines) if line.startswith(b"0.0,"))
    lines[first + 300] = lines[first + 300].replace(b"1", b"2", 1)  # a digit of the second block of samples
    path.write_bytes(b"".join(lines))
    with pytest.raises(LogError, match=r"dive.csv: is damaged \(lines \d+ to \d+ .*salvage=True"):
        load_log(path)
    loaded = load_log(path, salvage=True)
    kept = np.r_[0:256, 512:600]
    assert np.array_equal(loaded.table(), log.table()[kept], equal_nan=True) and not loaded.complete
    assert len(loaded.meta["damage"]) == 1 and loaded.meta["seed"] == 1


@pytest.mark.parametrize(
    ("cut", "words"),
    [
        (slice(300, 301), "are not as they were written"),  # one sample
        (slice(257, 514), "samples are missing"),  # a whole block, with its seal
        (slice(514, 603), "600 samples were written and 512 are there"),  # the last one
    ],
    ids=["sample", "block", "last"],
)
def test_a_csv_without_all_its_samples_is_not_complete(tmp_path, cut, words):
    log, path = made(), tmp_path / "dive.csv"
    Log(log.columns, log.meta).to_csv(path)
    lines = path.read_bytes().splitlines(keepends=True)
    first = next(k for k, line in enumerate(lines) if line.startswith(b"0.0,"))
    del lines[first + cut.start : first + cut.stop]
    path.write_bytes(b"".join(lines))
    with pytest.raises(LogError, match=words):
        load_log(path)
    assert not load_log(path, salvage=True).complete


def test_a_seal_that_is_damaged_itself(tmp_path):
    path = tmp_path / "dive.csv"
    made().to_csv(path)
    text = path.read_text()
    path.write_text(text.replace('#seal {"samples": 256', '#seal {"samples": 1e999', 1))
    assert path.read_text() != text
    with pytest.raises(LogError, match="is damaged"):
        load_log(path)


def test_the_sidecar_knows_how_many_samples_an_old_log_had(tmp_path):
    path = tmp_path / "old.csv"
    Log({"time_s": np.arange(3.0)}).to_csv(path)
    path.write_text("# pelagos log 1\ntime_s\n0.0\n1.0\n2.0\n# complete: true\n")  # as it was before there were seals
    assert load_log(path).complete
    path.write_text("# pelagos log 1\ntime_s\n0.0\n2.0\n# complete: true\n")
    assert not load_log(path).complete


def test_a_damaged_head_is_read_from_the_sidecar(tmp_path):
    log, path = made(), tmp_path / "dive.csv"
    log.to_csv(path)
    path.write_bytes(path.read_bytes().replace(b"depth_m", b"dept\xff_m", 1))
    loaded = load_log(path, salvage=True)
    assert loaded.names == log.names and same_rows(loaded, log) and loaded.meta["seed"] == 1 and not loaded.complete
    (tmp_path / "dive.json").unlink()
    with pytest.raises(LogError, match="its header is damaged, and there is no sidecar"):
        load_log(path, salvage=True)


def test_of_a_damaged_parquet_file_the_other_columns_and_groups_are_read(tmp_path):
    pq = pytest.importorskip("pyarrow.parquet")
    log, path = made(ROW_GROUP + 50), tmp_path / "dive.parquet"
    log.to_parquet(path)
    chunk = pq.ParquetFile(path).metadata.row_group(0).column(1)
    assert chunk.path_in_schema == "depth_m"
    whole = bytearray(path.read_bytes())
    whole[chunk.data_page_offset + chunk.total_compressed_size // 2] ^= 1
    path.write_bytes(bytes(whole))
    with pytest.raises(LogError, match=r"is damaged \(depth_m of samples 0 to 8191 .*salvage=True"):
        load_log(path)
    loaded = load_log(path, salvage=True)
    assert len(loaded) == len(log) and not loaded.complete and len(loaded.meta["damage"]) == 1
    assert np.isnan(loaded["depth_m"][:ROW_GROUP]).all()
    assert np.array_equal(loaded["depth_m"][ROW_GROUP:], log["depth_m"][ROW_GROUP:])
    others = [name for name in log.names if name != "depth_m"]
    assert all(np.array_equal(loaded[name], log[name], equal_nan=True) for name in others)


def stream(folder, end):
    """The stream of a run, of which a sample is changed on the disk before `end` is called."""
    pytest.importorskip("pyarrow")
    recorder = Recorder(("time_s", "x_m"), (), {}, folder / "dive.parquet", flush_every_s=0.0)
    for k in range(40):
        append(recorder, [float(k), 1234.5 + k])
    file = folder / "dive.parquet.unfinished"
    whole = file.read_bytes()
    wrong = whole.replace(np.float64(1254.5).tobytes(), np.float64(7.0).tobytes())
    assert wrong != whole
    file.write_bytes(wrong)
    return end(recorder)


def test_a_damaged_batch_of_a_stream_is_left_out(tmp_path):
    recorder = stream(tmp_path, lambda recorder: recorder)
    with pytest.raises(LogError, match="is damaged"):
        load_log(tmp_path / "dive.parquet")
    loaded = load_log(tmp_path / "dive.parquet", salvage=True)
    assert loaded["time_s"].tolist() == [k for k in range(40) if k != 20] and not loaded.complete
    recorder.close(complete=False)


def test_a_run_whose_samples_are_not_all_on_disk_is_not_complete(tmp_path):
    with pytest.raises(LogError, match="number of samples read back = 39: expected 40, as written"):
        stream(tmp_path, Recorder.close)
    loaded = load_log(tmp_path / "dive.parquet")
    assert len(loaded) == 39 and not loaded.complete


@pytest.mark.parametrize("ending", [".csv", ".parquet"])
def test_two_runs_do_not_write_one_log(tmp_path, ending):
    path = tmp_path / f"dive{ending}"
    with Recorder(("time_s",), (), {}, path) as first:
        append(first, [0.0])
        first.flush()
        with pytest.raises(LogError, match="another run is writing this log; expected another name"):
            Recorder(("time_s",), (), {}, path)
        append(first, [1.0])
    assert load_log(path)["time_s"].tolist() == [0.0, 1.0] and load_log(path).complete
    with Recorder(("time_s",), (), {}, path) as second:  # the next one may
        append(second, [5.0])
    assert load_log(path)["time_s"].tolist() == [5.0]


def test_a_device_can_be_opened_twice():
    files = BlockFile("/dev/null"), BlockFile("/dev/null")
    for file in files:
        file.put(b"a\n", 1)
        file.close()
