"""The .npz form: exact, and refused in a sentence when it is something else."""

import numpy as np
import pytest

from pelagos.messages import Event
from pelagos.sim.log.log import Log
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
