"""Logs of a batch: the columns of a Simulation's log, streamed, and readable however a run ends."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

from pelagos.batch.record import META, BatchWriter
from pelagos.errors import CommandError
from tests.batch.started import turning_batch

parquet = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed")


def test_a_run_streams_to_parquet_what_it_otherwise_keeps_in_memory(tmp_path, monkeypatch):
    monkeypatch.setattr("pelagos.batch.record.PART_BYTES", 5000)  # some samples a part
    kept = turning_batch().run(6.0)
    times = turning_batch().run(6.0, path=tmp_path / "many.parquet")
    assert list(times) == ["time_s"]
    table = parquet.read_table(tmp_path / "many.parquet")
    assert len(list((tmp_path / "many.parquet").glob("part-*.parquet"))) > 1
    assert table.column_names[:2] == ["time_s", "vehicle"] and table.num_rows == 70
    np.testing.assert_array_equal(np.asarray(table["depth_m"]).reshape(7, 10), kept["depth_m"])
    np.testing.assert_array_equal(np.asarray(table["vehicle"]).reshape(7, 10)[3], np.arange(10))
    meta = json.loads((tmp_path / "many.parquet" / META).read_text("utf-8"))
    assert meta["complete"] is True and meta["n"] == 10 and meta["vehicles"] == ["remus100"]


KILLED = """
import sys, pelagos.batch.record as record
record.PART_BYTES = 4000
from tests.batch.started import turning_batch
batch = turning_batch()
batch.run(1e6, path=sys.argv[1], progress=lambda t: print(t, flush=True))
"""


@pytest.mark.slow
def test_a_killed_run_leaves_what_was_written(tmp_path):
    place = tmp_path / "many.parquet"
    running = subprocess.Popen([sys.executable, "-c", KILLED, str(place)], stdout=subprocess.DEVNULL, cwd=os.getcwd())
    try:
        give_up = time.monotonic() + 120.0
        while len(list(place.glob("part-*.parquet"))) < 2 and time.monotonic() < give_up and running.poll() is None:
            time.sleep(0.05)
    finally:
        running.send_signal(signal.SIGKILL)
        running.wait()
    assert json.loads((place / META).read_text("utf-8"))["complete"] is False
    table = parquet.read_table(place)
    assert table.num_rows >= 20 and np.isfinite(np.asarray(table["depth_m"])).all()


def test_a_path_that_cannot_be_written_is_reported(tmp_path):
    (tmp_path / "there").mkdir()
    (tmp_path / "there" / "thesis.txt").write_text("mine")
    with pytest.raises(CommandError, match="is not the log of a batch"):
        turning_batch().run(1.0, path=tmp_path / "there")
    assert (tmp_path / "there" / "thesis.txt").read_text() == "mine"
    with pytest.raises(CommandError, match=r"thesis\.txt/x: cannot be written"):
        turning_batch().run(1.0, path=tmp_path / "there" / "thesis.txt" / "x")
    with pytest.raises(CommandError, match="path is 3; expected the name of a folder"):
        turning_batch().run(1.0, path=3)  # pyright: ignore[reportArgumentType]


def test_parts_of_a_killed_run_are_removed_by_the_next(tmp_path):
    turning_batch().run(1.0, path=tmp_path, columns=["depth_m"])
    (tmp_path / "_part-00007.parquet").write_bytes(b"PAR1")
    turning_batch().run(1.0, path=tmp_path, columns=["depth_m"])
    assert sorted(item.name for item in tmp_path.iterdir()) == ["_batch.json", "part-00000.parquet"]


def test_a_failed_writer_raises_an_error(tmp_path):
    """The folder is removed during the run: the next samples, or the end, raise an error."""
    writer = BatchWriter(tmp_path / "gone", ["depth_m"], 3, "float64", {})
    for file in (tmp_path / "gone").iterdir():
        file.unlink()
    (tmp_path / "gone").rmdir()
    with pytest.raises(CommandError, match="cannot be written"):
        for k in range(6000):  # a minute on a busy machine
            writer.put(float(k), np.zeros((1, 3)))
            time.sleep(0.01)
    writer.close(complete=False)


def test_the_description_is_plain_json(tmp_path):
    turning_batch(dtype="float32").run(1.0, path=tmp_path / "m", columns=["depth_m"])
    meta = json.loads((tmp_path / "m" / "_batch.json").read_text())
    assert meta["dtype"] == "float32" and meta["columns"] == ["depth_m"]
    assert str(parquet.read_table(tmp_path / "m")["depth_m"].type) == "float"
