"""The benchmark reports everything it promises. What it measures is not judged here: machines are noisy."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks import bench, console, learn, missions, tether
from tests.benchmarks.test_batch import quick

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def result():
    """One quick round with few vehicles; it runs in the clone, where the reference is."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bench, "ROUNDS", 1)
        quick(patch)
        for name, value in {"ROUNDS": 1, "STEPS": 3, "BATCH": 4, "BATCH_STEPS": 1, "RUN_S": 0.2}.items():
            patch.setattr(tether, name, value)
        for name, value in {"ROUNDS": 1, "TICKS": 3, "WARM": 1, "SURVEY_S": 0.5, "READINGS": 3}.items():
            patch.setattr(missions, name, value)
        for name, value in {"SIZES": (1, 3), "LEAST_S": 0.0, "WARM": 1}.items():
            patch.setattr(learn, name, value)
        patch.setattr(console, "SECONDS", 0.5)
        patch.chdir(ROOT)
        return bench.measure(lambda text: None)


def test_every_vehicle_is_timed_and_compared_with_the_reference(result):
    assert len(result["one_vehicle"]) >= 20
    for row in result["one_vehicle"].values():
        assert row["ns_per_step"] > 0.0 and row["ns_per_step_10_per_call"] > 0.0
        assert row["times_reference"] == pytest.approx(row["reference_ns_per_step"] / row["ns_per_step"])


def test_starts_are_measured_in_new_processes(result):
    start = result["start"]
    assert all(start[key] > 0.0 for key in ("cold_s", "warm_s", "list_s"))


def test_the_report_names_every_vehicle(result):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(learn, "SIZES", (1, 3))
        text = bench.report(result)
    assert all(key in text for key in (*result["one_vehicle"], *result["learn"]))
    assert all(name in text for name in result["tether"]["one"])
    assert all(name in text for name in result["batch"]["features"])
    assert "stick to state" in text
    assert "remus-lawnmower with instruments and estimator" in text
    assert "first simulation" in text
