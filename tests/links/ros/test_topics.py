"""The true state of a simulation in messages, and times of readings."""

import math

import numpy as np
import pytest

from pelagos.frames import rotation_from_quaternion
from pelagos.links.ros.messages import encoder
from pelagos.links.ros.relay import RunStart, Tick, tick_messages
from pelagos.links.ros.topics import event_message, messages_of, static_message, topics_of, vehicle_tick
from pelagos.links.ros.vehicle import ros_vehicles_of
from pelagos.messages import Estimate
from pelagos.scenario.build import prepare
from pelagos.scenario.read import load_scenario
from pelagos.sim.simulation import Simulation
from tests.links.ros.afloat import rov


@pytest.fixture(scope="module")
def flown():
    """A simulation under way, its messages of one second by topic."""
    sim = rov()
    (vehicle,) = ros_vehicles_of([sim])
    by_topic = {}
    for _ in range(50):
        sim.tick()
        for message in messages_of(vehicle, vehicle_tick(sim)):
            by_topic.setdefault(message.topic, []).append(message)
    return sim, vehicle, by_topic


def test_odometry_is_the_truth_in_other_axes(flown):
    sim, vehicle, by_topic = flown
    odom = by_topic[f"{vehicle.root}/odom"][-1].values
    north, east, down = sim.plant.position_n.tolist()
    place = odom["pose"]["pose"]["position"]
    assert (place["x"], place["y"], place["z"]) == (east, north, -down)
    u, v, w, p, q, r = sim.plant.nu.tolist()
    twist = odom["twist"]["twist"]
    assert list(twist["linear"].values()) == [u, -v, -w]
    assert list(twist["angular"].values()) == [p, -q, -r]
    assert odom["header"]["frame_id"] == "odom" and odom["child_frame_id"] == "base_link"
    assert odom["header"]["stamp"] == {"sec": 1, "nanosec": 0}


def test_the_velocity_of_the_odometry_moves_its_position(flown):
    """Central differences of the positions, and the attitude and body velocity of the message between, by matrices."""
    _, vehicle, by_topic = flown
    before, now, after = (m.values for m in by_topic[f"{vehicle.root}/odom"][-3:])
    step = [after["pose"]["pose"]["position"][a] - before["pose"]["pose"]["position"][a] for a in "xyz"]
    x, y, z, w = now["pose"]["pose"]["orientation"].values()
    R = rotation_from_quaternion([w, x, y, z])  # any rotation of a quaternion with the scalar first
    velocity = R @ list(now["twist"]["twist"]["linear"].values())
    assert velocity == pytest.approx(np.array(step) / 0.04, abs=2e-4)  # m/s: x''' dt^2 / 6 at some m/s3 and 20 ms


def test_frames_hang_together(flown):
    sim, vehicle, by_topic = flown
    (moving,) = by_topic["/tf"][-1].values["transforms"]
    assert (moving["header"]["frame_id"], moving["child_frame_id"]) == ("odom", "base_link")
    odom = by_topic[f"{vehicle.root}/odom"][-1].values["pose"]["pose"]
    assert moving["transform"] == {"translation": odom["position"], "rotation": odom["orientation"]}
    static = static_message([vehicle]).values["transforms"]
    parents = {transform["child_frame_id"]: transform["header"]["frame_id"] for transform in static}
    assert parents == {"odom": "map", **dict.fromkeys(sim.sensing.suite.names, "base_link")}


def test_a_reading_keeps_its_time_and_its_latency(flown):
    """The altimeter measures every 0.2 s and says so 0.15 s later, at the next tick."""
    _, vehicle, by_topic = flown
    ranges = by_topic[f"{vehicle.root}/altimeter"]
    stamps = [m.values["header"]["stamp"]["sec"] + 1e-9 * m.values["header"]["stamp"]["nanosec"] for m in ranges]
    assert np.diff(stamps) == pytest.approx([0.2] * (len(stamps) - 1), abs=1e-9)
    assert [1e-9 * m.time_ns - t for m, t in zip(ranges, stamps, strict=True)] == pytest.approx([0.15] * len(ranges))


def test_all_samples_of_a_fast_instrument_are_told():
    sim = rov(control_rate_hz=10.0)
    (vehicle,) = ros_vehicles_of([sim])
    sim.tick()
    imus = [m for m in messages_of(vehicle, vehicle_tick(sim)) if m.topic.endswith("/imu")]
    assert len(imus) == 5  # 50 Hz seen at 10 Hz


def test_topics_are_those_that_are_said(flown):
    _, vehicle, by_topic = flown
    kinds = topics_of([vehicle])
    assert {topic: messages[0].type for topic, messages in by_topic.items()}.items() <= kinds.items()
    assert set(kinds) - set(by_topic) == {"/clock", "/tf_static", "/rosout"}
    for messages in by_topic.values():
        assert encoder(messages[0].type)(messages[0].values)


def test_thrusters_in_the_units_of_the_log(flown):
    sim, vehicle, by_topic = flown
    joints = by_topic[f"{vehicle.root}/thrusters"][-1].values
    assert joints["name"] == [t.name for t in sim.vehicle.thrusters]
    assert joints["effort"] == sim.plant.state["actuators"]["thruster"][:8].tolist()  # their thrust lags: N
    assert all(math.isnan(v) for v in joints["velocity"])


def test_a_screw_and_fins_as_joints():
    sim = Simulation("remus100")
    shaft = sim.vehicle.thrusters[0].name
    sim.thrust(**{f"{shaft}_rpm": 900.0})
    for _ in range(100):
        sim.tick()
    (vehicle,) = ros_vehicles_of([sim])
    by_name = {m.topic.rpartition("/")[2]: m.values for m in messages_of(vehicle, vehicle_tick(sim))}
    n = len(sim.vehicle.surfaces)
    assert n > 0 and by_name["surfaces"]["position"] == sim.plant.state["actuators"]["surface"][:n].tolist()
    assert by_name["thrusters"]["name"] == [shaft]
    assert by_name["thrusters"]["velocity"] == [pytest.approx(900.0 * math.pi / 30.0, rel=1e-3)]  # rad/s, after 10 s


def test_an_estimate_has_covariances_along_the_axes_of_ros():
    sim = prepare(load_scenario("remus-lawnmower")).fleet.sims[0]
    for _ in range(20):
        sim.tick()
    (vehicle,) = ros_vehicles_of([sim])
    shown = sim.feedback()
    assert isinstance(shown, Estimate)
    odometry = {m.topic: m.values for m in messages_of(vehicle, vehicle_tick(sim))}[f"{vehicle.root}/estimate"]
    S = np.array(odometry["pose"]["covariance"]).reshape(6, 6)
    north, east, down = (shown.pos_sigma_m**2).tolist()
    assert np.diag(S)[:3] == pytest.approx([east, north, down])
    a, b, c = (shown.attitude_sigma_rad**2).tolist()
    assert np.diag(S)[3:] == pytest.approx([b, a, c])
    T = np.array(odometry["twist"]["covariance"]).reshape(6, 6)[:3, :3]
    assert np.trace(T) == pytest.approx(float((shown.velocity_sigma_m_s**2).sum()))  # a rotation keeps the trace
    assert odometry["pose"]["pose"]["position"]["x"] == shown.pos_n[1]


def test_what_happens_is_a_sentence_with_a_level():
    message = event_message({"time_s": 2.5, "kind": "fault", "text": "a thruster is lost"})
    assert message.values["msg"] == "a thruster is lost" and message.values["level"] == 30
    assert message.time_ns == 2_500_000_000


def test_a_tick_of_two_vehicles_has_one_clock():
    sims = [Simulation("bluerov2_heavy", name=name) for name in ("first", "second")]
    vehicles = tuple(ros_vehicles_of(sims))
    tick = Tick(RunStart(vehicles, 0.0), 0.0, tuple(map(vehicle_tick, sims)), ({"type": "result", "x": 1},))
    topics = [m.topic for m in tick_messages(tick)]
    assert topics.count("/clock") == 1 and topics.count("/tf") == 2
    assert "/pelagos/first/odom" in topics and "/pelagos/second/odom" in topics
    assert "/rosout" not in topics  # a result is no event
