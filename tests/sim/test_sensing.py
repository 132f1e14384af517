"""Instruments on a simulation: times of measurement, visible obstacles, and no effect on the motion."""

import math

import numpy as np
import pytest

import pelagos
from pelagos.errors import CommandError
from pelagos.estimation.base import Navigation
from pelagos.messages import Estimate, VehicleState
from pelagos.sensors.compass import Compass
from pelagos.sensors.depth import Depth
from pelagos.sensors.imu import Imu
from pelagos.sensors.instruments.instant import Instant
from pelagos.sensors.sound.acoustic_position import Usbl
from pelagos.sensors.sound.altimeter import Altimeter
from pelagos.sim.sensing import mean_sound_speed, resolve_sensors, vehicle_context
from pelagos.sim.simulation import Simulation
from pelagos.vehicle.load.vehicle import load_vehicle

SEA = pelagos.World(depth_m=25.0, current_m_s=0.2)


class Watcher:
    """A controller that keeps what it is shown and steers a steady course."""

    def __init__(self, vehicle):
        self.commands = np.full(len(vehicle.thrusters), 100.0), np.full(len(vehicle.surfaces), 0.02)
        self.seen = []

    def reset(self):
        self.seen = []

    def update(self, state, dt):
        self.seen.append(state)
        return pelagos.Actuation(*self.commands)


def remus(sensors=True, navigator=None, **how):
    sim = Simulation("remus100", SEA, sensors=sensors, navigator=navigator, **how)
    sim.place(depth_m=10.0, surge_m_s=1.2)
    sim.control(Watcher(sim.vehicle))
    return sim


def navigator(seed=1, **settings):
    vehicle = load_vehicle("remus100")
    return Navigation(**settings).make(vehicle.sensors, vehicle, SEA, seed)


def test_a_fast_instrument_sees_moments_between_the_ticks():
    """50 Hz in ticks of 0.1 s: five instants each, 20 ms apart."""
    sim = remus([Imu(rate_hz=50.0)])
    assert sim.stepping.n_parts == 5
    sim.tick()
    sim.tick()
    times = [reading.time_s for reading in sim.sensing.suite.arrived]
    np.testing.assert_allclose(times, 0.1 + 0.02 * np.arange(1, 6), atol=1e-9)


def test_slow_instruments_do_not_change_the_motion():
    """They measure at ticks only: the steps of the vehicle stay the same."""
    bare, fitted = remus(None), remus([Depth(rate_hz=10.0), Compass(rate_hz=1.0)])
    assert fitted.n_steps == bare.n_steps
    a, b = bare.run(5.0), fitted.run(5.0)
    for name in ("north_m", "depth_m", "heading_deg", "surge_m_s"):
        np.testing.assert_array_equal(a[name], b[name])


def test_fast_instruments_change_it_by_no_more_than_other_steps_would():
    """An interval in five parts of one 20 ms step each is the same five steps; rounding of the time alone differs."""
    a, b = remus(None).run(5.0), remus([Imu(rate_hz=50.0)]).run(5.0)
    np.testing.assert_allclose(a["north_m"], b["north_m"], atol=1e-6)  # of 7 m
    np.testing.assert_allclose(a["depth_m"], b["depth_m"], atol=1e-6)


def readings(log):
    return {name: log[name] for name in log.columns if name.startswith(("imu_", "depth_depth", "dvl_", "compass_"))}


def same(a, b):
    return all(np.array_equal(a[name], b[name], equal_nan=True) for name in a)


def test_same_seed_same_readings_other_seed_other_ones():
    first, second, other = (readings(remus(seed=seed).run(3.0)) for seed in (4, 4, 5))
    assert len(first) > 6
    assert same(first, second) and not same(first, other)


def test_reset_begins_again_bit_for_bit():
    sim = remus(navigator=navigator())
    controller = sim.controller
    first = sim.run(3.0)
    sim.reset()
    sim.place(depth_m=10.0, surge_m_s=1.2)
    sim.control(controller)
    again = sim.run(3.0)
    assert same(first.columns, again.columns)


def test_save_and_restore_bit_for_bit_with_instruments_and_navigator():
    sim = Simulation("remus100", SEA, sensors=True, navigator=navigator())
    sim.place(depth_m=10.0, surge_m_s=1.2)
    sim.command(depth_m=11.0, heading_deg=20.0)
    sim.run(2.0)
    kept = sim.save()
    first = sim.run(3.0)
    sim.restore(kept)
    again = sim.run(3.0)
    assert {"est_north_m", "nees"} <= set(first.columns)
    assert same(first.columns, again.columns)
    fresh = Simulation("remus100", SEA, sensors=True, navigator=navigator())
    fresh.restore(kept)
    assert same(first.columns, fresh.run(3.0).columns)


@pytest.mark.parametrize(
    ("use", "kind"),
    [("estimate", Estimate), ("truth", VehicleState), (None, VehicleState)],
    ids=["estimate", "truth", "none"],
)
def test_the_controller_receives_the_estimate_or_the_true_state(use, kind):
    sim = remus(navigator=navigator(use=use) if use else None)
    log = sim.run(1.0)
    feedback = sim.controller.seen
    assert all(type(state) is kind for state in feedback)
    assert all("imu" in state.readings for state in feedback[1:])
    shown = np.array([state.pos_n for state in feedback[1:]])
    true = np.column_stack([log[name] for name in ("north_m", "east_m", "depth_m")])[1:-1]
    assert np.array_equal(shown, true) is (kind is VehicleState)  # an estimate is a metre off from the start
    assert ("est_north_m" in log.columns) is (use is not None)


def test_the_altitude_is_what_an_instrument_measured():
    """A perfect altimeter under the origin, 15 m over the bottom: the altitude of the estimate is its last reading."""
    vehicle = load_vehicle("remus100")
    bare = [sensor for sensor in vehicle.sensors if sensor.kind not in ("dvl", "altimeter")]
    without = Navigation(coast_m_s_sqrt_s=0.1)
    try:
        made = without.make(bare, vehicle, SEA, 1)
    except pelagos.errors.PelagosError:
        made = None  # a navigator that needs a DVL cannot be without one
    if made is not None:
        sim = remus(bare, made)
        sim.tick()
        assert math.isnan(sim.feedback().altitude_m)
    gauge = Altimeter(rate_hz=10.0)
    sim = remus([*vehicle.sensors, gauge], Navigation().make([*vehicle.sensors, gauge], vehicle, SEA, 1))
    sim.run(1.0)
    # 15 m, and noise and scale of the instruments: two per cent hold both
    assert sim.feedback().altitude_m == pytest.approx(25.0 - float(sim.plant.position_n[2]), rel=0.02)


def test_without_a_navigator_the_altitude_is_true():
    sim = remus([Depth()])
    sim.tick()
    assert sim.feedback().altitude_m == pytest.approx(25.0 - float(sim.plant.position_n[2]), abs=1e-9)


def test_the_vehicle_context_describes_the_vehicle():
    sim = remus()
    fit = vehicle_context(sim.plant, sim.world)
    assert fit.thrusters == tuple(t.name for t in sim.vehicle.thrusters)
    assert fit.surfaces == tuple(s.name for s in sim.vehicle.surfaces)
    assert fit.gravity_m_s2 == sim.water.gravity_m_s2


def ranged(world):
    """The range that a USBL set to 1500 m/s measures over 400.4 m in a world, and its two-way delay."""
    sim = Simulation("remus100", world, sensors=[Usbl(ship_m=(0.0, 0.0, 10.0), assumed_sound_speed_m_s=1500.0)])
    usbl = sim.sensing.suite.instrument("usbl")
    now = Instant(0.0, np.array([400.4, 0.0, 10.0]), np.array([1.0, 0.0, 0.0, 0.0]), np.zeros(6))
    return float(usbl.measure_single(now, world)[0]), float(usbl.delay_s[0]) / (2.0 * 400.4)


def test_sound_travels_as_fast_as_in_the_water_of_the_world():
    fresh = pelagos.World(depth_m=60.0, water=pelagos.Water(preset="fresh"))
    distance, slowness = ranged(fresh)
    assert distance == pytest.approx(400.4 * 1500.0 / 1465.94, rel=1e-9)  # TEOS-10 at 15 C
    assert slowness == pytest.approx(1.0 / 1465.94, rel=1e-9)
    for silent in (None, pelagos.Water(preset="", density_kg_m3=1010.0)):
        assert ranged(pelagos.World(depth_m=60.0, water=silent))[0] == pytest.approx(400.4, rel=1e-12)


def test_the_mean_speed_of_a_profile_is_that_of_the_travel_time():
    gsw = pytest.importorskip("gsw")
    layers = pelagos.Water(profile=((0.0, 20.0, 35.0), (20.0, 20.0, 35.0), (40.0, 6.0, 35.0), (80.0, 5.0, 35.0)))
    depth = np.arange(0.005, 60.0, 0.01)  # middles of 1 cm
    temperature = np.interp(depth, [0, 20, 40, 80], [20, 20, 6, 5])
    speed = gsw.sound_speed_t_exact(35.0, temperature, gsw.p_from_z(-depth, 45.0))
    exact = 60.0 / (0.01 / speed).sum()
    # a hundred points over 60 m against 6000: the bends at 20 and 40 m are cut by less than a point
    assert mean_sound_speed(pelagos.World(depth_m=60.0, water=layers)) == pytest.approx(exact, abs=0.05)
    assert abs(exact - float(layers.sound_speed_m_s(0.0))) > 10.0
    endless = mean_sound_speed(pelagos.World(water=layers))  # to the last row, 80 m
    assert endless == pytest.approx(mean_sound_speed(pelagos.World(depth_m=80.0, water=layers)), rel=1e-12)


@pytest.mark.slow
def test_steps_are_cut_by_an_instrument_that_is_faster_than_they_are():
    """As the page says: 20 ms by 200 Hz to 5, by 40 Hz to 12.5; with steps of 5 ms for both the motion is the same."""
    steps = [remus([Depth(), Imu(rate_hz=rate)]).step_s for rate in (200.0, 50.0, 40.0, 10.0)]
    assert steps == pytest.approx([0.005, 0.02, 0.0125, 0.02])
    logs = []
    for sensors in ([Depth(noise_m=0.01)], [Depth(noise_m=0.01), Imu(rate_hz=200.0)]):
        sim = Simulation("remus100", pelagos.World(depth_m=25.0), seed=1, sensors=sensors, step_s=0.005)
        sim.command(depth_m=5.0, heading_deg=60.0, speed_m_s=1.5)
        logs.append(sim.run(seconds=10.0))
    np.testing.assert_array_equal(logs[0]["depth_depth_m"], logs[1]["depth_depth_m"])


def test_refusals():
    with pytest.raises(CommandError, match="a navigator needs instruments"):
        Simulation("remus100", SEA, navigator=navigator())
    with pytest.raises(CommandError, match="has no"):
        resolve_sensors(True, load_vehicle("torpedo"))
    with pytest.raises(CommandError, match="expected True for those of the vehicle's file"):
        resolve_sensors("imu", load_vehicle("remus100"))
    assert resolve_sensors(None, load_vehicle("remus100")) == resolve_sensors(False, load_vehicle("remus100")) == ()
