"""Start positions in each world of the library: in open water, above the bottom, with an object ahead."""

import math
from pathlib import Path

import numpy as np
import pytest

from pelagos.errors import CommandError, ScenarioError
from pelagos.sim.simulation import Simulation
from pelagos.sim.start import ALTITUDE_M, RUNNING_M, VIEW_M, can_hover, start_at, start_in
from pelagos.vehicle.load.vehicle import load_vehicle
from pelagos.world.load import load_world
from pelagos.world.spec import World
from pelagos.world.structure import Structure

WORLDS = sorted(path.stem for path in (Path(__file__).parents[2] / "pelagos" / "world" / "library").glob("*.toml"))
VEHICLES = ("bluerov2_heavy", "seagrant1", "iver3", "slocum")


def ahead(world, place):
    """What is straight ahead, and how far."""
    heading = math.radians(place["heading_deg"])
    hit = world.cast(point(place), [math.cos(heading), math.sin(heading), 0.0])
    return world.named(int(hit.obstacle[0])), float(hit.range_m[0])


def point(place):
    return [place["north_m"], place["east_m"], place["depth_m"]]


@pytest.mark.parametrize("key", VEHICLES)
@pytest.mark.parametrize("name", WORLDS)
def test_the_start_is_in_open_water(name, key):
    vehicle, world = load_vehicle(key), load_world(name)
    place = start_in(vehicle, world)
    sim = Simulation(vehicle, world)
    sim.place(**place)
    sim.make_ready(1.0)  # refuses a start inside of anything, or on land
    assert len(sim.plant.contacts(0.3)) == 0  # m: nothing within arm's reach of any part of the hull
    assert 0.0 < place["depth_m"] <= vehicle.depth_rating_m
    assert place["depth_m"] < float(world.bottom_m(place["north_m"], place["east_m"]))


@pytest.mark.parametrize("name", ["royer_field", "harbour", "wreck_slope"])
def test_an_rov_sees_a_structure_in_front_of_it(name):
    vehicle, world = load_vehicle("bluerov2_heavy"), load_world(name)
    structure, range_m = ahead(world, start_in(vehicle, world))
    assert structure in [item.name for item in world.structures]
    assert range_m - 0.5 * vehicle.length_m <= max(2.0, 0.5 * world.visibility_m) + 0.1  # m: it can be seen


def test_in_royers_field_it_is_the_wellhead_from_downstream():
    vehicle, world = load_vehicle("bluerov2_heavy"), load_world("royer_field")
    place = start_in(vehicle, world)
    structure, range_m = ahead(world, place)
    assert structure == "wellhead"
    assert range_m == pytest.approx(VIEW_M + 0.5 * vehicle.length_m, abs=0.02)  # rounded to centimetres
    assert place["depth_m"] == pytest.approx(100.0 - 3.0)
    flow = world.water_velocity([point(place)])[0]
    wellhead = next(item for item in world.structures if item.name == "wellhead")
    assert np.dot(np.array(point(place)) - wellhead.center_n(), flow) > 0.0  # the current carries it away


def test_what_steers_only_while_it_moves_begins_further_off():
    assert can_hover(load_vehicle("bluerov2_heavy")) and not can_hover(load_vehicle("iver3"))
    world = load_world("royer_field")
    _, range_m = ahead(world, start_in(load_vehicle("iver3"), world))
    assert range_m > RUNNING_M


def test_in_a_tank_it_looks_along_the_long_side():
    place = start_in(load_vehicle("bluerov2_heavy"), load_world("test_tank"))
    assert place == {"north_m": 0.0, "east_m": 0.0, "depth_m": 1.5, "heading_deg": 0.0}


def test_where_there_is_nothing_at_all_it_floats_at_the_usual_depth():
    assert start_in(load_vehicle("bluerov2_heavy"), World())["depth_m"] == 10.0


def test_no_deeper_than_the_vehicle_may_go():
    vehicle = load_vehicle("bluerov2_heavy")
    world = World(depth_m=vehicle.depth_rating_m + 50.0)
    assert start_in(vehicle, world)["depth_m"] <= vehicle.depth_rating_m


def test_a_place_without_a_depth_is_above_the_bottom_there_and_one_with_a_depth_stays():
    vehicle, world = load_vehicle("bluerov2_heavy"), load_world("royer_field")
    place = start_at(vehicle, world, {"east_m": 4.0, "heading_deg": 30.0})
    bottom = float(world.bottom_m(0.0, 4.0))
    assert place == {"north_m": 0.0, "east_m": 4.0, "heading_deg": 30.0, "depth_m": pytest.approx(bottom - ALTITUDE_M)}
    assert start_at(vehicle, world, {"north_m": 1.0, "depth_m": 5.0})["depth_m"] == 5.0


def test_a_place_in_the_mud_or_in_a_structure_is_a_sentence():
    vehicle, world = load_vehicle("bluerov2_heavy"), load_world("royer_field")
    with pytest.raises(CommandError, match=r"start depth_m is 120; the seabed .* m deep"):
        start_at(vehicle, world, {"north_m": 1.0, "depth_m": 120.0})
    north, east, depth = next(item for item in world.structures if item.name == "wellhead").center_n().tolist()
    with pytest.raises(CommandError, match="is inside wellhead"):
        start_at(vehicle, world, {"north_m": north, "east_m": east, "depth_m": depth})


def test_a_world_without_room_is_a_sentence():
    solid = Structure(kind="plane", name="rock", point_m=(0.0, 0.0, 0.0), normal=(0.0, 0.0, -1.0))
    with pytest.raises(ScenarioError, match="no free place for bluerov2_heavy"):
        start_in(load_vehicle("bluerov2_heavy"), World(depth_m=20.0, structures=(solid,)))
