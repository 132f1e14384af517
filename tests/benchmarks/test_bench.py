"""`pelagos bench` measures and reports every part. Speed itself is not tested: machines are noisy."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks import bench, console, learn, missions, tether
from pelagos.vehicle.library import list_vehicles
from tests.benchmarks.test_batch import quick

pytestmark = pytest.mark.slow
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
    assert set(result["one_vehicle"]) == {entry.key for entry in list_vehicles()}
    for row in result["one_vehicle"].values():
        for each in ("", "_10_per_call"):
            ratio = row["reference_ns_per_step"] / row[f"ns_per_step{each}"]
            assert row[f"times_reference{each}"] == pytest.approx(ratio)


def test_a_cold_start_compiles_and_a_warm_one_does_not(result):
    start = result["start"]
    assert start["cold_s"] > start["warm_s"]  # compiling takes tens of times as long as a start, on any machine
    assert set(start) == {"cold_s", "warm_s", "list_s"}


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
