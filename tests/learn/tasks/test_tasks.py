"""Each task: what its reward is at a place where it can be said, when it ends, and that the autopilot can do it."""

import numpy as np
import pytest

from pelagos.learn.tasks import MODULES
from pelagos.learn.tasks.pipeline import PIECE_M, TURNS_DEG, Way
from pelagos.learn.tasks.terrain import BEAMS_DEG, RANGE_M, hills
from pelagos.learn.vector import VectorEnvironment

CALM = {"randomise": {}}


def envs_of(task, n=2, **options):
    envs = VectorEnvironment(task, n, **CALM, **options)
    envs.reset(seed=0)
    return envs, np.zeros(envs.action_space.shape, np.float32)


def judged(envs, zero):
    _, reward, terminated, _, infos = envs.step(zero)
    return reward, terminated, infos


# returns per step of the autopilot with nothing added, the worst of four seeds as measured, less a margin
@pytest.mark.parametrize(
    ("task", "least"),
    [("StationKeeping", 0.8), ("DepthHeading", 0.55), ("Trackline", 0.4), ("PipelineFollowing", 0.4),
     ("TerrainFollowing", 0.5), ("ThrusterFault", 0.7), ("TetheredHover", 0.45)],
)  # fmt: skip
def test_the_autopilot_earns_most_of_the_reward(task, least):
    envs = VectorEnvironment(task, 4, assist="pid")
    zero = np.zeros(envs.action_space.shape, np.float32)
    envs.reset(seed=20)
    steps = 60 if task == "TetheredHover" else 250
    rewards = np.zeros(4)
    for k in range(steps):
        _, reward, terminated, _, _ = envs.step(zero)
        assert not terminated.any()
        rewards += reward * (k >= steps // 2)  # once it is there
    assert (rewards / (steps - steps // 2)).min() > least


def test_station_keeping_at_the_place_is_worth_all():
    envs, zero = envs_of("StationKeeping")
    envs.batch.set_motion(position_n=envs.task.target_n, euler=[[0.0, 0.0, h] for h in envs.task.heading])
    reward, terminated, infos = judged(envs, zero)
    # a tenth of a second of buoyancy moves it by some millimetres
    assert reward == pytest.approx(1.0, abs=1e-3) and not terminated.any()
    envs.batch.set_motion([0], position_n=envs.task.target_n[0] + (0.5, 0.0, 0.0))
    reward, _, infos = judged(envs, zero)
    assert infos["distance_m"][0] == pytest.approx(0.5, abs=0.01)
    assert reward[0] == pytest.approx(0.35 + 0.3, abs=0.01)  # half of the 0.7 is lost at one scale
    reward, *_ = judged(envs, np.ones_like(zero))
    assert reward[1] < 0.91  # all thrusters full cost their tenth


def test_depth_and_heading_change_half_way():
    envs, zero = envs_of("DepthHeading", assist="pid")
    first = envs.task.depth_m.copy()
    envs.reset(seed=0)
    for _ in range(301):
        envs.step(zero)
    assert (envs.task.depth_m != first).all()
    envs.batch.place([0], depth_m=0.3)
    assert judged(envs, zero)[1].tolist() == [True, False]


def test_trackline_counts_to_starboard():
    envs, zero = envs_of("Trackline")
    course = envs.task.course
    starboard = np.stack([-np.sin(course), np.cos(course), np.zeros(2)], axis=1)
    envs.batch.set_motion(position_n=7.0 * starboard + [0.0, 0.0, 12.0], euler=[[0.0, 0.0, c] for c in course])
    _, _, infos = judged(envs, zero)
    assert infos["cross_track_m"] == pytest.approx([7.0, 7.0], abs=0.02)
    envs.batch.set_motion([1], position_n=-70.0 * starboard[1] + [0.0, 0.0, 12.0])
    assert judged(envs, zero)[1].tolist() == [False, True]


def test_docking_pays_what_is_left_and_ends():
    envs, zero = envs_of("Docking", assist="pid")
    total = np.zeros(2)
    left = envs.max_episode_steps
    while left:
        reward, terminated, infos = judged(envs, zero)
        total, left = total + reward, left - 1
        if terminated.any():
            break
    i = int(np.argmax(terminated))
    assert infos["is_success"][i] and infos["distance_m"][i] < 0.2 and abs(infos["heading_error_deg"][i]) < 10.0
    assert left < reward[i] <= left + 1.0
    assert (total[i] / envs.max_episode_steps) > 0.7


def test_the_garage_can_be_touched():
    envs, zero = envs_of("Docking")
    envs.batch.place(north_m=-0.9, east_m=[0.0, 0.5], surge_m_s=1.0, heading_deg=0.0)  # into its middle, into a wall
    touched = np.zeros(2, bool)
    for _ in range(4):
        rows, *_ = envs.step(zero)
        touched |= rows[:, 13] > 0.0
    assert touched.tolist() == [False, True]


def test_the_way_of_a_pipe_is_measured_along_its_pieces():
    way = Way()
    piece, made, cross = way.nearest(np.array([[5.0, 1.0], [-3.0, 0.0], [5.0, -2.0]]))
    assert piece.tolist() == [0, 0, 0]
    assert made == pytest.approx([5.0, 0.0, 5.0]) and cross == pytest.approx([1.0, 0.0, -2.0])
    middles = way.at((np.arange(len(TURNS_DEG)) + 0.5) * PIECE_M)
    found = way.nearest(middles[1])
    assert found[0].tolist() == middles[0].tolist() == list(range(len(TURNS_DEG)))
    assert found[2] == pytest.approx(np.zeros(len(TURNS_DEG)), abs=1e-12)
    assert np.diff(found[1]) == pytest.approx(np.full(len(TURNS_DEG) - 1, PIECE_M))


def test_the_end_of_the_pipe_is_a_success():
    envs, zero = envs_of("PipelineFollowing")
    way = envs.task.way
    last = way.corners[-1] - 0.02 * way.along[-1]
    envs.batch.set_motion([0], position_n=[*last, 18.5], euler=[0.0, 0.0, way.course[-1]], nu=[0.5, 0, 0, 0, 0, 0])
    reward, terminated, infos = judged(envs, zero)
    assert terminated.tolist() == [True, False] and infos["is_success"].tolist() == [True, False]
    assert reward[0] > envs.max_episode_steps - 2


def test_beams_are_those_of_the_world():
    envs, zero = envs_of("TerrainFollowing", n=3)
    rows, *_ = envs.step(zero)
    world, motion, k = hills(), envs.motion, len(BEAMS_DEG)
    for i in range(3):
        roll, pitch, yaw = motion.euler[i]
        assert abs(roll) < 0.05
        down = np.radians(np.array(BEAMS_DEG)) - pitch
        along = np.stack([np.cos(down) * np.cos(yaw), np.cos(down) * np.sin(yaw), np.sin(down)], axis=1)
        expected = np.minimum(world.cast(motion.position_n[i], along, max_range_m=RANGE_M).range_m, RANGE_M)
        # a roll below 0.05 rad moves the foot of a beam by a few per cent of its slant; float32 keeps seven digits
        assert rows[i, :k] * 20.0 == pytest.approx(expected, rel=0.02, abs=0.05)
    altitude = motion.altitude_m
    assert rows[:, k - 1] * 20.0 == pytest.approx(altitude, rel=0.05)  # straight down, nearly
    slope = np.gradient(world.bottom_m(0.0, np.arange(-200.0, 200.0, 5.0)), 5.0)
    assert np.degrees(np.arctan(np.abs(slope).max())) < 9.0


def test_a_thruster_fails_once_and_is_whole_in_the_next_episode():
    envs, zero = envs_of("ThrusterFault", n=8)
    full = np.full_like(zero, 0.3)
    broken = np.full(8, -1)
    for _ in range(151):
        _, _, _, _, infos = envs.step(zero)
        broken = infos["failed_thruster"]
    assert (broken >= 0).all() and len(set(broken.tolist())) > 1
    envs.step(full)
    weak = envs.batch.nu.copy()
    envs.reset(seed=0)
    assert (envs.task.broken == -1).all()
    sound = VectorEnvironment("StationKeeping", 8, **CALM)
    sound.reset(seed=0)
    assert np.array_equal(envs.step(full)[0], sound.step(full)[0])
    assert not np.allclose(weak, envs.batch.nu)


def test_every_module_has_its_task():
    assert len(MODULES) == 8
