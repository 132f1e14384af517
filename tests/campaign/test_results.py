"""Results loaded from plain Parquet files, complete or not."""

import numpy as np
import pyarrow.parquet
import pytest

from pelagos.campaign import load_results, run_campaign
from pelagos.errors import CommandError
from tests.campaign.tiny import tiny


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    vary = [
        {"key": "vehicle.use", "values": ["bluerov2", "bluerov2_heavy"]},
        {"key": "vehicle.change.body.mass_kg", "low": 12.0, "high": 14.0, "points": 2},
    ]
    campaign = tiny(method="grid", runs=None, vary=vary, output={"logs": True})
    return run_campaign(campaign, tmp_path_factory.mktemp("results") / "out", workers=1)


@pytest.mark.slow
def test_the_table_has_its_columns_in_order(results):
    assert list(results.table) == [
        "run", "seed", "status", "message", "engine", "wall_s", "simulated_s", "made_with",
        "vehicle.use", "vehicle.change.body.mass_kg", "north_m", "slow",
    ]  # fmt: skip
    assert len(results) == 4
    assert results["vehicle.use"].tolist() == ["bluerov2"] * 2 + ["bluerov2_heavy"] * 2
    assert results["vehicle.change.body.mass_kg"].tolist() == [12.0, 14.0] * 2
    assert results["north_m"][0] > results["north_m"][1]  # the heavier one is slower


def test_any_reader_of_parquet_reads_them(results):
    table = pyarrow.parquet.read_table(results.folder / "runs")
    assert sorted(table["run"].to_pylist()) == [0, 1, 2, 3]
    assert table.schema.field("seed").type == "int64" and table.schema.field("vehicle.use").type == "string"


def test_keys_metrics_plan_and_campaign(results):
    assert results.keys == ("vehicle.use", "vehicle.change.body.mass_kg") and results.metrics == ("north_m", "slow")
    assert results.plan["run"].tolist() == [0, 1, 2, 3] and results.campaign.method == "grid"
    assert repr(results) == "Results of tiny: 4 of 4 runs, 0 failed"
    np.testing.assert_array_equal(results.plan["seed"], results["seed"])


def test_logs_are_beside(results):
    assert sorted(path.name for path in (results.folder / "logs").iterdir()) == [
        f"run-00000{k}.parquet" for k in range(4)
    ]


def test_a_folder_of_something_else(tmp_path):
    with pytest.raises(CommandError, match=r"is not the folder of a campaign; expected one with campaign.toml"):
        load_results(tmp_path)
