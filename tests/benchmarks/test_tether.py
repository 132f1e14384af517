"""The benchmark of tethers measures and reports every case. Speed itself is not tested: machines are noisy."""

import numpy as np
import pytest

from benchmarks import tether
from pelagos.tether.spec import Status


@pytest.fixture(scope="module")
def result():
    with pytest.MonkeyPatch.context() as patch:
        for name, value in {"ROUNDS": 1, "STEPS": 3, "BATCH": 4, "BATCH_STEPS": 1, "RUN_S": 0.2}.items():
            patch.setattr(tether, name, value)
        return tether.measure_tether()


def test_every_case_is_timed(result):
    assert set(result["one"]) == set(tether.CASES)
    assert all(row["us"] > 0.0 for row in result["one"].values())
    batch = result["batch"]
    assert batch["us_each"] == pytest.approx(1e3 * batch["ms"] / 4)
    assert all(result["times_real_time"][name] > 0.0 for name in ("with", "without"))


def test_the_cases_match_their_names():
    """Each is a solution of the element count it is named by; the obstacles are near and not touched."""
    for name, make in tether.CASES.items():
        line = make()
        assert line.status == Status.OK, name
        assert len(line.tensions_N) == (20 if "N 20" in name else 50)
        if "obstacles" in name:
            assert line.head["touching"] == 0.0
            from pelagos.engine.water.sea import SEA

            assert line.sea[: SEA.size].view(SEA.dtype)[0]["n_solids"] == 8.0


def test_the_vehicle_moves_two_centimetres_a_step():
    places, velocities = tether._way(50)
    way = np.linalg.norm(np.diff(places, axis=0), axis=1)
    # a chord is shorter than its arc by (step / radius)^2 / 24 = 4e-6
    np.testing.assert_allclose(way, tether.WAY_M, rtol=1e-5)
    slope = np.diff(places, axis=0) / tether.DT
    np.testing.assert_allclose(0.5 * (velocities[1:] + velocities[:-1]), slope, atol=1e-4)  # m/s, of 1


def test_the_report_names_every_case_and_the_goals(result):
    text = "\n".join(tether.report_tether(result))
    assert all(name in text for name in tether.CASES)
    assert "4 tethers" in text and "times real time" in text
    goals = {line.split()[-1] for line in text.splitlines() if "N 50" in line and "us" not in line}
    assert {"40", "30", "-"} <= goals
