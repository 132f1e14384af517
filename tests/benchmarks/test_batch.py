"""The benchmark of batches measures and reports every case. Speed itself is not tested: machines are noisy."""

import pytest

from benchmarks import batch, batch_features, batch_peak


def quick(patch):
    """Few vehicles, one round."""
    patch.setattr(batch, "COUNT", 32)
    patch.setattr(batch, "SCALAR_STEPS", 10)
    patch.setattr(batch, "WIDTHS", (64,))
    for name, value in {"COUNT": 16, "TETHERED": 8, "ROUNDS": 1}.items():
        patch.setattr(batch_features, name, value)
    for name, value in {"ROUNDS": 1, "TURNS": 100}.items():
        patch.setattr(batch_peak, name, value)


@pytest.fixture(scope="module")
def result():
    with pytest.MonkeyPatch.context() as patch:
        quick(patch)
        return batch.measure_batch()


@pytest.mark.slow
def test_every_case_is_compared_with_the_kernel_numpy_and_the_machine(result):
    cases = result["cases"]
    assert set(cases) == {f"float{bits}_{threads}" for bits in (32, 64) for threads in ("1_thread", "2_threads")}
    for name, row in cases.items():
        core_ns = row["ns_per_vehicle_step"] * int(name.split("_")[1])
        assert row["million_vehicle_steps_per_s"] * row["ns_per_vehicle_step"] == pytest.approx(1e3)
        assert row["times_scalar_per_core"] == pytest.approx(result["scalar_ns"] / core_ns)
        assert row["times_numpy_per_core"] == pytest.approx(result["numpy_ns"] / core_ns)
        gflops = result["flops_per_step"] / core_ns
        assert row["share_of_peak"] == pytest.approx(gflops / result["peak_gflops"][name.split("_")[0]])


@pytest.mark.slow
def test_each_feature_and_each_instrument_has_a_row(result):
    features = result["features"]
    first = next(iter(features.values()))
    rovs = {batch_features.ROV, batch_features.TETHER}
    assert first["ns_more"] == 0.0 and set(features) == {*batch_features.WORLDS, *rovs}
    assert all(row["ns"] > 0.0 for row in features.values())
    assert {"state", "autopilot", "a reading of dvl", "readings of all 8 but the battery"} <= set(result["ticks"])
    text = "\n".join(batch.report_batch(result))
    assert all(name in text for name in (*features, *result["ticks"]))
    assert "of peak" in text and "ratios per core" in text
