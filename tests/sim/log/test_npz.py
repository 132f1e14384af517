"""The .npz format: exact, and other files are refused with one sentence."""

import io
import zipfile

import numpy as np
import pytest

from pelagos.messages import Event
from pelagos.sim.log.log import Log, LogError
from tests.sim.synthetic import same, synthetic_log


@pytest.fixture
def log():
    return synthetic_log(seconds=5.0)


def test_npz_round_trip_is_exact(log, tmp_path):
    log.save(tmp_path / "dive.npz")
    assert same(log, Log.load(tmp_path / "dive.npz"))
    assert Log.load(tmp_path / "dive.npz").complete


def test_npz_remembers_that_a_run_was_cut_short(log, tmp_path):
    cut = Log(log.columns, log.meta, log.forces, complete=False)
    cut.save(tmp_path / "cut.npz")
    assert not Log.load(tmp_path / "cut.npz").complete


def test_events_come_back(log, tmp_path):
    log.events.append(Event(2.0, "leg", "leg 2 begins", "auv1"))
    log.save(tmp_path / "dive.npz")
    assert Log.load(tmp_path / "dive.npz").events == log.events


def test_an_archive_without_events_reads(log, tmp_path):
    log.save(tmp_path / "dive.npz")
    with np.load(tmp_path / "dive.npz") as file:
        old = {name: file[name] for name in file.files if name != "events"}
    np.savez(tmp_path / "old.npz", **old)
    assert same(Log.load(tmp_path / "old.npz"), log)


def test_a_damaged_archive_is_one_sentence(log, tmp_path):
    """Every member in turn replaced by bytes under a sound checksum: a wild header, nesting, another shape."""
    log.save(tmp_path / "dive.npz")
    with zipfile.ZipFile(tmp_path / "dive.npz") as old:
        parts = {name: old.read(name) for name in old.namelist()}
    deep, flat = io.BytesIO(), io.BytesIO()
    np.save(deep, np.array("[" * 100_000))
    np.save(flat, np.zeros(3))
    wild = b"\x93NUMPY\x01\x00\x06\x00{'a':\n"
    for name in parts:
        for data in (wild, b"", deep.getvalue(), flat.getvalue()):
            with zipfile.ZipFile(tmp_path / "bad.npz", "w") as new:
                for other, whole in parts.items():
                    new.writestr(other, data if other == name else whole)
            if name == "complete.npy" and data in (b"", deep.getvalue()):
                continue  # any text is true, none is false
            with pytest.raises(LogError):
                Log.load(tmp_path / "bad.npz")
