"""Docking: the garage, where and how fast it is touched, when a vehicle is docked, and flights into it."""

import math

import numpy as np
import pytest

from pelagos.errors import CommandError
from pelagos.session.rig import rig
from pelagos.training.targets.docking import PARTS, DockingTarget
from pelagos.training.task import load_task
from tests.training.observations import count_tick, observe

TASK = load_task("docking")
WORLD = TASK.world_for()
PLACE = (-30.0, 28.0, 99.5)


def make_judge():
    return TASK.target.judge(WORLD, TASK.vehicle(), 0)


def part(name):
    return [item.name for item in WORLD.structures].index(name)


@pytest.mark.parametrize("heading", [0.0, 90.0, 215.0])
def test_the_garage_is_open_at_its_mouth_only(heading):
    target = DockingTarget(place_m=(3.0, 4.0, 50.0), heading_deg=heading, room_m=(1.2, 1.0, 0.8), wall_m=0.1)
    solids = target.solids(WORLD, 0)
    to = math.radians(heading)
    ahead, starboard = np.array([math.cos(to), math.sin(to), 0.0]), np.array([-math.sin(to), math.cos(to), 0.0])

    def solid(a, s, d):
        point = np.array([3.0, 4.0, 50.0]) + a * ahead + s * starboard + np.array([0.0, 0.0, d])
        return any(item.contains(point) for item in solids)

    # the room is free to a centimetre before each wall, and the walls begin there; below it is open to the bottom
    for a, s, d in (
        (0.59, 0.0, 0.0),
        (0.0, 0.49, 0.0),
        (0.0, -0.49, 0.0),
        (0.0, 0.0, -0.39),
        (-0.7, 0.0, 0.0),
        (0.0, 0.0, 0.5),
    ):
        assert not solid(a, s, d), (a, s, d)
    for a, s, d in ((0.61, 0.0, 0.0), (0.0, 0.51, 0.0), (0.0, -0.51, 0.0), (0.0, 0.0, -0.41), (0.65, 0.45, -0.45)):
        assert solid(a, s, d), (a, s, d)


def test_it_stands_on_the_bottom_and_the_vehicle_fits():
    walls = [item for item in WORLD.structures if "wall" in item.name]
    for wall in walls:
        low = wall.center_n()[2] + wall.half_m()[2]
        assert 100.0 - low == pytest.approx(0.025, abs=0.01)  # m above the bottom: no vehicle goes below
    length, breadth, height = TASK.target.room_m
    assert breadth > 0.58 + 0.4 and height > 0.38 + 0.4 and length > 0.46  # m: size of the BlueROV2 Heavy in its file


def test_errors_are_against_the_middle():
    judge = make_judge()
    judge.update(observe(-29.6, 25.0, 99.3, heading_deg=95.0))
    assert judge.now["distance_m"] == pytest.approx(math.dist((-29.6, 25.0, 99.3), PLACE))
    assert judge.now["lateral_error_m"] == pytest.approx(-0.4)  # heading 90: starboard is south
    assert judge.now["heading_error_deg"] == pytest.approx(5.0)


def test_the_fastest_touch_of_the_garage_counts_and_others_do_not():
    judge = make_judge()
    count_tick(judge, observe(*PLACE, contact_with=float(part("dock back")), contact_speed_m_s=0.12))
    count_tick(judge, observe(*PLACE, contact_with=float(part("dock roof")), contact_speed_m_s=0.3))
    count_tick(judge, observe(*PLACE, contact_with=-1.0, contact_speed_m_s=0.9))  # the seabed
    assert judge.measures()["touch_speed_m_s"] == 0.3
    judge.update(observe(-30.0, 27.0, 99.5, contact_with=float(part(PARTS[0]))))
    assert judge.now["distance_m"] == pytest.approx(-1.0)


def test_docked_is_at_rest_in_the_middle_for_a_while():
    judge = make_judge()
    at = {"heading_deg": 90.0, "dt": 0.1}
    fast = np.array([0.06, 0.0, 0.0, 0.0, 0.0, 0.0])
    for _ in range(29):
        count_tick(judge, observe(*PLACE, **at))
    count_tick(judge, observe(*PLACE, **at, nu=fast))  # too fast: it begins anew
    for _ in range(29):
        count_tick(judge, observe(*PLACE, **at))
    assert not judge.completed
    assert judge.progress < 1.0
    count_tick(judge, observe(*PLACE, **at))
    assert judge.completed and judge.progress == 1.0  # 30 ticks of 0.1 s are the required 3 s
    skew = make_judge()
    for _ in range(60):
        count_tick(skew, observe(*PLACE, heading_deg=101.0))  # 11 deg off
        count_tick(skew, observe(-30.0, 27.84, 99.5, heading_deg=90.0))  # 16 cm off
    assert not skew.completed


def test_a_garage_without_room_is_refused():
    with pytest.raises(CommandError, match="breadth"):
        DockingTarget(place_m=(0.0, 0.0, 50.0), room_m=(1.0, 0.0, 1.0))


def test_an_autopilot_drives_in_without_touching():
    flight = rig(TASK, seed=2)

    def act(flight, now):
        lined_up = abs(now.position_n[0] + 30.0) < 0.05 and abs(now.position_n[2] - 99.5) < 0.05
        east, speed = (28.0, 0.15) if lined_up or now.position_n[1] > 26.2 else (26.0, 0.4)
        flight.simulation.command(north_m=-30.0, east_m=east, depth_m=99.5, heading_deg=90.0, speed_m_s=speed)

    result = flight.fly(act)
    assert result.completed and result.collisions == 0
    where = flight.simulation.plant.position_n
    assert result.measures["final_distance_m"] == pytest.approx(math.dist(where, PLACE), abs=1e-9)
    assert math.dist(where, PLACE) < 0.15
    assert result.measures["touch_speed_m_s"] == 0.0


def test_driven_into_the_back_wall_the_blow_is_as_fast_as_the_vehicle():
    flight = rig(TASK)
    flight.simulation.place(north_m=-30.0, east_m=26.0, depth_m=99.5, heading_deg=90.0)
    speeds = []

    def act(flight, now):
        speeds.append(float(now.nu[0]))
        flight.simulation.command(north_m=-30.0, east_m=33.0, depth_m=99.5, heading_deg=90.0, speed_m_s=0.3)

    flight.trial.start()
    while flight.observer.collisions == 0:
        act(flight, flight.observe())
        flight.tick()
    touched = flight.trial.judge.measures()["touch_speed_m_s"]
    assert touched == pytest.approx(speeds[-1], rel=0.15)  # m/s: it speeds up a little within the last interval
