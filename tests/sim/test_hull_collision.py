"""First touches against closed forms, and the interpolation of poses."""

import math

import numpy as np
import pytest

import pelagos
from pelagos.frames import quaternion_from_euler, rotation_from_quaternion
from pelagos.sim.hull_collision import (
    SKIN_M,
    HullBody,
    Pose,
    contact_jacobian,
    displace,
    first_touch,
    impulse_response,
    nearest,
    spheres_touch,
    velocity_n,
)
from pelagos.sim.simulation import Simulation

CALM = pelagos.World(depth_m=50.0)
LEVEL = quaternion_from_euler(0.0, 0.0, 0.0)


def at(north, east=0.0, down=10.0, yaw_deg=0.0):
    return Pose(np.array([north, east, down]), quaternion_from_euler(0.0, 0.0, math.radians(yaw_deg)))


@pytest.fixture(scope="module")
def lauv():
    return HullBody.of(Simulation("lauv", CALM).plant)  # a capsule of half length 0.54 m, radius 0.075 m


def test_the_first_touch_of_two_noses(lauv):
    """2 m apart but for their lengths, 8 m of relative way: at (2 - skin) / 8."""
    before, after = (at(0.0), at(3.08, yaw_deg=180.0)), (at(4.0), at(-0.92, yaw_deg=180.0))
    share, touch, poses = first_touch(lauv, lauv, before, after)
    assert share == pytest.approx(2.0 / 8.0, abs=2.0 * SKIN_M / 8.0)
    assert touch.normal == pytest.approx([-1.0, 0.0, 0.0], abs=1e-6)
    assert poses[0].position_n[0] == pytest.approx(4.0 * share)


def test_one_that_crosses_a_flank_within_one_interval_is_seen(lauv):
    """Nose at 0.54 m, flank at 3 - 0.075 m, 20 m of way: far beyond at the end, met at 2.385 / 20."""
    before, after = (at(0.0), at(3.0, yaw_deg=90.0)), (at(20.0), at(3.0, yaw_deg=90.0))
    share, touch, _ = first_touch(lauv, lauv, before, after)
    assert share == pytest.approx(2.385 / 20.0, abs=2.0 * SKIN_M / 20.0)
    assert touch.normal == pytest.approx([-1.0, 0.0, 0.0], abs=1e-6)


def test_one_that_only_turns_sweeps_the_other(lauv):
    """A nose 0.465 m + a cap from O, beside it a capsule 0.4 m to the east: the core line comes within 0.15 m.

    Turning about O, parallel capsules 0.4 m apart of which one turns: the end of its core, 0.465 m from O, is
    0.4 - 0.465 sin(a) from the line of the other, which is 0.15 at sin(a) = 0.25 / 0.465.
    """
    before, after = (at(0.0), at(0.0, 0.4)), (at(0.0, yaw_deg=60.0), at(0.0, 0.4))
    share, _, poses = first_touch(lauv, lauv, before, after)
    angle = math.asin(0.25 / 0.465)
    # the skin of 1 mm is met 1 mm / (0.465 cos a) earlier
    assert math.radians(60.0) * share == pytest.approx(angle, abs=2.0 * SKIN_M / (0.465 * math.cos(angle)))
    assert poses[0].angle_to(before[0]) == pytest.approx(math.radians(60.0) * share, rel=1e-9)


def test_those_that_pass_or_part_do_not_touch(lauv):
    beside = (at(0.0), at(3.0, 0.16, yaw_deg=180.0)), (at(4.0), at(-1.0, 0.16, yaw_deg=180.0))
    assert spheres_touch(lauv, lauv, *beside) and first_touch(lauv, lauv, *beside) is None
    parting = (at(0.0), at(1.0805)), (at(-1.0), at(2.0))  # within the skin at first
    assert first_touch(lauv, lauv, *parting) is None
    assert not spheres_touch(lauv, lauv, (at(0.0), at(0.0, 5.0)), (at(9.0), at(9.0, 5.0)))
    assert first_touch(lauv, lauv, (at(0.0), at(3.0)), (at(0.0), at(3.0))) is None


def test_the_gap_of_two_capsules(lauv):
    assert nearest(lauv, at(0.0), lauv, at(1.5)).gap == pytest.approx(1.5 - 1.08, abs=1e-9)
    assert nearest(lauv, at(0.0), lauv, at(0.0, 0.1)).gap == pytest.approx(0.1 - 0.15, abs=1e-9)


def test_poses_between():
    a, b = at(0.0, yaw_deg=170.0), at(2.0, yaw_deg=-170.0)  # 20 degrees the short way
    for end in (b, Pose(b.position_n, -b.quaternion)):
        half = a.towards(end, 0.25)
        assert a.angle_to(end) == pytest.approx(math.radians(20.0), rel=1e-9)
        R = rotation_from_quaternion(half.quaternion)
        assert math.degrees(math.atan2(R[1, 0], R[0, 0])) == pytest.approx(175.0, abs=1e-9)
        assert half.position_n[0] == 0.5
    point = np.array([1.0, 0.0, 10.0])  # ahead of O by 1 m at yaw 0; at yaw 90 it is to the east
    assert at(0.0).carried(at(0.0, yaw_deg=90.0), point) == pytest.approx([-1.0, 1.0, 0.0], abs=1e-12)


def test_a_row_is_the_velocity_of_the_point_and_the_wrench_of_a_push():
    plant = Simulation("bluerov2_heavy", CALM).plant
    plant.place(position_n=(1.0, 2.0, 3.0), euler=(0.1, -0.2, 0.7), nu=(0.3, -0.1, 0.2, 0.05, 0.1, -0.3))
    pose, point, normal = Pose.of(plant), np.array([1.2, 2.3, 2.9]), np.array([0.6, 0.0, 0.8])
    J = contact_jacobian(pose, normal, point)
    assert J @ plant.nu == pytest.approx(float(normal @ velocity_n(plant, pose, point)), rel=1e-12)
    before = pose
    displace(plant, 1e-6 * plant.nu)
    assert before.carried(Pose.of(plant), point) == pytest.approx(1e-6 * velocity_n(plant, before, point), abs=1e-11)


@pytest.mark.parametrize("kinematics", ["quaternion", "euler"])
def test_moving_turns_either_kind_of_attitude(kinematics):
    plant = Simulation("bluerov2_heavy", CALM, kinematics=kinematics).plant
    plant.place(euler=(0.0, 0.0, 0.5))
    displace(plant, np.array([1.0, 0.0, 0.0, 0.0, 0.0, 0.2]))
    assert plant.euler == pytest.approx([0.0, 0.0, 0.7], abs=1e-12)
    assert plant.position_n == pytest.approx([math.cos(0.5), math.sin(0.5), 0.0], abs=1e-12)


def test_held_directions_get_no_push():
    plant = Simulation("slocum", CALM).plant
    free = np.array(plant.vehicle.free)
    assert not free.all()
    change = impulse_response(plant, np.ones(6))
    assert (change[~free] == 0.0).all() and (change[free] != 0.0).any()
