"""Articulated parts of the library vehicles, and the tables in the docs."""

import math
import struct
from pathlib import Path

import numpy as np
import pytest

from pelagos.errors import CommandError
from pelagos.links.dis.parts import NO_ECHO, ArticulatedParts, channels, echo, sonars, table
from pelagos.links.dis.wire.enumerations import OUR_CLASSES, ArticulationMetric, PartClass
from pelagos.sensors.depth import Depth
from pelagos.sensors.sound.altimeter import Altimeter
from pelagos.sensors.sound.imaging import ImagingSonar
from pelagos.sensors.sound.multibeam import Multibeam
from pelagos.sensors.sound.navigation_sonar import NavigationSonar
from pelagos.vehicle.library import list_vehicles
from pelagos.vehicle.load.vehicle import load_vehicle

DOC = Path(__file__).parents[3] / "docs" / "dis.md"
ALL = [entry.key for entry in list_vehicles()]


def kinds(vehicle, **options):
    return {(c.part, c.item): c.kind for c in channels(load_vehicle(vehicle), **options)}


@pytest.mark.parametrize("key", ALL)
def test_every_actuator_of_every_vehicle_goes_out_under_a_number_of_its_own(key):
    vehicle = load_vehicle(key)
    listed = channels(vehicle)
    assert {c.index for c in listed if c.source == "thruster"} == set(range(len(vehicle.thrusters)))
    assert {c.index for c in listed if c.source == "surface"} == set(range(len(vehicle.surfaces)))
    assert len({c.kind for c in listed}) == len(listed)
    for channel in listed:
        part_class, metric = channel.kind & ~31, channel.kind & 31
        assert part_class in set(PartClass) or part_class >= OUR_CLASSES
        assert metric in set(ArticulationMetric)
        if metric == ArticulationMetric.ROTATION_RATE:
            assert channel.unit == "rad/s"


def test_phoenix_has_two_propellers_a_rudder_and_four_planes():
    types = kinds("phoenix")
    assert types["port_screw", 0] == 1280 + 16 and types["starboard_screw", 0] == 1312 + 16
    assert types["stern_rudders", 0] == 1024 + 11
    assert (types["stern_planes", 0], types["stern_planes", 1]) == (2304 + 13, 2336 + 13)
    assert (types["bow_planes", 0], types["bow_planes", 1]) == (2240 + 13, 2272 + 13)
    tunnels = {types[name, 0] for name in ("bow_vertical", "stern_vertical", "bow_lateral", "stern_lateral")}
    assert len(tunnels) == 4 and min(tunnels) >= OUR_CLASSES and types["bow_rudders", 0] >= OUR_CLASSES
    assert [types["altimeter", item] for item in range(3)] == [2080 + 11, 2080 + 13, 2080 + 3]


def test_planes_on_one_side_are_one_record():
    types = kinds("npsauv")
    assert types["port_bow_plane", 0] == 2240 + 13 and types["starboard_bow_plane", 0] == 2272 + 13
    assert ("port_bow_plane", 1) not in types


def test_a_second_rudder_and_fins_across_have_numbers_of_our_own():
    assert kinds("gavia")["lower_rudder", 0] >= OUR_CLASSES
    assert all(kind >= OUR_CLASSES for kind in kinds("eca_a9").values())


def test_parts_can_be_given_other_numbers_or_left_out():
    changes = {"bow_lateral": [3552 + 16], "altimeter": [], "stern_planes": [2304 + 13]}
    types = kinds("phoenix", changes=changes)
    assert types["bow_lateral", 0] == 3568 and ("altimeter", 0) not in types and ("stern_planes", 1) not in types


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"bow_laterall": [1]}, 'did you mean "bow_lateral"'),
        (
            {"bow_lateral": [1296]},
            '"bow_lateral" is 1296; articulated part "port_screw" has the same',
        ),
        ({"bow_lateral": [1 << 32]}, "expected a whole number from 0 to 4294967295"),
        ({"altimeter": [1]}, "is 1; expected 0, or 3: azimuth, elevation, range"),
    ],
)
def test_a_mapping_that_cannot_be_is_refused(changes, sentence):
    with pytest.raises(CommandError, match=sentence):
        kinds("phoenix", changes=changes)


def test_sensors_of_the_run_take_the_place_of_the_vehicle_s():
    fitted = [ImagingSonar(name="scan"), Depth(), Altimeter()]
    types = kinds("bluerov2", sensors=fitted)
    assert types["scan", 0] == 2080 + 11 and types["altimeter", 0] >= OUR_CLASSES and ("depth", 0) not in types
    assert [name for name, _ in sonars(fitted)] == ["scan", "altimeter"]


def test_an_altimeter_looks_down_or_where_it_is_turned():
    assert echo(Altimeter(), np.array([7.5])) == pytest.approx((0.0, -math.pi / 2, 7.5))
    ahead = Altimeter(orientation_deg=(0.0, 90.0, 0.0))  # its axis z comes to the body's x
    assert echo(ahead, np.array([3.0])) == pytest.approx((0.0, 0.0, 3.0), abs=1e-12)
    assert echo(Altimeter(), np.array([math.nan])) == NO_ECHO


def test_an_imaging_sonar_says_the_bearing_of_the_nearest_echo():
    values = np.array([12.0, 30.0, 20.0, -10.0])
    assert echo(ImagingSonar(), values) == pytest.approx((math.radians(30.0), 0.0, 12.0))
    turned = ImagingSonar(orientation_deg=(0.0, 0.0, 90.0))
    assert echo(turned, values) == pytest.approx((math.radians(120.0), 0.0, 12.0))


def test_a_navigation_sonar_says_which_beam_heard_the_nearest_echo():
    sonar = NavigationSonar(n_beams=3, fan_deg=20.0, max_range_m=50.0)  # 10 deg up, level, 10 deg down
    values = np.array([50.0, 30.0, 20.0, 20.0, math.nan, math.nan])
    assert echo(sonar, values) == pytest.approx((0.0, math.radians(-10.0), 20.0))
    assert echo(sonar, np.full(6, 50.0)) == NO_ECHO  # it says its whole range where there is nothing


def test_a_multibeam_says_which_beam_heard_the_nearest_echo():
    sonar = Multibeam(n_beams=3, swath_deg=120.0)
    azimuth, elevation, range_m = echo(sonar, np.array([math.nan, 9.0, 8.0]))
    assert (azimuth, elevation, range_m) == pytest.approx((math.pi / 2, math.radians(-30.0), 8.0))


def test_records_carry_the_values_and_count_changes():
    vehicle = load_vehicle("phoenix")
    listed = channels(vehicle)
    stance = ArticulatedParts(listed)
    thrusters, surfaces = np.arange(6.0) / 3.0, np.arange(4.0) / 10.0
    first = stance.articulations(thrusters, surfaces, {"altimeter": (0.0, -1.5, 4.0)})
    by_part = {(c.part, c.item): record for c, record in zip(listed, first, strict=True)}
    third = struct.unpack(">f", struct.pack(">f", 1.0 / 3.0))[0]
    assert by_part["starboard_screw", 0].value == third
    assert by_part["stern_planes", 0].value == by_part["stern_planes", 1].value == pytest.approx(0.3, rel=1e-7)
    assert by_part["altimeter", 2].value == 4.0 and all(record.change == 0 for record in first)
    thrusters[0], thrusters[1] = 5.0, 1.0 / 3.0 + 1e-12  # the second is less than a single can say
    second = stance.articulations(thrusters, surfaces, {})
    changed = {c.part for c, record in zip(listed, second, strict=True) if record.change == 1}
    assert changed == {"port_screw", "altimeter"}
    for turn in range(300):
        thrusters[0] = float(turn)
        last = stance.articulations(thrusters, surfaces, {})
    assert last[0].change == (1 + 300) % 256  # eight bits


def test_the_tables_of_the_docs_are_those_of_the_program():
    page = DOC.read_text(encoding="utf-8")
    for key in ("phoenix", "bluerov2_heavy"):
        assert table(channels(load_vehicle(key))) in page, f"docs/dis.md lacks the table of {key}"
