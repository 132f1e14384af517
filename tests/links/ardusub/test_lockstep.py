"""Specific force of an ideal inertial unit against closed forms, and equality with the ordinary simulation."""

import math

import numpy as np
import pytest

from pelagos.errors import CommandError
from pelagos.frames import rotation_from_euler
from pelagos.links.ardusub.lockstep import CALM, Lockstep
from pelagos.sim.simulation import Simulation
from pelagos.vehicle.load.vehicle import load_vehicle
from pelagos.world.spec import World

HEAVY = load_vehicle("bluerov2_heavy")
G = 9.80665
NEUTRAL = World(density_kg_m3=HEAVY.body.mass_kg / HEAVY.body.volume_m3, gravity_m_s2=G)
STILL = [0.0] * 8
STEP = 1.0 / 1200.0


def test_hanging_still_it_feels_minus_g():
    sim = Lockstep(HEAVY, NEUTRAL, start={"depth_m": 5.0})
    assert sim.imu.specific_force_b == (0.0, 0.0, -G)
    for _ in range(1200):
        imu = sim.advance(STILL, STEP)
        assert imu.specific_force_b == pytest.approx((0.0, 0.0, -G), abs=1e-9)  # m/s2: rounding of weight - buoyancy
    assert imu.time_s == pytest.approx(1.0, abs=1e-12)
    assert imu.position_n == pytest.approx((0.0, 0.0, 5.0), abs=1e-9)


@pytest.mark.parametrize("angles", [(30.0, 0.0, 0.0), (0.0, -40.0, 75.0), (120.0, 20.0, -100.0)])
def test_tilted_it_feels_gravity_in_its_own_axes(angles):
    roll, pitch, heading = angles
    sim = Lockstep(HEAVY, NEUTRAL, start={"depth_m": 5.0, "roll_deg": roll, "pitch_deg": pitch, "heading_deg": heading})
    imu = sim.advance(STILL, 1e-6)
    R_nb = rotation_from_euler(*np.radians(angles))
    # m/s2: within a microsecond the righting moment turns it by less than 1e-12 rad; 1e-10 / 1e-6 of rounding
    assert imu.specific_force_b == pytest.approx(R_nb.T @ [0.0, 0.0, -G], abs=1e-6)
    assert imu.euler == pytest.approx(np.radians(angles), abs=1e-9)


def test_released_it_feels_less_than_g():
    """In fresh water it sinks: a = (m - rho V) g / (m + A), and a unit on board feels a - g."""
    sim = Lockstep(HEAVY, World(density_kg_m3=1000.0, gravity_m_s2=G), start={"depth_m": 5.0})
    mass, volume, added = 13.5, 0.0134, 18.68  # kg, m3, kg: of the vehicle's file
    expected = (mass - 1000.0 * volume) * G / (mass + added)
    imu = sim.advance(STILL, STEP)
    # 0.1 %: linear damping 33 N s/m takes 33 / 32 * 0.0004 s of the first step's speed
    assert imu.specific_force_b[2] + G == pytest.approx(expected, rel=1e-3)
    assert imu.velocity_n[2] == pytest.approx(expected * STEP, rel=1e-3)


def test_dropped_in_the_air_it_falls_with_its_added_mass():
    """No water carries it: a = m g / (m + A). The engine keeps the added mass of a dry hull (docs/surface.md)."""
    sim = Lockstep(HEAVY, World(depth_m=30.0, gravity_m_s2=G), start={"depth_m": -5.0})
    mass, added = 13.5, 18.68  # kg
    imu = sim.advance(STILL, STEP)
    assert imu.specific_force_b[:2] == (0.0, 0.0)
    # 0.1 %: the damping of the first step takes 33 N s/m * 0.0017 m/s of 132 N
    assert imu.specific_force_b[2] == pytest.approx(-G * added / (mass + added), rel=1e-3)


def test_under_way_it_agrees_with_the_kernel_s_own_acceleration():
    """f = nu_dot + omega x v - R g at both ends, from `Plant.acceleration`: the mean of them is what the step gave."""
    sim = Lockstep(HEAVY, NEUTRAL, start={"depth_m": 5.0, "surge_m_s": 0.6, "yaw_rate_deg_s": 40.0, "roll_deg": 10.0})
    drives = [0.5, 0.1, -0.4, 0.2, 0.3, 0.2, 0.1, 0.4]

    def instant():
        nu = sim.plant.nu.copy()
        down_b = rotation_from_euler(*sim.plant.euler).T @ [0.0, 0.0, G]
        return sim.plant.acceleration()[:3] + np.cross(nu[3:], nu[:3]) - down_b

    for _ in range(200):
        sim.advance(drives, STEP)
    before = instant()
    imu = sim.advance(drives, STEP)
    # m/s2: the trapezoidal rule over 0.8 ms of a motion that changes within 80 ms, 1e-4 of the 0.5 m/s2 of change
    assert imu.specific_force_b == pytest.approx(0.5 * (before + instant()), abs=1e-4)
    assert imu.velocity_n == pytest.approx(rotation_from_euler(*sim.plant.euler) @ sim.plant.nu[:3], abs=1e-12)


def test_lying_on_the_bottom_it_feels_g_as_on_a_table():
    sim = Lockstep(HEAVY, World(depth_m=3.0, density_kg_m3=1000.0, gravity_m_s2=G), start={"depth_m": 2.7})
    for _ in range(1200):  # 20 s: it sinks by a hand and comes to rest
        sim.advance(STILL, 1.0 / 60.0)
    felt = [sim.advance(STILL, 1.0 / 60.0).specific_force_b for _ in range(60)]
    assert sim.plant.state["touch"]["count"] > 0
    # m/s2: free in the water it would feel 0.03 less; the contact keeps it within a third of that
    assert np.mean(felt, axis=0) == pytest.approx((0.0, 0.0, -G), abs=0.01)


def test_any_interval_gives_the_motion_of_a_simulation():
    """One second in uneven pieces against `Simulation` at 10 Hz with its own steps; RK4 differs by its fifth order."""
    drives = [0.3, -0.2, 0.1, 0.4, 0.2, 0.2, -0.1, 0.2]
    pieces = Lockstep(HEAVY, CALM, start={"depth_m": 5.0, "heading_deg": 30.0})
    rng = np.random.default_rng(1)
    cuts = np.sort(np.append(rng.uniform(0.0, 1.0, 50), 1.0))
    for seconds in np.diff(cuts, prepend=0.0):
        pieces.advance(drives, float(seconds))
    whole = Simulation(HEAVY, CALM)
    whole.place(depth_m=5.0, heading_deg=30.0)
    whole.thrust(drives)
    for _ in range(10):
        whole.tick()
    assert pieces.time_s == pytest.approx(whole.time_s, abs=1e-12)
    assert pieces.plant.position_n == pytest.approx(whole.plant.position_n, abs=1e-6)  # m
    assert pieces.plant.nu == pytest.approx(whole.plant.nu, abs=1e-5)  # m/s and rad/s


def test_a_current_that_changes_carries_it_along():
    world = World(current=lambda t: (0.1 * t, 0.0, 0.0), density_kg_m3=NEUTRAL.density_kg_m3)
    sim = Lockstep(HEAVY, world, start={"depth_m": 5.0})
    same = Simulation(HEAVY, world, control_rate_hz=100.0)
    same.place(depth_m=5.0)
    for _ in range(300):
        sim.advance(STILL, 0.01)
        same.tick()
    assert sim.plant.nu[0] > 0.05  # m/s: it is on its way
    assert sim.plant.nu == pytest.approx(same.plant.nu, abs=1e-12)  # the same steps, the same straight lines


def test_without_a_world_it_floats_at_the_surface_of_the_sea():
    """13.735 kg of sea water against 13.5 kg: 0.0134 m3 - 13.5 kg / 1025 kg/m3 stay dry, the top 6.5 mm of its box."""
    sim = Lockstep(HEAVY)
    for _ in range(1200):
        imu = sim.advance(STILL, 0.05)
    dry_m = (0.0134 - 13.5 / 1025.0) / (0.0134 / 0.38)  # the volume is spread over the height of the box
    middle_m = 0.5 * 0.38 - dry_m  # depth of its middle, the centre of buoyancy, which is 0.01 m above O
    assert imu.position_n[2] == pytest.approx(middle_m + 0.01, abs=1e-3)
    assert abs(imu.velocity_n[2]) < 1e-3


def test_restart_and_silence():
    sim = Lockstep(HEAVY, start={"depth_m": 8.0, "heading_deg": 90.0})
    first = [sim.advance([0.5] * 8, STEP) for _ in range(100)]
    assert np.abs(sim.plant.state["actuators"]["thruster"][:8]).max() > 1.0  # N
    sim.stop_thrusters()
    assert np.abs(sim.plant.state["actuators"]["thruster"][:8]).max() == 0.0
    sim.restart()
    assert sim.time_s == 0.0 and sim.imu.position_n == (0.0, 0.0, 8.0)
    assert sim.imu.euler[2] == pytest.approx(0.5 * math.pi, abs=1e-12)
    assert [sim.advance([0.5] * 8, STEP) for _ in range(100)] == first  # bit for bit


def test_a_start_in_the_seabed_is_refused():
    with pytest.raises(CommandError, match="expected a place in open water"):
        Lockstep(HEAVY, World(depth_m=10.0), start={"depth_m": 9.95})
    with pytest.raises(CommandError, match="place has no key 'deph_m'"):
        Lockstep(HEAVY, start={"deph_m": 3.0})
