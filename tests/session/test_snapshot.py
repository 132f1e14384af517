import numpy as np
import pytest

from pelagos.frames import rotation_from_quaternion
from pelagos.session.flight import Flight
from pelagos.session.snapshot import Limits, course_of, over_ground
from pelagos.session.source import Input
from pelagos.tether.spec import PAYOUTS
from pelagos.vehicle.load.vehicle import load_vehicle

# as the page reads them
WANTED = """north_m east_m depth_m q0 q1 q2 q3 roll_deg pitch_deg heading_deg surge_m_s sway_m_s heave_m_s
roll_rate_deg_s pitch_rate_deg_s yaw_rate_deg_s speed_m_s course_deg depth_rate_m_s altitude_m below_surface_m
current_north_m_s current_east_m_s current_down_m_s contact_N contact_with stick_surge stick_sway stick_heave stick_roll
stick_pitch stick_yaw trim_surge trim_yaw hold_depth_m hold_altitude_m hold_heading_deg hold_north_m hold_east_m
hold_speed_m_s hold_roll_deg hold_pitch_deg hold_mission stick_frame pan_deg tilt_deg zoom lights power_W
battery_percent battery_V flooded_kg faults_acting recording collisions crash_age_s crash_north_m crash_east_m
crash_depth_m thruster_front_port cmd_thruster_front_port tether_length_m tether_ratio tether_rate_m_s tether_tension_N
tether_status tether_wrap_deg tether_aground_m ship_north_m ship_east_m ship_depth_m tether_00_north_m tether_20_depth_m
tether_payout task_phase task_time_s""".split()


@pytest.fixture(scope="module")
def flight():
    flight = Flight("bluerov2_heavy", "royer_field", tether=True)
    flight.input(Input(surge=0.4, heave=0.2, yaw=0.3))
    for _ in range(150):
        flight.tick()
    yield flight
    flight.close()


def seen(flight):
    row = np.zeros(len(flight.columns) + 3, np.float32)
    flight.snapshot_into(row)
    assert (row[len(flight.columns) :] == 0.0).all()  # what is behind its own columns is not its own
    return dict(zip(flight.columns, row[:-3].tolist(), strict=True))


def test_all_columns_are_there_once(flight):
    assert set(WANTED) <= set(flight.columns)
    assert len(set(flight.columns)) == len(flight.columns)


def test_who_has_the_thrusters_is_seen():
    flight = Flight("bluerov2_heavy", "test_tank", start={"depth_m": 1.5})

    def now():
        state = seen(flight)
        return state["armed"], state["by_link"]

    assert now() == (1.0, 0.0)
    flight.order("actuators", {"thrusters": {"front_port": 0.1}})
    assert now() == (1.0, 1.0)
    flight.order("arm", {"on": False})
    assert now() == (0.0, 1.0)
    flight.order("arm", {"on": True})
    flight.order("actuators", {})
    assert now() == (1.0, 0.0)
    flight.order("arm", {"on": False})
    flight.order("reset", {})
    assert now() == (1.0, 0.0)
    flight.close()


def test_motion_is_that_of_the_log(flight):
    """Two ways to the same numbers: the log's sampler and the snapshot, to the precision of float32."""
    values, log = seen(flight), dict(zip(flight.sim.columns(), flight.sim.sample()[0].tolist(), strict=True))
    both = [name for name in values if name in log]
    assert len(both) > 90
    for name in both:
        assert values[name] == pytest.approx(log[name], rel=2e-7, abs=1e-30, nan_ok=True), name


def test_speed_course_and_rate_of_depth_follow_from_the_places(flight):
    before = flight.sim.plant.position_n.copy()
    early = seen(flight)
    flight.tick()
    moved = (flight.sim.plant.position_n - before) * 50.0
    now = seen(flight)
    # mean over 0.02 s against the ends of it: within their difference, and the rounding of float32
    for mean, a, b in (
        (np.linalg.norm(moved), early["speed_m_s"], now["speed_m_s"]),
        (moved[2], early["depth_rate_m_s"], now["depth_rate_m_s"]),
        (np.degrees(np.arctan2(moved[1], moved[0])) % 360.0, early["course_deg"], now["course_deg"]),
    ):
        assert min(a, b) - 1e-3 <= mean <= max(a, b) + 1e-3


def test_velocity_over_ground_is_the_rotated_one():
    rng = np.random.default_rng(1)
    for _ in range(20):
        q = rng.normal(size=4)
        q /= np.linalg.norm(q)
        v = rng.normal(size=3)
        assert np.allclose(over_ground(*q, *v), rotation_from_quaternion(q) @ v, atol=1e-14)


def test_course_is_clockwise_from_north_and_unknown_at_rest():
    assert course_of(0.0, 1.0) == pytest.approx(90.0) and course_of(-1.0, -1.0) == pytest.approx(225.0)
    assert np.isnan(course_of(0.001, 0.0))


@pytest.mark.parametrize("key", ["bluerov2_heavy", "seagrant1", "iver3"])
def test_a_thruster_at_its_limit_is_at_one(key):
    """Whatever its state is measured in, full demand held long enough is full: share 1, and 0 at rest."""
    limits = Limits(load_vehicle(key))
    assert limits.shares(limits.told[:, 1], limits.told) == [1.0] * len(limits.told)
    assert limits.shares(-limits.actual[:, 0], limits.actual) == [-1.0 if a > 0 else 0.0 for a in limits.actual[:, 0]]
    assert limits.shares(0.0 * limits.told[:, 1], limits.told) == [0.0] * len(limits.told)


def test_denser_water_gives_more_thrust_and_full_is_still_one():
    """The thrust of a throttle goes with the density of the water: full drive in the sea is not 103 %."""
    vehicle = load_vehicle("bluerov2_heavy")
    fresh, salt = Limits(vehicle), Limits(vehicle, 1.027 * vehicle.water.density_kg_m3)
    assert np.allclose(salt.actual, 1.027 * fresh.actual, rtol=1e-12)
    assert np.array_equal(salt.told, fresh.told)


def test_the_drum_says_what_it_keeps_to():
    flight = Flight("bluerov2_heavy", "royer_field", tether=True)
    said = []
    for order in ({"fixed": True}, {"ratio": 1.4}, {"rate_m_s": 0.1}, {"tension_N": 20.0}):
        flight.order("tether", order)
        flight.tick()
        said.append(seen(flight)["tether_payout"])
    flight.close()
    assert [PAYOUTS[int(number)] for number in said] == ["fixed", "ratio", "rate", "tension"]


def test_full_stick_brings_a_thruster_to_its_share():
    flight = Flight("bluerov2_heavy")
    flight.input(Input(heave=1.0))
    for _ in range(100):
        flight.tick()
    values = seen(flight)
    flight.close()
    told = [abs(value) for name, value in values.items() if name.startswith("cmd_thruster_vertical")]
    did = [abs(value) for name, value in values.items() if name.startswith("thruster_vertical")]
    assert max(told) == pytest.approx(1.0, abs=1e-6)  # full stick is all that the vertical ones have
    assert max(did) == pytest.approx(1.0, abs=0.02)  # after 2 s, some thirty time constants
