"""Vehicle and tether together: closed forms of hanging and oscillation; stiff, short, slack and breaking cables."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import pelagos
from pelagos.frames import quaternion_from_euler, rotation_from_quaternion
from pelagos.tether.spec import Cable, Status, Tether
from pelagos.vehicle.plant import Plant
from pelagos.vehicle.spec import Body
from pelagos.vehicle.towed import MOST_STEPS, PHASE, fairleads
from pelagos.world.spec import World
from tests.engine.probe import RHO, G, ball, terms

LIGHT = Cable(diameter_m=0.002, neutral=True, stiffness_N=1e5, normal_drag=0.0, tangential_drag=0.0, added_mass=0.0)
CALM = World(surface=False, density_kg_m3=RHO, gravity_m_s2=G)
SINKS = Body(100.0, 90.0 / RHO, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), np.diag([4.0, 4.0, 4.0]))  # 10 kg too heavy
UNBOUNDED = World(surface=False)
DAMPED = terms({"X u": -200.0, "Y v": -200.0, "Z w": -200.0, "K p": -20.0, "M q": -20.0, "N r": -20.0})


def down(newtons):
    """An external force straight down, whatever the attitude."""

    def force(state):
        R = rotation_from_quaternion(quaternion_from_euler(state.roll, state.pitch, state.yaw))
        return np.concatenate([R.T @ (0.0, 0.0, newtons), np.zeros(3)])

    return force


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["dynamic", "static"])
def test_a_heavy_ball_hangs_on_its_cable(mode):
    """Pull at both ends is the weight in water; the cable is longer by T L/EA.

    Tolerances: what is left of a damped swing after 120 s, and for the depth half of it.
    """
    sim = pelagos.Simulation(
        ball(body=SINKS, coefficients=DAMPED), CALM, tether=Tether(cable=LIGHT, length_m=50.0, mode=mode)
    )
    sim.place(depth_m=49.9)
    log = sim.run(120)
    weight = 10.0 * G
    assert log["tether_tension_N"][-1] == pytest.approx(weight, rel=1e-4)
    assert log["tether_ship_tension_N"][-1] == pytest.approx(weight, rel=1e-4)
    assert log["depth_m"][-1] == pytest.approx(50.0 * (1.0 + weight / 1e5), abs=1e-4)
    np.testing.assert_allclose(log.forces["tether"][-1][:3], [0.0, 0.0, -weight], atol=0.02)


@pytest.mark.slow
def test_a_mass_on_a_stretching_cable_bobs_at_the_frequency_of_its_stiffness():
    """omega^2 = EA/(L m), 2 rad/s here, without drag; implicit Euler at 5 ms shifts it by (omega h)^2/8: 1e-5.

    Its damping is omega h/2 a radian: the swing falls by about 15 % a period of 3.1 s; only the period is tested.
    """
    free = Body(100.0, 100.0 / RHO, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), np.diag([4.0, 4.0, 4.0]))
    cable = replace(LIGHT, stiffness_N=4.0 * 100.0 * 50.0)
    sim = pelagos.Simulation(
        ball(body=free, added_mass=np.zeros((6, 6))),
        CALM,
        control_rate_hz=200.0,
        tether=Tether(cable=cable, length_m=50.0, step_s=0.005),
    )
    sim.external((0.0, 0.0, 400.0, 0.0, 0.0, 0.0))  # hangs at a stretch of 1 m
    sim.place(depth_m=50.4)
    log = sim.run(12.0)
    z = log["depth_m"] - 51.0
    up = np.nonzero((z[:-1] < 0.0) & (z[1:] >= 0.0))[0]
    at = log["time_s"][up] - z[up] * 0.005 / (z[up + 1] - z[up])
    np.testing.assert_allclose(np.diff(at), np.pi, rtol=2e-3)  # the cable's own 0.16 kg of 100, and the shift


@pytest.mark.slow
def test_fairlead_off_the_centre_turns_the_vehicle_until_the_moments_balance():
    """A ball hung by its side at x = 0.5 m with its mass 0.2 m below: tan(pitch) = T x / (T z + W z_G)."""
    body = replace(SINKS, cg_b=(0.0, 0.0, 0.2), inertia_o=np.diag([8.0, 8.0, 4.0]))
    sim = pelagos.Simulation(
        ball(body=body, coefficients=DAMPED), CALM,
        tether=Tether(cable=LIGHT, length_m=30.0, fairlead_m=(0.5, 0.0, -0.1)),
    )  # fmt: skip
    sim.place(depth_m=29.9)
    log = sim.run(200)
    pull, weight = 10.0 * G, 100.0 * G
    expected = np.degrees(np.arctan2(pull * 0.5, pull * 0.1 + weight * 0.2))
    assert log["pitch_deg"][-1] == pytest.approx(expected, abs=0.05)


STIFF = [
    # vehicle, EA, kg/m, diameter, length, pull: the two, and harder ones
    ("bluerov2_heavy", 1e5, 0.045, 0.0076, 50.0, 60.0),
    ("bluerov2_heavy", 1e5, 0.045, 0.0076, 5.0, 60.0),
    ("bluerov2_heavy", 1e7, 2.0, 0.030, 20.0, 100.0),
    ("seagrant1", 1e6, 1.5, 0.030, 100.0, 800.0),
    ("rexrov", 1e6, 1.5, 0.030, 100.0, 800.0),
]


@pytest.mark.slow
@pytest.mark.parametrize(("key", "EA", "mass", "diameter", "length", "force"), STIFF)
def test_taut_and_stiff_at_50_hz_is_steady(key, EA, mass, diameter, length, force):
    """Pulled taut by a steady force, 20 ms steps: after 40 s the pull does not ring.

    A pull fed back one step late rings with a third of the pull on such cables; 1 % is quiet beside it.
    """
    cable = Cable(diameter_m=diameter, mass_kg_m=mass, stiffness_N=EA)
    world = World(current_m_s=0.3, surface=False)
    tether = Tether(cable=cable, length_m=length, fairlead_m=(0.0, 0.0, 0.0))
    sim = pelagos.Simulation(key, world, control_rate_hz=50.0, tether=tether)
    sim.place(depth_m=length - 0.1)
    sim.external(down(force))
    log = sim.run(60)
    late = log["tether_tension_N"][log["time_s"] > 40.0]
    assert late.mean() > 0.4 * force
    assert late.std() < 0.01 * late.mean()
    assert not any(int(s) & Status.NOT_CONVERGED for s in log["tether_status"])


@pytest.mark.slow
def test_swinging_freely_energy_never_grows():
    """Ball (150 kg with its added mass) and cable in still water without drag: its energy falls or stays.

    The cable weighs 1/600 of the ball; what it carries is the tolerance.
    """
    sim = pelagos.Simulation(
        ball(body=SINKS), CALM, control_rate_hz=50.0,
        tether=Tether(cable=LIGHT, length_m=20.0, ship_north_m=0.0, ship_east_m=0.0),
    )  # fmt: skip
    sim.place(north_m=10.0, depth_m=17.0)
    log = sim.run(60)
    speed2 = log["surge_m_s"] ** 2 + log["sway_m_s"] ** 2 + log["heave_m_s"] ** 2
    stretch = np.maximum(np.hypot(log["north_m"], log["depth_m"]) / 20.0 - 1.0, 0.0)
    energy = 75.0 * speed2 - 10.0 * G * log["depth_m"] + 0.5 * 1e5 * 20.0 * stretch**2
    assert speed2.max() > 1.0  # it does swing
    assert np.diff(energy).max() < 1e-2 * (energy.max() - energy.min())
    assert energy[-1] < energy[0]


@pytest.mark.slow
def test_contact_over_the_steps_of_a_control_interval_is_their_mean():
    """A ball lying on the bottom on a slack tether: the log's contact force is its weight in water."""
    world = World(depth_m=20.0, density_kg_m3=RHO, gravity_m_s2=G)
    vehicle = pelagos.load_vehicle("bluerov2_heavy")
    sim = pelagos.Simulation(vehicle, world, tether=Tether(length_m=60.0))
    sim.external(down(200.0))
    sim.place(depth_m=19.5)
    log = sim.run(30)
    hung = -log.forces["restoring"][-1][2] - log.forces["tether"][-1][2]
    assert log["contact_N"][-1] == pytest.approx(200.0 - hung, rel=0.02)
    assert log["contact_with"][-1] == -1


def test_fairleads_of_many_are_those_of_single_plants():
    """Two ways to turn a vector: 1e-14 of some metres and metres a second."""
    rng, plant = np.random.default_rng(2), Plant(ball())
    n, arm = 5, np.array([0.3, -0.2, 0.7])
    plant.attach_tether(arm)
    place, nu, quaternion = rng.normal(size=(n, 3)), rng.normal(size=(n, 6)), rng.normal(size=(n, 4))
    ends, velocities = fairleads(place, quaternion, nu, np.tile(arm, (n, 1)))
    for i in range(n):
        plant.place(position_n=place[i], quaternion=quaternion[i] / np.linalg.norm(quaternion[i]), nu=nu[i])
        end, velocity = plant.fairlead()
        np.testing.assert_allclose(ends[i], end, atol=1e-14)
        np.testing.assert_allclose(velocities[i], velocity, atol=1e-14)


def test_a_run_restored_goes_on_to_the_same_bits():
    sim = pelagos.Simulation("bluerov2_heavy", World(current_m_s=0.2, depth_m=60.0), tether=Tether(length_m=40.0))
    sim.place(depth_m=20.0)
    sim.pilot(surge=0.4)
    sim.run(5)
    saved = sim.save()
    first = sim.run(5)
    sim.restore(saved)
    again = sim.run(5)
    for name in first.columns:
        np.testing.assert_array_equal(first[name], again[name], err_msg=name)


def count(log, status: Status) -> int:
    return sum(bool(int(s) & status) for s in log["tether_status"])


@pytest.mark.slow
@pytest.mark.parametrize("step_s", [0.02, 0.005])
@pytest.mark.parametrize(
    ("key", "length", "speed", "force"), [("seagrant1", 30.0, 2.0, 500.0), ("bluerov2_heavy", 20.0, 2.0, 60.0)]
)
def test_a_slack_cable_in_calm_water_brings_the_vehicle_up(key, length, speed, force, step_s):
    """Neutral cable, still water, the vehicle runs on at speed under thrust until nothing is slack any more.

    The stretch that takes up its energy is v sqrt(m/(EA L)) of the length, below 1.5 % for both; drag only lessens it.
    """
    rigged = Tether(length_m=length, step_s=step_s, ship_north_m=0.0, ship_east_m=0.0, ship_depth_m=20.0)
    sim = pelagos.Simulation(key, UNBOUNDED, control_rate_hz=50.0, tether=rigged)
    sim.place(north_m=0.6 * length, depth_m=20.0, surge_m_s=speed)
    sim.external((force, 0.0, 0.0, 0.0, 0.0, 0.0))
    log = sim.run(0.8 * length / speed + 20.0)
    assert count(log, Status.NOT_CONVERGED) == 0
    assert (1.0 / log["tether_ratio"]).max() < 1.015
    assert log["tether_tension_N"][-1] == pytest.approx(force, rel=0.1)  # holds the thrust, in the end


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["dynamic", "static"])
@pytest.mark.parametrize("ship_depth_m", [-3.0, 0.0, 0.5])
def test_a_calm_sea_is_no_hard_case(mode, ship_depth_m):
    """Neutral cable, no current: nothing but the dry part weighs; every number stays one."""
    sim = pelagos.Simulation(
        "bluerov2_heavy", World(depth_m=200.0), tether=Tether(mode=mode, ship_depth_m=ship_depth_m)
    )
    sim.place(depth_m=20.0)
    sim.pilot(surge=0.3)
    log = sim.run(10.0)
    assert count(log, Status.NOT_CONVERGED) == 0
    assert np.isfinite(sim.tether.head["end_stiffness"]).all()
    assert log["tether_tension_N"].max() < 10.0
    dry = max(-ship_depth_m, 0.0) * sim.tether.cable.mass_in(1025.0) * G
    assert log["tether_ship_tension_N"][-1] == pytest.approx(dry, abs=1.0 if mode == "dynamic" else 0.35)


@pytest.mark.slow
@pytest.mark.parametrize("integrator", ["rk4", "heun", "euler"])
@pytest.mark.parametrize("length", [1.0, 2.0, 5.0])
def test_an_umbilical_of_a_few_metres_holds_a_light_vehicle_still(integrator, length):
    """EA/L up to 1e7 N/m on 13 kg: the vehicle takes as many steps as that needs; the pull is the 100 N it holds."""
    rigged = Tether(cable="work_umbilical", length_m=length, shortest_m=0.5)
    sim = pelagos.Simulation("bluerov2_heavy", UNBOUNDED, control_rate_hz=50.0, integrator=integrator, tether=rigged)
    sim.place(depth_m=length - 0.01)
    sim.external(down(100.0))
    log = sim.run(15.0)
    late = log["tether_tension_N"][log["time_s"] > 10.0]
    assert late.mean() == pytest.approx(100.0, rel=0.05)
    assert late.std() < 0.5


def test_the_lightest_thing_a_fairlead_moves():
    """A ball of 100 kg (150 with its added mass), I = 5 kg m^2 about y, tied 2 m out: across it a force meets
    1/(1/m + r^2/I), less than the mass by far."""
    plant = Plant(ball(body=Body(100.0, 100.0 / RHO, (0, 0, 0), (0, 0, 0), np.diag([4.0, 5.0, 6.0]))))
    plant.attach_tether((0.0, 0.0, 0.0))
    assert plant.lightest_at_fairlead == pytest.approx(150.0)
    plant.attach_tether((2.0, 0.0, 0.0))
    assert plant.lightest_at_fairlead == pytest.approx(1.0 / (1.0 / 150.0 + 4.0 / 5.0))
    assert MOST_STEPS * min(PHASE.values()) > 500.0


@pytest.mark.parametrize("step_s", [0.02, 0.01, 0.005])
def test_whether_it_breaks_does_not_depend_on_the_step(step_s):
    """5 kg at 0.5 m/s into an EA of 1e7 over 2 m: the pull is v sqrt(k m) = 2.5 kN, whatever a step foresees."""
    light = Body(5.0, 5.0 / RHO, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), 0.5 * np.eye(3))
    cable = Cable(diameter_m=0.01, neutral=True, stiffness_N=1e7, breaking_load_N=20_000.0)
    rigged = Tether(
        cable=cable, length_m=2.0, step_s=step_s, parts=True, ship_north_m=0.0, ship_east_m=0.0, ship_depth_m=10.0
    )
    sim = pelagos.Simulation(
        ball(body=light, added_mass=np.zeros((6, 6))), UNBOUNDED, control_rate_hz=50.0, tether=rigged
    )
    sim.place(north_m=1.9, depth_m=10.0, surge_m_s=0.5)
    log = sim.run(3.0)
    assert count(log, Status.PARTED) == 0
    assert np.abs(log["surge_m_s"]).max() < 0.55  # thrown back no faster than it came


def test_a_tension_winch_keeps_a_light_vehicle_in_hand():
    """Set to 20 N, full speed a tenth more: flown about in calm water the pull at the ship stays below 25 N."""
    sim = pelagos.Simulation(
        "bluerov2_heavy", World(depth_m=50.0), tether=Tether(payout="tension", tension_N=20.0, length_m=35.0)
    )
    sim.place(depth_m=10.0)
    most = 0.0
    for sticks in ({"surge": 1.0}, {"surge": -1.0, "yaw": 0.3}, {"sway": 1.0}):
        sim.pilot(**sticks)
        log = sim.run(15.0)
        most = max(most, log["tether_tension_N"].max(), log["tether_ship_tension_N"].max())
        assert count(log, Status.NOT_CONVERGED) == 0
    assert most < 25.0
    assert log["tether_ship_tension_N"][-1] == pytest.approx(20.0, rel=0.15)
