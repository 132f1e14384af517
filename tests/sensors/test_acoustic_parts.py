"""Acoustic parts of the library: each loads, and measures a known scene with its stated accuracy."""

import math
from pathlib import Path

import numpy as np
import pytest

from pelagos import Structure, World
from pelagos.errors import ScenarioError
from pelagos.files.reader import Place
from pelagos.vehicle.load.sensors import load_sensor, read_sensors
from tests.sensors.sounding import at_work, instant, named

PARTS = {
    "dvl": ["dvl_a50", "workhorse_600", "nortek_dvl1000"],
    "altimeter": ["tritech_pa500", "ping_sonar"],
    "usbl": ["seatrac_x150"],
    "lbl": ["lbl_medium"],
    "imaging_sonar": ["ping360", "oculus_m750d"],
    "multibeam": ["imagenex_837"],
    "navigation_sonar": ["gavia_sonar"],
}
FLAT = World(depth_m=30.0)


def rows(sensor, now, world, count=200):
    work = at_work(sensor)
    return [named(sensor, work.measure_single(now, world)) for _ in range(count)]


@pytest.mark.parametrize(("kind", "name"), [(kind, name) for kind, names in PARTS.items() for name in names])
def test_each_part_is_of_its_kind_and_says_what_it_is(kind, name):
    sensor = load_sensor(name)
    assert sensor.kind == kind
    assert len(sensor.summary) > 10


@pytest.mark.parametrize("name", PARTS["dvl"])
def test_a_log_is_within_its_data_sheet(name):
    sensor = load_sensor(name)
    speed = 1.2
    measured = rows(sensor, instant(nu=(speed, 0, 0, 0, 0, 0)), FLAT)
    x = np.array([row["velocity_x_m_s"] for row in measured])
    sigma = sensor.noise_m_s + sensor.noise_per_speed * speed
    # 5 sigma of an estimated spread, and the steps of the output: their variance is a twelfth of their square
    assert x.std() == pytest.approx(
        math.hypot(sigma, sensor.resolution_m_s / math.sqrt(12.0)), rel=5.0 / math.sqrt(400)
    )
    lasting = 5.0 * (math.hypot(sensor.bias_m_s, sensor.scale * speed) + math.radians(sensor.misalignment_deg) ** 2)
    assert abs(x.mean() - speed) < lasting + 5.0 * sigma / math.sqrt(200)
    high = instant((0, 0, 1.0), nu=(speed, 0, 0, 0, 0, 0))
    assert named(sensor, at_work(sensor).measure_single(high, World(depth_m=100.0)))["n_beams"] == 0  # 99 m up


@pytest.mark.parametrize("name", PARTS["altimeter"])
def test_an_altimeter_is_within_its_data_sheet(name):
    sensor = load_sensor(name)
    values = np.array([row["altitude_m"] for row in rows(sensor, instant(), FLAT)])
    sigma = sensor.noise_m + sensor.noise_per_range * 20.0
    assert values.std() == pytest.approx(sigma, rel=5.0 / math.sqrt(400))
    assert abs(values.mean() - 20.0) < 5.0 * (sensor.scale * 20.0 + sigma / math.sqrt(200))


def test_the_usbl_is_as_good_as_its_angles():
    sensor = load_sensor("seatrac_x150")
    measured = rows(sensor, instant((300.0, 0.0, 2.0)), FLAT)
    across = np.array([row["east_m"] for row in measured])
    assert across.std() == pytest.approx(300.0 * math.radians(1.0), rel=5.0 / math.sqrt(400))  # 5 sigma
    assert all(abs(row["range_m"] * 10.0 - round(row["range_m"] * 10.0)) < 1e-9 for row in measured)  # decimetres


def test_a_long_baseline_wants_its_transponders_from_the_row_that_fits_it():
    row = {"part": "lbl_medium", "transponders_m": [[0, 0, 30], [400, 0, 30], [0, 400, 30], [400, 400, 30]]}
    (sensor,) = read_sensors([row], Place("row", Path()))
    measured = rows(sensor, instant((150.0, 200.0, 10.0)), FLAT)
    north = np.array([row["north_m"] for row in measured])
    # least squares from 0.2 m of noise and 0.5 m of survey in each of four ranges, three of the four nearly level:
    # about the size of a single range, so five times both is generous and a wrong place far outside
    assert 0.05 < north.std() < 5.0 * 0.2 and abs(north.mean() - 150.0) < 5.0 * (0.5 + 0.001 * 250.0)
    with pytest.raises(ScenarioError, match="transponders_m"):
        at_work(load_sensor("lbl_medium"))


def test_the_swath_is_120_deg_wide():
    sensor = load_sensor("imagenex_837")
    ranges = np.array(list(rows(sensor, instant(), FLAT, 1)[0].values()))
    assert len(ranges) == 120
    # 20 / cos 60 at the edges within 5 sigma
    assert ranges[[0, -1]] == pytest.approx([40.0, 40.0], abs=5.0 * (0.02 + 0.005 * 40.0))


@pytest.mark.parametrize(("name", "pings"), [("ping360", 400), ("oculus_m750d", 1)])
def test_a_pillar_shows_in_the_picture(name, pings):
    sensor = load_sensor(name)
    sonar = at_work(sensor)
    pillar = Structure(kind="cylinder", from_m=(9.0, 3.0, 0.0), to_m=(9.0, 3.0, 30.0), radius_m=0.4)
    for _ in range(pings):
        sonar.measure_single(instant(), World(structures=(pillar,)))
    bearing, away = math.degrees(math.atan2(3.0, 9.0)), math.hypot(9.0, 3.0) - 0.4
    wide = np.abs(sonar.bearings_deg - bearing) < 2.0
    near = np.abs(sonar.ranges_m - away) < 0.3
    # speckle leaves single cells dark; the sum of the pillar's is far above as many cells elsewhere at that range
    assert sonar.image[near][:, wide].sum() > 100.0 * sonar.image[near][:, np.roll(wide, 60)].sum()


def test_the_gavia_sonar_is_that_of_the_document():
    sensor = load_sensor("gavia_sonar")
    assert (sensor.n_beams, sensor.max_range_m, sensor.fan_deg) == (4, 50.0, 10.0)
    values = rows(sensor, instant((0.0, 0.0, 28.0)), FLAT, 1)[0]
    assert values["range_m"] == pytest.approx(2.0 / math.sin(math.radians(5.0)), rel=1e-12)
