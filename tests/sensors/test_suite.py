"""The sensor suite: schedule, latency, seeds, drop-outs, faults, saved states, and the kinds of sensors."""

import math

import numpy as np
import pytest

from pelagos.errors import CommandError, ScenarioError
from pelagos.files.schema import section_of
from pelagos.sensors.base import Sensor, VehicleContext
from pelagos.sensors.compass import Compass
from pelagos.sensors.depth import Depth
from pelagos.sensors.gps import Gps
from pelagos.sensors.imu import Imu
from pelagos.sensors.kinds import KINDS
from pelagos.sensors.suite import SensorSuite
from tests.sensors.still import NOTHING, instant, instants, readings

FIT = VehicleContext(vehicle="auv", thrusters=("screw",), thruster_units=(("rpm", 9.549),), surfaces=("rudder",))
NOISY = (
    Imu(accel_random_walk_m_s_sqrt_h=0.1, gyro_bias_instability_deg_h=3.0),
    Depth(noise_m=0.1, walk_m_sqrt_h=1.0, dropout=0.3),
    Compass(noise_deg=1.0, latency_s=0.25),
)
WORDS = (
    "imu depth compass water_speed rpm planes battery gps leak dvl altimeter usbl lbl navigation_sonar multibeam "
    "imaging_sonar"
).split()


def flown(suite, first, last, dt=0.02, per=5):
    """Every reading of the ticks first..last as (sensor, time, arrived, values)."""
    rows = []
    for tick in range(first, last):
        suite.sample([instant((tick * per + i + 1) * dt) for i in range(per)], NOTHING)
        rows += [(r.sensor, r.time_s, r.arrived_s, *r.values.tolist()) for r in suite.arrived]
    return rows


@pytest.mark.parametrize("rate", [0.5, 1.0, 2.0, 5.0, 10.0])
def test_a_rate_that_divides_the_ticks_is_met_exactly(rate):
    times, _ = readings(Depth(rate_hz=rate), FIT, 1, instants(101, 0.1, first=0))
    assert times == pytest.approx(np.arange(len(times)) / rate, abs=1e-12)
    assert len(times) == 10 * rate + 1


@pytest.mark.parametrize("rate", [3.0, 7.0, 9.0, 0.3])
def test_a_rate_that_does_not_is_met_in_the_long_run_and_at_the_next_tick(rate):
    times, _ = readings(Depth(rate_hz=rate), FIT, 1, instants(1001, 0.1, first=0))
    assert len(times) == int(100.0 * rate + 1e-9) + 1
    due = np.arange(len(times)) / rate
    assert np.all(times >= due - 1e-9) and np.all(times < due + 0.1 + 1e-9)


def test_an_instrument_faster_than_the_instants_reads_at_each_of_them():
    times, _ = readings(Depth(rate_hz=100.0), FIT, 1, instants(20, 0.1, first=0))
    assert times == pytest.approx(0.1 * np.arange(20))


def test_the_clock_does_not_drift_over_hours():
    times, _ = readings(Depth(rate_hz=10.0), FIT, 1, instants(11, 0.1, first=360000))
    assert len(times) == 11


def test_latency_is_exact_and_orders_the_arrivals():
    suite = SensorSuite([Depth(latency_s=0.25, rate_hz=10.0), Compass(rate_hz=10.0)], FIT)
    for tick in range(6):
        came = suite.sample([instant(0.1 * tick)], NOTHING)
        assert came["compass"].time_s == pytest.approx(0.1 * tick)
        if tick < 3:
            assert "depth" not in came
        else:  # measured 0.25 s ago, seen at the first tick after
            assert came["depth"].time_s == pytest.approx(0.1 * (tick - 3))
            assert came["depth"].arrived_s == pytest.approx(came["depth"].time_s + 0.25)
            assert [r.sensor for r in suite.arrived] == ["depth", "compass"]
    suite = SensorSuite([Depth(rate_hz=1.0)], FIT)
    suite.sample([instant(0.0)], NOTHING)
    suite.sample([instant(0.1)], NOTHING)
    assert suite.arrived == () and suite.latest["depth"].time_s == 0.0


def test_a_fast_instrument_has_every_sample_and_none_before_the_first_difference():
    suite = SensorSuite([Imu(rate_hz=50.0)], FIT)
    assert suite.sample([instant(0.0)], NOTHING) == {}
    suite.sample([instant(0.02 * (i + 1)) for i in range(5)], NOTHING)
    assert [r.time_s for r in suite.arrived] == pytest.approx([0.02, 0.04, 0.06, 0.08, 0.1])
    assert suite.latest["imu"].time_s == pytest.approx(0.1)


def test_a_fast_instrument_averages_over_its_own_period():
    # 10 Hz samples of a speed that grows by 1 m/s2, seen at 50 Hz in calls that end between its samples
    track = [instant(0.02 * i, nu=(0.5 * (0.02 * i) ** 2, 0, 0, 0, 0, 0)) for i in range(101)]
    times, rows = readings(Imu(rate_hz=10.0), FIT, 1, track, per_call=3)
    assert times == pytest.approx(0.1 * np.arange(1, 21))
    assert rows[:, 0] == pytest.approx(times - 0.05, rel=1e-9)  # mean of a = t over the sample


def test_same_seed_same_readings_other_seed_other():
    first, same, other = (flown(SensorSuite(NOISY, FIT, seed), 0, 30) for seed in (1, 1, 2))
    assert first == same
    assert [r[3:] for r in first[:20]] != [r[3:] for r in other[:20]]


def test_adding_an_instrument_or_changing_their_order_changes_no_other():
    alone = flown(SensorSuite(NOISY, FIT, 4), 0, 40)
    more = flown(SensorSuite((Gps(), *reversed(NOISY), Depth(name="spare", noise_m=1.0)), FIT, 4), 0, 40)
    for name in ("imu", "depth", "compass"):
        assert [r for r in more if r[0] == name] == [r for r in alone if r[0] == name]


def test_like_instruments_of_other_vehicles_or_names_err_differently():
    rows = [
        flown(SensorSuite([Depth(name=name, noise_m=1.0)], VehicleContext(vehicle=vehicle), 4), 0, 5)[0][3]
        for vehicle, name in (("a", "x"), ("b", "x"), ("a", "y"))
    ]
    assert len(set(rows)) == 3


def test_share_of_drop_outs():
    n = 4000
    times, _ = readings(Depth(rate_hz=10.0, dropout=0.2), FIT, 3, instants(n, 0.1))
    # binomial: the share is known to sqrt(0.2 0.8 / n) = 0.6 %; four of these
    assert 1.0 - len(times) / n == pytest.approx(0.2, abs=4.0 * (0.16 / n) ** 0.5)
    assert len(readings(Depth(dropout=1.0), FIT, 3, instants(20, 0.1))[0]) == 0


def test_going_on_from_a_saved_instant_bit_for_bit():
    suite = SensorSuite(NOISY, FIT, 5)
    flown(suite, 0, 25)
    suite.inject_fault("compass", "freeze")
    saved = suite.save()
    ahead = flown(suite, 25, 60)
    for _ in range(2):  # what was saved can be used again
        suite.restore(saved)
        assert flown(suite, 25, 60) == ahead
    other = SensorSuite(NOISY, FIT, 99)
    other.restore(saved)
    assert flown(other, 25, 60) == ahead


def test_only_its_own_instruments_can_be_restored():
    suite = SensorSuite(NOISY, FIT)
    with pytest.raises(CommandError, match="not the instruments that were saved"):
        suite.restore(SensorSuite(NOISY[:1], FIT).save())
    with pytest.raises(CommandError, match="not the instruments that were saved"):
        suite.restore({})


def test_values_for_the_log_are_those_since_the_last_line():
    suite = SensorSuite([Depth(rate_hz=1.0), Compass(rate_hz=10.0)], FIT)
    assert suite.columns == ("depth_depth_m", "compass_heading_deg")
    suite.sample([instant(0.0, euler_deg=(0, 0, 30.0))], NOTHING)
    assert suite.values() == pytest.approx([10.0, 30.0])
    assert np.isnan(suite.values()).all()
    suite.sample([instant(0.1, euler_deg=(0, 0, 40.0))], NOTHING)
    line = suite.values()
    assert np.isnan(line[0]) and line[1] == pytest.approx(40.0)


def test_no_instruments_at_all():
    suite = SensorSuite([], FIT)
    assert suite.sample([instant()], NOTHING) == {} and suite.values().shape == (0,) and suite.fastest_hz == 0.0


def test_a_lost_instrument_is_silent_and_healed_as_if_nothing_had_been():
    well, ill = (SensorSuite([Depth(noise_m=1.0)], FIT, 1) for _ in range(2))
    ill.inject_fault("depth", "loss")
    assert flown(ill, 0, 10) == []
    assert len(flown(well, 0, 10)) == 11  # that of t = 0 at the first instant there is, then ten
    ill.clear_fault("depth")
    assert flown(ill, 10, 20) == flown(well, 10, 20)


def test_a_frozen_instrument_repeats_its_last_reading():
    suite = SensorSuite([Depth(noise_m=1.0, latency_s=0.15)], FIT, 1)
    before = flown(suite, 0, 5)
    suite.inject_fault("depth", "freeze")
    after = flown(suite, 5, 12)
    last = flown(SensorSuite([Depth(noise_m=1.0)], FIT, 1), 0, 5)[-1][3]  # measured, still on its way
    assert {r[3] for r in after[2:]} == {last} and last not in {r[3] for r in before}
    assert len(after) == 7


def test_an_instrument_frozen_before_its_first_reading_repeats_that_reading():
    suite = SensorSuite([Depth(noise_m=1.0)], FIT, 1)
    suite.inject_fault("depth", "freeze")
    assert len({r[3] for r in flown(suite, 0, 6)}) == 1


def test_a_bias_of_an_imu_is_one_of_its_gyros():
    suite = SensorSuite([Imu()], FIT)
    suite.inject_fault("imu", "bias", 0.5)
    suite.sample(instants(2, 0.02), NOTHING)
    assert suite.latest["imu"].values == pytest.approx([0.0, 0.0, -FIT.gravity_m_s2, 0.5, 0.5, 0.5])


def test_faults_of_different_keys_act_together_and_clear_one_by_one():
    suite = SensorSuite([Depth()], FIT)

    def measured(k):
        return [float(r.values[0]) for r in suite.sample([instant(0.1 * k)], NOTHING).values()]

    depth = measured(0)[0]
    suite.inject_fault("depth", "bias", 2.0, key="a")
    suite.inject_fault("depth", "bias", 0.5, key="b")
    assert measured(1) == pytest.approx([depth + 2.5])
    suite.clear_fault("depth", "a")
    assert measured(2) == pytest.approx([depth + 0.5])
    suite.inject_fault("depth", "freeze", key="c")
    suite.inject_fault("depth", "loss", key="d")
    suite.clear_fault("depth", "b")
    assert measured(3) == []
    suite.clear_fault("depth", "d")
    assert measured(4) == pytest.approx([depth + 0.5])  # what it gave out last
    suite.clear_fault("depth", "c")
    assert measured(5) == pytest.approx([depth])
    suite.inject_fault("depth", "bias", 1.0, key="a")
    suite.inject_fault("depth", "loss", key="b")
    suite.clear_fault("depth")
    assert measured(6) == pytest.approx([depth])


def test_a_bias_by_one_number_or_by_column():
    suite = SensorSuite([Depth(), Compass(tilt=True)], FIT)
    suite.inject_fault("depth", "bias", 2.5)
    suite.inject_fault("compass", "bias", -30.0)
    suite.sample([instant(0.0, euler_deg=(5.0, 0.0, 10.0))], NOTHING)
    assert suite.latest["depth"].values == pytest.approx([12.5])
    assert suite.latest["compass"].values == pytest.approx([340.0, 5.0, 0.0])
    suite.inject_fault("compass", "bias", [1.0, 2.0, 3.0])
    suite.sample([instant(0.1)], NOTHING)
    assert suite.latest["compass"].values == pytest.approx([1.0, 2.0, 3.0])


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda s: s.inject_fault("dept", "loss"), "no sensor 'dept'; expected one of depth; did you mean \"depth\"?"),
        (
            lambda s: s.inject_fault("depth", "freese"),
            "fault of depth is 'freese'; expected one of loss, freeze, bias; did you mean",
        ),
        (lambda s: s.inject_fault("depth", "bias", math.nan), "size of the fault of depth is nan; expected a finite"),
        (
            lambda s: s.inject_fault("depth", "bias", [1.0, 2.0]),
            "size of the fault of depth is [1.0, 2.0]; expected one number",
        ),
        (lambda s: s.clear_fault("sonar"), "no sensor 'sonar'; expected one of depth"),
        (lambda s: s.sample([], NOTHING), "no instant to sample"),
    ],
)
def test_orders_that_cannot_be_followed(call, message):
    with pytest.raises(CommandError) as caught:
        call(SensorSuite([Depth()], FIT))
    assert message in str(caught.value)


def test_two_of_one_name_are_refused():
    with pytest.raises(ScenarioError, match=r'name = "depth": expected a name of its own'):
        SensorSuite([Depth(), Depth()], FIT)


def test_all_are_there_in_order():
    assert list(KINDS) == WORDS


@pytest.mark.parametrize("word", WORDS)
def test_a_kind_is_a_sensor_that_files_can_describe(word):
    spec = KINDS[word]
    assert issubclass(spec, Sensor) and spec.kind == word
    assert {"name", "rate_hz", "latency_s", "position_m", "orientation_deg", "dropout"} <= {
        key.name for key in section_of(spec).keys
    }
