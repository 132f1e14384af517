"""Each run of a batch starts and ends as it does alone."""

from dataclasses import replace

import numpy as np
import pytest

from pelagos.campaign.run import fly_alone
from pelagos.campaign.vectorised.engine import run_batched
from pelagos.campaign.vectorised.flight import PreparedBatch, without_current
from pelagos.scenario.build import prepare
from pelagos.sensors.battery import Battery
from pelagos.sensors.compass import Compass
from pelagos.sensors.depth import Depth
from pelagos.sensors.gps import Gps
from pelagos.sensors.imu import Imu
from pelagos.sensors.kinds import KINDS
from pelagos.sensors.leak import LeakDetector
from pelagos.sensors.propulsion import PlanePosition, Tachometer
from pelagos.sensors.sound.acoustic_position import Lbl, Usbl
from pelagos.sensors.sound.altimeter import Altimeter
from pelagos.sensors.sound.dvl import Dvl
from pelagos.sensors.sound.multibeam import Multibeam
from pelagos.sensors.sound.navigation_sonar import NavigationSonar
from pelagos.sensors.water_speed import WaterSpeed
from tests.campaign.batched_cases import HOVER, LINE, ORDERS, SAME, bits, case, difference

# rates that do and do not divide the control rate, latency, drop-outs; no resolution, whose steps rounding may cross
SENSORS = (
    Imu(rate_hz=10.0, accel_bias_ug=100.0), Depth(rate_hz=3.0, latency_s=0.25, noise_m=0.1),
    Compass(rate_hz=4.0, noise_deg=1.0, bias_deg=2.0), WaterSpeed(rate_hz=0.7, walk_m_s_sqrt_h=1.0),
    Tachometer(noise_rpm=2.0), PlanePosition(bias_deg=1.0), Battery(rate_hz=5.0, noise_V=0.1, hotel_W=20.0),
    Gps(position_m=(0.0, 0.0, -0.5), rate_hz=10.0), LeakDetector(), Dvl(rate_hz=4.0, noise_m_s=0.01, beam_dropout=0.2),
    Altimeter(rate_hz=10.0, noise_m=0.05, dropout=0.3), Usbl(rate_hz=2.0, noise_m=0.1, angle_noise_deg=1.0),
    Lbl(transponders_m=((60.0, 0.0, 19.0), (0.0, 60.0, 19.0), (-60.0, 0.0, 19.0)), noise_m=0.1),
    Multibeam(rate_hz=1.0, n_beams=3, noise_m=0.2), NavigationSonar(n_beams=2, tilt_deg=60.0, noise_m=0.2),
)  # fmt: skip
FAULTS = [
    {"kind": "leak", "rate_kg_s": 0.05, "room_kg": 0.5, "position_m": [0.2, 0.0, 0.05], "at_s": 3.0},
    {"kind": "thruster_weak", "thruster": "propeller", "share": 0.5, "at_s": 5.0},
    {"kind": "current_gust", "speed_m_s": 0.2, "to_deg": 70.0, "rise_s": 3.0, "seconds_s": 4.0, "at_s": 6.0},
]
SHORT = [{"kind": "trackline", "from_m": [0.0, 0.0], "to_m": [40.0, 0.0], "speed_m_s": 1.5}]


def test_runs_start_where_they_start_alone_to_the_bit():
    runs = [
        case(LINE, start__heading_deg=17.0, start__roll_deg=5.0),
        case(LINE, start={"altitude_m": 4.0, "surge_m_s": 1.1, "yaw_rate_deg_s": 3.0}, world__current_m_s=0.4),
    ]
    ready = PreparedBatch(runs, [{}, {}])
    for i, scenario in enumerate(runs):
        plant = prepare(scenario).fleet.sims[0].plant
        assert np.array_equal(ready.batch.view.position_n[i], plant.position_n)
        assert np.array_equal(ready.batch.view.quaternion[i], plant.quaternion)
        assert np.array_equal(ready.batch.view.nu[i], plant.nu)
        # turned into the body and back
        assert np.allclose(ready.batch.view.current_n[i], scenario.world.current_n(0.0), rtol=1e-14, atol=1e-16)
    assert ready.held[:, 0].tolist() == [7.0, 7.0] and ready.mission is not None and not ready.problems


def test_direct_orders_are_read_in_their_units():
    ready = PreparedBatch([case(ORDERS), case(ORDERS, control__thrust={"propeller_rpm": 600.0})], [{}, {}])
    times = ready.actuations(None)
    assert times.thrusters[:, 0].tolist() == [900.0 * np.pi / 30.0, 600.0 * np.pi / 30.0]
    assert np.isnan(ready.held).all()


def test_a_setpoint_that_may_be_left_out_is_left_out():
    kept = case(LINE, mission=[], control={"roll_deg": 3.0, "depth_m": 4.0, "if_possible": ["roll_deg"]})
    ready = PreparedBatch([kept], [{}])
    assert not ready.problems and np.isnan(ready.held[0, 4]) and ready.held[0, 0] == 4.0


def test_the_sea_of_a_batch_has_no_uniform_current():
    world = case(LINE).world
    assert (
        without_current(world).current_n(0.0).tolist() == [0.0, 0.0, 0.0]
        and without_current(world).depth_m == world.depth_m
    )


def test_a_run_that_is_refused_does_not_stand_in_the_way():
    """Also where the origin, at which vehicles begin, lies inside something."""
    block = {"kind": "box", "name": "block", "center_m": [0.0, 0.0, 0.0], "size_m": [4.0, 4.0, 4.0]}
    starts = ({"north_m": 30.0, "depth_m": 7.0}, {"depth_m": 1.0})  # the second is in the block
    runs = [case(LINE, world__structure=[block], start=start) for start in starts]
    ready = PreparedBatch(runs, [{}, {}])
    assert list(ready.problems) == [1]
    ready.batch.tick()
    assert ready.batch.view.alive.all() and ready.batch.view.position_n[0, 0] > 29.0


@pytest.fixture(scope="module")
def ended():
    """Runs that end by time, condition and mission, and their logs."""
    runs = [
        case(LINE, duration_s=12.0, log_rate_hz=4.0),
        case(LINE, duration_s=40.0, log_rate_hz=4.0, end__when="depth_m > 6 and abs(heading_deg - 180) > 1"),
        case(LINE, duration_s=60.0, log_rate_hz=4.0, mission=SHORT),
        case(LINE, duration_s=60.0, log_rate_hz=4.0, mission=SHORT, end__after_s=3.3),
        case(LINE, duration_s=33.0, log_rate_hz=4.0, mission=SHORT, end__mission_done=False),
    ]
    return runs, run_batched(runs)


@pytest.mark.slow
def test_runs_end_when_they_do_alone(ended):
    for scenario, log in zip(*ended, strict=True):
        assert difference(scenario.run(), log)[0] < SAME


def test_the_runs_end_for_different_reasons(ended):
    times = [float(log["time_s"][-1]) for log in ended[1]]
    assert times[0] == 12.0 and times[1] < 40.0 and times[2] < 60.0
    assert 3.0 <= times[3] - times[2] <= 3.5 and times[4] >= 32.75
    assert ended[1][1]["depth_m"][-2] <= 6.0 + 0.3


@pytest.mark.slow
def test_a_mission_without_progress_is_ended():
    # a current faster than the vehicle: after 600 s without coming nearer, alone as in a batch
    tables = {key: value for key, value in LINE.items() if key != "duration_s"}
    scenario = case(tables, world__current_m_s=2.5, world__current_to_deg=180.0, log_rate_hz=0.1)
    log = run_batched([scenario, case(tables, mission=SHORT, log_rate_hz=0.1)])[0]
    assert 600.0 <= log["time_s"][-1] < 640.0
    assert "has not come nearer to the next point" in log.events[-1].text and log.events[-1].kind == "stalled"


def test_progress_is_reported_once_a_second():
    times = []
    run_batched([case(LINE, duration_s=3.0)], progress=times.append)
    assert times == [1.0, 2.0, 3.0]


def with_sensors(scenario, sensors=SENSORS, name="first"):
    return replace(scenario, vehicles=(replace(scenario.vehicles[0], sensors=sensors, name=name),))


def test_sensors_of_every_kind_read_what_they_read_alone():
    """Each run with the random numbers of its seed; those of the log between two rows, also where rows are rarer."""
    assert {sensor.kind for sensor in SENSORS} == set(KINDS) - {"imaging_sonar"}
    line = {"start": {"depth_m": 0.1, "surge_m_s": 1.2}, "duration_s": 12.0, "fault": FAULTS}
    runs = [
        with_sensors(case(LINE, **line, log_rate_hz=2.0)),
        with_sensors(case(LINE, **line, log_rate_hz=2.0, seed=8, world__current_m_s=0.1)),
        with_sensors(case(HOVER, duration_s=5.0, seed=2**70)),
        with_sensors(case(HOVER, duration_s=5.0, seed=4, start__north_m=1.0)),
    ]
    factors = [{}, {"mass": 1.01, "thrust": 0.9}, {}, {}]
    logs = run_batched(runs, factors)
    for scenario, of_run, log in zip(runs, factors, logs, strict=True):
        (alone,) = fly_alone(scenario, [of_run]).values()
        assert difference(alone, log)[0] < SAME
        assert log.meta == {**alone.meta, "versions": log.meta["versions"]}
    assert set(logs[0]["leak_wet"]) >= {0.0, 1.0} and np.isfinite(logs[0]["gps_north_m"]).any()
    noise = [log["depth_depth_m"] - log["depth_m"] for log in logs[2:]]
    assert np.nanmax(np.abs(noise[0] - noise[1])) > 0.01  # another seed
    assert bits(run_batched(runs[1:2], factors[1:2])[0]) == bits(logs[1])


def test_the_name_of_a_vehicle_selects_the_random_numbers_of_its_sensors():
    depth = (Depth(noise_m=0.1),)
    runs = [with_sensors(case(ORDERS, duration_s=2.0), depth, name) for name in ("first", "second")]
    logs = run_batched(runs)
    for scenario, log in zip(runs, logs, strict=True):
        assert difference(scenario.run(), log)[0] < SAME
    assert np.nanmax(np.abs(logs[0]["depth_depth_m"] - logs[1]["depth_depth_m"])) > 0.01
