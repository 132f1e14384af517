"""Damage is found in every kind of file, and what is whole is read if asked."""

import numpy as np
import pytest

from pelagos.messages import Event
from pelagos.sim.log.file import BlockFile
from pelagos.sim.log.load import load_log
from pelagos.sim.log.log import Log, LogError
from pelagos.sim.log.parquet import ROW_GROUP
from pelagos.sim.log.recorder import Recorder

N = 600
WRITE = {".csv": Log.to_csv, ".parquet": Log.to_parquet, ".npz": Log.save}


def made(n=N):
    time_s = np.arange(n) * 0.1
    columns = {"time_s": time_s, "depth_m": np.sin(time_s), "range_m": np.full(n, np.nan)}
    forces = {"drag": np.random.default_rng(1).normal(size=(n, 6))}
    events = [Event(3.0, "mode", "dives"), Event(25.5, "mode", "turns")]
    return Log(columns, {"seed": 1, "vehicle": "remus100"}, forces, events=events)


def equal(one, other):
    return one.names == other.names and one.meta == other.meta and one.events == other.events and same_rows(one, other)


def same_rows(one, other):
    return np.array_equal(one.table(), other.table(), equal_nan=True)


@pytest.mark.parametrize("ending", WRITE)
def test_a_changed_bit_is_never_read_in_silence(tmp_path, ending):
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
            found = load_log(path)
        except LogError:
            refused += 1
            continue
        assert equal(found, log) or not found.complete  # a byte of the container that nobody reads
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
    found = load_log(path, salvage=True)
    kept = np.r_[0:256, 512:600]
    assert np.array_equal(found.table(), log.table()[kept], equal_nan=True) and not found.complete
    assert len(found.meta["damage"]) == 1 and found.meta["seed"] == 1


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
    found = load_log(path, salvage=True)
    assert found.names == log.names and same_rows(found, log) and found.meta["seed"] == 1 and not found.complete
    (tmp_path / "dive.json").unlink()
    with pytest.raises(LogError, match="its head is damaged, and no sidecar"):
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
    found = load_log(path, salvage=True)
    assert len(found) == len(log) and not found.complete and len(found.meta["damage"]) == 1
    assert np.isnan(found["depth_m"][:ROW_GROUP]).all()
    assert np.array_equal(found["depth_m"][ROW_GROUP:], log["depth_m"][ROW_GROUP:])
    others = [name for name in log.names if name != "depth_m"]
    assert all(np.array_equal(found[name], log[name], equal_nan=True) for name in others)


def stream(folder, end):
    """The stream of a run, of which a sample is changed on the disk before `end` is called."""
    pytest.importorskip("pyarrow")
    recorder = Recorder(("time_s", "x_m"), (), {}, folder / "dive.parquet", flush_every_s=0.0)
    for k in range(40):
        recorder.append([float(k), 1234.5 + k])
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
    found = load_log(tmp_path / "dive.parquet", salvage=True)
    assert found["time_s"].tolist() == [k for k in range(40) if k != 20] and not found.complete
    recorder.close(complete=False)


def test_a_run_whose_samples_are_not_all_on_disk_is_not_complete(tmp_path):
    with pytest.raises(LogError, match="40 samples were written and 39 could be read again"):
        stream(tmp_path, Recorder.close)
    found = load_log(tmp_path / "dive.parquet")
    assert len(found) == 39 and not found.complete


@pytest.mark.parametrize("ending", [".csv", ".parquet"])
def test_two_runs_do_not_write_one_log(tmp_path, ending):
    path = tmp_path / f"dive{ending}"
    with Recorder(("time_s",), (), {}, path) as first:
        first.append([0.0])
        first.flush()
        with pytest.raises(LogError, match="another run is writing this log; expected another name"):
            Recorder(("time_s",), (), {}, path)
        first.append([1.0])
    assert load_log(path)["time_s"].tolist() == [0.0, 1.0] and load_log(path).complete
    with Recorder(("time_s",), (), {}, path) as second:  # the next one may
        second.append([5.0])
    assert load_log(path)["time_s"].tolist() == [5.0]


def test_a_device_is_for_everybody():
    files = BlockFile("/dev/null"), BlockFile("/dev/null")
    for file in files:
        file.put(b"a\n", 1)
        file.close()
