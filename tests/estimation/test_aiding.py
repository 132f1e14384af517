"""Aiding measurements: noise and lasting errors of each instrument, and the vehicle's dynamics as an instrument."""

import copy
import math
from dataclasses import replace

import numpy as np
import pytest

import pelagos
from pelagos.estimation.aiding import LEAST, ModelAid, make_aids
from pelagos.estimation.error_state import DEPTH, HEADING, LEVEL, POSITION, RANGE, VELOCITY
from pelagos.estimation.strapdown import States
from pelagos.messages import Actuation
from pelagos.sensors.compass import Compass
from pelagos.sensors.depth import Depth
from pelagos.sensors.gps import Gps
from pelagos.sensors.leak import LeakDetector
from pelagos.sensors.sound.acoustic_position import Lbl, Usbl
from pelagos.sensors.sound.dvl import Dvl
from pelagos.sensors.water_speed import WaterSpeed

NAN = math.nan


def aid_and_states(sensor, *, current=-1, wave_m=0.0, imu_b=(0.0, 0.0, 0.0)):
    states = States()
    if current >= 0:
        states.add("current", 2, 0.3)
    aids = make_aids({"it": sensor}, states, np.array(imu_b), noise=1.0, wave_m=wave_m, current=current)
    return aids.get("it"), states


def dvl_values(ground=(1.0, 0.0, 0.0), height=20.0, water=(NAN, NAN, NAN)):
    return [*ground, height, *[height] * 4, *water, 4.0]


def test_a_depth_has_noise_steps_and_waves():
    aid, states = aid_and_states(
        Depth(noise_m=0.03, resolution_m=0.1, scale=1e-3, bias_m=0.2, position_m=(1, 2, 3)), imu_b=(1, 1, 1)
    )
    (measured,) = aid.read([5.0], False)
    assert measured.kind == DEPTH and measured.m == 1 and measured.z[0] == 5.0
    assert measured.sigma[0] == pytest.approx(math.sqrt(0.03**2 + 0.1**2 / 12.0))
    assert measured.lever[:3] == pytest.approx([0.0, 1.0, 2.0])
    assert states.names[15:] == ["it scale", "it bias"] and list(measured.index) == [-1, 15, -1, 16]
    assert list(aid.read([NAN], False)) == []
    aid, _ = aid_and_states(Depth(noise_m=0.03), wave_m=0.5)
    (measured,) = aid.read([8.0], False)  # the decay length of the gauge
    assert measured.sigma[0] == pytest.approx(math.hypot(0.03, 0.5 / math.e))


def test_a_compass_has_deviation_and_tells_tilt_only_without_an_imu():
    aid, states = aid_and_states(
        Compass(noise_deg=1.0, bias_deg=2.0, hard_iron_deg=1.0, tilt=True, declination_deg=5.0)
    )
    (measured,) = aid.read([40.0, 3.0, 4.0], False)
    assert measured.kind == HEADING and measured.z[0] == pytest.approx(math.radians(45.0))  # declination is known
    assert list(measured.index) == [16, -1, -1, 15] and states.n == 18
    _, level = aid.read([40.0, 0.0, 30.0], True)
    assert level.kind == LEVEL and level.z[:2] == pytest.approx([-0.5, 0.0])


def test_a_log_tells_of_the_ground_the_water_or_nothing():
    log = Dvl(noise_m_s=0.002, noise_per_speed=0.01, noise_per_range=1e-4, scale=0.01, beam_angle_deg=30.0)
    aid, _ = aid_and_states(log, current=15)
    (ground,) = aid.read(dvl_values((3.0, 4.0, 0.0)), False)
    across = 0.002 + 0.01 * 5.0 + 1e-4 * 20.0 / math.cos(math.radians(30.0))
    assert ground.kind == VELOCITY and ground.index[0] == -1
    assert ground.sigma == pytest.approx([across, across, across * math.tan(math.radians(30.0)) / math.sqrt(2.0)])
    (water,) = aid.read(dvl_values((NAN, NAN, NAN), NAN, (1.0, 0.0, 0.0)), False)
    assert water.index[0] == 15 and water.sigma[0] == pytest.approx(3.0 * (0.002 + 0.01))
    assert list(aid.read(dvl_values((NAN, NAN, NAN), NAN), False)) == []
    aid, _ = aid_and_states(replace(log, water_track=False))
    assert len(list(aid.read(dvl_values(water=(1.0, 0.0, 0.0)), False))) == 1


def test_a_speed_log_that_stands_still_says_nothing():
    aid, _ = aid_and_states(WaterSpeed(noise_m_s=0.05, threshold_m_s=0.2), current=15)
    assert [measured.z[0] for measured in aid.read([1.2], False)] == [1.2]
    assert list(aid.read([0.0], False)) == []
    assert aid_and_states(WaterSpeed(orientation_deg=(0, 0, 90)), current=15)[0] is None  # across: not used


def test_a_fix_is_noise_and_a_wander_that_make_its_cep():
    aid, states = aid_and_states(Gps(cep_m=2.5, noise_share=0.2, memory_s=100.0))
    (measured,) = aid.read([1.0, 2.0, 0.0, 0.0, 3.0], False)
    sigma, _, rate = states.arrays()
    assert measured.kind == POSITION and measured.m == 2
    assert math.hypot(measured.sigma[0], sigma[15]) * math.sqrt(2.0 * math.log(2.0)) == pytest.approx(2.5)
    assert rate[15] == pytest.approx(0.01)


def test_the_errors_of_a_usbl_fix_are_those_of_range_and_angles():
    usbl = Usbl(noise_m=0.2, angle_noise_deg=1.0, ways=3, max_range_m=700.0, turnaround_s=0.1, latency_s=0.2)
    aid, _ = aid_and_states(usbl)
    (measured,) = aid.read([100.0, 90.0, 0.0, 0.0, 100.0, 2.0], False)  # straight to the east, level
    assert measured.sigma == pytest.approx([math.radians(100.0), 0.2, math.radians(100.0)])
    (measured,) = aid.read([100.0, 0.0, 90.0, 0.0, 0.0, 102.0], False)  # straight below
    assert measured.sigma[[0, 2]] == pytest.approx([math.radians(100.0), 0.2], rel=1e-6)
    assert aid.longest_s >= 3 * 700.0 / 1500.0 + 0.3
    assert list(aid.read([NAN] * 6, False)) == []


def test_only_the_ranges_that_were_heard_are_used():
    aid, states = aid_and_states(Lbl(transponders_m=((0, 0, 30), (9, 0, 30), (0, 9, 30)), noise_m=0.1, bias_m=0.3))
    measured = [
        (m.kind, m.z[0], tuple(m.lever[3:]), int(m.index[3])) for m in aid.read([31.0, NAN, 33.0, NAN, NAN, NAN], False)
    ]
    assert measured == [(RANGE, 31.0, (0.0, 0.0, 30.0), 15), (RANGE, 33.0, (0.0, 9.0, 30.0), 17)]
    assert states.n == 18


def test_an_instrument_without_noise_is_not_believed_blindly_and_others_do_not_help():
    (measured,) = aid_and_states(Depth())[0].read([1.0], False)
    assert measured.sigma[0] == LEAST["depth"]
    assert aid_and_states(LeakDetector())[0] is None


@pytest.fixture(scope="module")
def flown():
    """A run in a current: attitude, rates, depth, commands and the velocity through the water of each tick."""
    sim = pelagos.Simulation("remus100", pelagos.World(depth_m=60.0, current_m_s=0.4, current_to_deg=30.0))
    sim.place(depth_m=10.0, surge_m_s=1.0)
    sim.command(depth_m=15.0, speed_m_s=1.5, heading_deg=60.0)
    rows = []
    for _ in range(400):
        quaternion, rates, depth = sim.plant.quaternion, sim.plant.nu[3:].copy(), float(sim.plant.position_n[2])
        sim.tick()
        rows.append((quaternion, rates, depth, sim.plant.command["actuators"].copy(), sim.state().nu_r[:3].copy()))
    return sim.vehicle, rows


def follow(model, vehicle, rows):
    computed = []
    for quaternion, rates, depth, command, _ in rows:
        applied = Actuation(command["thruster"][: len(vehicle.thrusters)], command["surface"][: len(vehicle.surfaces)])
        computed.append(model.advance(0.1, quaternion, rates, depth, applied))
    return np.array(computed)


def test_it_goes_through_the_water_as_the_vehicle_does(flown):
    vehicle, rows = flown
    model = ModelAid(vehicle)
    model.start(np.array([0.0, 0.0, 0.0]))  # wrong at first: drag forgets it
    computed, true = follow(model, vehicle, rows), np.array([row[4] for row in rows])
    # m/s: attitude and rates are given ten times a second and run free between. Quadratic drag forgets the start with
    # m / (2 X_uu u) = 31 kg / (2 x 2.2 kg/m x 1.5 m/s), 5 s: after 40 s 1.5 m/s have become 0.5 mm/s
    assert np.abs(computed - true)[-1].max() < 0.005
    assert abs(computed[0, 0] - true[0, 0]) > 0.5


def test_a_copy_is_a_model_of_its_own(flown):
    vehicle, rows = flown
    model = ModelAid(vehicle)
    model.start(np.array([1.0, 0.0, 0.0]))
    twin = copy.deepcopy(model)
    a, b = follow(model, vehicle, rows[:5]), follow(twin, vehicle, rows[:5])
    assert np.array_equal(a, b)


def test_a_model_that_leaves_the_numbers_begins_again(flown):
    vehicle, rows = flown
    model = ModelAid(vehicle)
    model.start(np.array([1e200, 0.0, 0.0]))
    quaternion, rates, depth, command, _ = rows[0]
    applied = Actuation(command["thruster"][: len(vehicle.thrusters)], command["surface"][: len(vehicle.surfaces)])
    assert model.advance(0.1, quaternion, rates, depth, applied) is None
    assert model.advance(0.1, quaternion, rates, depth, applied) is not None
