"""Snapshots of a flight: motion, actuators, power and battery, and messages about contacts."""

import asyncio
import json

import numpy as np
import pytest
from pytest import approx

from pelagos.console.clients import Clients
from pelagos.frames import rotation_from_quaternion
from pelagos.sensors.battery import Battery
from pelagos.session.flight import Flight
from pelagos.session.security import MOST_TEXTS
from pelagos.session.snapshot import (
    CONTACTS_PERIOD_S,
    MOST_CONTACTS,
    ContactReports,
    Limits,
    contacts_message,
    course_of,
    over_ground,
)
from pelagos.session.source import Input
from pelagos.sim.contacts import Contact, Contacts
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


def values_of(flight):
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
        state = values_of(flight)
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
    values, log = values_of(flight), dict(zip(flight.sim.columns(), flight.sim.sample()[0].tolist(), strict=True))
    both = [name for name in values if name in log]
    assert len(both) > 90
    for name in both:
        assert values[name] == pytest.approx(log[name], rel=2e-7, abs=1e-30, nan_ok=True), name


def test_speed_course_and_rate_of_depth_follow_from_the_places(flight):
    before = flight.sim.plant.position_n.copy()
    early = values_of(flight)
    flight.tick()
    moved = (flight.sim.plant.position_n - before) * 50.0
    now = values_of(flight)
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
    """Whatever its state is measured in, full command held long enough is full: share 1, and 0 at rest."""
    limits = Limits(load_vehicle(key))
    assert limits.shares(limits.commanded[:, 1], limits.commanded) == [1.0] * len(limits.commanded)
    assert limits.shares(-limits.actual[:, 0], limits.actual) == [-1.0 if a > 0 else 0.0 for a in limits.actual[:, 0]]
    assert limits.shares(0.0 * limits.commanded[:, 1], limits.commanded) == [0.0] * len(limits.commanded)


def test_denser_water_gives_more_thrust_and_full_is_still_one():
    """The thrust of a throttle goes with the density of the water: full drive in the sea is not 103 %."""
    vehicle = load_vehicle("bluerov2_heavy")
    fresh, salt = Limits(vehicle), Limits(vehicle, 1.027 * vehicle.water.density_kg_m3)
    assert np.allclose(salt.actual, 1.027 * fresh.actual, rtol=1e-12)
    assert np.array_equal(salt.commanded, fresh.commanded)


def test_the_drum_says_what_it_keeps_to():
    flight = Flight("bluerov2_heavy", "royer_field", tether=True)
    modes = []
    for order in ({"fixed": True}, {"ratio": 1.4}, {"rate_m_s": 0.1}, {"tension_N": 20.0}):
        flight.order("tether", order)
        flight.tick()
        modes.append(values_of(flight)["tether_payout"])
    flight.close()
    assert [PAYOUTS[int(number)] for number in modes] == ["fixed", "ratio", "rate", "tension"]


def test_full_stick_brings_a_thruster_to_its_share():
    flight = Flight("bluerov2_heavy")
    flight.input(Input(heave=1.0))
    for _ in range(100):
        flight.tick()
    values = values_of(flight)
    flight.close()
    commands = [abs(value) for name, value in values.items() if name.startswith("cmd_thruster_vertical")]
    did = [abs(value) for name, value in values.items() if name.startswith("thruster_vertical")]
    assert max(commands) == pytest.approx(1.0, abs=1e-6)  # full stick is all that the vertical ones have
    assert max(did) == pytest.approx(1.0, abs=0.02)  # after 2 s, some thirty time constants


def test_power_is_what_hangs_on_the_battery_and_what_the_thrusters_draw():
    flight = Flight("bluerov2_heavy")
    battery = next(sensor for sensor in flight.sim.vehicle.sensors if isinstance(sensor, Battery))
    flight.tick()
    assert flight.electric.values()[0] == pytest.approx(battery.hotel_W)  # sticks in the middle
    flight.input(Input(surge=1.0))
    used = 0.0
    for _ in range(500):
        flight.tick()
        watts, _, volts = flight.electric.values()
        used += watts / volts * 0.02 / 3600.0  # Ah, if the gauge's volts hold for the interval
    left = flight.electric.values()[1]
    flight.close()
    # by hand against the gauge, which has errors of some per cent
    assert 100.0 * (1.0 - used / battery.capacity_Ah) == pytest.approx(left, abs=0.1 * (100.0 - left) + 0.05)


def test_without_a_battery_its_numbers_are_not_known():
    flight = Flight("seagrant1")
    flight.tick()
    watts, percent, volts = flight.electric.values()
    flight.close()
    assert watts >= 0.0
    has_one = any(sensor.kind == "battery" for sensor in flight.sim.vehicle.sensors)
    assert has_one or (np.isnan(percent) and np.isnan(volts))


def test_a_lost_gauge_says_nothing_until_it_is_back():
    flight = Flight("bluerov2_heavy")
    for _ in range(100):
        flight.tick()
    before = flight.electric.values()
    flight.order("fault", {"kind": "sensor_loss", "sensor": flight.electric._name})
    flight.tick()
    assert np.isnan(flight.electric.values()[1:]).all() and not np.isnan(before[1:]).any()
    flight.order("clear_faults", {})
    for _ in range(100):
        flight.tick()
    assert flight.electric.values()[1] == pytest.approx(before[1], abs=1.0)
    flight.close()


SHIP = {
    "key": "1:1:7", "name": "Point Sur", "kind": "ship", "length_m": 41.0, "beam_m": 10.0, "height_m": 8.0,
    "position_m": [100.0, -20.0, 0.0], "quaternion": [1.0, 0.0, 0.0, 0.0], "velocity_m_s": [3.0, 4.0, 0.0],
    "algorithm": 2, "time_s": 10.0, "expires_s": 22.0,
}  # fmt: skip


def predicted(contact, time_s):
    contacts = Contacts()
    contacts.put(Contact.of(contact))
    (contact,) = contacts_message(contacts, time_s, np.zeros(3))["contacts"]
    return contact


def test_a_contact_is_where_it_is_reckoned_to_be_with_the_velocity_it_has_then():
    contact = predicted(SHIP, 12.0)
    assert contact["position_m"] == approx([106.0, -12.0, 0.0])  # p + v t
    assert contact["velocity_m_s"] == approx([3.0, 4.0, 0.0])
    assert (contact["received_s"], contact["expires_s"]) == (10.0, 22.0)
    assert {key: contact[key] for key in ("key", "name", "kind", "length_m", "beam_m", "height_m")} == {
        key: SHIP[key] for key in ("key", "name", "kind", "length_m", "beam_m", "height_m")
    }
    still = predicted({**SHIP, "algorithm": 1}, 12.0)  # static, whatever velocity it has
    assert still["position_m"] == approx([100.0, -20.0, 0.0]) and still["velocity_m_s"] == approx([0.0, 0.0, 0.0])
    # with acceleration: p + v t + a t^2 / 2; the velocity is the mean of the next 0.1 s, v + a (t + 0.05)
    faster = predicted({**SHIP, "algorithm": 5, "acceleration_m_s2": [1.0, 0.0, 0.0]}, 12.0)
    assert faster["position_m"] == approx([108.0, -12.0, 0.0])
    assert faster["velocity_m_s"] == approx([3.0 + 2.05, 4.0, 0.0], abs=1e-3)  # told to the mm/s
    assert predicted({**SHIP, "expires_s": None}, 12.0)["expires_s"] is None


def test_of_many_the_nearest_are_told():
    contacts = Contacts()
    for k in range(MOST_CONTACTS + 50):
        contacts.put(Contact.of({"key": str(k), "position_m": [1000.0 - k, 0.0, 0.0], "time_s": 0.0}))
    message = contacts_message(contacts, 0.0, np.zeros(3))
    assert {contact["key"] for contact in message["contacts"]} == {str(k) for k in range(50, MOST_CONTACTS + 50)}
    assert len(json.dumps(message)) < 100_000  # bytes: ten times a second to every page


class Ticking:
    """A clock that the test moves."""

    def __init__(self):
        self.now = 100.0

    def __call__(self):
        return self.now


def messages(flight):
    return [event for event in flight.take_events() if event["type"] == "contacts"]


def test_a_flight_tells_at_most_ten_times_a_second_while_there_are_any_and_once_that_there_are_none():
    flight = Flight("bluerov2_heavy", rate_hz=50.0)
    clock = Ticking()
    flight._snapshot._contacts = ContactReports(clock)
    row = np.zeros(len(flight.columns), np.float32)
    for _ in range(5):
        clock.now += 1.0
        flight.snapshot_into(row)
    assert messages(flight) == []  # nobody is about: nothing is said
    flight.order("contact", {**SHIP, "time_s": 0.0, "expires_s": 60.0})
    for _ in range(50):  # 2 s at 25 pictures a second
        clock.now += 0.04
        flight.snapshot_into(row)
    often = messages(flight)
    assert (
        2.0 / CONTACTS_PERIOD_S / 1.5 < len(often) <= 2.0 / CONTACTS_PERIOD_S
    )  # whole pictures apart: every third of 0.04 s
    flight.order("contact_gone", {"key": "1:1:7"})
    for _ in range(10):
        clock.now += 0.04
        flight.snapshot_into(row)
    (last,) = messages(flight)
    assert last["contacts"] == []
    flight.close()


def test_contacts_of_a_flight_are_told_with_their_time_and_go_with_it():
    flight = Flight("bluerov2_heavy", rate_hz=50.0)
    flight.order("contact", {**SHIP, "time_s": 0.0, "expires_s": 0.5})
    for _ in range(20):
        flight.tick()
    flight.snapshot_into(np.zeros(len(flight.columns), np.float32))
    (message,) = messages(flight)
    assert message["time_s"] == approx(0.4)
    assert message["contacts"][0]["position_m"] == approx([101.2, -18.4, 0.0])
    for _ in range(10):
        flight.tick()
    flight.snapshot_into(np.zeros(len(flight.columns), np.float32))
    (message,) = messages(flight)
    assert message["contacts"] == []  # nothing was heard of it for too long
    flight.close()


def test_a_page_that_does_not_read_gets_the_last_of_them_and_is_not_sent_away():
    class Nobody:
        clients, link_lost = 0, False

        def let_go(self):
            """There is nobody."""

    async def spread():
        clients = Clients(lambda: 0.0)
        clients.runner = Nobody()
        client = clients.join("Ann")
        for k in range(2 * MOST_TEXTS):
            clients.broadcast("contacts", f'{{"type":"contacts","time_s":{k}}}', float(k))
            clients.broadcast("links", f'{{"type":"links","k":{k}}}', 0.0)
        assert not client.dropped.is_set()
        texts = []
        while not texts or '"links"' not in texts[-1]:
            texts.append(await client.outbox.take())
        return texts

    texts = [json.loads(text) for text in asyncio.run(spread())]
    assert [text["time_s"] for text in texts if text["type"] == "contacts"] == [2 * MOST_TEXTS - 1]
    assert [text["k"] for text in texts if text["type"] == "links"] == [2 * MOST_TEXTS - 1]
