"""The ship of a tether: where it may lie, how it follows, where it can be sent."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from pelagos.errors import CommandError
from pelagos.tether.spec import Tether
from pelagos.world.seabed.seabed import Seabed
from pelagos.world.spec import World
from pelagos.world.structure import Structure
from tests.sim.tethered import rov

POST = Structure(kind="cylinder", from_m=(5.0, 0.0, -5.0), to_m=(5.0, 0.0, 80.0), radius_m=1.0)
WALL = Structure(kind="box", name="quay wall", center_m=(10.0, 0.0, 30.0), size_m=(1.0, 200.0, 200.0))
CLIFF = Structure(kind="plane", name="cliff", point_m=(12.0, 0.0, 0.0), normal=(-1.0, 0.0, 0.0))
BEACH = Seabed(kind="slope", depth_m=30.0, slope_deg=45.0)  # deeper to the north


def test_a_ship_that_follows_stays_above():
    sim = rov(Tether(payout="ratio", ratio=1.3, ship="follow", ship_speed_m_s=2.0, ship_lag_s=2.0))
    sim.pilot(surge=0.6)
    log = sim.run(60)
    assert log["north_m"][-1] > 10.0
    apart = np.hypot(log["tether_00_north_m"] - log["north_m"], log["tether_00_east_m"] - log["east_m"])
    assert apart[-1] < 3.0  # a lag of 2 s at less than 1.2 m/s


@pytest.mark.parametrize(
    ("world", "ship", "expected"),
    [
        (
            World(depth_m=80.0, structures=(WALL, POST)),
            {"ship_north_m": 4.5},
            "inside structure 1; expected a place in",
        ),
        (World(depth_m=80.0, structures=(POST, WALL)), {"ship_north_m": 10.2}, "inside quay wall"),
        (World(depth_m=80.0, structures=(CLIFF,)), {"ship_north_m": 13.0}, "inside cliff"),
        (World(depth_m=30.0), {"ship_depth_m": 31.0}, "1 m below the seabed"),
        (World(seabed=BEACH), {"ship_north_m": -50.0}, "on land, 20 m above the sea"),
        (
            World(depth_m=80.0, structures=(POST,)),
            {"ship": "path", "ship_path_m": ((5.0, 0.0), (40.0, 0.0))},
            "inside structure 0",
        ),
    ],
)
def test_a_ship_that_is_not_in_the_open_is_refused(world, ship, expected):
    sim = rov(Tether(length_m=80.0, **ship), world)
    with pytest.raises(CommandError, match=f"the tether leaves the ship at north .* {expected}"):
        sim.run(0.1)


def test_a_ship_at_a_structure_is_in_the_open():
    """From a quay, 2 m above the land beside a wall: the drum need not float."""
    rov(Tether(length_m=35.0, ship_north_m=9.4, ship_depth_m=-2.0), World(depth_m=80.0, structures=(WALL,))).run(0.1)
    rov(Tether(length_m=80.0, ship_north_m=-40.0, ship_depth_m=-12.0), World(seabed=BEACH), depth_m=10.0).run(0.1)


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["dynamic", "static"])
@pytest.mark.parametrize("speed", [0.0, 0.3])
def test_a_start_with_a_wall_in_between_is_refused_by_name(mode, speed):
    """30 m of cable between two places 22 m apart, and a wall of 200 m: there is no shape it could have."""
    world = World(depth_m=80.0, current_m_s=speed, current_to_deg=90.0, structures=(POST, WALL))
    far = dataclasses.replace(POST, from_m=(5.0, 40.0, -5.0), to_m=(5.0, 40.0, 80.0))
    ship = {"ship_north_m": 0.0, "ship_east_m": 0.0, "ship_depth_m": 1.0, "mode": mode}
    for structures, named in (((far, WALL), "quay wall;"), ((POST, WALL), "structure 0, quay wall;")):
        sim = rov(Tether(length_m=30.0, **ship), dataclasses.replace(world, structures=structures))
        sim.place(north_m=20.0, depth_m=10.0)
        with pytest.raises(CommandError, match=f"finds no shape at rest .*, because of {named}"):
            sim.run(0.1)


def test_the_pilot_sends_the_ship():
    sim = rov(Tether(payout="ratio", ratio=1.5))
    sim.move_ship(north_m=2.0, east_m=-1.5, speed_m_s=0.5)  # before the first tick: it is hung first
    log = sim.run(8.0)
    assert log["tether_00_north_m"][-1] == pytest.approx(2.0, abs=1e-9)
    assert log["tether_00_east_m"][-1] == pytest.approx(-1.5, abs=1e-9)
    north, east = log["tether_00_north_m"], log["tether_00_east_m"]
    assert np.hypot(north[20] - north[0], east[20] - east[0]) == pytest.approx(1.0, abs=1e-9)  # 2 s of 0.5 m/s
    saved = sim.save()
    sim.move_ship(north_m=0.0, east_m=0.0)
    there = sim.run(1.0)["tether_tension_N"].tolist()
    sim.restore(saved)
    sim.move_ship(north_m=0.0, east_m=0.0)
    assert sim.run(1.0)["tether_tension_N"].tolist() == there
    sim.reset()
    sim.place(depth_m=20.0)
    assert sim.run(1.0)["tether_00_north_m"].tolist() == [north[0]] * 11  # as new: it lies above the start


def test_a_ship_is_sent_through_open_water_only():
    sim = rov(Tether(length_m=80.0), World(depth_m=80.0, structures=(POST, WALL)))
    sim.run(0.1)
    for (north, east), sentence in (
        ((4.5, 0.0), "inside structure 0; expected a place in the open"),
        (
            (8.0, 0.0),
            r"ship north_m, east_m is .8\.0, 0\.0.; structure 0 is on the straight path to it; expected a place",
        ),
        ((10.2, 5.0), "inside quay wall"),
        ((20.0, 30.0), "quay wall is on the straight path"),
        ((float("nan"), 0.0), "ship north_m is nan; expected a finite number"),
    ):
        with pytest.raises(CommandError, match=sentence):
            sim.move_ship(north_m=north, east_m=east)
    sim.move_ship(north_m=8.0, east_m=20.0)
    shore = rov(Tether(length_m=80.0), World(seabed=BEACH))
    with pytest.raises(CommandError, match="on land, 20 m above the sea"):
        shore.move_ship(north_m=-50.0, east_m=0.0)
    free = rov(None)
    with pytest.raises(CommandError, match="has no tether, so there is no ship to move"):
        free.move_ship(north_m=0.0, east_m=0.0)
