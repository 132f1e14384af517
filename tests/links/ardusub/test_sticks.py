"""Independent of the fake autopilot: sticks move the body the right way, and an inertial navigator that integrates our
gyros and accelerometers arrives at our position, velocity and attitude."""

import json
import math

import numpy as np
import pytest

from pelagos.links.ardusub.physics import Physics
from pelagos.links.ardusub.wire import read_servos
from pelagos.world.spec import World

G = 9.80665
DOWN = np.array([0.0, 0.0, G])
RATE = 400
FRAME = {"bluerov2": "vectored", "bluerov2_heavy": "vectored_6dof"}
STICKS = ("roll", "pitch", "yaw", "throttle", "forward", "lateral")


def outputs(frame, sticks):
    """What ArduSub sends in manual mode: each stick by name, motor by motor, as its frame pictures show the vehicle.

    Motors 1 to 4 stand at the corners (front right, front left, rear right, rear left) and push outwards in front,
    inwards behind; the others push down. Eight-motor vehicles scale each group back to its largest output.
    """
    roll, pitch, yaw, up, ahead, right = (sticks.get(name, 0.0) for name in STICKS)
    level = [yaw - ahead + right, -yaw - ahead - right, -yaw + ahead + right, yaw + ahead - right]
    if frame == "vectored":
        upright = [roll - up, -roll - up]
    else:
        upright = [roll - pitch - up, -roll - pitch - up, roll + pitch - up, -roll + pitch - up]
        level = [output / max(1.0, *map(abs, level)) for output in level]
        upright = [output / max(1.0, *map(abs, upright)) for output in upright]
    return [int(1500 + 400 * min(max(output, -1.0), 1.0)) for output in level + upright]


class Autopilot:
    """Sends bytes, reads JSON, keeps every line."""

    def __init__(self, key, **start):
        self.frame = FRAME[key]
        density = {"bluerov2": None, "bluerov2_heavy": 13.5 / 0.0134}[key]  # kg/m3: the heavy one hangs still in it
        world = World(depth_m=200.0, gravity_m_s2=G, density_kg_m3=density)
        self.physics = Physics(key, world, start={"depth_m": 100.0, **start})
        self.count, self.lines = 0, []

    def fly(self, seconds, rate=RATE, **sticks):
        widths = outputs(self.frame, sticks)
        widths += [1500] * (16 - len(widths))
        for _ in range(round(seconds * rate)):
            head = (18458).to_bytes(2, "little") + rate.to_bytes(2, "little") + self.count.to_bytes(4, "little")
            data = head + b"".join(width.to_bytes(2, "little") for width in widths)
            self.lines.append(json.loads(self.physics.answer(read_servos(data))))
            self.count += 1
        return self.lines[-1]


def turned(q, v):
    """A vector of body axes in NED, by the quaternion product q v q*."""
    w, axis = q[0], np.array(q[1:])
    return v + 2.0 * np.cross(axis, np.cross(axis, v) + w * v)


def body_velocity(line):
    a, *bcd = line["quaternion"]
    return turned((a, *(-component for component in bcd)), np.array(line["velocity"]))


CASES = [(k, s) for k in FRAME for s in STICKS if (k, s) != ("bluerov2", "pitch")]


@pytest.mark.slow
@pytest.mark.parametrize("side", [1.0, -1.0])
@pytest.mark.parametrize(("key", "stick"), CASES)
def test_each_stick_moves_the_body_its_own_way(key, stick, side):
    """Forward is +u, lateral to starboard +v, throttle up -w, roll, pitch and yaw the rates by the right hand; whatever
    the heading. Compared with the same vehicle with no stick, so that weight and righting moment drop out."""
    moved = Autopilot(key, heading_deg=-60.0)
    still = Autopilot(key, heading_deg=-60.0)
    last, other = moved.fly(0.3, **{stick: 0.5 * side}), still.fly(0.3)
    linear = body_velocity(last) - body_velocity(other)
    rates = np.array(last["imu"]["gyro"]) - np.array(other["imu"]["gyro"])
    if stick in ("forward", "lateral", "throttle"):
        at, sign = {"forward": (0, 1.0), "lateral": (1, 1.0), "throttle": (2, -1.0)}[stick]
        speed = sign * side * linear[at]
        assert speed > 0.05  # m/s: 0.3 s of tens of newtons on tens of kilograms
        assert (
            np.abs(np.delete(linear, at)).max() < 0.3 * speed
        )  # it begins to pitch or roll: its thrusters sit below its centre
    else:
        at = ("roll", "pitch", "yaw").index(stick)
        rate = side * rates[at]
        assert rate > 0.2  # rad/s
        assert np.abs(np.delete(rates, at)).max() < 0.25 * rate
        angle = np.array(last["attitude"]) - np.array(other["attitude"])
        assert side * angle[at] > 0.02  # rad: the angles follow the rates


def test_a_push_ahead_is_felt_ahead():
    """f = F / (m + A_x) forward and -g down at the first steps; back to no forward force but the drag's at the end."""
    pilot = Autopilot("bluerov2_heavy")
    pilot.fly(0.3, forward=0.5)
    thrust = pilot.physics.sim.plant.forces()["thrusters"][0]
    x, y, z = pilot.lines[-1]["imu"]["accel_body"]
    surge = body_velocity(pilot.lines[-1])[0]
    drag = 13.7 * surge + 141.0 * surge * surge  # N, of the vehicle's file
    # 5 %: pitch, since the thrust is 0.085 m below the centre, brings gravity and heave in
    pitch = pilot.lines[-1]["attitude"][1]
    assert x == pytest.approx((thrust - drag) / (13.5 + 6.36) + G * math.sin(pitch), rel=0.05)
    assert x > 0.5 and abs(y) < 1e-6 and z == pytest.approx(-G, abs=0.5)


@pytest.mark.slow
@pytest.mark.parametrize(("key", "rate"), [("bluerov2_heavy", 1200), ("bluerov2_heavy", 301), ("bluerov2", 400)])
def test_an_inertial_navigator_arrives_where_we_say_it_is(key, rate):
    """Strapdown mechanisation of the lines' gyro and accel_body alone:

        q' = q (0, omega) / 2        v' = R f + g        p' = v

    from the first line on must give the last line's quaternion, velocity and position. A wrong sign or frame in any of
    them is off by metres."""
    pilot = Autopilot(key, heading_deg=200.0, roll_deg=15.0)
    pilot.fly(0.5, rate)
    first = len(pilot.lines) - 1
    pilot.fly(1.5, rate, forward=0.6, yaw=0.3)
    pilot.fly(1.5, rate, lateral=-0.5, throttle=-0.5, roll=0.4)
    pilot.fly(1.5, rate, forward=-0.7, yaw=-0.5, throttle=0.3)
    begun = pilot.lines[first]
    q, v = np.array(begun["quaternion"]), np.array(begun["velocity"])
    p, t = np.array(begun["position"]), begun["timestamp"]
    rates = np.array(begun["imu"]["gyro"])
    for line in pilot.lines[first + 1 :]:
        dt = line["timestamp"] - t
        now = np.array(line["imu"]["gyro"])
        half = 0.5 * dt * 0.5 * (rates + now)  # half the rotation vector of this step
        size = float(np.linalg.norm(half))
        w, xyz = math.cos(size), np.sinc(size / math.pi) * half
        after = np.array([q[0] * w - q[1:] @ xyz, *(q[0] * xyz + w * q[1:] + np.cross(q[1:], xyz))])
        force = 0.5 * (
            turned(q, np.array(line["imu"]["accel_body"])) + turned(after, np.array(line["imu"]["accel_body"]))
        )
        gained = dt * (force + DOWN)
        p = p + dt * v + 0.5 * dt * gained
        q, v, t, rates = after, v + gained, line["timestamp"], now
    last = pilot.lines[-1]
    travelled = np.linalg.norm(p - np.array(begun["position"]))
    assert travelled > 0.3  # m
    assert abs(q @ np.array(last["quaternion"])) == pytest.approx(1.0, abs=1e-7)  # half the square of 4e-4 rad
    assert v == pytest.approx(last["velocity"], abs=2e-3)  # m/s
    assert p == pytest.approx(last["position"], abs=5e-3)  # m
    angles = np.array(last["attitude"])
    a, b, c, d = last["quaternion"]
    assert math.atan2(2.0 * (a * d + b * c), 1.0 - 2.0 * (c * c + d * d)) == pytest.approx(angles[2], abs=1e-6)
    assert math.asin(2.0 * (a * c - b * d)) == pytest.approx(angles[1], abs=1e-6)
    assert math.atan2(2.0 * (a * b + c * d), 1.0 - 2.0 * (b * b + c * c)) == pytest.approx(angles[0], abs=1e-6)
