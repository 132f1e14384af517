"""Observations of a judge: pose and picture of the camera, the hull's box, collisions, effort."""

import math

import numpy as np
import pytest

import pelagos
from pelagos.frames import rotation_from_euler
from pelagos.training.observation import Observer, camera_pose, hull_box
from pelagos.vehicle.load.vehicle import load_vehicle
from pelagos.world.spec import World
from pelagos.world.structure import Structure
from tests.training.observations import observe


def royer(point, position, rotation_nb, mount, pan, tilt):
    """Royer 4.2.e as printed: x_c = Ry Rz (T (X - X_P) - C)."""
    ca, sa, cb, sb = math.cos(tilt), math.sin(tilt), math.cos(pan), math.sin(pan)
    turn = np.array([[ca, 0, -sa], [0, 1, 0], [sa, 0, ca]]) @ np.array([[cb, sb, 0], [-sb, cb, 0], [0, 0, 1]])
    return turn @ (rotation_nb.T @ (point - position) - mount)


def test_the_camera_stands_as_in_the_thesis():
    rng = np.random.default_rng(3)
    for _ in range(20):
        position, point, mount = rng.normal(size=(3, 3)) * 5.0
        rotation = rotation_from_euler(*rng.uniform(-1.0, 1.0, 3))
        pan, tilt = rng.uniform(-1.5, 1.5, 2)
        place, axes = camera_pose(position, rotation, mount, pan, tilt)
        mine = axes.T @ (point - place)
        assert mine == pytest.approx(royer(point, position, rotation, mount, pan, tilt), abs=1e-12)  # rounding


def test_pan_is_to_starboard_and_tilt_up():
    _, axes = camera_pose(np.zeros(3), np.eye(3), (0.0, 0.0, 0.0), math.radians(90.0), 0.0)
    assert axes[:, 0] == pytest.approx([0.0, 1.0, 0.0], abs=1e-15)
    _, axes = camera_pose(np.zeros(3), np.eye(3), (0.0, 0.0, 0.0), 0.0, math.radians(90.0))
    assert axes[:, 0] == pytest.approx([0.0, 0.0, -1.0], abs=1e-15)


def test_the_picture_ends_at_half_the_field_of_view():
    observation = observe(fov_deg=90.0)  # tan 45 = 1: at 4 m ahead 4 m to each side, 4 x 9/16 = 2.25 m up and down
    inside = [(4.0, 3.99, 0.0), (4.0, -3.99, 0.0), (4.0, 0.0, 2.24), (4.0, 0.0, -2.24)]
    outside = [(4.0, 4.01, 0.0), (4.0, 0.0, 2.26), (-4.0, 0.0, 0.0)]
    assert observation.in_picture(inside).all()
    assert not observation.in_picture(outside).any()
    assert not observation._replace(zoom=2.0).in_picture([(4.0, 2.01, 0.0)])[0]
    assert observation.in_picture([(4.0, 1.99, 0.0)], share=0.5)[0]
    assert not observation.in_picture([(4.0, 2.01, 0.0)], share=0.5)[0]


def test_the_hull_of_sea_grant_is_its_box():
    low, high = hull_box(load_vehicle("seagrant1"))  # Royer 6.1.a: 3 m x 1.6 m x 0.8 m
    assert high - low == pytest.approx([3.0, 1.6, 0.8])


# m: shapes that differ from the length that their file gives for the coefficients
SHAPE_LENGTHS = {
    "suboff": 4.3561,  # overall; the coefficients take the length between perpendiculars, 4.2609
    "remus100_mss": 2.0 * 0.80768,  # the ellipsoid of the program, for a vehicle of 1.6
}


def test_every_vehicle_of_the_library_has_a_box_of_its_length():
    from pelagos.files.library import VEHICLES

    for key in VEHICLES.names():
        vehicle = load_vehicle(key)
        low, high = hull_box(vehicle)
        assert (high > low).all()
        length_m = SHAPE_LENGTHS.get(key, vehicle.length_m)
        assert high[0] - low[0] == pytest.approx(length_m, rel=5e-4), key  # phoenix: 7.302 ft and 87.6 in


def wall_ahead():
    wall = Structure(kind="box", name="wall", center_m=(3.0, 0.0, 5.0), size_m=(1.0, 20.0, 20.0))
    sim = pelagos.Simulation("bluerov2_heavy", World(structures=(wall,)))
    sim.place(depth_m=5.0)
    return sim


def test_a_touch_that_goes_on_is_one_collision_and_a_second_blow_another():
    sim = wall_ahead()
    observer = Observer(sim)
    counts, touching = [], []
    for stick, ticks in ((0.6, 80), (-0.6, 30), (0.6, 80)):
        sim.pilot(surge=stick)
        for _ in range(ticks):
            sim.tick()
            now = observer.observe()
            counts.append(now.collisions)
            touching.append(now.contact_with == 0.0)
    assert sum(touching) > 30  # pressed against it for seconds
    blows = sum(b and not any(touching[max(k - 5, 0) : k]) for k, b in enumerate(touching))  # 5 ticks: half a second
    assert blows == 2
    assert counts[-1] == blows
    assert counts == sorted(counts)


def test_effort_and_power_are_those_of_the_thrusters():
    sim = wall_ahead()
    observer = Observer(sim)
    assert observer.observe().power_w == 0.0
    limits = [t.maximum for t in sim.vehicle.thrusters]
    sim.thrust([0.5 * limit for limit in limits])
    for _ in range(10):
        sim.tick()
    now = observer.observe()
    assert now.thruster_shares == pytest.approx([0.5] * len(limits))
    assert now.power_w > 10.0  # W: eight thrusters at half drive


def test_the_camera_is_that_of_the_vehicles_file():
    sim = wall_ahead()
    camera = sim.vehicle.cameras[0]
    sim.place(north_m=-3.0, east_m=2.0, heading_deg=90.0)
    now = Observer(sim).observe(pan_rad=0.0, tilt_rad=0.0)
    x, y, z = camera.position_b
    assert now.camera_n == pytest.approx([-3.0 - y, 2.0 + x, 5.0 + z])  # turned by 90 deg: (x, y) -> (-y, x)
    assert now.camera_axes[:, 0] == pytest.approx([0.0, 1.0, 0.0], abs=1e-12)
    assert now.fov_deg == pytest.approx(math.degrees(camera.fov_rad))
