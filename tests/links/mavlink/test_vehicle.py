"""The whole vehicle, controlled by a pymavlink ground station (mavutil) over UDP while a thread ticks the flight."""

import threading
import time

import numpy as np
import pymap3d
import pytest

from pelagos.errors import CommandError
from pelagos.links.mavlink.mission import Item
from pelagos.links.mavlink.modes import ALT_HOLD, AUTO, GUIDED, MANUAL, POSHOLD, STABILIZE, SURFTRAK
from pelagos.links.mavlink.parameters import TABLE
from pelagos.links.mavlink.streams import STREAMS
from pelagos.links.mavlink.vehicle import MavlinkVehicle
from pelagos.session.authority import Authority, ControlAuthority
from pelagos.session.flight import Flight
from pelagos.session.realtime import Runner
from pelagos.session.record.rerun import rerun
from pelagos.sim.log.load import load_log
from tests.links.mavlink.deck import Deck
from tests.links.mavlink.lab import PATIENCE_S, Lab, Station
from tests.log_difference import largest_difference

WORLD = {"depth_m": 30.0}


@pytest.fixture(scope="module")
def lab():
    with Lab(world=WORLD) as made:
        yield made


@pytest.fixture(scope="module")
def station(lab):
    with Station(lab.link.port) as made:
        made.wait("HEARTBEAT", lambda message: message.type == 12)
        yield made


def wait(fits, what):
    until = time.monotonic() + PATIENCE_S
    while not fits():
        assert time.monotonic() < until, what
        time.sleep(0.01)


@pytest.mark.slow
def test_every_message_of_the_streams_comes(lab, station):
    missing = {name for name, group in STREAMS.items() if group} | {"HEARTBEAT"}
    until = time.monotonic() + PATIENCE_S
    while missing and time.monotonic() < until:
        message = station.link.recv_match(blocking=True, timeout=0.5)
        if message is not None:
            missing.discard(message.get_type())
    assert not missing
    assert station.link.flightmode == "ALT_HOLD"
    assert station.link.target_system == 1


@pytest.mark.slow
def test_parameters_are_listed_read_and_set(lab, station):
    values = {}

    def take(message):
        values[message.param_index] = message
        return len(values) == len(TABLE)

    station.link.param_fetch_all()
    station.wait("PARAM_VALUE", take)
    assert [values[i].param_id for i in range(len(TABLE))] == [parameter.name for parameter in TABLE]
    assert {values[i].param_count for i in values} == {len(TABLE)}

    def value(name, again):
        return station.wait("PARAM_VALUE", lambda message: message.param_id == name, again).param_value

    def change(name, to):
        return value(name, lambda: station.send("param_set", 1, 1, name.encode(), to, 9))

    assert value("FS_GCS_TIMEOUT", lambda: station.send("param_request_read", 1, 1, b"FS_GCS_TIMEOUT", -1)) == 5.0
    assert change("JS_GAIN_DEFAULT", 0.75) == pytest.approx(0.75)
    assert lab.flight.helm.gain == pytest.approx(0.75)
    assert change("JS_GAIN_DEFAULT", 7.0) == pytest.approx(0.75)  # refused: the value in force
    assert change("FRAME_CONFIG", 0.0) == 2.0  # vectored, six degrees of freedom
    assert change("FS_GCS_TIMEOUT", 60.0) == 60.0


@pytest.mark.slow
def test_sticks_move_it_and_depth_hold_holds(lab, station):
    assert station.command(400, 1) == 0
    station.mode(MANUAL)
    begun = lab.depth_m
    until = time.monotonic() + PATIENCE_S
    while lab.depth_m < begun + 1.0 and time.monotonic() < until:
        station.send("manual_control", 1, 0, 0, 0, 0, 0)  # down
        time.sleep(0.05)
    assert lab.depth_m >= begun + 1.0
    station.send("manual_control", 1, 0, 0, 500, 0, 0)
    station.mode(ALT_HOLD)
    since = lab.flight.time_s
    wait(lambda: lab.flight.time_s > since + 20.0, "20 s of flight")
    depths, since = [], lab.flight.time_s
    wait(lambda: depths.append(lab.depth_m) or lab.flight.time_s > since + 10.0, "10 s of flight")
    held = lab.flight.helm.setpoint.depth_m
    assert max(abs(depth - held) for depth in depths) < 0.05  # m: 20 s after the hold began
    station.wait(
        "LOCAL_POSITION_NED", lambda message: abs(message.z - held) < 0.05
    )  # older ones may still be under way


@pytest.mark.slow
def test_override_turns_it(lab, station):
    station.mode(MANUAL)
    until = time.monotonic() + PATIENCE_S
    while abs(lab.flight.sim.plant.nu[5]) < 0.1 and time.monotonic() < until:
        station.send("rc_channels_override", 1, 1, 65535, 65535, 65535, 1100, 65535, 65535, 65535, 65535)
        time.sleep(0.05)
    assert lab.flight.sim.plant.nu[5] < -0.1  # rad/s, to port
    wait(lambda: lab.flight.sticks.centred, "sticks to the middle")
    station.wait("STATUSTEXT", lambda message: "no sticks" in message.text)


def test_modes_come_back_in_the_heartbeat(lab, station):
    for mode in (STABILIZE, POSHOLD, SURFTRAK, GUIDED, ALT_HOLD):
        assert station.mode(mode).custom_mode == mode


@pytest.mark.slow
def test_a_place_in_guided(lab, station):
    station.mode(GUIDED)
    north, east, _ = lab.flight.sim.plant.position_n
    target = north + 1.5, east - 1.0, 8.0

    def go():
        station.send("set_position_target_local_ned", 0, 1, 1, 1, 0xDF8, *target, 0, 0, 0, 0, 0, 0, 0, 0)

    def there(message):
        return np.linalg.norm(np.subtract((message.x, message.y, message.z), target)) < 0.2  # m

    station.wait("LOCAL_POSITION_NED", there, go)
    station.wait("HEARTBEAT", lambda message: message.custom_mode == GUIDED)


@pytest.mark.slow
def test_a_mission_is_uploaded_and_flown(lab, station):
    north, east, _ = lab.flight.sim.plant.position_n
    points = [(north + 4.0, east, -6.0), (north + 4.0, east + 4.0, -9.0)]
    items = []
    for x, y, alt in [(0.0, 0.0, 0.0), *points]:
        lat, lon, _ = pymap3d.ned2geodetic(x, y, 0.0, 36.8, -121.9, 0.0)
        items.append((6, 16, 0, 1, 0.0, 0.5, 0.0, 0.0, round(lat * 1e7), round(lon * 1e7), alt, 0))

    def count():
        station.send("mission_count", 1, 1, len(items), 0)

    requested = station.wait("MISSION_REQUEST_INT", again=count)
    while True:
        station.send("mission_item_int", 1, 1, requested.seq, *items[requested.seq])
        answer = station.wait("MISSION_REQUEST_INT" if requested.seq < len(items) - 1 else "MISSION_ACK")
        if answer.get_type() == "MISSION_ACK":
            break
        requested = answer
    assert answer.type == 0
    station.mode(AUTO)
    station.wait("MISSION_CURRENT", lambda message: message.mission_state == 5)
    assert station.reached == {1, 2}
    end = points[-1]

    def there(message):  # m: it settles at the last place
        return np.linalg.norm(np.subtract((message.x, message.y, message.z), (*end[:2], -end[2]))) < 0.2

    station.wait("LOCAL_POSITION_NED", there)
    station.mode(ALT_HOLD)


def test_a_page_pilot_is_seen_by_the_station(lab, station):
    station.mode(POSHOLD)
    lab.flight.order("hold", {"hold": "position", "on": False})
    station.wait("HEARTBEAT", lambda message: message.type == 12 and message.custom_mode == ALT_HOLD)


def test_timesync_and_ping_are_answered(lab, station):
    sync = station.wait("TIMESYNC", lambda message: message.ts1 == 777, lambda: station.send("timesync", 0, 777))
    assert sync.tc1 > 0
    station.wait(
        "PING",
        lambda message: message.seq == 5 and message.target_system == 255,
        lambda: station.send("ping", 9, 5, 0, 0),
    )


@pytest.mark.slow
def test_a_second_station_reads_and_cannot_steer(lab, station):
    with Station(lab.link.port, system=200) as guest:
        guest.wait("ATTITUDE", again=lambda: guest.send("heartbeat", 6, 8, 0, 0, 4))
        assert guest.command(400, 0) == 2 and lab.flight.armed
        before = lab.flight.sticks
        for _ in range(5):
            guest.send("manual_control", 1, 1000, 1000, 1000, 1000, 0)
            guest.send("set_mode", 1, 1, MANUAL)
        guest.wait("HEARTBEAT", lambda message: message.type == 12)
        assert lab.flight.sticks == before and lab.link.modes.now(lab.flight) != MANUAL


@pytest.mark.slow
def test_a_flood_does_not_stop_the_flight(lab, station):
    stop, packed = threading.Event(), b"\xfd" + bytes(200)

    def pour():
        while not stop.is_set():
            station.link.port.sendto(packed, ("127.0.0.1", lab.link.port))

    flood = threading.Thread(target=pour)
    since = lab.flight.time_s
    flood.start()
    try:
        wait(lambda: lab.flight.time_s > since + 2.0, "two seconds of flight")
    finally:
        stop.set()
        flood.join(PATIENCE_S)
    assert lab.link.counts()["dropped_malformed"] > 0
    assert station.command(512, 148) == 0  # and it is still there


# ---- as a link ----------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_runner_without_a_page_flies_it():
    messages = []
    link = MavlinkVehicle("udpin:127.0.0.1:0", system=9, armed=False)
    runner = Runner(
        lambda: Flight("bluerov2_heavy", WORLD), lambda data: None, messages.append, links=[link], piloted=False
    )
    runner.start()
    try:
        with Station(link.port) as station:
            beat = station.wait("HEARTBEAT", lambda message: message.type == 12)
            assert beat.get_srcSystem() == 9 and not beat.base_mode & 128  # it begins disarmed
            station.wait("ATTITUDE", lambda message: message.time_boot_ms > 200)  # time runs
    finally:
        runner.stop()
    assert link.counts()["sent"] > 0


def test_while_time_stands_stations_are_answered_and_may_begin_the_flight():
    with Deck() as deck:
        deck.flight.authority = ControlAuthority(Authority.WAITING)

        def stand():
            deck.now_s += 0.02
            deck.link.idle(deck.flight)
            deck.station.listen()
            time.sleep(0.001)

        deck.station.send("command_long", 1, 1, 512, 0, 148, 0, 0, 0, 0, 0, 0)
        for _ in range(5000):
            stand()
            if deck.station.of("AUTOPILOT_VERSION") and deck.station.of("HEARTBEAT"):
                break
        assert deck.station.of("AUTOPILOT_VERSION") and deck.flight.waits and deck.flight.time_s == 0.0
        deck.station.send("command_long", 1, 1, 176, 0, 1, ALT_HOLD, 0, 0, 0, 0, 0)
        for _ in range(5000):
            stand()
            if not deck.flight.waits:
                break
        assert not deck.flight.waits and deck.mode == ALT_HOLD


@pytest.mark.slow
def test_what_a_station_did_is_flown_again_bit_for_bit(tmp_path):
    path = tmp_path / "flown.csv"
    with Deck(record_dir=tmp_path) as deck:
        deck.flight.record(path)
        deck.command(176, 1, ALT_HOLD)
        deck.arrives(("manual_control", 1, 600, -200, 300, 100, 0))
        deck.turn(40)
        deck.command(400, 0)
        deck.turn(20)
        deck.command(400, 1)
        deck.command(176, 1, GUIDED)
        deck.arrives(("set_position_target_local_ned", 0, 1, 1, 7, 0xDF8, 1.0, 1.0, 1.0, *[0.0] * 8))
        deck.turn(100)
    assert largest_difference(load_log(path), rerun(path)) == (0.0, "")


@pytest.mark.slow
def test_costly_commands_do_not_hold_up_a_tick():
    """Taking up 500 items takes far longer than a turn may: each turn does one of them, the others wait."""
    with Deck() as deck:
        there = (round(36.80003e7), round(-121.9e7), -6.0)
        deck.link.plan.put(tuple(Item(i, 6, 16, (0.0, 0.0, 0.0, 0.0), *there) for i in range(500)))
        taken, n = deck.link.counts().get("received", 0), 12
        for _ in range(n):
            deck.station.send("command_long", 1, 1, 300, 0, *[0.0] * 7)
        wait(lambda: deck.link.counts().get("received", 0) == taken + n, "the arrival")
        deck.turn()
        assert len(deck.station.of("COMMAND_ACK")) <= 1
        deck.until(lambda: len(deck.station.of("COMMAND_ACK")) == n, "all answers")
        assert {message.result for message in deck.station.of("COMMAND_ACK")} <= {0, 1}  # done, or not now
        assert deck.station.of("COMMAND_ACK")[0].result == 0 and deck.mode == AUTO


def test_one_that_cannot_be_made_says_so():
    with pytest.raises(CommandError, match="1 to 255"):
        MavlinkVehicle("udpin:127.0.0.1:0", system=0)
    with pytest.raises(CommandError, match="no authentication"):
        MavlinkVehicle("udpin:0.0.0.0:0")
    link = MavlinkVehicle("udpin:127.0.0.1:0")
    try:
        with pytest.raises(CommandError, match="expected a flight"):
            link.begin(object())
        with pytest.raises(CommandError, match="free port"):
            MavlinkVehicle(f"udpin:127.0.0.1:{link.port}")
    finally:
        link.close()
