"""Times of PDUs, and the bound of the dead reckoning error of receivers."""

import math

import numpy as np
import pytest

import pelagos
from pelagos.errors import CommandError
from pelagos.frames import quaternion_from_euler, rotation_from_quaternion
from pelagos.links.dis.publisher import EntityMotion, Publisher, ReckonedState, Rule
from pelagos.sim.simulation import Simulation

ZERO = np.zeros(3)
LEVEL = np.array([1.0, 0.0, 0.0, 0.0])


def moving(position=(0.0, 0.0, 0.0), yaw=0.0, velocity=(0.0, 0.0, 0.0), rates=(0.0, 0.0, 0.0), acceleration=ZERO):
    q = quaternion_from_euler(0.0, 0.0, yaw)
    return EntityMotion(np.array(position, float), q, np.array(velocity, float), np.array(rates, float), acceleration)


def flown(rule, motions, dt):
    """Reasons of the PDUs sent, with their times."""
    publisher, sent = Publisher(rule), []
    for k, motion in enumerate(motions):
        reason = publisher.due(motion, k * dt, dt)
        if reason:
            publisher.mark_sent(motion, k * dt)
            sent.append((round(k * dt, 9), reason))
    return sent


def test_what_stands_still_is_told_at_the_heartbeat():
    sent = flown(Rule(), [moving()] * 251, 0.1)
    assert sent == [(0.0, "first"), *((5.0 * k, "heartbeat") for k in range(1, 6))]


def test_what_keeps_its_velocity_is_too():
    motions = [moving((1.5 * 0.1 * k, 0.0, 0.0), velocity=(1.5, 0.0, 0.0)) for k in range(120)]
    assert [reason for _, reason in flown(Rule(algorithm=2, threshold_m=0.05), motions, 0.1)] == [
        "first", "heartbeat", "heartbeat",
    ]  # fmt: skip


@pytest.mark.parametrize(("algorithm", "count"), [(2, 8), (4, 1)])
def test_constant_acceleration_is_told_by_its_threshold_unless_it_is_part_of_the_reckoning(algorithm, count):
    """x = a t^2 / 2: FPW is off by a (t - t0)^2 / 2, which passes d after sqrt(2 d / a)."""
    a, dt = 0.25, 0.1
    motions = [
        moving((0.5 * a * (k * dt) ** 2, 0.0, 0.0), velocity=(a * k * dt, 0, 0), acceleration=np.array([a, 0.0, 0.0]))
        for k in range(160)
    ]
    rule = Rule(algorithm=algorithm, threshold_m=0.52, heartbeat_s=60.0)
    sent = flown(rule, motions, dt)
    assert len(sent) == count
    period = math.ceil(math.sqrt(2.0 * 0.52 / a) / dt) * dt  # 2.04 s, seen at the first look after it
    assert all(reason == "position" for _, reason in sent[1:])
    assert np.diff([time for time, _ in sent]) == pytest.approx(np.full(count - 1, period), abs=1e-9)


@pytest.mark.parametrize("algorithm", [2, 3])
def test_turning_is_told_by_its_angle_unless_it_is_part_of_the_reckoning(algorithm):
    """Yaw at 1 deg/s and a threshold of 3.05 deg: beyond it at the first look after 3.05 s."""
    motions = [moving(yaw=math.radians(0.1 * k), rates=(0.0, 0.0, math.radians(1.0))) for k in range(100)]
    sent = flown(Rule(algorithm=algorithm, threshold_deg=3.05, heartbeat_s=60.0), motions, 0.1)
    assert sent == ([(0.0, "first"), (3.1, "angle"), (6.2, "angle"), (9.3, "angle")] if algorithm == 2 else sent[:1])


@pytest.mark.parametrize(("hz", "dt"), [(10.0, 0.1), (10.0, 0.02), (4.0, 0.1)])
def test_a_fixed_rate_is_kept_whatever_moves(hz, dt):
    """Over 20 s; ticks of a clock that trembles by a tenth of a tick, as clocks on walls do."""
    rng = np.random.default_rng(1)
    publisher, sent = Publisher(Rule(fixed_hz=hz)), 0
    for k in range(round(20.0 / dt)):
        now = (k + 0.1 * rng.uniform(-1.0, 1.0)) * dt
        if publisher.due(moving(), now, dt):
            publisher.mark_sent(moving(), now)
            sent += 1
    assert sent == pytest.approx(20.0 * hz, abs=2)


def test_another_look_is_told_at_once():
    publisher = Publisher(Rule())
    publisher.mark_sent(moving(), 0.0, appearance=0)
    assert publisher.due(moving(), 0.1) == ""
    assert publisher.due(moving(), 0.1, appearance=1 << 21) == "appearance"


def test_what_is_told_is_in_the_axes_of_the_algorithm():
    """In a steady turn (u = 2, r = 0.5) the acceleration in space is u r = 1 m/s^2 to starboard; in body axes none."""
    turning = moving(yaw=math.pi / 2, velocity=(2.0, 0.0, 0.0), rates=(0.0, 0.0, 0.5))
    world, body = ReckonedState.of(turning, 4, 0.0), ReckonedState.of(turning, 8, 0.0)
    assert world.velocity == pytest.approx([0.0, 2.0, 0.0], abs=1e-12)
    assert world.acceleration == pytest.approx([-1.0, 0.0, 0.0], abs=1e-12)
    assert body.velocity.tolist() == [2.0, 0.0, 0.0] and body.acceleration.tolist() == [0.0, 0.0, 0.0]
    fixed = ReckonedState.of(turning, 2, 0.0)
    assert fixed.rates.tolist() == [0.0] * 3 and fixed.acceleration.tolist() == [0.0] * 3
    assert ReckonedState.of(turning, 1, 0.0).velocity.tolist() == [0.0] * 3


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"algorithm": 10}, "dead reckoning algorithm is 10"),
        ({"threshold_m": 0.0}, "DIS threshold_m is 0"),
        ({"threshold_deg": 200.0}, "DIS threshold_deg is 200"),
        ({"fixed_hz": -1.0}, "DIS rate is -1"),
        ({"heartbeat_s": math.nan}, "DIS heartbeat_s is nan"),
    ],
)
def test_a_rule_that_makes_no_sense_is_refused(change, sentence):
    with pytest.raises(CommandError, match=sentence):
        Rule(**change)


@pytest.mark.slow
@pytest.mark.parametrize("algorithm", range(1, 10))
def test_a_receiver_is_never_off_by_more_than_the_threshold_and_an_interval_of_motion(algorithm):
    """A vehicle flown about by hand; the receiver looks in the middle of intervals too, before a new PDU can come."""
    sim = Simulation("bluerov2_heavy", pelagos.World(depth_m=50.0), control_rate_hz=10.0)
    sim.place(depth_m=20.0)
    rule = Rule(algorithm=algorithm, threshold_m=0.05, threshold_deg=1.0)
    publisher, motion, sent, worst = Publisher(rule), EntityMotion.of(sim), 0, [0.0, 0.0]
    publisher.mark_sent(motion, 0.0)
    for k in range(1, 400):
        phase = 0.1 * k
        sim.pilot(surge=math.sin(0.7 * phase), sway=0.5 * math.sin(1.1 * phase), yaw=math.sin(0.5 * phase))
        picture, before = publisher.last_sent, motion
        assert picture is not None
        sim.tick()
        now = sim.time_s
        motion = EntityMotion.of(sim, motion)
        away, angle = picture.errors(motion, now)
        apart = _apart(picture, before, motion, now, sim.interval_s)
        assert away <= rule.threshold_m + apart[0] + 1e-9
        assert angle <= math.radians(rule.threshold_deg) + apart[1] + 1e-9
        worst = [max(worst[0], away), max(worst[1], angle)]
        if publisher.due(motion, now, sim.interval_s):
            reckoned = publisher.mark_sent(motion, now)
            sent += 1
            assert reckoned.errors(motion, now) == pytest.approx((0.0, 0.0), abs=1e-7)
    assert worst[0] > 0.8 * rule.threshold_m or worst[1] > math.radians(0.8 * rule.threshold_deg)
    assert sent > 5


def _apart(picture, before, motion, now, dt):
    """How far true and reckoned motion go apart in the interval that ends now, m and rad."""
    (p0, q0), (p1, q1) = picture.at(now - dt), picture.at(now)
    shift = (motion.position_n - before.position_n) - (p1 - p0)

    def turn(a, b):
        return rotation_from_quaternion(b) @ rotation_from_quaternion(a).T

    true, reckoned = turn(before.quaternion, motion.quaternion), turn(q0, q1)
    cosine = 0.5 * (np.trace(true @ reckoned.T) - 1.0)
    return float(np.linalg.norm(shift)), math.acos(min(1.0, max(-1.0, cosine))) + 1e-7
