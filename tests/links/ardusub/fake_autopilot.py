"""A stand-in for ArduPilot's SITL on the wire: its packets, timeouts and parser, and a small pilot.

It behaves as the real program in these points (written from the facts of libraries/SITL/SIM_JSON):

- it sends a packet and waits; without an answer in eleven waits of 0.1 s it sends the same packet again;
- the answer is the text between the last two newlines received; keys are searched as text: first the section, then the
  key after it, and two characters later a number, or numbers between commas;
- without one of the required keys, or without an attitude, the line is ignored;
- its rate is a 32-bit float: 1 / (difference of two time stamps), then moved towards the requested rate by at most
  1 Hz; the packet carries it truncated to an integer;
- a time stamp that goes back is a physics reset, and no time passes for it.
"""

import math
import re
import socket
import struct

import numpy as np

NUMBER = re.compile(r"\s*[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?")
# section, key, how many numbers (0: one, not in brackets), required
KEYS = (
    ("", "timestamp", 0, True),
    ("", "latitude", 0, False),
    ("", "longitude", 0, False),
    ("", "altitude", 0, False),
    ("imu", "gyro", 3, True),
    ("imu", "accel_body", 3, True),
    ("", "position", 3, True),
    ("", "attitude", 3, False),
    ("", "quaternion", 4, False),
    ("", "velocity", 3, True),
    *(("", f"rng_{i}", 0, False) for i in range(1, 7)),
    ("", "velocity_wind", 3, False),
    ("windvane", "direction", 0, False),
    ("windvane", "speed", 0, False),
    ("", "airspeed", 0, False),
    ("", "no_time_sync", 0, False),
    ("", "no_lockstep", 0, False),
    *(("rc", f"rc_{i}", 0, False) for i in range(1, 13)),
    ("battery", "voltage", 0, False),
    ("battery", "current", 0, False),
)
MIX = {  # roll, pitch, yaw, throttle (up), forward, lateral of each motor, as ArduSub publishes them
    "vectored": (
        (0, 0, 1, 0, -1, 1), (0, 0, -1, 0, -1, -1), (0, 0, -1, 0, 1, 1), (0, 0, 1, 0, 1, -1),
        (1, 0, 0, -1, 0, 0), (-1, 0, 0, -1, 0, 0),
    ),
    "vectored_6dof": (
        (0, 0, 1, 0, -1, 1), (0, 0, -1, 0, -1, -1), (0, 0, -1, 0, 1, 1), (0, 0, 1, 0, 1, -1),
        (1, -1, 0, -1, 0, 0), (-1, -1, 0, -1, 0, 0), (1, 1, 0, -1, 0, 0), (-1, 1, 0, -1, 0, 0),
    ),
}  # fmt: skip


class UnreadError(Exception):
    """The real program would not take this line."""


def number(text):
    match = NUMBER.match(text)
    return float(match.group(0)) if match else 0.0


def numbers(text, count):
    values, at = [], 0
    for i in range(count):
        while at < len(text) and text[at] != "-" and not text[at].isdigit():
            at += 1
        if at == len(text):
            raise UnreadError(f"{count} numbers wanted, {i} found")
        values.append(number(text[at:]))
        while at < len(text) and text[at] not in ",]":
            at += 1
        if i < count - 1 and text[at : at + 1] != ",":
            raise UnreadError(f"{count} numbers wanted, {i + 1} found")
        at += 1
    return values


def read_line(data):
    """What the reader makes of a datagram: values by section/key."""
    text = data.decode()
    end = text.rfind("\n")
    begin = text.rfind("\n", 0, max(end, 0))
    if end <= 0 or begin < 0:
        raise UnreadError("no newline before and after")
    text = text[begin + 1 : end]
    fields = {}
    for section, key, count, required in KEYS:
        there = text.find(section)
        at = -1 if there < 0 else text.find(key, there + len(section) + 1)
        if at < 0:
            if required:
                raise UnreadError(f"no {section} {key}")
            continue
        value = text[at + len(key) + 2 :]
        fields[f"{section}/{key}"] = numbers(value, count) if count else number(value)
    if not {"/attitude", "/quaternion"} & set(fields):
        raise UnreadError("no attitude")
    return fields


def mixed(frame, **command):
    """Pulse widths of 16 channels for commands from -1 to 1: roll, pitch, yaw, throttle, forward, lateral."""
    commands = [command.get(name, 0.0) for name in ("roll", "pitch", "yaw", "throttle", "forward", "lateral")]
    out = [sum(f * d for f, d in zip(factors, commands, strict=True)) for factors in MIX[frame]]
    widths = [round(1500 + 400 * min(max(output, -1.0), 1.0)) for output in out]
    return widths + [1500] * (16 - len(widths))


class FakeAutopilot:
    """One program in the loop. `exchange` is its main loop once round."""

    def __init__(self, port, *, channels=16, rate_hz=300.0, wanted_hz=1200.0, patience_s=1.1, most_resends=20):
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.settimeout(patience_s)
        self.to = ("127.0.0.1", port)
        self.channels, self.wanted_hz, self.most_resends = channels, wanted_hz, most_resends
        self.rate_hz = np.float32(rate_hz)
        self.frame, self.time_s, self.last_stamp_s = 0, 0.0, 0.0
        self.resends, self.resets, self.rates = 0, 0, []
        self.state = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def packet(self, pwm):
        widths = [*pwm, *([0] * self.channels)][: self.channels]
        magic = 18458 if self.channels == 16 else 29569
        return struct.pack(f"<HHI{self.channels}H", magic, int(self.rate_hz), self.frame, *widths)

    def exchange(self, pwm):
        """Send, wait, read, take over time and rate; the values of the line."""
        packet = self.packet(pwm)
        self.rates.append(int(self.rate_hz))
        self.socket.sendto(packet, self.to)
        for _ in range(self.most_resends):
            try:
                data = self.socket.recv(65000)
                break
            except TimeoutError:
                self.resends += 1
                self.socket.sendto(packet, self.to)
        else:
            raise TimeoutError("the physics never answered")
        self.state = read_line(data)
        stamp = self.state["/timestamp"]
        if stamp < self.last_stamp_s:
            self.resets += 1
            passed = 0.0
        else:
            passed = stamp - self.last_stamp_s
        self.time_s += passed
        if 0.0 < passed < 0.1:
            self.rate_hz = np.float32(1.0 / passed)
        self.last_stamp_s = stamp
        self.frame += 1
        low, high = self.rate_hz - np.float32(1.0), self.rate_hz + np.float32(1.0)
        self.rate_hz = np.float32(min(max(np.float32(self.wanted_hz), low), high))
        return self.state

    def fly(self, frame, seconds, *, depth_m, heading_rad):
        """Hold a depth and a heading for a time from the states received: two small controllers, tuned by hand."""
        pwm, gathered = [1500] * self.channels, 0.0
        until_s, track = self.time_s + seconds, []
        while self.time_s < until_s:
            reply, before_s = self.exchange(pwm), self.time_s
            deeper = depth_m - reply["/position"][2]
            sinking = reply["/velocity"][2]
            if abs(deeper) < 0.5:
                gathered = min(max(gathered + deeper / float(self.rate_hz), -4.0), 4.0)
            down = 0.8 * deeper - 1.2 * sinking + 0.2 * gathered
            q0, q1, q2, q3 = reply["/quaternion"]
            yaw = math.atan2(2.0 * (q0 * q3 + q1 * q2), 1.0 - 2.0 * (q2 * q2 + q3 * q3))
            turn = math.remainder(heading_rad - yaw, 2.0 * math.pi)
            p, q, r = reply["imu/gyro"]
            roll, pitch, _ = reply["/attitude"]
            pwm = mixed(
                frame,
                throttle=-min(max(down, -0.5), 0.5),
                yaw=min(max(2.0 * turn - 1.0 * r, -0.4), 0.4),
                roll=-0.5 * roll - 0.2 * p,
                pitch=-0.5 * pitch - 0.2 * q if frame == "vectored_6dof" else 0.0,
            )
            track.append((before_s, reply["/position"][2], yaw))
        return np.array(track)
