"""Bias, walk and scale of every kind that has them: their size over many instruments, and the table of the page."""

import math
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from pelagos import Structure, World
from pelagos.files.schema import section_of
from pelagos.sensors.base import VehicleContext
from pelagos.sensors.battery import Battery
from pelagos.sensors.compass import Compass
from pelagos.sensors.gps import Gps
from pelagos.sensors.kinds import KINDS
from pelagos.sensors.propulsion import PlanePosition, Tachometer
from pelagos.sensors.sound.acoustic_position import Lbl, Usbl
from pelagos.sensors.sound.altimeter import Altimeter
from pelagos.sensors.sound.dvl import Dvl
from pelagos.sensors.sound.imaging import ImagingSonar
from pelagos.sensors.sound.multibeam import Multibeam
from pelagos.sensors.sound.navigation_sonar import NavigationSonar
from tests.sensors.sounding import at_work, instant

N = 250
SPREAD = 4.0 / math.sqrt(2.0 * N)  # four standard deviations of an estimated one
RPM = 30.0 / math.pi
FIT = VehicleContext(thrusters=("screw", "tunnel"), thruster_units=(("rpm", RPM), ("V", 1.0)), surfaces=("rudder",))
WALL = Structure(kind="box", center_m=(21.0, 0.0, 10.0), size_m=(2.0, 80.0, 40.0))  # 20 m ahead, square on
SEA, WALLED = World(depth_m=30.0), World(structures=(WALL,))
MOVING = {
    "position": (0.0, 0.0, 10.0),
    "euler_deg": (8.0, 12.0, 0.0),
    "thrusters": np.array([100.0 / RPM, -12.0]),
    "surfaces": np.radians([10.0]),
    "power_w": 100.0,
}
LEVEL = {**MOVING, "euler_deg": (0.0, 0.0, 0.0)}
AFLOAT = {**LEVEL, "position": (0.0, 0.0, -1.0), "below_m": -1.0}
PLACES = ((0.0, 30.0, 10.0), (40.0, 0.0, 10.0), (0.0, -50.0, 10.0))
SHIP = Usbl(ship_m=(-50.0, 0.0, 10.0))
CELLS = Battery(capacity_Ah=1e6, voltage_full_V=20.0, voltage_empty_V=20.0)
PICTURE = ImagingSonar(n_bearings=3, sector_deg=3.0, n_rays=3, vertical_aperture_deg=1.0, speckle=False)

WALKS = [  # description without errors, key, column, scene, instant
    (Altimeter(beam_width_deg=0.0), "walk_m_sqrt_h", 0, SEA, LEVEL),
    (NavigationSonar(n_beams=2), "walk_m_sqrt_h", 1, WALLED, LEVEL),
    (Multibeam(n_beams=3), "walk_m_sqrt_h", 2, SEA, LEVEL),
    (SHIP, "walk_m_sqrt_h", 0, SEA, LEVEL),
    (replace(SHIP, ship_m=(0.0, -50.0, 10.0)), "angle_walk_deg_sqrt_h", 1, SEA, LEVEL),
    (SHIP, "angle_walk_deg_sqrt_h", 2, SEA, LEVEL),
    (Lbl(transponders_m=PLACES), "walk_m_sqrt_h", 2, SEA, LEVEL),
    (Dvl(), "walk_m_s_sqrt_h", 0, SEA, LEVEL),
    (Dvl(), "walk_m_s_sqrt_h", 1, SEA, LEVEL),
    (Tachometer(), "walk_rpm_sqrt_h", 0, SEA, LEVEL),
    (PlanePosition(), "walk_deg_sqrt_h", 0, SEA, LEVEL),
    (CELLS, "voltage_walk_V_sqrt_h", 0, SEA, LEVEL),
    (CELLS, "current_walk_A_sqrt_h", 1, SEA, LEVEL),
    (Compass(tilt=True), "tilt_walk_deg_sqrt_h", 2, SEA, MOVING),
    (PICTURE, "walk_m_sqrt_h", 0, WALLED, LEVEL),
]


def called(case):
    return f"{case[0].kind}-{case[1]}-{case[2]}"


@pytest.mark.slow
@pytest.mark.parametrize("case", WALKS, ids=called)
def test_a_walk_grows_with_the_square_root_of_time(case):
    plain, key, column, scene, where = case
    true = at_work(plain, fit=FIT).measure_single(instant(**where), scene)[column]
    size = 0.05
    rows = []
    for seed in range(N):
        work = at_work(replace(plain, **{key: size}), seed, FIT)
        rows.append([work.measure_single(instant(time_s=t, **where), scene)[column] for t in (0.0, 900.0, 3600.0)])
    start, quarter, hour = (np.array(rows) - true).T
    assert np.abs(start).max() < 1e-9 * max(abs(true), 1.0)  # it begins at nothing
    assert quarter.std() == pytest.approx(0.5 * size, rel=SPREAD)
    assert hour.std() == pytest.approx(size, rel=SPREAD)
    # steps are independent: of the quarter and the rest, the correlation is that of sqrt(1/4)
    assert np.corrcoef(quarter, hour)[0, 1] == pytest.approx(0.5, abs=4.0 / math.sqrt(N))


ONCE = [  # description, key, column, scene, instant, expected deviation for 1 % or 0.01 of the unit
    (Gps(cep_m=0.0), "bias_m", 0, SEA, AFLOAT, 0.01),
    (Gps(cep_m=0.0), "bias_m", 1, SEA, AFLOAT, 0.01),
    (Tachometer(), "bias_rpm", 0, SEA, LEVEL, 0.01),
    (CELLS, "voltage_bias_V", 0, SEA, LEVEL, 0.01),
    (PICTURE, "bias_m", 0, WALLED, LEVEL, 0.01),
    (SHIP, "scale", 0, SEA, LEVEL, 0.5),  # of 50 m
    (Lbl(transponders_m=PLACES), "scale", 1, SEA, LEVEL, 0.4),
    (PlanePosition(), "scale", 0, SEA, LEVEL, 0.1),  # of 10 deg
    (Compass(tilt=True), "tilt_scale", 1, SEA, MOVING, 0.08),  # of 8 deg
    (CELLS, "voltage_scale", 0, SEA, LEVEL, 0.2),  # of 20 V
    (PICTURE, "scale", 0, WALLED, LEVEL, 0.2),  # of 20 m
]


@pytest.mark.slow
@pytest.mark.parametrize("case", ONCE, ids=called)
def test_what_is_drawn_once_has_its_size_and_stays(case):
    plain, key, column, scene, where, expected = case
    true = at_work(plain, fit=FIT).measure_single(instant(**where), scene)[column]
    works = [at_work(replace(plain, **{key: 0.01}), seed, FIT) for seed in range(N)]
    first, later = (
        np.array([work.measure_single(instant(time_s=t, **where), scene)[column] for work in works])
        for t in (0.0, 500.0)
    )
    assert (first - true).std() == pytest.approx(expected, rel=SPREAD)
    assert abs((first - true).mean()) < 4.0 * expected / math.sqrt(N)
    assert later == pytest.approx(first, rel=1e-12)


def test_what_is_given_in_rpm_leaves_other_units_alone():
    work = at_work(Tachometer(bias_rpm=5.0, walk_rpm_sqrt_h=60.0), 3, FIT)
    for t in (0.0, 100.0, 5000.0):
        shaft, volts = work.measure_single(instant(time_s=t, **LEVEL), SEA)
        assert volts == -12.0 and abs(shaft - 100.0) > 1e-3


def test_one_speed_of_sound_scales_all_ranges_alike():
    values = at_work(Lbl(transponders_m=PLACES, scale=0.05), 4).measure_single(instant(**LEVEL), SEA)
    ratios = values[:3] / [30.0, 40.0, 50.0]
    assert ratios == pytest.approx(np.full(3, ratios[0]), rel=1e-12) and abs(ratios[0] - 1.0) > 1e-4


def test_the_echoes_of_a_picture_move_with_its_nearest_range():
    for seed in range(20):
        values = at_work(replace(PICTURE, bias_m=1.0, scale=0.05), seed).measure_single(instant(**LEVEL), WALLED)
        assert abs(values[0] - 20.0) > 1e-3
        assert values[2] == pytest.approx(values[0], abs=30.0 / 256)  # one cell


@pytest.mark.parametrize(
    ("plain", "key", "scene"),
    [
        (Dvl(noise_m_s=0.01, beam_dropout=0.2), "walk_m_s_sqrt_h", SEA),
        (replace(PICTURE, speckle=True), "walk_m_sqrt_h", WALLED),
        (replace(SHIP, noise_m=0.3, angle_noise_deg=1.0), "walk_m_sqrt_h", SEA),
        (Altimeter(noise_m=0.1, beam_dropout=0.2), "walk_m_sqrt_h", SEA),
    ],
    ids=lambda item: getattr(item, "kind", None),
)
def test_a_walk_leaves_the_other_random_numbers_as_they_were(plain, key, scene):
    plain_work, walking = at_work(plain, 6, FIT), at_work(replace(plain, **{key: 1.0}), 6, FIT)
    for _ in range(30):  # all in one instant, in which a walk does not move
        now = instant(**LEVEL)
        np.testing.assert_array_equal(plain_work.measure_single(now, scene), walking.measure_single(now, scene))


def test_the_table_of_the_page_has_every_kind_and_only_keys_that_exist():
    page = (Path(__file__).parents[2] / "docs/sensors.md").read_text().split("## Errors, kind by kind")[1]
    page = page.split("\n## ")[0]
    rows = {cells[0].strip(" `"): cells[1:] for line in re.findall(r"^\| (`.*)\|$", page, re.M)
            if (cells := line.split("|"))}  # fmt: skip
    assert list(sorted(rows)) == sorted(KINDS)
    reasons = set(re.findall(r"^- (\(\w\))", page, re.M))
    for kind, cells in rows.items():
        assert len(cells) == 6
        for cell in cells:
            keys = {word for quoted in re.findall(r"`([^`]+)`", cell) for word in quoted.split()}
            why = set(re.findall(r"\(\w\)", cell))
            known = {key.name for key in section_of(KINDS[kind]).keys}
            assert keys <= known and why <= reasons and (keys or why), (
                kind,
                cell,
            )
