"""Searching the bottom: positions of the objects, when one counts as found, and a flight that finds them."""

import math

import numpy as np
import pytest

from pelagos.errors import CommandError
from pelagos.session.rig import rig
from pelagos.training.targets.search import Search
from pelagos.training.task import load_task
from pelagos.world.spec import World
from pelagos.world.structure import Structure
from tests.training.observations import count_tick, observe

TASK = load_task("search")
VEHICLE = TASK.vehicle()
FIELD = World(depth_m=20.0)
ONE = Search(north_m=(0.0, 10.0), east_m=(0.0, 10.0), count=1, sight_m=6.0)


def with_objects(target, world=FIELD, seed=0):
    return World(depth_m=20.0, structures=(*world.structures, *target.solids(world, seed)))


def test_objects_lie_on_the_bottom_of_the_area_apart_from_each_other():
    for seed in range(20):
        places = np.array([item.center_n() for item in TASK.world_for(seed=seed).structures[-5:]])
        assert (places[:, 0] >= -65.0).all() and (places[:, 0] <= -25.0).all()
        assert (np.abs(places[:, 1]) <= 20.0).all()
        for k, place in enumerate(places):
            others = np.delete(places, k, axis=0)
            assert np.hypot(*(others - place)[:, :2].T).min() >= 8.0
    for item in TASK.world_for(seed=3).structures[-5:]:
        assert item.contains(item.center_n())
        lowest = item.triangles()[..., 2].max()
        assert lowest == pytest.approx(100.0, abs=1e-9)  # m: they touch the bottom


def test_positions_depend_on_the_seed_alone():
    a, b, c = (TASK.world_for(seed=seed).structures[-5:] for seed in (4, 4, 5))
    assert a == b
    assert all(x.center_n() != pytest.approx(y.center_n(), abs=1e-3) for x, y in zip(a, c, strict=True))
    assert TASK.hidden == tuple(item.name for item in a)


def test_an_area_that_is_too_small_is_refused():
    with pytest.raises(CommandError, match=r"count is .*; expected at most \d+, the room for objects"):
        Search(north_m=(0.0, 10.0), east_m=(0.0, 10.0), count=20, apart_m=8.0).places(FIELD, 0)
    with pytest.raises(CommandError, match="east_m"):
        Search(north_m=(0.0, 10.0), east_m=(5.0, 5.0))


def setting(world=None):
    world = world or with_objects(ONE)
    (place,) = ONE.places(FIELD, 0)
    return ONE.judge(world, VEHICLE, 0), place


def ticks(judge, place, count, aside=0.0, away=3.0, **more):
    """From south of the object at its own depth, bow to the north, `aside` m to the west."""
    for _ in range(count):
        count_tick(judge, observe(place[0] - away, place[1] - aside, place[2], fov_deg=90.0, **more))


def test_two_seconds_in_sight_and_two_in_the_middle():
    judge, place = setting()
    # a field of 90 deg shows 3 m to each side at 3 m, its middle half 1.5 m
    ticks(judge, place, 30, aside=2.0)
    assert judge.measures()["sighted"] == 1.0 and judge.measures()["found"] == 0.0
    ticks(judge, place, 19)
    assert judge.measures()["found"] == 0.0
    ticks(judge, place, 1)
    assert judge.measures()["found"] == 1.0 and judge.completed and judge.marks_version == 1
    assert judge.marks()[0]["points"][0] == pytest.approx(place.tolist())


def test_a_break_begins_anew():
    judge, place = setting()
    for _ in range(4):
        ticks(judge, place, 15)
        ticks(judge, place, 1, aside=10.0)  # out of the picture
    assert judge.measures()["sighted"] == 0.0


@pytest.mark.parametrize(
    "more", [{"away": 6.1}, {"visibility_m": 2.9}, {"heading_deg": 180.0}, {"zoom": 8.0, "aside": 0.4}]
)
def test_too_far_too_murky_looked_away_or_zoomed_past(more):
    judge, place = setting()
    ticks(judge, place, 50, **more)
    assert judge.measures()["sighted"] == 0.0


def test_what_stands_between_hides_it():
    (place,) = ONE.places(FIELD, 0)
    board = Structure(kind="box", name="board", center_m=(place[0] - 1.5, place[1], 19.0), size_m=(0.1, 2.0, 2.0))
    judge, _ = setting(World(depth_m=20.0, structures=(board, *ONE.solids(FIELD, 0))))
    ticks(judge, place, 50)
    assert judge.measures()["sighted"] == 0.0


def test_the_way_made_is_the_length_of_the_path():
    judge, _ = setting()
    for angle in np.linspace(0.0, 2.0 * math.pi, 2001):
        count_tick(judge, observe(50.0 + 10.0 * math.cos(angle), 10.0 * math.sin(angle), 5.0, bottom=20.0))
    assert judge.measures()["distance_run_m"] == pytest.approx(20.0 * math.pi, rel=1e-5)  # 2000 chords of a circle


@pytest.mark.slow
def test_a_pilot_who_knows_where_they_are_finds_them_all():
    flight = rig(TASK, seed=1)
    places = [item.center_n() for item in flight.simulation.world.structures[-5:]]
    flight.tilt_rad = math.radians(-25.0)
    left = list(range(5))
    track = [flight.simulation.plant.position_n.copy()]

    def act(flight, now):
        track.append(now.position_n.copy())
        while len(left) > 1 and flight.trial.judge.confirmed[left[0]]:
            left.pop(0)
        away = places[left[0]] - now.position_n
        far = math.hypot(away[0], away[1])
        flight.simulation.command(
            north_m=places[left[0]][0] - 3.5 * away[0] / far, east_m=places[left[0]][1] - 3.5 * away[1] / far,
            depth_m=98.0, heading_deg=math.degrees(math.atan2(away[1], away[0])), speed_m_s=0.6,
        )  # fmt: skip

    result = flight.fly(act)
    assert result.completed and result.collisions == 0
    assert result.measures["found"] == 5.0
    way = np.linalg.norm(np.diff(np.array(track), axis=0), axis=1).sum()
    assert result.measures["distance_run_m"] == pytest.approx(way, rel=0.01)  # it has one tick more
