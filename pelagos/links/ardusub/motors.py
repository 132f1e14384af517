"""Which thruster of a vehicle is which motor of ArduSub, and from pulse widths to the drives of the thrusters.

A thruster is a motor if it pushes along the motor's line, forward or in reverse, and turns the vehicle the same way
about each axis that the motor's factors name. Places and directions are those of the vehicle file; the moment is taken
about the centre of gravity. A motor's other moments are not compared: a thruster below the centre rolls the vehicle a
little, and ArduSub's factors leave that out too.

    throttle = (pwm - 1500) / 400 between 1100 and 1900, full beyond; 0 outside 1000 to 2000 (a channel before arming)
    drive    = +-throttle times the largest drive of the thruster in that direction: 1 for a T200, whose curve is in
               the vehicle's file

The frames of ArduSub: what each of its motors does when it gets more than 1500 microseconds.

ArduSub mixes six demands into each motor with these factors. Its positive demands are: roll to starboard, pitch up, yaw
to starboard, throttle **up**, forward, lateral to starboard. A motor whose positive output would not give a positive
part of the demand has the factor -1. So the factors are at once the signs of the push and the moment of that motor at
positive output; in our axes (x forward, y starboard, z down) the push is

    (forward, lateral, -throttle)   and the moment   (roll, pitch, yaw).

The order is that of the outputs: motor 1 is channel 1 (SERVO1_FUNCTION = 33, Motor1), and so on.

Reference: ArduPilot, libraries/AP_Motors, frames vectored (FRAME_CONFIG 1) and vectored_6dof (2); numbers only.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from pelagos.errors import CommandError
from pelagos.vehicle.spec import Thruster, Vehicle


class Motor(NamedTuple):
    """The factors of one motor."""

    roll: float
    pitch: float
    yaw: float
    throttle: float
    forward: float
    lateral: float

    @property
    def push_b(self) -> tuple[float, float, float]:
        """Signs of the push at positive output, body axes."""
        return self.forward, self.lateral, -self.throttle

    @property
    def moment_b(self) -> tuple[float, float, float]:
        """Signs of the moment at positive output, body axes; 0 where ArduSub does not use it."""
        return self.roll, self.pitch, self.yaw


_HORIZONTAL = (  # front starboard, front port, rear starboard, rear port; ahead and astern by the sign of forward
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
FRAME_CONFIG = {"vectored": 1, "vectored_6dof": 2}  # the parameter of ArduSub that chooses it


# ---- motors ----------------------------------------------------------------------------------------------------------


ALONG = np.cos(np.radians(30.0))  # how far a thruster may point from the line of its motor
ARM_M = 0.01  # a shorter arm turns nothing
NEUTRAL, SPAN = 1500, 400  # microseconds
LOWEST, HIGHEST = 1000, 2000


@dataclass(frozen=True)
class Motors:
    """The motors in ArduSub's order, each with the number of its thruster and the sign of its push there."""

    frame: str  # "" for a mapping of one's own without one
    thrusters: tuple[int, ...]
    signs: tuple[int, ...]
    names: tuple[str, ...]
    largest: tuple[tuple[float, float], ...]  # drive at full reverse and full ahead of each thruster of the vehicle

    def drives(self, pwm: Sequence[int]) -> list[float]:
        """Demand of each thruster of the vehicle, in the unit of its drive."""
        demand = [0.0] * len(self.largest)
        for width, k, sign in zip(pwm, self.thrusters, self.signs, strict=False):
            if width != NEUTRAL and LOWEST <= width <= HIGHEST:
                throttle = sign * min(max((width - NEUTRAL) / SPAN, -1.0), 1.0)
                reverse, ahead = self.largest[k]
                demand[k] = throttle * ahead if throttle > 0.0 else -throttle * reverse
        return demand

    def described(self) -> list[str]:
        """One line a motor, for the start of the program."""
        rows = zip(self.names, self.signs, strict=True)
        said = f"frame {self.frame}" if self.frame else "motors as given"
        n = len(self.names)
        lines = [f"{said}: {n} motors on channels 1 to {n}" if n > 1 else f"{said}: one motor on channel 1"]
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
    """The mapping for a vehicle: by geometry, or as named.

    Args:
        vehicle: its thrusters.
        frame: of ArduSub; None: the one with as many motors as there are thrusters.
        named: thrusters in the order of the motors, a minus before a name for one that runs backwards at 1900 us;
            None: found by geometry. With a frame, as many as it has.
        reversed_motors: motors (1, 2, ...) that ArduSub has reversed (MOT_n_DIRECTION = -1).
    """
    pairs = _by_geometry(vehicle, _frame_of(vehicle, frame)) if named is None else _by_name(vehicle, named, frame)
    for motor in reversed_motors:
        if isinstance(motor, bool) or not isinstance(motor, int) or not 1 <= motor <= len(pairs):
            raise CommandError(f"there is no motor {motor!r} to reverse", expected=f"numbers from 1 to {len(pairs)}")
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
            raise CommandError(f"{vehicle.key} has {n} thrusters", expected=f"{known}, or the motors named one by one")
        return BY_COUNT[n]
    if frame not in FRAMES:
        raise CommandError(key="frame", value=frame, names=FRAMES)
    return frame


def _by_name(vehicle: Vehicle, named: Sequence[str], frame: str | None) -> list[tuple[int, int]]:
    if frame is not None and len(named) != len(FRAMES[_frame_of(vehicle, frame)]):
        n = len(FRAMES[frame])
        raise CommandError(f"{len(named)} of the motors are named and frame {frame} has {n}", expected=f"all {n}")
    known = [t.name for t in vehicle.thrusters]
    pairs: list[tuple[int, int]] = []
    for i, word in enumerate(named, start=1):
        sign, name = (-1, word[1:]) if word.startswith("-") else (1, word)
        if name not in known:
            raise CommandError(
                f"{vehicle.key} has {', '.join(known) or 'no thrusters'}",
                key=f"motor {i}",
                value=word,
                names=known,
                misspelt=name,
            )
        if any(known.index(name) == k for k, _ in pairs):
            raise CommandError(
                f"motor {i} is {word!r}, which another motor drives already", expected="each of them once"
            )
        pairs.append((known.index(name), sign))
    if not 1 <= len(pairs) <= 16:
        raise CommandError(f"{len(pairs)} motors are named", expected="1 to 16")
    return pairs


def _by_geometry(vehicle: Vehicle, frame: str) -> list[tuple[int, int]]:
    motors = FRAMES[frame]
    if len(vehicle.thrusters) != len(motors):
        raise CommandError(
            f"{vehicle.key} has {len(vehicle.thrusters)} thrusters and frame {frame} {len(motors)} motors",
            expected="as many, or the motors named one by one",
        )
    pairs: list[tuple[int, int]] = []
    for i, motor in enumerate(motors, start=1):
        fits = [(k, s) for k, t in enumerate(vehicle.thrusters) if (s := fit(motor, t, vehicle.body.cg_b)) != 0]
        if len(fits) != 1:
            among = ", ".join(vehicle.thrusters[k].name for k, _ in fits)
            found = f"{among} of {vehicle.key} all are" if fits else f"no thruster of {vehicle.key} is"
            raise CommandError(
                f"{found} motor {i} of frame {frame} by place and direction", expected="one, or the motors named"
            )
        pairs += fits
    return pairs


def fit(motor: Motor, thruster: Thruster, about_b: Sequence[float] = (0.0, 0.0, 0.0)) -> int:
    """1 if a thruster does what a motor does, -1 if it does when it runs backwards, 0 if it does something else."""
    line = np.array(motor.push_b)
    push = np.array(thruster.direction_b)
    along = float(line @ push) / float(np.linalg.norm(line))
    if abs(along) < ALONG:
        return 0
    sign = 1 if along > 0.0 else -1
    arms = sign * np.cross(np.array(thruster.position_b) - np.array(about_b), push)
    return sign if all(f == 0.0 or f * arm > ARM_M for f, arm in zip(motor.moment_b, arms, strict=True)) else 0
