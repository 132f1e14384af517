"""GPS: no fix under water, time to a fix, share of errors inside the CEP, position on earth."""

import math

import numpy as np
import pytest

from pelagos.sensors.base import VehicleContext
from pelagos.sensors.gps import Gps, latitude_longitude
from pelagos.sensors.suite import SensorSuite
from tests.sensors.still import NOTHING, instant, readings

HERE = VehicleContext(origin_lat_deg=41.5, origin_lon_deg=-70.7)
MAST = (0.0, 0.0, -0.5)


def at(depth, time):
    return instant(time, position=(100.0, -50.0, depth), below_m=depth)


def test_silent_while_the_antenna_is_wet():
    times, _ = readings(Gps(position_m=MAST, refix_s=0.0), HERE, 1, [at(0.6 if t < 5 else 0.3, t) for t in range(10)])
    assert times.tolist() == [5.0, 6.0, 7.0, 8.0, 9.0]
    clear = Gps(position_m=MAST, clearance_m=0.3)  # 0.2 m out of the water are not enough
    assert len(readings(clear, HERE, 1, [at(0.3, t) for t in range(5)])[0]) == 0


def test_a_body_that_heels_takes_its_antenna_under():
    over = [instant(t, position=(0, 0, 0.2), euler_deg=(180.0 if t % 2 else 0.0, 0, 0), below_m=0.2) for t in range(6)]
    assert readings(Gps(position_m=MAST, refix_s=0.0), HERE, 1, over)[0].tolist() == [0.0, 2.0, 4.0]


def test_time_to_the_first_fix_and_after_each_dive():
    depths = [0.0] * 12 + [5.0] * 3 + [0.0] * 10
    track = [at(depth, float(t)) for t, depth in enumerate(depths)]
    times, _ = readings(Gps(position_m=MAST, first_fix_s=8.0, refix_s=3.0), HERE, 1, track)
    assert times.tolist() == [8.0, 9.0, 10.0, 11.0, 18.0, 19.0, 20.0, 21.0, 22.0, 23.0, 24.0]


@pytest.mark.slow
def test_half_of_the_fixes_lie_within_the_cep_and_the_rest_follows_rayleigh():
    n = 1500
    for share in (0.0, 0.3, 1.0):
        sensor = Gps(position_m=MAST, cep_m=2.5, noise_share=share)
        fixes = np.array([readings(sensor, HERE, seed, [at(0.0, 0.0)])[1][0] for seed in range(n)])
        away = np.hypot(fixes[:, 0] - 100.0, fixes[:, 1] + 50.0)
        assert (away < 2.5).mean() == pytest.approx(0.5, abs=4.0 * 0.5 / math.sqrt(n))
        # Rayleigh: 1 - exp(-r^2 ln 2 / CEP^2) lie within r
        assert (away < 5.0).mean() == pytest.approx(1.0 - 0.5**4, abs=4.0 * 0.25 / math.sqrt(n))
        assert fixes[0, 4] == pytest.approx(math.sqrt(2.0) * 2.5 / math.sqrt(2.0 * math.log(2.0)))


@pytest.mark.slow
def test_what_is_not_noise_changes_slowly():
    sensor = Gps(position_m=MAST, cep_m=math.sqrt(2.0 * math.log(2.0)), noise_share=0.2, memory_s=100.0)
    pairs = np.array([readings(sensor, HERE, seed, [at(0, 0.0), at(0, 50.0)])[1][:, 0] for seed in range(1500)]) - 100.0
    # sigma 1 m, of whose variance 0.8 is kept with exp(-50 / 100); correlation known to 1/sqrt(1500)
    assert np.corrcoef(pairs.T)[0, 1] == pytest.approx(0.8 * math.exp(-0.5), abs=4.0 / math.sqrt(1500.0))


def test_errors_go_on_under_water():
    # two runs, one of them with a dive: after it the fixes are the same
    stays, dives = (SensorSuite([Gps(position_m=MAST, refix_s=0.0)], HERE, 3) for _ in range(2))
    for t in range(20):
        stays.sample([at(0.0, float(t))], NOTHING)
        dives.sample([at(9.0 if 5 <= t < 15 else 0.0, float(t))], NOTHING)
    assert np.array_equal(stays.latest["gps"].values, dives.latest["gps"].values)


def test_place_on_earth():
    # one minute of latitude at 45 deg is 1852.2 m, a degree of longitude there 78847 m (WGS 84 tables, Snyder 1987)
    lat, lon = latitude_longitude(1852.2, 78847.0, 45.0, 10.0)
    assert lat == pytest.approx(45.0 + 1.0 / 60.0, abs=1e-6)
    assert lon == pytest.approx(11.0, abs=1e-5)
    assert latitude_longitude(0.0, 111319.49, 0.0, 179.5)[1] == pytest.approx(-179.5, abs=1e-6)


def test_columns_agree_and_a_fault_moves_the_fix_north():
    suite = SensorSuite([Gps(position_m=MAST)], HERE)
    suite.inject_fault("gps", "bias", 1000.0)
    suite.sample([at(0.0, 0.0)], NOTHING)
    north, east, lat, lon, _ = suite.latest["gps"].values
    assert north == pytest.approx(1100.0, abs=30.0)
    assert (lat, lon) == pytest.approx(latitude_longitude(north, east, 41.5, -70.7), abs=1e-12)
