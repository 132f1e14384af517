"""Measurements of contacts and of other vehicles; without any of them no bit changes."""

import math

import numpy as np
import pytest

import pelagos
from pelagos.frames import quaternion_from_euler, rotation_from_euler
from pelagos.sensors.sound.altimeter import Altimeter
from pelagos.sensors.sound.imaging import ImagingSonar
from pelagos.sensors.sound.multibeam import Multibeam
from pelagos.sensors.sound.navigation_sonar import NavigationSonar
from pelagos.sim.contacts import Contact, Contacts
from pelagos.sim.fleet import Fleet
from pelagos.sim.moving_obstacles import Ellipsoid, MovingObstacles, entry_points, hull_box, scene_at
from pelagos.sim.simulation import Simulation
from pelagos.world.structure import Structure

DEEP = pelagos.World(depth_m=60.0)
RNG = np.random.default_rng(3)


def contact_at(position, size=(8.0, 2.0, 4.0), euler=(0.0, 0.0, 0.0), **more):
    q = quaternion_from_euler(*euler).tolist()
    names = dict(zip(("length_m", "beam_m", "height_m"), size, strict=True))
    return Contact.of({"key": "k", "position_m": list(position), "quaternion": q, "time_s": 0.0, **names, **more})


def obstacle_scene(*contacts, world=DEEP, time_s=0.0):
    table = Contacts()
    for contact in contacts:
        table.put(contact)
    return MovingObstacles(world, table, (), time_s)


def test_along_its_axes_an_ellipsoid_is_met_half_its_size_from_its_middle():
    scene = obstacle_scene(contact_at((20.0, 0.0, 30.0), euler=(0.0, 0.0, math.pi / 2)))  # long from east to west
    for start, along, away in (
        ((0.0, 0.0, 30.0), (1.0, 0.0, 0.0), 20.0 - 1.0),  # its beam, 2 m
        ((20.0, 30.0, 30.0), (0.0, -3.0, 0.0), 30.0 - 4.0),  # its length, 8 m; a direction of any length
        ((20.0, 0.0, 5.0), (0.0, 0.0, 1.0), 25.0 - 2.0),  # its height, 4 m
    ):
        hits = scene.cast(start, along)
        assert hits.range_m[0] == pytest.approx(away, rel=1e-14)
        assert hits.normal[0] == pytest.approx(-np.array(along) / np.linalg.norm(along), abs=1e-12)
        assert hits.name(0) == "k" and hits.obstacle[0] == 0


def test_random_rays_end_on_the_skin_and_leave_by_its_normal():
    """Any ray that enters ends where x^2/a^2 + y^2/b^2 + z^2/c^2 = 1; the normal is the gradient of that."""
    half = np.array([3.0, 0.7, 1.5])
    R = rotation_from_euler(0.4, -0.9, 2.2)
    thing = Ellipsoid(np.array([5.0, -3.0, 20.0]), R, half)
    starts = thing.center_n + RNG.normal(size=(500, 3)) * 10.0
    starts = starts[np.linalg.norm((starts - thing.center_n) @ R / half, axis=1) > 1.0]
    aims = thing.center_n + RNG.normal(size=starts.shape) * 1.5
    along = aims - starts
    along /= np.linalg.norm(along, axis=1, keepdims=True)
    ranges, normals, _ = entry_points([thing], starts, along)
    met = np.isfinite(ranges)
    assert 100 < met.sum() < len(met)
    points = ((starts + np.where(met, ranges, 0.0)[:, None] * along - thing.center_n) @ R)[met]
    assert ((points / half) ** 2).sum(axis=1) == pytest.approx(np.ones(met.sum()), abs=1e-10)
    gradient = (points / half**2) @ R.T
    assert normals[met] == pytest.approx(gradient / np.linalg.norm(gradient, axis=1, keepdims=True), abs=1e-9)
    assert (np.einsum("ij,ij->i", normals[met], along[met]) < 0.0).all()
    # those that missed pass the unit sphere outside it, or it lies behind them
    o, d = ((starts - thing.center_n) @ R / half)[~met], (along @ R / half)[~met]
    nearest = o - np.minimum(np.einsum("ij,ij->i", o, d), 0.0)[:, None] / (d * d).sum(axis=1, keepdims=True) * d
    assert (np.linalg.norm(nearest, axis=1) >= 1.0 - 1e-9).all()


def test_what_is_nearer_hides_what_is_behind():
    wall = Structure(kind="box", center_m=(30.0, 0.0, 30.0), size_m=(2.0, 20.0, 20.0), name="wall")
    world = pelagos.World(depth_m=60.0, structures=(wall,))
    before, behind = contact_at((20.0, 0.0, 30.0), key="near", name="near"), contact_at((40.0, 0.0, 30.0), key="far")
    scene = obstacle_scene(before, behind, world=world)
    hits = scene.cast((0.0, 0.0, 30.0), [(1.0, 0.0, 0.0), (1.0, 0.2, 0.0), (-1.0, 0.0, 0.0), (0.0, 0.0, 1.0)])
    assert [hits.name(k) for k in range(4)] == ["near", "wall", "nothing", "seabed"]
    assert hits.range_m[0] == pytest.approx(16.0, rel=1e-14)
    short = scene.cast((0.0, 0.0, 30.0), (1.0, 0.0, 0.0), max_range_m=15.9)
    assert short.name(0) == "nothing" and math.isinf(short.range_m[0])


def test_from_the_inside_nothing_of_it_is_seen():
    scene = obstacle_scene(contact_at((0.0, 0.0, 30.0)))
    assert scene.cast((0.5, 0.0, 30.0), (0.0, 0.0, 1.0)).name(0) == "seabed"


def test_far_away_no_digits_are_lost():
    """A sphere of 2 m at 100 km, met 0.9 m off its middle: 1e5 - sqrt(1 - 0.81)."""
    scene = obstacle_scene(contact_at((1e5, 0.9, 30.0), size=(2.0, 2.0, 2.0)), world=pelagos.World())
    range_m = scene.cast((0.0, 0.0, 30.0), (1.0, 0.0, 0.0)).range_m[0]
    assert range_m == pytest.approx(1e5 - math.sqrt(1.0 - 0.81), abs=1e-9)


def test_of_many_obstacles_the_nearest_is_hit():
    """Two hundred spheres in a row, one behind the other, and one alone beyond them to the side."""
    row = [contact_at((10.0 + 2.0 * k, 0.0, 30.0), size=(1.0, 1.0, 1.0), key=str(k)) for k in range(200)]
    scene = obstacle_scene(*row, contact_at((300.0, 300.0, 30.0), key="far"))
    hits = scene.cast((0.0, 0.0, 30.0), [(1.0, 0.0, 0.0), (1.0, 1.0, 0.0)])
    assert hits.range_m[0] == pytest.approx(9.5, rel=1e-14) and hits.name(0) == "0"
    assert hits.name(1) == "nothing"  # beyond the nearest ones
    assert obstacle_scene(*row[:60], contact_at((300.0, 300.0, 30.0), key="far")).cast(
        (0.0, 0.0, 30.0), (1.0, 1.0, 0.0)
    ).name(0) == "far"  # fmt: skip


def test_many_obstacles_and_rays_at_once_equal_single_ones():
    """Each ray ends at the nearest of what it meets of every thing alone; from one start and from several."""
    things = [
        contact_at(
            RNG.normal(size=3) * 15.0 + (0.0, 0.0, 30.0), RNG.uniform(2.0, 20.0, 3), RNG.uniform(-3, 3, 3), key=f"k{k}"
        )
        for k in range(40)
    ]
    alone = [obstacle_scene(thing) for thing in things]
    along = RNG.normal(size=(200, 3))
    for starts in (np.array([[0.0, 0.0, 30.0]]), RNG.normal(size=(200, 3)) * 10.0 + (0.0, 0.0, 30.0)):
        together = obstacle_scene(*things).cast(starts, along, max_range_m=40.0)
        each = [scene.cast(starts, along, max_range_m=40.0) for scene in alone]
        ranges = np.array([hits.range_m for hits in each])
        assert together.range_m == pytest.approx(ranges.min(axis=0), rel=1e-12)
        first = ranges.argmin(axis=0)
        met = together.obstacle >= 0
        assert met.sum() > 20
        assert (together.obstacle[met] == first[met]).all()
        normals = np.array([each[k].normal[ray] for ray, k in enumerate(first)])
        assert together.normal == pytest.approx(normals, abs=1e-9)


def test_without_obstacles_it_is_the_world_itself():
    assert scene_at(DEEP, Contacts(), (), 0.0) is DEEP


# ---- instruments -----------------------------------------------------------------------------------------------------


def watcher(*sensors, **place):
    sim = Simulation("bluerov2_heavy", DEEP, sensors=list(sensors), name="watcher")
    sim.place(depth_m=20.0, **place)
    return sim


def reading(sim, name):
    return sim.sensing.suite.latest[name].values


def test_an_altimeter_hears_what_lies_below():
    """One beam straight down from O, on a sphere of 3 m straight below, that moves across and is gone again."""
    sim = watcher(Altimeter(rate_hz=10.0, max_range_m=100.0, beam_width_deg=0.0))
    sim.contacts.put(
        contact_at((-4.0, 0.0, 40.0), size=(6.0, 6.0, 6.0), velocity_m_s=[2.0, 0.0, 0.0], algorithm=2, expires_s=5.0)
    )
    heard = []
    for _ in range(60):
        sim.tick()
        true_state = sim.evaluate()
        north, down = true_state.position_n[0], true_state.position_n[2]
        across = abs(-4.0 + 2.0 * sim.time_s - north) + abs(true_state.position_n[1])
        level = max(abs(true_state.euler[0]), abs(true_state.euler[1])) < 1e-3
        if level and sim.time_s <= 5.0 and (across < 2.9 or across > 3.1):
            expected = 40.0 - math.sqrt(9.0 - across**2) - down if across < 3.0 else 60.0 - down
            heard.append(across < 3.0)
            # a tilt of 1e-3 rad shifts the beam by 2 cm at 20 m, on a slope of up to 1 in 0.26
            assert float(reading(sim, "altimeter")[0]) == pytest.approx(expected, abs=0.1)
    assert True in heard and False in heard
    assert float(reading(sim, "altimeter")[0]) == pytest.approx(60.0 - sim.evaluate().position_n[2], abs=0.1)  # expired


@pytest.mark.parametrize("beams", [2, 65])
def test_a_multibeam_sees_a_contact_at_its_range(beams):
    """Beams in the y-z plane from O; a sphere below: r = D cos a - sqrt(R^2 - D^2 sin^2 a), else the bottom."""
    sim = watcher(Multibeam(rate_hz=10.0, n_beams=beams, swath_deg=80.0, max_range_m=200.0))
    radius, away = 8.0, 20.0
    sim.contacts.put(contact_at((0.0, 0.0, 40.0), size=(2 * radius,) * 3))
    sim.make_ready(0.1)
    values = reading(sim, "multibeam")
    angles = np.radians(np.linspace(-40.0, 40.0, beams))
    inside = radius**2 - (away * np.sin(angles)) ** 2
    near = away * np.cos(angles) - np.sqrt(np.maximum(inside, 0.0))
    assert values == pytest.approx(np.where(inside > 0.0, near, 40.0 / np.cos(angles)), rel=1e-12)


def test_a_single_beam_ahead_sees_it_and_the_image_lights_up():
    beam = NavigationSonar(name="ahead", rate_hz=10.0, n_beams=1, max_range_m=80.0)
    image = ImagingSonar(name="image", rate_hz=10.0, max_range_m=80.0, n_bearings=16)
    sim = watcher(beam, image, heading_deg=90.0)
    sim.contacts.put(contact_at((0.0, 30.0, 20.0), size=(10.0, 4.0, 4.0)))
    sim.make_ready(0.1)
    assert float(reading(sim, "ahead")[0]) == pytest.approx(28.0, rel=1e-12)  # abeam of it: half its beam of 4 m
    alone = watcher(beam, image, heading_deg=90.0)
    alone.make_ready(0.1)
    assert float(reading(alone, "ahead")[0]) == 80.0
    assert not np.array_equal(reading(sim, "image"), reading(alone, "image"), equal_nan=True)


def test_without_contacts_readings_are_those_of_the_world_bit_for_bit():
    """A contact out of everybody's reach takes the other way through the code, and must not change a bit either."""
    runs = []
    for far in (False, True):
        sim = Simulation("bluerov2_heavy", DEEP, sensors=True, seed=5)
        sim.place(depth_m=20.0)
        sim.pilot(surge=0.5, yaw=0.2)
        if far:
            sim.contacts.put(contact_at((5000.0, 0.0, 20.0)))
        runs.append(sim.run(5.0).table())
    assert np.array_equal(runs[0], runs[1], equal_nan=True)


@pytest.mark.slow
def test_vehicles_of_a_fleet_see_each_other_and_share_contacts():
    beam = NavigationSonar(name="ahead", rate_hz=10.0, n_beams=1, max_range_m=80.0)
    sims = [Simulation("bluerov2_heavy", DEEP, sensors=[beam], name=name) for name in ("a", "b")]
    sims[0].place(depth_m=20.0)
    sims[1].place(depth_m=20.0, north_m=15.0, heading_deg=180.0)
    fleet = Fleet(sims)
    assert sims[0].contacts is sims[1].contacts
    fleet.tick()
    center, half = hull_box(sims[1].plant)
    for sim, other in (sims, sims[::-1]):
        gap = abs(sim.plant.position_n[0] - other.plant.position_n[0])
        # straight ahead of O the nose of the other, a little round where the beam is not on its middle
        assert gap - center[0] - half[0] <= float(reading(sim, "ahead")[0]) < gap


def test_the_box_about_a_hull_holds_its_length():
    """The REMUS 100 of Prestero (2001): 1.33 m long, 0.191 m in diameter."""
    _, half = hull_box(Simulation("remus100", DEEP).plant)
    assert 2.0 * half == pytest.approx([1.33, 0.191, 0.191], abs=5e-3)
