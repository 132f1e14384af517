"""Mapping of ArduSub motors to the thrusters of a vehicle, and of pulse widths to thruster commands.

ArduSub mixes six inputs into each motor by factors: roll to starboard, pitch up, yaw to starboard, throttle **up**,
forward, lateral to starboard. A factor is the sign of that force or moment at positive output of the motor (more than
1500 us). In body axes (x forward, y starboard, z down) the direction of the thrust and the moment are

    (forward, lateral, -throttle)   and   (roll, pitch, yaw).

Motors are in the order of the outputs: motor 1 is channel 1 (SERVO1_FUNCTION = 33, Motor1), and so on.

A thruster matches a motor if it acts along the axis of the motor, forward or in reverse, and if its moment about the
centre of gravity has the same sign for each axis whose factor is not zero. Other moments are not compared: a thruster
below the centre of gravity rolls the vehicle a little, which the factors of ArduSub neglect too.

    throttle = (pwm - 1500) / 400 between 1100 and 1900, full beyond; 0 outside 1000 to 2000 (a channel before arming)
    command  = +-throttle times the largest drive of the thruster in that direction: 1 for a T200, whose curve is in
               the vehicle file

Reference: ArduPilot, libraries/AP_Motors, frames vectored (FRAME_CONFIG 1) and vectored_6dof (2); numbers only.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from pelagos.checks import whole
from pelagos.errors import CommandError, one_of
from pelagos.vehicle.spec import Thruster, Vehicle

ALONG = np.cos(np.radians(30.0))  # largest angle between a thruster and the axis of its motor
ARM_M = 0.01  # a shorter lever arm counts as none
NEUTRAL, SPAN = 1500, 400  # microseconds
LOWEST, HIGHEST = 1000, 2000  # pulses outside mean stop


class Motor(NamedTuple):
    """Factors of one motor."""

    roll: float
    pitch: float
    yaw: float
    throttle: float
    forward: float
    lateral: float

    @property
    def push_b(self) -> tuple[float, float, float]:
        """Direction of the thrust at positive output, body axes."""
        return self.forward, self.lateral, -self.throttle

    @property
    def moment_b(self) -> tuple[float, float, float]:
        """Signs of the moment at positive output, body axes; 0 if ArduSub does not use it."""
        return self.roll, self.pitch, self.yaw


_HORIZONTAL = (  # front starboard, front port, rear starboard, rear port
    Motor(0.0, 0.0, 1.0, 0.0, -1.0, 1.0),
    Motor(0.0, 0.0, -1.0, 0.0, -1.0, -1.0),
    Motor(0.0, 0.0, -1.0, 0.0, 1.0, 1.0),
    Motor(0.0, 0.0, 1.0, 0.0, 1.0, -1.0),
)
FRAMES: dict[str, tuple[Motor, ...]] = {
    "vectored": (
        *_HORIZONTAL,
        Motor(1.0, 0.0, 0.0, -1.0, 0.0, 0.0),
        Motor(-1.0, 0.0, 0.0, -1.0, 0.0, 0.0),
    ),
    "vectored_6dof": (
        *_HORIZONTAL,
        Motor(1.0, -1.0, 0.0, -1.0, 0.0, 0.0),
        Motor(-1.0, -1.0, 0.0, -1.0, 0.0, 0.0),
        Motor(1.0, 1.0, 0.0, -1.0, 0.0, 0.0),
        Motor(-1.0, 1.0, 0.0, -1.0, 0.0, 0.0),
    ),
}
BY_COUNT = {len(motors): name for name, motors in FRAMES.items()}
FRAME_CONFIG = {"vectored": 1, "vectored_6dof": 2}  # value of that ArduSub parameter


@dataclass(frozen=True)
class Motors:
    """Motors in the order of ArduSub, each with the index of its thruster and the sign of its thrust."""

    frame: str  # "" for motors named by the user without a frame
    thrusters: tuple[int, ...]
    signs: tuple[int, ...]
    names: tuple[str, ...]
    largest: tuple[tuple[float, float], ...]  # drive at full reverse and full ahead of each thruster

    def drives(self, pwm: Sequence[int]) -> list[float]:
        """Return the command of each thruster for pulse widths, in the unit of its drive."""
        commands = [0.0] * len(self.largest)
        for width, k, sign in zip(pwm, self.thrusters, self.signs, strict=False):
            # A width of 0 means no output on the channel; ArduSub sends it before arming.
            if width != NEUTRAL and LOWEST <= width <= HIGHEST:
                throttle = sign * min(max((width - NEUTRAL) / SPAN, -1.0), 1.0)
                reverse, ahead = self.largest[k]
                commands[k] = throttle * ahead if throttle > 0.0 else -throttle * reverse
        return commands

    def described(self) -> list[str]:
        """Return a description of the mapping, a heading and one line for each motor."""
        rows = zip(self.names, self.signs, strict=True)
        title = f"frame {self.frame}" if self.frame else "motors as given"
        n = len(self.names)
        lines = [f"{title}: {n} motors on channels 1 to {n}" if n > 1 else f"{title}: one motor on channel 1"]
        return lines + [
            f"  motor {i}  {name}{'' if sign > 0 else ', reversed: 1900 us drives it backwards'}"
            for i, (name, sign) in enumerate(rows, start=1)
        ]


def motors_of(
    vehicle: Vehicle,
    frame: str | None = None,
    named: Sequence[str] | None = None,
    reversed_motors: Collection[int] = (),
) -> Motors:
    """Return the mapping for a vehicle, by geometry or by names.

    Args:
        vehicle: the vehicle.
        frame: frame of ArduSub; None: the one with as many motors as the vehicle has thrusters.
        named: thrusters in the order of the motors, with a minus before the name if 1900 us means reverse; None: match
            by geometry. With a frame, the number must be that of its motors.
        reversed_motors: motors (1, 2, ...) that ArduSub reverses (MOT_n_DIRECTION = -1).
    """
    pairs = _by_geometry(vehicle, _frame_of(vehicle, frame)) if named is None else _by_name(vehicle, named, frame)
    for motor in reversed_motors:
        whole("reversed motor", motor, 1, len(pairs))
    signs = tuple(-s if i in reversed_motors else s for i, (_, s) in enumerate(pairs, start=1))
    thrusters = tuple(k for k, _ in pairs)
    return Motors(
        "" if named is not None and frame is None else _frame_of(vehicle, frame),
        thrusters,
        signs,
        tuple(vehicle.thrusters[k].name for k in thrusters),
        tuple((t.minimum, t.maximum) for t in vehicle.thrusters),
    )


def _frame_of(vehicle: Vehicle, frame: str | None) -> str:
    if frame is None:
        n = len(vehicle.thrusters)
        if n not in BY_COUNT:
            known = " or ".join(f"{count} ({name})" for count, name in BY_COUNT.items())
            raise CommandError(
                key=f"number of thrusters of {vehicle.key}",
                value=n,
                expected=f"{known}, or the motors named one by one",
            )
        return BY_COUNT[n]
    if frame not in FRAMES:
        raise CommandError(key="frame", value=frame, names=FRAMES)
    return frame


def _by_name(vehicle: Vehicle, named: Sequence[str], frame: str | None) -> list[tuple[int, int]]:
    if frame is not None and len(named) != len(FRAMES[_frame_of(vehicle, frame)]):
        n = len(FRAMES[frame])
        expected = f"{n}, one for each motor of frame {frame}"
        raise CommandError(key="number of named motors", value=len(named), expected=expected)
    known = [t.name for t in vehicle.thrusters]
    pairs: list[tuple[int, int]] = []
    for i, word in enumerate(named, start=1):
        sign, name = (-1, word[1:]) if word.startswith("-") else (1, word)
        if name not in known:
            raise CommandError(
                key=f"motor {i}",
                value=word,
                expected=f"{one_of(known)} (thrusters of {vehicle.key})",
                names=known,
                misspelt=name,
            )
        if any(known.index(name) == k for k, _ in pairs):
            message = "another motor already drives this thruster"
            raise CommandError(message, key=f"motor {i}", value=word, expected="each thruster once")
        pairs.append((known.index(name), sign))
    if not 1 <= len(pairs) <= 16:
        raise CommandError(key="number of named motors", value=len(pairs), expected="1 to 16")
    return pairs


def _by_geometry(vehicle: Vehicle, frame: str) -> list[tuple[int, int]]:
    motors = FRAMES[frame]
    if len(vehicle.thrusters) != len(motors):
        raise CommandError(
            key=f"number of thrusters of {vehicle.key}",
            value=len(vehicle.thrusters),
            expected=f"{len(motors)}, one for each motor of frame {frame}, or the motors named one by one",
        )
    pairs: list[tuple[int, int]] = []
    for i, motor in enumerate(motors, start=1):
        fits = [(k, s) for k, t in enumerate(vehicle.thrusters) if (s := fit(motor, t, vehicle.body.cg_b)) != 0]
        if len(fits) != 1:
            among = ", ".join(vehicle.thrusters[k].name for k, _ in fits)
            matching = f"{among} of {vehicle.key} all match" if fits else f"no thruster of {vehicle.key} matches"
            raise CommandError(
                f"{matching} motor {i} of frame {frame} by place and direction",
                expected="one match, or the motors named one by one",
            )
        pairs += fits
    return pairs


def fit(motor: Motor, thruster: Thruster, about_b: Sequence[float] = (0.0, 0.0, 0.0)) -> int:
    """Return 1 if a thruster acts like a motor, -1 if it does so in reverse, 0 if it does not."""
    axis = np.array(motor.push_b)
    direction = np.array(thruster.direction_b)
    along = float(axis @ direction) / float(np.linalg.norm(axis))
    if abs(along) < ALONG:
        return 0
    sign = 1 if along > 0.0 else -1
    arms = sign * np.cross(np.array(thruster.position_b) - np.array(about_b), direction)
    return sign if all(f == 0.0 or f * arm > ARM_M for f, arm in zip(motor.moment_b, arms, strict=True)) else 0
