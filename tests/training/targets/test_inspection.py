"""Inspecting a column: its patches, what the camera sees of them, the stand-off, and a flight around it."""

import math

import numpy as np
import pytest

from pelagos.errors import CommandError
from pelagos.session.rig import rig
from pelagos.training.targets.inspection import Inspection
from pelagos.training.task import load_task
from pelagos.world.spec import World
from pelagos.world.structure import Structure
from tests.training.observations import count_tick, observe

TASK = load_task("inspection")
WORLD = TASK.world_for()
VEHICLE = TASK.vehicle()
PILE = Structure(kind="cylinder", name="pile", from_m=(0.0, 0.0, 0.0), to_m=(0.0, 0.0, 20.0), radius_m=0.5)
POOL = World(depth_m=20.0, structures=(PILE,))


def test_the_patches_of_a_pile_are_on_its_skin():
    points, normals = Inspection(structure="pile", depth_from_m=2.0, depth_to_m=8.0, sectors=8, rows=3).patches(POOL)
    assert len(points) == 24
    angles = 2.0 * math.pi * np.arange(8) / 8
    out = np.stack([np.cos(angles), np.sin(angles), np.zeros(8)], axis=1)
    assert normals == pytest.approx(np.tile(out, (3, 1)), abs=1e-9)
    assert points[:, :2] == pytest.approx(np.tile(0.5 * out[:, :2], (3, 1)), abs=1e-9)
    assert points[::8, 2] == pytest.approx([3.0, 5.0, 7.0])  # middles of the rows


def test_the_patches_of_a_square_column_are_on_its_faces():
    points, normals = TASK.target.patches(WORLD)
    away = np.abs(points[:, :2] - 10.0)
    assert away.max(axis=1) == pytest.approx(0.75)  # m: half of 1.5
    assert np.linalg.norm(normals, axis=1) == pytest.approx(1.0)
    assert (np.abs(normals) > 0.99).sum() == len(points)  # each along one axis


def make_judge(world=POOL, **changes):
    keys = {"structure": "pile", "depth_from_m": 4.0, "depth_to_m": 6.0, "sectors": 8, "rows": 1, "range_m": 3.0}
    return Inspection(**(keys | changes)).judge(world, VEHICLE, 0)


def test_what_is_in_sight_is_near_facing_and_in_the_picture():
    judge = make_judge(angle_deg=60.0)
    # 2 m north of the axis, bow to the south: the patch at 0 deg is 1.5 m ahead, seen straight. Those at +-45 deg:
    # the sight from (2, 0) to (0.354, 0.354) makes 45 + atan(0.354 / 1.646) = 57.1 deg with their normals
    view = judge.visible(observe(2.0, 0.0, 5.0, heading_deg=180.0, fov_deg=60.0))
    assert view.tolist() == [True, True, False, False, False, False, False, True]
    aslant = make_judge(angle_deg=57.0).visible(observe(2.0, 0.0, 5.0, heading_deg=180.0, fov_deg=60.0))
    assert aslant.tolist() == [True] + [False] * 7
    assert not judge.visible(observe(2.0, 0.0, 5.0, heading_deg=0.0)).any()  # looks away
    assert not judge.visible(observe(3.6, 0.0, 5.0, heading_deg=180.0)).any()  # 3.1 m: too far
    assert not judge.visible(observe(2.0, 0.0, 5.0, heading_deg=180.0, visibility_m=1.4)).any()  # too murky
    assert judge.visible(observe(2.0, 0.0, 5.0, heading_deg=90.0, pan=math.radians(90.0)))[0]  # camera to starboard


def test_what_stands_between_hides_it():
    board = Structure(kind="box", name="board", center_m=(1.2, 0.0, 5.0), size_m=(0.1, 1.0, 1.0))
    hidden = make_judge(World(depth_m=20.0, structures=(PILE, board)))
    assert make_judge().visible(observe(2.0, 0.0, 5.0, heading_deg=180.0))[0]
    assert not hidden.visible(observe(2.0, 0.0, 5.0, heading_deg=180.0))[0]


def test_a_patch_is_covered_when_seen_long_enough():
    judge = make_judge(look_s=0.5, angle_deg=30.0)
    for _ in range(4):
        count_tick(judge, observe(2.0, 0.0, 5.0, heading_deg=180.0))
    assert judge.measures()["coverage"] == 0.0
    count_tick(judge, observe(2.0, 0.0, 5.0, heading_deg=180.0))
    assert judge.measures()["coverage"] == pytest.approx(1.0 / 8.0)
    assert len(judge.marks()) == 1 and judge.marks_version == 1
    for k in range(1, 8):
        a = math.radians(45.0 * k)
        for _ in range(5):
            count_tick(judge, observe(2.0 * math.cos(a), 2.0 * math.sin(a), 5.0, heading_deg=45.0 * k + 180.0))
    assert judge.completed and judge.progress == 1.0


def test_the_distance_is_to_the_skin_and_negative_in_it():
    judge = make_judge(stand_off_m=1.0)
    judge.update(observe(3.0, 4.0, 5.0))
    assert judge.now["distance_m"] == pytest.approx(5.0 - 0.5)
    assert judge.now["stand_off_error_m"] == pytest.approx(5.0 - 0.5 - 1.0)
    judge.update(observe(0.3, 0.0, 5.0))
    assert judge.now["distance_m"] == pytest.approx(-0.2)


def test_what_is_not_there_is_refused():
    with pytest.raises(CommandError, match='did you mean "column 1"'):
        Inspection(structure="colum 1", depth_from_m=5.0, depth_to_m=8.0).solids(WORLD, 0)
    with pytest.raises(CommandError, match="spans 15 to 30 m depth"):
        Inspection(structure="pile", depth_from_m=15.0, depth_to_m=30.0).patches(POOL)
    with pytest.raises(CommandError, match="sectors"):
        Inspection(structure="pile", depth_from_m=15.0, depth_to_m=16.0, sectors=2)


@pytest.mark.slow
def test_an_autopilot_circles_it_and_sees_all():
    flight = rig(TASK, seed=1)
    turn_s, radius = 60.0, 0.75 + 2.2
    distances = []

    def act(flight, now):
        row, angle = min(int(now.time_s / turn_s), 2), 2.0 * math.pi * (now.time_s % turn_s) / turn_s
        flight.simulation.command(
            north_m=10.0 + radius * math.cos(angle), east_m=10.0 + radius * math.sin(angle), depth_m=92.0 + 2.0 * row,
            heading_deg=(math.degrees(angle) + 180.0) % 360.0, speed_m_s=0.5,
        )  # fmt: skip
        away = np.abs(now.position_n[:2] - 10.0)
        distances.append(math.hypot(*away) * (1.0 - 0.75 / away.max()))  # of a square, along the line to its axis

    result = flight.fly(act)
    assert result.completed and result.collisions == 0
    assert result.measures["coverage"] >= 0.95
    # patches were in view nearly all the time; those few ticks without change the rms by less than a centimetre or two
    expected = np.sqrt(np.mean((np.array(distances[50:]) - 2.0) ** 2))
    got = np.array(result.curve["stand_off_error_m"])[25:]  # five seconds as well
    assert np.sqrt(np.mean(got**2)) == pytest.approx(expected, abs=0.02)
    assert result.measures["stand_off_error_rms_m"] < 0.6  # m
