"""The benchmark of missions measures and reports every case. Speed itself is not tested: machines are noisy."""

import pytest

from benchmarks import missions
from pelagos.vehicle.load.vehicle import load_vehicle


@pytest.fixture(scope="module")
def result():
    small = {"ROUNDS": 1, "TICKS": 3, "WARM": 1, "SURVEY_S": 0.5, "READINGS": 3}
    with pytest.MonkeyPatch.context() as patch:
        for name, value in small.items():
            patch.setattr(missions, name, value)
        return missions.measure_missions()


def test_a_tick_is_kernel_and_python(result):
    assert set(result["tick"]) == {"remus100", "bluerov2_heavy"}
    for row in result["tick"].values():
        assert 0.0 < row["kernel_us"]
        assert row["python_us"] == pytest.approx(row["us"] - row["kernel_us"])


def test_every_instrument_of_the_survey_is_timed(result):
    fitted = {sensor.name or sensor.kind: sensor.rate_hz for sensor in load_vehicle("remus100").sensors}
    assert {name: row["rate_hz"] for name, row in result["sensors"].items()} == fitted
    assert all(row["us"] > 0.0 for row in result["sensors"].values())


def test_the_survey_is_the_ready_one_with_everything_on(result):
    survey = result["survey"]
    assert survey["simulated_s"] == 0.5
    # 0.5 s at 10 Hz are five ticks
    assert survey["us_per_tick"] * 5e-6 * survey["times_real_time"] == pytest.approx(0.5)
    assert survey["hour_s"] == pytest.approx(3600.0 / survey["times_real_time"])
    from pelagos.scenario.read import load_scenario

    (vehicle,) = load_scenario(missions.SURVEY).vehicles
    assert vehicle.sensors and vehicle.navigation.use == "estimate"


def test_the_report_names_all_and_the_goals(result):
    text = "\n".join(missions.report_missions(result))
    assert all(name in text for name in (*result["tick"], *result["sensors"], "remus-lawnmower"))
    assert "goal 200" in text
    assert [line.split()[-1] for line in text.splitlines()[1:3]] == ["60", "60"]
